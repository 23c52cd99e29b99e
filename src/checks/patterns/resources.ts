/** What is opened and never closed, or used after it was given back. */
import type { Node } from 'web-tree-sitter';
import { functionText } from './around.ts';
import type { PatternRule } from './rule.ts';

const leftOpen = {
  weakness: 'CWE-772',
  severity: 'low',
  category: 'correctness',
} as const;

/** The name is spoken to and never closed, handed on, kept or returned. */
function isNeverClosed(name: string, around: string): boolean {
  if (name === '' || around === '') return false;
  const uses = [...around.matchAll(new RegExp(`\\b${name}\\b\\s*(\\.\\s*\\w+)?`, 'g'))];
  const alone = uses.filter(([, part]) => part === undefined).length;
  return alone === 1 && !uses.some(([, part = '']) => /close|detach|shutdown/i.test(part));
}

/** Freed by the statement before, and not set anew in between. */
function isUsedAfterwards(at: Node | null, name: string): boolean {
  const text = at?.text.slice(0, 2_000) ?? '';
  const plain = new RegExp(
    `(?<![\\w.>])${name}\\s*(?:->|\\[)|\\*\\s*${name}\\b|[(,]\\s*${name}\\s*[,)]`,
  );
  return (
    /^(?:expression_statement|return_statement|declaration)$/.test(at?.type ?? '') &&
    plain.test(text) &&
    !new RegExp(`(?<![\\w.>])${name}\\s*=(?!=)`).test(text)
  );
}

function frees(at: Node | null, name: string): boolean {
  return new RegExp(`^free\\s*\\(\\s*${name}\\s*\\)\\s*;$`).test(at?.text.slice(0, 200) ?? '');
}

const freed = `(expression_statement
      (call_expression
        function: (identifier) @free
        (#eq? @free "free")
        arguments: (argument_list . (identifier) @name .)))`;
const afterFree = `(compound_statement ${freed} . (_) @at)
      (compound_statement ${freed} . (_) @between . (_) @at)`;

function isSetBetween(between: Node | null, name: string): boolean {
  return (
    between !== null &&
    new RegExp(`\\b${name}\\b|^(?:return|goto|break|continue)\\b`).test(
      between.text.slice(0, 2_000),
    )
  );
}

export const resourceRules: readonly PatternRule[] = [
  {
    ...leftOpen,
    id: 'python-file-left-open',
    grammars: ['python'],
    query: `(assignment
        left: (identifier) @name
        right: (call function: (identifier) @open (#eq? @open "open"))) @at`,
    issue: 'The file is opened and nothing closes it.',
    recommendation: 'Open it in a `with` statement.',
    applies: ({ node }) => isNeverClosed(node('name')?.text ?? '', functionText(node('at'))),
  },
  {
    ...leftOpen,
    id: 'java-stream-left-open',
    grammars: ['java'],
    query: `(local_variable_declaration
        declarator: (variable_declarator
          name: (identifier) @name
          value: (object_creation_expression
            type: (type_identifier) @type
            (#match? @type "^(FileReader|FileWriter|FileInputStream|FileOutputStream|BufferedReader|BufferedWriter|RandomAccessFile|PrintWriter|Scanner)$")
            arguments: (argument_list . (_) @given)))) @at`,
    issue: 'The stream is opened and nothing closes it.',
    recommendation: 'Open it in a try-with-resources statement.',
    applies: ({ node }) =>
      (/^(?:File|Random)/.test(node('type')?.text ?? '') ||
        /^new (?:File|InputStreamReader\(new File)/.test(node('given')?.text ?? '')) &&
      isNeverClosed(node('name')?.text ?? '', functionText(node('at'))),
  },
  {
    id: 'c-use-after-free',
    weakness: 'CWE-416',
    grammars: ['c', 'cpp'],
    severity: 'high',
    category: 'correctness',
    query: afterFree,
    issue: 'This was freed just before: its memory may belong to somebody else by now.',
    recommendation: 'Free it after its last use.',
    applies: ({ node }) => {
      const name = node('name')?.text ?? '';
      return (
        isUsedAfterwards(node('at'), name) &&
        !frees(node('at'), name) &&
        !isSetBetween(node('between'), name)
      );
    },
  },
  {
    id: 'c-double-free',
    weakness: 'CWE-415',
    grammars: ['c', 'cpp'],
    severity: 'high',
    category: 'correctness',
    query: afterFree,
    issue: 'This was freed just before: freeing it again destroys the heap.',
    recommendation: 'Free it once, and set the pointer to NULL.',
    applies: ({ node }) => {
      const name = node('name')?.text ?? '';
      return frees(node('at'), name) && !isSetBetween(node('between'), name);
    },
  },
  {
    id: 'c-size-of-pointer',
    weakness: 'CWE-467',
    grammars: ['c', 'cpp'],
    severity: 'high',
    category: 'correctness',
    query: `(call_expression
        function: (identifier) @called
        (#match? @called "^(memset|memcpy|memmove|bzero|strncpy|snprintf|explicit_bzero)$")
        arguments: (argument_list . (identifier) @name (sizeof_expression) @size)) @at`,
    issue: 'The size is that of the pointer, not of what it points to.',
    recommendation: 'Pass the size along with the pointer.',
    applies: ({ node }) => {
      const name = node('name')?.text ?? '';
      return (
        new RegExp(`^sizeof\\s*\\(?\\s*${name}\\s*\\)?$`).test(node('size')?.text ?? '') &&
        new RegExp(`\\b\\w+\\s*\\*+\\s*(?:const\\s+)?${name}\\s*[,)=;]`).test(
          functionText(node('at')),
        )
      );
    },
  },
];
