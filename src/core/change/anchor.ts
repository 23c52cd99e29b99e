/**
 * Resolves the place a reviewer stated against the subject itself. A model's path and line are hints: the path must be
 * one of the subject's, the quote must stand in its text. A lookup in what was read before; no file is opened here.
 */
import { impossibleLine } from '../words/stated.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { cut, findOccurrences, showEscaped, splitLines } from '../text.ts';
import type { FileStatus } from '../words/change.ts';
import type { Document, DocumentFile, Section } from '../words/document.ts';
import type { Location, StatedFinding } from '../words/finding.ts';

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
  if (resolved.file === null)
    return unanchored(cut(stated.path, 1_000), possible(stated.line), resolved.note);
  const { file, note } = resolved;
  const quote = quoteLines(stated.quote);
  const hasText = file.newText !== null || file.oldText !== null;
  const location =
    hasText && quote.length > 0 ? locateQuote(file, quote, stated) : locateLine(file, stated);
  return {
    ...location,
    note: [note, location.note].filter(part => part !== null).join(' ') || null,
  };
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
  const whole: Location = {
    path: file.path,
    line: null,
    endLine: null,
    side: onlySide,
    anchoring: 'exact',
    checked: false,
    note: null,
  };
  if (line === null) return whole;
  if (file.newText === null && file.oldText === null)
    return { ...whole, note: 'The file is no text; the place is the file as a whole.' };
  const side = line <= counts.new ? 'new' : line <= counts.old ? 'old' : null;
  if (side === null) {
    const words =
      line === impossibleLine
        ? 'The stated line cannot exist'
        : `Line ${line} is past the end of the file`;
    return {
      ...unanchored(file.path, null, `${words} (${Math.max(counts.new, counts.old)} lines).`),
      side: onlySide,
    };
  }
  return {
    ...whole,
    line,
    endLine: endLine === null ? null : Math.max(line, Math.min(endLine, counts[side])),
    side,
  };
}

/** The new side is looked at first: a line that stands on both sides is a line of the change as it is now. */
function locateQuote(file: AnchorFile, quote: readonly string[], { line }: StatedPlace): Location {
  for (const side of ['new', 'old'] as const) {
    const places = findOccurrences(linesOf(file, side), quote).map(index => index + 1);
    if (places.length > 0)
      return choosePlace({ path: file.path, side, places, length: quote.length }, line);
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
    path,
    line,
    endLine: length > 1 ? line + length - 1 : null,
    side,
    anchoring,
    checked: true,
    note,
  });
  if (stated !== null && places.includes(stated)) return at(stated, 'exact', null);
  if (only !== undefined && places.length === 1) return at(only, 'moved', shiftNote(stated, only));
  const listed = places.slice(0, 10).join(', ');
  return {
    path,
    line: null,
    endLine: null,
    side,
    anchoring: 'ambiguous',
    checked: true,
    note: `The quoted text stands at ${places.length} places: lines ${listed}${places.length > 10 ? ', …' : ''}.`,
  };
}

function shiftNote(stated: number | null, found: number): string {
  return stated === null || stated === impossibleLine
    ? `Line ${found} was found by its quote.`
    : `Line ${stated} was stated; the quote stands at line ${found}.`;
}

/** Lines of the quote without blank ones around it; empty when there is nothing to look up. */
function quoteLines(quote: string | null): readonly string[] {
  const lines = comparableLines(quote ?? '');
  const first = lines.findIndex(line => line.trim() !== '');
  return first === -1
    ? []
    : lines.slice(first, lines.findLastIndex(line => line.trim() !== '') + 1);
}

/** Splitting is remembered per file: a thousand findings may speak of one. */
const splits: Record<Side, WeakMap<AnchorFile, readonly string[]>> = {
  new: new WeakMap(),
  old: new WeakMap(),
};

function linesOf(file: AnchorFile, side: Side): readonly string[] {
  const known = splits[side].get(file);
  if (known !== undefined) return known;
  const text = side === 'new' ? file.newText : file.oldText;
  const lines = comparableLines(text ?? '');
  splits[side].set(file, lines);
  return lines;
}

/** Blanks at the end do not matter; nothing else is forgiven. */
function comparableLines(text: string): readonly string[] {
  return splitLines(text).map(line => line.trimEnd());
}

type ResolvedPath =
  | { readonly file: AnchorFile; readonly note: string | null }
  | { readonly file: null; readonly note: string };

const pathLimit = 4_096;

/** Finds the file of the subject that a stated path means. Byte-equal, or one of four known habits; never a guess. */
function resolvePath(path: string, tree: AnchorTree): ResolvedPath {
  const exact = tree.files.get(path);
  if (exact !== undefined) return { file: exact, note: null };
  const fault = faultOf(path);
  if (fault !== null) return { file: null, note: fault };
  return (
    byShownPath(path, tree) ??
    byOldPath(path, tree) ??
    byPrefix(path, tree) ??
    bySuffix(path, tree) ?? { file: null, note: missNote(path, tree) }
  );
}

/** Paths that must not be looked for, whatever the subject holds. */
function faultOf(path: string): string | null {
  if (path.length >= pathLimit) return 'The path is too long.';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'The path is an address on the network.';
  if (/^[A-Za-z]:[\\/]|^[/\\~]/.test(path)) return 'The path is absolute.';
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)|%2e|%2f|%5c/i.test(path))
    return 'The path leads out of the subject.';
  return null;
}

