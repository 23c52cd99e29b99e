// Triage, packets, aggregation and ratification of 100 motions by 10,000 members from recorded stances, in this process.
import { holdVote, inputFrom, readRules, responseOf } from './votes/in-process.mjs';
import { integersFrom } from './program.mjs';

export const title =
  'a vote of 10,000 members on 100 motions, over 5 s and 500 MB, whichever is nearer';
export const aim = 1;

const vocabulary = Array.from({ length: 600 }, (_, index) => `word${index}`);
const stances = /** @type {const} */ ([
  'ENDORSE',
  'ENDORSE',
  'ENDORSE',
  'OPPOSE',
  'AMEND',
  'ABSTAIN',
]);

/** @type {import('./main.mjs').Measure} */
export async function measure({ size }) {
  const files = size === 'full' ? filesOf(10_000, 100) : filesOf(200, 10);
  const rules = readRules('guarded');
  const began = performance.now();
  const run = await holdVote(
    { input: inputFrom(files), rules },
    {
      run: null,
      holdSecondPass: null,
      collectReviews: ({ packets }) => Promise.resolve(packets.flatMap(recordedOf)),
    },
  );
  const seconds = (performance.now() - began) / 1000;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const assignments = run.packets.reduce((sum, { assigned }) => sum + assigned.length, 0);
  const conflicts = run.triaged.reduce((sum, one) => sum + one.conflicts.length, 0);
  return {
    figure: Math.max(seconds / 5, megabytes / 500),
    detail:
      `${seconds.toFixed(1)} s, peak ${Math.round(megabytes)} MB, ${assignments} assignments, ` +
      `${conflicts} conflicts, ${run.results.length} motions decided`,
  };
}

/** Every tenth motion forbids what the next one demands. */
function filesOf(/** @type {number} */ members, /** @type {number} */ motions) {
  const below = integersFrom(1);
  const clause = () =>
    Array.from({ length: 8 + below(8) }, () => vocabulary[below(vocabulary.length)]).join(' ');
  const roster = Array.from({ length: members }, (_, index) => `member-${index}`);
  const megaMotions = Array.from({ length: motions }, (_, index) => {
    const supporters = below(0.75 * members);
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
  return { id: 'large', megaMotions, roster };
}

/** @param {import('../dist/vote/triage.js').Packet} packet */
function recordedOf({ member, assigned }) {
  const first = member.name.length * 7 + Number(member.name.slice(7));
  return assigned.map(({ motionId }, index) =>
    responseOf(member, motionId, stances[(first + index * 3) % stances.length] ?? 'ABSTAIN'),
  );
}
