import { createPassingSteps } from '../../../src/core/ports/steps.ts';
import { describe, expect, test } from 'vitest';
import type { ReviewResponse } from '../../../src/vote/records.ts';
import type { Asking } from '../../../src/engine/asking/ask-member.ts';
import { collectReviews, planReviews } from '../../../src/vote/asking/hold-panels.ts';
import { inOrder } from '../sample-session.ts';
import {
  answerTo,
  askingOf,
  hastyClock,
  idsIn,
  noLimits,
  scriptMembers,
  roomAt,
  sessionOf,
  votingOf,
} from './scripted-members.ts';

interface Collecting {
  readonly names?: readonly string[];
  readonly ids?: readonly string[];
  readonly batch?: number;
  readonly concurrency?: number;
  readonly notes?: string[];
}

async function collect(
  asking: Asking,
  {
    names = ['Ada', 'Bob'],
    ids = ['m-1', 'm-2', 'm-3'],
    batch = 5,
    concurrency = 4,
    notes = [],
  }: Collecting = {},
) {
  const { session, drawn } = sessionOf(names, ids);
  const answers = await collectReviews(
    drawn,
    votingOf(asking, {
      session,
      note: message => void notes.push(message),
      settings: { batch, concurrency, panel_concurrency: 2 },
      lanes: concurrency,
    }),
  );
  return inOrder(session, answers);
}

/** What each of 40 members is shown, and behind it the order of its answer; in the order of the calls, of which two go at once. */
async function shown() {
  const { runner, asked } = scriptMembers(({ prompt }) => answerTo(prompt));
  await collect(askingOf({ runner, mostCalls: 1 }), {
    names: Array.from({ length: 40 }, (_, index) => `N${index}`),
    ids: ['m-1', 'm-2', 'm-3', 'm-4', 'm-5'],
    concurrency: 2,
  });
  return asked.map(({ prompt }) => ({
    alike: prompt.split('# Member')[0] ?? '',
    order: prompt.split('\n').at(-1) ?? '',
  }));
}

const stancesOf = (rows: readonly ReviewResponse[]) =>
  rows.map(
    ({ archon_id, mega_motion_id, stance }) => `${archon_id} ${mega_motion_id} ${stance ?? 'none'}`,
  );

