/** C and C++. */
import { functionText } from './around.ts';
import {
  type Found,
  isBuilt,
  isExplained,
  isLiteral,
  type PatternRule,
  shellRule,
  swallowRule,
} from './rule.ts';

const both = ['c', 'cpp'] as const;

/** The length of the source was taken before, and held against something; or the target was made as long as that. */
function isMeasured({ node }: Found): boolean {
  const at = node('at');
  const around = functionText(at);
  const source = node('source')?.text ?? '';
  const end = around.indexOf(at?.text ?? '');
  const measure = `strlen(${source})`;
  const before = around.slice(0, Math.max(0, end));
  const from = before.lastIndexOf(measure);
  if (from < 0) return false;
  const line = before.slice(before.lastIndexOf('\n', from) + 1, from);
  const after = before.slice(from + measure.length);
  const length = /(\w+)\s*=\s*$/.exec(line)?.[1];
  return (
    /alloc\w*\s*\([^;]*$/.test(line) ||
    /[<>]=?\s*$/.test(line) ||
    /^[^;\n]{0,40}[<>]/.test(after) ||
    (length !== undefined &&
      new RegExp(
        `\\b${length}\\b[^;&|]{0,40}[<>]|[<>][^;&|]{0,40}\\b${length}\\b|alloc\\w*\\s*\\([^;]{0,80}\\b${length}\\b`,
      ).test(after))
  );
}

export const cRules: readonly PatternRule[] = [
  {
    id: 'c-unbounded-input',
    weakness: 'CWE-242',
    grammars: both,
    severity: 'high',
    category: 'security',
    query: `(call_expression function: (identifier) @name (#eq? @name "gets")) @at
      (call_expression
        function: (identifier) @name
        (#match? @name "^(scanf|fscanf|sscanf)$")
        arguments: (argument_list (string_literal) @format (#match? @format "%s"))) @at`,
    issue: 'Input of any length is written into a buffer of fixed length.',
    recommendation: 'Use fgets, or give the width in the format.',
  },
  {
    id: 'c-format-string',
    weakness: 'CWE-134',
    grammars: both,
    severity: 'high',
    category: 'security',
    query: `(call_expression
        function: (identifier) @name
        (#match? @name "^(printf|vprintf)$")
        arguments: (argument_list . (_) @at .))
      (call_expression
        function: (identifier) @name
        (#match? @name "^(fprintf|syslog|dprintf)$")
        arguments: (argument_list . (_) . (_) @at .))`,
    issue: 'The format is a value: percent signs in it read and write memory.',
    recommendation: 'Print it through "%s".',
    applies: ({ node }) =>
      /^(?:identifier|field_expression|subscript_expression|pointer_expression)$/.test(
        node('at')?.type ?? '',
      ) && !/^[A-Z][A-Z0-9_]*$|fmt|format|[uU]sage|[hH]elp|msg_/.test(node('at')?.text ?? ''),
  },
  {
    ...shellRule,
    id: 'c-shell',
    grammars: both,
    query:
      '(call_expression function: (identifier) @name (#match? @name "^(system|popen)$") arguments: (argument_list . (_) @at))',
    applies: ({ node }) =>
      !isLiteral(node('at')) &&
      (isBuilt(node('at')) || /argv|getenv|input|user/i.test(node('at')?.text ?? '')),
  },
  {
    id: 'c-unbounded-copy',
    weakness: 'CWE-120',
    grammars: both,
    severity: 'medium',
    category: 'security',
    query: `(call_expression
        function: (identifier) @name
        (#match? @name "^(strcpy|strcat|wcscpy|stpcpy)$")
        arguments: (argument_list . (_) @target . (_) @source)) @at`,
    issue: 'The copy is as long as its source, whatever the size of the target.',
    recommendation: 'Use snprintf or a copy that knows the size of the target.',
    applies: found =>
      /argv|getenv|input|user|optarg|->\w*(?:name|path|url|host)/i.test(
        found.node('source')?.text ?? '',
      ) && !isMeasured(found),
  },
  {
    id: 'c-temporary-name',
    weakness: 'CWE-377',
    grammars: both,
    severity: 'medium',
    category: 'security',
    query:
      '(call_expression function: (identifier) @name (#match? @name "^(mktemp|tmpnam|tempnam)$")) @at',
    issue: 'Only a name is made: another process can create the file first.',
    recommendation: 'Use mkstemp.',
  },
  {
    id: 'c-assignment-condition',
    weakness: 'CWE-481',
    grammars: ['c'],
    severity: 'medium',
    category: 'correctness',
    query: `[
        (if_statement
          condition: (parenthesized_expression
            (assignment_expression operator: "=" right: [(number_literal) (null) (true) (false) (char_literal)]) @at))
        (while_statement
          condition: (parenthesized_expression
            (assignment_expression operator: "=" right: [(number_literal) (null) (true) (false) (char_literal)]) @at))
      ]`,
    issue:
      'The condition assigns a fixed value: it is always the same, and the variable is overwritten.',
    recommendation: 'Compare with `==`.',
  },
  {
    id: 'cpp-assignment-condition',
    weakness: 'CWE-481',
    grammars: ['cpp'],
    severity: 'medium',
    category: 'correctness',
    query: `[
        (if_statement
          condition: (condition_clause
            value: (assignment_expression
              operator: "="
              right: [(number_literal) (null) (true) (false) (char_literal)]) @at))
        (while_statement
          condition: (condition_clause
            value: (assignment_expression
              operator: "="
              right: [(number_literal) (null) (true) (false) (char_literal)]) @at))
      ]`,
    issue:
      'The condition assigns a fixed value: it is always the same, and the variable is overwritten.',
    recommendation: 'Compare with `==`.',
  },
  {
    id: 'c-empty-if',
    weakness: 'CWE-484',
    grammars: both,
    severity: 'high',
    category: 'correctness',
    query: '(if_statement consequence: (expression_statement . ";" .) @at !alternative)',
    issue: 'A semicolon ends the `if`: what follows runs in any case.',
    recommendation: 'Remove the semicolon.',
    applies: ({ node }) =>
      node('at')?.text === ';' &&
      node('at')?.startPosition.row === node('at')?.previousNamedSibling?.endPosition.row,
  },
  {
    id: 'c-allocation-without-end',
    weakness: 'CWE-131',
    grammars: both,
    severity: 'high',
    category: 'correctness',
    query: `(call_expression
        function: (identifier) @name
        (#eq? @name "malloc")
        arguments: (argument_list . (call_expression function: (identifier) @length (#eq? @length "strlen")) .)) @at`,
    issue: 'There is no room for the zero at the end of the string.',
    recommendation: 'Allocate one byte more.',
  },
  {
    id: 'c-clear-nothing',
    weakness: 'CWE-687',
    grammars: both,
    severity: 'medium',
    category: 'correctness',
    query: `(call_expression
        function: (identifier) @name
        (#eq? @name "memset")
        arguments: (argument_list . (_) . (_) @value . (number_literal) @size .)
        (#eq? @size "0")) @at`,
    issue: 'The size is zero: nothing is set. Value and size look swapped.',
    recommendation: 'Swap the last two arguments.',
    applies: ({ node }) => node('value')?.text !== '0',
  },
  {
    id: 'c-copy-by-source-size',
    weakness: 'CWE-806',
    grammars: both,
    severity: 'medium',
    category: 'correctness',
    query: `(call_expression
        function: (identifier) @name
        (#match? @name "^(strncpy|strncat)$")
        arguments: (argument_list
          . (_)
          . (_) @source
          . (call_expression
            function: (identifier) @length
            (#eq? @length "strlen")
            arguments: (argument_list . (_) @measured .)) .)) @at`,
    issue:
      'The limit is the length of the source: the target is not protected, and the end is missing.',
    recommendation: 'Use the size of the target.',
    applies: ({ node }) => node('source')?.text === node('measured')?.text,
  },
  {
    ...swallowRule,
    id: 'cpp-empty-catch',
    grammars: ['cpp'],
    query: '(catch_clause body: (compound_statement . "{" . "}")) @at',
    applies: found => !isExplained(found.node('at'), found),
  },
];
