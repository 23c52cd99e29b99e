/**
 * Follows values through one file: assignments, text put together, calls that hand on, what cleans, what checks, and where they do
 * harm. Every node is visited once, in the order of the text; branches are read one after another.
 */
import type { Node } from 'web-tree-sitter';
import {
  type Syntax,
  type Value,
  checkedIn,
  cleanValue,
  createHarm,
  eitherOf,
  fixedText,
  hole,
  isFixed,
  joinValues,
  literalOf,
  pairOf,
  partOf,
  readCall,
  shortText,
  taintedValue,
  unknownValue,
} from './harm.ts';
import type { Language } from './rule.ts';

/** Deeper nesting was not written by hand, and any walk by calls ends somewhere. */
const deepest = 400;
const deepestPattern = 20;
const mostNames = 20;

interface FlowOptions {
  language: Language;
  syntax: Syntax;
  isOver: () => boolean;
  /** False: nothing of the change lies in it, so nothing in it will be said. */
  isWanted: (node: Node) => boolean;
}

interface Walk extends Omit<FlowOptions, 'language'> {
  flow: Language['flow'];
  harm: ReturnType<typeof createHarm>;
}

/** What is known inside one function. */
interface Scope {
  walk: Walk;
  outer: Scope | null;
  /** Name of the function and the lines above it; empty outside of functions. */
  name: string;
  heading: string;
  values: Map<string, Value>;
  /** Names and sources, as written, that a condition has held against something. */
  checked: Set<string>;
  /** How many branches around the statement. */
  branches: number;
}

/** Every place of the file where a value does harm, or text is put together that could. */
export function followValues(root: Node, { language, ...options }: FlowOptions) {
  const walk = { ...options, flow: language.flow, harm: createHarm(language) };
  visit(root, openScope(walk, null), 0);
  return walk.harm.all();
}