describe('collecting the reviews', () => {
  test('every assignment leaves one row, in the order of roster and motions, whatever finished first', async () => {
    const notes: string[] = [];
    const { runner, asked } = scriptMembers(({ prompt }) =>
      answerTo(prompt, id => (id === 'm-2' ? 'oppose' : 'endorse')),
    );
    const rows = await collect(askingOf({ runner }), { notes });
    expect(stancesOf(rows)).toEqual([
      'ada m-1 ENDORSE',
      'ada m-2 OPPOSE',
      'ada m-3 ENDORSE',
      'bob m-1 ENDORSE',
      'bob m-2 OPPOSE',
      'bob m-3 ENDORSE',
    ]);
    expect(rows[0]).toMatchObject({
      archon_name: 'Ada',
      status: 'ok',
      error: null,
      confidence: 0.5,
      attempts: 1,
      reasoning: 'On m-1.',
      text_truncated: false,
      opposition_reason: null,
    });
    expect(asked).toHaveLength(2);
    expect(notes[0]).toMatch(
      /^Plan: 6 reviews in 2 calls, about \d+ tokens in and \d+ out, price unknown\. Ceiling: none/,
    );
  });

  test('members of a group are shown the same to the byte, and answer in orders of their own, the same in every run', async () => {
    const calls = await shown();
    const groups = new Set(calls.map(({ alike }) => alike));
    expect([groups.size, new Set(calls.map(({ order }) => order)).size > 20]).toEqual([6, true]);
    expect(await shown()).toEqual(calls);
  });

  test('calls that begin alike follow one another, and not at once', async () => {
    const names = (await shown()).map(({ alike }) => alike);
    const [first = '', second = ''] = new Set(names);
    expect(names.slice(0, 4)).toEqual([first, second, first, second]);
    const others = names.slice(names.findIndex(name => name !== first && name !== second));
    expect(others.filter(name => name === first || name === second)).toEqual([]);
  });

  test('a plan tells the calls that are then made, and nothing is asked for it', async () => {
    const known = new Map<string, unknown>();
    const { session, drawn } = sessionOf(['Ada', 'Bob', 'Cid'], ['m-1', 'm-2', 'm-3']);
    const { runner, asked } = scriptMembers(({ seat, prompt }) =>
      seat.id === 'bob' ? { fails: 'exit' } : answerTo(prompt),
    );
    const asking = askingOf({ runner, steps: createPassingSteps(known) });
    const plan = (round: number) =>
      planReviews(drawn, votingOf(asking, { session }), { ...asking, round });
    expect(await plan(1)).toMatchObject({ expected: { calls: 3, reviews: 9 }, answered: 0 });
    expect([asked.length, known.size]).toEqual([0, 0]);
    await collect(asking, { names: ['Ada', 'Bob', 'Cid'] });
    const { expected, answered, first, spent } = await plan(2);
    expect([expected.calls, answered, first?.seat.id, spent.calls]).toEqual([1, 6, 'bob', 5]);
  });

  test('an answer that is reversed and lacks one motion is matched by id, and that one is asked again alone', async () => {
    const { runner, asked } = scriptMembers(({ prompt }, number) => {
      const items = JSON.parse(answerTo(prompt)) as unknown[];
      return JSON.stringify(number === 0 ? items.slice(1).toReversed() : items);
    });
    const rows = await collect(askingOf({ runner }), { names: ['Ada'] });
    expect(rows.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(asked.map(({ prompt }) => idsIn(prompt).length)).toEqual([3, 1]);
    expect(rows.map(({ attempts }) => attempts).toSorted((one, other) => one - other)).toEqual([
      1, 1, 2,
    ]);
  });

  test('what no answer makes clear three times is no response, with pauses of two and four seconds, and never an abstention', async () => {
    const slept: number[] = [];
    const { runner, asked } = scriptMembers(({ prompt }) =>
      answerTo(prompt, id => (id === 'm-2' ? 'maybe' : 'amend')),
    );
    const rows = await collect(askingOf({ runner, clock: hastyClock(slept) }), { names: ['Ada'] });
    expect(stancesOf(rows)).toEqual(['ada m-1 AMEND', 'ada m-2 none', 'ada m-3 AMEND']);
    expect(rows[1]).toMatchObject({
      status: 'no_response',
      error: 'The stance "maybe" is none of the known ones.',
      attempts: 3,
      confidence: null,
    });
    expect([asked.length, slept]).toEqual([3, [2_000, 4_000]]);
    expect(rows[0]?.validation).toEqual([
      'amendment without text',
      'amendment without type',
      'amendment without rationale',
    ]);
  });

  test('a call without an answer is made again for the whole batch', async () => {
    const { runner, asked } = scriptMembers(({ prompt }, number) =>
      number < 2 ? { fails: 'exit' } : answerTo(prompt),
    );
    const rows = await collect(askingOf({ runner }), { names: ['Ada'] });
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['ok', 3],
      ['ok', 3],
      ['ok', 3],
    ]);
    expect(asked).toHaveLength(3);
  });

  test('a later round asks only for what has no answer, with three tries of its own, and its plan counts only that', async () => {
    const known = new Map<string, unknown>();
    const first = scriptMembers(({ seat, prompt }) =>
      seat.id === 'bob'
        ? { fails: 'provider' }
        : answerTo(prompt, id => (id === 'm-2' ? 'maybe' : 'amend')),
    );
    await collect(askingOf({ runner: first.runner, steps: createPassingSteps(known) }));
    let failures = 1;
    const second = scriptMembers(({ seat, prompt }) =>
      seat.id === 'ada' && failures-- > 0 ? { fails: 'provider' } : answerTo(prompt),
    );
    const notes: string[] = [];
    const rows = await collect(
      askingOf({ runner: second.runner, steps: createPassingSteps(known), round: 2 }),
      { notes, concurrency: 1 },
    );
    expect(notes[0]).toMatch(
      /^Plan: 4 reviews in 2 calls, .* 2 reviews are answered already\. .* as 1 calls before took/,
    );
    expect(stancesOf(rows)).toEqual([
      'ada m-1 AMEND',
      'ada m-2 ENDORSE',
      'ada m-3 AMEND',
      'bob m-1 ENDORSE',
      'bob m-2 ENDORSE',
      'bob m-3 ENDORSE',
    ]);
    expect(
      second.asked
        .map(({ member, prompt }) => [member, ...idsIn(prompt).toSorted()].join())
        .toSorted(),
    ).toEqual(['ada,m-2', 'ada,m-2', 'bob,m-1,m-2,m-3'].toSorted());
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 5, 1, 4, 4, 4]);
  });

  test('an answer stands for the question it was given to: another one under its name is asked', async () => {
    const steps = createPassingSteps();
    const { runner, asked } = scriptMembers(({ prompt }) => answerTo(prompt));
    await collect(askingOf({ runner, steps }), { names: ['Ada'] });
    await collect(askingOf({ runner, steps, round: 2 }), { names: ['Ada'] });
    expect(asked).toHaveLength(1);
    await collect(askingOf({ runner, steps, round: 2 }), { names: ['Ada'], ids: ['m-7', 'm-8'] });
    expect(asked).toHaveLength(2);
  });

  test('a rate limit halves the calls at a time for the rest of the run and is no try', async () => {
    const { runner, asked } = scriptMembers(({ prompt }, number) =>
      number < 8 ? { fails: 'rate-limited', retryAfterMs: 5 } : answerTo(prompt),
    );
    const asking = askingOf({ runner, endpoints: [{ key: 'scripted', limit: 8, weight: 1 }] });
    const rows = await collect(asking, {
      names: Array.from({ length: 12 }, (_, index) => `N${index}`),
      ids: ['m-1'],
      concurrency: 8,
    });
    expect(rows.every(({ status, attempts }) => status === 'ok' && attempts === 1)).toBe(true);
    expect(asked).toHaveLength(20);
    expect(await roomAt(asking.endpoints, 'scripted')).toBe(4);
  });

  test('beyond the ceiling nobody is asked, and the rows say why', async () => {
    const { runner, asked } = scriptMembers(({ prompt }) => answerTo(prompt));
    const rows = await collect(
      askingOf({ runner, mostCalls: 1, limits: { ...noLimits, maxCalls: 4 } }),
      { batch: 1, concurrency: 1 },
    );
    expect(asked).toHaveLength(4);
    expect(
      rows
        .filter(({ status }) => status === 'no_response')
        .map(({ error, attempts }) => [error, attempts]),
    ).toEqual([
      ['The ceiling of 4 calls is reached.', 0],
      ['The ceiling of 4 calls is reached.', 0],
    ]);
  });

  test('what is in the journal is not asked again, and what it cost still counts', async () => {
    const known = new Map<string, unknown>();
    const first = scriptMembers(({ prompt }) => answerTo(prompt));
    await collect(askingOf({ runner: first.runner, steps: createPassingSteps(known) }), {
      names: ['Ada'],
      batch: 1,
    });
    const second = scriptMembers(({ prompt }) => answerTo(prompt));
    const rows = await collect(
      askingOf({
        runner: second.runner,
        steps: createPassingSteps(known),
        mostCalls: 1,
        limits: { ...noLimits, maxCalls: 5 },
      }),
      { batch: 1, concurrency: 1 },
    );
    expect(second.asked.map(({ member }) => member)).toEqual(['bob', 'bob']);
    expect(rows.filter(({ status }) => status === 'ok')).toHaveLength(5);
  });
});
