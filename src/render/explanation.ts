/** An explanation of a claim as a colleague would give it: what was said, why it is one thing, how sure that is, what happened before. */
import type { Claim } from '../core/words/claim.ts';
import type {
  ClaimExplanation,
  ConfidenceReasons,
  Neighbour,
  PairReasons,
} from '../core/matching/explain.ts';
import { probabilityOf } from '../core/matching/logistic.ts';
import type { Disposition } from '../core/memory/known-claim.ts';
import { count } from './figures.ts';
import { layHeading, openPage, paintSeverity, type Page, type RenderOptions } from './page.ts';
import { placeText } from './describe-claims.ts';
import { hang, oneLine, pathText } from './terminal-text.ts';

export function renderExplanation(asKept: ClaimExplanation, options: RenderOptions): string {
  const page = openPage(options);
  const explanation = withPrintedIds(asKept);
  const sections = [
    layClaim(explanation, page),
    [
      ...layHeading(
        page,
        explanation.joined.length === 0 ? 'Who says it' : 'Why this is one claim',
      ),
      ...layJoined(explanation, page),
    ],
    [...layHeading(page, 'Why its neighbours are others'), ...layApart(explanation, page)],
    [...layHeading(page, 'How sure that is'), ...layConfidence(explanation, page)],
    [...layHeading(page, 'What happened before'), ...layHistory(explanation, page)],
  ];
  return `${sections.map(lines => lines.join('\n')).join('\n\n')}\n`;
}

/** The record keeps ids as reviewers gave them; people read, and type, those that are printed. */
function withPrintedIds(explanation: ClaimExplanation): ClaimExplanation {
  const { claim, joined, apart, names } = explanation;
  const nameOf = (id: string): string => names[id] ?? id;
  const named = (pair: PairReasons): PairReasons => ({
    ...pair,
    one: nameOf(pair.one),
    other: nameOf(pair.other),
  });
  return {
    ...explanation,
    claim: {
      ...claim,
      findings: claim.findings.map(finding => ({ ...finding, id: nameOf(finding.id) })),
    },
    joined: joined.map(named),
    apart: apart.map(neighbour => ({
      ...neighbour,
      nearest: named(neighbour.nearest),
      divided: neighbour.divided === null ? null : named(neighbour.divided),
    })),
  };
}

function layClaim({ claim, run, strategy }: ClaimExplanation, page: Page): string[] {
  const [first = '', ...others] = hang(
    `${claim.id}  ${claim.severity}  `,
    oneLine(claim.text),
    page.measure,
  );
  const place = claim.location === null ? 'no place named' : pathText(placeText(claim.location));
  const facts = `${place} · ${claim.supporters.length} of ${claim.electorate}: ${namesOf(claim.supporters)} · ${claim.state} · run ${run}, matched by ${strategy.name} ${oneLine(strategy.version, 40)}`;
  return [
    paintSeverity(page, claim.severity, first),
    ...others,
    ...hang('  ', facts, page.measure).map(line => page.colors.dim(line)),
  ];
}

/** What each reviewer says, and after the first one why it goes with another. */
function layJoined({ claim, joined }: ClaimExplanation, page: Page): string[] {
  const reasons = new Map(joined.map(pair => [pair.other, pair]));
  const said = claim.findings.slice(0, mostQuoted).flatMap(({ id, text }) => {
    const pair = reasons.get(id);
    return [
      ...hang(`  ${nameOf(id)}  `, quote(text), page.measure),
      ...(pair === undefined ? [] : hang('    ', tellPair(pair), page.measure)),
    ];
  });
  const rest = claim.findings.length - mostQuoted;
  if (joined.length === 0)
    return [
      ...said,
      ...hang(
        '  ',
        `Only ${oneLine(claim.supporters[0] ?? 'one reviewer', 60)} says it, once; nothing was put together.`,
        page.measure,
      ),
    ];
  return rest > 0 ? [...said, `  … and ${count(rest, 'more finding')}`] : said;
}

const mostQuoted = 8;

function quote(text: string): string {
  return `“${oneLine(text, 240)}”`;
}

function tellPair({ one, same, score, reason }: PairReasons): string {
  const verdict = same
    ? `That is what ${nameOf(one)} says too (${score} % sure).`
    : `Nearest to ${nameOf(one)}, and alone with it not near enough (${score} %), but it fits the claim as a whole.`;
  return `${verdict} ${oneLine(reason, 400)}`;
}

function layApart({ claim, apart }: ClaimExplanation, page: Page): string[] {
  if (apart.length === 0) return ['  No other claim of the run shares a word with it.'];
  return apart.flatMap(neighbour => layNeighbour(neighbour, claim, page));
}

function layNeighbour(
  { claim: id, text, supporters, nearest, divided }: Neighbour,
  claim: Claim,
  page: Page,
): string[] {
  const why = divided === null ? tellNearest(nearest, claim) : tellDivided(nearest, divided);
  return [
    ...hang('  ', `${id}, by ${someOf(supporters)}: ${quote(text)}`, page.measure),
    ...hang('    ', why, page.measure),
  ];
}

function tellNearest({ one, other, score, reason }: PairReasons, { findings }: Claim): string {
  const near = findings.length === 1 ? '' : ` even with ${nameOf(one)}, the nearest`;
  return `${oneLine(reason, 400)} The chance that ${nameOf(other)} means the same is ${score} %${near}.`;
}

