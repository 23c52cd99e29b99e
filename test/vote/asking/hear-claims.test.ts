import { type Steps, createPassingSteps } from '../../../src/core/ports/steps.ts';
import { describe, expect, test } from 'vitest';
import { type Turn, Called } from '../../../src/core/ports/runner.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { createCeiling } from '../../../src/engine/asking/limits.ts';
import { deliberate } from '../../../src/vote/asking/hear-claims.ts';
import {
  failedReview,
  sampleChange,
  sampleClaim,
  sampleFile,
  sampleFinding,
  sampleHunk,
  sampleLocation,
  sampleReview,
} from '../../core/sample.ts';
import {
  answerTo,
  hastyClock,
  idsIn,
  noLimits,
  type Said,
  scriptMembers,
  seatOf,
} from './scripted-members.ts';
import type { Limits } from '../../../src/core/context/budget.ts';

const change = sampleChange({
  files: [
    sampleFile({
      hunks: [sampleHunk([1, 1], [1, 2], [' const query = read();', '+run(query + name);'])],
    }),
  ],
});

function claimOf(number: number, confidence: number | null, more: Partial<Claim> = {}): Claim {
  const location = sampleLocation({ line: 2 });
  const text = `Trouble ${number} with the name`;
  return sampleClaim({
    id: `c-000000000${number}`,
    confidence,
    text,
    location,
    findings: [sampleFinding({ text, location, evidence: 'It is put into the query as it came.' })],
    ...more,
  });
}

interface Holding {
  readonly say?: (turn: Turn, number: number) => Said;
  readonly seats?: readonly string[];
  readonly limits?: Limits;
  readonly steps?: Steps;
  readonly round?: number;
  readonly batch?: number;
  readonly failed?: readonly string[];
  readonly spent?: number;
  /** Reviewers that may hear of nothing that was said. */
  readonly kept?: readonly string[];
}

const voteSettings = {
  low: 0.66,
  medium: 0.33,
  consensus: 0.75,
  contested: 0.25,
  batch: 5,
  panelConcurrency: 2,
};

async function hold(claims: readonly Claim[], holding: Holding = {}) {
  const { say = ({ prompt }: Turn) => answerTo(prompt), seats = ['alpha', 'beta', 'gamma'] } =
    holding;
  const { runner, asked } = scriptMembers(say);
  const notes: string[] = [];
  const ceiling = createCeiling(holding.limits ?? noLimits, {
    calls: holding.spent ?? 0,
    tokens: 0,
    cost: 0,
  });
  const request = {
    plan: {
      run: 'r-1',
      seats: seats.map(seatOf),
      concurrency: 4,
      limits: holding.limits ?? noLimits,
      fence: 'f'.repeat(32),
      subjectHash: 'subject',
      egress: {
        rules: [{ files: ['src'], to: 'local' as const }],
        recipients: Object.fromEntries(
          seats.map(id => [
            id,
            { provider: null, host: null, isLocal: holding.kept?.includes(id) !== true },
          ]),
        ),
      },
    },
    settings: { ...voteSettings, batch: holding.batch ?? voteSettings.batch },
    subject: change,
    reviews: seats.map(reviewer =>
      holding.failed?.includes(reviewer) ? failedReview(reviewer) : sampleReview({ reviewer }),
    ),
    claims,
    round: holding.round ?? 1,
  };
  const world = {
    steps: holding.steps ?? createPassingSteps(),
    clock: hastyClock(),
    runnerFor: () => Promise.resolve(runner),
    secrets: { scan: () => Promise.resolve([]) },
    ceiling,
    signal: new AbortController().signal,
    note: (message: string) => notes.push(message),
  };
  const heard = await deliberate(request, world);
  return { ...heard, asked, notes, spent: await ceiling.spent() };
}

const oppose = ({ prompt }: Turn): string => answerTo(prompt, () => 'oppose');

