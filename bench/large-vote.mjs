// One large vote in this process; its results are not written. Prints its time and peak memory.
import { runMotions } from '../dist/engine/vote/run-motions.js';
import { MotionsSettings } from '../dist/core/vote/motions-settings.js';
import { readSession } from '../dist/core/vote/session-input.js';
import { systemClock } from '../dist/adapters/system/clock.js';
import { nameBasedUuid, sha256 } from '../dist/adapters/system/ids.js';
import { readFileSync } from 'node:fs';

const members = 10_000;
const motions = 100;
const rules = JSON.parse(readFileSync(new URL('../rules/guarded.json', import.meta.url), 'utf8'));
const roster = Array.from({ length: members }, (_, index) => `member-${index}`);
const vocabulary = Array.from({ length: 600 }, (_, index) => `word${index}`);

/** Numbers that look random and are the same in every run. */
let state = 1;
const below = bound => (state = (state * 48_271) % 2_147_483_647) % bound;
const clause = () =>
  Array.from({ length: 8 + below(8) }, () => vocabulary[below(vocabulary.length)]).join(' ');

const megaMotions = Array.from({ length: motions }, (_, index) => {
  const supporters = below(7_500);
  const first = below(members - supporters);
  const echo =
    index % 10 === 1
      ? '\nno bridge shall cross river delta before spring flood ends'
      : index % 10 === 2
        ? '\nevery bridge shall cross river delta before spring flood ends'
        : '';
  return {
    mega_motion_id: `m-${index}`,
    title: index % 5 ? `Motion ${index}` : `Constitutional motion ${index}`,
    consolidated_text: Array.from({ length: 40 }, clause).join('.\n') + echo,
    all_supporting_archons: roster.slice(first, first + supporters),
    unique_archon_count: supporters,
  };
});

// Recorded stances share what they have in common, as they do when they are read from a journal.
const stances = ['ENDORSE', 'ENDORSE', 'ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'];
const recorded = ({ packets }) =>
  packets.flatMap(({ member, assigned }) =>
    assigned.map(({ motionId }, index) => ({
      archon_id: member.id,
      archon_name: member.name,
      mega_motion_id: motionId,
      status: 'ok',
      error: null,
      stance:
        stances[
          (member.name.length * 7 + index * 3 + Number(member.name.slice(7))) % stances.length
        ],
      amendment_type: null,
      amendment_text: null,
      amendment_rationale: null,
      opposition_reason: null,
      reasoning: '',
      confidence: 0.5,
      validation: [],
      text_truncated: false,
      attempts: 1,
      review_duration_ms: 0,
      reviewed_at: '2026-01-01T00:00:00.000Z',
    })),
  );

const startedAt = performance.now();
const none = {
  novelProposals: undefined,
  deferredProposals: undefined,
  summary: undefined,
  positions: undefined,
};
const input = readSession(
  { id: 'large', megaMotions, roster, ...none },
  { includeDeferred: false, defaultRoster: [], uuid: nameBasedUuid },
);
const run = await runMotions(
  {
    input,
    source: 'large',
    rules,
    shipped: [rules],
    settings: MotionsSettings.parse({}),
    sample: null,
    triageOnly: false,
  },
  {
    keepResults: () => Promise.resolve({}),
    clock: systemClock,
    hash: sha256,
    uuid: nameBasedUuid,
    signal: new AbortController().signal,
    note: () => {},
    deliberators: {
      simulated: false,
      holdSecondPass: null,
      collectReviews: wanted => Promise.resolve(recorded(wanted)),
      holdPanels: () => Promise.resolve([]),
    },
  },
);
console.log(
  JSON.stringify({
    seconds: (performance.now() - startedAt) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1024,
    assignments: run.packets.reduce((sum, { assigned }) => sum + assigned.length, 0),
    conflicts: run.triaged.reduce((sum, { conflicts }) => sum + conflicts.length, 0),
    outcomes: run.results.length,
  }),
);
