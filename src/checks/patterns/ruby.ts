/** Ruby. */
import type { Node } from 'web-tree-sitter';
import { isAnswered } from './answered.ts';
import {
  evalRule,
  isBuilt,
  isBuiltSql,
  isExplained,
  isLiteral,
  isOutside,
  type PatternRule,
  requestRule,
  shellRule,
  sqlRule,
  swallowRule,
  tlsRule,
} from './rule.ts';

const grammars = ['ruby'] as const;

/** `failures << error`: it is collected, so that it can be raised when the others have had their turn. */
function isKeptForLater(variable: string, body: string): boolean {
  const name = /\w+$/.exec(variable)?.[0];
  return name !== undefined && new RegExp(`<<\\s*${name}\\s*$`, 'm').test(body);
}

/** `FROM #{name}` and `#{name}.id`: where SQL wants the name of a table, unless somebody outside names it. */
function isTable(value: Node | null): boolean {
  const [hole, text] = [value?.parent, value?.parent?.parent];
  if (!value || !hole || !text || isOutside(value.text)) return false;
  const before = text.text.slice(0, Math.max(0, hole.startIndex - text.startIndex));
  const after = text.text.slice(hole.endIndex - text.startIndex);
  return /\b(?:from|join|into|update)\s+$/i.test(before) || /^\.[a-z_]/i.test(after);
}

export const rubyRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'ruby-sql',
    grammars,
    query: `(call
        method: (identifier) @name
        (#match? @name "^(execute|exec_query|select_all|select_rows|select_value|find_by_sql|exec_update|exec_delete)$")
        arguments: (argument_list . (_) @at))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...sqlRule,
    id: 'ruby-sql-condition',
    grammars,
    query: `(call
        receiver: (_)
        method: (identifier) @name
        (#match? @name "^(where|having|delete_all|update_all|find_by)$")
        arguments: (argument_list . (string (interpolation (_) @value)) @at))`,
    applies: ({ node }) =>
      isBuilt(node('at')) &&
      !/table|column|quote|sanitize|_name\b|^[A-Z]|\.to_i$|_sql\b/.test(
        node('value')?.text ?? '',
      ) &&
      !isTable(node('value')),
  },
  {
    ...shellRule,
    id: 'ruby-shell',
    grammars,
    query: `(call
        !receiver
        method: (identifier) @name
        (#match? @name "^(system|exec|spawn)$")
        arguments: (argument_list . (string) @at .))
      (subshell) @at`,
    applies: ({ node }) =>
      isBuilt(node('at')) && !/shellescape|Shellwords/.test(node('at')?.text ?? ''),
  },
  {
    ...evalRule,
    id: 'ruby-eval',
    grammars,
    query:
      '(call !receiver method: (identifier) @name (#eq? @name "eval") arguments: (argument_list . (_) @at))',
    applies: ({ node }) =>
      !isLiteral(node('at')) && !/^<<[-~]?['"]?[A-Z]+/.test(node('at')?.text ?? ''),
  },
  {
    ...requestRule,
    id: 'ruby-request-dispatch',
    weakness: 'CWE-470',
    grammars,
    query: `(call
        receiver: (_) @value
        method: (identifier) @name
        (#match? @name "^(constantize|safe_constantize)$")
        (#match? @value "^params\\\\[")) @at
      (call
        method: (identifier) @name
        (#match? @name "^(send|public_send|instance_variable_get|open)$")
        arguments: (argument_list . (element_reference object: (identifier) @value (#eq? @value "params")) @at))`,
    issue: 'What is called or opened comes straight from the request.',
  },
  {
    id: 'ruby-marshal',
    weakness: 'CWE-502',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(call
        receiver: (constant) @class
        method: (identifier) @name
        (#match? @class "^(Marshal|YAML|Psych)$")
        (#match? @name "^(load|unsafe_load)$")
        arguments: (argument_list . (_) @value)) @at`,
    issue: 'Data becomes objects without limits: whoever made the data can run code here.',
    recommendation: 'Use JSON, or YAML.safe_load.',
    applies: ({ node }) =>
      node('class')?.text === 'Marshal'
        ? node('name')?.text === 'load' && !/dump/.test(node('value')?.text ?? '')
        : node('name')?.text === 'unsafe_load',
  },
  {
    ...tlsRule,
    id: 'ruby-tls-off',
    grammars,
    query: '(scope_resolution name: (constant) @name (#eq? @name "VERIFY_NONE")) @at',
  },
  {
    id: 'ruby-html-safe',
    weakness: 'CWE-79',
    grammars,
    severity: 'medium',
    category: 'security',
    query:
      '(call receiver: (string (interpolation)) @at method: (identifier) @name (#eq? @name "html_safe"))',
    issue:
      'Markup built from values is declared safe: a value with tags in it becomes part of the page.',
    recommendation: 'Use safe_join or content_tag, which escape the values.',
    applies: ({ node }) =>
      isBuilt(node('at')) &&
      !/\b(?:h|escape|sanitize|t|link_to|content_tag)\b/.test(node('at')?.text ?? ''),
  },
  {
    id: 'ruby-permit-all',
    weakness: 'CWE-915',
    grammars,
    severity: 'medium',
    category: 'security',
    query:
      '(call receiver: (_) @params method: (identifier) @at (#eq? @at "permit!") (#match? @params "params"))',
    issue: 'Every parameter of the request may be assigned, also those that nobody thought of.',
    recommendation: 'List the permitted parameters.',
  },
  {
    ...swallowRule,
    id: 'ruby-empty-rescue',
    grammars,
    query: '(rescue) @at',
    applies: found =>
      /^rescue\b(?:[ \t]*(?:StandardError|Exception))?(?:[ \t]*=>[ \t]*\w+)?[ \t]*(?:\n[ \t]*nil)?[ \t]*$/.test(
        found.node('at')?.text.trimEnd() ?? '',
      ) &&
      !isExplained(found.node('at'), found) &&
      !isAnswered(found.node('at')),
  },
  {
    id: 'ruby-rescue-exception',
    weakness: 'CWE-396',
    grammars,
    severity: 'medium',
    category: 'error-handling',
    query:
      '(rescue exceptions: (exceptions . (constant) @at (#eq? @at "Exception") .) variable: (exception_variable)? @name body: (_)? @body)',
    issue: '`rescue Exception` also catches interrupts and the end of the process.',
    recommendation: 'Rescue StandardError.',
    applies: ({ node }) =>
      !/^\s*raise\b|\n\s*raise\b/.test(node('body')?.text ?? '') &&
      !isKeptForLater(node('name')?.text ?? '', node('body')?.text ?? ''),
  },
];
