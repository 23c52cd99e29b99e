/**
 * What a report says before anybody decides what it looks like: a list of sections, painted for a terminal, as Markdown or
 * as HTML. A description holds every word once; a painter adds layout and escapes what is not ours.
 */
import type { CodeFrame } from '../core/words/code-index.ts';
import { type Location, type Severity, placeText } from '../core/words/finding.ts';
import type { Outcome } from '../core/verdict/record.ts';
import { present } from '../core/groups.ts';

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
  /** Lines of the subject with their numbers. */
  | { readonly kind: 'frame'; readonly frame: CodeFrame }
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

/** Data, unless it is a line or a piece of one; nothing stands for nothing. */
type Put = Line | Span | string | number | null | undefined | false;

/** A line: the words of the template are ours, what is put in is data. */
export function say(words: TemplateStringsArray, ...put: readonly Put[]): Line {
  return words.flatMap((word, index) => [word, ...lineOf(put[index])]);
}

function lineOf(put: Put): Line {
  if (put === null || put === undefined || put === false) return [];
  if (typeof put === 'string') return [data(put)];
  return typeof put === 'number' ? [String(put)] : [put].flat();
}

export function title(level: 1 | 2 | 3, ...line: Line): Section {
  return { kind: 'title', level, line };
}

/** Of the items that are there; empty when there are none. */
export function list(
  items: readonly (Line | null | false)[],
  { bullets = true } = {},
): readonly Section[] {
  const there = present(...items);
  return there.length === 0 ? [] : [{ kind: 'list', items: there, bullets }];
}

/** Lines without bullets. */
export function lines(...items: readonly (Line | null | false)[]): readonly Section[] {
  return list(items, { bullets: false });
}

/** Empty when it has no rows. A column of a name alone is as wide as it has to be; a bare string in a row is our own word. */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly Put[])[],
): readonly Section[] {
  if (rows.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: columns.map(column => (typeof column === 'string' ? { title: column } : column)),
      rows: rows.map(row => row.map(cell => (typeof cell === 'string' ? [cell] : lineOf(cell)))),
    },
  ];
}

export function group(head: Line, body: readonly Section[], isFolded = false): Section {
  return { kind: 'group', head, body, folded: isFolded };
}

/** The lines of a place; empty where they are not known. */
export function frameOf(frame: CodeFrame | null | undefined): readonly Section[] {
  return frame === null || frame === undefined ? [] : [{ kind: 'frame', frame }];
}

/** The lines of a frame with their numbers, those that are meant with an arrow before them. */
export function numbered({ first, lines: all, from, to }: CodeFrame) {
  const width = String(first + all.length - 1).length;
  return all.map((text, index) => {
    const number = first + index;
    const isMeant = number >= from && number <= to;
    return { lead: `${isMeant ? '>' : ' '} ${String(number).padStart(width)} | `, text, isMeant };
  });
}

/** Text as it was said; empty where there is none. */
export function quoteOf(text: string | null | undefined): readonly Section[] {
  return (text ?? '').trim() === '' ? [] : [{ kind: 'quote', text: (text ?? '').trimEnd() }];
}

/** The same under its name. */
export function quote(lead: Line, text: string | null): readonly Section[] {
  const said = quoteOf(text);
  return said.length === 0 ? [] : [...list([lead]), ...said];
}

/** A part of a report; empty when there is nothing in it. */
export function part(name: string, body: readonly Section[]): readonly Section[] {
  return body.length === 0 ? [] : [title(2, name), ...body];
}

/** A part that only those open who want it; empty when there is nothing in it. */
export function folded(name: string, body: readonly Section[]): readonly Section[] {
  return body.length === 0 ? [] : [group([name], body, true)];
}

/** `… and 3 more claims`; null where all are shown. `where`: how the rest is seen. */
export function more(amount: number, noun = '', where: Line = []): Line | null {
  const nouns = noun === '' ? '' : ` ${noun}${amount === 1 ? '' : 's'}`;
  return amount > 0 ? [`… and ${amount} more${nouns}`, ...where] : null;
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
export function joined(texts: readonly (string | Span)[], cap: number | null = 40): Line {
  return texts.flatMap((text, index) => [
    index === 0 ? '' : ', ',
    typeof text === 'string' ? data(text, cap) : text,
  ]);
}

/** Where something is meant, with a remark when the place is not certain. */
export function placeOf(location: Location | null): Line {
  if (location === null) return ['no place named'];
  const doubts = doubtsAbout(location).join(', ');
  return [literal(placeText(location)), ...(doubts === '' ? [] : [' ', remark(`(${doubts})`)])];
}

function doubtsAbout({ line, endLine, side, anchoring }: Location) {
  return present(
    endLine !== null && line !== null && endLine > line && `to ${endLine}`,
    side === 'old' && 'before the change',
    anchoring === 'unanchored' && 'place not found',
    anchoring === 'ambiguous' && 'one of several places',
  );
}
