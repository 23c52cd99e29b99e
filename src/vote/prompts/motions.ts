/**
 * What members are asked about motions. First comes what all members of a group are shown alike, so that a provider has it in its
 * cache: the figures of each motion, and its words as material, never as instructions. Behind it comes what is the member's own.
 */
import { visibleJson, visibleName } from '../../core/safety/visible-text.ts';
import type { Conflict, RiskTier } from '../triage.ts';
import { byCodePoint, type Motion } from '../motion.ts';
import type { Member } from '../../core/words/roster.ts';
import { type AmendedText, longestAmended } from '../amended-text.ts';
import { amendmentTypes, type ReviewResponse } from '../records.ts';
import { materialRule, renderInstructions } from '../../core/prompt/answer-form.ts';
import {
  fenceOff,
  type Fencing,
  onOneLine,
  quote,
  type Showing,
} from '../../core/prompt/foreign-text.ts';
import { present } from '../../core/present.ts';

/** The same for every member that is asked for its stances. */
export const memberInstructions = [
  'An assembly decides about motions, and you speak for one of its members. First you are shown the motions; who ' +
    'that member is and what is asked of it come behind them.',
  materialRule('decide about'),
].join('\n\n');

export interface AskedMotion {
  /** As it was put first. */
  readonly motion: Pick<
    Motion,
    'id' | 'title' | 'theme' | 'text' | 'supporters' | 'sourceMotionIds'
  >;
  /** Null where nobody sorted it. */
  readonly riskTier: RiskTier | null;
  /** What the member said or supports that stands against it; null when nothing does, and of no account in a second pass. */
  readonly conflict: Omit<Conflict, 'memberName' | 'kind'> | null;
  /** In the second pass: the amended text, and what the member said about the motion as it was. Null: it is the first. */
  readonly again: (AmendedText & { readonly before: ReviewResponse['stance'] }) | null;
}

type Asked = Pick<Member, 'id' | 'name' | 'role' | 'backstory'>;

/** The member that is asked. */
interface Answerer {
  readonly member: Asked;
  /** By id of a motion: decides the order in which the member is to answer. */
  readonly rankOf: (id: string) => string;
}

export function renderIdentity({ name, role, backstory }: Asked, fencing: Fencing) {
  return [
    `You are ${visibleName(name)}${role === null ? '' : `, ${visibleName(role)}`}, a member of an assembly that decides about motions.`,
    ...(backstory === null || backstory.trim() === ''
      ? []
      : ['What is known about you:', fenceOff(['backstory'], quote(backstory), fencing)]),
    'Speak for yourself: you do not know how anybody else votes.',
  ].join('\n\n');
}

/**
 * The same motions in the same order give the same prompt, and the same beginning whoever is asked. Figures of a motion stand first and
 * outside of the material, then its own words; what concerns the member alone stands behind all of them.
 */
export function renderStancePrompt(
  asked: readonly AskedMotion[],
  { member, rankOf }: Answerer,
  showing: Showing,
) {
  const own = { ...showing, question: `${showing.question}/${member.id}` };
  const count = asked.length;
  const pass = asked.some(({ again }) => again !== null) ? secondPass : firstPass;
  const order = asked
    .map(({ motion: { id } }, index) => ({ rank: rankOf(id), number: index + 1 }))
    .toSorted((one, other) => byCodePoint(one.rank, other.rank))
    .map(({ number }) => number);
  return present(
    `# ${pass.title}${count === 1 ? '' : 's'}`,
    ...asked.map((one, index) =>
      [
        `## Motion ${index + 1}`,
        `motion_id: ${visibleJson(one.motion.id)}`,
        ...showMotion(one, showing),
      ].join('\n'),
    ),
    '# Member',
    renderIdentity(member, own),
    ...asked.flatMap((one, index) => tellMember(one, index + 1, own) ?? []),
    renderInstructions(
      null,
      { count, noun: 'motion' },
      {
        task: pass.task(
          count === 1 ? 'the motion' : `each of the ${count} motions on its own merits`,
        ),
        reasoning: '<why, in a few sentences>',
        opposition_concerns: ['<each concern that remains, when you oppose>'],
        amendment_type: amendmentTypes.join('|'),
        amendment_text: `<the words you ${pass.wanted}, when you amend>`,
        amendment_rationale: '<why they are needed>',
      },
    ),
    count !== 1 && `Take the motions one by one, in this order: ${order.join(', ')}.`,
  ).join('\n\n');
}

const firstPass = {
  title: 'Motion',
  task: (each: string) =>
    `Take a stance on ${each}. Endorse what you would vote for as it stands. Oppose when concerns remain. Amend only ` +
    'when you would endorse it with a change that you can write down: do not default to amend. Abstain when you ' +
    'cannot judge.',
  wanted: 'want',
};

const secondPass: typeof firstPass = {
  title: 'Amended motion',
  task: each =>
    'This is the second pass, and the last one. What is shown has too few votes as it was and might pass as amended; ' +
    `you opposed it or asked for an amendment, and are asked about the amended text. Take a stance on ${each}. ` +
    'Endorse the amended text when you would vote for it as it stands. Oppose it when concerns remain. There is no ' +
    'third pass: who wants to amend it again does not vote for it. Abstain when you cannot judge.',
  wanted: 'would still want',
};

const writtenBy = {
  panel: 'by the panel that argued about it',
  facilitator: 'by a facilitator, from what members suggested',
  merge: 'as what members suggested, set below the motion',
};

const mostNames = 40;

function showMotion({ motion, riskTier, again }: AskedMotion, showing: Showing) {
  const { id, title, theme, supporters, sourceMotionIds, text } = motion;
  const fence = (...lines: readonly string[]) =>
    fenceOff(['motion', id], [`Title: ${onOneLine(title)}`, ...lines].join('\n'), showing);
  if (again !== null)
    return [
      `It was amended ${writtenBy[again.by]}.`,
      fence(`Amended text:\n${quote(again.text, longestAmended)}`),
    ];
  const names = present(
    ...supporters.slice(0, mostNames).map(name => onOneLine(name)),
    supporters.length > mostNames && `${supporters.length - mostNames} more`,
  );
  return present(
    `Supporters: ${supporters.length}`,
    `Source motions: ${sourceMotionIds.length}`,
    riskTier !== null && `Risk: ${riskTier}`,
    fence(
      `Theme: ${onOneLine(theme)}`,
      ...(names.length === 0 ? [] : [`Names of supporters: ${names.join(', ')}`]),
      `Text:\n${quote(text, showing.textLimits.motion_text)}`,
    ),
  );
}

/** Characters of a clause. */
const longestClause = 600;

/** Null: it does not concern this member more than others. */
function tellMember({ again, conflict }: AskedMotion, number: number, fencing: Fencing) {
  if (again !== null)
    return `Motion ${number}: in the first pass you ${again.before === 'AMEND' ? 'asked for an amendment' : 'opposed the motion'}.`;
  if (conflict === null) return null;
  const { motionId, own, against, source } = conflict;
  return [
    `Motion ${number} is in conflict with you: ` +
      (against === null
        ? 'you stated a stance on it'
        : 'it says the opposite of what you wrote or support'),
    fenceOff(
      ['conflict', motionId],
      present(
        `Source: ${onOneLine(source)}`,
        `Your side:\n${quote(own, longestClause)}`,
        against !== null && `The motion:\n${quote(against, longestClause)}`,
      ).join('\n'),
      fencing,
    ),
  ].join('\n');
}
