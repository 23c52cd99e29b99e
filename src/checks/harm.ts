/** What is known of a value on its way through a file, what a condition holds against it, and where it does harm. */
import type { Node } from 'web-tree-sitter';
import type { FlowTable, Kind, Kinds, Sink, Cleaner } from './rule.ts';
import { type Called, partOf, readCall, shortText, type Syntax } from './syntax.ts';

/** Plain data: no node outlives the tree. */
export interface Harm {
  readonly kind: Kind;
  readonly cwe: string;
  /** 1-based lines: where the value does harm, first and last. */
  readonly start: number;
  readonly end: number;
  /** Name of the rule of text that is put together of values of unknown origin; null where a value is known to come from outside. */
  readonly built: string | null;
  readonly origin: string;
  /** Where the value comes in. */
  readonly from: number;
  /** Line of the call that hands it to the function in which it does harm; null when it is the same function. */
  readonly call: number | null;
}

/** So that a file made to have many of both costs no more than it holds. */
const mostJoined = 2_000;
const mostOfOne = 5;
const longestCall = 400;

export function createHarm({ sinks }: FlowTable, kinds: Kinds) {
  const found: Harm[] = [];
  const pending = new Map<string, Harm[]>();
  const handed: { callee: string; index: number; taint: Taint; line: number }[] = [];
  let joined = 0;

  const meet = (node: Node, sink: Sink, { text, taint, unknown }: Value) => {
    const { built } = kinds[sink.kind];
    const place = {
      kind: sink.kind,
      cwe: sink.cwe ?? kinds[sink.kind].cwe,
      start: node.startPosition.row + 1,
      end: node.endPosition.row + 1,
      built: null,
      origin: taint?.origin ?? '',
      from: taint?.line ?? 0,
      call: null,
    };
    const parameter = taint?.parameter ?? null;
    if (taint && doesHarm(taint, sink, text)) {
      if (!parameter) found.push(place);
      else if ((joined += 1) <= mostJoined) {
        const key = `${parameter.owner} ${parameter.index}`;
        pending.set(key, [...(pending.get(key) ?? []).slice(0, mostOfOne - 1), place]);
      }
    }
    if (sink.built === undefined || !built) return;
    const parts = parameter ? [...unknown, place.origin] : unknown;
    if ((sink.shape ?? built.shape).test(text) && parts.some(part => !built.harmless?.test(part)))
      found.push({ ...place, built: sink.built });
  };

  /** `isWhole` false: the text around was put on elsewhere. */
  const doesHarm = (taint: Taint, sink: Pick<Sink, 'kind' | 'shape'>, text: string | null) => {
    const { shape, byStart } = kinds[sink.kind];
    if (taint.cleaned.includes(sink.kind) || taint.only?.includes(sink.kind) === false)
      return false;
    if (byStart && isFixedStart(taint)) return false;
    return text === null || ((sink.shape ?? shape)?.test(text) ?? true);
  };

  return {
    reach(node: Node, of: Sink['of'], name: string, value: Value) {
      for (const sink of sinks) if (sink.of === of && sink.name.test(name)) meet(node, sink, value);
    },
    reachCall(node: Node, { name }: Called, spoken: Value | null, given: readonly Value[]) {
      const text = node.text.slice(0, longestCall);
      for (const sink of sinks)
        if (sink.of === 'call' && sink.name.test(name) && (sink.when?.test(text) ?? true))
          for (const value of chosen(sink, spoken, given)) meet(node, sink, value);
      const callee = name.replace(/^.*(?:\.|::|->)/, '');
      const line = node.startPosition.row + 1;
      for (const [index, { taint }] of given.entries())
        if (taint && !taint.parameter) handed.push({ callee, index, taint, line });
    },
    all() {
      const through = handed.flatMap(({ callee, index, taint, line }) =>
        (pending.get(`${callee} ${index}`) ?? [])
          .filter(({ kind }) => doesHarm(taint, { kind, shape: undefined }, null))
          .map(harm => ({ ...harm, origin: taint.origin, from: taint.line, call: line })),
      );
      return [...found, ...through];
    },
  };
}

function chosen({ argument }: Sink, spoken: Value | null, given: readonly Value[]) {
  if (argument === 'receiver') return [spoken ?? unknownValue('')];
  return argument === 'any' ? given : given.slice(argument).slice(0, 1);
}

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

export function isFixed({ unknown, taint }: Value) {
  return unknown.length === 0 && !taint;
}

