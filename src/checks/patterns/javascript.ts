/** JavaScript and TypeScript. */
import { isToldByHand } from '../own-program.ts';
import { isAnswered } from './answered.ts';
import { functionText } from './around.ts';
import {
  isBuilt,
  isBuiltSql,
  isBuiltSqlFromOutside,
  isExplained,
  isLiteral,
  isOutside,
  passwordHashRule,
  type PatternRule,
  requestRule,
  shellRule,
  sqlRule,
  swallowRule,
  tlsRule,
} from './rule.ts';

const all = ['javascript', 'typescript', 'tsx'] as const;
const withJsx = ['javascript', 'tsx'] as const;

/** Kept in one place and compared with that place later, and nothing else: tells the newest request from older ones. */
function tellsNewest(name: string, around: string): boolean {
  const [, place] =
    new RegExp(`(?<![\\w$.])([\\w$.]{1,80})\\s*=\\s*${name}\\b(?!\\s*[.([])`).exec(around) ?? [];
  if (place === undefined) return false;
  const compared =
    around.split(new RegExp(`${place.replace(/[.$]/g, '\\$&')}\\s*[!=]==?\\s*${name}\\b`)).length -
    1;
  const uses = around.match(new RegExp(`(?<![\\w$.])${name}\\b`, 'g'))?.length ?? 0;
  // Its declaration, the place, and the comparisons.
  return compared > 0 && uses === compared + 2;
}

const request = /\b(?:req|request|ctx)\.(?:query|params|body|headers|cookies)\b/;

