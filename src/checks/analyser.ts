/** What every built-in analyser is made of: a task in, remarks and a truthful account of what was read out. */
import { numberedLines, textsOf, addedLinesOf } from '../core/change/patch.ts';
import { remember } from '../core/groups.ts';
import type { SecretScanner } from '../core/ports/repository.ts';
import type { Answered, Turn } from '../core/ports/runner.ts';
import { splitLines } from '../core/text.ts';

import type { Change, ChangedFile, Hunk } from '../core/words/change.ts';
import type { Severity } from '../core/words/finding.ts';
import type { Cause } from '../core/words/review.ts';

export interface Task {
  readonly change: Change;
  readonly read: Turn['read'];
  readonly scanner: SecretScanner;
  /** Aborts on interruption and on the deadline. An analyser throws its reason soon after. */
  readonly signal: AbortSignal;
}

/** A finding before it has a number. */
export interface Remark {
  /** `<analyser>/<rule>`: where the finding comes from. */
  readonly rule: string;
  readonly severity: Severity;
  readonly category: string;
  /** By its number in the Common Weakness Enumeration; absent where none fits. */
  readonly weakness?: string;
  readonly path: string;
  /** 1-based, on the new side; null when the file as a whole is meant. */
  readonly line: number | null;
  /** Exact text of the line; null when it must not or cannot be shown. */
  readonly quote: string | null;
  readonly issue: string;
  readonly recommendation: string;
  /** Absent: that the rule is a built-in one. */
  readonly evidence?: string;
}

type Reading = NonNullable<Answered['coverage']>[number];

export interface Analysis {
  readonly remarks: readonly Remark[];
  /** One for each file of the change. */
  readonly coverage: readonly Reading[];
}

export type Analyser = (task: Task) => Promise<Analysis>;

/** Why a file has no text to read; null when it has. */
function withoutText(file: ChangedFile): Reading | null {
  const { path } = file;
  const why = { binary: 'binary file', submodule: 'submodule', symlink: 'symbolic link' };
  if (file.content === 'text') return null;
  if (file.status === 'deleted') return { path, extent: 'full', why: null };
  return file.content === 'too-large'
    ? { path, extent: 'skipped', why: 'too large to read' }
    : { path, extent: 'outside', why: why[file.content] };
}

interface FileAnalyser {
  /** Why a file is none of its business; null when it is. */
  outside: (file: ChangedFile) => string | null;
  /** The changed lines alone are all it wants to see. */
  isContentWithHunks?: true;
  /** It also looks at files that programs wrote. */
  readsAll?: true;
  examine: (source: Source, task: Task) => Promise<Examined> | Examined;
}

/** What was found, or why the file was not read after all. */
type Examined = readonly Remark[] | { skipped: string };

/** An analyser that looks at one file after the other and holds one text at a time. */
export function perFile(analyser: FileAnalyser): Analyser {
  return async task => {
    const remarks: Remark[] = [];
    const coverage: Reading[] = [];
    for (const file of task.change.files) {
      task.signal.throwIfAborted();
      const opened = await openFile(analyser, file, task);
      const examined = 'extent' in opened ? [] : await analyser.examine(opened, task);
      if ('extent' in opened) coverage.push(opened);
      else if ('skipped' in examined)
        coverage.push({ path: file.path, extent: 'skipped', why: examined.skipped });
      else {
        coverage.push(readingOf(opened, analyser));
        remarks.push(...examined.filter(remark => !isOldNews(remark, opened, task.change)));
      }
      await new Promise(resolve => setImmediate(resolve));
    }
    task.signal.throwIfAborted();
    return { remarks, coverage };
  };
}

/** The text of a file, or why it is not read. */
async function openFile(
  { outside, isContentWithHunks, readsAll }: FileAnalyser,
  file: ChangedFile,
  { change, read }: Task,
): Promise<Source | Reading> {
  const { path } = file;
  // A link has one line, its target: whoever judges lines has seen all of it.
  const textless =
    file.content === 'symlink' && isContentWithHunks
      ? { path, extent: 'full' as const, why: null }
      : withoutText(file);
  if (textless) return textless;
  const other = outside(file);
  if (other !== null) return { path, extent: 'outside', why: other };
  const source = await openSource(change, file, read, isContentWithHunks ? longestLine : Infinity);
  if (!source) return { path, extent: 'skipped', why: 'its text could not be read' };
  const why = readsAll ? null : await whyLeftOut(file, read);
  return why === null ? source : { path, extent: 'skipped', why };
}

/** Rules about lines are quick on no longer ones; a tree is walked whatever the length of its lines. */
const longestLine = 2_000;

/** How far a text was read that could be read. */
function readingOf(
  { path, isWhole, hasLongLines }: Source,
  { isContentWithHunks }: FileAnalyser,
): Reading {
  if (hasLongLines)
    return { path, extent: 'skipped', why: `lines of more than ${longestLine} characters` };
  return isWhole || isContentWithHunks
    ? { path, extent: 'full', why: null }
    : { path, extent: 'partial', why: onlyHunks };
}

export const onlyHunks = 'only the lines of the patch were at hand';

/** A weakness is told wherever it comes to lie; all else that is only moved says nothing about the change. */
function isOldNews({ category, line }: Remark, { lines }: Source, change: Change) {
  const isTold = category === 'security' || category === 'secrets';
  return !isTold && line !== null && isMoved(change, lines, line - 1);
}

const longestQuote = 1_000;

/** The line as evidence. Lines too long to show (minified code) are named by number alone. */
export function quoteOf(source: Source, line: number) {
  const text = source.lines[line - 1];
  return text === undefined || text.length > longestQuote || text.trim() === '' ? null : text;
}

