/** C#. */
import { isTestPath } from '../../core/languages/path-kinds.ts';
import { isAnswered } from './answered.ts';
import {
  isBuilt,
  isBuiltSql,
  isExplained,
  type PatternRule,
  sqlRule,
  swallowRule,
  tlsRule,
} from './rule.ts';

const grammars = ['c_sharp'] as const;

export const csharpRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'csharp-sql',
    grammars,
    query: `(object_creation_expression
        type: (_) @type
        (#match? @type "(Sql|Npgsql|MySql|Sqlite|Oracle|OleDb|Odbc)(Command|DataAdapter)$")
        arguments: (argument_list . (argument (_) @at)))
      (assignment_expression
        left: (member_access_expression name: (identifier) @name (#eq? @name "CommandText"))
        right: (_) @at)
      (invocation_expression
        function: (member_access_expression
          name: (_) @name
          (#match? @name "^(FromSqlRaw|ExecuteSqlRaw|ExecuteSqlRawAsync|SqlQueryRaw|Query|QueryAsync|QueryFirst|QueryFirstOrDefault|QuerySingle|Execute|ExecuteAsync|ExecuteScalar)(<.*>)?$"))
        arguments: (argument_list . (argument (_) @at)))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...tlsRule,
    id: 'csharp-tls-off',
    grammars,
    query: `(assignment_expression
        left: (_) @name
        right: (lambda_expression body: (boolean_literal) @value)
        (#match? @name "Certificate(Custom)?ValidationCallback$")
        (#eq? @value "true")) @at
      (member_access_expression
        name: (identifier) @name
        (#eq? @name "DangerousAcceptAnyServerCertificateValidator")) @at`,
  },
  {
    id: 'csharp-binary-formatter',
    weakness: 'CWE-502',
    grammars,
    severity: 'high',
    category: 'security',
    query: `(object_creation_expression
        type: (identifier) @type
        (#match? @type "^(BinaryFormatter|SoapFormatter|NetDataContractSerializer|LosFormatter)$")) @at`,
    issue:
      'This formatter builds any object from its input: whoever made the bytes can run code here.',
    recommendation: 'Use System.Text.Json.',
  },
  {
    id: 'csharp-raw-html',
    weakness: 'CWE-79',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(invocation_expression
        function: (member_access_expression
          expression: (identifier) @html
          name: (identifier) @name
          (#eq? @html "Html")
          (#eq? @name "Raw"))
        arguments: (argument_list . (argument (_) @at)))`,
    issue: 'Markup built from values goes into the page as it is.',
    recommendation: 'Let the view encode the value.',
    applies: ({ node }) =>
      isBuilt(node('at')) && !/encode|sanit|serialize/i.test(node('at')?.text ?? ''),
  },
  {
    id: 'csharp-async-void',
    weakness: 'CWE-755',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `(method_declaration
        (modifier) @modifier
        (#eq? @modifier "async")
        returns: (predefined_type) @type
        (#eq? @type "void")
        name: (identifier) @at
        parameters: (parameter_list) @parameters)`,
    issue: 'Nobody can await an `async void` method: its exceptions end the process.',
    recommendation: 'Return Task.',
    applies: ({ node }) =>
      !/EventArgs|\bsender\b/.test(node('parameters')?.text ?? '') &&
      !/^On[A-Z]|_|Handler$|Clicked$|Changed$/.test(node('at')?.text ?? ''),
  },
  {
    id: 'csharp-throw-loses-stack',
    weakness: 'CWE-755',
    grammars,
    severity: 'low',
    category: 'error-handling',
    query:
      '(catch_clause (catch_declaration name: (identifier) @caught) body: (block (throw_statement (identifier) @thrown) @at))',
    issue: 'Throwing the caught exception anew replaces its stack trace.',
    recommendation: 'Write `throw;`.',
    applies: ({ node }) => node('caught')?.text === node('thrown')?.text,
  },
  {
    ...swallowRule,
    id: 'csharp-empty-catch',
    grammars,
    query: '(catch_clause body: (block . "{" . "}")) @at',
    applies: found =>
      !isExplained(found.node('at'), found) &&
      !isAnswered(found.node('at')) &&
      !/OperationCanceled|TaskCanceled|ObjectDisposed|ChannelClosed|\)\s*when\s*\(/.test(
        found.node('at')?.text ?? '',
      ),
  },
  {
    id: 'csharp-lock-this',
    weakness: 'CWE-662',
    grammars,
    severity: 'low',
    category: 'correctness',
    query: '(lock_statement) @at',
    issue: 'Other code can lock on the same object: a deadlock that nobody sees coming.',
    recommendation: 'Lock on a private object.',
    applies: ({ node, path }) =>
      !isTestPath(path) && /^lock\s*\(\s*(?:this|typeof\s*\(|")/.test(node('at')?.text ?? ''),
  },
];