function visit(node: Node, scope: Scope, depth: number): Value {
  const { walk } = scope;
  const { syntax, harm } = walk;
  if (depth > deepest || walk.isOver()) return unknownValue('');
  const { type } = node;
  const next = (child: Node): Value => visit(child, scope, depth + 1);
  const text = literalOf(node, syntax);
  if (text !== null) return fixedText(text);
  const kind = visited.find(each => syntax[each].has(type));
  if (kind) return visitors[kind](node, scope, next, depth);
  const children = node.namedChildren.filter(child => !syntax.marks.has(child.type));
  const values = children.map(next);
  if (/^(?:cast_expression|type_cast_expression)$/.test(type)) {
    const castTo = node.childForFieldName('type');
    if (numberType.test(shortText(castTo))) return fixedText('');
    return eitherOf(values.filter((_, index) => children[index]?.id !== castTo?.id));
  }
  if (type === 'keyword_argument' || type === 'pair') {
    const key = shortText(node.namedChild(0)).replace(/^["':]+|["':]+$/g, '');
    for (const value of values.slice(1)) harm.reach(node, 'entry', key, value);
  } else if (type === 'return_statement' || type === 'return') {
    for (const value of values) harm.reach(node, 'answer', scope.heading, value);
  } else for (const value of values) harm.reach(node, 'node', type, value);
  return syntax.passes.has(type) ? eitherOf(values) : unknownValue(shortText(node));
}

type Visit = (node: Node, scope: Scope, next: (child: Node) => Value, depth: number) => Value;

/** By the kind of a node, in the order in which they are asked. */
const visitors = {
  names(node, scope) {
    const text = shortText(node);
    const known = valueOf(scope, text) ?? fromSource(node, text, 'value', scope);
    return known ?? (constant.test(text) ? fixedText('') : unknownValue(text));
  },

  functions(node, outer, _, depth) {
    if (!outer.walk.isWanted(node)) return unknownValue('');
    const declarator = node.childForFieldName('declarator');
    const { parent } = node;
    const scope = openScope(
      outer.walk,
      outer,
      shortText(
        node.childForFieldName('name') ?? declarator?.childForFieldName('declarator') ?? null,
      ),
      // Decorators and attributes stand beside the function or above it.
      parent?.type === 'decorated_definition' ? parent.text.slice(0, 300) : '',
    );
    const list =
      node.childForFieldName('parameters') ??
      declarator?.childForFieldName('parameters') ??
      node.childForFieldName('parameter');
    list?.namedChildren.forEach((parameter, index) => enterParameter(parameter, index, scope));
    for (const child of node.namedChildren)
      if (child.id !== list?.id) visit(child, scope, depth + 1);
    return unknownValue('');
  },

  assignments(node, scope, next) {
    const { walk } = scope;
    const pair = pairOf(node, walk.syntax.assignments);
    const isUnnamedLoop = node.type === 'foreach_statement' && pair?.[0] === null;
    const target = isUnnamedLoop ? node.namedChild(1) : (pair?.[0] ?? null);
    const origin = isUnnamedLoop ? node.namedChild(0) : (pair?.[1] ?? unnamedValue(node));
    const given = origin ? next(origin) : unknownValue('');
    if (!target) {
      node.namedChildren.forEach(next);
      return given;
    }
    const operator = node.childForFieldName('operator')?.text ?? '=';
    const isJoined = walk.syntax.additions.has(node.type) || operator.length > 1;
    const value = isJoined ? joinValues([next(target), given]) : given;
    if (!walk.syntax.names.has(target.type)) {
      walk.harm.reach(node, 'target', shortText(target), value);
      visitElement(target, scope, next);
    }
    if (origin) for (const name of namesIn(target, walk.syntax)) assign(scope, name, value);
    for (const child of node.namedChildren)
      if (child.id !== target.id && child.id !== origin?.id) next(child);
    return value;
  },

  calls(node, scope, next) {
    const { walk } = scope;
    const called = readCall(node, walk.syntax);
    const { name, receiver, parameters } = called;
    const spoken = receiver && next(receiver);
    const given = parameters
      .map(next)
      .flatMap(value => [value, ...namedInside(node, value, scope)]);
    for (const child of node.namedChildren)
      if (walk.syntax.functions.has(child.type) || /block|parenthesized/.test(child.type))
        if (child.id !== receiver?.id && !parameters.some(({ id }) => id === child.id)) next(child);
    walk.harm.reachCall(node, called, spoken, given);
    const whole = shortText(node);
    if (whole !== '' && isChecked(scope, whole)) return fixedText('');
    const source = fromSource(node, name, 'call', scope);
    if (source) return source;
    const parts = spoken ? [spoken, ...given] : given;
    const cleaner = walk.flow.cleaners.find(known => known.name.test(name));
    if (cleaner) return cleanValue(eitherOf(parts), cleaner, whole);
    if (walk.flow.carriers.test(name))
      return joinFormatted(
        // A module, or a thing of which nothing is known, is spoken to and is no text itself.
        spoken && !spoken.taint && spoken.unknown.length > 0 ? given : parts,
      );
    const taint = spoken?.taint ?? null;
    return taint ? taintedValue(partOfTaint(taint, whole)) : unknownValue(whole);
  },

  branches(node, scope, next) {
    const condition = node.childForFieldName('condition') ?? node.childForFieldName('value');
    const initial = node.childForFieldName('initializer');
    if (initial) next(initial);
    if (condition) {
      next(condition);
      markChecked(condition, scope);
    }
    scope.branches += 1;
    for (const child of node.namedChildren)
      if (child.id !== condition?.id && child.id !== initial?.id) next(child);
    scope.branches -= 1;
    return unknownValue('');
  },

  choices(node, scope, next) {
    const condition =
      node.childForFieldName('condition') ??
      node.namedChild(node.type === 'conditional_expression' ? 1 : 0);
    if (condition) next(condition);
    const fresh = condition ? markChecked(condition, scope) : [];
    const values = node.namedChildren.filter(child => child.id !== condition?.id).map(next);
    for (const text of fresh) scope.checked.delete(text);
    return eitherOf(values);
  },

  members: visitPart,
  elements: visitPart,

  joins(node, { walk }, next) {
    const parts = node.namedChildren.filter(({ type }) => !walk.syntax.marks.has(type)).map(next);
    walk.harm.reach(node, 'node', node.type, joinValues(parts));
    const operator =
      node.type === 'boolean_operator' ? 'or' : node.childForFieldName('operator')?.text;
    if (operator === '*' && parts.every(isFixed)) return fixedText('');
    if (operator === undefined ? node.type.startsWith('binary') : !joining.test(operator))
      return unknownValue(shortText(node));
    if (/^(?:\|\||&&|\?\?|or|and|\?:)$/.test(operator ?? '')) return eitherOf(parts);
    return operator === '%' ? joinFormatted(parts) : joinValues(parts);
  },
} satisfies Partial<Record<keyof Syntax, Visit>>;

const visited = Object.keys(visitors) as (keyof typeof visitors)[];

function visitPart(...[node, scope, next]: Parameters<Visit>) {
  const text = shortText(node);
  const { object = null, name = '', index = null } = partOf(node, scope.walk.syntax) ?? {};
  const inner = object ? next(object) : unknownValue('');
  if (index) next(index);
  if (text !== '' && isChecked(scope, text)) return fixedText('');
  const known = valueOf(scope, text) ?? fromSource(node, text, 'value', scope);
  if (known) return known;
  if (countsOnly.test(name)) return fixedText('');
  if (inner.taint) return taintedValue(partOfTaint(inner.taint, text));
  return constant.test(text) ? fixedText('') : unknownValue(text);
}

function enterParameter(parameter: Node, index: number, scope: Scope) {
  const { walk } = scope;
  const whole = shortText(parameter);
  const source = walk.flow.sources.find(({ of, name }) => of === 'parameter' && name.test(whole));
  const type = shortText(parameter.childForFieldName('type')).replace(/^[:\s]+|\?$/g, '');
  const owner = scope.name === '' ? null : { owner: scope.name, index };
  const named = ['name', 'pattern', 'declarator'].flatMap(
    field => parameter.childForFieldName(field) ?? [],
  );
  for (const name of namesIn(named[0] ?? parameter, walk.syntax)) {
    const taint = {
      origin: name,
      line: parameter.startPosition.row + 1,
      before: '',
      cleaned: [],
      only: source?.only ?? null,
      parameter: source ? null : owner,
    };
    if (numberType.test(type)) scope.values.set(name, fixedText(''));
    else if (!source && !owner) scope.values.set(name, unknownValue(name));
    else scope.values.set(name, taintedValue(taint));
  }
}

/** `things[a][b] = c`: the thing whose contents are set is chosen by `a`. */
function visitElement(target: Node, { walk }: Scope, next: (child: Node) => Value) {
  const outer = partOf(target, walk.syntax);
  if (!outer || !outer.index) return;
  next(outer.index);
  const inner = outer.object && partOf(outer.object, walk.syntax);
  if (inner && inner.index)
    walk.harm.reach(target, 'index', shortText(inner.object), next(inner.index));
}

/** Names that an assignment sets; a part of a thing stands for nothing. */
function namesIn(target: Node, syntax: Syntax, depth = 0): readonly string[] {
  if (depth > deepestPattern) return [];
  if (syntax.names.has(target.type)) return [target.text];
  if (partOf(target, syntax)) return [shortText(target)].filter(text => text !== '');
  return target.namedChildren
    .slice(0, mostNames)
    .filter(child => !/type|annotation|default|key|property_identifier$/.test(child.type))
    .flatMap(child => namesIn(child, syntax, depth + 1));
}

function fromSource(node: Node, text: string, kind: 'value' | 'call', scope: Scope) {
  const plain = text.replaceAll('?.', '.');
  const source = scope.walk.flow.sources.find(({ of, name }) => of === kind && name.test(plain));
  if (text === '' || !source || isChecked(scope, text)) return null;
  return taintedValue({
    origin: shortText(node),
    line: node.startPosition.row + 1,
    before: '',
    cleaned: [],
    only: source.only ?? null,
    parameter: null,
  });
}

/** `format!("… {name}")` of Rust takes in names that stand in its text. */
function namedInside({ type }: Node, { text }: Value, scope: Scope) {
  if (type !== 'macro_invocation') return [];
  return [...text.matchAll(/\{([A-Za-z_]\w*)/g)].map(
    ([, name = '']) => valueOf(scope, name) ?? unknownValue(name),
  );
}

/** What the condition names, and where that comes from: other names of the same source are meant too. Gives what is new. */
function markChecked(condition: Node, scope: Scope) {
  const fresh = checkedIn(condition, scope.walk.syntax)
    .flatMap(text => [text, valueOf(scope, text)?.taint?.origin ?? text])
    .filter(text => !scope.checked.has(text));
  for (const text of fresh) scope.checked.add(text);
  return fresh;
}

const countsOnly = /^(?:length|size|count|Length|Count|len)$/;
/** `TABLE`, `Schema.USERS`, `self.QUERY` */
const constant = /^(?:[\w$]+(?:\.|::|->))*[A-Z][A-Z0-9_]*$/;
/** Operators after which a text still holds what went in. */
const joining = /^(?:[+.%&]|\|\||&&|\?\?|or|and|\?:)$/;
/** Casts to numbers and truths leave nothing of a text. */
const numberType =
  /^\(?\s*(?:int|integer|float|double|bool|boolean|long|short|byte|u?int\d*|[iu]\d+|usize|decimal)\s*\)?$/;

function openScope(walk: Walk, outer: Scope | null, name = '', heading = ''): Scope {
  return { walk, outer, name, heading, values: new Map(), checked: new Set(), branches: 0 };
}

function valueOf(scope: Scope, name: string) {
  if (name === '') return null;
  for (let at: Scope | null = scope; at; at = at.outer) {
    if (at.checked.has(name)) return fixedText('');
    const value = at.values.get(name);
    if (!value) continue;
    return value.taint && isChecked(scope, value.taint.origin) ? fixedText('') : value;
  }
  return null;
}

function isChecked(scope: Scope, text: string) {
  for (let at: Scope | null = scope; at; at = at.outer) if (at.checked.has(text)) return true;
  return false;
}

/** In a branch a fixed value is one of two: what was there may still be. What is unknown gets the name in front of it. */
function assign(scope: Scope, name: string, value: Value) {
  if (isFixed(value) && scope.branches > 0 && scope.values.get(name)?.taint) return;
  const [unknown] = value.text === hole && !value.taint ? value.unknown : [];
  scope.values.set(name, unknown === undefined ? value : unknownValue(`${name} = ${unknown}`));
  scope.checked.delete(name);
}

/** C# has no field for the value of a declaration. */
function unnamedValue(node: Node) {
  const last =
    node.type === 'variable_declarator' ? node.namedChild(node.namedChildCount - 1) : null;
  const isName = last?.id === node.childForFieldName('name')?.id;
  return !last || isName || /type|bracketed|dimensions/.test(last.type) ? null : last;
}

/** A part of a source is called by its whole name. */
function partOfTaint(taint: NonNullable<Value['taint']>, text: string) {
  return text !== '' && text.startsWith(taint.origin) ? { ...taint, origin: text } : taint;
}

/** A pattern with places holds its values where the places are. */
function joinFormatted(parts: readonly Value[]) {
  const [pattern, ...rest] = parts;
  const places = /%[-\d.]*[a-z@]|\{[^{}]{0,40}\}/gi;
  if (!pattern || !isFixed(pattern)) return joinValues(parts);
  const place = pattern.text.search(places);
  if (place < 0) return joinValues(parts);
  const joined = joinValues([fixedText(pattern.text.slice(0, place)), ...rest]);
  return isFixed(joined) ? joined : { ...joined, text: pattern.text.replace(places, hole) };
}
