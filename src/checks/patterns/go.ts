/** Go. */
import type { Node } from 'web-tree-sitter';
import { isTestPath } from '../../core/languages/path-kinds.ts';
import { ancestorsOf } from './around.ts';
import { goNumberRule } from './go-numbers.ts';
import {
  isBuilt,
  isBuiltSql,
  isExplained,
  isExplainedAbove,
  isLiteral,
  passwordHashRule,
  type PatternRule,
  shellRule,
  sqlRule,
  tlsRule,
  unreachableRule,
} from './rule.ts';

const grammars = ['go'] as const;

/** In a loop of the same function: the deferred call waits for the end of the function, not of the round. */
function isInLoop(node: Node | null): boolean {
  for (const ancestor of node === null ? [] : ancestorsOf(node)) {
    if (ancestor.type === 'for_statement') return !leavesLoop(node, ancestor);
    if (/^(?:func_literal|function_declaration|method_declaration)$/.test(ancestor.type))
      return false;
  }
  return false;
}

/** The block of the deferred call ends with a return: there is no other round. */
function leavesLoop(node: Node | null, loop: Node): boolean {
  for (const ancestor of node === null ? [] : ancestorsOf(node)) {
    if (ancestor.id === loop.id) return false;
    if (ancestor.type === 'statement_list' && ancestor.lastNamedChild?.type === 'return_statement')
      return true;
  }
  return false;
}

/** The enclosing function gives back nothing but an error. */
function returnsErrorOnly(node: Node | null): boolean {
  for (const ancestor of node === null ? [] : ancestorsOf(node)) {
    if (/^(?:func_literal|function_declaration|method_declaration)$/.test(ancestor.type))
      return ancestor.childForFieldName('result')?.text === 'error';
  }
  return false;
}

