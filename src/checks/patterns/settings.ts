/** Fixed settings, conditions and expressions that are wrong as they are written, in several languages. */
import { ancestorsOf, functionText } from './around.ts';
import { isCleanUp } from './go-clean-up.ts';
import { isRecord } from './go-records.ts';
import type { PatternRule } from './rule.ts';
import { hasNestedQuantifier } from './nested-quantifiers.ts';

const assigned = {
  weakness: 'CWE-481',
  severity: 'medium',
  category: 'correctness',
  issue:
    'The condition assigns a fixed value: it is always the same, and the variable is overwritten.',
  recommendation: 'Compare with `==`.',
} as const;

const endlessPattern = {
  weakness: 'CWE-1333',
  severity: 'medium',
  category: 'security',
  issue:
    'A repeated group repeats again inside: a text that almost fits takes this regular expression forever.',
  recommendation: 'Let every round begin with something that the round before cannot end with.',
} as const;

/** Called with a function that is kept for later, not run in the round. */
const keepsFunction =
  /(?:^|[._])(?:on|on_\w+|connect|bind|add\w*|append|register\w*|subscribe|command|after|schedule\w*|callback\w*|submit|set_\w+)$/;

export const settingRules: readonly PatternRule[] = [
  {
    ...assigned,
    id: 'java-assignment-condition',
    grammars: ['java'],
    query: `(if_statement condition: (parenthesized_expression (assignment_expression right: [(true) (false)]) @at))
      (while_statement condition: (parenthesized_expression (assignment_expression right: [(true) (false)]) @at))`,
  },
  {
    ...assigned,
    id: 'ruby-assignment-condition',
    grammars: ['ruby'],
    query: `(if condition: (assignment right: [(string) (integer) (true) (false) (nil) (simple_symbol)]) @at)
      (unless condition: (assignment right: [(string) (integer) (true) (false) (nil) (simple_symbol)]) @at)`,
  },
  {
    ...endlessPattern,
    id: 'javascript-endless-pattern',
    grammars: ['javascript', 'typescript', 'tsx'],
    query: '(regex pattern: (regex_pattern) @at)',
    applies: ({ node }) => hasNestedQuantifier(node('at')?.text ?? ''),
  },
  {
    ...endlessPattern,
    id: 'python-endless-pattern',
    grammars: ['python'],
    query: `(call
        function: (attribute object: (identifier) @module attribute: (identifier) @name)
        (#eq? @module "re")
        (#match? @name "^(compile|match|search|fullmatch|sub|findall|finditer|split)$")
        arguments: (argument_list . (string (string_content) @at)))`,
    applies: ({ node }) => hasNestedQuantifier(node('at')?.text ?? ''),
  },
  {
    id: 'python-late-binding',
    weakness: 'CWE-665',
    grammars: ['python'],
    severity: 'medium',
    category: 'correctness',
    query: `(call
        function: (attribute attribute: (identifier) @name)
        arguments: (argument_list (lambda body: (_) @body) @at))`,
    issue:
      'The function looks at the variable of the loop when it is called: every one sees the last round.',
    recommendation: 'Keep the value of the round: `lambda name=name: …`.',
    applies: ({ node }) => {
      const lambda = node('at');
      if (lambda === null || !keepsFunction.test(node('name')?.text ?? '')) return false;
      const own = lambda.childForFieldName('parameters')?.text ?? '';
      for (const ancestor of ancestorsOf(lambda, 12)) {
        if (/^(?:function_definition|lambda)$/.test(ancestor.type)) return false;
        if (ancestor.type !== 'for_statement') continue;
        const names = ancestor.childForFieldName('left')?.text.match(/\w+/g) ?? [];
        const body = node('body')?.text ?? '';
        return names.some(
          name =>
            new RegExp(`(?<![.\\w])${name}\\b`).test(body) &&
            !new RegExp(`\\b${name}\\b`).test(own),
        );
      }
      return false;
    },
  },
  {
    id: 'go-old-tls',
    weakness: 'CWE-327',
    grammars: ['go'],
    severity: 'medium',
    category: 'security',
    query: `(keyed_element
        key: (literal_element (identifier) @key)
        value: (literal_element (selector_expression field: (field_identifier) @version))
        (#match? @key "^(MinVersion|MaxVersion)$")
        (#match? @version "^Version(SSL30|TLS10|TLS11)$")) @at`,
    issue: 'A version of TLS is accepted that is broken and withdrawn.',
    recommendation: 'Ask for TLS 1.2 at least.',
  },
  {
    id: 'go-number-cut',
    weakness: 'CWE-190',
    grammars: ['go'],
    severity: 'medium',
    category: 'correctness',
    query: `(call_expression
        function: (identifier) @type
        (#match? @type "^u?int(8|16|32)$")
        arguments: (argument_list . (identifier) @value .)) @at`,
    issue:
      'A number that `Atoi` accepts is cut to fewer bits: large ones come out as other numbers.',
    recommendation: 'Use strconv.ParseInt with the number of bits.',
    applies: ({ node }) => {
      const name = node('value')?.text ?? '';
      const around = functionText(node('at'));
      return (
        new RegExp(`\\b${name}\\s*,\\s*\\w+\\s*:?=\\s*strconv\\.Atoi\\(`).test(around) &&
        !new RegExp(`\\b${name}\\s*[<>]=?|[<>]=?\\s*${name}\\b`).test(around)
      );
    },
  },
  {
    id: 'go-lost-error',
    weakness: 'CWE-252',
    grammars: ['go'],
    severity: 'medium',
    category: 'error-handling',
    query: `(short_var_declaration
        left: (expression_list (identifier) . (identifier) @blank .)
        right: (expression_list (call_expression function: (_) @name arguments: (argument_list . (_) @value)))
        (#eq? @blank "_")
        (#match? @name "^(json|xml|yaml)\\\\.Marshal(Indent)?$")) @at
      (expression_statement
        (call_expression function: (_) @name (#match? @name "^(os\\\\.(Remove|RemoveAll|Rename|Mkdir|MkdirAll|WriteFile|Chmod|Truncate)|json\\\\.Unmarshal)$"))) @at`,
    issue:
      'The error of a call that can fail is thrown away: the code goes on as if it had worked.',
    recommendation: 'Check the error, or say in a comment why it does not matter.',
    applies: found => {
      const { lines, path } = found;
      const row = found.node('at')?.startPosition.row ?? 0;
      return (
        !path.endsWith('_test.go') &&
        !isRecord(found.node('value'), found) &&
        !isCleanUp(found.node('at')) &&
        !lines.slice(Math.max(0, row - 1), row + 1).some(line => /\/\//.test(line))
      );
    },
  },
  {
    id: 'php-loose-hash',
    weakness: 'CWE-697',
    grammars: ['php'],
    severity: 'medium',
    category: 'security',
    query: `(binary_expression
        left: (function_call_expression function: (name) @name)
        operator: ["==" "!="]
        (#match? @name "^(md5|sha1|hash|crypt|hash_hmac|md5_file)$")) @at`,
    issue: 'Hashes are compared as if they were numbers: `0e1…` equals `0e2…`.',
    recommendation: 'Use hash_equals.',
  },
  {
    id: 'csharp-block-mode',
    weakness: 'CWE-327',
    grammars: ['c_sharp'],
    severity: 'high',
    category: 'security',
    query: `(member_access_expression
        expression: (identifier) @type
        name: (identifier) @name
        (#eq? @type "CipherMode")
        (#eq? @name "ECB")) @at`,
    issue: 'This mode shows which blocks are equal.',
    recommendation: 'Use AesGcm.',
    applies: ({ node }) => !/^binary|case|switch/.test(node('at')?.parent?.type ?? ''),
  },
  {
    id: 'csharp-type-names',
    weakness: 'CWE-502',
    grammars: ['c_sharp'],
    severity: 'high',
    category: 'security',
    query: `(member_access_expression
        expression: (identifier) @type
        name: (identifier) @name
        (#eq? @type "TypeNameHandling")
        (#match? @name "^(All|Auto|Objects|Arrays)$")) @at`,
    issue: 'The data names the types that are made of it: reading it can run code.',
    recommendation: 'Leave TypeNameHandling at None.',
    applies: ({ node }) => !/^binary|case|switch/.test(node('at')?.parent?.type ?? ''),
  },
  {
    id: 'csharp-external-entities',
    weakness: 'CWE-611',
    grammars: ['c_sharp'],
    severity: 'high',
    category: 'security',
    query: `(member_access_expression
        expression: (identifier) @type
        name: (identifier) @name
        (#eq? @type "DtdProcessing")
        (#eq? @name "Parse")) @at`,
    issue:
      'The parser follows external entities: a document can read files of the machine and call its network.',
    recommendation: 'Use DtdProcessing.Prohibit.',
    applies: ({ node }) => !/XmlResolver\s*=\s*null/.test(functionText(node('at'))),
  },
  {
    id: 'csharp-forgery-check-off',
    weakness: 'CWE-352',
    grammars: ['c_sharp'],
    severity: 'medium',
    category: 'security',
    query: '(attribute name: (identifier) @at (#eq? @at "IgnoreAntiforgeryToken"))',
    issue: 'Nothing checks any more that the form came from the site itself.',
    recommendation: 'Keep the check, or prove the caller in another way.',
  },
  {
    id: 'csharp-cookie-open',
    weakness: 'CWE-614',
    grammars: ['c_sharp'],
    severity: 'medium',
    category: 'security',
    query: `(object_creation_expression
        type: (identifier) @type
        (#match? @type "^(CookieOptions|HttpCookie|CookieBuilder)$")
        initializer: (initializer_expression
          (assignment_expression left: (identifier) @key right: (boolean_literal) @value) @at
          (#eq? @key "Secure")
          (#eq? @value "false")))`,
    issue: 'The cookie goes over connections that anybody on the way can read.',
    recommendation: 'Set `Secure = true`.',
  },
  {
    id: 'rust-nan-compared',
    weakness: 'CWE-570',
    grammars: ['rust'],
    severity: 'medium',
    category: 'correctness',
    query: `(binary_expression
        operator: ["==" "!=" "<" ">" "<=" ">="]
        right: (scoped_identifier name: (identifier) @name)
        (#eq? @name "NAN")) @at`,
    issue: 'Nothing equals NAN, not even NAN: the answer is always the same.',
    recommendation: 'Use `is_nan`.',
  },
];