/** Parts one after another. What one part is cleaned of, another may still hold. */
export function joinValues(parts: readonly Value[]): Value {
  const text = (list: readonly Value[]) => list.map(part => part.text).join('');
  const first = parts.findIndex(part => part.taint !== null);
  const before = `${text(parts.slice(0, first))}${parts[first]?.taint?.before ?? ''}`;
  const worst = worstOf(parts)?.taint ?? null;
  return {
    text: text(parts).slice(0, longest),
    unknown: parts.flatMap(part => part.unknown).slice(0, mostUnknown),
    taint: worst && { ...worst, before: before.slice(0, longest) },
  };
}

/** One of several. */
export function eitherOf(values: readonly Value[]): Value {
  const [first, ...others] = values;
  if (first && (others.length === 0 || values.every(isFixed))) return first;
  const unknown = values.flatMap(value => value.unknown).slice(0, mostUnknown);
  return { ...(worstOf(values) ?? unknownValue('')), unknown };
}

/** The least cleaned counts, and what is certain before what a caller decides. */
function worstOf(values: readonly Value[]) {
  const weight = ({ taint }: Value) =>
    taint ? (taint.parameter ? 0 : 100) - taint.cleaned.length : -100;
  const tainted = values.filter(({ taint }) => taint !== null);
  return tainted.length === 0
    ? null
    : tainted.reduce((one, other) => (weight(other) > weight(one) ? other : one));
}

/** What is cleaned of everything counts as fixed, unless that is a guess. `text`: how it is written. */
export function cleanValue(value: Value, { against, guess }: Cleaner, text: string): Value {
  if (!against) return guess ? unknownValue(text) : fixedText('');
  if (!value.taint) return unknownValue(text);
  const cleaned = [...value.taint.cleaned, ...against];
  return taintedValue({ ...value.taint, cleaned });
}

/** The one who is spoken to is decided by the fixed text in front, or by what is unknown there. */
function isFixedStart({ before }: Taint) {
  return (
    before.includes(hole) ||
    /^(?:[a-z][a-z+.-]*:)?\/\/[^/]+\/|^\/(?!\/|$)|^[#?]|^[\w.-]+[/?]/i.test(before)
  );
}

/** Asks whether there is anything at all, not what it is. */
const asksForPresence = new RegExp(
  '(?:^|[.!])(?:isset|empty|is_null|isnull|len|strlen|count|typeof|nil\\?|blank\\?|present\\?|empty\\?|isEmpty' +
    '|isBlank|isNullOrEmpty|IsNullOrEmpty|IsNullOrWhiteSpace|hasText|hasLength|exists|file_exists|is_file|isFile' +
    '|existsSync|File\\.Exists|print|log|get|args\\.get|Get|FormValue|getParameter|Query|query|header)$',
);
const compares = /^(?:===?|!==?|in|not in|=~|instanceof|is|eql\?)$/;
const emptyThing = /^(?:""|''|null|undefined|nil|None|NULL|true|false|True|False|-?\d+)$/;
const deepest = 40;
const most = 60;

/** Texts of the names, members and calls that the condition checks. */
export function checkedIn(condition: Node, syntax: Syntax) {
  const found: string[] = [];
  collect(condition, false, 0);
  return found;

  function collect(node: Node, isChecked: boolean, depth: number) {
    if (depth > deepest || found.length > most) return;
    const part = partOf(node, syntax);
    const isCall = syntax.calls.has(node.type);
    if (isChecked && (part || isCall || syntax.names.has(node.type)))
      found.push(...[shortText(node)].filter(text => text !== ''));
    if (part && part.index && !isChecked) return collect(part.index, true, depth + 1);
    const isIn =
      isChecked ||
      (isCall
        ? !asksForPresence.test(readCall(node, syntax).name)
        : isComparison(node) || /^(?:in_expression|match_expression)$/.test(node.type));
    for (const child of node.namedChildren) collect(child, isIn, depth + 1);
  }
}

/** A comparison with something that says what it is. */
function isComparison(node: Node) {
  if (!/^(?:binary|comparison|is_pattern)/.test(node.type)) return false;
  const operator =
    node.childForFieldName('operator') ?? node.childForFieldName('operators') ?? node.child(1);
  return (
    compares.test(operator?.text.trim() ?? '') &&
    !node.namedChildren.some(child => emptyThing.test(shortText(child)))
  );
}
