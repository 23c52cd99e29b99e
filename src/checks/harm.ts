/** What is known of a value on its way through a file, what a condition holds against it, and where it does harm. */
import type { Node } from 'web-tree-sitter';
import { z } from 'zod';
import type { Language } from './rule.ts';

type Sink = Language['flow']['sinks'][number];
type Kind = Sink['kind'];

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

export function createHarm({ flow: { sinks }, kinds }: Pick<Language, 'flow' | 'kinds'>) {
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

interface Taint {
  /** As it is written: `req.query.id`; of a parameter its name. */
  origin: string;
  /** 1-based. */
  line: number;
  /** The text in front of the first such part. */
  before: string;
  cleaned: readonly Kind[];
  /** Null: everywhere. */
  only: readonly Kind[] | null;
  /** A parameter of a function of this file, whose callers decide; null: it comes from outside for sure. */
  parameter: { owner: string; index: number } | null;
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
export function eitherOf(values: readonly Value[]) {
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
export function cleanValue(
  value: Value,
  { against, guess }: Language['flow']['cleaners'][number],
  text: string,
): Value {
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

// Which nodes of a syntax tree move values, for all grammars at once: their names are data in `rules/checks/syntax.yaml`.

/** Name of a field, or a number that counts named children, from the end when it is below zero. */
const Field = z.union([z.string(), z.int()]);
type Field = z.infer<typeof Field>;
const Types = z.array(z.string()).transform(types => new Set(types));
const Pairs = z
  .record(z.string(), z.tuple([Field, Field]))
  .transform(entries => new Map(Object.entries(entries)));

export const Syntax = z.strictObject({
  functions: Types,
  calls: Types,
  /** Parts in order make one text. */
  joins: Types,
  /** The value is that of a child. */
  passes: Types,
  choices: Types,
  branches: Types,
  names: Types,
  literals: Types,
  /** What stands in a text without being of it. */
  marks: Types,
  /** Where the value goes, and where it comes from. */
  assignments: Pairs,
  /** Assignments after which what was there is still in it. */
  additions: Types,
  /** The thing and the name of a part of it. */
  members: Pairs,
  /** The thing and the place in it. */
  elements: Pairs,
});
export type Syntax = z.infer<typeof Syntax>;

const longestText = 2_000;
const longestName = 300;

/** The text of a literal without its quotes; null for what is no literal. */
export function literalOf(node: Node, { literals }: Syntax) {
  if (!literals.has(node.type) || node.endIndex - node.startIndex > longestText) return null;
  return node.type.endsWith('_literal')
    ? node.text.replace(/^[@$]*["'`]+|["'`]+$/g, '')
    : node.text;
}

/** Text of a node, or nothing when it is longer than a name could be. */
export function shortText(node: Node | null) {
  return !node || node.endIndex - node.startIndex > longestName ? '' : node.text;
}

function childOf(node: Node, field: Field) {
  if (typeof field === 'string') return node.childForFieldName(field);
  return node.namedChild(field < 0 ? node.namedChildCount + field : field);
}

/** The two nodes that a table names of this one; null when its type is not in the table. */
export function pairOf(
  node: Node,
  table: Syntax['members'],
): readonly [first: Node | null, second: Node | null] | null {
  const fields = table.get(node.type);
  return fields ? [childOf(node, fields[0]), childOf(node, fields[1])] : null;
}

/** A member or an element: the thing it is of, its name, and its place. */
export function partOf(node: Node, { members, elements }: Syntax) {
  const member = pairOf(node, members);
  const [object, second] = member ?? pairOf(node, elements) ?? [];
  if (object === undefined || second === undefined) return null;
  return {
    object: object ?? node.namedChild(0),
    name: member ? shortText(second) : '',
    index: member ? null : (second ?? node.namedChild(1)),
  };
}

interface Called {
  /** The thing that is spoken to: `a.b` of `a.b.c(d)`. */
  receiver: Node | null;
  /** Whole name, `a.b.c`; of a long chain `….c`; a made thing is `new C`. */
  name: string;
  parameters: readonly Node[];
}

export function readCall(node: Node, syntax: Syntax): Called {
  const field = (...names: readonly string[]) =>
    names.map(name => node.childForFieldName(name)).find(child => child !== null) ?? null;
  const list =
    field('arguments') ??
    node.namedChildren.find(child => /^(?:arguments|argument_list|token_tree)$/.test(child.type));
  const parameters = list?.namedChildren.filter(child => child.type !== 'comment') ?? [];
  if (/^(?:new|object_creation)/.test(node.type)) {
    const made = field('constructor', 'type') ?? node.namedChild(0);
    return { receiver: null, name: `new ${shortText(made)}`, parameters };
  }
  const called = field('function', 'macro');
  const part = called && partOf(called, syntax);
  const receiver = called ? (part?.object ?? null) : field('receiver', 'object', 'scope');
  const own = called ? (part?.name ?? '') : shortText(field('method', 'name'));
  const whole = shortText(called).replaceAll('?.', '.').replace(/\s+/g, '');
  const owner = shortText(receiver).replace(/\s+/g, '');
  const name = receiver ? `${owner === '' ? '…' : owner}.${own}` : own;
  return { receiver, name: called ? whole || `….${own}` : name, parameters };
}
