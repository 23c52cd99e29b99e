/**
 * Follows values from outside through one file: assignments, text put together, calls that hand on, what cleans, what checks, and
 * where they do harm. Every node is visited once, in the order of the text; branches are read one after another.
 */
import type { Node } from 'web-tree-sitter';
import { checkedIn } from './checks.ts';
import { createMeetings, type Flow, type Place } from './meetings.ts';
import { assign, isChecked, openScope, type Scope, valueOf } from './scope.ts';
import {
  assignments,
  branches,
  calls,
  childOf,
  choices,
  elementOf,
  functions,
  joiningOperator,
  joins,
  literalOf,
  memberOf,
  names,
  numberType,
  passes,
  readCall,
  shortText,
} from './shapes.ts';
import type { FlowTable, Source } from './table.ts';
import {
  cleanValue,
  eitherOf,
  fixedText,
  joinValues,
  nothing,
  type Taint,
  type Value,
} from './value.ts';

/** Deeper nesting was not written by hand, and any walk by calls ends somewhere. */
const deepest = 400;
const deepestPattern = 20;

interface Walk {
  readonly table: FlowTable;
  readonly meetings: ReturnType<typeof createMeetings>;
  readonly isOver: () => boolean;
  /** False: nothing of the change lies in it, so nothing in it will be said. */
  readonly isWanted: (node: Node) => boolean;
}

export interface Followed {
  readonly flows: readonly Flow[];
  readonly harmless: readonly Place[];
}

/** Every flow of the file, and where only what is fixed or cleaned goes in. */
export function followFlows(
  root: Node,
  table: FlowTable,
  isWanted: Walk['isWanted'],
  isOver: () => boolean,
): Followed {
  const meetings = createMeetings(table);
  visit(root, openScope(null, '', ''), { table, meetings, isOver, isWanted }, 0);
  return { flows: meetings.flows(), harmless: meetings.harmless() };
}

function visit(node: Node, scope: Scope, walk: Walk, depth: number): Value {
  if (depth > deepest || walk.isOver()) return nothing;
  const { type } = node;
  const next = (child: Node): Value => visit(child, scope, walk, depth + 1);
  const text = literalOf(node);
  if (text !== null) return fixedText(text);
  if (names.has(type)) return readName(node, scope, walk);
  if (functions.has(type)) return visitFunction(node, scope, walk, depth);
  if (type in assignments) return visitAssignment(node, scope, walk, next);
  if (calls.has(type)) return visitCall(node, scope, walk, next);
  if (branches.has(type)) return visitBranch(node, scope, next);
  if (choices.has(type)) return visitChoice(node, scope, next);
  if (memberOf(node) !== null || elementOf(node) !== null)
    return visitPart(node, scope, walk, next);
  if (joins.has(type)) return visitJoin(node, walk, next);
  if (/^(?:cast_expression|type_cast_expression)$/.test(type)) return visitCast(node, next);
  if (type === 'keyword_argument' || type === 'pair') return visitEntry(node, walk, next);
  if (type === 'return_statement' || type === 'return') return visitReturn(node, scope, walk, next);
  const values = node.namedChildren.map(next);
  walk.meetings.reachNode(node, values);
  return passes.has(type)
    ? values.length === 1
      ? (values[0] ?? nothing)
      : eitherOf(values)
    : nothing;
}

function visitFunction(node: Node, outer: Scope, walk: Walk, depth: number): Value {
  if (!walk.isWanted(node)) return nothing;
  const declarator = node.childForFieldName('declarator');
  const name = shortText(
    node.childForFieldName('name') ?? declarator?.childForFieldName('declarator') ?? null,
  );
  const scope = openScope(outer, name, headingOf(node));
  const list =
    node.childForFieldName('parameters') ??
    declarator?.childForFieldName('parameters') ??
    node.childForFieldName('parameter');
  (list?.namedChildren ?? []).forEach((parameter, index) => {
    enterParameter(parameter, index, scope, walk);
  });
  for (const child of node.namedChildren)
    if (child.id !== list?.id) visit(child, scope, walk, depth + 1);
  return nothing;
}

