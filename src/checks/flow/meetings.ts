/** Where values from outside meet places that they do harm in, calls of functions of the same file included. */
import type { Node } from 'web-tree-sitter';
import type { Scope } from './scope.ts';
import { type Called, shortText } from './shapes.ts';
import { type FlowTable, type Kind, type Sink, wordsOf } from './table.ts';
import { isFixedStart, nothing, type Parameter, type Taint, type Value } from './value.ts';

/** A value from outside that reached a place. Plain data: no node outlives the tree. */
export interface Flow {
  readonly kind: Kind;
  readonly weakness: string;
  readonly origin: string;
  /** 1-based lines: where the value comes in, where it does harm, first and last. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  /** Line of the call that hands it to the function in which it does harm; null when it is the same function. */
  readonly call: number | null;
}

/** Lines, both included, on which a weakness was looked for and is not there. */
export interface Place {
  readonly weakness: string;
  readonly start: number;
  readonly end: number;
}

interface Pending {
  readonly parameter: Parameter;
  readonly flow: Omit<Flow, 'origin' | 'from' | 'call'>;
}

interface Handed {
  readonly callee: string;
  readonly index: number;
  readonly taint: Taint;
  readonly line: number;
}

const fixed: Value = { taint: null, text: '' };

/** So that a file made to have many of both costs no more than it holds. */
const mostJoined = 2_000;

export function createMeetings({ sinks }: FlowTable) {
  const flows: Flow[] = [];
  const pending: Pending[] = [];
  const handed: Handed[] = [];
  const harmless: Place[] = [];
  const doubtful: Place[] = [];
  const of = (kind: Sink['of']): readonly Sink[] => sinks.filter(sink => sink.of === kind);
  const [byCall, byNode, byEntry, byTarget, byIndex, byAnswer] = [
    of('call'),
    of('node'),
    of('entry'),
    of('target'),
    of('index'),
    of('answer'),
  ] as const;

  const meet = (node: Node, sink: Sink, { taint }: Value): void => {
    if (taint === null || !doesHarm(taint, sink.kind)) return;
    const flow = {
      kind: sink.kind,
      weakness: sink.weakness ?? wordsOf(sink.kind).weakness,
      start: node.startPosition.row + 1,
      end: node.endPosition.row + 1,
    };
    if (taint.parameter === null)
      flows.push({ ...flow, origin: taint.origin, from: taint.line, call: null });
    else pending.push({ parameter: taint.parameter, flow });
  };

  const noteLooked = (
    { kind, argument = 0, weakness = wordsOf(kind).weakness }: Sink,
    parameters: readonly Node[],
    given: readonly Value[],
  ): void => {
    const index = typeof argument === 'number' ? argument : 0;
    const node = parameters.at(index);
    if (node === undefined) return;
    const meant = typeof argument === 'number' ? [given.at(index)] : given;
    const list = meant.every(value => (value?.text ?? null) !== null) ? harmless : doubtful;
    list.push({
      weakness,
      start: node.startPosition.row + 1,
      end: node.endPosition.row + 1,
    });
  };

  return {
    /** Where nothing but what is fixed or cleaned goes in; a line on which something else does as well is not among them. */
    harmless(): readonly Place[] {
      const lines = new Set(doubtful.flatMap(({ weakness, start }) => `${start} ${weakness}`));
      return harmless.filter(({ weakness, start }) => !lines.has(`${start} ${weakness}`));
    },
    reachCall(
      node: Node,
      { name, parameters }: Called,
      spoken: Value,
      given: readonly Value[],
    ): void {
      for (const sink of byCall) {
        if (!sink.name.test(name) || !(sink.when?.test(node.text.slice(0, 400)) ?? true)) continue;
        for (const value of chosen(sink, spoken, given)) meet(node, sink, value);
        noteLooked(sink, parameters, given);
      }
      given.forEach(({ taint }, index) => {
        if (taint !== null && taint.parameter === null)
          handed.push({
            callee: name.replace(/^.*(?:\.|::|->)/, ''),
            index,
            taint,
            line: node.startPosition.row + 1,
          });
      });
    },
    reachNode(node: Node, values: readonly Value[]): void {
      for (const sink of byNode)
        if (sink.name.test(node.type)) {
          for (const value of values) meet(node, sink, value);
          noteLooked(sink, [node], values.every(({ text }) => text !== null) ? [fixed] : [nothing]);
        }
    },
    reachEntry(node: Node, key: string, value: Value): void {
      for (const sink of byEntry) if (sink.name.test(key)) meet(node, sink, value);
    },
    reachTarget(node: Node, target: Node, value: Value): void {
      for (const sink of byTarget) if (sink.name.test(shortText(target))) meet(node, sink, value);
    },
    reachIndex(node: Node, object: Node | null, value: Value): void {
      for (const sink of byIndex) if (sink.name.test(shortText(object))) meet(node, sink, value);
    },
    reachAnswer(node: Node, { heading }: Scope, value: Value): void {
      for (const sink of byAnswer) if (sink.name.test(heading)) meet(node, sink, value);
    },
    flows(): readonly Flow[] {
      const owners = new Map<string, Pending[]>();
      for (const entry of pending.slice(0, mostJoined)) {
        const key = `${entry.parameter.owner} ${entry.parameter.index}`;
        const known = owners.get(key);
        if (known === undefined) owners.set(key, [entry]);
        else known.push(entry);
      }
      const through = handed.flatMap(({ callee, index, taint, line }): Flow[] =>
        (owners.get(`${callee} ${index}`) ?? [])
          .slice(0, 5)
          .filter(({ flow }) => doesHarm(taint, flow.kind, false))
          .map(({ flow }) => ({ ...flow, origin: taint.origin, from: taint.line, call: line })),
      );
      return [...flows, ...through];
    },
  };
}

function chosen({ argument = 0 }: Sink, spoken: Value, given: readonly Value[]): readonly Value[] {
  if (argument === 'receiver') return [spoken];
  if (argument === 'any') return given;
  const value = given[argument < 0 ? given.length + argument : argument];
  return value === undefined ? [] : [value];
}

/** `isWhole` false: the text around was put on elsewhere. */
function doesHarm(taint: Taint, kind: Kind, isWhole = true): boolean {
  const { shape, isByStart = false } = wordsOf(kind);
  if (taint.cleaned.has(kind) || (taint.only !== null && !taint.only.includes(kind))) return false;
  if (isByStart && isFixedStart(taint)) return false;
  return !isWhole || (shape?.test(taint.around) ?? true);
}
