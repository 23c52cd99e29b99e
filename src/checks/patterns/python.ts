/** Python. */
import type { Node } from 'web-tree-sitter';
import { isAnswered } from './answered.ts';
import { ancestorsOf } from './around.ts';
import {
  evalRule,
  isBuilt,
  isBuiltSql,
  isBuiltSqlFromOutside,
  isExplained,
  isLiteral,
  isOutside,
  passwordHashRule,
  type PatternRule,
  shellRule,
  sqlRule,
  swallowRule,
  tlsRule,
  unreachableRule,
} from './rule.ts';

const grammars = ['python'] as const;
const firstArgument = 'arguments: (argument_list . (_) @at)';

/** Ways of changing a parameter, or of letting it escape, that make a shared default matter. */
function changesParameter(parameter: Node | null): boolean {
  const name = parameter?.childForFieldName('name')?.text ?? '';
  const definition =
    parameter === null
      ? undefined
      : [...ancestorsOf(parameter, 3)].find(node => node.type === 'function_definition');
  const body = definition?.childForFieldName('body')?.text.slice(0, 20_000) ?? '';
  if (new RegExp(`(?:^|\\n)\\s*${name}\\s*=[^=]`).test(body)) return false;
  return new RegExp(
    `(?<![\\w.])${name}(?:\\.(?:append|extend|add|update|insert|pop|popitem|remove|discard|setdefault|clear|sort)\\(|\\[[^\\]\\n]{1,80}\\]\\s*(?:[-+*|]?=)(?!=)|\\s*\\+=)`,
  ).test(body);
}

/** In a branch that a parameter of the function decides, named after what it switches off: callers ask for it. */
function isAskedFor(at: Node | null): boolean {
  const asked: string[] = [];
  for (const ancestor of at === null ? [] : ancestorsOf(at)) {
    if (ancestor.type === 'if_statement')
      asked.push(ancestor.childForFieldName('condition')?.text ?? '');
    if (ancestor.type !== 'function_definition') continue;
    const names = ancestor.childForFieldName('parameters')?.text.match(/\w+/g) ?? [];
    const body = ancestor.childForFieldName('body');
    return names.some(
      name =>
        /verif|insecure|check_?host|cert_req|validat/i.test(name) &&
        (asked.some(condition => new RegExp(`^(?:not\\s+)?${name}$`).test(condition)) ||
          (!/insecure/i.test(name) && isLeftFor(body, name, at?.startIndex ?? 0))),
    );
  }
  return false;
}

/** `if verified: return …` before it: what follows is for those who asked for it. */
function isLeftFor(body: Node | null, name: string, before: number): boolean {
  return (body?.namedChildren ?? []).some(
    step =>
      step.type === 'if_statement' &&
      step.endIndex < before &&
      step.childForFieldName('alternative') === null &&
      step.childForFieldName('condition')?.text === name &&
      step.childForFieldName('consequence')?.namedChildren.at(-1)?.type === 'return_statement',
  );
}

/** Where `== None` decides something; inside calls it may be an expression of a query builder. */
function isDecision(node: Node | null): boolean {
  for (const ancestor of node === null ? [] : ancestorsOf(node, 8)) {
    if (
      /^(?:if_statement|elif_clause|while_statement|assert_statement|conditional_expression)$/.test(
        ancestor.type,
      )
    )
      return true;
    if (!/^(?:boolean_operator|not_operator|parenthesized_expression)$/.test(ancestor.type))
      return false;
  }
  return false;
}

/** A command that takes in a value, or that somebody outside types. */
function isCommandText(node: Node | null): boolean {
  const text = node?.text ?? '';
  return (isBuilt(node) || isOutside(text)) && !/shlex\.(?:quote|join)/.test(text);
}

function hasRepeatedKey(dictionary: Node | null): boolean {
  const keys = (dictionary?.namedChildren ?? [])
    .filter(child => child.type === 'pair')
    .map(pair => pair.childForFieldName('key'))
    .filter(key => isLiteral(key))
    .map(key => key?.text);
  return new Set(keys).size < keys.length;
}

