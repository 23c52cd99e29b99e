/** Where values meet places that they do harm in, calls of functions of the same file included. */
import type { Node } from 'web-tree-sitter';
import type { FlowTable, Kind, Kinds, Sink } from './rule.ts';
import type { Called } from './syntax.ts';
import { isFixedStart, type Taint, unknownValue, type Value } from './value.ts';

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

interface Handed {
  readonly callee: string;
  readonly index: number;
  readonly taint: Taint;
  readonly line: number;
}

/** So that a file made to have many of both costs no more than it holds. */
const mostJoined = 2_000;
const mostOfOne = 5;
const longestCall = 400;

export function createHarm({ sinks }: FlowTable, kinds: Kinds) {
  const found: Harm[] = [];
  const pending = new Map<string, Harm[]>();
  const handed: Handed[] = [];
  let joined = 0;

  const meet = (node: Node, sink: Sink, { text, taint, unknown }: Value): void => {
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
    if (taint !== null && doesHarm(taint, sink, text)) {
      if (parameter === null) found.push(place);
      else if ((joined += 1) <= mostJoined) {
        const key = `${parameter.owner} ${parameter.index}`;
        pending.set(key, [...(pending.get(key) ?? []).slice(0, mostOfOne - 1), place]);
      }
    }
    if (sink.built === undefined || built === undefined) return;
    const parts = parameter === null ? unknown : [...unknown, place.origin];
    if ((sink.shape ?? built.shape).test(text) && parts.some(part => !built.harmless?.test(part)))
      found.push({ ...place, built: sink.built });
  };

  /** `isWhole` false: the text around was put on elsewhere. */
  const doesHarm = (
    taint: Taint,
    sink: Pick<Sink, 'kind' | 'shape'>,
    text: string | null,
  ): boolean => {
    const { shape, byStart } = kinds[sink.kind];
    if (taint.cleaned.includes(sink.kind) || taint.only?.includes(sink.kind) === false)
      return false;
    if (byStart && isFixedStart(taint)) return false;
    return text === null || ((sink.shape ?? shape)?.test(text) ?? true);
  };

  return {
    reach(node: Node, of: Sink['of'], name: string, value: Value): void {
      for (const sink of sinks) if (sink.of === of && sink.name.test(name)) meet(node, sink, value);
    },
    reachCall(node: Node, { name }: Called, spoken: Value | null, given: readonly Value[]): void {
      const text = node.text.slice(0, longestCall);
      for (const sink of sinks)
        if (sink.of === 'call' && sink.name.test(name) && (sink.when?.test(text) ?? true))
          for (const value of chosen(sink, spoken, given)) meet(node, sink, value);
      const callee = name.replace(/^.*(?:\.|::|->)/, '');
      const line = node.startPosition.row + 1;
      for (const [index, { taint }] of given.entries())
        if (taint !== null && taint.parameter === null) handed.push({ callee, index, taint, line });
    },
    all(): readonly Harm[] {
      const through = handed.flatMap(({ callee, index, taint, line }) =>
        (pending.get(`${callee} ${index}`) ?? [])
          .filter(({ kind }) => doesHarm(taint, { kind, shape: undefined }, null))
          .map(harm => ({ ...harm, origin: taint.origin, from: taint.line, call: line })),
      );
      return [...found, ...through];
    },
  };
}

function chosen(
  { argument }: Sink,
  spoken: Value | null,
  given: readonly Value[],
): readonly Value[] {
  if (argument === 'receiver') return [spoken ?? unknownValue('')];
  return argument === 'any' ? given : given.slice(argument).slice(0, 1);
}
