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

/** The same for every member that is asked for its stances. */
export const memberInstructions = [
  'An assembly decides about motions, and you speak for one of its members. First you are shown the motions; who that member is and what is asked of it come behind them.',
  materialRule('decide about'),
].join('\n\n');

export interface AskedMotion {
  readonly motion: Pick<
    Motion,
    'id' | 'title' | 'theme' | 'text' | 'supporters' | 'sourceMotionIds'
  >;
  /** Null where nobody sorted it. */
  readonly riskTier: RiskTier | null;
  /** What the member said or supports that stands against it; null when nothing does. */
  readonly conflict: Omit<Conflict, 'memberName' | 'kind'> | null;
}

type Asked = Pick<Member, 'id' | 'name' | 'role' | 'backstory'>;

/** The member that is asked. */
export interface Answerer {
  readonly member: Asked;
  /** By id of a motion: decides the order in which the member is to answer. */
  readonly rankOf: (id: string) => string;
}

export function renderIdentity({ name, role, backstory }: Asked, fencing: Fencing): string {
  return [
    `You are ${visibleName(name)}${role === null ? '' : `, ${visibleName(role)}`}, a member of an assembly that decides about motions.`,
    ...(backstory === null || backstory.trim() === ''
      ? []
      : ['What is known about you:', fenceOff(['backstory'], quote(backstory), fencing)]),
    'Speak for yourself: you do not know how anybody else votes.',
  ].join('\n\n');
}

/** The same motions in the same order give the same prompt, and the same beginning whoever is asked. */
export function renderStancePrompt(
  asked: readonly AskedMotion[],
  answerer: Answerer,
  showing: Showing,
): string {
  const question: StanceQuestion<AskedMotion> = {
    title: 'Motion',
    show: one => showMotion(one, showing),
    tell: ({ conflict }, number, own) =>
      conflict === null ? [] : [tellConflict(conflict, number, own)],
    task: each =>
      `Take a stance on ${each}. Endorse what you would vote for as it stands. Oppose when concerns remain. Amend only when you would endorse it with a change that you can write down: do not default to amend. Abstain when you cannot judge.`,
    wanted: 'the words you want, when you amend',
  };
  return renderQuestion(asked, question, answerer, showing);
}

/** A motion that is put to a member again. */
export interface AskedAgain {
  readonly motion: Pick<Motion, 'id' | 'title'>;
  readonly riskTier: RiskTier;
  readonly amended: AmendedText;
  /** What the member said about the motion as it was. */
  readonly before: ReviewResponse['stance'];
}

/** Each motion in a fence of its own; behind all of them, what the member said about each before. */
export function renderSecondPassPrompt(
  asked: readonly AskedAgain[],
  answerer: Answerer,
  fencing: Fencing,
): string {
  const question: StanceQuestion<AskedAgain> = {
    title: 'Amended motion',
    show: ({ motion: { id, title }, amended: { text, by } }) => [
      `It was amended ${writtenBy[by]}.`,
      fenceOff(
        ['motion', id],
        `Title: ${onOneLine(title)}\nAmended text:\n${quote(text, longestAmended)}`,
        fencing,
      ),
    ],
    tell: ({ before }, number) => [
      `Motion ${number}: in the first pass you ${before === 'AMEND' ? 'asked for an amendment' : 'opposed the motion'}.`,
    ],
    task: each =>
      `This is the second pass, and the last one. What is shown has too few votes as it was and might pass as amended; you opposed it or asked for an amendment, and are asked about the amended text. Take a stance on ${each}. Endorse the amended text when you would vote for it as it stands. Oppose it when concerns remain. There is no third pass: who wants to amend it again does not vote for it. Abstain when you cannot judge.`,
    wanted: 'the words you would still want, when you amend',
  };
  return renderQuestion(asked, question, answerer, fencing);
}

const writtenBy: Readonly<Record<AmendedText['by'], string>> = {
  panel: 'by the panel that argued about it',
  facilitator: 'by a facilitator, from what members suggested',
  merge: 'as what members suggested, set below the motion',
};

interface StanceQuestion<About> {
  readonly title: string;
  /** Figures first and outside of the material, then its own words. Nothing of it is the member's own. */
  readonly show: (one: About) => readonly string[];
  /** What concerns this member alone. */
  readonly tell: (one: About, number: number, fencing: Fencing) => readonly string[];
  readonly task: (each: string) => string;
  /** The text of an amendment. */
  readonly wanted: string;
}

function renderQuestion<About extends { readonly motion: Pick<Motion, 'id'> }>(
  asked: readonly About[],
  { title, show, tell, task, wanted }: StanceQuestion<About>,
  { member, rankOf }: Answerer,
  showing: Fencing,
): string {
  const own = { ...showing, question: `${showing.question}/${member.id}` };
  const count = asked.length;
  const order = asked
    .map(({ motion: { id } }, index) => ({ rank: rankOf(id), number: index + 1 }))
    .toSorted((one, other) => byCodePoint(one.rank, other.rank))
    .map(({ number }) => number);
  return [
    `# ${title}${count === 1 ? '' : 's'}`,
    ...asked.map((one, index) =>
      [`## Motion ${index + 1}`, `motion_id: ${visibleJson(one.motion.id)}`, ...show(one)].join(
        '\n',
      ),
    ),
    '# Member',
    renderIdentity(member, own),
    ...asked.flatMap((one, index) => tell(one, index + 1, own)),
    renderInstructions(
      null,
      { count, noun: 'motion' },
      {
        task: task(count === 1 ? 'the motion' : `each of the ${count} motions on its own merits`),
        reasoning: '<why, in a few sentences>',
        opposition_concerns: ['<each concern that remains, when you oppose>'],
        amendment_type: amendmentTypes.join('|'),
        amendment_text: `<${wanted}>`,
        amendment_rationale: '<why they are needed>',
      },
    ),
    ...(count === 1 ? [] : [`Take the motions one by one, in this order: ${order.join(', ')}.`]),
  ].join('\n\n');
}

const mostNames = 40;

function showMotion({ motion, riskTier }: AskedMotion, showing: Showing): readonly string[] {
  const { id, title, theme, supporters, sourceMotionIds, text } = motion;
  const names = [
    ...supporters.slice(0, mostNames).map(name => onOneLine(name)),
    ...(supporters.length > mostNames ? [`${supporters.length - mostNames} more`] : []),
  ];
  return [
    `Supporters: ${supporters.length}`,
    `Source motions: ${sourceMotionIds.length}`,
    ...(riskTier === null ? [] : [`Risk: ${riskTier}`]),
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
  ];
}

/** Characters of a clause. */
const longestClause = 600;

function tellConflict(
  { motionId, own, against, source }: Omit<Conflict, 'memberName' | 'kind'>,
  number: number,
  fencing: Fencing,
): string {
  return [
    `Motion ${number} is in conflict with you: ${against === null ? 'you stated a stance on it' : 'it says the opposite of what you wrote or support'}`,
    fenceOff(
      ['conflict', motionId],
      [
        `Source: ${onOneLine(source)}`,
        `Your side:\n${quote(own, longestClause)}`,
        ...(against === null ? [] : [`The motion:\n${quote(against, longestClause)}`]),
      ].join('\n'),
      fencing,
    ),
  ].join('\n');
}
