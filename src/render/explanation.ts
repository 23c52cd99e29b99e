/** An explanation of a claim as a colleague would give it: what was said, why it is one thing, how sure that is, what happened before. */
import { type Claim, countSupport } from '../core/words/claim.ts';
import type { Finding } from '../core/words/finding.ts';
import {
  confidenceBefore,
  mostTelling,
  type Neighbour,
  type PairReasons,
  ownWordings,
  wordsAlone,
  partsOf,
  percent,
  reasonOf,
  upperFirst,
} from '../agreement/index.ts';
import { logOddsOf, probabilityOf } from '../core/words/odds.ts';
import type { ClaimExplanation } from '../core/printed/reports.ts';
import type { Disposition } from '../core/words/known-claim.ts';
import { layAsked } from './explanation-asked.ts';
import { count } from './figures.ts';
import { layHeading, openPage, paintSeverity, type Page, type RenderOptions } from './page.ts';
import { placeText } from './place.ts';
import { hang, oneLine, pathText, wrap } from './terminal-text.ts';

type Confidence = NonNullable<ClaimExplanation['confidence']>;

export function renderExplanation(asKept: ClaimExplanation, options: RenderOptions): string {
  const page = openPage(options);
  const explanation = withPrintedIds(asKept);
  const { joined, apart, against, denies } = explanation;
  const asked = layAsked(explanation, page);
  const sections = [
    layClaim(explanation, page),
    layPart(
      joined.length === 0 ? 'Who says it' : 'Why this is one claim',
      layJoined(explanation, page),
      page,
    ),
    ...(against.length === 0
      ? []
      : [layPart('Who says the opposite', layAgainst(explanation, page), page)]),
    ...(denies.length === 0 ? [] : [layPart('What it denies', layDenied(explanation, page), page)]),
    layPart(
      apart.length === 1 ? 'Why its neighbour is another' : 'Why its neighbours are others',
      layApart(explanation, page),
      page,
    ),
    layPart('How sure that is', layConfidence(explanation, page), page),
    ...(asked.length === 0 ? [] : [layPart('What was looked up and asked about it', asked, page)]),
    layPart('What happened before', layHistory(explanation, page), page),
  ];
  return `${sections.map(lines => lines.join('\n')).join('\n\n')}\n`;
}

function layPart(title: string, lines: readonly string[], page: Page): string[] {
  return [...layHeading(page, title), ...lines];
}

/** The record keeps ids as reviewers gave them; people read, and type, those that are printed. */
function withPrintedIds(explanation: ClaimExplanation): ClaimExplanation {
  const { claim, joined, apart, against, names } = explanation;
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
    against: against.map(each => ({ ...each, finding: nameOf(each.finding) })),
    apart: apart.map(neighbour => ({
      ...neighbour,
      nearest: named(neighbour.nearest),
      divided: neighbour.divided === null ? null : named(neighbour.divided),
    })),
  };
}

function layClaim({ claim, run, strategy, sentence }: ClaimExplanation, page: Page): string[] {
  const [first = '', ...others] = hang(
    `${claim.id}  ${claim.severity}  `,
    oneLine(claim.text),
    page.measure,
  );
  const place = claim.location === null ? 'no place named' : pathText(placeText(claim.location));
  const source =
    run === null
      ? `matched by ${strategy.name}`
      : `${claim.state} · run ${run}, matched by ${strategy.name}`;
  const support = `${countSupport(claim)} of ${count(claim.electorate, 'reviewer')}`;
  const facts = [
    place,
    `${support}: ${firstOf(claim.supporters)}`,
    `${source} ${oneLine(strategy.version, 40)}`,
  ].join(' · ');
  return [
    paintSeverity(page, claim.severity, first),
    ...others,
    ...hang('  ', facts, page.measure).map(line => page.colors.dim(line)),
    '',
    ...wrap(oneLine(sentence, 600), page.measure),
  ];
}

