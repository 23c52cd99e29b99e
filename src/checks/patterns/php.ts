/** PHP. */
import { isAnswered } from './answered.ts';
import {
  evalRule,
  isBuilt,
  isBuiltSql,
  isExplained,
  isLiteral,
  passwordHashRule,
  type PatternRule,
  requestRule,
  shellRule,
  sqlRule,
  swallowRule,
  tlsRule,
} from './rule.ts';

const grammars = ['php'] as const;
const request = /\$_(?:GET|POST|REQUEST|COOKIE|SERVER\[\s*["'](?:QUERY_STRING|HTTP_))/;
const cleaned =
  /htmlspecialchars|htmlentities|escape|intval|\(int\)|filter_|json_encode|urlencode|basename|in_array|strip_tags|sanit/i;

export const phpRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'php-sql',
    grammars,
    query: `(function_call_expression
        function: (name) @name
        (#match? @name "^(mysqli_query|mysql_query|pg_query|sqlsrv_query|mysqli_multi_query)$")
        arguments: (arguments (argument (_) @at)))
      (member_call_expression
        name: (name) @name
        (#match? @name "^(query|exec|prepare|multi_query|get_results|get_row|get_var|statement|select|unprepared)$")
        arguments: (arguments . (argument (_) @at)))
      (scoped_call_expression
        name: (name) @name
        (#match? @name "^(select|statement|unprepared|raw|insert|update|delete)$")
        arguments: (arguments . (argument (_) @at)))`,
    applies: ({ node }) => isBuiltSql(node('at')) && !/->prefix\b/.test(node('at')?.text ?? ''),
  },
  {
    ...shellRule,
    id: 'php-shell',
    grammars,
    query: `(function_call_expression
        function: (name) @name
        (#match? @name "^(exec|system|shell_exec|passthru|popen|proc_open)$")
        arguments: (arguments . (argument (_) @at)))
      (shell_command_expression) @at`,
    applies: ({ node }) => isBuilt(node('at')) && !/escapeshell/.test(node('at')?.text ?? ''),
  },
  {
    ...evalRule,
    id: 'php-eval',
    grammars,
    query:
      '(function_call_expression function: (name) @name (#eq? @name "eval") arguments: (arguments (argument (_) @at)))',
    applies: ({ node }) => !isLiteral(node('at')),
  },
  {
    ...requestRule,
    id: 'php-unserialize',
    weakness: 'CWE-502',
    grammars,
    query:
      '(function_call_expression function: (name) @name (#eq? @name "unserialize") arguments: (arguments . (argument (_) @at)))',
    issue: 'The request is turned into objects without limits: it can run code here.',
    applies: ({ node }) => request.test(node('at')?.text ?? ''),
  },
  {
    ...requestRule,
    id: 'php-echo-request',
    weakness: 'CWE-79',
    grammars,
    query: '(echo_statement (_) @at) (print_intrinsic (_) @at)',
    issue: 'A value of the request goes into the page as it is (cross-site scripting).',
    applies: ({ node }) =>
      request.test(node('at')?.text ?? '') && !cleaned.test(node('at')?.text ?? ''),
  },
  {
    ...requestRule,
    id: 'php-include-request',
    weakness: 'CWE-98',
    grammars,
    query:
      '[(include_expression (_) @at) (include_once_expression (_) @at) (require_expression (_) @at) (require_once_expression (_) @at)]',
    issue: 'The request chooses which file is run.',
    applies: ({ node }) =>
      request.test(node('at')?.text ?? '') &&
      !/\w\[\s*\$_/.test(node('at')?.text ?? '') &&
      !cleaned.test(node('at')?.text ?? ''),
  },
  {
    ...requestRule,
    id: 'php-extract-request',
    weakness: 'CWE-621',
    grammars,
    severity: 'medium',
    query:
      '(function_call_expression function: (name) @name (#eq? @name "extract") arguments: (arguments . (argument (variable_name) @at)))',
    issue: 'The request can set any variable of this scope.',
    applies: ({ node }) => request.test(node('at')?.text ?? ''),
  },
  {
    ...passwordHashRule,
    id: 'php-password-hash',
    grammars,
    query: `(function_call_expression
        function: (name) @name
        (#match? @name "^(md5|sha1)$")
        arguments: (arguments . (argument (_) @value (#match? @value "[pP][aA][sS][sS][wW]|[pP][wW][dD]")))) @at`,
  },
  {
    ...tlsRule,
    id: 'php-tls-off',
    grammars,
    query: `(function_call_expression
        function: (name) @name
        (#eq? @name "curl_setopt")
        arguments: (arguments (argument (name) @option) . (argument (_) @value))
        (#match? @option "^CURLOPT_SSL_VERIFY(PEER|HOST)$")
        (#match? @value "^(false|0|FALSE)$")) @at`,
  },
  {
    id: 'php-assignment-condition',
    weakness: 'CWE-481',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query:
      '(if_statement condition: (parenthesized_expression (assignment_expression right: [(integer) (string) (boolean) (null)]) @at))',
    issue:
      'The condition assigns a fixed value: it is always the same, and the variable is overwritten.',
    recommendation: 'Compare with `===`.',
  },
  {
    ...swallowRule,
    id: 'php-empty-catch',
    grammars,
    query: '(catch_clause body: (compound_statement . "{" . "}")) @at',
    applies: found => !isExplained(found.node('at'), found) && !isAnswered(found.node('at')),
  },
];
