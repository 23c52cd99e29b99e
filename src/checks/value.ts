/** What the walk knows of an expression: the fixed text in it, what is unknown in it, and who outside decides a part of it. */
import type { Cleaner, Kind } from './rule.ts';

export interface Value {
  /** Its text, where `hole` stands for each part that is not fixed. */
  readonly text: string;
  /** The parts that are neither fixed nor from outside, as written. Without any, and without taint, it is fixed. */
  readonly unknown: readonly string[];
  readonly taint: Taint | null;
}

export interface Taint {
  /** As it is written: `req.query.id`; of a parameter its name. */
  readonly origin: string;
  /** 1-based. */
  readonly line: number;
  /** The text in front of the first such part. */
  readonly before: string;
  readonly cleaned: readonly Kind[];
  /** Null: everywhere. */
  readonly only: readonly Kind[] | null;
  /** A parameter of a function of this file, whose callers decide; null: it comes from outside for sure. */
  readonly parameter: { readonly owner: string; readonly index: number } | null;
}

export const hole = '\u0000';
const longest = 2_000;
const mostUnknown = 40;

export function fixedText(text: string): Value {
  return { text, unknown: [], taint: null };
}

export function unknownValue(text: string): Value {
  return { text: hole, unknown: [text], taint: null };
}

export function taintedValue(taint: Taint): Value {
  return { text: hole, unknown: [], taint };
}

export function isFixed({ unknown, taint }: Value): boolean {
  return unknown.length === 0 && taint === null;
}

/** Parts one after another. What one part is cleaned of, another may still hold. */
export function joinValues(parts: readonly Value[]): Value {
  const text = (list: readonly Value[]): string => list.map(part => part.text).join('');
  const first = parts.findIndex(part => part.taint !== null);
  const before = `${text(parts.slice(0, first))}${parts[first]?.taint?.before ?? ''}`;
  const worst = worstOf(parts)?.taint ?? null;
  return {
    text: text(parts).slice(0, longest),
    unknown: parts.flatMap(part => part.unknown).slice(0, mostUnknown),
    taint: worst === null ? null : { ...worst, before: before.slice(0, longest) },
  };
}

/** One of several. */
export function eitherOf(values: readonly Value[]): Value {
  const [first, ...others] = values;
  if (first !== undefined && (others.length === 0 || values.every(isFixed))) return first;
  const unknown = values.flatMap(value => value.unknown).slice(0, mostUnknown);
  return { ...(worstOf(values) ?? unknownValue('')), unknown };
}

/** The least cleaned counts, and what is certain before what a caller decides. */
function worstOf(values: readonly Value[]): Value | null {
  const weight = ({ taint }: Value): number =>
    taint === null ? -100 : (taint.parameter === null ? 100 : 0) - taint.cleaned.length;
  const tainted = values.filter(({ taint }) => taint !== null);
  return tainted.length === 0
    ? null
    : tainted.reduce((one, other) => (weight(other) > weight(one) ? other : one));
}

/** What is cleaned of everything counts as fixed, unless that is a guess. `text`: how it is written. */
export function cleanValue(value: Value, { against, guess }: Cleaner, text: string): Value {
  if (against === undefined) return guess ? unknownValue(text) : fixedText('');
  if (value.taint === null) return unknownValue(text);
  const cleaned = [...value.taint.cleaned, ...against];
  return taintedValue({ ...value.taint, cleaned });
}

/** The one who is spoken to is decided by the fixed text in front, or by what is unknown there. */
export function isFixedStart({ before }: Taint): boolean {
  return (
    before.includes(hole) ||
    /^(?:[a-z][a-z+.-]*:)?\/\/[^/]+\/|^\/(?!\/|$)|^[#?]|^[\w.-]+[/?]/i.test(before)
  );
}