/** What each reviewer says, and after the first one why it goes with another. */
function layJoined({ claim, joined, confidence }: ClaimExplanation, page: Page): string[] {
  if (joined.length === 0) return layAlone(claim, page);
  const reasons = new Map(joined.map(pair => [pair.other, pair]));
  const copied = copiesAmong(claim.findings);
  const voices = confidence === null ? null : voicesOf(claim);
  const quoted = mostTelling(claim.findings, mostQuoted);
  const said = quoted.flatMap(finding => {
    const [pair, original] = [reasons.get(finding.id), copied.get(finding)];
    const why =
      original !== undefined
        ? tellCopy(finding, original, voices)
        : pair === undefined
          ? null
          : tellPair(pair);
    return [
      ...hang(`  ${nameOf(finding.id)}  `, quote(finding.text), page.measure),
      ...(why === null ? [] : hang('    ', why, page.measure)),
    ];
  });
  return [...said, ...hangRest(claim.findings, quoted, page)];
}

function hangRest(findings: readonly Finding[], quoted: readonly Finding[], page: Page): string[] {
  const wordings = new Set(quoted.map(({ text }) => wordsAlone(text)));
  const rest = findings.length - quoted.length;
  const alike =
    findings.filter(({ text }) => wordings.has(wordsAlone(text))).length - quoted.length;
  if (rest <= 0) return [];
  const copies = alike === 0 ? '' : `, ${alike === rest ? 'all' : alike} word for word as above`;
  return hang('  ', `… and ${count(rest, 'more finding')}${copies}`, page.measure);
}

/** Its words stand above. */
function layAlone({ supporters, findings }: Claim, page: Page): string[] {
  const [who = 'one reviewer', id = ''] = [supporters[0], findings[0]?.id];
  return hang(
    '  ',
    `Only ${oneLine(who, 60)} says it, once (${nameOf(id)}); nothing was put together.`,
    page.measure,
  );
}

/** By finding, the first one that says it in the same words. */
function copiesAmong(findings: readonly Finding[]): ReadonlyMap<Finding, Finding> {
  const originals = new Map<string, Finding>();
  const copies = new Map<Finding, Finding>();
  for (const finding of findings) {
    const words = wordsAlone(finding.text);
    const original = originals.get(words);
    if (original === undefined) originals.set(words, finding);
    else copies.set(finding, original);
  }
  return copies;
}

interface Voices {
  /** Those that are counted as voices of their own. */
  readonly heard: ReadonlySet<string>;
  /** Those that say it in more than one wording. */
  readonly versatile: ReadonlySet<string>;
}

function voicesOf({ supporters, findings }: Claim): Voices {
  const wordings = new Map<string, Set<string>>();
  for (const { reviewer, text } of findings)
    wordings.set(reviewer, (wordings.get(reviewer) ?? new Set()).add(wordsAlone(text)));
  return {
    heard: new Set(ownWordings(supporters, findings)),
    versatile: new Set(supporters.filter(reviewer => (wordings.get(reviewer)?.size ?? 0) > 1)),
  };
}

/** `voices`: null where nothing was counted. Of two that count in spite of a copy, one says it otherwise, too. */
function tellCopy(
  { reviewer }: Finding,
  { id, reviewer: first }: Finding,
  voices: Voices | null,
): string {
  if (reviewer === first) return `${nameOf(id)} again, word for word: one reviewer is one voice.`;
  const copy = `A copy of ${nameOf(id)}, word for word`;
  if (voices === null) return `${copy}.`;
  if (!voices.heard.has(reviewer))
    return `${copy}: ${oneLine(reviewer, 40)} says nothing of its own and adds no voice.`;
  const other = voices.versatile.has(reviewer) ? reviewer : first;
  return `${copy}; both count, as ${oneLine(other, 40)} says it in other words, too.`;
}

const mostQuoted = 8;
const longestReason = 600;

function quote(text: string): string {
  return `“${oneLine(text, 240)}”`;
}

function tellPair({ one, same, score, start, reason }: PairReasons): string {
  const because = oneLine(reason, longestReason);
  if (start === null) return `Taken for the same as ${nameOf(one)}. ${because}`;
  const verdict = same
    ? `That is what ${nameOf(one)} says too (${score}% sure).`
    : `Nearest to ${nameOf(one)}, and alone with it not near enough (${score}%), but it fits the claim as a whole.`;
  return `${verdict} ${because}`;
}

const mostOpponents = 5;

