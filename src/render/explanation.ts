/** An explanation of a claim: the sentences that say why it is what it is, then the words they rest on, and what happened before. */
import { mostTelling } from '../agreement/index.ts';
import type { ClaimExplanation } from '../core/printed/explanation.ts';
import { countSupport } from '../core/words/claim.ts';
import type { Disposition } from '../core/words/known-claim.ts';
import { layAsked } from './explanation-asked.ts';
import { count } from './figures.ts';
import { layHeading, openPage, type Page, paintSeverity, type RenderOptions } from './page.ts';
import { placeText } from './place.ts';
import { hang, oneLine, pathText, wrap } from './terminal-text.ts';

export function renderExplanation(explanation: ClaimExplanation, options: RenderOptions): string {
  const page = openPage(options);
  const parts: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Who says it', laySaid(explanation, page)],
    ['Who says the opposite', layOpposition(explanation, page)],
    ['Claims near it', layNeighbours(explanation, page)],
    ['What was looked up and asked about it', layAsked(explanation, page)],
    ['What happened before', layHistory(explanation, page)],
  ];
  const sections = [
    layClaim(explanation, page),
    ...parts
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => [...layHeading(page, title), ...lines]),
  ];
  return `${sections.map(lines => lines.join('\n')).join('\n\n')}\n`;
}

function layClaim({ claim, run, strategy, sentence }: ClaimExplanation, page: Page): string[] {
  const [first = '', ...others] = hang(
    `${claim.id}  ${claim.severity}  `,
    oneLine(claim.text),
    page.measure,
  );
  const facts = [
    claim.location === null ? 'no place named' : pathText(placeText(claim.location)),
    `${countSupport(claim)} of ${count(claim.electorate, 'reviewer')}: ${namesOf(claim.supporters)}`,
    ...(run === null ? [] : [claim.state, `run ${run}`]),
    `matched by ${strategy.name} ${oneLine(strategy.version, 40)}`,
  ].join(' · ');
  return [
    paintSeverity(page, claim.severity, first),
    ...others,
    ...hang('  ', facts, page.measure).map(line => page.colors.dim(line)),
    ...sentence
      .split('\n')
      .flatMap(line => ['', ...wrap(oneLine(line, longestSentence), page.measure)]),
  ];
}

const longestSentence = 1_600;
const mostNames = 12;

function namesOf(reviewers: readonly string[]): string {
  const rest = reviewers.length - mostNames;
  const shown = reviewers.slice(0, mostNames).map(name => oneLine(name, 40));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const mostQuoted = 8;

/** What each reviewer says, with what it is most like. */
function laySaid({ claim, joined, names }: ClaimExplanation, page: Page): string[] {
  const quoted = mostTelling(claim.findings, mostQuoted);
  const rest = claim.findings.length - quoted.length;
  return [
    ...quoted.flatMap(({ id, text }) => {
      const pair = joined.find(({ other }) => other === id);
      return [
        ...layQuote(names[id] ?? id, text, page),
        ...(pair === undefined ? [] : layReason(`Like ${names[pair.one] ?? pair.one}`, pair, page)),
      ];
    }),
    ...(rest > 0 ? [`  … and ${count(rest, 'more finding')}`] : []),
  ];
}

function layQuote(who: string, text: string, page: Page): string[] {
  return hang(`  ${oneLine(who, 60)}  `, `“${oneLine(text, 240)}”`, page.measure);
}

function layReason(
  lead: string,
  { score, reason }: ClaimExplanation['joined'][number],
  page: Page,
): string[] {
  return hang(
    '    ',
    `${oneLine(lead, 60)}, ${score} of 100. ${oneLine(reason, 600)}`,
    page.measure,
  );
}

function layOpposition({ against, denies, names }: ClaimExplanation, page: Page): string[] {
  return [
    ...against
      .slice(0, mostQuoted)
      .flatMap(({ finding, statement }) => layQuote(names[finding] ?? finding, statement, page)),
    ...denies.slice(0, mostQuoted).flatMap(({ id, text }) => layQuote(id, text, page)),
    ...(against.length + denies.length === 0
      ? []
      : hang('  ', 'Neither counts as support of the other.', page.measure)),
  ];
}

function layNeighbours({ apart, names }: ClaimExplanation, page: Page): string[] {
  return apart.flatMap(({ claim, supporters, text, nearest }) => [
    ...hang(`  ${claim}  `, `by ${namesOf(supporters)}: “${oneLine(text, 240)}”`, page.measure),
    ...layReason(`Like ${names[nearest.one] ?? nearest.one}`, nearest, page),
  ]);
}

function layHistory({ remembered, decisions }: ClaimExplanation, page: Page): string[] {
  return [...tellHistory(remembered), ...decisions.map(tellDecision)].flatMap(sentence =>
    hang('  - ', sentence, page.measure),
  );
}

function tellHistory(remembered: ClaimExplanation['remembered']): string[] {
  const { history = [], wordings = [], supporters = [] } = remembered ?? {};
  const [first] = history;
  if (first === undefined) return ['Nothing is remembered of it.'];
  const turns = history.filter(
    ({ state }, index) =>
      index > 0 && state !== 'persisting' && state !== history[index - 1]?.state,
  );
  return [
    `First said in run ${first.run} on ${dayOf(first.at)}; ${count(history.length, 'run')} decided about it.`,
    ...turns.map(({ state, run, at }) => `Since run ${run} on ${dayOf(at)}: ${state}.`),
    `Said so far by ${namesOf(supporters.map(({ reviewer }) => reviewer))}, in ${count(wordings.length, 'wording')}.`,
  ];
}

const verdicts: Readonly<Record<Disposition['verdict'], string>> = {
  accepted: 'Accepted as real',
  rejected: 'Dismissed as false',
  tolerated: 'Dismissed as tolerated',
};

function tellDecision({ claim, verdict, reason, scope, until, at }: Disposition): string {
  const range = scope === 'claim' ? '' : `, with its whole ${scope} (given for ${claim})`;
  const end = until === null ? '' : `, until ${until}`;
  const why = reason === '' ? '.' : `: ${oneLine(reason, 300)}`;
  return `${verdicts[verdict]}${range} on ${dayOf(at)}${end}${why}`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}
