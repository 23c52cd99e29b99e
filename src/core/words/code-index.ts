/** What the code index tells: plain data. Lines are 1-based and inclusive, paths are relative to the top of the repository. */
import { z } from 'zod';
import { splitLines } from '../text.ts';
import type { Subject } from './change.ts';
import type { Claim } from './claim.ts';
import { Amount, Flag, Text, Texts, Whole } from './fields.ts';
import type { Location } from './finding.ts';

/** Why a file is listed and not read. */
export type SkipReason =
  | 'binary'
  | 'not UTF-8'
  | 'empty'
  | 'too large'
  | 'vendored'
  | 'generated'
  | 'minified'
  | 'link'
  | 'submodule'
  | 'unreadable';

const IndexedFile = z.object({
  path: Text,
  language: Text,
  bytes: Whole,
  lines: Whole,
  tokens: Whole,
  /** Git's name of the content. */
  id: Text,
});
export type IndexedFile = z.infer<typeof IndexedFile>;

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

export const definitionKinds = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'constant',
  'module',
  'macro',
  'test',
  /** Of a type or an enum, or an attribute of an object where it is first given a value. */
  'field',
  /** A block that adds members to the type it is named after: `impl`, `extension`. */
  'extension',
] as const;
export type DefinitionKind = (typeof definitionKinds)[number];

export interface Definition {
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly startLine: number;
  readonly endLine: number;
  /** Of its name: behind annotations. */
  readonly nameLine: number;
  /** That line, without its indentation, at most 200 characters. */
  readonly signature: string;
}

export interface Reference {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly kind: 'call' | 'use';
}

/** A parameter, a variable or a type parameter: what a name means inside of a function. */
export interface Binding {
  readonly name: string;
  /** Where it is declared. */
  readonly line: number;
  /** Lines in which it is known; both 0 for those at the top of a file. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Import {
  /** File that imports. */
  readonly path: string;
  /** What it names, as written, without quotes. */
  readonly specifier: string;
  readonly line: number;
  /** The whole statement, with the names it brings in. */
  readonly startLine: number;
  readonly endLine: number;
  /** Files of the repository it leads to; empty for a package from outside. */
  readonly targets: readonly string[];
}

const SearchHit = z.object({
  path: Text,
  startLine: Whole,
  endLine: Whole,
  text: Text,
  /** Higher is better; comparable within one answer only. */
  score: Amount,
});
export type SearchHit = z.infer<typeof SearchHit>;

export interface Refreshed {
  /** Contents that were read and taken apart. */
  readonly indexed: number;
  /** Contents that were there already. */
  readonly reused: number;
}

/** What counted the tokens. */
export const Counter = z.object({
  /** Encoding, for the record: `o200k_base`, or `bytes/4` when no encoding could be loaded. */
  name: Text,
  version: Text,
  /** True when the figure is ⌈bytes ÷ 4⌉. */
  estimated: Flag,
});
export type Counter = z.infer<typeof Counter>;

export interface IndexStatistics {
  readonly branch: string;
  readonly tree: string;
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  readonly counter: Counter;
  readonly definitions: number;
  readonly references: number;
  readonly imports: number;
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly tokens: number;
  }[];
  readonly skipped: readonly { readonly reason: SkipReason; readonly files: number }[];
}

// The lines around the place of a claim, for a report that shows what is meant.

export const CodeFrame = z.object({
  /** 1-based number of the first of `lines`. */
  first: Whole.positive(),
  /** Text of the subject, credentials replaced. Untrusted. */
  lines: Texts,
  /** The lines that are meant, first and last. */
  from: Whole.positive(),
  to: Whole.positive(),
});
export type CodeFrame = z.infer<typeof CodeFrame>;

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Lines shown before and after those that are meant; of a long range only its beginning is shown. */
const around = 1;
const mostMeant = 4;
const longestLine = 200;

/** A place that was not found, or that may be several, has no frame. */
export function canBeFramed({ location }: Pick<Claim, 'location'>) {
  return (
    location !== null &&
    location.line !== null &&
    (location.anchoring === 'exact' || location.anchoring === 'moved')
  );
}

/** What the subject shows of one side of a file, in order; of a change these are the lines of its hunks. */
export function linesOf(
  subject: Subject,
  path: string,
  side: Location['side'],
): readonly NumberedLine[] {
  if (subject.kind === 'question') return [];
  if (subject.kind === 'document')
    return splitLines(subject.files.find(file => file.path === path)?.text ?? '').map(
      (text, index) => ({ number: index + 1, text }),
    );
  const [other, start] =
    side === 'new' ? (['-', 'newStart'] as const) : (['+', 'oldStart'] as const);
  return (subject.files.find(file => file.path === path)?.hunks ?? []).flatMap(hunk => {
    const shown = hunk.lines.filter(line => !line.startsWith(other) && !line.startsWith('\\'));
    return shown.map((line, index) => ({
      number: hunk[start] + index,
      text: line.slice(1).replace(/\r$/, ''),
    }));
  });
}

/** Null when the line is not among those that are shown. */
export function cutFrame(
  lines: readonly NumberedLine[],
  { line, endLine }: Pick<Location, 'line' | 'endLine'>,
) {
  const at = lines.findIndex(({ number }) => number === line);
  if (line === null || at === -1) return null;
  const to = Math.min(Math.max(endLine ?? line, line), line + mostMeant - 1);
  const near = lines
    .slice(Math.max(0, at - around), at + mostMeant + around)
    .filter(({ number }) => number >= line - around && number <= to + around);
  return {
    first: near[0]?.number ?? line,
    lines: near.map(({ text }) => text.slice(0, longestLine)),
    from: line,
    to,
  };
}
