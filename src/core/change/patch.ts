/** Prints a changed file as a unified diff, with the header lines git prints. */
import type { ChangedFile, Hunk } from '../words/change.ts';

/**
 * Ends with a line feed. What has no text is said in one line. Similarity of renames is not known and not printed;
 * names are quoted as git does with `core.quotePath` off, so that no name can look like a header.
 */
export function renderPatch(file: ChangedFile): string {
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
  const bare = withLines(file, line => !line.startsWith(' '));
  return countLines(bare.hunks) < countLines(file.hunks) ? bare : null;
}

function countLines(hunks: readonly Hunk[]): number {
  return hunks.reduce((total, { lines }) => total + lines.length, 0);
}

/** Numbers of a line on both sides; on the side that has it not, that of the next one there. */
interface LineNumbers {
  readonly old: number;
  readonly new: number;
}

/** The file with those of its lines alone that are wanted: each run of them is a hunk of its own. */
export function withLines(
  file: ChangedFile,
  isWanted: (line: string, numbers: LineNumbers) => boolean,
): ChangedFile {
  const hunks = file.hunks.flatMap(hunk => runsOf(hunk, isWanted));
  const [additions, deletions] = ['+', '-'].map(
    mark => hunks.flatMap(({ lines }) => lines).filter(line => line.startsWith(mark)).length,
  );
  return { ...file, hunks, additions: additions ?? 0, deletions: deletions ?? 0 };
}

function runsOf(
  { oldStart, oldLines, newStart, newLines, heading, lines }: Hunk,
  isWanted: Parameters<typeof withLines>[1],
): Hunk[] {
  const runs: OpenRun[] = [];
  // A side without lines is named by the line before it.
  const at = {
    old: oldStart + Number(oldLines === 0),
    new: newStart + Number(newLines === 0),
  };
  let open: OpenRun | null = null;
  for (const line of lines) {
    if (line.startsWith('\\')) {
      open?.lines.push(line);
      continue;
    }
    const [isOld, isNew] = [Number(!line.startsWith('+')), Number(!line.startsWith('-'))];
    if (!isWanted(line, at)) open = null;
    else {
      if (open === null) {
        open = { oldStart: at.old, oldLines: 0, newStart: at.new, newLines: 0, heading, lines: [] };
        runs.push(open);
      }
      open.lines.push(line);
      open.oldLines += isOld;
      open.newLines += isNew;
    }
    at.old += isOld;
    at.new += isNew;
  }
  return runs.map(run => ({
    ...run,
    oldStart: run.oldStart - Number(run.oldLines === 0),
    newStart: run.newStart - Number(run.newLines === 0),
  }));
}

interface OpenRun extends Hunk {
  oldLines: number;
  newLines: number;
  readonly lines: string[];
}

function isAdded(file: ChangedFile): boolean {
  return file.oldMode === '000000';
}

function isDeleted(file: ChangedFile): boolean {
  return file.newMode === '000000';
}

function modeLines(file: ChangedFile): string[] {
  if (isAdded(file)) return [`new file mode ${file.newMode}`];
  if (isDeleted(file)) return [`deleted file mode ${file.oldMode}`];
  return file.oldMode === file.newMode
    ? []
    : [`old mode ${file.oldMode}`, `new mode ${file.newMode}`];
}

function moveLines({ status, oldPath, path }: ChangedFile): string[] {
  if (oldPath === null) return [];
  const verb = status === 'copied' ? 'copy' : 'rename';
  return [`${verb} from ${quote(oldPath)}`, `${verb} to ${quote(path)}`];
}

function indexLine({ oldId, newId, oldMode, newMode }: ChangedFile): string[] {
  if (oldId === newId) return [];
  return [`index ${oldId}..${newId}${oldMode === newMode ? ` ${newMode}` : ''}`];
}

function bodyLines(file: ChangedFile, oldName: string, newName: string): string[] {
  if (file.content === 'text' || file.content === 'symlink') {
    return file.hunks.length === 0
      ? []
      : [`--- ${withTab(oldName)}`, `+++ ${withTab(newName)}`, ...file.hunks.flatMap(hunkLines)];
  }
  if (file.oldId === file.newId) return [];
  const words = {
    binary: [`Binary files ${oldName} and ${newName} differ`],
    submodule: [
      ...(isAdded(file) ? [] : [`-Subproject commit ${file.oldId}`]),
      ...(isDeleted(file) ? [] : [`+Subproject commit ${file.newId}`]),
    ],
    'too-large': [
      `Too large to be shown: ${file.additions} lines added, ${file.deletions} removed.`,
    ],
  } as const satisfies Record<
    Exclude<ChangedFile['content'], 'text' | 'symlink'>,
    readonly string[]
  >;
  return [...words[file.content]];
}

function hunkLines({ oldStart, oldLines, newStart, newLines, heading, lines }: Hunk): string[] {
  return [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${heading === '' ? '' : ` ${heading}`}`,
    ...lines,
  ];
}

/** A count of one is left out. */
function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

/** Git ends a name that holds a blank with a tab, so that readers see where it ends. */
function withTab(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name;
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function quote(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what git quotes
  const quoted = name.replace(
    /[\u0000-\u001F\u007F"\\]/g,
    character => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return quoted === name ? name : `"${quoted}"`;
}