/** Ends an analysis for a reason outside Jury, such as a program that cannot be started. The runner turns it into data. */
export class AnalyserFailure extends Error {
  override readonly name = 'AnalyserFailure';
  readonly failureCause: Cause;

  constructor(failureCause: Cause, message: string) {
    super(message);
    this.failureCause = failureCause;
  }
}

// The new side of one changed file, and which of its lines the change touches, or only moves.

export interface Source {
  readonly file: ChangedFile;
  readonly path: string;
  /** Empty for a deleted file. Between the hunks of a bare patch the lines are blank. */
  readonly text: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
  readonly isWhole: boolean;
  readonly hasLongLines: boolean;
  /**
   * Lines of the new side that the change added, in order; all of them when files are reviewed as they are. Longer ones than asked for are
   * left out.
   */
  readonly added: readonly number[];
  /** First touched line of the range, both ends included; null when the change leaves it alone. */
  touched(start: number, end: number): number | null;
}

/**
 * Why a check leaves a file to whoever made it; null where it does not. The base says so: what a change says of itself are the words
 * of its author, and a name says nothing.
 */
async function whyLeftOut(file: ChangedFile, read: Turn['read']): Promise<string | null> {
  const before = file.status === 'added' ? null : await read(file, 'old');
  if (before === null) return null;
  const lines = splitLines(before);
  const head = lines.slice(0, longestHead).map(line => line.slice(0, 300));
  if (head.some(line => byProgram.test(line) || byBundler.test(line)))
    return 'generated at the base';
  return before.length > 20_000 && before.length / lines.length > 300
    ? 'minified at the base'
    : null;
}

const longestHead = 12;
const byProgram = new RegExp(
  '^\\W{0,20}(?:@generated\\b|<auto-?generated\\b|(?:(?:this|code) (?:file )?(?:is' +
    '|was) )?(?:auto(?:matically)?[- ]?)?generated\\b.{0,120}\\bdo not (?:edit|modify)\\b)',
  'i',
);

/** The wrapper that a bundler puts around a library, as one expression. */
const byBundler =
  /^\s*typeof (?:exports|define) === ["'](?:object|function)["'] && .{1,80}\? (?:module\.exports|define)\b/;

/** Lines a hunk may claim to start at, so that a forged header cannot ask for a billion blank lines. */
const lastLine = 1_000_000;

/** Null when nothing of the new side can be had. */
async function openSource(
  change: Change,
  file: ChangedFile,
  read: Turn['read'],
  longestLine: number,
): Promise<Source | null> {
  if (file.status === 'deleted') return describe(file, '', true, [], longestLine);
  const whole = await read(file, 'new');
  const text = whole ?? rebuild(file.hunks);
  if (text === null) return null;
  const isWhole = whole !== null || file.status === 'added';
  const added = change.source === 'files' ? null : addedLinesOf(file).map(({ line }) => line);
  return describe(file, text, isWhole, added, longestLine);
}

/** `added` null means every line. */
function describe(
  file: ChangedFile,
  text: string,
  isWhole: boolean,
  added: readonly number[] | null,
  longestLine: number,
): Source {
  const lines = splitLines(text);
  const all = added ?? lines.map((_, index) => index + 1);
  const numbers = all.filter(line => (lines[line - 1]?.length ?? 0) <= longestLine);
  return {
    file,
    path: file.path,
    text,
    lines,
    isWhole,
    hasLongLines: numbers.length < all.length,
    added: numbers,
    touched(start, end) {
      const found = numbers[countBelow(numbers, start)];
      return found !== undefined && found <= end ? found : null;
    },
  };
}

/** The new side as far as the hunks show it, every line at its number. Null when they show nothing or lie about it. */
function rebuild(hunks: readonly Hunk[]) {
  const lines: string[] = [];
  for (const { mark, text, new: line } of hunks.flatMap(numberedLines)) {
    if (line > lastLine) return null;
    lines.length = Math.max(lines.length, line - 1);
    if (mark !== '-') lines[line - 1] = text;
  }
  return lines.length === 0 ? null : `${lines.join('\n')}\n`;
}

/** How many of the ascending numbers are less. */
function countBelow(numbers: readonly number[], bound: number) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Beyond this many removed lines all lines count as new. */
const mostLines = 300_000;
/** Two short lines say nothing about where they come from: braces, and bare marks. */
const telling = 16;
const longest = 400;

const removedIn = remember(
  (change: Change) => new Set(removedPairs(change)),
  new WeakMap<Change, Set<string>>(),
);

/** True where the line and a neighbour of it went away somewhere in the change, one after the other. */
function isMoved(change: Change, lines: readonly string[], index: number) {
  const removed = removedIn(change);
  if (removed.size === 0) return false;
  const line = lines[index] ?? '';
  const above = neighbour(lines, index, -1);
  const below = neighbour(lines, index, 1);
  return (
    (above.length >= telling && removed.has(pair(above, line))) ||
    (below.length >= telling && removed.has(pair(line, below)))
  );
}

function removedPairs({ files }: Change) {
  const all = files.flatMap(({ hunks }) => hunks);
  const removed = all.map(hunk => textsOf([hunk], '-').filter(isWritten));
  if (removed.flat().length > mostLines) return [];
  return removed.flatMap(old => old.slice(1).map((line, index) => pair(old[index] ?? '', line)));
}

function neighbour(lines: readonly string[], index: number, step: 1 | -1) {
  let at = index + step;
  while (at in lines && !isWritten(lines[at] ?? '')) at += step;
  return lines[at]?.trim() ?? '';
}

function isWritten(line: string) {
  return line.trim() !== '';
}

function pair(first: string, second: string) {
  return `${first.trim().slice(0, longest)}\n${second.trim().slice(0, longest)}`;
}
