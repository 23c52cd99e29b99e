import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReplayRunner } from '../../../src/adapters/runners/replay.ts';
import { openJournal } from '../../../src/adapters/store/journal.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { ReviewerConfig, type Seat } from '../../../src/core/words/config.ts';
import { type Runner, answered, failedAnswer } from '../../../src/core/ports/runner.ts';
import { modes } from '../../../src/core/words/mode.ts';
import { createCeiling } from '../../../src/engine/asking/limits.ts';
import { conductReview } from '../../../src/engine/review/conduct-review.ts';
import { createFolder } from '../../adapters/git/sample-repository.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';
import type { Limits } from '../../../src/core/context/budget.ts';
import { samplePersona } from '../../core/sample.ts';

const good = 'IMPORTANT|src/a.ts:1|the sum of nothing throws\nVERDICT: needs-changes';
const noLimits: Limits = { maxCalls: null, maxTokens: null, maxCost: null };

interface Setting {
  readonly answers: readonly string[];
  readonly limits?: Limits;
  readonly seat?: Partial<Seat>;
  readonly signal?: AbortSignal;
  readonly folder?: string;
  readonly runner?: Partial<Runner>;
}

/** Asks a replayed reviewer whose answers stand in a folder, one a turn. */
async function conduct({
  answers,
  limits = noLimits,
  seat: changes = {},
  signal = new AbortController().signal,
  folder = createFolder(),
  runner,
}: Setting) {
  const recorded = path.join(folder, 'answers');
  mkdirSync(recorded, { recursive: true });
  for (const [index, answer] of answers.entries())
    writeFileSync(
      path.join(recorded, `${index + 1}.${answer.startsWith('{"status"') ? 'json' : 'txt'}`),
      answer,
    );
  const seat: Seat = {
    ...ReviewerConfig.parse({ id: 'alpha', runner: 'replay', answers: recorded }),
    home: folder,
    timeout: 5,
    persona: samplePersona({ budget: 1, instructions: 'Read.' }),
    ...changes,
  };
  const steps = await openJournal(systemStorage, path.join(folder, 'journal.jsonl'));
  const events: string[] = [];
  try {
    const { review } = await conductReview(
      {
        seat,
        runner: { ...createReplayRunner(), ...runner },
        reading: {
          scale: modes['code-review'].scale,
          strict: false,
          undeclaredLabel: 'reject',
          voting: false,
          nonce: '',
        },
        change: null,
        read: () => Promise.resolve(null),
        key: 'alpha/1',
        pack: {
          reviewer: 'alpha',
          instructions: 'Read.',
          prompt: 'Review the change.',
          readings: [{ path: 'src/a.ts', extent: 'full', why: null }],
        },
      },
      {
        steps,
        clock: systemClock,
        ceiling: createCeiling(limits, { calls: 0, tokens: 0, cost: 0 }),
        signal,
        onEvent: ({ type }) => events.push(type),
        locate: findings => Promise.resolve(findings.map(() => null)),
      },
    );
    return { review, events };
  } finally {
    await steps.close();
  }
}

