// How well the finder of conflicts tells contradictions from look-alikes, on labelled pairs, beside the rule it began with.
import { findConflicts } from '../dist/core/vote/conflicts.js';
import { judgePairs, readPairs, readRecordedPairs } from './motions/labelled-pairs.mjs';
import { contradictByRule } from './motions/literal-rule.mjs';

export const title =
  'conflicts of motions on pairs set aside, recall below 0.8 or precision below 0.9, whichever is worse';
export const aim = 1;

export function measure() {
  const sets = [
    ['open', readPairs('open')],
    ['set aside', readPairs('set-aside')],
    ['recorded', readRecordedPairs(process.env.JURY_BENCH_SESSIONS)],
  ].filter(([, pairs]) => pairs !== null);
  const judged = new Map(sets.map(([name, pairs]) => [name, judgePairs(pairs, contradict)]));
  const { recall, precision } = judged.get('set aside');
  return {
    ratio: Math.max(0.8 / recall, 0.9 / precision),
    detail: sets
      .map(([name, pairs]) => {
        const rule = judgePairs(pairs, contradictByRule);
        return `${name}: ${tell(judged.get(name))} — literal rule: ${tell(rule)}`;
      })
      .join('; '),
  };
}

function tell({ recall, precision, found }) {
  return `recall ${recall.toFixed(2)}, precision ${precision.toFixed(2)} (${found})`;
}

/** As in a vote: the member stated the one, the motion says the other. */
function contradict(one, other) {
  const member = { name: 'Member', id: 'member', role: null, backstory: null };
  const motion = {
    id: 'm',
    title: 'Motion',
    theme: '',
    text: other,
    rationale: null,
    sourceMotionIds: [],
    supporters: [],
    unknownSupporters: [],
    consensusTier: 'low',
    isNovel: false,
  };
  const session = {
    id: 's',
    name: 's',
    motions: [motion],
    roster: [{ ...member, model: null, baseUrl: null }],
  };
  const position = { memberName: 'Member', motionId: null, stance: null, text: one, source: null };
  return findConflicts(session, [position]).conflicts.get('m').length > 0;
}
