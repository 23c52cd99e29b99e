/** What the walk knows of an expression: the fixed text in it, and who outside decides a part of it. */
import type { Cleaner, Kind } from './table.ts';

export interface Value {
  readonly taint: Taint | null;
  /** Fixed text; null when some part of it is neither fixed nor from outside. */
  readonly text: string | null;
}

export interface Taint {
  /** As it is written: `req.query.id`; of a parameter its name. */
  readonly origin: string;
  /** 1-based. */
  readonly line: number;
  /** Fixed text in front of the first such part; `unknown` stands for what is not fixed. */
  readonly before: string;
  /** All fixed text around it. */
  readonly around: string;
  readonly cleaned: ReadonlySet<Kind>;
  /** Null: everywhere. */
  readonly only: readonly Kind[] | null;
  /** Parameters of a function of this file whose callers decide; empty: it comes from outside for sure. */
  readonly parameter: Parameter | null;
}

export interface Parameter {
  readonly owner: string;
  readonly index: number;
}

export const nothing: Value = { taint: null, text: null };
const unknown = '\u0000';
const longest = 600;

export function fixedText(text: string): Value {
  return { taint: null, text };
}

/** Parts one after another. */
export function joinValues(parts: readonly Value[]): Value {
  const taint = parts.find(part => part.taint !== null)?.taint ?? null;
  const around = parts
    .map(part => (part.taint === null ? (part.text ?? unknown) : part.taint.around))
    .join('')
    .slice(0, longest);
  if (taint === null) return parts.some(part => part.text === null) ? nothing : fixedText(around);
  const first = parts.findIndex(part => part.taint !== null);
  const before = parts
    .slice(0, first)
    .map(part => part.text ?? unknown)
    .join('');
  // What one part is cleaned of, another may still hold.
  const tainted = parts.flatMap(part => part.taint ?? []);
  const worst = tainted.reduce((one, other) => (weight(other) > weight(one) ? other : one), taint);
  return {
    taint: { ...worst, before: `${before}${taint.before}`.slice(0, longest), around },
    text: null,
  };
}

/** The least cleaned counts, and what is certain before what a caller decides. */
function weight({ parameter, cleaned }: Taint): number {
  return (parameter === null ? 100 : 0) - cleaned.size;
}

/** One of several. */
export function eitherOf(values: readonly Value[]): Value {
  const tainted = values.flatMap(value => value.taint ?? []);
  const [first, ...rest] = tainted;
  if (first === undefined) {
    const fixed = values.every(({ text }) => text !== null);
    return fixed ? (values[0] ?? nothing) : nothing;
  }
  return {
    taint: rest.reduce((one, other) => (weight(other) > weight(one) ? other : one), first),
    text: null,
  };
}

/** Of what it is good against everything, nothing is left to fear: it counts as fixed, unless that is a guess. */
export function cleanValue(value: Value, { against, isGuess = false }: Cleaner): Value {
  if (against === undefined) return isGuess ? nothing : fixedText('');
  if (value.taint === null) return nothing;
  return {
    taint: { ...value.taint, cleaned: new Set([...value.taint.cleaned, ...against]) },
    text: null,
  };
}

/** True where the one who is spoken to is decided by the fixed text in front. */
export function isFixedStart({ before }: Taint): boolean {
  return (
    before.includes(unknown) ||
    /^(?:[a-z][a-z+.-]*:)?\/\/[^/]+\/|^\/(?!\/|$)|^[#?]|^[\w.-]+[/?]/i.test(before)
  );
}
