/**
 * What members are asked about motions. First comes what all members of a group are shown alike, so that a provider has it in its
 * cache: the figures of each motion, and its words as material, never as instructions. Behind it comes what is the member's own.
 */
import { by, present } from '../../core/groups.ts';
import {
  type Fencing,
  type Showing,
  fenceOff,
  materialRule,
  onOneLine,
  oneObject,
  quote,
  renderForm,
  renderInstructions,
} from '../../core/prompt/answer-form.ts';
import { visibleJson, visibleName } from '../../core/safety/visible-text.ts';
import { Recommendation } from '../../core/words/claim.ts';
import type { Member } from '../../core/words/roster.ts';
import { type Amendable, type AmendedText, longestAmended, suggestionsIn } from '../answers.ts';
import type { Conflict, Motion, RiskTier } from '../triage.ts';
import { type Argument, type ReviewResponse, type Side, AmendmentType } from '../records.ts';

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
  readonly riskTier: RiskTier;
  /** What the member said or supports that stands against it; null when nothing does, and of no account in a second pass. */
  readonly conflict: Omit<Conflict, 'memberName'> | null;
  /** In the second pass: the amended text, and what the member said about the motion as it was. Null: it is the first. */
  readonly again: (AmendedText & { readonly before: ReviewResponse['stance'] }) | null;
}

type Asked = Pick<Member, 'id' | 'name' | 'role' | 'backstory'>;

/** The member that is asked. */
interface Answerer {
  member: Asked;
  /** By id of a motion: decides the order in which the member is to answer. */
  rankOf: (id: string) => string;
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
    .toSorted(by(({ rank }) => rank))
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
        amendment_type: AmendmentType.options.join('|'),
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
    `Risk: ${riskTier}`,
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

// What the members of a panel and a facilitator are asked. Everything others wrote is material, never instructions.

const tasks = {
  supporter:
    'You sit on a panel about this motion as one of those who support it. Argue for it: what it achieves, why the ' +
    'objections do not outweigh that, and what you would concede.',
  critic:
    'You sit on a panel about this motion as one of those who oppose it. Argue against it: what is wrong with it, ' +
    'what its supporters overlook, and what would have to change.',
  neutral:
    'You sit on a panel about this motion and are on neither side. Say which arguments convince you and which do not.',
};

/** `heard`: the arguments this member may read; nobody reads a vote. */
export function renderPanelPrompt(
  side: Side,
  heard: readonly Argument[],
  subject: Amendable,
  showing: Showing,
) {
  const { panel_text: mostText, argument_to_panel: mostArgument } = showing.textLimits;
  return present(
    renderSubject(subject, showing, mostText),
    heard.length > 0 && '# Arguments',
    ...heard.map((argument, index) =>
      renderArgument({ ...argument, vote: null }, index + 1, mostArgument, showing),
    ),
    '# Instructions',
    materialRule('decide about'),
    tasks[side],
    "Answer in plain sentences, at most 200 words. End with one line that is your own vote, before anybody has seen another's:",
    'VOTE: pass|fail|amend|defer',
  ).join('\n\n');
}

export const facilitatorInstructions =
  'You facilitate a panel about a contested motion. You have no vote and no opinion of your own: you report what the panel came to.';

export function renderFacilitatorPrompt(
  said: readonly Argument[],
  subject: Amendable,
  showing: Showing,
) {
  const { facilitator_text: mostText, argument_to_facilitator: most } = showing.textLimits;
  const { amendments } = subject;
  return present(
    renderSubject(subject, showing, mostText),
    '# Arguments',
    ...said.map((argument, index) => renderArgument(argument, index + 1, most, showing)),
    amendments.length > 0 && '# Proposed amendments',
    ...renderAmendments(amendments, showing, most),
    renderForm(
      'decide about',
      [
        'Report what the panel recommends. Give the vote of each member by name. Quote those who dissent from the ' +
          'recommendation word for word.',
        oneObject,
      ],
      facilitation,
    ),
  ).join('\n\n');
}

const facilitation = {
  recommendation: Recommendation.options.join('|'),
  recommendation_rationale: '<why>',
  votes: { '<name>': Recommendation.options.join('|') },
  revised_motion_text: '<the whole text with the changes agreed on, or null>',
  revision_summary: '<what was changed, or null>',
  key_points_discussed: ['<point>'],
  consensus_areas: ['<point>'],
  unresolved_concerns: ['<concern>'],
  dissenting_opinions: [{ archon_name: '<name>', opinion: '<in its own words>' }],
};

export const mergeInstructions =
  'You facilitate an assembly that decides about motions. You have no vote and no opinion of your own: you write a ' +
  'motion down as its members asked for it to be changed.';

/** Everything is shown whole, each suggestion in a fence of its own. */
export function renderMergePrompt(subject: Amendable, fencing: Fencing) {
  return [
    renderSubject(subject, fencing),
    '# Suggested amendments',
    ...renderAmendments(suggestionsIn(subject.amendments), fencing),
    renderForm(
      'decide about',
      [
        'Write the whole motion with the suggested amendments merged into it. Keep every sentence that no suggestion ' +
          'changes word for word. Where suggestions contradict each other, take what most of them ask for. Add nothing of ' +
          'your own. Members vote on your text: it must stand by itself.',
        oneObject,
      ],
      { revised_motion_text: '<the whole text of the amended motion>' },
    ),
  ].join('\n\n');
}

/** `most`: characters that are shown of it; all of them where it is left out. */
function renderSubject({ title, text }: Amendable, fencing: Fencing, most?: number) {
  const body = `Title: ${onOneLine(title)}\nText:\n${quote(text, most)}`;
  return `# Motion\n\n${fenceOff(['subject'], body, fencing)}`;
}

function renderAmendments(texts: readonly string[], fencing: Fencing, most?: number) {
  return texts.map((text, index) => {
    const number = String(index + 1);
    return `## Amendment ${number}\n${fenceOff(['amendment', number], quote(text, most), fencing)}`;
  });
}

/** Who speaks, and how the member voted, before and outside of what it says. */
function renderArgument(
  { archon_name: name, side, argument, vote }: Argument,
  number: number,
  most: number,
  showing: Showing,
) {
  return present(
    `## Argument ${number}`,
    `Member: ${visibleJson(name)}`,
    `Side: ${side}`,
    vote !== null && `Vote: ${vote}`,
    argument === null
      ? '[no argument was given]'
      : fenceOff(['argument', name], quote(argument, most), showing),
  ).join('\n');
}