/** Decorators and attributes stand beside the function or above it. */
function headingOf(node: Node): string {
  const { parent } = node;
  return parent?.type === 'decorated_definition' ? parent.text.slice(0, 300) : '';
}

function enterParameter(parameter: Node, index: number, scope: Scope, { table }: Walk): void {
  const whole = shortText(parameter);
  const source = table.sources.find(({ of, text }) => of === 'parameter' && text.test(whole));
  const isNumber = numberType.test(
    shortText(parameter.childForFieldName('type')).replace(/^[:\s]+|\?$/g, ''),
  );
  for (const name of parameterNames(parameter)) {
    if (isNumber) {
      scope.values.set(name, nothing);
      continue;
    }
    const owner = source === undefined && scope.name !== '' ? { owner: scope.name, index } : null;
    if (source === undefined && owner === null) scope.values.set(name, nothing);
    else
      scope.values.set(name, {
        text: null,
        taint: {
          origin: name,
          line: parameter.startPosition.row + 1,
          before: '',
          around: '',
          cleaned: new Set(),
          only: source?.only ?? null,
          parameter: owner,
        },
      });
  }
}

function parameterNames(parameter: Node): readonly string[] {
  if (names.has(parameter.type)) return [parameter.text];
  const named =
    parameter.childForFieldName('name') ??
    parameter.childForFieldName('pattern') ??
    parameter.childForFieldName('declarator');
  return targetsIn(named ?? parameter);
}

function visitAssignment(
  node: Node,
  scope: Scope,
  walk: Walk,
  next: (child: Node) => Value,
): Value {
  const { to, from, isAdding = false } = assignments[node.type] ?? { to: 0, from: 1 };
  const isUnnamedLoop = node.type === 'foreach_statement' && childOf(node, to) === null;
  const target = isUnnamedLoop ? node.namedChild(1) : childOf(node, to);
  const origin = isUnnamedLoop ? node.namedChild(0) : (childOf(node, from) ?? unnamedValue(node));
  const given = origin === null ? nothing : next(origin);
  if (target === null) {
    node.namedChildren.forEach(next);
    return nothing;
  }
  const isJoined = isAdding || (node.childForFieldName('operator')?.text ?? '=').length > 1;
  const value = isJoined ? joinValues([next(target), given]) : given;
  if (!names.has(target.type)) {
    walk.meetings.reachTarget(node, target, value);
    visitElement(target, walk, next);
  }
  if (origin !== null) for (const name of targetsIn(target)) assign(scope, name, value);
  for (const child of node.namedChildren)
    if (child.id !== target.id && child.id !== origin?.id) next(child);
  return value;
}

/** C# has no field for the value of a declaration. */
function unnamedValue(node: Node): Node | null {
  const last =
    node.type === 'variable_declarator' ? node.namedChild(node.namedChildCount - 1) : null;
  return last === null ||
    last.id === node.childForFieldName('name')?.id ||
    /type|bracketed|dimensions/.test(last.type)
    ? null
    : last;
}

/** `things[a][b] = c`: the thing whose contents are set is chosen by `a`. */
function visitElement(target: Node, walk: Walk, next: (child: Node) => Value): void {
  const outer = elementOf(target);
  if (outer === null) return;
  if (outer.index !== null) next(outer.index);
  const inner = outer.object === null ? null : elementOf(outer.object);
  if (inner !== null && inner.index !== null)
    walk.meetings.reachIndex(target, inner.object, next(inner.index));
}

/** Names that an assignment sets; a part of a thing stands for nothing. */
function targetsIn(target: Node, depth = 0): readonly string[] {
  if (depth > deepestPattern) return [];
  if (names.has(target.type)) return [target.text];
  if (memberOf(target) !== null || elementOf(target) !== null)
    return [shortText(target)].filter(text => text !== '');
  return target.namedChildren
    .slice(0, 20)
    .filter(child => !/type|annotation|default|key|property_identifier$/.test(child.type))
    .flatMap(child => targetsIn(child, depth + 1));
}

