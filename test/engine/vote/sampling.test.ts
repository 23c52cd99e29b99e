import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameBasedUuid } from '../../../src/adapters/system/ids.ts';
import { artifactsOf } from '../../../src/core/vote/artifacts.ts';
import type { MotionsRun } from '../../../src/core/vote/motions-run.ts';
import type { Stance } from '../../../src/core/vote/records.ts';
import {
  createAskedSoFar,
  decideSample,
  drawSamples,
  putInLook,
} from '../../../src/core/vote/sampling.ts';
import { firstNames, sha256, shippedRules } from '../../core/vote/sample-session.ts';
import { type HeldVote, holdSampled, type SampledVote } from './sampled-vote.ts';
import { memorySteps } from './scripted-members.ts';

const motionsOf = (count: number): object[] => Array.from({ length: count }, () => ({}));

async function hold(vote: SampledVote): Promise<HeldVote & { readonly run: MotionsRun }> {
  const held = await holdSampled(vote);
  return { ...held, run: held.run ?? expect.fail('interrupted') };
}

const outcomesOf = ({ results }: MotionsRun): string[] => results.map(({ outcome }) => outcome);

/** Who answered what, without when. */
const saidIn = ({ responses }: MotionsRun): string[] =>
  [...responses].map(row => [row.archon_id, row.mega_motion_id, row.stance, row.look].join(' '));

const putTo = (run: MotionsRun, id: string): number =>
  run.packets.filter(({ assigned }) => assigned.some(({ motionId }) => motionId === id)).length;

/** An opinion of each member on each motion that has nothing to do with who is asked first. */
const opinion =
  (endorsing: number) =>
  (member: number, motion: string): Stance =>
    Number.parseInt(sha256(`${member}|${motion}`).slice(0, 8), 16) / 2 ** 32 < endorsing
      ? 'ENDORSE'
      : 'OPPOSE';