/** Reviewers are shown names in which hidden characters are visible, and can only name the file like that. */
function byShownPath(path: string, { files }: AnchorTree): ResolvedPath | null {
  if (!path.includes('⟦U+')) return null;
  const shown = [...files.values()].filter(
    file => showEscaped(file.path) === path || makeVisible(file.path) === path,
  );
  const [file] = shown;
  return file !== undefined && shown.length === 1
    ? { file, note: 'The path holds hidden characters.' }
    : null;
}

/** A reviewer that read the old side names the file as it was called there. */
function byOldPath(path: string, { files }: AnchorTree): ResolvedPath | null {
  const renamed = [...files.values()].filter(
    file => file.oldPath === path && file.status === 'renamed',
  );
  const [file] = renamed;
  return file !== undefined && renamed.length === 1
    ? { file, note: `${path} was renamed; this is its new path.` }
    : null;
}

/** `a/` and `b/` come from patches, `./` from shells. */
function byPrefix(path: string, tree: AnchorTree): ResolvedPath | null {
  const bare = /^(?:\.\/)+(.+)$/s.exec(path)?.[1] ?? /^[ab]\/(.+)$/s.exec(path)?.[1];
  if (bare === undefined) return null;
  const file = tree.files.get(bare);
  return file === undefined ? byOldPath(bare, tree) : { file, note: null };
}

function bySuffix(path: string, { files }: AnchorTree): ResolvedPath | null {
  const ending = `/${path.replace(/^(?:\.\/)+/, '')}`;
  const matching = [...files.values()].filter(file => file.path.endsWith(ending));
  const [file] = matching;
  return file !== undefined && matching.length === 1
    ? { file, note: `Only ${file.path} ends in the stated path.` }
    : null;
}

function missNote(path: string, { files }: AnchorTree): string {
  const paths = [...files.keys()];
  if (paths.some(known => known.normalize('NFC') === path.normalize('NFC')))
    return 'The path differs from a path of the subject in how its letters are composed.';
  if (paths.some(known => known.toLowerCase() === path.toLowerCase()))
    return 'The path differs from a path of the subject in upper and lower case.';
  return 'The path is outside the subject.';
}

// Resolves what a reviewer says about a document to a place in it: by the path it names, else by the section.

type Stated = StatedPlace & Pick<StatedFinding, 'section'>;

/**
 * Null when neither a file nor a section of the document is named. A document talks about files that are not part of it:
 * such a path is no place in the document and none that could be wrong.
 */
export function createDocumentLocator({
  folder,
  files,
}: Pick<Document, 'folder' | 'files'>): (stated: Stated) => Location | null {
  const tree: AnchorTree = {
    files: new Map(
      files.map(({ path, text }) => [
        path,
        { path, oldPath: null, status: 'added', newText: text, oldText: null },
      ]),
    ),
  };
  const sections = indexSections(files);
  return said => {
    // Inside a folder, its files are called by their names there.
    const inFolder = folder === undefined ? null : `${folder}/${said.path ?? ''}`;
    const stated =
      inFolder !== null && tree.files.has(inFolder) ? { ...said, path: inFolder } : said;
    const byPath = resolveLocation(stated, tree);
    if (byPath !== null && byPath.anchoring !== 'unanchored')
      return byPath.line === null
        ? (bySection(stated.section, sections, byPath.path) ?? byPath)
        : byPath;
    const section = bySection(stated.section, sections, null);
    if (section !== null) return section;
    // A place that lies in the document and is wrong stays visible; one elsewhere is what the document talks about.
    return byPath !== null && tree.files.has(byPath.path) ? byPath : null;
  };
}

interface Heading {
  readonly path: string;
  readonly section: Section;
}

type SectionIndex = ReadonlyMap<string, readonly Heading[]>;

function indexSections(files: readonly DocumentFile[]): SectionIndex {
  const index = new Map<string, Heading[]>();
  for (const { path, sections } of files) {
    for (const section of sections) {
      for (const key of keysOf(section.title)) {
        const list = index.get(key);
        if (list === undefined) index.set(key, [{ path, section }]);
        else list.push({ path, section });
      }
    }
  }
  return index;
}

/** The heading that a name means when it means exactly one; the name may lead through several: `3. Rules § Retry`, the last counts most. */
function bySection(
  named: string | null,
  sections: SectionIndex,
  path: string | null,
): Location | null {
  if (named === null) return null;
  const parts = named
    .slice(0, 1_000)
    .split(/\s*(?:§|›|»|→| > | \/ )\s*/)
    .filter(part => part.trim() !== '');
  for (const name of [named, ...parts.toReversed()]) {
    for (const key of keysOf(name)) {
      const found = (sections.get(key) ?? []).filter(
        heading => path === null || heading.path === path,
      );
      const [only] = found;
      if (only !== undefined && found.length === 1)
        return {
          path: only.path,
          line: only.section.line,
          endLine: null,
          side: 'new',
          anchoring: 'exact',
          checked: false,
          note: 'The line is that of the heading.',
        };
    }
  }
  return null;
}

/** The words of a title, and the same without its number: `2.1 Data flow` is also called `Data flow`. */
function keysOf(title: string): string[] {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const bare = words.slice(words.findIndex(word => !/^(?:\p{N}+|section|chapter)$/u.test(word)));
  return [...new Set([words.join(' '), bare.join(' ')])].filter(key => key !== '');
}
