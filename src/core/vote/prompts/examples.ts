/**
 * Every kind of prompt of a vote about one example, as the record of a vote keeps them. A prompt that was sent is made of these
 * words, of the session and the roster, of what was answered before, and of a random mark.
 */
import {
  type AmendedText,
  mergeInstructions,
  renderMergePrompt,
  renderSecondPassPrompt,
} from '../amended-text.ts';
import { contradictionInstructions, renderComparison } from './conflicts.ts';
import type { Member, Motion } from '../motion.ts';
import { defaultLimits } from '../motions-settings.ts';
import type { Argument } from '../panels.ts';
import type { Showing } from './foreign-text.ts';
import { memberInstructions, renderIdentity, renderStancePrompt } from './motions.ts';
import { facilitatorInstructions, renderFacilitatorPrompt, renderPanelPrompt } from './panels.ts';

/** By kind. They differ between two votes exactly when the words of the program do. */
export function exemplifyPrompts(): Record<string, string> {
  const subject = { title, text, amendments: [amendment] };
  const asked = { motion, riskTier: 'medium', conflict: null } as const;
  const said = (['supporter', 'critic', 'neutral'] as const).map((side): Argument => ({
    name: `(a ${side})`,
    side,
    text: '(an argument)',
    vote: 'pass',
  }));
  return {
    member: `${memberInstructions}\n\n${renderIdentity(member, showing)}`,
    review: renderStancePrompt([{ ...asked, conflict }], answerer, showing),
    reviews: renderStancePrompt([asked, asked], answerer, showing),
    supporter: renderPanelPrompt('supporter', [], subject, showing),
    critic: renderPanelPrompt('critic', said.slice(0, 1), subject, showing),
    neutral: renderPanelPrompt('neutral', said.slice(0, 2), subject, showing),
    facilitator: `${facilitatorInstructions}\n\n${renderFacilitatorPrompt(said, subject, showing)}`,
    merge: `${mergeInstructions}\n\n${renderMergePrompt(subject, showing)}`,
    second_pass: renderSecondPassPrompt(
      [
        { ...asked, amended, before: 'AMEND' },
        { ...asked, amended: { ...amended, by: 'panel' }, before: 'OPPOSE' },
      ],
      answerer,
      showing,
    ),
    conflicts: `${contradictionInstructions}\n\n${renderComparison(text, ['(another text)'], showing)}`,
  };
}

/** No prompt that is sent has this mark. */
const mark = '0'.repeat(32);
const showing: Showing = {
  fence: mark,
  hash: () => mark,
  question: 'example',
  textLimits: defaultLimits,
};
const [title, text, amendment] = ['(a title)', '(a text)', '(an amendment)'];

const member: Member = {
  name: '(a name)',
  id: 'member',
  role: '(a role)',
  backstory: '(a backstory)',
  model: null,
  baseUrl: null,
};

const answerer = { member, rankOf: () => '' };

const motion: Motion = {
  id: 'motion',
  title,
  theme: '(a theme)',
  text,
  rationale: null,
  sourceMotionIds: ['source'],
  supporters: ['(a supporter)'],
  unknownSupporters: [],
  consensusTier: 'low',
  isNovel: false,
  constitutional: null,
};

const conflict = {
  memberName: member.name,
  motionId: motion.id,
  kind: 'model' as const,
  own: '(own words)',
  against: '(words of the motion)',
  source: '(where they stand)',
};

const amended: AmendedText = { text: '(an amended text)', by: 'facilitator' };