export const pythonRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'python-sql',
    grammars,
    query: `(call
        function: (attribute
          attribute: (identifier) @name
          (#match? @name "^(execute|executemany|executescript|raw|read_sql|read_sql_query)$"))
        ${firstArgument})
      (call
        function: (attribute attribute: (identifier) @name (#match? @name "^(execute|executemany)$"))
        arguments: (argument_list
          . (call function: (identifier) @text (#eq? @text "text") arguments: (argument_list . (_) @at))))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...sqlRule,
    id: 'python-sql-text',
    grammars,
    query: '(assignment right: [(string) (binary_operator) (call)] @at)',
    applies: ({ node }) => isBuiltSqlFromOutside(node('at')),
  },
  {
    ...shellRule,
    id: 'python-os-system',
    grammars,
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name)
        (#eq? @module "os")
        (#match? @name "^(system|popen)$")
        ${firstArgument})`,
    applies: ({ node }) => isCommandText(node('at')),
  },
  {
    ...shellRule,
    id: 'python-shell-call',
    grammars,
    query: `(call
        function: [(attribute attribute: (identifier) @name) (identifier) @name]
        (#match? @name "^(getoutput|getstatusoutput|create_subprocess_shell)$")
        ${firstArgument})`,
    applies: ({ node }) => isCommandText(node('at')),
  },
  {
    ...shellRule,
    id: 'python-subprocess-shell',
    grammars,
    query: `(call
        function: [(attribute attribute: (identifier) @name) (identifier) @name]
        (#match? @name "^(run|call|check_call|check_output|Popen|getoutput|create_subprocess_shell)$")
        arguments: (argument_list
          . (_) @at
          (keyword_argument name: (identifier) @key value: (true))
          (#eq? @key "shell")))`,
    applies: ({ node }) =>
      !isLiteral(node('at')) &&
      node('at')?.type !== 'list' &&
      !/shlex\.(?:quote|join)/.test(node('at')?.text ?? ''),
  },
  {
    ...evalRule,
    id: 'python-eval',
    grammars,
    query: `(call function: (identifier) @name (#match? @name "^(eval|exec)$") ${firstArgument})`,
    applies: ({ node, path }) =>
      !isLiteral(node('at')) &&
      !node('at')?.text.startsWith('compile(') &&
      !/(?:^|\/)(?:setup|conf)\.py$/.test(path),
  },
  {
    id: 'python-unsafe-yaml',
    weakness: 'CWE-502',
    grammars,
    severity: 'high',
    category: 'security',
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name) @at
        (#eq? @module "yaml")
        (#match? @name "^(load|load_all|unsafe_load|unsafe_load_all)$")
        arguments: (argument_list) @arguments)`,
    issue: 'YAML is loaded with a loader that builds any object: a document can run code.',
    recommendation: 'Use yaml.safe_load.',
    applies: ({ node }) =>
      /unsafe/.test(node('name')?.text ?? '') ||
      !/(?:C?Safe|C?Base|Full)Loader|Loader=\w*safe/i.test(node('arguments')?.text ?? ''),
  },
  {
    id: 'python-pickle',
    weakness: 'CWE-502',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name) @at
        (#match? @module "^(pickle|cPickle|dill|marshal|jsonpickle)$")
        (#match? @name "^(loads|decode)$")
        arguments: (argument_list . (_) @value))`,
    issue: 'Bytes become objects without limits: whoever made the bytes can run code here.',
    recommendation:
      'Use JSON or another format of plain data for anything that crosses a trust border.',
    applies: ({ node }) => !/dumps\(/.test(node('value')?.text ?? ''),
  },
  {
    ...tlsRule,
    id: 'python-tls-off',
    grammars,
    query: `(call
        function: (attribute attribute: (identifier) @name)
        (#match? @name "^(get|post|put|patch|delete|head|request|options|send|Client|AsyncClient|Session)$")
        arguments: (argument_list
          (keyword_argument name: (identifier) @key value: (false)) @at
          (#eq? @key "verify")))
      (call function: (attribute attribute: (identifier) @name) @at (#eq? @name "_create_unverified_context"))
      (assignment left: (attribute attribute: (identifier) @key) right: (false) (#eq? @key "check_hostname")) @at
      (assignment
        left: (attribute attribute: (identifier) @key)
        right: (attribute attribute: (identifier) @value)
        (#eq? @key "verify_mode")
        (#eq? @value "CERT_NONE")) @at`,
    applies: ({ node }) => !isAskedFor(node('at')),
  },
  {
    ...passwordHashRule,
    id: 'python-password-hash',
    grammars,
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name)
        (#eq? @module "hashlib")
        (#match? @name "^(md5|sha1)$")
        arguments: (argument_list . (_) @value (#match? @value "[pP][aA][sS][sS][wW]|[pP][wW][dD]"))) @at`,
    // The name of what is a hash already says so.
    applies: ({ node }) =>
      /passw|pwd/i.test(
        (node('value')?.text ?? '').replace(
          /\w*(?:passw\w*|pwd)_?hash\w*|\w*hash(?:ed)?_?passw\w*/gi,
          '',
        ),
      ),
  },
  {
    id: 'python-mktemp',
    weakness: 'CWE-377',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name) @at
        (#eq? @module "tempfile")
        (#eq? @name "mktemp"))`,
    issue: '`tempfile.mktemp` only names a file: another process can create it first.',
    recommendation: 'Use tempfile.mkstemp or NamedTemporaryFile.',
  },
  {
    id: 'python-debug-server',
    weakness: 'CWE-489',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(call
        function: (attribute object: (identifier) @object attribute: (identifier) @name)
        (#match? @object "^(app|application|server)$")
        (#eq? @name "run")
        arguments: (argument_list (keyword_argument name: (identifier) @key value: (true)) @at (#eq? @key "debug")))`,
    issue: 'The web server starts in debug mode: its error page runs any code a visitor types.',
    recommendation: 'Take the switch from the environment and keep it off by default.',
  },
  {
    id: 'python-mark-safe',
    weakness: 'CWE-79',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(call function: (identifier) @name (#match? @name "^(mark_safe|Markup|SafeString)$") ${firstArgument})`,
    issue:
      'Markup built from values is declared safe: a value with tags in it becomes part of the page.',
    recommendation: 'Use format_html, which escapes the values.',
    applies: ({ node }) =>
      isBuilt(node('at')) && !/escape|sanit|clean/i.test(node('at')?.text ?? ''),
  },
  {
    id: 'python-weak-random',
    weakness: 'CWE-330',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(assignment
        left: (identifier) @name
        right: (_) @value
        (#match? @value "(^|[^a-zA-Z_.])random\\\\.(choice|choices|randint|random|sample|getrandbits)\\\\(")) @at`,
    issue: 'A secret is drawn from `random`, whose numbers can be predicted.',
    recommendation: 'Use the secrets module.',
    applies: ({ node }) =>
      /(?:^|_)(?:token|secret|password|passwd|nonce|salt|session_id|api_key|otp|csrf)(?:$|_)/i.test(
        node('name')?.text ?? '',
      ),
  },
  {
    ...swallowRule,
    id: 'python-except-pass',
    grammars,
    severity: 'medium',
    query: `(except_clause
        . (block . [(pass_statement) (expression_statement (ellipsis)) (continue_statement)] .)) @at
      (except_clause
        value: [(identifier) @type (as_pattern . (identifier) @type)]
        (#match? @type "^(Exception|BaseException)$")
        (block . [(pass_statement) (expression_statement (ellipsis))] .)) @at`,
    applies: found => !isExplained(found.node('at'), found) && !isAnswered(found.node('at')),
  },
  {
    id: 'python-mutable-default',
    weakness: 'CWE-1188',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `[
        (default_parameter value: [(list) (dictionary) (set) (call)] @value)
        (typed_default_parameter value: [(list) (dictionary) (set) (call)] @value)
      ] @at`,
    issue:
      'The default is made once and changed by the function: every later call without this argument sees the changes.',
    recommendation: 'Use None as the default and make the object inside.',
    applies: ({ node }) =>
      (node('value')?.type !== 'call' || /^(?:list|dict|set)\(/.test(node('value')?.text ?? '')) &&
      changesParameter(node('at')),
  },
  {
    id: 'python-none-equality',
    weakness: 'CWE-480',
    grammars,
    severity: 'low',
    category: 'correctness',
    query: '(comparison_operator (_) ["==" "!="] (none)) @at',
    issue: 'Equality with None can be answered by the object itself; identity is meant.',
    recommendation: 'Write `is None` or `is not None`.',
    applies: ({ node }) => isDecision(node('at')),
  },
  {
    id: 'python-is-literal',
    weakness: 'CWE-597',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query:
      '(comparison_operator (_) ["is" "is not"] [(string) (integer) (float) (list) (dictionary) (tuple)]) @at',
    issue: 'Identity with a literal holds or fails by chance of the interpreter.',
    recommendation: 'Compare with `==`.',
  },
  {
    id: 'python-assert-tuple',
    weakness: 'CWE-571',
    grammars,
    severity: 'high',
    category: 'correctness',
    query: '(assert_statement . (tuple (_) (_)) @at .)',
    issue: 'The assertion is a tuple, which is always true: nothing is checked.',
    recommendation: 'Remove the parentheses around condition and message.',
  },
  {
    id: 'python-finally-return',
    weakness: 'CWE-584',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(finally_clause (block [(return_statement) (break_statement)] @at))',
    issue: 'Leaving a `finally` block this way swallows the exception that was on its way.',
    recommendation: 'Return after the statement.',
  },
  {
    id: 'python-raise-not-implemented',
    weakness: 'CWE-684',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query:
      '(raise_statement . [(identifier) @name (call function: (identifier) @name)] (#eq? @name "NotImplemented")) @at',
    issue: '`NotImplemented` is no exception: raising it ends in a TypeError.',
    recommendation: 'Raise NotImplementedError.',
  },
  {
    ...unreachableRule,
    id: 'python-unreachable',
    grammars,
    query: `(block
        [(return_statement) (raise_statement) (continue_statement) (break_statement)]
        . [
          (expression_statement) (assignment) (if_statement) (for_statement) (return_statement) (with_statement)
          (try_statement)
        ] @at)`,
    applies: ({ node }) =>
      !/^yield\b|=\s*yield\b|^\s*if (?:False|TYPE_CHECKING)/.test(node('at')?.text ?? ''),
  },
  {
    id: 'python-repeated-key',
    weakness: 'CWE-462',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(dictionary (pair) (pair)) @at',
    issue: 'The dictionary names a key twice: the first value is lost.',
    recommendation: 'Remove one of them or rename it.',
    applies: ({ node }) => hasRepeatedKey(node('at')),
  },
];
