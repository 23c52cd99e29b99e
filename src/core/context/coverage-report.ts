/** What was not read, in lines: the gaps, the commands that close them, and the name of the report. Strings as the contract has them. */
import type { MatrixRow, Reader } from './reader-coverage.ts';
import { shellQuote } from './shell-quote.ts';
import type { TriagedFile } from './triage.ts';

export interface CoverageGaps {
  /** `Gap: …` and its suggestion, a pair for each file and reviewer. */
  readonly lines: readonly string[];
  /** `UNCOVERED: <file>`: read by nobody. */
  readonly uncovered: readonly string[];
  /** Security-sensitive and not read by security: these block. */
  readonly blocking: readonly string[];
}

export function findGaps(files: readonly TriagedFile[], readers: readonly Reader[], matrix: readonly MatrixRow[]): CoverageGaps {
  const rows = new Map(matrix.map(row => [row.path, row.cells]));
  const isRead = (path: string) => rows.get(path)?.includes('Y') === true;
  const lines = files.filter(({ path }) => isRead(path)).flatMap(({ path }) => readers.filter((_, index) => rows.get(path)?.[index] === 'SKIP').flatMap(reader => gapLines(path, reader)));
  const isSecured = (path: string) => readers.some((reader, index) => reader.role === 'security' && rows.get(path)?.[index] === 'Y');
  return {
    lines,
    uncovered: files.filter(({ path }) => !isRead(path)).map(({ path }) => `UNCOVERED: ${path}`),
    blocking: files.filter(({ path, sensitive }) => sensitive && !isSecured(path)).map(({ path, reason }) => `${path} was not reviewed by security-reviewer (${reason ?? ''})`),
  };
}

function gapLines(path: string, { name }: Reader): string[] {
  return [`Gap: ${path} lacks ${displayName(name)} coverage (skipped due to budget)`, `→ Suggested: jury review ${shellQuote(path)} --agents ${shortName(name)}`];
}

/** `Code Quality` for `code-quality-reviewer`. */
export function displayName(name: string): string {
  return shortName(name).split('-').map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
}

/** `code-quality` for `code-quality-reviewer`: what `--agents` takes. */
export function shortName(name: string): string {
  return name.replace(/-reviewer$/, '');
}

/** `⚠️  Partial results: security-reviewer hit budget limit (10/12 files)`. */
export function partialLine(name: string, { reviewed, skipped }: { readonly reviewed: number; readonly skipped: number }): string {
  return `⚠️  Partial results: ${name} hit budget limit (${reviewed}/${reviewed + skipped} files)`;
}

/** The command that reviews every file somebody skipped, each once, sorted. Null when nobody skipped any. */
export function followUpLine(skipped: readonly (readonly string[])[]): string | null {
  const files = [...new Set(skipped.flat())].toSorted();
  return files.length === 0 ? null : `→ Consider: jury review ${files.map(shellQuote).join(' ')}`;
}

/** `Coverage: 10/12 files fully covered`: read by everybody who has the file in the domain. */
export function fullyCoveredLine(matrix: readonly MatrixRow[]): string {
  const full = matrix.filter(({ cells }) => cells.includes('Y') && !cells.includes('SKIP')).length;
  return `Coverage: ${full}/${matrix.length} files fully covered`;
}

export type ReportScope =
  | { readonly kind: 'pull-request'; readonly number: number }
  /** Full or short id. */
  | { readonly kind: 'commit'; readonly id: string }
  | { readonly kind: 'branch'; readonly name: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'other' };

/** `review-src-auth.md`; a name in `taken` gets `-2`, `-3`. `now` in UTC, for scopes without a name. */
export function reportFileName(scope: ReportScope, taken: ReadonlySet<string>, now: Date): string {
  const stem = stemOf(scope, now);
  if (!taken.has(`${stem}.md`)) return `${stem}.md`;
  let number = 2;
  while (taken.has(`${stem}-${number}.md`)) number++;
  return `${stem}-${number}.md`;
}

function stemOf(scope: ReportScope, now: Date): string {
  const dated = `review-${now.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`;
  if (scope.kind === 'pull-request') return `pr-${scope.number}`;
  if (scope.kind === 'commit') return `commit-${scope.id.slice(0, 7)}`;
  if (scope.kind === 'other') return dated;
  const name = dashed(scope.kind === 'branch' ? scope.name : scope.path);
  // `/` and `.` leave nothing over.
  return name === '' ? dated : `${scope.kind === 'branch' ? 'branch' : 'review'}-${name}`;
}

/** Slashes become dashes, and so does whatever a file system may refuse; file systems cut at 255 bytes. */
function dashed(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]/gu, '-').slice(0, 60).replace(/^[-.]+/, '').replace(/-+$/, '');
}
