import { describe, expect, test } from 'vitest';
import { resolveLocation } from '../../src/core/change/anchor.ts';
import { readAnswer } from '../../src/answers/answer.ts';
import { malformed } from './bad-answers/malformed.ts';
import { misplaced, subject } from './bad-answers/misplaced.ts';
import { misshapen } from './bad-answers/misshapen.ts';
import { noReview } from './bad-answers/no-review.ts';
import { poisoned } from './bad-answers/poisoned.ts';
import { nonce, units, type Expected, type Kinds, type Sample } from './bad-answers/samples.ts';
import { wrapped } from './bad-answers/wrapped.ts';
import { briefs, optionsWith } from './reading-options.ts';
import { makeAnswer } from '../promises/proof/answers.ts';

const kinds: Kinds = {
  ...wrapped,
  ...malformed,
  ...misshapen,
  ...misplaced,
  ...noReview,
  ...poisoned,
};
const modes = ['strict', 'lenient'] as const;

interface Seen {
  readonly result: string;
  readonly findings?: readonly string[];
  readonly anchoring?: readonly (string | undefined)[];
  readonly repair?: string | undefined;
  readonly note?: string | undefined;
}

/** What became of a sample, in the words of its expectation, so that one comparison shows everything that differs. */
function look(sample: Sample, mode: (typeof modes)[number]): Seen {
  const reading = readAnswer(
    sample.answer,
    optionsWith({ strict: mode === 'strict', nonce, units, ...sample.options }),
  );
  if (!reading.ok) return { result: reading.cause };
  const { expected } = sample;
  if (typeof expected === 'string')
    return { result: `read as ${reading.format}`, findings: briefs(reading) };
  const notes = [...reading.notes, ...reading.findings.flatMap(finding => finding.notes)];
  return {
    result: reading.status,
    findings: briefs(reading),
    ...(expected.anchoring === undefined
      ? {}
      : {
          anchoring: reading.findings.map(finding => resolveLocation(finding, subject)?.anchoring),
        }),
    ...(expected.repair === undefined
      ? {}
      : { repair: reading.repairs.find(repair => repair === expected.repair) }),
    ...(expected.note === undefined
      ? {}
      : {
          note:
            notes.find(note => note.includes(expected.note ?? '')) === undefined
              ? undefined
              : expected.note,
        }),
  };
}

function expectation(sample: Sample, mode: (typeof modes)[number]): Seen {
  const { expected } = sample;
  if (typeof expected === 'string') return { result: expected };
  const { status, ...rest }: Expected = expected;
  const isProven = mode === 'lenient' || formatOf(sample) === 'json';
  return { result: status === 'partial' || !isProven ? 'partial' : 'complete', ...rest };
}

/** Only JSON can carry evidence. */
function formatOf({ answer, options }: Sample): string | null {
  const reading = readAnswer(answer, optionsWith({ nonce, units, ...options }));
  return reading.ok ? reading.format : null;
}

describe('bad answers', () => {
  test('the table holds 124 kinds with at least three samples each', () => {
    expect(Object.keys(kinds)).toHaveLength(124);
    expect(
      Object.entries(kinds)
        .filter(([, samples]) => samples.length < 3)
        .map(([kind]) => kind),
    ).toEqual([]);
    expect(Object.values(kinds).flat().length).toBeGreaterThan(430);
  });

  test.each(Object.entries(kinds))('%s', (_kind, samples) => {
    for (const sample of samples) {
      for (const mode of sample.mode === undefined ? modes : [sample.mode]) {
        expect({ mode, answer: sample.answer.slice(0, 200), ...look(sample, mode) }).toEqual({
          mode,
          answer: sample.answer.slice(0, 200),
          ...expectation(sample, mode),
        });
      }
    }
  });
});

/** However an answer states a critical, it is read with its severity, or the answer is not whole. */
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
  '## CRITICAL\n\nAny user reads all orders.\n\n## HIGH\n\nNone',
  '## Critical\n\n> Any user reads all orders.',
  '{"findings": [], "by_severity": {"P0": "any user reads all orders"}}',
  'Without question a blocker: any user reads all orders',
  'There is a critical-severity problem in src/sum.js:2: any user reads all orders',
  '(Scale: LOW / MEDIUM / CRITICAL.) src/sum.js:2: CRITICAL. Any user reads all orders',
])('%j is seen beside an index that is mild', said => {
  const index = '### Findings Index\n- P3 | A-1 | "S" | Name it better\nVerdict: safe';
  expect([index, `${index}\n\n${said}`].map(isMild)).toEqual([true, false]);
});

test.each([
  'Critical issues: none\nHigh issues: none',
  '**Critical issues:** 0',
  'Critical issues:\n- None',
  '- CRITICAL: -\n- HIGH: -',
  '| Severity | Findings |\n|---|---|\n| CRITICAL | None |',
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
