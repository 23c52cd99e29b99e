/** Which nodes of a syntax tree move values, for all grammars at once: their names are data in `rules/checks/syntax.yaml`. */
import type { Node } from 'web-tree-sitter';
import { z } from 'zod';

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
export function partOf(
  node: Node,
  { members, elements }: Syntax,
): { readonly object: Node | null; readonly name: string; readonly index: Node | null } | null {
  const member = pairOf(node, members);
  const [object, second] = member ?? pairOf(node, elements) ?? [];
  if (object === undefined || second === undefined) return null;
  return {
    object: object ?? node.namedChild(0),
    name: member ? shortText(second) : '',
    index: member ? null : (second ?? node.namedChild(1)),
  };
}

export interface Called {
  /** The thing that is spoken to: `a.b` of `a.b.c(d)`. */
  readonly receiver: Node | null;
  /** Whole name, `a.b.c`; of a long chain `….c`; a made thing is `new C`. */
  readonly name: string;
  readonly parameters: readonly Node[];
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
