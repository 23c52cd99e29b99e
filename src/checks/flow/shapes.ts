/**
 * Which nodes of a syntax tree move values, for all grammars at once: their names differ enough to stand in one table. Fields
 * are named as the grammars name them; a number counts named children, from the end when it is below zero.
 */
import type { Node } from 'web-tree-sitter';

type Field = string | number;

interface Assignment {
  readonly to: Field;
  readonly from: Field;
  /** What was there stays in it. */
  readonly isAdding?: boolean;
}

export const assignments: Readonly<Record<string, Assignment>> = {
  variable_declarator: { to: 'name', from: 'value' },
  assignment_expression: { to: 'left', from: 'right' },
  augmented_assignment_expression: { to: 'left', from: 'right', isAdding: true },
  assignment: { to: 'left', from: 'right' },
  augmented_assignment: { to: 'left', from: 'right', isAdding: true },
  operator_assignment: { to: 'left', from: 'right', isAdding: true },
  named_expression: { to: 'name', from: 'value' },
  short_var_declaration: { to: 'left', from: 'right' },
  compound_assignment_expr: { to: 'left', from: 'right', isAdding: true },
  assignment_statement: { to: 'left', from: 'right' },
  var_spec: { to: 'name', from: 'value' },
  range_clause: { to: 'left', from: 'right' },
  for_in_statement: { to: 'left', from: 'right' },
  for_statement: { to: 'left', from: 'right' },
  enhanced_for_statement: { to: 'name', from: 'value' },
  resource: { to: 'name', from: 'value' },
  foreach_statement: { to: 'left', from: 'right' },
  init_declarator: { to: 'declarator', from: 'value' },
  let_declaration: { to: 'pattern', from: 'value' },
  for_expression: { to: 'pattern', from: 'value' },
  as_pattern: { to: -1, from: 0 },
};

export const functions: ReadonlySet<string> = new Set([
  'function_declaration',
  'function_expression',
  'generator_function_declaration',
  'arrow_function',
  'method_definition',
  'function_definition',
  'lambda',
  'method_declaration',
  'constructor_declaration',
  'lambda_expression',
  'func_literal',
  'method',
  'singleton_method',
  'anonymous_function',
  'anonymous_function_creation_expression',
  'local_function_statement',
  'function_item',
  'closure_expression',
]);

export const calls: ReadonlySet<string> = new Set([
  'call_expression',
  'new_expression',
  'call',
  'method_invocation',
  'object_creation_expression',
  'function_call_expression',
  'member_call_expression',
  'scoped_call_expression',
  'invocation_expression',
  'macro_invocation',
]);

/** The thing and the name of a part of it. */
const members: Readonly<Record<string, readonly [Field, Field]>> = {
  member_expression: ['object', 'property'],
  attribute: ['object', 'attribute'],
  selector_expression: ['operand', 'field'],
  field_access: ['object', 'field'],
  member_access_expression: ['object', 'name'],
  nullsafe_member_access_expression: ['object', 'name'],
  field_expression: ['value', 'field'],
  scoped_identifier: ['path', 'name'],
};

/** The thing and the place in it. */
const elements: Readonly<Record<string, readonly [Field, Field]>> = {
  subscript_expression: ['object', 'index'],
  subscript: ['value', 'subscript'],
  index_expression: ['operand', 'index'],
  array_access: ['array', 'index'],
  element_reference: ['object', 1],
  element_access_expression: ['expression', 'subscript'],
};

/** Parts in order make one text. */
export const joins: ReadonlySet<string> = new Set([
  'binary_expression',
  'binary_operator',
  'binary',
  'boolean_operator',
  'concatenated_string',
  'template_string',
  'string',
  'encapsed_string',
  'interpolated_string_expression',
  'heredoc',
  'heredoc_body',
  'chained_string',
  'subshell',
  'shell_command_expression',
]);

/** Operators after which a text still holds what went in. */
export const joiningOperator = /^(?:[+.%&]|\|\||&&|\?\?|or|and|\?:)$/;

/** The value is that of a child. */
export const passes: ReadonlySet<string> = new Set([
  'parenthesized_expression',
  'parenthesized_statements',
  'await_expression',
  'await',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'argument',
  'reference_expression',
  'pointer_expression',
  'try_expression',
  'type_conversion_expression',
  'expression_list',
  'template_substitution',
  'interpolation',
  'pattern_list',
  'argument_list',
  'equals_value_clause',
  'sequence_expression',
]);

