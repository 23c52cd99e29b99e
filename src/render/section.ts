/**
 * What a report says before anybody decides what it looks like: a list of sections, painted for a terminal, as Markdown or
 * as HTML. A description holds every word once; a painter adds layout and escapes what is not ours.
 */
import type { CodeFrame } from '../core/words/code-frame.ts';
import type { Severity } from '../core/words/severity.ts';
import type { Outcome } from '../core/verdict/record.ts';

export type Section =
  /** Level 1 names the report, 2 a part of it, 3 a part of a part. */
  | { readonly kind: 'title'; readonly level: 1 | 2 | 3; readonly line: Line }
  /** Lines one below the other, with or without a bullet. */
  | { readonly kind: 'list'; readonly items: readonly Line[]; readonly bullets: boolean }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Line[])[];
    }
  /** Text of several lines, untrusted, exactly as it was said. */
  | { readonly kind: 'quote'; readonly text: string }
  /** Lines of the subject with their numbers. `path` tells a painter the language. */
  | { readonly kind: 'frame'; readonly path: string; readonly frame: CodeFrame }
  /** Something with a head and what belongs to it. `folded`: a reader opens it who wants it. */
  | {
      readonly kind: 'group';
      readonly head: Line;
      readonly body: readonly Section[];
      readonly folded: boolean;
    };

/** `screen`: what a person needs at once, cut where it becomes long. `page`: everything, the rarely read parts folded. */
export type Detail = 'screen' | 'page';

/** Pieces in their order. A bare string is our own word. */
export type Line = readonly (string | Span)[];

export interface Span {
  readonly text: string;
  /**
   * - `ours`: a word or two of this program, which stay together on one line
   * - `data`: words that every painter escapes, of the world or longer ones of ours
   * - `literal`: a path, a command or an id: data that stays whole, so that it can be copied
   */
  readonly kind: 'ours' | 'data' | 'literal';
  readonly tone: Tone | null;
  /** Characters of data to print at most; null: as many as the painter takes. */
  readonly cap: number | null;
}

/** Colour repeats what a word says and never says anything alone. */
export type Tone = Severity | Outcome | 'strong' | 'faint' | 'good' | 'poor' | 'bad';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Columns of a terminal it may be shrunk to; absent: never shrunk. */
  readonly least?: number;
  /** What a cell that is too long does. Default: it wraps, so that nothing is lost. */
  readonly overflow?: 'wrap' | 'cut';
  /** Where a terminal is too narrow, columns leave in this order, 1 first; absent: it stays. */
  readonly leaves?: number;
}

export function title(level: 1 | 2 | 3, ...line: Line): Section {
  return { kind: 'title', level, line };
}

/** Empty when there are no items. */
export function list(items: readonly Line[], { bullets = true } = {}): readonly Section[] {
  return items.length === 0 ? [] : [{ kind: 'list', items, bullets }];
}

/** A part of a report; empty when there is nothing in it. */
export function part(name: string, body: readonly Section[]): readonly Section[] {
  return body.length === 0 ? [] : [title(2, name), ...body];
}

/** A part that only those open who want it; empty when there is nothing in it. */
export function folded(name: string, body: readonly Section[]): readonly Section[] {
  return body.length === 0 ? [] : [{ kind: 'group', head: [name], body, folded: true }];
}

export function data(text: string, cap: number | null = null): Span {
  return { text, kind: 'data', tone: null, cap };
}

export function literal(text: string, tone: Tone | null = null): Span {
  return { text, kind: 'literal', tone, cap: null };
}

export function toned(tone: Tone, text: string): Span {
  return { text, kind: 'ours', tone, cap: null };
}

/** What need not be read to understand the rest. */
export function remark(text: string, cap: number | null = null): Span {
  return { text, kind: 'data', tone: 'faint', cap };
}

/** Names or other data with commas between them. */
export function joined(texts: readonly string[], cap: number | null = 40): Line {
  return texts.flatMap((text, index) =>
    index === 0 ? [data(text, cap)] : [', ', data(text, cap)],
  );
}
