/**
 * Resolves the place a reviewer stated against the subject itself. A model's path and line are hints: the path must be
 * one of the subject's, the quote must stand in its text. A lookup in what was read before; no file is opened here.
 */
import { impossibleLine } from '../words/stated.ts';
import { makeVisible, visibleName } from '../safety/visible-text.ts';
import { remember } from '../groups.ts';
import { cut, findOccurrences, splitLines } from '../text.ts';
import type { Document, DocumentFile, FileStatus } from '../words/change.ts';
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

interface AnchorTree {
  /** By path: the only paths that exist. */
  readonly files: ReadonlyMap<string, AnchorFile>;
}

type StatedPlace = Pick<StatedFinding, 'path' | 'line' | 'endLine' | 'quote'>;

/** Null when the finding names no path. */
export function resolveLocation(stated: StatedPlace, tree: AnchorTree): Location | null {
  if (stated.path === null || stated.path === '') return null;
  const { file, note } = resolvePath(stated.path, tree);
  // The parser's mark for a line that cannot exist is no line to show.
  const line = stated.line === impossibleLine ? null : stated.line;
  if (file === null)
    return { ...nowhere, path: cut(stated.path, 1_000), line, anchoring: 'unanchored', note };
  const quote = quoteLines(stated.quote);
  const hasText = file.newText !== null || file.oldText !== null;
  const location =
    hasText && quote.length > 0 ? locateQuote(file, quote, stated) : locateLine(file, stated);
  const notes = [note, location.note].filter(part => part !== null);
  return { ...nowhere, path: file.path, ...location, note: notes.join(' ') || null };
}

type Found = Partial<Location> & Pick<Location, 'note'>;

const nowhere = {
  line: null,
  endLine: null,
  side: 'new',
  anchoring: 'exact',
  checked: false,
  note: null,
} as const;

function locateLine(file: AnchorFile, { line, endLine }: StatedPlace): Found {
  const counts = { new: splits.new(file).length, old: splits.old(file).length };
  const only = file.newText === null && file.oldText !== null ? 'old' : 'new';
  if (line === null) return { side: only, note: null };
  if (file.newText === null && file.oldText === null)
    return { note: 'The file is no text; the place is the file as a whole.' };
  const side = (['new', 'old'] as const).find(each => line <= counts[each]);
  if (side !== undefined) {
    const end = endLine === null ? null : Math.max(line, Math.min(endLine, counts[side]));
    return { line, endLine: end, side, note: null };
  }
  const words =
    line === impossibleLine
      ? 'The stated line cannot exist'
      : `Line ${line} is past the end of the file`;
  const note = `${words} (${Math.max(counts.new, counts.old)} lines).`;
  return { side: only, anchoring: 'unanchored', note };
}

/**
 * The new side is looked at first: a line that stands on both sides is a line of the change as it is now. Of several places the stated
 * one; none where none is.
 */
function locateQuote(file: AnchorFile, quote: readonly string[], stated: StatedPlace): Found {
  const found = (['new', 'old'] as const)
    .map(side => ({ side, places: findOccurrences(splits[side](file), quote) }))
    .find(({ places }) => places.length > 0);
  if (found === undefined)
    return { anchoring: 'unanchored', note: 'The quoted text does not stand in the file.' };
  const places = found.places.map(index => index + 1);
  const { side } = found;
  const isStated = stated.line !== null && places.includes(stated.line);
  const line = isStated ? stated.line : places.length === 1 ? (places[0] ?? null) : null;
  const more = places.length > 10 ? ', …' : '';
  if (line === null)
    return {
      side,
      anchoring: 'ambiguous',
      checked: true,
      note: `The quoted text stands at ${places.length} places: lines ${places.slice(0, 10).join(', ')}${more}.`,
    };
  return {
    line,
    endLine: quote.length > 1 ? line + quote.length - 1 : null,
    side,
    anchoring: isStated ? 'exact' : 'moved',
    checked: true,
    note: isStated ? null : shiftNote(stated.line, line),
  };
}

function shiftNote(stated: number | null, found: number) {
  return stated === null || stated === impossibleLine
    ? `Line ${found} was found by its quote.`
    : `Line ${stated} was stated; the quote stands at line ${found}.`;
}

/** Lines of the quote without blank ones around it; empty when there is nothing to look up. */
function quoteLines(quote: string | null) {
  const lines = comparableLines(quote ?? '');
  const first = lines.findIndex(line => line.trim() !== '');
  return first === -1
    ? []
    : lines.slice(first, lines.findLastIndex(line => line.trim() !== '') + 1);
}