describe('claims that few support', () => {
  test('go to reviewers who did not say them, who never learn who did', async () => {
    const supported = claimOf(2, 0.95, { supporters: ['alpha', 'beta'], electorate: 3 });
    const { claims, asked, usage, notes } = await hold([claimOf(1, 0.5), supported]);
    expect(asked.map(({ member }) => member)).toEqual(['beta', 'gamma']);
    for (const { prompt } of asked) {
      expect(prompt).toContain('Trouble 1 with the name');
      expect(prompt).toContain('+run(query + name);');
      expect(prompt).not.toMatch(/Trouble 2|alpha|beta|gamma/);
    }
    expect(claims.map(({ deliberation }) => deliberation?.votes.length)).toEqual([2, 0]);
    expect(usage.calls).toBe(2);
    expect(notes).toEqual([
      expect.stringMatching(
        /^Claims are put to those who have not spoken\. Plan: 2 reviews in 2 calls, about \d+ tokens in/,
      ),
    ]);
  });

  test('wait where the ceiling leaves one call, and say so', async () => {
    const { asked, claims } = await hold([claimOf(1, 0.65), claimOf(2, 0.48)], {
      batch: 1,
      seats: ['alpha', 'beta'],
      spent: 7,
      limits: { ...noLimits, maxCalls: 8 },
    });
    expect(asked).toHaveLength(1);
    expect(new Set(claims.map(({ deliberation }) => deliberation?.error))).toEqual(
      new Set([null, 'Nobody answered: The ceiling of 8 calls is reached.']),
    );
  });

  test.each([
    [{ ...noLimits, maxCalls: 0 }],
    [{ ...noLimits, maxTokens: 0 }],
    [{ ...noLimits, maxCost: 0 }],
  ])('are put to nobody under the ceiling %j', async limits => {
    const { asked, claims } = await hold([claimOf(1, 0.5)], { limits });
    expect(asked).toEqual([]);
    expect(claims[0]?.deliberation?.error).toMatch(/^Nobody answered: The c(?:eiling|all) /);
  });
});

describe('bad ground', () => {
  test('nobody left to ask', async () => {
    const claim = claimOf(1, 0.5, { contradicts: ['c-0000000002'] });
    const opposite = claimOf(2, 0.1, { supporters: ['beta'], contradicts: [claim.id] });
    const { asked, claims, notes } = await hold([claim, opposite], { seats: ['alpha', 'beta'] });
    expect(asked).toEqual([]);
    expect(claims[0]?.deliberation?.error).toBe('Nobody is left who could be asked.');
    expect(notes).toEqual([]);
  });

  test('all fail: nothing moves, and it is told', async () => {
    const { claims, asked } = await hold([claimOf(1, 0.5), claimOf(2, 0.5)], {
      say: () => ({ fails: 'deadline' }),
    });
    for (const reader of ['beta', 'gamma'])
      expect(asked.filter(({ member }) => member === reader)).toHaveLength(3);
    expect(claims[0]?.confidence).toBe(0.5);
    expect(claims[1]?.deliberation).toMatchObject({
      votes: [],
      noResponse: [
        { reviewer: 'beta', error: 'It fails: deadline.' },
        { reviewer: 'gamma', error: 'It fails: deadline.' },
      ],
      error: 'Nobody answered: It fails: deadline.',
    });
  });

  test('one fails, and the answer of another counts', async () => {
    const { claims } = await hold([claimOf(1, 0.5)], {
      say: turn => (turn.seat.id === 'beta' ? { fails: 'unreachable' } : oppose(turn)),
    });
    const { votes, noResponse } = claims[0]?.deliberation ?? {};
    expect(votes?.map(({ reviewer }) => reviewer)).toEqual(['gamma']);
    expect(noResponse?.map(({ reviewer }) => reviewer)).toEqual(['beta']);
  });

  test('words that are no answer move nothing', async () => {
    const { claims } = await hold([claimOf(1, 0.5)], { say: () => 'I would rather not say.' });
    expect(claims[0]?.confidence).toBe(0.5);
    expect(claims[0]?.deliberation?.noResponse[0]?.error).toBe('The answer says nothing about it.');
    expect(claims[0]?.deliberation?.votes).toEqual([]);
  });

  test('who may not be told of a claim is not asked about it, and where nobody may be that is told', async () => {
    const some = await hold([claimOf(1, 0.5)], { kept: ['beta'] });
    expect(some.asked.map(({ member }) => member)).toEqual(['gamma']);
    const none = await hold([claimOf(1, 0.5)], { kept: ['beta', 'gamma'] });
    expect([none.asked, none.claims[0]?.deliberation?.error]).toEqual([
      [],
      'By the rules of egress nobody who could be asked may be told of it.',
    ]);
    expect(none.notes).toEqual([
      expect.stringContaining('not put to the vote: by the rules of egress'),
    ]);
  });

  test('claims without a confidence, and no claims at all', async () => {
    const { claims } = await hold([claimOf(1, null)]);
    expect(claims.map(({ confidence }) => confidence)).toEqual([null]);
    expect((await hold([])).claims).toEqual([]);
  });
});

