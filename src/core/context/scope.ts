/** How large a change is: the tokens of its files as they stand afterwards, which of them are sensitive, and what was not counted and why. */
import type { ChangedFile } from '../change.ts';
import { renderPatch } from '../patch.ts';
import type { TokenCounter } from '../ports.ts';
import { bytesOf } from '../text.ts';
import { judgeSensitivity } from './sensitivity.ts';
import type { TriagedFile } from './triage.ts';

export interface MeasuredFile {
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
  readonly changed_lines: number;
  readonly tokens: number;
  readonly sensitive: boolean;
  /** The rule that says so; null when not sensitive. */
  readonly reason: string | null;
}

export interface Scope {
  readonly total_tokens: number;
  readonly counter: Omit<TokenCounter, 'count'>;
  readonly files: readonly MeasuredFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Every file, counted or not: whoever must read it must be asked. */
  readonly triaged: readonly TriagedFile[];
}

export interface ReadFile {
  readonly file: ChangedFile;
  /** Text of the new side; null when there is none or it cannot be read: then the patch is what is read of the file. */
  readonly text: string | null;
}

const largest = 1_000_000;
const vendored = /(?:^|\/)(?:\.git|node_modules|vendor|third_party|bower_components|\.venv)\//;

/** `further`: globs of files that the configuration calls sensitive. */
export function measureScope(read: readonly ReadFile[], counter: TokenCounter, further: readonly string[]): Scope {
  const triaged = triageFiles(read.map(({ file }) => file), further);
  const files: MeasuredFile[] = [];
  const skipped: { path: string; reason: string }[] = [];
  for (const [index, { file, text }] of read.entries()) {
    const shown = text ?? (file.hunks.length > 0 ? renderPatch(file) : '');
    const bytes = bytesOf(shown);
    const reason = whySkipped(file, bytes);
    if (reason !== null) skipped.push({ path: file.path, reason });
    else files.push({ path: file.path, bytes, lines: linesOf(shown), changed_lines: file.additions + file.deletions, tokens: counter.count(shown), ...sensitivityIn(triaged[index]) });
  }
  const { name, version, estimated } = counter;
  return { total_tokens: files.reduce((sum, { tokens }) => sum + tokens, 0), counter: { name, version, estimated }, files, skipped, triaged };
}

/** Every file with its changed lines and whether it is sensitive; `further` as for `measureScope`. */
export function triageFiles(files: readonly ChangedFile[], further: readonly string[]): TriagedFile[] {
  return files.map(file => triageFile(file, further));
}

function triageFile(file: ChangedFile, further: readonly string[]): TriagedFile {
  const changedLines = file.hunks.flatMap(({ lines }) => lines.filter(line => line.startsWith('+') || line.startsWith('-')).map(line => line.slice(1)));
  return { path: file.path, changedLines, ...judgeSensitivity({ path: file.path, changedLines }, further) };
}

function sensitivityIn(file: TriagedFile | undefined): Pick<MeasuredFile, 'sensitive' | 'reason'> {
  return { sensitive: file?.sensitive ?? false, reason: file?.reason ?? null };
}

function whySkipped({ path, content }: ChangedFile, bytes: number): string | null {
  if (content === 'binary') return 'binary or not UTF-8';
  if (content === 'submodule') return 'submodule';
  if (content === 'too-large' || bytes > largest) return 'over 1 MB';
  if (vendored.test(path)) return 'vendored folder';
  return bytes === 0 ? 'empty' : null;
}

/** An unfinished last line counts. */
function linesOf(text: string): number {
  const ends = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}