/** A thousand findings may speak of one file. */
const splits = {
  new: remember(({ newText }: AnchorFile) => comparableLines(newText ?? ''), new WeakMap()),
  old: remember(({ oldText }: AnchorFile) => comparableLines(oldText ?? ''), new WeakMap()),
};

/** Blanks at the end do not matter; nothing else is forgiven. */
function comparableLines(text: string) {
  return splitLines(text).map(line => line.trimEnd());
}

const pathLimit = 4_096;

/** Finds the file of the subject that a stated path means. Byte-equal, or one of four known habits; never a guess. */
function resolvePath(path: string, { files }: AnchorTree) {
  const exact = files.get(path);
  if (exact !== undefined) return { file: exact, note: null };
  const fault = faultOf(path);
  if (fault !== null) return { file: null, note: fault };
  const all = [...files.values()];
  /** Null unless it means exactly one. */
  const only = (isMeant: (file: AnchorFile) => boolean) => {
    const meant = all.filter(isMeant);
    return meant.length === 1 ? (meant[0] ?? null) : null;
  };
  // `a/` and `b/` come from patches, `./` from shells.
  const bare = path.replace(/^(?:(?:\.\/)+|[ab]\/)(?=.)/s, '');
  const ending = `/${path.replace(/^(?:\.\/)+/, '')}`;
  // Reviewers are shown names in which hidden characters are visible, and can only name the file like that.
  const shown = path.includes('⟦U+')
    ? only(file => [visibleName(file.path), makeVisible(file.path)].includes(path))
    : null;
  if (shown !== null) return { file: shown, note: 'The path holds hidden characters.' };
  // A reviewer that read the old side names the file as it was called there.
  for (const stated of new Set([path, bare])) {
    const file = stated === path ? undefined : files.get(stated);
    if (file !== undefined) return { file, note: null };
    const renamed = only(({ oldPath, status }) => oldPath === stated && status === 'renamed');
    if (renamed !== null)
      return { file: renamed, note: `${stated} was renamed; this is its new path.` };
  }
  const last = only(file => file.path.endsWith(ending));
  return last === null
    ? { file: null, note: missNote(path, [...files.keys()]) }
    : { file: last, note: `Only ${last.path} ends in the stated path.` };
}

/** Paths that must not be looked for, whatever the subject holds. */
function faultOf(path: string) {
  if (path.length >= pathLimit) return 'The path is too long.';
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'The path is an address on the network.';
  if (/^[A-Za-z]:[\\/]|^[/\\~]/.test(path)) return 'The path is absolute.';
  return /(?:^|[/\\])\.\.(?:[/\\]|$)|%2e|%2f|%5c/i.test(path)
    ? 'The path leads out of the subject.'
    : null;
}

function missNote(path: string, paths: readonly string[]) {
  if (paths.some(known => known.normalize('NFC') === path.normalize('NFC')))
    return 'The path differs from a path of the subject in how its letters are composed.';
  return paths.some(known => known.toLowerCase() === path.toLowerCase())
    ? 'The path differs from a path of the subject in upper and lower case.'
    : 'The path is outside the subject.';
}

// Resolves what a reviewer says about a document to a place in it: by the path it names, else by the section.

/**
 * Null when neither a file nor a section of the document is named. A document talks about files that are not part of it:
 * such a path is no place in the document and none that could be wrong.
 */
export function createDocumentLocator({
  folder,
  files,
}: Pick<Document, 'folder' | 'files'>): (
  stated: StatedPlace & Pick<StatedFinding, 'section'>,
) => Location | null {
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
  readonly section: DocumentFile['sections'][number];
}

type SectionIndex = ReadonlyMap<string, readonly Heading[]>;

function indexSections(files: readonly DocumentFile[]): SectionIndex {
  const index = new Map<string, Heading[]>();
  for (const { path, sections } of files)
    for (const section of sections)
      for (const key of keysOf(section.title)) {
        const known = index.get(key) ?? [];
        index.set(key, known);
        known.push({ path, section });
      }
  return index;
}

/**
 * The heading that a name means when it means exactly one; the name may lead through several: `3. Rules § Retry`, the last counts
 * most.
 */
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
          ...nowhere,
          path: only.path,
          line: only.section.line,
          note: 'The line is that of the heading.',
        };
    }
  }
  return null;
}

/** The words of a title, and the same without its number: `2.1 Data flow` is also called `Data flow`. */
function keysOf(title: string) {
  const words =
    title
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const bare = words.slice(words.findIndex(word => !/^(?:\p{N}+|section|chapter)$/u.test(word)));
  return [...new Set([words.join(' '), bare.join(' ')])].filter(key => key !== '');
}