describe('a run that was killed', () => {
  const claims = [claimOf(1, 0.35), claimOf(2, 0.5), claimOf(3, 0.62)];
  const holding = { batch: 2 };

  test('asks nobody twice, wherever it died, and comes to the same', async () => {
    const whole = await hold(claims, holding);
    const questions = whole.asked.map(({ member, prompt }) => `${member} ${idsIn(prompt).join()}`);
    expect(questions).toHaveLength(new Set(questions).size);
    for (let most = 0; most <= questions.length + 2; most += 1) {
      const known = new Map<string, unknown>();
      await hold(claims, { ...holding, steps: dyingSteps(known, most) }).catch(() => {});
      const answered = callsIn(known);
      const resumed = await hold(claims, { ...holding, steps: createPassingSteps(known) });
      expect(resumed.asked).toHaveLength(questions.length - answered);
      expect(resumed.claims).toEqual(whole.claims);
      expect(resumed.usage.calls).toBe(questions.length);
      expect(resumed.spent.calls).toBe(questions.length);
    }
  });

  test('does not count what an earlier round has spent a second time, and goes on under a higher ceiling', async () => {
    const known = new Map<string, unknown>();
    const steps = createPassingSteps(known);
    const limits = { ...noLimits, maxCalls: 1 };
    const first = await hold(claims, { ...holding, steps, limits });
    expect(first.asked).toHaveLength(1);
    const next = await hold(claims, {
      ...holding,
      steps,
      round: 2,
      spent: first.spent.calls,
      limits: { ...noLimits, maxCalls: 3 },
    });
    expect([next.asked.length, next.spent.calls, next.usage.calls]).toEqual([2, 3, 3]);
    const last = await hold(claims, { ...holding, steps, round: 3, spent: next.spent.calls });
    expect([last.asked.length, last.spent.calls, last.usage.calls]).toEqual([1, 4, 4]);
  });
});