function tellDivided(nearest: PairReasons, divided: PairReasons): string {
  const [one, other] = [nameOf(divided.one), nameOf(divided.other)];
  return `${nameOf(nearest.one)} and ${nameOf(nearest.other)} alone would go together (${nearest.score} %): ${lowerFirst(oneLine(nearest.reason, 400))} But a claim is one as a whole or not at all, and ${one} and ${other} are apart (${divided.score} %): ${lowerFirst(oneLine(divided.reason, 400))}`;
}

/** Of a finding, as people type it. */
function nameOf(id: string): string {
  return oneLine(id, 60);
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function someOf(reviewers: readonly string[]): string {
  const [first = ''] = reviewers;
  return reviewers.length <= 3
    ? namesOf(reviewers)
    : `${oneLine(first, 40)} and ${reviewers.length - 1} others`;
}

function namesOf(reviewers: readonly string[]): string {
  return reviewers.map(name => oneLine(name, 40)).join(', ');
}

function layConfidence({ claim, confidence }: ClaimExplanation, page: Page): string[] {
  if (confidence !== null)
    return layReasons(confidence, claim.confidence ?? confidence.probability, page);
  const words =
    claim.confidence === null
      ? 'No confidence was computed: it is known for what models say about changes, not for rules and questions. The support says how many agree.'
      : `It is real with a probability of ${Math.round(100 * claim.confidence)} %; what that is made of was not kept.`;
  return hang('  ', words, page.measure);
}

/** `then`: the probability in the run. It may differ by what people have decided about other claims since. */
function layReasons(
  { probability, start, contributions }: ConfidenceReasons,
  then: number,
  page: Page,
): string[] {
  const moved =
    Math.abs(then - probability) < 0.005
      ? ''
      : ` (in the run it was ${percent(then)}; what is known of its reviewers has changed since)`;
  const opening = `It is real with a probability of ${percent(probability)}${moved}. This is how that comes about, in log-odds: 0 is even, and each 1 makes it about 2.7 times likelier.`;
  const worths = roundTogether([start, ...contributions.map(({ worth }) => worth)]);
  const words = [
    `where every claim starts: one reviewer on the panel, saying this alone (${percent(probabilityOf(start))})`,
    ...contributions.map(part => oneLine(part.words, 200)),
  ];
  const total = worths.reduce((sum, worth) => sum + worth, 0);
  return [
    ...hang('  ', opening, page.measure),
    ...worths.flatMap((worth, index) =>
      hang(`     ${signed(worth)}  `, words[index] ?? '', page.measure),
    ),
    ...hang(`   = ${signed(total)}  `, `which is ${percent(probability)}`, page.measure),
  ];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function signed(tenths: number): string {
  return `${tenths < 0 ? '−' : '+'}${(Math.abs(tenths) / 10).toFixed(1)}`;
}

/** In tenths, and so that they add up: what rounding leaves over goes to those it treated worst. */
function roundTogether(worths: readonly number[]): number[] {
  const floors = worths.map(worth => Math.floor(10 * worth));
  const total = Math.round(10 * worths.reduce((sum, worth) => sum + worth, 0));
  const left = total - floors.reduce((sum, worth) => sum + worth, 0);
  const neediest = new Set(
    worths
      .map((worth, index) => ({ index, rest: 10 * worth - (floors[index] ?? 0) }))
      .sort((one, other) => other.rest - one.rest)
      .slice(0, Math.max(0, left))
      .map(({ index }) => index),
  );
  return floors.map((worth, index) => worth + Number(neediest.has(index)));
}

function layHistory({ remembered, decisions }: ClaimExplanation, page: Page): string[] {
  const sentences = [
    ...(remembered === null ? ['Nothing is remembered of it.'] : tellHistory(remembered)),
    ...decisions.map(tellDecision),
  ];
  return sentences.flatMap(sentence => hang('  - ', sentence, page.measure));
}

function tellHistory({
  history,
  wordings,
  supporters,
}: NonNullable<ClaimExplanation['remembered']>): string[] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return ['Nothing is remembered of it.'];
  const turns = history.filter(
    (entry, index) =>
      index > 0 && entry.state !== history[index - 1]?.state && entry.state !== 'persisting',
  );
  return [
    `First said in run ${first.run} on ${dayOf(first.at)}${history.length > 1 ? `; ${count(history.length, 'run')} decided about it, the last on ${dayOf(last.at)} (${last.state})` : ''}.`,
    `${count(supporters.length, 'reviewer')} ${supporters.length === 1 ? 'has' : 'have'} said it so far, in ${count(wordings.length, 'wording')}: ${supporters.map(({ reviewer }) => oneLine(reviewer, 40)).join(', ')}.`,
    ...turns.map(
      ({ state, run, at }) =>
        `${state.charAt(0).toUpperCase()}${state.slice(1)} in run ${run} on ${dayOf(at)}.`,
    ),
  ];
}

function tellDecision({ claim, verdict, reason, scope, until, at }: Disposition): string {
  const what = {
    accepted: 'Accepted as real',
    rejected: 'Dismissed as false',
    tolerated: 'Dismissed as tolerated',
  }[verdict];
  const range = scope === 'claim' ? '' : `, with its whole ${scope} (given for ${claim})`;
  return `${what}${range} on ${dayOf(at)}${until === null ? '' : `, until ${until}`}${reason === '' ? '.' : `: ${oneLine(reason, 300)}`}`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}
