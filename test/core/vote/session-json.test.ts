import { expect, it } from 'vitest';
import { statedText, statedTexts } from '../../../src/core/vote/session-json.ts';

it.each([
  ['With care.', 'With care.'],
  ['  ', null],
  [null, null],
  [undefined, null],
  [3, null],
  [
    { 'Clause 1': 'With care.', 'Clause 2': 'Each month.' },
    'Clause 1: With care.\nClause 2: Each month.',
  ],
  [new Map([['Clause 1', 'With care.']]), 'Clause 1: With care.'],
  [['With care.', 'Each month.'], 'With care.\nEach month.'],
  [
    { scope: { who: 'all', how: ['often', 'well'] }, budget: 7, until: null },
    'scope:\n  who: all\n  how:\n    often\n    well\nbudget: 7\nuntil:',
  ],
])('%j is kept as %j', (value, text) => expect(statedText(value)).toBe(text));

it('makes one text of each thing that is listed', () => {
  expect(statedTexts(['a', { b: 'c' }, '', null, ['d', 'e']])).toEqual(['a', 'b: c', 'd\ne']);
  expect([statedTexts('a'), statedTexts({ b: 'c' }), statedTexts(undefined)]).toEqual([
    ['a'],
    ['b: c'],
    [],
  ]);
});

it('is not held up by what is nested without end', () => {
  let value: unknown = 'deep';
  for (let depth = 0; depth < 50_000; depth += 1) value = { in: value };
  expect(statedText(value)).toContain('…');
});
