/**
 * What a reviewer is shown of a changed notebook: the lines of its cells, as they were written, with the numbers that they have in
 * the file. Outputs and metadata are made by machines and are many times as long; how much of them there is, is said.
 */
import { isNotebook, sourceLineIn } from '../languages/embedded-code.ts';
import type { Change, ChangedFile, Hunk } from '../words/change.ts';
import { renderPatch } from './patch.ts';

/** The patch of a file as reviewers are shown it. Ends with a line feed. */
export function renderShown(file: ChangedFile): string {
  const shown = withoutOutputs(file);
  if (shown === null) return renderPatch(file);
  const { leftOut } = shown;
  return leftOut === 0
    ? renderPatch(shown.file)
    : `${renderPatch(shown.file)}Not shown: ${leftOut} changed ${leftOut === 1 ? 'line' : 'lines'} of ` +
        `outputs and metadata of this notebook.\n`;
}

/** The same change with notebooks as reviewers are shown them. */
export function withCellsOnly<Changed extends Pick<Change, 'files'>>(change: Changed): Changed {
  return { ...change, files: change.files.map(file => withoutOutputs(file)?.file ?? file) };
}

interface ShownNotebook {
  readonly file: ChangedFile;
  /** Changed lines that are not shown. */
  readonly leftOut: number;
}

/** Null for anything but a notebook with a line for each entry, as notebooks are usually written: the others are shown as they are. */
function withoutOutputs(file: ChangedFile): ShownNotebook | null {
  if (!isNotebook(file.path) || file.content !== 'text') return null;
  const lines = file.hunks.flatMap(hunk => hunk.lines.filter(line => !line.startsWith('\\')));
  if (lines.some(line => /^.\s*\{.*"(?:cells|cell_type|source)"/.test(line))) return null;
  const step = stepOf(lines);
  const hunks = file.hunks.flatMap(hunk => cellRuns(hunk, step));
  const [additions, deletions] = [countOf(hunks, /^\+/), countOf(hunks, /^-/)];
  return {
    file: { ...file, hunks, additions, deletions },
    leftOut: changedIn(file.hunks) - additions - deletions,
  };
}

/** By how much an entry stands in from the one around it: the keys of a cell stand three such steps in. */
function stepOf(lines: readonly string[]): string {
  const ins = lines.flatMap(line => /^.(\s+)"(?:cell_type|source|outputs)":/.exec(line)?.[1] ?? []);
  const shortest = ins.toSorted((one, other) => one.length - other.length)[0] ?? '';
  return shortest.slice(0, Math.max(1, Math.floor(shortest.length / 3))) || ' ';
}

/** Runs of lines that belong to cells, each a hunk of its own that says of which kind of cell it is where that can be seen. */
function cellRuns({ oldStart, newStart, lines }: Hunk, step: string): Hunk[] {
  const runs: OpenRun[] = [];
  let [oldLine, newLine] = [oldStart, newStart];
  let open: OpenRun | null = null;
  let kind = '';
  for (const line of lines) {
    const [mark = '', text] = [line[0], line.slice(1)];
    if (mark === '\\') continue;
    const source = sourceLineIn(text, step);
    if (source === null) {
      open = null;
      kind = /^\s+"cell_type": "(\w+)"/.exec(text)?.[1] ?? kind;
    } else {
      if (open === null) runs.push((open = openRun(oldLine, newLine, kind)));
      open.lines.push(`${mark}${source}`);
      if (mark !== '+') open.oldLines += 1;
      if (mark !== '-') open.newLines += 1;
    }
    if (mark !== '+') oldLine += 1;
    if (mark !== '-') newLine += 1;
  }
  return runs.filter(run => changedIn([run]) > 0).map(named);
}

interface OpenRun extends Hunk {
  oldLines: number;
  newLines: number;
  readonly lines: string[];
}

function openRun(oldStart: number, newStart: number, kind: string): OpenRun {
  const heading = kind === '' ? '' : `${kind} cell`;
  return { oldStart, newStart, oldLines: 0, newLines: 0, heading, lines: [] };
}

/** A run without lines of one side is named by the line before it, as git does with no context. */
function named(run: Hunk): Hunk {
  return {
    ...run,
    oldStart: run.oldLines === 0 ? Math.max(0, run.oldStart - 1) : run.oldStart,
    newStart: run.newLines === 0 ? Math.max(0, run.newStart - 1) : run.newStart,
  };
}

function changedIn(hunks: readonly Hunk[]): number {
  return countOf(hunks, /^[+-]/);
}

function countOf(hunks: readonly Hunk[], mark: RegExp): number {
  return hunks.flatMap(({ lines }) => lines).filter(line => mark.test(line)).length;
}
