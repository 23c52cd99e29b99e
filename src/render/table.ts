/** A table without rules or boxes that fits its page: flexible columns shrink and wrap, optional ones give way. */
import type { Page } from './page.ts';
import { cut, pad, widthOf, wrap } from './terminal-text.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Columns it may be shrunk to; absent: never shrunk. */
  readonly least?: number;
  /** What a cell that is too long does. Default: it wraps, so that nothing is lost. */
  readonly overflow?: 'wrap' | 'cut';
  /** When the page is too narrow, columns leave in this order, 1 first; absent: it stays. */
  readonly leaves?: number;
}

/** Cells are plain, visible text; `paint` colours a padded cell. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  readonly paint?: (text: string, row: number, column: number) => string;
}

const indent = '  ';
const gap = '  ';

export function layTable(table: Table, page: Page): string[] {
  const widths = fitColumns(table, page.width);
  const titles = table.columns.map(column => column.title);
  const paint = table.paint ?? (text => text);
  return [
    ...layRow(table.columns, titles, widths, text => page.colors.dim(text)),
    ...table.rows.flatMap((row, index) => layRow(table.columns, row, widths, (text, column) => paint(text, index, column))),
  ];
}

/**
 * Width per column; 0 for a column that left. Cells that may be cut give way first, then columns leave, and only then
 * does text wrap: a wrapped cell is the hardest to read.
 */
function fitColumns({ columns, rows }: Table, width: number): number[] {
  const natural = columns.map((column, index) => rows.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), widthOf(column.title)));
  let widths = shrink(columns, natural, width, 'cut');
  for (const index of leavingOrder(columns)) {
    if (totalOf(widths) <= width) return widths;
    natural[index] = 0;
    widths = shrink(columns, natural, width, 'cut');
  }
  return shrink(columns, widths, width, 'wrap');
}

function leavingOrder(columns: readonly Column[]): number[] {
  const leaving = columns.flatMap((column, index) => (column.leaves === undefined ? [] : [{ index, order: column.leaves }]));
  return leaving.sort((one, other) => one.order - other.order).map(entry => entry.index);
}

function shrink(columns: readonly Column[], given: readonly number[], width: number, overflow: 'wrap' | 'cut'): number[] {
  const widths = [...given];
  let excess = totalOf(widths) - width;
  for (const [index, column] of columns.entries()) {
    const current = widths[index] ?? 0;
    if (excess <= 0 || current === 0 || column.least === undefined || (column.overflow ?? 'wrap') !== overflow) continue;
    const taken = Math.min(excess, Math.max(0, current - Math.max(column.least, widthOf(column.title))));
    widths[index] = current - taken;
    excess -= taken;
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  const present = widths.filter(width => width > 0);
  return present.reduce((sum, width) => sum + width, indent.length + gap.length * Math.max(0, present.length - 1));
}

function layRow(columns: readonly Column[], cells: readonly string[], widths: readonly number[], paint: (text: string, column: number) => string): string[] {
  const laid = columns.map((column, index) => layCell(cells[index] ?? '', widths[index] ?? 0, column));
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
