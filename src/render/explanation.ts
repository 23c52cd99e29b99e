/** An explanation of a claim: the sentences that say why it is what it is, then the words they rest on, and what happened before. */
import { mostTelling } from '../agreement/index.ts';
import type { ClaimExplanation } from '../core/printed/checks.ts';
import { nameFew } from '../core/verdict/coverage.ts';
import { type Claim, countSupport, likelihood, wordsOf } from '../core/words/claim.ts';
import { placeText } from '../core/words/finding.ts';
import type { Disposition } from '../core/words/run.ts';
import { present } from '../core/groups.ts';
import { count } from './figures.ts';
import {
  type Line,
  data,
  group,
  joined,
  lines,
  list,
  literal,
  more,
  part,
  remark,
  say,
  title,
  toned,
} from './section.ts';
import { type RenderOptions, paintTerminal } from './to-terminal.ts';

const longestSentence = 1_600;
const mostNames = 12;
const mostQuoted = 8;
const mostRecorded = 3;

export function renderExplanation(explanation: ClaimExplanation, options: RenderOptions) {
  return paintTerminal(describeExplanation(explanation), options, longestSentence);
}

function describeExplanation(explanation: ClaimExplanation) {
  const { claim, run, strategy, names, against, denies, recorded } = explanation;
  const quoteOf = (id: string, text: string) =>
    say`${data(names[id] ?? id, 60)}  “${data(text, 240)}”`;
  const likeOf = ({ one, score, reason }: ClaimExplanation['joined'][number]) =>
    say`Like ${data(names[one] ?? one, 60)}, ${score} of 100. ${data(reason, 600)}`;
  const quoted = mostTelling(claim.findings, mostQuoted);
  const facts = [
    `${countSupport(claim)} of ${count(claim.electorate, 'reviewer')}: ${namesOf(claim.supporters)}`,
    ...(run === null ? [] : [claim.state, `run ${run}`]),
    `matched by ${strategy.name} ${strategy.version}`,
  ];
  const place =
    claim.location === null
      ? remark('no place named')
      : literal(placeText(claim.location), 'faint');
  return [
    title(1, ...say`${literal(claim.id)}  ${toned(claim.severity, claim.severity)}  ${claim.text}`),
    ...lines([place, ...facts.flatMap(fact => [' · ', remark(fact)])]),
    ...explanation.sentence.split('\n').map(sentence => group([data(sentence)], [])),
    ...part('Who says it', [
      ...quoted.map(({ id, text }) => {
        const pair = explanation.joined.find(({ other }) => other === id);
        return group(quoteOf(id, text), lines(pair !== undefined && likeOf(pair)));
      }),
      ...lines(more(claim.findings.length - quoted.length, 'finding')),
    ]),
    ...part(
      'Who says the opposite',
      lines(
        ...against
          .slice(0, mostQuoted)
          .map(({ finding, statement }) => quoteOf(finding, statement)),
        ...denies.slice(0, mostQuoted).map(({ id, text }) => quoteOf(id, text)),
        against.length + denies.length > 0 && ['Neither counts as support of the other.'],
      ),
    ),
    ...part(
      'Claims near it',
      explanation.apart.map(({ claim: id, supporters, text, nearest }) =>
        group(
          say`${literal(id)}  by ${namesOf(supporters)}: “${data(text, 240)}”`,
          lines(likeOf(nearest)),
        ),
      ),
    ),
    ...part('What was asked about it', [
      ...list(describeAsked(claim, true)),
      ...recorded
        .slice(0, mostRecorded)
        .flatMap(({ source, ...asked }) => [
          ...lines(
            say`In ${data(source, 200)}, where it is ${asked.id}; the figures above are worked out anew, without this.`,
          ),
          ...list(describeAsked(asked, true)),
        ]),
      ...lines(more(recorded.length - mostRecorded, 'claim')),
    ]),
    ...part('What happened before', list(historyOf(explanation))),
  ];
}

function namesOf(reviewers: readonly string[]) {
  return nameFew(
    reviewers.map(name => name.slice(0, 40)),
    mostNames,
  );
}

function historyOf({ remembered, decisions }: ClaimExplanation) {
  const { history = [], wordings = [], supporters = [] } = remembered ?? {};
  const [first, ...later] = history;
  const before =
    first === undefined
      ? [['Nothing is remembered of it.']]
      : [
          say`First said in run ${first.run} on ${dayOf(first.at)}; ${[count(history.length, 'run')]} decided about it.`,
          ...later
            .filter(({ state }, index) => state !== 'persisting' && state !== history[index]?.state)
            .map(({ state, run, at }) => say`Since run ${run} on ${dayOf(at)}: ${[state]}.`),
          say`Said so far by ${namesOf(supporters.map(({ reviewer }) => reviewer))}, in ${[count(wordings.length, 'wording')]}.`,
        ];
  return [...before, ...decisions.map(describeDecision)];
}

const verdicts = {
  accepted: 'Accepted as real',
  rejected: 'Dismissed as false',
  tolerated: 'Dismissed as tolerated',
};

function describeDecision({ claim, verdict, reason, scope, until, at }: Disposition) {
  const range = scope === 'claim' ? '' : `, with its whole ${scope} (given for ${claim})`;
  const end = until === null ? '' : `, until ${until}`;
  return say`${[verdicts[verdict]]}${range} on ${dayOf(at)}${end}${reason === '' ? '.' : ': '}${data(reason, 300)}`;
}

function dayOf(at: string) {
  return at.slice(0, 10);
}

// Who was asked about a claim and how the panel voted: in a line for the eye, and every word for whoever opens it.

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
    ...noResponse.map(({ reviewer, error }) => say`${data(reviewer, 40)} did not answer: ${error}`),
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

const voteWords = {
  passed: 'well supported, passed without a vote',
  confirmed: 'confirmed',
  voted_down: 'voted down',
  contested: 'contested',
  undecided: 'undecided',
};

/** `confirmed, 3 for and 0 against`, `voted down, 1 for and 2 against, after a panel that recommends fail`. */
function describeVote(deliberation: NonNullable<Claim['deliberation']>) {
  const { outcome, panel, panelSkipped, noResponse, error } = deliberation;
  if (outcome === 'passed') return voteWords.passed;
  return present(
    voteWords[outcome],
    `${deliberation.for.length} for and ${deliberation.against.length} against`,
    panel !== null &&
      (panel.status === 'failed'
        ? 'the panel failed'
        : `after a panel that recommends ${panel.recommendation ?? 'nothing'}`),
    panelSkipped !== null && `no panel (${panelSkipped.replace(/\.$/, '')})`,
    noResponse.length > 0 && `${noResponse.length} did not answer`,
    error?.replace(/\.$/, ''),
  ).join(', ');
}

function namesOrNone(names: readonly string[]) {
  return names.length === 0 ? ['nobody'] : joined(names);
}