export const javascriptRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'javascript-sql',
    grammars: all,
    query: `(call_expression
        function: (member_expression
          property: (property_identifier) @name
          (#match? @name "^(query|execute|raw|exec|all|get|run|prepare|\\\\$queryRawUnsafe|\\\\$executeRawUnsafe|unsafe)$"))
        arguments: (arguments . (_) @at))
      (call_expression
        function: (member_expression property: (property_identifier) @name (#match? @name "^(query|execute)$"))
        arguments: (arguments
          . (object (pair key: (property_identifier) @key value: (_) @at) (#match? @key "^(sql|text)$"))))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...sqlRule,
    id: 'javascript-sql-text',
    grammars: all,
    query: `[
        (variable_declarator value: [(template_string) (binary_expression)] @at)
        (assignment_expression right: [(template_string) (binary_expression)] @at)
      ]`,
    applies: ({ node }) => isBuiltSqlFromOutside(node('at')),
  },
  {
    ...shellRule,
    id: 'javascript-shell',
    grammars: all,
    query: `(call_expression
        function: [(identifier) @name (member_expression object: (_) @object property: (property_identifier) @name)]
        (#match? @name "^(exec|execSync|execAsync)$")
        arguments: (arguments . (_) @at))`,
    applies: ({ node, lines }) =>
      (isOutside(node('at')?.text ?? '') || (isBuilt(node('at')) && !isToldByHand(lines))) &&
      (node('object') === null ||
        /^(?:child_process|childProcess|cp|shell|shelljs|require\(["'](?:node:)?child_process["']\))$/.test(
          node('object')?.text ?? '',
        )),
  },
  {
    ...shellRule,
    id: 'javascript-shell-option',
    grammars: all,
    query: `(call_expression
        function: [(identifier) @name (member_expression property: (property_identifier) @name)]
        (#match? @name "^(spawn|spawnSync|execFile|execFileSync|fork)$")
        arguments: (arguments
          . (_) @at
          (object (pair key: (property_identifier) @key value: (true)) (#eq? @key "shell"))))`,
    applies: ({ node }) => isBuilt(node('at')),
  },
  {
    id: 'javascript-new-function',
    weakness: 'CWE-95',
    grammars: all,
    severity: 'high',
    category: 'security',
    query:
      '(new_expression constructor: (identifier) @name (#eq? @name "Function") arguments: (arguments) @at)',
    issue:
      'A function is compiled from text that is not fixed: whoever controls the text controls the program.',
    recommendation: 'Choose from a table of known functions.',
    applies: ({ node }) => node('at')?.namedChildren.some(child => !isLiteral(child)) ?? false,
  },
  {
    id: 'javascript-inner-html',
    weakness: 'CWE-79',
    grammars: all,
    severity: 'medium',
    category: 'security',
    query: `(assignment_expression
        left: (member_expression property: (property_identifier) @name (#match? @name "^(innerHTML|outerHTML)$"))
        right: (_) @value) @at`,
    issue:
      'Markup is built from values: a value with tags in it becomes part of the page (cross-site scripting).',
    recommendation: 'Use textContent, or sanitise the value first.',
    applies: ({ node }) =>
      isBuilt(node('value')) && !/sanit|escape|purify|encode/i.test(node('value')?.text ?? ''),
  },
  {
    id: 'javascript-dangerous-html',
    weakness: 'CWE-79',
    grammars: withJsx,
    severity: 'medium',
    category: 'security',
    query: `(jsx_attribute
        (property_identifier) @name
        (#eq? @name "dangerouslySetInnerHTML")
        (jsx_expression (object (pair value: (_) @value)))) @at`,
    issue: 'Markup that is not fixed goes into the page as it is (cross-site scripting).',
    recommendation: 'Render the value as text, or sanitise it first.',
    applies: ({ node }) =>
      !isLiteral(node('value')) &&
      !/sanit|escape|purify|JSON\.stringify|highlight|render|markdown|css|style|script|theme/i.test(
        node('value')?.text ?? '',
      ),
  },
  {
    ...tlsRule,
    id: 'javascript-tls-off',
    grammars: all,
    query: `((pair key: (property_identifier) @name value: (false)) @at (#eq? @name "rejectUnauthorized"))
      ((assignment_expression left: (_) @env right: (string) @off) @at
        (#match? @env "NODE_TLS_REJECT_UNAUTHORIZED") (#match? @off "0"))`,
  },
  {
    ...passwordHashRule,
    id: 'javascript-password-hash',
    grammars: all,
    query: `(call_expression
        function: (member_expression
          object: (call_expression
            function: [(identifier) @create (member_expression property: (property_identifier) @create)]
            (#eq? @create "createHash")
            arguments: (arguments . (string) @kind))
          property: (property_identifier))
        arguments: (arguments (_) @value)
        (#match? @kind "^.(md5|sha1)")
        (#match? @value "[pP][aA][sS][sS][wW]|[pP][wW][dD]")) @at`,
  },
  {
    id: 'javascript-weak-random',
    weakness: 'CWE-338',
    grammars: all,
    severity: 'medium',
    category: 'security',
    query:
      '(variable_declarator name: (identifier) @name value: (_) @value (#match? @value "Math\\\\.random\\\\(\\\\)")) @at',
    issue: 'A secret is drawn from Math.random, whose numbers can be predicted.',
    recommendation: 'Use crypto.randomBytes or crypto.getRandomValues.',
    applies: ({ node }) =>
      /token|secret|password|nonce|salt|sessionId|apiKey|otp\b|csrf/i.test(
        node('name')?.text ?? '',
      ) &&
      (node('value')?.text.length ?? 0) < 300 &&
      !tellsNewest(node('name')?.text ?? '', functionText(node('at'))),
  },
  {
    ...requestRule,
    id: 'javascript-request-path',
    weakness: 'CWE-22',
    grammars: all,
    query: `(call_expression
        function: [(identifier) @name (member_expression property: (property_identifier) @name)]
        (#match? @name "^(readFile|readFileSync|createReadStream|writeFile|writeFileSync|unlink|unlinkSync|sendFile|download|rm|rmSync)$")
        arguments: (arguments . (_) @at))`,
    issue: 'A path comes straight from the request: "../" in it reaches any file of the server.',
    applies: ({ node }) =>
      request.test(node('at')?.text ?? '') &&
      !/basename|sanit|valid|safe/i.test(node('at')?.text ?? ''),
  },
  {
    ...requestRule,
    id: 'javascript-open-redirect',
    weakness: 'CWE-601',
    grammars: all,
    severity: 'medium',
    query: `(call_expression
        function: (member_expression property: (property_identifier) @name (#eq? @name "redirect"))
        arguments: (arguments (_) @at .))`,
    issue:
      'The target of the redirect comes straight from the request: the site can be used to send people anywhere.',
    applies: ({ node }) =>
      /^(?:req|request|ctx)\.(?:query|params|body)\b/.test(node('at')?.text ?? ''),
  },
  {
    id: 'javascript-token-unchecked',
    weakness: 'CWE-347',
    grammars: all,
    severity: 'high',
    category: 'security',
    query: `(call_expression
        function: (member_expression object: (_) @object property: (property_identifier) @name)
        (#match? @object "[jJ][wW][tT]|jsonwebtoken")
        (#eq? @name "verify")
        arguments: (arguments (object (pair key: (property_identifier) @key value: (_) @value) @at)))`,
    issue: 'The token is accepted although its signature or its expiry is not checked.',
    recommendation: 'Name the one algorithm in use and check the expiry.',
    applies: ({ node }) =>
      (node('key')?.text === 'ignoreExpiration' && node('value')?.text === 'true') ||
      (node('key')?.text === 'algorithms' && /["']none["']/i.test(node('value')?.text ?? '')),
  },
  {
    ...swallowRule,
    id: 'javascript-empty-catch',
    grammars: all,
    query: '(catch_clause parameter: (_) @name body: (statement_block) @body) @at',
    applies: found =>
      found.node('body')?.namedChildCount === 0 &&
      !/^(?:_|ignore|expected|unused)/.test(found.node('name')?.text ?? '') &&
      !isExplained(found.node('at'), found) &&
      !isAnswered(found.node('at')),
  },
  {
    id: 'javascript-async-for-each',
    weakness: 'CWE-662',
    grammars: all,
    severity: 'medium',
    category: 'correctness',
    query: `(call_expression
        function: (member_expression property: (property_identifier) @at (#eq? @at "forEach"))
        arguments: (arguments . [(arrow_function "async") (function_expression "async")]))`,
    issue:
      '`forEach` does not wait for its async callback: the code goes on before the work is done, and errors are lost.',
    recommendation: 'Use `for … of` with await, or `await Promise.all(list.map(…))`.',
  },
  {
    id: 'javascript-async-filter',
    weakness: 'CWE-571',
    grammars: all,
    severity: 'high',
    category: 'correctness',
    query: `(call_expression
        function: (member_expression
          object: (_) @object
          property: (property_identifier) @at
          (#match? @at "^(filter|some|every|find|findIndex)$"))
        arguments: (arguments . [(arrow_function "async") (function_expression "async")]))`,
    issue: 'The async callback returns a promise, which is always true: every element passes.',
    recommendation:
      'Compute the answers first with `await Promise.all(list.map(…))`, then filter by them.',
    applies: ({ node }) =>
      !/^(?:_|async|Promise|Bluebird|stream|pipe|from\(|\$|page|browser)/i.test(
        node('object')?.text ?? '',
      ),
  },
  {
    id: 'javascript-finally-throw',
    weakness: 'CWE-584',
    grammars: all,
    severity: 'medium',
    category: 'correctness',
    query: '(finally_clause body: (statement_block (throw_statement) @at))',
    issue: 'An error thrown in `finally` replaces the one that was on its way.',
    recommendation: 'Throw in the catch clause, or keep the first error as the cause.',
  },
];
