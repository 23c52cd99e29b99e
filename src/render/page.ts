/** The sheet a terminal report is laid out on: its width, how wide running text may get, our own colours, and tables that fit. */
import picocolors from 'picocolors';
import type { Column } from './section.ts';
import { cut, pad, widthOf, wrap } from './terminal-text.ts';

export interface RenderOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

type Colors = ReturnType<typeof picocolors.createColors>;

export interface Page {
  readonly width: number;
  /** Columns for running text: the width, but never so wide that the eye loses the line. */
  readonly measure: number;
  readonly colors: Colors;
}

const narrowest = 32;
const widestText = 110;

export function openPage(options: RenderOptions): Page {
  const width = Math.max(narrowest, Math.floor(options.width) || narrowest);
  return {
    width,
    measure: Math.min(width, widestText),
    colors: picocolors.createColors(options.color),
  };
}

/** Cells are plain, visible text; `paint` colours a padded cell. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  readonly paint?: (text: string, row: number, column: number) => string;
}

const indent = '  ';
const gap = '  ';

/** A table without rules or boxes: flexible columns shrink and wrap, optional ones give way. */
export function layTable(table: Table, page: Page): string[] {
  const widths = fitColumns(table, page.width);
  const titles = table.columns.map(column => column.title);
  const paint = table.paint ?? (text => text);
  return [
    ...layRow(table.columns, titles, widths, text => page.colors.dim(text)),
    ...table.rows.flatMap((row, index) =>
      layRow(table.columns, row, widths, (text, column) => paint(text, index, column)),
    ),
  ];
}

/**
 * Width per column; 0 for a column that left. Cells that may be cut give way first, then columns leave, and only then
 * does text wrap: a wrapped cell is the hardest to read.
 */
function fitColumns({ columns, rows }: Table, width: number): number[] {
  const natural = columns.map((column, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, widthOf(row[index] ?? '')),
      widthOf(column.title),
    ),
  );
  let widths = shrink(columns, natural, width, 'cut');
  for (const index of leavingOrder(columns)) {
    if (totalOf(widths) <= width) return widths;
    natural[index] = 0;
    widths = shrink(columns, natural, width, 'cut');
  }
  return shrink(columns, widths, width, 'wrap');
}

function leavingOrder(columns: readonly Column[]): number[] {
  const leaving = columns.flatMap((column, index) =>
    column.leaves === undefined ? [] : [{ index, order: column.leaves }],
  );
  return leaving.sort((one, other) => one.order - other.order).map(entry => entry.index);
}

function shrink(
  columns: readonly Column[],
  given: readonly number[],
  width: number,
  overflow: 'wrap' | 'cut',
): number[] {
  const widths = [...given];
  let excess = totalOf(widths) - width;
  for (const [index, column] of columns.entries()) {
    const current = widths[index] ?? 0;
    if (
      excess <= 0 ||
      current === 0 ||
      column.least === undefined ||
      (column.overflow ?? 'wrap') !== overflow
    )
      continue;
    const taken = Math.min(
      excess,
      Math.max(0, current - Math.max(column.least, widthOf(column.title))),
    );
    widths[index] = current - taken;
    excess -= taken;
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  const present = widths.filter(width => width > 0);
  return present.reduce(
    (sum, width) => sum + width,
    indent.length + gap.length * Math.max(0, present.length - 1),
  );
}

function layRow(
  columns: readonly Column[],
  cells: readonly string[],
  widths: readonly number[],
  paint: (text: string, column: number) => string,
): string[] {
  const laid = columns.map((column, index) =>
    layCell(cells[index] ?? '', widths[index] ?? 0, column),
  );
  const height = laid.reduce((most, lines) => Math.max(most, lines.length), 1);
  const present = columns.map((_, index) => index).filter(index => (widths[index] ?? 0) > 0);
  const last = present.at(-1);
  return Array.from({ length: height }, (_, line) => {
    const parts = present.map(index => {
      const text = laid[index]?.[line] ?? '';
      const isOpenEnd = index === last && columns[index]?.align !== 'right';
      return paint(isOpenEnd ? text : pad(text, widths[index] ?? 0, columns[index]?.align), index);
    });
    return `${indent}${parts.join(gap)}`.trimEnd();
  });
}

function layCell(text: string, width: number, column: Column): string[] {
  if (width === 0) return [];
  return column.overflow === 'cut' ? [cut(text, width)] : wrap(text, width);
}
