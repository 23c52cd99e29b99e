/**
 * Resolves the place a reviewer stated against the subject itself. A model's path and line are hints: the path must be
 * one of the subject's, the quote must stand in its text. A lookup in what was read before; no file is opened here.
 */
import type { FileStatus } from './change.ts';
import type { Location, StatedFinding } from './finding.ts';
import { findOccurrences } from './text.ts';
import { impossibleLine } from './parse/stated.ts';
import { cut } from './text.ts';
import { resolvePath } from './anchor-path.ts';

export interface AnchorFile {
  readonly path: string;
  /** Set for renames and copies only. */
  readonly oldPath: string | null;
  readonly status: FileStatus;
  /** Null when that side does not exist or is not text. */
  readonly newText: string | null;
  readonly oldText: string | null;
}

export interface AnchorTree {
  /** By path: the only paths that exist. */
  readonly files: ReadonlyMap<string, AnchorFile>;
}

export type StatedPlace = Pick<StatedFinding, 'path' | 'line' | 'endLine' | 'quote'>;

type Side = Location['side'];

/** Null when the finding names no path. */
export function resolveLocation(stated: StatedPlace, tree: AnchorTree): Location | null {
  if (stated.path === null || stated.path === '') return null;
  const resolved = resolvePath(stated.path, tree);
  if (resolved.file === null) return unanchored(cut(stated.path, 1_000), possible(stated.line), resolved.note);
  const { file, note } = resolved;
  const quote = quoteLines(stated.quote);
  const hasText = file.newText !== null || file.oldText !== null;
  const location = hasText && quote.length > 0 ? locateQuote(file, quote, stated) : locateLine(file, stated);
  return { ...location, note: [note, location.note].filter(part => part !== null).join(' ') || null };
}

function unanchored(path: string, line: number | null, note: string): Location {
  return { path, line, endLine: null, side: 'new', anchoring: 'unanchored', checked: false, note };
}

/** The parser's mark for a line that cannot exist is no line to show. */
function possible(line: number | null): number | null {
  return line === impossibleLine ? null : line;
}

function locateLine(file: AnchorFile, { line, endLine }: StatedPlace): Location {
  const counts = { new: linesOf(file, 'new').length, old: linesOf(file, 'old').length };
  const onlySide: Side = file.newText === null && file.oldText !== null ? 'old' : 'new';
  const whole: Location = { path: file.path, line: null, endLine: null, side: onlySide, anchoring: 'exact', checked: false, note: null };
  if (line === null) return whole;
  if (file.newText === null && file.oldText === null) return { ...whole, note: 'The file is no text; the place is the file as a whole.' };
  const side = line <= counts.new ? 'new' : line <= counts.old ? 'old' : null;
  if (side === null) {
    const words = line === impossibleLine ? 'The stated line cannot exist' : `Line ${line} is past the end of the file`;
    return { ...unanchored(file.path, null, `${words} (${Math.max(counts.new, counts.old)} lines).`), side: onlySide };
  }
  return { ...whole, line, endLine: endLine === null ? null : Math.max(line, Math.min(endLine, counts[side])), side };
}

/** The new side is looked at first: a line that stands on both sides is a line of the change as it is now. */
function locateQuote(file: AnchorFile, quote: readonly string[], { line }: StatedPlace): Location {
  for (const side of ['new', 'old'] as const) {
    const places = findOccurrences(linesOf(file, side), quote).map(index => index + 1);
    if (places.length > 0) return choosePlace({ path: file.path, side, places, length: quote.length }, line);
  }
  return unanchored(file.path, null, 'The quoted text does not stand in the file.');
}

interface Found {
  readonly path: string;
  readonly side: Side;
  /** 1-based; never empty. */
  readonly places: readonly number[];
  readonly length: number;
}

function choosePlace({ path, side, places, length }: Found, stated: number | null): Location {
  const [only] = places;
  const at = (line: number, anchoring: 'exact' | 'moved', note: string | null): Location => ({
    path, line, endLine: length > 1 ? line + length - 1 : null, side, anchoring, checked: true, note,
  });
  if (stated !== null && places.includes(stated)) return at(stated, 'exact', null);
  if (only !== undefined && places.length === 1) return at(only, 'moved', shiftNote(stated, only));
  const listed = places.slice(0, 10).join(', ');
  return { path, line: null, endLine: null, side, anchoring: 'ambiguous', checked: true, note: `The quoted text stands at ${places.length} places: lines ${listed}${places.length > 10 ? ', …' : ''}.` };
}

function shiftNote(stated: number | null, found: number): string {
  return stated === null || stated === impossibleLine ? `Line ${found} was found by its quote.` : `Line ${stated} was stated; the quote stands at line ${found}.`;
}

/** Lines of the quote without blank ones around it; empty when there is nothing to look up. */
function quoteLines(quote: string | null): readonly string[] {
  const lines = splitLines(quote ?? '');
  const first = lines.findIndex(line => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line.trim() !== '') + 1);
}

/** Splitting is remembered per file: a thousand findings may speak of one. */
const splits: Record<Side, WeakMap<AnchorFile, readonly string[]>> = { new: new WeakMap(), old: new WeakMap() };

function linesOf(file: AnchorFile, side: Side): readonly string[] {
  const known = splits[side].get(file);
  if (known !== undefined) return known;
  const text = side === 'new' ? file.newText : file.oldText;
  const lines = text === null || text === '' ? [] : splitLines(text.endsWith('\n') ? text.slice(0, -1) : text);
  splits[side].set(file, lines);
  return lines;
}

/** Trailing blanks and carriage returns do not matter; nothing else is forgiven. */
function splitLines(text: string): readonly string[] {
  return text.split('\n').map(line => line.trimEnd());
}
