/** Rust. */
import { isBuilt, isBuiltSql, type PatternRule, shellRule, sqlRule, tlsRule } from './rule.ts';

const grammars = ['rust'] as const;

export const rustRules: readonly PatternRule[] = [
  {
    ...sqlRule,
    id: 'rust-sql',
    grammars,
    query: `(call_expression
        function: [
          (field_expression field: (field_identifier) @name) (scoped_identifier name: (identifier) @name)
          (identifier) @name
        ]
        (#match? @name "^(query|query_as|execute|sql_query|prepare|query_row|query_map|query_one|batch_execute|execute_batch|simple_query|raw_sql)$")
        arguments: (arguments . (_) @at))`,
    applies: ({ node }) => isBuiltSql(node('at')),
  },
  {
    ...shellRule,
    id: 'rust-shell',
    grammars,
    query: `(call_expression
        function: (field_expression
          value: (call_expression
            function: (field_expression
              value: (call_expression
                function: (scoped_identifier name: (identifier) @new (#eq? @new "new"))
                arguments: (arguments
                  (string_literal) @shell
                  (#match? @shell "^.(/bin/|/usr/bin/)?(sh|bash|cmd).$"))))
            arguments: (arguments (string_literal) @flag (#match? @flag "^.(-c|/C|-lc).$")))
          field: (field_identifier) @name
          (#eq? @name "arg"))
        arguments: (arguments . (_) @at))`,
    applies: ({ node }) => isBuilt(node('at')),
  },
  {
    ...tlsRule,
    id: 'rust-tls-off',
    grammars,
    query: `(call_expression
        function: (field_expression
          field: (field_identifier) @name
          (#match? @name "^danger_accept_invalid_(certs|hostnames)$"))
        arguments: (arguments (boolean_literal) @value (#eq? @value "true"))) @at`,
  },
  {
    id: 'rust-lock-dropped',
    weakness: 'CWE-667',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: `(let_declaration
        pattern: "_"
        value: [
          (call_expression function: (field_expression field: (field_identifier) @name))
          (call_expression
            function: (field_expression
              value: (call_expression function: (field_expression field: (field_identifier) @name))))
          (await_expression (call_expression function: (field_expression field: (field_identifier) @name)))
        ]
        (#match? @name "^(lock|write)$")) @at`,
    issue: '`let _` drops the guard at once: the lock is not held on the next line.',
    recommendation: 'Give the guard a name such as `_guard`.',
    applies: ({ node }) => /\.(?:lock|write)\(\)/.test(node('at')?.text ?? ''),
  },
  {
    id: 'rust-static-mut',
    weakness: 'CWE-362',
    grammars,
    severity: 'medium',
    category: 'correctness',
    query: '(static_item (mutable_specifier)) @at',
    issue: 'A mutable static can be changed by several threads at once, and nothing stops them.',
    recommendation: 'Use an atomic, a Mutex or OnceLock.',
  },
  {
    id: 'rust-uninitialised',
    weakness: 'CWE-908',
    grammars,
    severity: 'high',
    category: 'correctness',
    query: `(call_expression
        function: (scoped_identifier path: (_) @path name: (identifier) @name)
        (#match? @path "mem$")
        (#eq? @name "uninitialized")) @at`,
    issue: '`mem::uninitialized` is undefined behaviour for nearly every type.',
    recommendation: 'Use MaybeUninit.',
  },
  {
    id: 'rust-password-hash-text',
    weakness: 'CWE-916',
    grammars,
    severity: 'high',
    category: 'security',
    // Inside of a macro there are tokens, no calls.
    query: '(macro_invocation (token_tree) @at)',
    applies: ({ node }) =>
      /\b(?:md5::compute|Md5::digest|Sha1::digest)\s*\([^)]*[pP]assw/.test(
        node('at')?.text.slice(0, 500) ?? '',
      ),
    issue: 'A password goes through a fast, broken hash: a stolen table is read in hours.',
    recommendation: 'Use a password hash such as Argon2, scrypt or bcrypt.',
  },
];
