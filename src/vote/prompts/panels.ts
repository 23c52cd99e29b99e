/** What the members of a panel and a facilitator are asked. Everything others wrote is material, never instructions. */
import { visibleJson } from '../../core/safety/visible-text.ts';
import { type Amendable, suggestionsIn } from '../amended-text.ts';
import type { Argument, Side } from '../records.ts';
import { recommendations } from '../../core/words/vote.ts';
import { materialRule, oneObject, renderForm } from '../../core/prompt/answer-form.ts';
import {
  fenceOff,
  type Fencing,
  onOneLine,
  quote,
  type Showing,
} from '../../core/prompt/foreign-text.ts';
import { present } from '../../core/present.ts';

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
