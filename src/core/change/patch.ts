/** Prints a changed file as a unified diff, with the header lines git prints. */
import { present } from '../groups.ts';
import type { ChangedFile, Hunk } from '../words/change.ts';

/**
 * Ends with a line feed. What has no text is said in one line. Similarity of renames is not known and not printed;
 * names are quoted as git does with `core.quotePath` off, so that no name can look like a header.
 */
export function renderPatch(file: ChangedFile) {
  const [oldName, newName] = [quote(`a/${file.oldPath ?? file.path}`), quote(`b/${file.path}`)];
  const lines = [
    `diff --git ${oldName} ${newName}`,
    ...modeLines(file),
    ...moveLines(file),
    ...indexLine(file),
    ...bodyLines(
      file,
      isAdded(file) ? '/dev/null' : oldName,
      isDeleted(file) ? '/dev/null' : newName,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same change without the lines around it. Null when there are none to leave out. */
export function withoutContext(file: ChangedFile): ChangedFile | null {
  const hasContext = file.hunks.some(({ lines }) => lines.some(line => line.startsWith(' ')));
  return hasContext ? withLines(file, ({ mark }) => mark !== ' ') : null;
}

const hunkHead = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@(?: (.*))?$/s;

/**
 * Reads as many hunks as stand at `start`. `next`: index of the first line that belongs to no hunk. `isWhole` is false when the text
 * ends, or another kind of line stands, before a hunk has all its lines.
 */
export function readHunks(lines: readonly string[], start: number) {
  const hunks: Hunk[] = [];
  const signs = { '+': 0, '-': 0, ' ': 0, '\\': 0 };
  let next = start;
  for (let head; (head = hunkHead.exec(lines[next] ?? '')) !== null;) {
    const [, oldStart, oldLines = '1', newStart, newLines = '1', heading = ''] = head;
    const body: string[] = [];
    const left = { old: Number(oldLines), new: Number(newLines) };
    hunks.push({
      oldStart: Number(oldStart),
      oldLines: left.old,
      newStart: Number(newStart),
      newLines: left.new,
      heading,
      lines: body,
    });
    for (next++; left.old > 0 || left.new > 0 || lines[next]?.startsWith('\\ ') === true; next++) {
      // Mail programs strip the blank from an empty context line.
      const line = lines[next] === '' ? ' ' : (lines[next] ?? '?');
      const sign = line.charAt(0);
      if (sign === ' ' || sign === '-') left.old--;
      if (sign === ' ' || sign === '+') left.new--;
      if (!(sign in signs) || left.old < 0 || left.new < 0)
        return { hunks, next, additions: signs['+'], deletions: signs['-'], isWhole: false };
      signs[sign as keyof typeof signs]++;
      body.push(line);
    }
  }
  return { hunks, next, additions: signs['+'], deletions: signs['-'], isWhole: true };
}

/** A line of a patch, with its numbers on both sides; on the side that has it not, that of the next one there. */
interface PatchLine {
  readonly mark: '+' | '-' | ' ';
  /** Without its mark. */
  readonly text: string;
  readonly old: number;
  readonly new: number;
  /** The mark of a last line that no line feed ends. */
  ending: readonly string[];
}

/** One for all: a large change has hundreds of thousands of lines. */
const noEnding: PatchLine['ending'] = [];

export function numberedLines({ oldStart, oldLines, newStart, newLines, lines }: Hunk) {
  const numbered: PatchLine[] = [];
  // A side without lines is named by the line before it.
  const at = { old: oldStart + Number(oldLines === 0), new: newStart + Number(newLines === 0) };
  for (const line of lines) {
    const mark = line.charAt(0);
    if (mark === '\\') {
      const last = numbered.at(-1);
      if (last) last.ending = [line];
    }
    if (mark !== '+' && mark !== '-' && mark !== ' ') continue;
    numbered.push({ mark, text: line.slice(1), ...at, ending: noEnding });
    at.old += Number(mark !== '+');
    at.new += Number(mark !== '-');
  }
  return numbered;
}

/** What some hunks add (`+`) or take away (`-`), without the signs. */
export function textsOf(hunks: readonly Hunk[], sign: '+' | '-') {
  return hunks.flatMap(({ lines }) =>
    lines.filter(line => line.startsWith(sign)).map(line => line.slice(1)),
  );
}

/** What takes back the changes of some hunks. */
export function reverseHunks(hunks: readonly Hunk[]) {
  return hunks.map(({ oldStart, oldLines, newStart, newLines, heading, lines }) => ({
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    heading,
    lines: lines.map(line => line.replace(/^[+-]/, mark => (mark === '+' ? '-' : '+'))),
  }));
}

/** The file with those of its lines alone that are wanted: each run of them is a hunk of its own. */
export function withLines(file: ChangedFile, isWanted: (line: PatchLine) => boolean): ChangedFile {
  const hunks = file.hunks.flatMap(hunk => runsOf(hunk, isWanted));
  const [additions, deletions] = (['+', '-'] as const).map(mark => textsOf(hunks, mark).length);
  return { ...file, hunks, additions: additions ?? 0, deletions: deletions ?? 0 };
}

function runsOf(hunk: Hunk, isWanted: (line: PatchLine) => boolean) {
  const runs: PatchLine[][] = [];
  let open: PatchLine[] | null = null;
  for (const line of numberedLines(hunk)) {
    if (!isWanted(line)) open = null;
    else if (open === null) runs.push((open = [line]));
    else open.push(line);
  }
  return runs.map(run => {
    const oldLines = run.filter(({ mark }) => mark !== '+').length;
    const newLines = run.filter(({ mark }) => mark !== '-').length;
    return {
      oldStart: (run[0]?.old ?? 0) - Number(oldLines === 0),
      oldLines,
      newStart: (run[0]?.new ?? 0) - Number(newLines === 0),
      newLines,
      heading: hunk.heading,
      lines: run.flatMap(({ mark, text, ending }) => [mark + text, ...ending]),
    };
  });
}

function isAdded(file: ChangedFile) {
  return file.oldMode === '000000';
}

function isDeleted(file: ChangedFile) {
  return file.newMode === '000000';
}

function modeLines(file: ChangedFile) {
  if (isAdded(file)) return [`new file mode ${file.newMode}`];
  if (isDeleted(file)) return [`deleted file mode ${file.oldMode}`];
  return file.oldMode === file.newMode
    ? []
    : [`old mode ${file.oldMode}`, `new mode ${file.newMode}`];
}

function moveLines({ status, oldPath, path }: ChangedFile) {
  if (oldPath === null) return [];
  const verb = status === 'copied' ? 'copy' : 'rename';
  return [`${verb} from ${quote(oldPath)}`, `${verb} to ${quote(path)}`];
}

function indexLine({ oldId, newId, oldMode, newMode }: ChangedFile) {
  if (oldId === newId) return [];
  return [`index ${oldId}..${newId}${oldMode === newMode ? ` ${newMode}` : ''}`];
}

function bodyLines(file: ChangedFile, oldName: string, newName: string) {
  if (file.content === 'text' || file.content === 'symlink') {
    return file.hunks.length === 0
      ? []
      : [`--- ${withTab(oldName)}`, `+++ ${withTab(newName)}`, ...file.hunks.flatMap(hunkLines)];
  }
  if (file.oldId === file.newId) return [];
  if (file.content === 'binary') return [`Binary files ${oldName} and ${newName} differ`];
  if (file.content === 'submodule')
    return present(
      !isAdded(file) && `-Subproject commit ${file.oldId}`,
      !isDeleted(file) && `+Subproject commit ${file.newId}`,
    );
  return [`Too large to be shown: ${file.additions} lines added, ${file.deletions} removed.`];
}

function hunkLines({ oldStart, oldLines, newStart, newLines, heading, lines }: Hunk) {
  return [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${heading === '' ? '' : ` ${heading}`}`,
    ...lines,
  ];
}

/** A count of one is left out. */
function range(start: number, count: number) {
  return count === 1 ? `${start}` : `${start},${count}`;
}

/** Git ends a name that holds a blank with a tab, so that readers see where it ends. */
function withTab(name: string) {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

/** Of the characters from 7 on. */
const letters = 'abtnvfr';

function quote(name: string) {
  // oxlint-disable-next-line no-control-regex -- control characters are what git quotes
  const quoted = name.replace(/[\u0000-\u001F\u007F"\\]/g, character => {
    const code = character.charCodeAt(0);
    return `\\${letters[code - 7] ?? (/["\\]/.test(character) ? character : code.toString(8).padStart(3, '0'))}`;
  });
  return quoted === name ? name : `"${quoted}"`;
}

// The lines a change adds, with their numbers on the new side.

/** In order. */
export function addedLinesOf({ path, hunks }: Pick<ChangedFile, 'path' | 'hunks'>) {
  return hunks
    .flatMap(numberedLines)
    .flatMap(({ mark, text, new: line }) => (mark === '+' ? { path, line, text } : []));
}

/** Neither blank nor a comment by itself. */
export function isCodeLine(text: string) {
  const bare = text.trim();
  return (
    bare !== '' &&
    !/^(?:\/\/|#(?!\[|include|define|if|else|end)|\*|\/\*|--\s|"""|'''|<!--)/.test(bare)
  );
}
