/**
 * A vote that was held, at a clock that stands still: one motion with consensus, one that a panel argued out, one whose panel failed,
 * one for which a panel would be ceremony.
 */
import type { Motion } from '../../src/vote/triage.ts';
import type { MotionsRun, MotionsReport } from '../../src/vote/motions-run.ts';
import type { PanelSeating } from '../../src/vote/panels.ts';
import type { PanelRecord } from '../../src/vote/records.ts';
import type { Deliberators } from '../../src/vote/asking/run-motions.ts';
import {
  firstNames,
  holdVote,
  panelOf,
  responseOf,
  rosterOf,
  sessionOf,
} from '../vote/sample-session.ts';

/** `said` stands wherever somebody from outside may put words. */
export async function sampleVote(said: string): Promise<MotionsReport> {
  const motions: Partial<Motion>[] = [
    { title: `Publish ${said}`, supporters: firstNames(3) },
    { title: `Constitutional ${said}` },
    { title: `Contested ${said}` },
    { title: `Opposed ${said}` },
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
  const run = await holdVote(
    session,
    isAsked ? deliberatorsOf(said) : null,
    { source: 'session', unknownSupporters: [`Stranger ${said}`] },
    { clock: stillClock },
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
    run: 'run-1',
    collectReviews: ({ packets }) =>
      Promise.resolve(
        packets.flatMap(({ member, assigned }) =>
          assigned.map(({ motionId }) => {
            const place = Number(/\d+/.exec(member.name)?.[0]);
            if (motionId === 'm-4') return responseOf(member, motionId, 'OPPOSE');
            if (motionId !== 'm-1')
              return responseOf(
                member,
                motionId,
                place === 4 ? 'ABSTAIN' : place > 4 ? 'OPPOSE' : 'ENDORSE',
              );
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
    holdPanels: panels =>
      Promise.resolve(
        panels.map((seating, index) =>
          panelOf(seating, index === 0 ? concluded(seating, said) : failed(seating, said)),
        ),
      ),
  };
}

function concluded(seating: PanelSeating, said: string): Partial<PanelRecord> {
  return {
    recommendation: 'amend',
    vote_breakdown: { pass: 3, fail: 3, amend: 1, defer: 0 },
    votes_agree: false,
    revision_rationale: `Shortened ${said}`,
    revised_motion_text: `The members\nshall ${said}`,
    dissenting_opinions: seating.critics.slice(0, 2).map(({ name }) => ({
      archon_name: `${name} ${said}`,
      opinion: `First  line of ${name}.\n\n- second line: ${said}`,
    })),
    arguments: argumentsOf(seating, said).map(row =>
      row.side === 'neutral' ? { ...row, vote: null } : row,
    ),
    reported_votes: { 'Member-004': 'amend' },
    synthesis: {
      recommendation: 'amend',
      rationale: `Because ${said}`,
      revised_motion_text: `The members\nshall ${said}`,
      revision_summary: `Shortened ${said}`,
      key_points_discussed: [`What it costs ${said}`, 'Who pays'],
      consensus_areas: [],
      unresolved_concerns: [`Who watches ${said}`],
      dissenting_opinions: [],
    },
  };
}

function argumentsOf(seating: PanelSeating, said: string): PanelRecord['arguments'] {
  const vote = { supporter: 'pass', critic: 'fail', neutral: 'fail' } as const;
  return (['supporter', 'critic', 'neutral'] as const).flatMap(side =>
    seating[`${side}s`].map(({ name }) => ({
      archon_name: name,
      side,
      argument: `${name} argues ${said}`,
      vote: vote[side],
    })),
  );
}

function failed(seating: PanelSeating, said: string): Partial<PanelRecord> {
  const rows = argumentsOf(seating, said);
  return {
    status: 'failed',
    recommendation: null,
    votes_agree: null,
    error: `The facilitator did not report: ${said}`,
    vote_breakdown: { pass: 3, fail: 4, amend: 0, defer: 0 },
    arguments: rows,
    dissenting_opinions: rows
      .filter(({ side }) => side === 'supporter')
      .map(({ archon_name, argument }) => ({ archon_name, opinion: argument ?? '' })),
  };
}
