/** Who was asked about a claim and how the panel voted: in a line for the eye, and every word for whoever opens it. */
import { type Claim, likelihood } from '../core/words/claim.ts';
import { data, joined, type Line, more, say } from './section.ts';
import { wordsOf } from '../core/words/vote.ts';

type Deliberation = NonNullable<Claim['deliberation']>;
type Asked = Pick<Claim, 'confidence' | 'cases' | 'deliberation'>;

const mostDissent = 3;
const longest = 300;

/** What moved the confidence of a claim after it was computed; nothing where nobody was asked. */
export function describeAsked(claim: Asked, isWhole: boolean): readonly (Line | null | false)[] {
  const { deliberation } = claim;
  if (deliberation === undefined) return [];
  const { votes, noResponse, dissent, panel, confidenceBefore } = deliberation;
  const cap = isWhole ? null : longest;
  const shown = isWhole ? dissent : dissent.slice(0, mostDissent);
  const whole = [
    moved(confidenceBefore, claim),
    ...votes.map(vote => say`${data(vote.reviewer, 40)} ${[vote.stance]}: ${wordsOf(vote)}`),
    ...noResponse.map(silence),
    panel !== null && [
      ...say`panel: for it ${namesOrNone(panel.supporters)}; against it `,
      ...say`${namesOrNone(panel.critics)}; on neither side ${namesOrNone(panel.neutrals)}`,
    ],
    ...Object.entries(panel?.votes ?? {}).map(
      ([reviewer, vote]) => say`${data(reviewer, 40)} votes ${[vote]} on the panel`,
    ),
  ];
  return [
    say`vote: ${data(describeVote(deliberation), cap)}`,
    ...(isWhole ? whole : []),
    ...shown.map(
      ({ reviewer, opinion }) => say`dissent of ${data(reviewer, 40)}: ${data(opinion, cap)}`,
    ),
    more(dissent.length - shown.length, 'dissent'),
  ];
}

function moved(before: number | null, { confidence, cases }: Asked) {
  const after = confidence === null ? '' : `, after: ${likelihood(confidence, cases)}`;
  return before === null ? null : [`confidence before: ${likelihood(before, cases)}${after}`];
}

function silence({ reviewer, error }: Deliberation['noResponse'][number]) {
  return say`${data(reviewer, 40)} did not answer: ${error}`;
}

const voteWords = {
  passed: 'well supported, passed without a vote',
  confirmed: 'confirmed',
  voted_down: 'voted down',
  contested: 'contested',
  undecided: 'undecided',
};

/** `confirmed, 3 for and 0 against`, `voted down, 1 for and 2 against, after a panel that recommends fail`. */
function describeVote(deliberation: Deliberation) {
  const { outcome, panel, panelSkipped, noResponse, error } = deliberation;
  if (outcome === 'passed') return voteWords.passed;
  return [
    voteWords[outcome],
    `${deliberation.for.length} for and ${deliberation.against.length} against`,
    panel !== null &&
      (panel.status === 'failed'
        ? 'the panel failed'
        : `after a panel that recommends ${panel.recommendation ?? 'nothing'}`),
    panelSkipped !== null && `no panel (${panelSkipped.replace(/\.$/, '')})`,
    noResponse.length > 0 && `${noResponse.length} did not answer`,
    error?.replace(/\.$/, ''),
  ]
    .filter(words => typeof words === 'string')
    .join(', ');
}

function namesOrNone(names: readonly string[]) {
  return names.length === 0 ? ['nobody'] : joined(names);
}