describe('a vote by sample', () => {
  it('ends early what the others cannot turn, says at which risk, and misses nobody', async () => {
    const { run, notes } = await hold({ motions: motionsOf(3), size: 72 });
    expect(outcomesOf(run)).toEqual(['ratified', 'ratified', 'ratified']);
    for (const [index, row] of run.results.entries()) {
      expect(row.decided_by).toBe('sample');
      expect(row.sample_risk).toBeGreaterThan(0);
      expect(row.sample_risk).toBeLessThanOrEqual(0.01);
      expect(row).toMatchObject({ missing: 0, threshold_met: true, quorum_met: true });
      expect(row.sample).toEqual({ asked: row.total_votes, population: 72 });
      expect(row.total_votes).toBeLessThan(50);
      expect(run.aggregations[index]).toMatchObject({
        no_response: 0,
        not_assigned: 72 - row.total_votes,
        never_put: 72 - row.total_votes,
      });
      expect(putTo(run, row.mega_motion_id)).toBe(row.total_votes);
    }
    expect(notes.join('\n')).toMatch(/Plan: up to 216 reviews in up to 72 calls.*risk of at most/);
    expect(notes.at(-1)).toMatch(/^Look \d of 8: 3 of 3 motions need nobody more/);
  });

  it('says in its artifacts who was drawn in which order, and what was never put to whom', async () => {
    const { run } = await hold({ motions: motionsOf(2), size: 40 });
    const files = new Map(
      [
        ...artifactsOf(run, {
          savesPackets: true,
          compact: true,
          uuid: nameBasedUuid,
          runId: 'run-1',
          report: () => '',
        }),
      ].map(({ name, pieces }) => [name, [...pieces()].join('')]),
    );
    const read = (name: string): never => JSON.parse(files.get(name) ?? 'null') as never;
    const { motions } = read('triage_results.json') as {
      motions: { mega_motion_id: string; sample: { order: string[]; asked: number } }[];
    };
    const [first] = motions;
    const lots = firstNames(40)
      .map(name => [sha256(`run-1|m-1|${idOf(run, name)}`), name] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    expect(first?.sample.order).toEqual(lots.map(([, name]) => name));
    expect(first?.sample).toMatchObject({ always_asked: [], never_put: 40 - putTo(run, 'm-1') });
    for (const { member, assigned, neverPut = [] } of run.packets) {
      expect(assigned.length + neverPut.length).toBe(2);
      expect(read(`review_packets/${member.id}.json`)).toMatchObject({
        assigned_motions: assigned.map(({ motionId }) => motionId),
        never_put: neverPut,
      });
    }
    const result = read('pipeline_result.json') as Record<string, unknown>;
    const asked = [...run.responses].length;
    expect(result['sampling']).toEqual({
      sample_risk: 0.01,
      run_id: 'run-1',
      decided_by_sample: 2,
      reviews_saved: 80 - asked,
      calls_saved: expect.any(Number) as number,
    });
    expect(read('ratification_results.json')).toMatchObject([
      { decided_by: 'sample', sample_risk: run.results[0]?.sample_risk },
      { decided_by: 'sample' },
    ]);
  });

  it('of members who all say the same ends as when everybody is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          stance: fc.constantFrom<Stance>('ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'),
          rules: fc.constantFrom('explicit', 'seed', 'quorum', 'guarded'),
          risk: fc.constantFrom(0.001, 0.01, 0.05, 0.4),
          size: fc.integer({ min: 1, max: 60 }),
          supporters: fc.nat({ max: 30 }),
          title: fc.constantFrom('A motion', 'A constitutional motion'),
        }),
        async ({ stance, supporters, title, ...vote }) => {
          const motions = [{ title, supporters: firstNames(Math.min(supporters, vote.size)) }];
          const say = (): Stance => stance;
          const { run: sampled } = await hold({ ...vote, motions, say });
          const { run: whole } = await hold({ ...vote, motions, say, risk: null });
          expect(outcomesOf(sampled)).toEqual(outcomesOf(whole));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('asks nobody twice, nobody more often than when all are asked at once, and counts what it saved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          endorsing: fc.double({ min: 0, max: 1, noNaN: true }),
          motions: fc.integer({ min: 1, max: 12 }),
          batch: fc.integer({ min: 1, max: 5 }),
          size: fc.integer({ min: 1, max: 30 }),
          risk: fc.constantFrom(0.01, 0.3),
        }),
        async ({ endorsing, motions, ...vote }) => {
          const { run, calls } = await hold({
            ...vote,
            motions: motionsOf(motions),
            say: opinion(endorsing),
          });
          const pairs = calls.flatMap(({ member, ids }) => ids.map(id => `${member} ${id}`));
          expect(new Set(pairs).size).toBe(pairs.length);
          const most = Math.ceil(motions / vote.batch);
          for (const { member } of run.packets)
            expect(calls.filter(call => call.member === member.id).length).toBeLessThanOrEqual(
              most,
            );
          expect(run.sampling?.saved).toEqual({
            reviews: vote.size * motions - pairs.length,
            calls: vote.size * most - calls.length,
          });
          expect([...run.responses]).toHaveLength(pairs.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('hears everybody in conflict, whoever is drawn', async () => {
    const { run } = await hold({ motions: motionsOf(1) });
    const [subject] = run.triaged;
    const packets = run.packets.map(packet => ({
      ...packet,
      assigned: [
        packet.member.name === 'Member-002'
          ? { motionId: 'm-1', reason: 'conflict_review' as const, conflict: null }
          : { motionId: 'm-1', reason: 'gap_archon' as const, conflict: null },
      ],
    }));
    const assigned = { triaged: subject === undefined ? [] : [subject], packets };
    const samples = drawSamples(run.input.session, assigned, { runId: 'run-1', hash: sha256 });
    const sample = samples.get('m-1') ?? expect.fail('no sample');
    expect(sample).toMatchObject({ certain: ['Member-002'], order: { length: 39 } });
    const asked = createAskedSoFar();
    const open = new Set(['m-1']);
    const put = putInLook({ look: 1, open, samples, packets, asked, batch: 1, groupOf: () => '' });
    const drawn = sample.order.slice(0, 5);
    expect(new Set(put.map(({ member }) => member.name))).toEqual(
      new Set(['Member-002', ...drawn]),
    );

    const terms = { risk: 0.01, rules: shippedRules('explicit'), rosterSize: 40 };
    const some = new Map(sample.order.slice(0, 30).map(name => [name, 'ENDORSE' as const]));
    expect(decideSample(sample, some, terms)).toBeNull();
    const all = new Map([...some, ['Member-002', 'ENDORSE' as const]]);
    expect(decideSample(sample, all, terms)?.outcome).toBe('ratified');
  });

  it('lets who does not answer decide nothing: the motion is incomplete when they could turn it', async () => {
    const { run } = await hold({
      motions: motionsOf(2),
      say: member => (member % 2 === 0 ? 'ENDORSE' : null),
    });
    expect(outcomesOf(run)).toEqual(['incomplete', 'incomplete']);
    expect(run.results.map(({ decided_by }) => decided_by)).toEqual(['vote', 'vote']);
    expect(run.results.map(({ missing }) => missing)).toEqual([20, 20]);
  });

  it('has no second pass where a sample decided, and neutrals among those who were not asked', async () => {
    const { run } = await hold({
      motions: motionsOf(1),
      size: 200,
      risk: 0.05,
      say: opinion(0.7),
    });
    expect(run.results[0]).toMatchObject({ outcome: 'ratified', decided_by: 'sample' });
    expect(run.history).toHaveLength(1);
    const [panel] = run.panels;
    expect(
      Object.values(panel?.seated_because ?? {}).filter(why => why === 'not_asked'),
    ).toHaveLength(3);
  });

  it('draws others in another run', async () => {
    expect(await orderIn('run-1')).toEqual(await orderIn('run-1'));
    expect(await orderIn('run-1')).not.toEqual(await orderIn('run-2'));
  });
});

describe('a vote by sample that goes on', () => {
  const vote: SampledVote = { motions: motionsOf(8), size: 24, risk: 0.1, say: opinion(0.7) };

  it.each([0, 7, 19, 30])(
    'after it was stopped at call %i goes through the same looks, and asks nobody again who answered',
    async abortAt => {
      const { run: whole, calls: all } = await hold(vote);
      const known = new Map<string, unknown>();
      const stopped = await holdSampled({ ...vote, steps: memorySteps(known), abortAt });
      expect(stopped.run).toBeNull();
      const answered = [...known.keys()].filter(key => key.endsWith('/1')).length;
      const { run, calls } = await hold({ ...vote, steps: memorySteps(known) });
      expect(saidIn(run)).toEqual(saidIn(whole));
      expect(run.results.map(row => row.sample_risk)).toEqual(
        whole.results.map(row => row.sample_risk),
      );
      expect(answered + calls.length).toBe(all.length);
    },
  );

  it('after a ceiling is incomplete, and with a higher one the same as without any', async () => {
    const { run: whole, calls: all } = await hold(vote);
    const known = new Map<string, unknown>();
    const capped = await hold({ ...vote, steps: memorySteps(known), maxCalls: 30 });
    expect(capped.calls).toHaveLength(30);
    expect(outcomesOf(capped.run)).toContain('incomplete');
    expect([...capped.run.responses].find(row => row.look === undefined)).toMatchObject({
      status: 'no_response',
      error: 'The ceiling of 30 calls is reached.',
    });
    const { run, calls } = await hold({ ...vote, steps: memorySteps(known), round: 2 });
    expect(saidIn(run)).toEqual(saidIn(whole));
    expect(calls).toHaveLength(all.length - 30);
  });

  it('after members failed keeps what was put, and asks only who failed or is drawn on', async () => {
    const known = new Map<string, unknown>();
    const failing = (member: number, motion: string): Stance | null =>
      member % 5 === 0 ? null : opinion(0.9)(member, motion);
    const before = await hold({ ...vote, say: failing, steps: memorySteps(known) });
    const { run, calls } = await hold({
      ...vote,
      say: opinion(0.9),
      steps: memorySteps(known),
      round: 2,
    });
    const answered = new Set(
      [...before.run.responses].flatMap(row =>
        row.stance === null ? [] : `${row.archon_id} ${row.mega_motion_id}`,
      ),
    );
    const again = calls.flatMap(({ member, ids }) => ids.map(id => `${member} ${id}`));
    expect(again.filter(pair => answered.has(pair))).toEqual([]);
    expect([...run.responses].filter(({ stance }) => stance === null)).toEqual([]);
    expect(outcomesOf(run)).not.toContain('incomplete');
  });
});

async function orderIn(run: string): Promise<readonly string[] | undefined> {
  const { sampling } = (await hold({ motions: motionsOf(1), run })).run;
  return sampling?.motions[0]?.order;
}

function idOf(run: MotionsRun, name: string): string | undefined {
  return run.packets.find(({ member }) => member.name === name)?.member.id;
}
