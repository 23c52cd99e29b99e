/** Java. */
import type { Node } from 'web-tree-sitter';
import { isTestPath } from '../../core/languages/path-kinds.ts';
import { isAnswered } from './answered.ts';
import {
  isBuilt,
  isBuiltSql,
  isExplained,
  passwordHashRule,
  type PatternRule,
  shellRule,
  sqlRule,
  swallowRule,
  tlsRule,
} from './rule.ts';

const grammars = ['java'] as const;

function methodNames(classBody: Node | null): readonly string[] {
  return (classBody?.namedChildren ?? [])
    .filter(child => child.type === 'method_declaration')
    .map(method => method.childForFieldName('name')?.text ?? '');
}

export const javaRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'java-sql',
    grammars,
    query: `(method_invocation
        name: (identifier) @name
        (#match? @name "^(executeQuery|executeUpdate|execute|executeLargeUpdate|addBatch|prepareStatement|prepareCall|createQuery|createNativeQuery|createSQLQuery|queryForObject|queryForList|queryForMap|query|update|batchUpdate)$")
        arguments: (argument_list . (_) @at))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...shellRule,
    id: 'java-runtime-exec',
    grammars,
    query: `(method_invocation
        object: (method_invocation name: (identifier) @runtime (#eq? @runtime "getRuntime"))
        name: (identifier) @name
        (#eq? @name "exec")
        arguments: (argument_list . (_) @at))`,
    applies: ({ node }) => isBuilt(node('at')),
  },
  {
    ...tlsRule,
    id: 'java-trust-all',
    grammars,
    query: `(method_declaration
        name: (identifier) @name
        (#match? @name "^check(Server|Client)Trusted$")
        body: (block . "{" . "}") @at)
      (field_access field: (identifier) @name (#match? @name "^(ALLOW_ALL_HOSTNAME_VERIFIER)$")) @at
      (method_declaration
        name: (identifier) @name
        (#eq? @name "verify")
        parameters: (formal_parameters
          (formal_parameter type: (_))
          (formal_parameter type: (type_identifier) @session (#eq? @session "SSLSession")))
        body: (block . (return_statement (true)) @at .))`,
  },
  {
    ...passwordHashRule,
    id: 'java-password-hash',
    grammars,
    query: `(method_invocation
        object: (identifier) @class
        name: (identifier) @name
        (#match? @class "^(DigestUtils|Hashing|MessageDigest)$")
        (#match? @name "^(md5Hex|sha1Hex|md5|sha1|sha)$")
        arguments: (argument_list (_) @value (#match? @value "[pP][aA][sS][sS][wW]|[pP][wW][dD]"))) @at`,
  },
  {
    ...swallowRule,
    id: 'java-empty-catch',
    grammars,
    severity: 'medium',
    query: `(catch_clause
        (catch_formal_parameter name: (identifier) @name (#not-match? @name "^(ignore|expected|unused|_)"))
        body: (block . "{" . "}")) @at`,
    applies: found => !isExplained(found.node('at'), found) && !isAnswered(found.node('at')),
  },
  {
    id: 'java-string-identity',
    weakness: 'CWE-597',
    grammars,
    severity: 'high',
    category: 'correctness',
    query: `(binary_expression left: (_) operator: ["==" "!="] right: (string_literal)) @at
      (binary_expression left: (string_literal) operator: ["==" "!="] right: (_)) @at`,
    issue: 'Strings are compared by identity: equal text from elsewhere is found different.',
    recommendation: 'Use equals.',
  },
  {
    id: 'java-thread-run',
    weakness: 'CWE-572',
    grammars,
    severity: 'high',
    category: 'correctness',
    query: `(method_invocation
        object: (object_creation_expression type: (type_identifier) @type (#eq? @type "Thread"))
        name: (identifier) @at
        (#eq? @at "run"))`,
    issue: '`run` works in the calling thread: no thread is started.',
    recommendation: 'Call start.',
  },
  {
    id: 'java-equals-without-hash',
    weakness: 'CWE-581',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `(class_body
        (method_declaration
          name: (identifier) @at
          (#eq? @at "equals")
          parameters: (formal_parameters . (formal_parameter type: (type_identifier) @type (#eq? @type "Object")) .))) @body`,
    issue: '`equals` without `hashCode`: equal objects are lost in hash maps and sets.',
    recommendation: 'Override hashCode over the same fields.',
    applies: ({ node, path }) =>
      !isTestPath(path) && !methodNames(node('body')).includes('hashCode'),
  },
  {
    id: 'java-shared-date-format',
    weakness: 'CWE-567',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `(field_declaration
        (modifiers) @modifiers
        (#match? @modifiers "static")
        type: (type_identifier) @type
        (#eq? @type "SimpleDateFormat")) @at`,
    issue: 'SimpleDateFormat is not safe for threads, and a static one is shared by all of them.',
    recommendation: 'Use DateTimeFormatter.',
  },
  {
    id: 'java-finally-return',
    weakness: 'CWE-584',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(finally_clause (block (return_statement) @at))',
    issue: 'Returning from `finally` swallows the exception that was on its way.',
    recommendation: 'Return after the statement.',
  },
  {
    id: 'java-deserialise',
    weakness: 'CWE-502',
    grammars,
    severity: 'medium',
    category: 'security',
    query: `(method_invocation
        object: (object_creation_expression type: (type_identifier) @type (#eq? @type "ObjectInputStream"))
        name: (identifier) @at
        (#eq? @at "readObject"))`,
    issue: 'Bytes become objects without limits: whoever made the bytes can run code here.',
    recommendation: 'Use a format of plain data, or set an ObjectInputFilter.',
  },
];