/** `body, _ := io.ReadAll(…)` where one of the next statements makes an error that shows it: the call has failed already. */
function isForError(node: Node | null): boolean {
  const name = /^(\w+),\s*_\s*:?=\s*(?:io|ioutil)\.ReadAll\(/.exec(node?.text ?? '')?.[1];
  if (name === undefined) return false;
  const shown = new RegExp(`\\b${name}\\b`);
  let next = node?.nextNamedSibling ?? null;
  for (let step = 0; next !== null && step < 3; step += 1) {
    const text = next.text.slice(0, 500);
    if (shown.test(text)) return makesError.test(text);
    next = next.nextNamedSibling;
  }
  return false;
}

const makesError =
  /^(?:return\b|\w*[eE]rr\w*\s*:?=)[^\n]*\b(?:fmt\.Errorf|errors\.\w+|\w*Error\w*)[({]/;

export const goRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'go-sql',
    grammars,
    query: `(call_expression
        function: (selector_expression field: (field_identifier) @name)
        (#match? @name "^(Query|QueryRow|Exec|Raw|Prepare|Queryx|QueryRowx|MustExec|Select|Get)$")
        arguments: (argument_list . (_) @at))
      (call_expression
        function: (selector_expression field: (field_identifier) @name)
        (#match? @name "^(QueryContext|QueryRowContext|ExecContext|PrepareContext|Query|QueryRow|Exec)$")
        arguments: (argument_list . (_) . (_) @at))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...shellRule,
    id: 'go-shell',
    grammars,
    query: `(call_expression
        function: (selector_expression operand: (identifier) @package field: (field_identifier) @name)
        (#eq? @package "exec")
        (#match? @name "^(Command|CommandContext)$")
        arguments: (argument_list
          (interpreted_string_literal) @shell
          . (interpreted_string_literal) @flag
          . (_) @at)
        (#match? @shell "^.(/bin/|/usr/bin/)?(sh|bash|zsh|cmd|powershell)(\\\\.exe)?.$")
        (#match? @flag "^.(-c|-lc|/c|/C|-Command).$"))`,
    applies: ({ node }) => isBuilt(node('at')),
  },
  {
    ...tlsRule,
    id: 'go-tls-off',
    grammars,
    query: `(keyed_element
        (literal_element (identifier) @name)
        (literal_element (true))
        (#eq? @name "InsecureSkipVerify")) @at
      (assignment_statement
        left: (expression_list (selector_expression field: (field_identifier) @name))
        right: (expression_list (true))
        (#eq? @name "InsecureSkipVerify")) @at`,
  },
  {
    ...passwordHashRule,
    id: 'go-password-hash',
    grammars,
    query: `(call_expression
        function: (selector_expression operand: (identifier) @package field: (field_identifier) @name)
        (#match? @package "^(md5|sha1)$")
        (#eq? @name "Sum")
        arguments: (argument_list (_) @value (#match? @value "[pP][aA][sS][sS][wW]|[pP][wW][dD]"))) @at`,
  },
  {
    id: 'go-template-html',
    weakness: 'CWE-79',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(type_conversion_expression
        type: (qualified_type package: (package_identifier) @package name: (type_identifier) @name)
        operand: (_) @value) @at
      (call_expression
        function: (selector_expression operand: (identifier) @package field: (field_identifier) @name)
        arguments: (argument_list . (_) @value .)) @at`,
    issue: 'Text that is not fixed is declared safe markup: the template no longer escapes it.',
    recommendation: 'Let the template escape the value, or sanitise it first.',
    applies: ({ node }) =>
      node('package')?.text === 'template' &&
      /^(?:HTML|JS|URL|HTMLAttr)$/.test(node('name')?.text ?? '') &&
      isBuilt(node('value')) &&
      !/escape|sanit|encode/i.test(node('value')?.text ?? ''),
  },
  {
    id: 'go-defer-in-loop',
    weakness: 'CWE-772',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(defer_statement) @at',
    issue:
      'The deferred call runs when the function ends, not at the end of each round: files and locks pile up.',
    recommendation:
      'Move the body of the loop into a function of its own, or call it at the end of the round.',
    applies: found => !isTestPath(found.path) && isInLoop(found.node('at')),
  },
  {
    id: 'go-ignored-error',
    weakness: 'CWE-252',
    grammars,
    severity: 'medium',
    category: 'error-handling',
    query: `(assignment_statement
        left: (expression_list . (identifier) @blank .)
        right: (expression_list (call_expression function: (_) @name))
        (#eq? @blank "_")) @at
      (short_var_declaration
        left: (expression_list (identifier) . (identifier) @blank .)
        right: (expression_list (call_expression function: (_) @name))
        (#eq? @blank "_")) @at`,
    issue:
      'The error of a call that can fail on its input is thrown away: the code goes on with an empty value.',
    recommendation: 'Check the error.',
    applies: found =>
      !isTestPath(found.path) &&
      /^(?:json\.(?:Unmarshal|NewDecoder\b.{0,80}\.Decode)|xml\.Unmarshal|yaml\.Unmarshal|io\.ReadAll|ioutil\.Read(?:All|File)|os\.(?:ReadFile|Open|Create|WriteFile)|http\.(?:Get|Post|NewRequest\w*)|url\.Parse|time\.Parse|base64\.\w+\.DecodeString|hex\.DecodeString|rand\.Read|sql\.Open)$/.test(
        found.node('name')?.text ?? '',
      ) &&
      !isExplained(found.node('at'), found) &&
      !isExplainedAbove(found.node('at'), found) &&
      !isForError(found.node('at')),
  },
  goNumberRule,
  {
    id: 'go-error-becomes-nil',
    weakness: 'CWE-391',
    grammars,
    severity: 'medium',
    category: 'error-handling',
    query: `(if_statement
        condition: (binary_expression left: (identifier) @error operator: "!=" right: (nil))
        (#eq? @error "err")
        consequence: (block . (statement_list . (return_statement (expression_list . (nil) .)) @at .))
        !alternative)`,
    issue: 'An error was found and nil is returned: the caller takes the failure for a success.',
    recommendation: 'Return the error, or say in a comment why it does not matter.',
    applies: found =>
      !isTestPath(found.path) &&
      returnsErrorOnly(found.node('at')) &&
      !isExplained(found.node('at')?.parent?.parent ?? null, found),
  },
  {
    id: 'go-empty-error-branch',
    weakness: 'CWE-390',
    grammars,
    severity: 'medium',
    category: 'error-handling',
    query: `(if_statement
        condition: (binary_expression left: (identifier) @error operator: "!=" right: (nil))
        (#eq? @error "err")
        consequence: (block . "{" . "}") @at)`,
    issue: 'The error is looked at and nothing is done about it.',
    recommendation: 'Handle it or return it.',
  },
  {
    id: 'go-lock-copied',
    weakness: 'CWE-667',
    grammars,
    severity: 'high',
    category: 'correctness',
    query: `(parameter_declaration
        type: (qualified_type package: (package_identifier) @package name: (type_identifier) @name)
        (#eq? @package "sync")
        (#match? @name "^(Mutex|RWMutex|WaitGroup|Once|Cond)$")) @at`,
    issue: 'A lock is passed by value: the function works on a copy, and nothing is guarded.',
    recommendation: 'Pass a pointer.',
  },
  {
    id: 'go-add-in-goroutine',
    weakness: 'CWE-362',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `(go_statement
        (call_expression
          function: (func_literal
            body: (block
              (statement_list
                . (expression_statement
                  (call_expression
                    function: (selector_expression operand: (_) @group field: (field_identifier) @name)
                    (#eq? @name "Add")
                    (#match? @group "([wW]g|[wW]ait[gG]roup|[gG]roup)$"))) @at)))))`,
    issue:
      '`Add` inside the goroutine races with `Wait`: the wait can end before the work has begun.',
    recommendation: 'Call `Add` before the `go` statement.',
  },
  {
    ...unreachableRule,
    id: 'go-unreachable',
    grammars,
    query: `(statement_list
        [(return_statement) (break_statement) (continue_statement)]
        . [
          (expression_statement) (assignment_statement) (short_var_declaration) (if_statement) (for_statement)
          (return_statement) (defer_statement)
        ] @at)`,
  },
  {
    id: 'go-constant-condition',
    weakness: 'CWE-571',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(if_statement condition: [(true) (false)] @at)',
    issue: 'The condition is fixed: one of the two branches is dead.',
    recommendation: 'Put the real condition in, or remove the dead branch.',
    applies: ({ node }) => isLiteral(node('at')),
  },
];
