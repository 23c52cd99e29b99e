import { expect, it } from 'vitest';
import { judgeMotions } from '../../src/core/verdict/judges.ts';
import type { MotionsOutcome } from '../../src/index.ts';
import { briefOfMotions } from '../../src/mcp/brief.ts';

type Row = MotionsOutcome['run']['results'][number];

const row = (number: number, outcome: Row['outcome']): Row => ({
  vote_id: `v${number}`,
  mega_motion_id: `m${number}`,
  mega_motion_title: `Motion\n${number} ${'of a long title '.repeat(20)}`,
  yeas: 5,
  nays: 2,
  abstentions: 1,
  amends: 0,
  eligible_votes: 8,
  total_votes: 8,
  participation_rate: 1,
  threshold_type: 'simple_majority',
  threshold_required: 5,
  quorum_required: 4,
  quorum_met: true,
  support_total: 5,
  support_required: 5,
  threshold_met: true,
  revision_of: null,
  revised_motion_text: null,
  outcome,
  ratified_at: null,
  cast: null,
  panel_recommendation: null,
  missing: outcome === 'incomplete' ? 3 : 0,
});

it('a vote that lacks answers is INCOMPLETE', () => {
  const outcome = {
    run: {
      results: [row(1, 'ratified'), row(2, 'incomplete')],
    } as unknown as MotionsOutcome['run'],
    source: 's',
    isDetected: false,
    folder: '/results',
    isUnanswered: false,
    reasons: judgeMotions(1, false),
  };
  const { facts, text = '' } = briefOfMotions(outcome, 'run');
  expect(facts).toMatchObject({
    outcome: expect.stringMatching(/^INCOMPLETE/),
    exit_code: 2,
    ratified: 1,
    incomplete: 1,
  });
  expect(text).toMatch(/^incomplete: Motion 2 /);
});

it('a vote on forty motions comes back in fifteen lines, what was not ratified first', () => {
  const results = Array.from({ length: 40 }, (_, index) =>
    row(index, index === 7 ? 'rejected' : 'ratified'),
  );
  // Only the results of the vote are read.
  const outcome = {
    run: { results } as unknown as MotionsOutcome['run'],
    source: 's',
    isDetected: false,
    folder: '/results',
    isUnanswered: false,
    reasons: [],
  };
  const { facts, text = '' } = briefOfMotions(outcome, '20261122T010203Z-abcdef');
  expect(facts).toEqual({
    run: '20261122T010203Z-abcdef',
    status: 'ended',
    outcome: 'counted',
    exit_code: 0,
    ratified: 39,
    rejected: 1,
    deferred: 0,
    incomplete: 0,
  });
  const lines = text.split('\n');
  expect(lines).toHaveLength(15);
  expect(lines[0]).toMatch(/^rejected: Motion 7 .* m7$/);
  expect(lines.slice(-2)).toEqual(['and 27 more in the results folder', 'Results: /results']);
});
