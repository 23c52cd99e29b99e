/** What members are asked about motions: who they are, the figures of each motion, and its words as material, never as instructions. */
import { makeVisible, visibleJson, visibleName } from '../../safety/visible-text.ts';
import type { Conflict } from '../conflicts.ts';
import type { Member, Motion } from '../motion.ts';
import { amendmentTypes } from '../records.ts';
import type { RiskTier } from '../triage.ts';
import { renderInstructions } from './answer-form.ts';
import { fenceOff, onOneLine, quote, type Showing } from './foreign-text.ts';

export interface AskedMotion {
  readonly motion: Motion;
  /** Null where nobody sorted it. */
  readonly riskTier: RiskTier | null;
  /** What the member said or supports that stands against it; null when nothing does. */
  readonly conflict: Conflict | null;
}

export function renderIdentity({ name, role, backstory }: Member): string {
  return [
    `You are ${visibleName(name)}${role === null ? '' : `, ${visibleName(role)}`}, a member of an assembly that decides about motions.`,
    ...(backstory === null || backstory.trim() === '' ? [] : [makeVisible(backstory)]),
    'Speak for yourself: you do not know how anybody else votes.',
  ].join('\n\n');
}

/** The same motions in the same order give the same prompt. */
export function renderStancePrompt(asked: readonly AskedMotion[], showing: Showing): string {
  return [
    `# ${asked.length === 1 ? 'Motion' : 'Motions'}`,
    ...asked.map((one, index) => renderMotion(one, index + 1, showing)),
    stanceInstructions(asked.length),
  ].join('\n\n');
}

const mostNames = 40;

/** Figures first and outside of the material; then what stands against it, then its own words, each in a fence of its own. */
function renderMotion(
  { motion, riskTier, conflict }: AskedMotion,
  number: number,
  showing: Showing,
): string {
  const { id, title, theme, supporters, sourceMotionIds, text } = motion;
  const names = [
    ...supporters.slice(0, mostNames).map(name => onOneLine(name)),
    ...(supporters.length > mostNames ? [`${supporters.length - mostNames} more`] : []),
  ];
  return [
    `## Motion ${number}`,
    `motion_id: ${visibleJson(id)}`,
    `Supporters: ${supporters.length}`,
    `Source motions: ${sourceMotionIds.length}`,
    ...(riskTier === null ? [] : [`Risk: ${riskTier}`]),
    ...(conflict === null ? [] : renderConflict(conflict, showing)),
    fenceOff(
      ['motion', id],
      [
        `Title: ${onOneLine(title)}`,
        `Theme: ${onOneLine(theme)}`,
        ...(names.length === 0 ? [] : [`Names of supporters: ${names.join(', ')}`]),
        `Text:\n${quote(text, showing.textLimits.motion_text)}`,
      ].join('\n'),
      showing,
    ),
  ].join('\n');
}

/** Characters of a clause. */
const longestClause = 600;

function renderConflict(
  { motionId, own, against, source }: Conflict,
  showing: Showing,
): readonly string[] {
  return [
    `In conflict with you: ${against === null ? 'you stated a stance on it' : 'it says the opposite of what you wrote or support'}`,
    fenceOff(
      ['conflict', motionId],
      [
        `Source: ${onOneLine(source)}`,
        `Your side:\n${quote(own, longestClause)}`,
        ...(against === null ? [] : [`The motion:\n${quote(against, longestClause)}`]),
      ].join('\n'),
      showing,
    ),
  ];
}

function stanceInstructions(count: number): string {
  const each =
    count === 1 ? 'the motion' : `each of the ${count} motions, one by one and on its own merits`;
  return renderInstructions(
    'decide about',
    { count, noun: 'motion' },
    {
      task: `Take a stance on ${each}. Endorse what you would vote for as it stands. Oppose when concerns remain. Amend only when you would endorse it with a change that you can write down: do not default to amend. Abstain when you cannot judge.`,
      reasoning: '<why, in a few sentences>',
      opposition_concerns: ['<each concern that remains, when you oppose>'],
      amendment_type: amendmentTypes.join('|'),
      amendment_text: '<the words you want, when you amend>',
      amendment_rationale: '<why they are needed>',
    },
  );
}
