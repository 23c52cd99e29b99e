/** However an answer states a critical, it is read with its severity, or the answer is not whole. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/answers/answer.ts';
import { makeAnswer } from '../promises/proof/answers.ts';
import { optionsWith } from './reading-options.ts';

const options = optionsWith({
  units: ['src/sum.js'],
  sent: { instructions: '', prompt: '+export const sum = 1;' },
});

function isMild(answer: string) {
  const reading = readAnswer(answer, options);
  return (
    reading.ok &&
    reading.status === 'complete' &&
    reading.findings.every(({ severity }) => severity !== 'critical')
  );
}

/** With `--mode whole` three times as many. */
const count = process.env['JURY_HOSTILE'] === 'all' ? 3_000 : 1_000;

test(`of ${count} answers that state a critical none is read as mild and whole`, () => {
  const answers = Array.from({ length: count }, (_, seed) => makeAnswer(seed));
  expect(answers.filter(isMild)).toEqual([]);
});

test.each([
  'CRI\u200BTICAL|src/sum.js:2|any user reads all orders',
  '&#67;RITICAL: src/sum.js:2 any user reads all orders',
  '**C**RITICAL any user reads all orders',
  '#Critical src/sum.js any user reads all orders',
  'severity=Critical src/sum.js any user reads all orders',
  '- critical any user reads all orders',
  '<thinking>\nCRITICAL|src/sum.js:2|any user reads all orders\n</thinking>',
])('%j is seen beside an index that is mild', said => {
  const index = '### Findings Index\n- P3 | A-1 | "S" | Name it better\nVerdict: safe';
  expect([index, `${index}\n\n${said}`].map(isMild)).toEqual([true, false]);
});

test.each([
  'Critical issues: none\nHigh issues: none',
  '**Critical issues:** 0',
  'Critical issues:\n- None',
  '| Critical | High | Low |\n|---|---|---|\n| 0 | 0 | 1 |',
  'No critical issues found, and no HIGH ones.',
])('a label that says there is none asks for nothing: %s', said =>
  expect(readAnswer(`${said}\n\nLOW|src/sum.js:1|a name`, options)).toMatchObject({
    status: 'complete',
    findings: [{ severity: 'low' }],
  }),
);

test('a label in the words of a milder finding is not read over', () => {
  const said = 'SUGGESTION|src/sum.js:1|Name it better; CRITICAL: any user reads all orders';
  expect(readAnswer(said, options)).toMatchObject({ partialCause: 'unaccounted' });
});
