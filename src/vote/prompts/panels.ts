/** What the members of a panel and its facilitator are asked. Everything others wrote is material, never instructions. */
import { visibleJson } from '../../core/safety/visible-text.ts';
import type { Argument } from '../panels.ts';
import type { Side } from '../records.ts';
import { recommendations } from '../../core/words/vote.ts';
import { materialRule } from '../../core/prompt/answer-form.ts';
import { fenceOff, onOneLine, quote, type Showing } from '../../core/prompt/foreign-text.ts';

/** What a panel is about. */
interface PanelSubject {
  readonly title: string;
  readonly text: string;
  /** Texts of amendments that were proposed before the panel met. */
  readonly amendments: readonly string[];
}

const tasks: Readonly<Record<Side, string>> = {
  supporter:
    'You sit on a panel about this motion as one of those who support it. Argue for it: what it achieves, why the objections do not outweigh that, and what you would concede.',
  critic:
    'You sit on a panel about this motion as one of those who oppose it. Argue against it: what is wrong with it, what its supporters overlook, and what would have to change.',
  neutral:
    'You sit on a panel about this motion and are on neither side. Say which arguments convince you and which do not.',
};

/** `heard`: the arguments this member may read; nobody reads a vote. */
export function renderPanelPrompt(
  side: Side,
  heard: readonly Argument[],
  subject: PanelSubject,
  showing: Showing,
): string {
  const { panel_text: mostText, argument_to_panel: mostArgument } = showing.textLimits;
  return [
    '# Motion',
    renderSubject(subject, mostText, showing),
    ...(heard.length === 0 ? [] : ['# Arguments']),
    ...heard.map((argument, index) =>
      renderArgument(argument, index + 1, { most: mostArgument, withVotes: false, showing }),
    ),
    '# Instructions',
    materialRule('decide about'),
    tasks[side],
    "Answer in plain sentences, at most 200 words. End with one line that is your own vote, before anybody has seen another's:",
    'VOTE: pass|fail|amend|defer',
  ].join('\n\n');
}

export const facilitatorInstructions =
  'You facilitate a panel about a contested motion. You have no vote and no opinion of your own: you report what the panel came to.';

export function renderFacilitatorPrompt(
  said: readonly Argument[],
  subject: PanelSubject,
  showing: Showing,
): string {
  const { facilitator_text: mostText, argument_to_facilitator: most } = showing.textLimits;
  const { amendments } = subject;
  return [
    '# Motion',
    renderSubject(subject, mostText, showing),
    '# Arguments',
    ...said.map((argument, index) =>
      renderArgument(argument, index + 1, { most, withVotes: true, showing }),
    ),
    ...(amendments.length === 0 ? [] : ['# Proposed amendments']),
    ...amendments.map((amendment, index) => {
      const number = String(index + 1);
      const body = quote(amendment, most);
      return `## Amendment ${number}\n${fenceOff(['amendment', number], body, showing)}`;
    }),
    '# Instructions',
    materialRule('decide about'),
    'Report what the panel recommends. Give the vote of each member by name. Quote those who dissent from the recommendation word for word.',
    'Answer with one JSON object of this form and nothing else:',
    JSON.stringify(facilitation, null, 2),
  ].join('\n\n');
}

const facilitation = {
  recommendation: recommendations.join('|'),
  recommendation_rationale: '<why>',
  votes: { '<name>': recommendations.join('|') },
  revised_motion_text: '<the whole text with the changes agreed on, or null>',
  revision_summary: '<what was changed, or null>',
  key_points_discussed: ['<point>'],
  consensus_areas: ['<point>'],
  unresolved_concerns: ['<concern>'],
  dissenting_opinions: [{ archon_name: '<name>', opinion: '<in its own words>' }],
};

function renderSubject({ title, text }: PanelSubject, most: number, showing: Showing): string {
  const body = `Title: ${onOneLine(title)}\nText:\n${quote(text, most)}`;
  return fenceOff(['subject'], body, showing);
}

interface Telling {
  /** Characters of the argument. */
  readonly most: number;
  readonly withVotes: boolean;
  readonly showing: Showing;
}

/** Who speaks, and how the member voted, before and outside of what it says. */
function renderArgument(
  { name, side, text, vote }: Argument,
  number: number,
  { most, withVotes, showing }: Telling,
): string {
  return [
    `## Argument ${number}`,
    `Member: ${visibleJson(name)}`,
    `Side: ${side}`,
    ...(withVotes && vote !== null ? [`Vote: ${vote}`] : []),
    text === null
      ? '[no argument was given]'
      : fenceOff(['argument', name], quote(text, most), showing),
  ].join('\n');
}
