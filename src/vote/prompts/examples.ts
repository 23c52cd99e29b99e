/**
 * Every kind of prompt of a vote about one example, as the record of a vote keeps them. A prompt that was sent is made of these
 * words, of the session and the roster, of what was answered before, and of a random mark.
 */
import { defaultLimits } from '../../core/words/motions-settings.ts';
import { contradictionInstructions, renderComparison } from './conflicts.ts';
import {
  memberInstructions,
  renderIdentity,
  renderSecondPassPrompt,
  renderStancePrompt,
} from './motions.ts';
import {
  facilitatorInstructions,
  mergeInstructions,
  renderFacilitatorPrompt,
  renderMergePrompt,
  renderPanelPrompt,
} from './panels.ts';

/** By kind. They differ between two votes exactly when the words of the program do. */
export function exemplifyPrompts(): Record<string, string> {
  const sides = ['supporter', 'critic', 'neutral'] as const;
  const said = sides.map(side => ({
    archon_name: `(a ${side})`,
    side,
    argument: '(an argument)',
    vote: 'pass' as const,
  }));
  const amended = { text: '(an amended text)', by: 'facilitator' as const };
  const inFirst = { motion, riskTier: 'medium', conflict: null } as const;
  const inSecond = { ...inFirst, amended, before: 'AMEND' } as const;
  const byPanel = { ...amended, by: 'panel' as const };
  const heard = { supporter: 0, critic: 1, neutral: 2 };
  return {
    member: `${memberInstructions}\n\n${renderIdentity(member, showing)}`,
    review: renderStancePrompt([{ ...inFirst, conflict }], answerer, showing),
    reviews: renderStancePrompt([inFirst, inFirst], answerer, showing),
    ...Object.fromEntries(
      sides.map(side => [
        side,
        renderPanelPrompt(side, said.slice(0, heard[side]), subject, showing),
      ]),
    ),
    facilitator: `${facilitatorInstructions}\n\n${renderFacilitatorPrompt(said, subject, showing)}`,
    merge: `${mergeInstructions}\n\n${renderMergePrompt(subject, showing)}`,
    second_pass: renderSecondPassPrompt(
      [inSecond, { ...inSecond, amended: byPanel, before: 'OPPOSE' }],
      answerer,
      showing,
    ),
    conflicts: `${contradictionInstructions}\n\n${renderComparison('(a text)', ['(another text)'], showing)}`,
  };
}

/** No prompt that is sent has this mark. */
const mark = '0'.repeat(32);
const showing = { fence: mark, hash: () => mark, question: 'example', textLimits: defaultLimits };
const [title, text] = ['(a title)', '(a text)'];
const subject = { title, text, amendments: ['(an amendment)'] };
const member = {
  name: '(a name)',
  id: 'member',
  role: '(a role)',
  backstory: '(a backstory)',
};
const answerer = { member, rankOf: () => '' };
const motion = {
  id: 'motion',
  title,
  theme: '(a theme)',
  text,
  sourceMotionIds: ['source'],
  supporters: ['(a supporter)'],
};
const conflict = {
  motionId: motion.id,
  own: '(own words)',
  against: '(words of the motion)',
  source: '(where they stand)',
};
