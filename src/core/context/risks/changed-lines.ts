/** The lines that a file loses and gains, with what of them is code, and which of them only moved. */
import { maskText } from '../../languages/mask-text.ts';
import type { Family } from '../../languages/languages.ts';
import { familyOf, type FileKind, kindsOf } from '../../languages/path-kinds.ts';
import type { ChangedFile, Hunk } from '../../words/change.ts';

export interface SideLine {
  /** 1-based, on its own side. */
  readonly number: number;
  /** On the new side, at least 1: for a removed line the one that now stands in its place. */
  readonly newLine: number;
  readonly isChanged: boolean;
  readonly text: string;
  /** Without comments, and with strings left empty. */
  readonly code: string;
}

export interface ChangedText extends ChangedFile {
  readonly family: Family | null;
  readonly kinds: ReadonlySet<FileKind>;
  /** Each hunk as it was: removed lines and those around them. */
  readonly before: readonly (readonly SideLine[])[];
  /** Each hunk as it is. */
  readonly after: readonly (readonly SideLine[])[];
  readonly removed: readonly SideLine[];
  readonly added: readonly SideLine[];
}

/** `whole`: the lines of the file on either side; empty where they are not known, then a hunk is read by itself. */
export function changedTextOf(
  file: ChangedFile,
  whole: { readonly before: readonly string[]; readonly after: readonly string[] },
): ChangedText {
  const family = familyOf(file.path);
  const [old, now] = [codeOf(whole.before, family), codeOf(whole.after, family)];
  const before = file.hunks.map(hunk => sideOf(hunk, '-', { family, code: old }));
  const after = file.hunks.map(hunk => sideOf(hunk, '+', { family, code: now }));
  const [removed, added] = [before, after].map(side =>
    side.flat().filter(({ isChanged }) => isChanged),
  );
  return {
    ...file,
    family,
    kinds: kindsOf({ path: file.path }),
    before,
    after,
    removed: removed ?? [],
    added: added ?? [],
  };
}

/** A program, and not one that tests another. */
export function isProgram({ kinds }: ChangedText): boolean {
  return kinds.has('code') && !kinds.has('test') && !kinds.has('documentation');
}

export function hasCode({ code }: SideLine): boolean {
  return /\w/.test(code);
}

function codeOf(lines: readonly string[], family: Family | null): readonly string[] {
  return lines.length === 0 ? [] : maskText(lines.join('\n'), family).code.split('\n');
}

interface Reading {
  readonly family: Family | null;
  /** Of the whole file; empty when it is not known. */
  readonly code: readonly string[];
}

function sideOf(hunk: Hunk, own: '+' | '-', { family, code }: Reading): SideLine[] {
  // Git counts the line before a gap that leaves nothing behind.
  let newLine = Math.max(1, hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart);
  let number = own === '+' ? newLine : hunk.oldStart;
  const lines: Omit<SideLine, 'code'>[] = [];
  for (const line of hunk.lines) {
    const [mark, text] = [line[0], line.slice(1).replace(/\r$/, '')];
    if (mark === own || mark === ' ')
      lines.push({ number: number++, newLine, isChanged: mark === own, text });
    if (mark === '+' || mark === ' ') newLine += 1;
  }
  const alone =
    code.length > 0
      ? []
      : codeOf(
          lines.map(({ text }) => text),
          family,
        );
  return lines.map((line, index) => ({
    ...line,
    code: isInsideComment(line.text, family)
      ? ''
      : ((code.length > 0 ? code[line.number - 1] : alone[index]) ?? '').trimEnd(),
  }));
}

/** A hunk may begin within a comment: its further lines begin with a star. Settings have comments too, of which no table tells. */
function isInsideComment(text: string, family: Family | null): boolean {
  return family === null
    ? /^\s*(?:#|\/\/|<!--)/.test(text)
    : family !== 'python' && /^\s*\*(?:\s|\/|$)/.test(text);
}

/** Without what another form of the same would have otherwise. */
export function bare(text: string): string {
  return text.replace(/[\s"'`,;]/g, '');
}

/** The same line with other white space is the same line. */
export function keyOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Takes lines off a stock: what was added as often as it was removed has only moved. */
export interface Stock {
  take(line: SideLine): boolean;
}

/** `of`: what makes two lines the same. */
export function stockOf(
  lines: readonly SideLine[],
  of = ({ text }: SideLine): string => keyOf(text),
): Stock {
  const left = new Map<string, number>();
  for (const key of lines.map(of)) left.set(key, (left.get(key) ?? 0) + 1);
  return {
    take(line) {
      const key = of(line);
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      return count > 0;
    },
  };
}
