/** What the panel voted or answered about a claim: in a line for the eye, and every word of it for whoever opens it. */
import { type Claim, likelihood } from '../core/words/claim.ts';
import type { ClaimOutcome } from '../core/words/vote.ts';
import { movesOf } from './claim-moves.ts';
import { data, joined, type Line } from './section.ts';

type Deliberation = NonNullable<Claim['deliberation']>;

const mostDissent = 3;

/** The outcome, then whom it goes against in their own words. */
export function voteOf({ deliberation }: Claim): readonly Line[] {
  if (deliberation === undefined) return [];
  const rest = deliberation.dissent.length - mostDissent;
  return [
    ['vote: ', data(describeVote(deliberation), 300)],
    ...dissentOf(deliberation.dissent.slice(0, mostDissent), 300),
    ...(rest > 0 ? [[`… and ${rest} more who dissent`]] : []),
  ];
}

/** Every vote and every dissent in the reviewer's own words. */
export function wholeVoteOf({ deliberation, cases }: Claim): readonly Line[] {
  if (deliberation === undefined) return [];
  const { votes, noResponse, dissent, panel, confidenceBefore } = deliberation;
  return [
    [
      'Vote: ',
      data(describeVote(deliberation)),
      confidenceBefore === null
        ? ''
        : `, confidence before: ${likelihood(confidenceBefore, cases)}`,
    ],
    ...votes.map(({ reviewer, stance, reasoning, concerns }) => [
      data(reviewer, 40),
      ` ${stance}: `,
      data([reasoning, ...concerns].filter(text => text.trim() !== '').join(' ')),
    ]),
    ...noResponse.map(({ reviewer, error }) => [
      data(reviewer, 40),
      ' did not answer: ',
      data(error),
    ]),
    ...(panel === null
      ? []
      : [
          [
            'panel: for it ',
            ...namesOrNone(panel.supporters),
            '; against it ',
            ...namesOrNone(panel.critics),
            '; on neither side ',
            ...namesOrNone(panel.neutrals),
          ],
        ]),
    ...Object.entries(panel?.votes ?? {}).map(([reviewer, vote]) => [
      data(reviewer, 40),
      ` votes ${vote} on the panel`,
    ]),
    ...dissentOf(dissent),
  ];
}

const voteWords: Readonly<Record<ClaimOutcome, string>> = {
  passed: 'well supported, passed without a vote',
  confirmed: 'confirmed',
  voted_down: 'voted down',
  contested: 'contested',
  undecided: 'undecided',
};

/** `confirmed, 3 for and 0 against`, `voted down, 1 for and 2 against, after a panel that recommends fail`. */
export function describeVote({
  outcome,
  panel,
  panelSkipped,
  noResponse,
  error,
  for: inFavour,
  against,
}: Deliberation): string {
  if (outcome === 'passed') return voteWords.passed;
  return [
    voteWords[outcome],
    `${inFavour.length} for and ${against.length} against`,
    ...(panel === null
      ? []
      : [
          panel.status === 'failed'
            ? 'the panel failed'
            : `after a panel that recommends ${panel.recommendation ?? 'nothing'}`,
        ]),
    ...(panelSkipped === null ? [] : [`no panel (${panelSkipped.replace(/\.$/, '')})`]),
    ...(noResponse.length === 0 ? [] : [`${noResponse.length} did not answer`]),
    ...(error === null ? [] : [error.replace(/\.$/, '')]),
  ].join(', ');
}

function namesOrNone(names: readonly string[]): Line {
  return names.length === 0 ? ['nobody'] : joined(names);
}

function dissentOf(dissent: Deliberation['dissent'], most?: number): readonly Line[] {
  return dissent.map(({ reviewer, opinion }) => [
    'dissent of ',
    data(reviewer, 40),
    ': ',
    data(opinion, most),
  ]);
}

/** Nothing where nobody was asked and nothing that was looked up speaks against it. */
export function verifiedOf({ verified, confidence, cases }: Claim): readonly Line[] {
  if (verified === undefined) return [];
  const { checks, answers, noResponse, confidenceBefore, error } = verified;
  const against = answers.filter(({ stance }) => stance === 'OPPOSE').length;
  const inFavour = answers.filter(
    ({ stance }) => stance === 'ENDORSE' || stance === 'AMEND',
  ).length;
  const said = [
    ...(answers.length === 0 ? [] : [`${inFavour} for and ${against} against`]),
    ...(noResponse.length === 0 ? [] : [`${noResponse.length} did not answer`]),
    ...(error === null ? [] : [error.replace(/\.$/, '')]),
    ...(answers.length === 0 || confidence === null || confidenceBefore === null
      ? []
      : [`confidence before: ${likelihood(confidenceBefore, cases)}`]),
  ];
  const failed = checks.filter(({ holds }) => !holds);
  return [
    ...(said.length === 0 ? [] : [['asked about: ', data(said.join(', '), 300)]]),
    ...(failed.length === 0
      ? []
      : [['checked: ', data(failed.map(({ sentence }) => sentence).join(' '), 300)]]),
  ];
}

/** Everything that moved it, with the words of those who were asked. */
export function wholeVerifiedOf({ verified, cases }: Claim): readonly Line[] {
  if (verified === undefined) return [];
  const { answers, noResponse, confidenceBefore, error } = verified;
  return [
    ...(confidenceBefore === null
      ? []
      : [[`confidence before it was checked: ${likelihood(confidenceBefore, cases)}`]]),
    ...movesOf(verified).map(({ reviewer, words, worth }) => [
      ...(reviewer === null ? ['checked: '] : [data(reviewer, 40), ', ']),
      data(words),
      ` (${worth < 0 ? '−' : '+'}${Math.abs(worth).toFixed(2)} in log-odds)`,
    ]),
    ...answers.map(({ reviewer, reasoning, concerns }) => [
      data(reviewer, 40),
      ' answered: ',
      data([reasoning, ...concerns].filter(text => text.trim() !== '').join(' ')),
    ]),
    ...noResponse.map(({ reviewer, error: why }) => [
      data(reviewer, 40),
      ' did not answer: ',
      data(why),
    ]),
    ...(error === null ? [] : [['not asked about: ', data(error)]]),
  ];
}
