/** Loops one round too long, and divisions by a length that may be zero: the same in several languages. */
import type { Node } from 'web-tree-sitter';
import { functionText } from './around.ts';
import {
  dividesByUnknownLength,
  rangesPastEnd,
  readsPastEnd,
  writesPastArray,
} from './past-the-end.ts';
import type { PatternRule } from './rule.ts';

const pastEnd = {
  weakness: 'CWE-193',
  severity: 'high',
  category: 'correctness',
  issue: 'The last round of this loop is one past the end of the list.',
  recommendation: 'End one round earlier: `<` instead of `<=`.',
} as const;

const emptyDivisor = {
  weakness: 'CWE-369',
  severity: 'low',
  category: 'correctness',
  issue: 'An empty list makes this a division by zero.',
  recommendation: 'Say first what comes out for an empty list.',
} as const;

const longest = 20_000;

function shortLoop(node: Node | null): string {
  return node === null || node.endIndex - node.startIndex > longest ? '' : node.text;
}

const counting = '(for_statement condition: (_) @at) @loop';

export const loopRules: readonly PatternRule[] = [
  {
    ...pastEnd,
    id: 'javascript-past-end',
    grammars: ['javascript', 'typescript', 'tsx'],
    query: counting,
    applies: ({ node }) => readsPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'java-past-end',
    grammars: ['java'],
    query: counting,
    applies: ({ node }) => readsPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'csharp-past-end',
    grammars: ['c_sharp'],
    query: counting,
    applies: ({ node }) => readsPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'php-past-end',
    grammars: ['php'],
    query: counting,
    applies: ({ node }) => readsPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'go-past-end',
    grammars: ['go'],
    query: '(for_statement (for_clause condition: (_) @at)) @loop',
    applies: ({ node }) => readsPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'c-past-end',
    grammars: ['c', 'cpp'],
    query: counting,
    applies: ({ node }) => writesPastArray(shortLoop(node('loop')), functionText(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'python-past-end',
    grammars: ['python'],
    query: '(for_statement right: (call) @at) @loop',
    recommendation: 'Leave out the `+ 1`.',
    applies: ({ node }) => rangesPastEnd(shortLoop(node('loop'))),
  },
  {
    ...pastEnd,
    id: 'rust-past-end',
    grammars: ['rust'],
    query: '(for_expression value: (range_expression) @at) @loop',
    recommendation: 'Use `..` instead of `..=`.',
    applies: ({ node }) => rangesPastEnd(shortLoop(node('loop'))),
  },
  ...(
    [
      ['python', 'python', '(binary_operator operator: "/" right: (call) @divisor) @at'],
      ['go', 'go', '(binary_expression operator: "/" right: (call_expression) @divisor) @at'],
      ['java', 'java', '(binary_expression operator: "/" right: (_) @divisor) @at'],
      ['csharp', 'c_sharp', '(binary_expression operator: "/" right: (_) @divisor) @at'],
      ['rust', 'rust', '(binary_expression operator: "/" right: (_) @divisor) @at'],
    ] as const
  ).map(([language, grammar, query]) => ({
    ...emptyDivisor,
    id: `${language}-divide-by-length`,
    grammars: [grammar],
    query,
    applies: ({ node }: { readonly node: (name: string) => Node | null }) =>
      dividesByUnknownLength(functionText(node('at')), shortLoop(node('divisor'))),
  })),
];
