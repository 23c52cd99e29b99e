/** A vote that was held, at a clock that stands still: one motion with consensus, one that a panel argued out, one whose panel failed. */
import { nameBasedUuid } from '../../src/adapters/system/ids.ts';
import type { Motion } from '../../src/core/vote/motion.ts';
import { MotionsSettings } from '../../src/core/vote/motions-settings.ts';
import type { MotionsRun } from '../../src/core/vote/motions-run.ts';
import type { PanelSeating } from '../../src/core/vote/aggregation.ts';
import type { PanelRecord } from '../../src/core/vote/records.ts';
import { simulatePanels } from '../../src/core/vote/simulation.ts';
import { runMotions, type Deliberators } from '../../src/engine/vote/run-motions.ts';
import type { MotionsReport } from '../../src/render/motions.ts';
import {
  firstNames,
  responseOf,
  rosterOf,
  sessionOf,
  sha256,
  shippedRules,
} from '../core/vote/sample-session.ts';

/** `said` stands wherever somebody from outside may put words. */
export async function sampleVote(said: string): Promise<MotionsReport> {
  const motions: Partial<Motion>[] = [
    { title: `Publish ${said}`, supporters: firstNames(3) },
    { title: `Constitutional ${said}` },
    { title: `Contested ${said}` },
  ];
  return reportOf(await hold(motions, said, true), said);
}

export async function sampleTriage(said: string): Promise<MotionsReport> {
  return {
    ...reportOf(
      await hold([{ title: `Publish ${said}`, supporters: firstNames(3) }], said, false),
      said,
    ),
    folder: null,
  };
}

function reportOf(run: MotionsRun, said: string): MotionsReport {
  return { run, source: `session ${said}`, isDetected: false, folder: `/results/${said}` };
}

async function hold(
  motions: readonly Partial<Motion>[],
  said: string,
  isAsked: boolean,
): Promise<MotionsRun> {
  const session = {
    ...sessionOf(8, motions),
    name: `Session ${said}`,
    roster: rosterOf(8).map((member, index) =>
      index === 7 ? { ...member, name: `${member.name} ${said}` } : member,
    ),
  };
  const input = {
    session,
    positions: [],
    megaMotions: motions.length,
    novelProposals: 0,
    deferredSkipped: 0,
    unknownSupporters: [`Stranger ${said}`],
    warnings: [],
  };
  const run = await runMotions(
    {
      input,
      source: 'session',
      rules: shippedRules('guarded'),
      settings: MotionsSettings.parse({}),
      sample: null,
      triageOnly: false,
    },
    {
      clock: stillClock,
      hash: sha256,
      uuid: nameBasedUuid,
      deliberators: isAsked ? deliberatorsOf(said) : null,
      signal: new AbortController().signal,
      note: () => {},
      keepResults: () => Promise.resolve({}),
    },
  );
  if (run === null) throw new Error('The vote was interrupted.');
  return run;
}

const stillClock = {
  now: () => new Date('2026-01-01T00:00:00Z'),
  monotonicMs: () => 0,
  sleep: () => Promise.resolve(),
};

/** Of the first motion's reviewers the last gives no answer; on the others one half opposes. */
function deliberatorsOf(said: string): Deliberators {
  return {
    simulated: false,
    collectReviews: ({ packets }) =>
      Promise.resolve(
        packets.flatMap(({ member, assigned }) =>
          assigned.map(({ motionId }) => {
            const place = Number(/\d+/.exec(member.name)?.[0]);
            if (motionId !== 'm-1')
              return responseOf(member, motionId, place > 4 ? 'OPPOSE' : 'ENDORSE');
            if (place === 8) return responseOf(member, motionId, null);
            return responseOf(
              member,
              motionId,
              place > 5 ? 'AMEND' : 'ENDORSE',
              place > 5 ? { amendment_text: `Add ${said}` } : {},
            );
          }),
        ),
      ),
    holdSecondPass: null,
    holdPanels: ({ panels }) =>
      Promise.resolve(
        panels.flatMap((seating, index) =>
          simulatePanels([seating], '2026-01-01T00:00:00.000Z').map(record => ({
            ...record,
            ...(index === 0 ? concluded(seating, said) : failed(said)),
          })),
        ),
      ),
  };
}

function concluded({ critics }: PanelSeating, said: string): Partial<PanelRecord> {
  return {
    recommendation: 'amend',
    vote_breakdown: { pass: 4, fail: 3, amend: 2, defer: 0 },
    votes_agree: false,
    revision_rationale: `Because ${said}`,
    revised_motion_text: `The members\nshall ${said}`,
    dissenting_opinions: critics.slice(0, 2).map(({ name }) => ({
      archon_name: `${name} ${said}`,
      opinion: `First  line of ${name}.\n\n- second line: ${said}`,
    })),
  };
}

function failed(said: string): Partial<PanelRecord> {
  return {
    status: 'failed',
    recommendation: null,
    votes_agree: null,
    error: `The facilitator did not report: ${said}`,
    vote_breakdown: { pass: 0, fail: 0, amend: 0, defer: 0 },
  };
}
