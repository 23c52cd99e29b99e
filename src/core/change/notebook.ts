/**
 * What a reviewer is shown of a changed notebook: its lines as they stand in the file, but for those that lie wholly inside of an
 * output or an attachment. Programs make them, they are many times as long as the rest, and how many there are is said.
 */
import { parseJson } from '../json.ts';
import { isNotebook } from '../languages/embedded-code.ts';
import type { Change, ChangedFile, NotebookLines, NumberedLines } from '../words/change.ts';
import { renderPatch, withLines } from './patch.ts';

/** The patch of a file as reviewers are shown it. Ends with a line feed. */
export function renderShown(file: ChangedFile): string {
  const shown = withoutOutputs(file);
  const left = file.additions + file.deletions - shown.additions - shown.deletions;
  return left === 0
    ? renderPatch(file)
    : `${renderPatch(shown)}Not shown: ${left} changed ${left === 1 ? 'line' : 'lines'} of outputs of ` +
        `this notebook.\n`;
}

export function withoutOutputs(file: ChangedFile): ChangedFile {
  return file.notebook === undefined ? file : without('outputs', file, file.notebook);
}

/** The same change with the lines of its notebooks that people wrote, and no other of theirs. */
export function withCellsOnly<Changed extends Pick<Change, 'files'>>(change: Changed): Changed {
  return {
    ...change,
    files: change.files.map(file =>
      file.notebook === undefined ? file : without('rest', file, file.notebook),
    ),
  };
}

function without(what: 'outputs' | 'rest', file: ChangedFile, { old, new: now }: NotebookLines) {
  const key = what === 'outputs' ? 'outputs' : 'cells';
  const sides = { old: numbersIn(old[key]), new: numbersIn(now[key]) };
  return withLines(file, line => {
    const side = line.mark === '-' ? 'old' : 'new';
    return sides[side].has(line[side]) === (key === 'cells');
  });
}

function numbersIn(ranges: NumberedLines) {
  const numbers = new Set<number>();
  for (const [first, last] of ranges)
    for (let number = first; number <= last; number += 1) numbers.add(number);
  return numbers;
}

/** Null for anything but a notebook that parses: it is shown as it is. A side that is missing has no lines. */
export function notebookLines(
  path: string,
  oldText: string | null,
  newText: string | null,
): NotebookLines | null {
  if (!isNotebook(path)) return null;
  const [old, now] = [oldText, newText].map(text => linesIn(text ?? '{}'));
  return old && now ? { old, new: now } : null;
}

interface Level {
  readonly opensAt: number;
  /** Of the entry that is read: objects alone have one. */
  key: string | null;
  isKeyNext: boolean;
}

/**
 * The lines that lie wholly inside of a source, an output or an attachment of a cell, wherever the text breaks its lines and
 * whatever it says twice: the way of keys decides. Linear.
 */
function linesIn(text: string): NotebookLines['old'] | null {
  if (parseJson(text) === undefined) return null;
  const [cells, outputs]: [number, number][][] = [[], []];
  const levels: Level[] = [];
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const level = levels.at(-1);
    if (character === '\n') line += 1;
    else if (character === '"') {
      const end = endOfString(text, at);
      if (level?.isKeyNext === true) level.key = String(JSON.parse(text.slice(at, end + 1)));
      if (level !== undefined) level.isKeyNext = false;
      at = end;
    } else if (character === '{' || character === '[')
      levels.push({ opensAt: line, key: null, isKeyNext: character === '{' });
    else if (character === ',' && level !== undefined) level.isKeyNext = level.key !== null;
    else if (character === '}' || character === ']') {
      levels.pop();
      const [list, , cell, ...more] = levels;
      if (level === undefined || list?.key !== 'cells' || more.length > 0) continue;
      const within: [number, number] = [level.opensAt + 1, line - 1];
      if (within[0] > within[1]) continue;
      if (cell?.key === 'source') cells?.push(within);
      if (cell?.key === 'outputs' || cell?.key === 'attachments') outputs?.push(within);
    }
  }
  return { cells: cells ?? [], outputs: outputs ?? [] };
}

function endOfString(text: string, start: number) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at;
  }
  return text.length;
}
