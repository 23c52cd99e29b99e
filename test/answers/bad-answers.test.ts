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
