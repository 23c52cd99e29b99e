// How well the finder of conflicts tells contradictions from look-alikes, on labelled pairs, beside the rule it began with.
import { findConflicts } from '../dist/core/vote/conflicts.js';
import { judgePairs, readPairs, readRecordedPairs } from './motions/labelled-pairs.mjs';
import { contradictByRule } from './motions/literal-rule.mjs';
import { partOf } from './program.mjs';
import { inputFrom } from './votes/in-process.mjs';

export const title =
  'conflicts of motions on pairs set aside, recall below 0.8 or precision below 0.9, whichever is worse';
export const aim = 1;

/** @type {import('./main.mjs').Measure} */
export function measure({ data }) {
  const sessions = partOf(data, 'motions');
  const judged = [
    { name: 'set aside', pairs: readPairs('set-aside') },
    { name: 'open', pairs: readPairs('open') },
    ...(sessions === null ? [] : [{ name: 'recorded', pairs: readRecordedPairs(sessions) }]),
  ].map(({ name, pairs }) => ({
    name,
    ours: judgePairs(pairs, contradict),
    rule: judgePairs(pairs, contradictByRule),
  }));
  const { recall, precision } = judged[0].ours;
  return {
    figure: Math.max(0.8 / recall, 0.9 / precision),
    detail: judged
      .map(({ name, ours, rule }) => `${name}: ${tell(ours)} — literal rule: ${tell(rule)}`)
      .join('; '),
  };
}

/** @param {ReturnType<typeof judgePairs>} judged */
function tell({ recall, precision, found }) {
  return `recall ${recall.toFixed(2)}, precision ${precision.toFixed(2)} (${found})`;
}

/** As in a vote: the member stated the one, the motion says the other. */
function contradict(/** @type {string} */ one, /** @type {string} */ other) {
  const megaMotions = [{ mega_motion_id: 'm', title: 'Motion', consolidated_text: other }];
  const { session } = inputFrom({ id: 's', megaMotions, roster: ['Member'] });
  const position = { memberName: 'Member', motionId: null, stance: null, text: one, source: null };
  return (findConflicts(session, [position]).conflicts.get('m') ?? []).length > 0;
}