function readName(node: Node, scope: Scope, walk: Walk): Value {
  const text = shortText(node);
  return valueOf(scope, text) ?? fromSource(node, text, 'value', scope, walk) ?? nothing;
}

function fromSource(
  node: Node,
  text: string,
  kind: Source['of'],
  scope: Scope,
  { table }: Walk,
): Value | null {
  if (text === '') return null;
  const plain = text.replaceAll('?.', '.');
  const source = table.sources.find(known => known.of === kind && known.text.test(plain));
  if (source === undefined || isChecked(scope, text)) return null;
  return {
    text: null,
    taint: {
      origin: shortText(node),
      line: node.startPosition.row + 1,
      before: '',
      around: '',
      cleaned: new Set(),
      only: source.only ?? null,
      parameter: null,
    },
  };
}

const countsOnly = /^(?:length|size|count|Length|Count|len)$/;

function visitPart(node: Node, scope: Scope, walk: Walk, next: (child: Node) => Value): Value {
  const text = shortText(node);
  if (text !== '' && isChecked(scope, text)) return nothing;
  const known = text === '' ? null : valueOf(scope, text);
  const element = elementOf(node);
  const member = memberOf(node);
  const object = element?.object ?? member?.object ?? null;
  const inner = object === null ? nothing : next(object);
  if (element?.index) next(element.index);
  if (known !== null) return known;
  const source = fromSource(node, text, 'value', scope, walk);
  if (source !== null) return source;
  if (inner.taint === null || countsOnly.test(member?.name ?? '')) return nothing;
  return { text: null, taint: partOf(inner.taint, text) };
}

/** A part of a source is called by its whole name. */
function partOf(taint: Taint, text: string): Taint {
  return text !== '' && text.startsWith(taint.origin) ? { ...taint, origin: text } : taint;
}

function visitCall(node: Node, scope: Scope, walk: Walk, next: (child: Node) => Value): Value {
  const called = readCall(node);
  const { name, receiver, parameters } = called;
  const { table, meetings } = walk;
  const spoken = receiver === null ? nothing : next(receiver);
  const given = parameters.map(next).flatMap(value => [value, ...namedInside(node, value, scope)]);
  const list = new Set(parameters.map(({ id }) => id));
  for (const child of node.namedChildren)
    if (
      child.id !== receiver?.id &&
      !/^arguments?$|argument_list|token_tree/.test(child.type) &&
      !list.has(child.id) &&
      functionOrBlock(child)
    )
      next(child);
  meetings.reachCall(node, called, spoken, given);
  const whole = shortText(node);
  if (whole !== '' && isChecked(scope, whole)) return nothing;
  const source = fromSource(node, name, 'call', scope, walk);
  if (source !== null) return source;
  const cleaner = table.cleaners.find(known => known.name.test(name));
  if (cleaner !== undefined) return cleanValue(eitherOf([spoken, ...given]), cleaner);
  if (table.carriers.test(name)) return joinFormatted([spoken, ...given], spoken);
  if (spoken.taint === null) return nothing;
  return { text: null, taint: partOf(spoken.taint, whole) };
}