describe('asking a reviewer', () => {
  it('takes a good answer at the first attempt', async () => {
    const { review, events } = await conduct({ answers: [good] });
    expect(review).toMatchObject({
      status: 'complete',
      attempts: 1,
      format: 'lines',
      failure: null,
      coverage: [{ path: 'src/a.ts', extent: 'full' }],
    });
    expect(review.findings.map(({ id, severity }) => [id, severity])).toEqual([
      ['alpha/#1', 'high'],
    ]);
    expect(events).toEqual(['review-start']);
  });

  it('asks once more when the answer cannot be read, and takes the second', async () => {
    const { review, events } = await conduct({ answers: ['I had a look around.', good] });
    expect(review).toMatchObject({ status: 'complete', attempts: 2 });
    expect(events).toEqual(['review-start', 'review-retry', 'review-start']);
  });

  it('takes no "none" for what was told of a severity that nobody declared', async () => {
    const said = '{"findings":[{"severity":9.8,"issue":"SQL injection","location":"src/a.ts:1"}]}';
    const { review } = await conduct({ answers: [said, 'None'] });
    expect(review).toMatchObject({ status: 'partial', failure: { cause: 'unaccounted' } });
  });

  it.each([
    ['two unreadable answers', ['I had a look around.', 'Nice weather.'], 'noformat', 2],
    ['two empty answers', ['', ' \n'], 'empty', 2],
    ['an unreadable answer and no second one', ['I had a look around.'], 'noformat', 2],
    [
      'a refusal, which is not asked again',
      ['I cannot help with that request.', good],
      'refusal',
      1,
    ],
    [
      'a timeout, which is not asked again',
      ['{"status":"failed","cause":"deadline"}', good],
      'deadline',
      1,
    ],
  ])('fails with the named cause after %s', async (_what, answers, cause, attempts) => {
    const { review } = await conduct({ answers });
    expect(review).toMatchObject({ status: 'failed', attempts, findings: [], failure: { cause } });
    expect(review.coverage).toMatchObject([{ path: 'src/a.ts', extent: 'skipped' }]);
  });

  it('takes no "none" for what a call had said before it broke down', async () => {
    const said = ['CRITICAL|src/a.ts:1|a hole', 'HIGH|src/a.ts:1|a bug'].join('\n');
    const broken = failedAnswer('truncated', 'It broke off.', { text: said });
    const answers = [broken, answered('None', { stop: 'end' })];
    const runner = { ask: async () => answers.shift() ?? broken };
    const { review } = await conduct({ answers: [], runner });
    expect(review).toMatchObject({ status: 'partial', findings: [], unaccounted: 'critical' });
  });

  it('asks no second time where nobody listens', async () => {
    const asked = failedAnswer('unreachable', 'nobody listens', { isLasting: true });
    const runner = { transportRetries: 2, ask: () => Promise.resolve(asked) };
    const { review, events } = await conduct({ answers: [], runner });
    expect(review).toMatchObject({ status: 'failed', failure: { cause: 'unreachable' } });
    expect(events).toEqual(['review-start']);
  });

  it('does not make a call over the ceiling', async () => {
    expect(
      (await conduct({ answers: [good], limits: { ...noLimits, maxCalls: 0 } })).review.failure,
    ).toMatchObject({ cause: 'budget', message: 'The ceiling of 0 calls is reached.' });
    expect(
      (await conduct({ answers: [good], limits: { ...noLimits, maxTokens: 3 } })).review.failure,
    ).toMatchObject({ cause: 'budget' });
    const seat = { runner: 'api', price: { input: 1, output: 1 } } as const;
    const limits = { ...noLimits, maxCost: 0.000_1 };
    const { review } = await conduct({ answers: [good], seat, limits });
    expect(review.failure).toMatchObject({ cause: 'budget' });
  });

  it('does not spend the second attempt over the ceiling either', async () => {
    const { review } = await conduct({
      answers: ['I had a look around.', good],
      limits: { ...noLimits, maxCalls: 1 },
    });
    expect(review).toMatchObject({ status: 'failed', failure: { cause: 'noformat' } });
  });

  it('rejects when it is interrupted, so that the call is asked again on resume', () =>
    expect(
      conduct({ answers: [good], signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop'));

  it('remembers a finished call: the second time nobody is asked', async () => {
    const folder = createFolder();
    await conduct({ answers: [good], folder });
    writeFileSync(path.join(folder, 'answers/1.txt'), 'something else');
    const { review } = await conduct({ answers: [], folder });
    expect(review.findings).toHaveLength(1);
  });

  it('prices what the provider counted', async () => {
    const record = JSON.stringify({
      status: 'answered',
      text: good,
      usage: { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 500_000 },
    });
    const { review } = await conduct({
      answers: [record],
      seat: { price: { input: 3, output: 15, cached: 0.3 } },
    });
    expect(review.usage.cost).toBeCloseTo(1.5 + 0.15 + 1.5);
  });
});