/** Who, in which words, and what that does to the confidence. */
function layAgainst({ against, unopposed, confidence }: ClaimExplanation, page: Page): string[] {
  const rest = against.length - mostOpponents;
  const effect =
    unopposed === null || confidence === null || samePercent(unopposed, confidence.probability)
      ? ''
      : ` Without that the confidence would be ${percent(unopposed)} instead of ${percent(confidence.probability)}.`;
  return [
    ...against
      .slice(0, mostOpponents)
      .flatMap(opposition =>
        hang(
          `  ${nameOf(opposition.finding)}  `,
          `${quote(opposition.statement)}${holderOf(opposition)}`,
          page.measure,
        ),
      ),
    ...(rest > 0 ? [`  … and ${count(rest, 'more finding')}`] : []),
    ...hang('  ', `Whoever says the opposite is not counted as support.${effect}`, page.measure),
  ];
}

/** ` (c-0123456789)`, with who else says it. */
function holderOf({ claim, supporters }: ClaimExplanation['against'][number]): string {
  if (claim === null) return '';
  return supporters.length === 1 ? ` (${claim})` : ` (${claim}, by ${someOf(supporters)})`;
}

function layDenied({ denies }: ClaimExplanation, page: Page): string[] {
  return [
    ...denies.flatMap(({ id, text, supporters }) =>
      hang('  ', `${id}, by ${someOf(supporters)}: ${quote(text)}`, page.measure),
    ),
    ...hang('  ', 'It is not counted there as support.', page.measure),
  ];
}

