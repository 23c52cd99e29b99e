/** The lines a change adds, with their numbers on the new side. */
import type { Change, ChangedFile } from '../words/change.ts';
import { kindsOf, type FileKind } from '../languages/file-kinds.ts';

export interface AddedLine {
  readonly path: string;
  /** 1-based, on the new side. */
  readonly line: number;
  readonly text: string;
}

/** In order. */
export function addedLinesOf(file: ChangedFile): AddedLine[] {
  return file.hunks.flatMap(hunk => {
    let line = hunk.newStart;
    return hunk.lines.flatMap(text => {
      const isAdded = text.startsWith('+');
      const added = isAdded ? [{ path: file.path, line, text: text.slice(1) }] : [];
      if (isAdded || text.startsWith(' ')) line += 1;
      return added;
    });
  });
}

/** Runs of lines that follow one another without a gap. */
export function blocksOf(lines: readonly AddedLine[]): AddedLine[][] {
  const blocks: AddedLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last?.at(-1)?.line === line.line - 1) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

export function kindsOfFile(file: ChangedFile): ReadonlySet<FileKind> {
  return kindsOf({ path: file.path, changedLines: [] });
}

/** Code that runs in the product: no test, nothing deleted. */
export function productFilesOf(change: Change): ChangedFile[] {
  return change.files.filter(file => {
    const kinds = kindsOfFile(file);
    return (
      file.status !== 'deleted' &&
      file.content === 'text' &&
      kinds.has('code') &&
      !kinds.has('test') &&
      !isMarkup(file.path)
    );
  });
}

/** Neither blank nor a comment by itself. */
export function isCodeLine(text: string): boolean {
  const bare = text.trim();
  return (
    bare !== '' &&
    !/^(?:\/\/|#(?!\[|include|define|if|else|end)|\*|\/\*|--\s|"""|'''|<!--)/.test(bare)
  );
}

function isMarkup(path: string): boolean {
  return /\.(?:html?|css|scss|sql|tf)$/i.test(path);
}