describe('a vote about contested claims', () => {
  const seats = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
  const vote = (claims: readonly Claim[], holding: Holding = {}) =>
    hold(claims, { seats, ...holding });

  test('asks all who have not spoken and did not fail: who denied it or said the contrary has taken its stance', async () => {
    const contrary = claimOf(2, 0.1, { supporters: ['gamma'], electorate: 5 });
    const claim = claimOf(1, 0.5, {
      electorate: 5,
      against: [{ reviewer: 'beta', finding: 'beta/#1', statement: 'It is safe.' }],
      contradicts: [contrary.id],
    });
    const { asked, claims } = await vote([claim, contrary], { say: oppose, failed: ['omega'] });
    const about = asked.filter(({ prompt }) => idsIn(prompt).includes(claim.id));
    expect(about.map(({ member }) => member)).toEqual(['delta']);
    expect(claims[0]?.deliberation).toMatchObject({
      outcome: 'voted_down',
      for: ['alpha'],
      against: ['beta', 'gamma', 'delta'],
    });
    expect(claims[0]?.supporters).toEqual(['alpha']);
  });

  test('passes what is well supported, leaves what was dismissed, and asks nobody about either', async () => {
    const { asked, claims } = await vote([
      claimOf(1, 0.8, { supporters: ['alpha', 'beta', 'gamma', 'delta'], electorate: 5 }),
      claimOf(2, 0.5, { state: 'dismissed' }),
    ]);
    expect(asked).toEqual([]);
    expect(claims.map(({ deliberation }) => deliberation?.outcome)).toEqual(['passed', undefined]);
  });

  test('seats nobody on a panel who may not be told of the claim', async () => {
    const { claims, asked } = await vote([claimOf(1, 0.5, { electorate: 5 })], {
      kept: ['omega'],
      say: votingOn('pass'),
    });
    expect(asked.map(({ member }) => member)).not.toContain('omega');
    expect(claims[0]?.deliberation).toMatchObject({
      outcome: 'confirmed',
      panel: { supporters: ['alpha', 'beta'], critics: ['gamma', 'delta'], neutrals: [] },
    });
  });

  test('that was killed asks nobody twice, on panels either', async () => {
    const claims = [claimOf(1, 0.5, { electorate: 5 }), claimOf(2, 0.5, { electorate: 5 })];
    const say = votingOn('fail');
    const whole = await vote(claims, { say });
    expect(whole.claims.map(({ deliberation }) => deliberation?.outcome)).toEqual([
      'voted_down',
      'voted_down',
    ]);
    for (let most = 0; most <= whole.asked.length; most += 3) {
      const known = new Map<string, unknown>();
      await vote(claims, { say, steps: dyingSteps(known, most) }).catch(() => {});
      const answered = callsIn(known);
      const resumed = await vote(claims, { say, steps: createPassingSteps(known) });
      expect(resumed.claims).toEqual(whole.claims);
      expect(resumed.asked).toHaveLength(whole.asked.length - answered);
      expect(resumed.spent.calls).toBe(whole.spent.calls);
    }
  });
});

/** Beta endorses, the others oppose; on a panel all vote alike. */
function votingOn(panel: 'pass' | 'fail'): (turn: Turn) => string {
  return ({ prompt, instructions, seat }) => {
    if (prompt.includes('# Findings'))
      return answerTo(prompt, () => (seat.id === 'beta' ? 'endorse' : 'oppose'));
    if (`${instructions}${prompt}`.includes('You facilitate'))
      return JSON.stringify({ recommendation: panel });
    return `I have read it.\nVOTE: ${panel}`;
  };
}

test('what was dismissed between two times changes no other question', async () => {
  const claims = [1, 2, 3].map(number => claimOf(number, 0.5));
  const steps = createPassingSteps();
  const first = await hold(claims, { steps });
  const later = claims.map(claim => ({
    ...claim,
    ...(claim === claims[1] && { state: 'dismissed' as const }),
  }));
  const { asked, claims: heard, usage } = await hold(later, { steps, round: 2 });
  expect([first.asked.length, asked, usage.calls]).toEqual([2, [], 2]);
  expect([heard[0], heard[2]]).toEqual([first.claims[0], first.claims[2]]);
});

/** Calls that a journal holds. */
function callsIn(known: ReadonlyMap<string, unknown>): number {
  return [...known.values()].filter(value => Called.safeParse(value).success).length;
}

/** Steps that are lost from the `most`-th on: the process dies there. */
function dyingSteps(known: Map<string, unknown>, most: number): Steps {
  const steps = createPassingSteps(known);
  let made = 0;
  return {
    ...steps,
    step: async (key, work) => {
      if (known.has(key)) return steps.step(key, work);
      made += 1;
      if (made > most) throw new Error('killed');
      return steps.step(key, work);
    },
  };
}
