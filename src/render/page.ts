/** The sheet a terminal report is laid out on: its width, how wide running text may get, and our own colours. */
import picocolors from 'picocolors';
import type { Severity } from '../core/severity.ts';
import { hang, wrap } from './terminal-text.ts';

export interface RenderOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Was the process that prints interrupted? Then its exit code says so. Default: no. */
  readonly isInterrupted?: boolean;
}

type Colors = ReturnType<typeof picocolors.createColors>;

export interface Page {
  readonly width: number;
  /** Columns for running text: the width, but never so wide that the eye loses the line. */
  readonly measure: number;
  readonly colors: Colors;
  readonly isInterrupted: boolean;
}

const narrowest = 32;
const widestText = 110;

export function openPage(options: RenderOptions): Page {
  const width = Math.max(narrowest, Math.floor(options.width) || narrowest);
  return { width, measure: Math.min(width, widestText), colors: picocolors.createColors(options.color), isInterrupted: options.isInterrupted ?? false };
}

/** Colour repeats what the word beside it says; it never says anything alone. */
export function paintSeverity(page: Page, severity: Severity, text: string): string {
  const { bold, red, yellow, cyan, dim } = page.colors;
  const paints: Record<Severity, (text: string) => string> = { critical: word => bold(red(word)), high: red, medium: yellow, low: word => dim(cyan(word)) };
  return paints[severity](text);
}

/** A bold title with what belongs to it on the same line, wrapped beside it. */
export function layHeading(page: Page, title: string, rest = ''): string[] {
  if (rest === '') return wrap(title, page.measure).map(line => page.colors.bold(line));
  const [first = '', ...others] = hang(`${title}  `, rest, page.measure);
  return [`${page.colors.bold(title)}${first.slice(title.length)}`, ...others];
}