export const choices: ReadonlySet<string> = new Set([
  'ternary_expression',
  'conditional_expression',
  'conditional',
]);

export const branches: ReadonlySet<string> = new Set([
  'if_statement',
  'elif_clause',
  'if',
  'unless',
  'elsif',
  'if_modifier',
  'unless_modifier',
  'if_expression',
  'while_statement',
  'case',
  'switch_statement',
]);

export const names: ReadonlySet<string> = new Set([
  'identifier',
  'variable_name',
  'instance_variable',
  'shorthand_property_identifier_pattern',
  'shorthand_property_identifier',
]);

/** Casts to numbers and truths leave nothing of a text. */
export const numberType =
  /^\(?\s*(?:int|integer|float|double|bool|boolean|long|short|byte|u?int\d*|[iu]\d+|usize|decimal)\s*\)?$/;

const literal =
  /^(?:string_content|string_fragment|escape_sequence|interpreted_string_literal|raw_string_literal|string_literal|string_literal_content|interpreted_string_literal_content|raw_string_literal_content|verbatim_string_literal|heredoc_content|nowdoc_string|text_block|string_value|interpolation_format_clause)$/;

/** The text of a literal without its quotes, as far as a rule looks; null for what is no literal. */
export function literalOf(node: Node): string | null {
  if (!literal.test(node.type) || node.endIndex - node.startIndex > longestText) return null;
  return node.type.endsWith('_literal')
    ? node.text.replace(/^[@$]*["'`]+|["'`]+$/g, '')
    : node.text;
}

const longestText = 300;

/** Text of a node, or nothing when it is longer than a name could be. */
export function shortText(node: Node | null): string {
  return node === null || node.endIndex - node.startIndex > longestText ? '' : node.text;
}

export function childOf(node: Node, field: Field): Node | null {
  if (typeof field === 'string') return node.childForFieldName(field);
  return node.namedChild(field < 0 ? node.namedChildCount + field : field);
}

/** Null when the node is no part of another. */
export function memberOf(node: Node): { object: Node | null; name: string } | null {
  const fields = members[node.type];
  if (fields === undefined) return null;
  return {
    object: childOf(node, fields[0]) ?? node.namedChild(0),
    name: shortText(childOf(node, fields[1])),
  };
}

export function elementOf(node: Node): { object: Node | null; index: Node | null } | null {
  const fields = elements[node.type];
  if (fields === undefined) return null;
  return {
    object: childOf(node, fields[0]) ?? node.namedChild(0),
    index: childOf(node, fields[1]) ?? node.namedChild(1),
  };
}

export interface Called {
  /** The thing that is spoken to: `a.b` of `a.b.c(d)`. */
  readonly receiver: Node | null;
  /** Whole name, `a.b.c`; of a long chain `….c`; a made thing is `new C`. */
  readonly name: string;
  readonly parameters: readonly Node[];
}

export function readCall(node: Node): Called {
  const list =
    node.childForFieldName('arguments') ??
    node.namedChildren.find(child => /^(?:arguments|argument_list|token_tree)$/.test(child.type));
  const parameters = list?.namedChildren.filter(child => child.type !== 'comment') ?? [];
  if (/^(?:new|object_creation)/.test(node.type)) {
    const made =
      node.childForFieldName('constructor') ?? node.childForFieldName('type') ?? node.namedChild(0);
    return { receiver: null, name: `new ${shortText(made)}`, parameters };
  }
  const called = node.childForFieldName('function') ?? node.childForFieldName('macro');
  if (called !== null) {
    const member = memberOf(called);
    const whole = shortText(called).replaceAll('?.', '.').replace(/\s+/g, '');
    return {
      receiver: member?.object ?? null,
      name: whole === '' && member !== null ? `….${member.name}` : whole,
      parameters,
    };
  }
  const receiver =
    node.childForFieldName('receiver') ??
    node.childForFieldName('object') ??
    node.childForFieldName('scope');
  const own = shortText(node.childForFieldName('method') ?? node.childForFieldName('name'));
  const owner = shortText(receiver).replace(/\s+/g, '');
  return {
    receiver,
    name: receiver === null ? own : `${owner === '' ? '…' : owner}.${own}`,
    parameters,
  };
}