function layApart({ claim, apart, against, denies }: ClaimExplanation, page: Page): string[] {
  if (apart.length === 0)
    return [
      `  No other claim shares a word with it${against.length + denies.length === 0 ? '' : ', beside the opposite'}.`,
    ];
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

function tellNearest(pair: PairReasons, { findings }: Claim): string {
  const { one, other, score, same, start } = pair;
  const because = oneLine(pair.reason, longestReason);
  if (same)
    return `${because} These two alone would go together${sureOf(pair)}, but the two claims as a whole do not.`;
  if (score === 0 || start === null) return because;
  const nearest = findings.length === 1 ? '' : `with ${nameOf(one)}, the nearest, `;
  const chance =
    score < nearMiss
      ? `${upperFirst(`${nearest}the chance that`)} ${nameOf(other)} means the same is ${score}%`
      : [
          `Two remarks with nothing in common start at a chance of ${oneIn(start)};`,
          `${nearest}all this makes it ${score}%, and one claim takes 50%, ${oddsWanted(score)}`,
        ].join(' ');
  return `${because} ${chance}.`;
}

/** Percent from which on it is worth telling how much is missing. */
const nearMiss = 5;

/** Of log-odds below 0, to two digits: `1 in 1,200`. */
function oneIn(odds: number): string {
  const times = Number((1 / probabilityOf(odds)).toPrecision(2));
  return `1 in ${times.toLocaleString('en-US')}`;
}

/** How many times the odds of so many percent are even odds. */
function oddsWanted(score: number): string {
  const times = (100 - score) / score;
  if (times < 1.1) return 'hardly more';
  return `${times < 1.95 ? times.toFixed(1) : Math.round(times)} times these odds`;
}

function tellDivided(nearest: PairReasons, divided: PairReasons): string {
  return [
    `${endsOf(nearest)} alone would go together${sureOf(nearest)}: ${asClause(nearest)}`,
    'But a claim is one as a whole or not at all, and',
    `${endsOf(divided)} are apart${sureOf(divided)}: ${asClause(divided)}`,
  ].join(' ');
}

function endsOf({ one, other }: PairReasons): string {
  return `${nameOf(one)} and ${nameOf(other)}`;
}

/** Where the score is a probability: ` (55%)`. */
function sureOf({ start, score }: PairReasons): string {
  return start === null ? '' : ` (${score}%)`;
}

function asClause({ reason }: PairReasons): string {
  const text = oneLine(reason, longestReason);
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Of a finding, as people type it. */
function nameOf(id: string): string {
  return oneLine(id, 60);
}

function someOf(reviewers: readonly string[]): string {
  const [first = ''] = reviewers;
  return reviewers.length <= 3
    ? namesOf(reviewers)
    : `${oneLine(first, 40)} and ${reviewers.length - 1} others`;
}

const mostNames = 12;

function firstOf(reviewers: readonly string[]): string {
  const rest = reviewers.length - mostNames;
  return `${namesOf(reviewers.slice(0, mostNames))}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function namesOf(reviewers: readonly string[]): string {
  return reviewers.map(name => oneLine(name, 40)).join(', ');
}

function layConfidence(explanation: ClaimExplanation, page: Page): string[] {
  const { claim, confidence } = explanation;
  const then = confidenceBefore(claim);
  if (confidence !== null)
    return [
      ...layReasons(confidence, then ?? confidence.probability, page),
      ...layWorth(explanation, page),
    ];
  const words =
    then === null
      ? 'No confidence was computed: it is known for what models say about changes, not for rules and questions. ' +
        'The support says how many agree.'
      : `It is true with a probability of ${percent(then)}; what that is made of was not kept.`;
  return [...hang('  ', words, page.measure), ...layWorth(explanation, page)];
}

const mostReasons = 8;

/** `then`: the probability in the run. It may differ by what people have decided about other claims since. */
function layReasons(confidence: Confidence, then: number, page: Page): string[] {
  const { probability } = confidence;
  const { ofClaim, ofPanel } = partsOf(confidence);
  const moved = samePercent(then, probability)
    ? ''
    : ` In the run it was ${percent(then)}; what is known of its reviewers has changed since.`;
  const odds = logOddsOf(probability);
  const told = ofClaim
    .slice(0, mostReasons)
    .filter(
      ({ worth }, index) => index === 0 || !samePercent(probability, probabilityOf(odds - worth)),
    );
  return [
    ...hang(
      '  ',
      `${percent(probability)}: ${outOf(probability)}.${moved}${told.length > 1 ? ' What makes it so, the weightiest first:' : ''}`,
      page.measure,
    ),
    ...[...told, ...ofPanel].flatMap(({ words, worth }) =>
      hang(
        worth > 0 ? '  + ' : '  − ',
        `${oneLine(words, 200)}; without that it would be ${percent(probabilityOf(odds - worth))}`,
        page.measure,
      ),
    ),
  ];
}

/** Whether anybody would act on it, where a model says so. */
function layWorth({ claim, confidence }: ClaimExplanation, page: Page): string[] {
  const { matters, act } = claim;
  const reason = confidence === null ? '' : reasonOf(confidence.matters);
  const sentences = [
    ...(matters === null
      ? []
      : [
          `If it is true, it matters with a probability of ${percent(matters)}${oneLine(reason, 300)}.`,
        ]),
    ...(act === true ? ['It is marked as worth a person’s time.'] : []),
    ...(act === false ? ['It is not marked as worth a person’s time.'] : []),
  ];
  return sentences.flatMap(sentence => hang('  ', sentence, page.measure));
}

/** As people count: of ten, or where that lies between two, of twenty; where it would be none or all, of a hundred. */
function outOf(probability: number): string {
  const isBetween = Math.abs(((10 * probability) % 1) - 0.5) < 0.15;
  const of = probability < 0.095 || probability > 0.905 ? 100 : isBetween ? 20 : 10;
  const amount = Math.round(of * probability);
  if (amount === 0) return `of ${of} claims like this one, hardly one is true`;
  if (amount === of) return `of ${of} claims like this one, nearly all are true`;
  return `of ${of} claims like this one, about ${amount} ${amount === 1 ? 'is' : 'are'} true`;
}

function samePercent(one: number, other: number): boolean {
  return percent(one) === percent(other);
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
  const later =
    history.length > 1
      ? `; ${count(history.length, 'run')} decided about it, the last on ${dayOf(last.at)} (${last.state})`
      : '';
  const who = firstOf(supporters.map(({ reviewer }) => reviewer));
  const have = `${count(supporters.length, 'reviewer')} ${supporters.length === 1 ? 'has' : 'have'}`;
  return [
    `First said in run ${first.run} on ${dayOf(first.at)}${later}.`,
    `${have} said it so far, in ${count(wordings.length, 'wording')}: ${who}.`,
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