/** `format!("… {name}")` of Rust takes in names that stand in its text. */
function namedInside({ type }: Node, { text }: Value, scope: Scope): readonly Value[] {
  if (type !== 'macro_invocation' || text === null) return [];
  return [...text.matchAll(/\{([A-Za-z_]\w*)/g)].map(
    match => valueOf(scope, match[1] ?? '') ?? nothing,
  );
}

function functionOrBlock({ type }: Node): boolean {
  return functions.has(type) || /block/.test(type);
}

/** A pattern with places holds its values where the places are. */
function joinFormatted(parts: readonly Value[], spoken: Value): Value {
  const own = spoken.taint === null && spoken.text === null ? parts.slice(1) : parts;
  const [pattern, ...rest] = own;
  const text = pattern?.text ?? null;
  const place = text === null ? -1 : text.search(/%[-\d.]*[a-z@]|\{[^{}]{0,40}\}/i);
  if (text === null || place < 0) return joinValues(own);
  const joined = joinValues([fixedText(text.slice(0, place)), ...rest]);
  return joined.taint === null
    ? joined
    : { text: null, taint: { ...joined.taint, around: `${text}${joined.taint.around}` } };
}

function visitBranch(node: Node, scope: Scope, next: (child: Node) => Value): Value {
  const condition = node.childForFieldName('condition') ?? node.childForFieldName('value');
  const [initial] = node.namedChildren;
  if (initial !== undefined && node.childForFieldName('initializer')?.id === initial.id)
    next(initial);
  if (condition !== null) {
    next(condition);
    markChecked(condition, scope);
  }
  scope.branches += 1;
  for (const child of node.namedChildren)
    if (child.id !== condition?.id && child.id !== node.childForFieldName('initializer')?.id)
      next(child);
  scope.branches -= 1;
  return nothing;
}

/** What the condition names, and where that comes from: other names of the same source are meant too. Gives what is new. */
function markChecked(condition: Node, scope: Scope): readonly string[] {
  const texts = checkedIn(condition).flatMap(text => {
    const origin = valueOf(scope, text)?.taint?.origin;
    return origin === undefined ? [text] : [text, origin];
  });
  const fresh = texts.filter(text => !scope.checked.has(text));
  for (const text of fresh) scope.checked.add(text);
  return fresh;
}

function visitChoice(node: Node, scope: Scope, next: (child: Node) => Value): Value {
  const condition =
    node.childForFieldName('condition') ??
    node.namedChild(node.type === 'conditional_expression' ? 1 : 0);
  if (condition !== null) next(condition);
  const fresh = condition === null ? [] : markChecked(condition, scope);
  const values = node.namedChildren.filter(child => child.id !== condition?.id).map(next);
  for (const text of fresh) scope.checked.delete(text);
  return eitherOf(values);
}

function visitJoin(node: Node, walk: Walk, next: (child: Node) => Value): Value {
  const parts = node.namedChildren
    .filter(
      ({ type }) =>
        !/^(?:comment|string_start|string_end|interpolation_(?:start|brace|quote)|escape_sequence|operator)/.test(
          type,
        ),
    )
    .map(next);
  walk.meetings.reachNode(node, parts);
  const operator = node.childForFieldName('operator')?.text;
  const isText =
    operator === undefined
      ? !/^binary|^boolean/.test(node.type) || node.type === 'boolean_operator'
      : joiningOperator.test(operator);
  if (!isText) return nothing;
  if (/^(?:\|\||&&|\?\?|or|and|\?:)$/.test(operator ?? '') || node.type === 'boolean_operator')
    return eitherOf(parts);
  if (operator === '%') return joinFormatted([nothing, ...parts], nothing);
  return parts.length === 0 ? fixedText('') : joinValues(parts);
}

/** Lists and records of values are not texts: what they hold is met at their entries. */
function visitEntry(node: Node, { meetings }: Walk, next: (child: Node) => Value): Value {
  const key = shortText(node.namedChild(0)).replace(/^["':]+|["':]+$/g, '');
  for (const value of node.namedChildren.slice(1).map(next)) meetings.reachEntry(node, key, value);
  return nothing;
}

function visitCast(node: Node, next: (child: Node) => Value): Value {
  const type = node.childForFieldName('type');
  const values = node.namedChildren.filter(child => child.id !== type?.id).map(next);
  return numberType.test(shortText(type)) ? nothing : eitherOf(values);
}

function visitReturn(node: Node, scope: Scope, walk: Walk, next: (child: Node) => Value): Value {
  for (const value of node.namedChildren.map(next)) walk.meetings.reachAnswer(node, scope, value);
  return nothing;
}
