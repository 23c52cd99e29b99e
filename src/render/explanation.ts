/** An explanation of a claim as a colleague would give it: what was said, why it is one thing, how sure that is, what happened before. */
import type { ClaimExplanation, ConfidenceReasons, Contribution, Neighbour, PairReasons } from '../core/consensus/explain.ts';
import type { Disposition } from '../core/memory/known-claim.ts';
import { count } from './figures.ts';
import { layHeading, openPage, paintSeverity, type Page, type RenderOptions } from './page.ts';
import { placeOf } from './terminal-claims.ts';
import { hang, oneLine, wrap } from './terminal-text.ts';

export function renderExplanation(explanation: ClaimExplanation, options: RenderOptions): string {
  const page = openPage(options);
  const sections = [
    layClaim(explanation, page),
    [...layHeading(page, 'Why this is one claim'), ...layJoined(explanation, page)],
    [...layHeading(page, 'Why its neighbours are others'), ...layApart(explanation, page)],
    [...layHeading(page, 'How sure that is'), ...layConfidence(explanation, page)],
    [...layHeading(page, 'What happened before'), ...layHistory(explanation, page)],
  ];
  return `${sections.map(lines => lines.join('\n')).join('\n\n')}\n`;
}

function layClaim({ claim, run, strategy }: ClaimExplanation, page: Page): string[] {
  const [first = '', ...others] = hang(`${claim.id}  ${claim.severity}  `, oneLine(claim.text), page.measure);
  const place = claim.location === null ? 'no place named' : placeOf(claim.location).place;
  const facts = `${place} · ${claim.supporters.length} of ${claim.electorate}: ${claim.supporters.map(name => oneLine(name, 40)).join(', ')} · ${claim.state} · run ${run}, matched by ${strategy.name} ${oneLine(strategy.version, 40)}`;
  return [paintSeverity(page, claim.severity, first), ...others, ...hang('  ', facts, page.measure).map(line => page.colors.dim(line))];
}

function layJoined({ claim, joined }: ClaimExplanation, page: Page): string[] {
  const said = claim.findings.slice(0, mostQuoted).flatMap(finding => hang(`  ${oneLine(finding.id, 60)}  `, `“${oneLine(finding.text, 240)}”`, page.measure));
  const rest = claim.findings.length - mostQuoted;
  if (joined.length === 0) return [...said, ...wrap(`Only ${oneLine(claim.supporters[0] ?? 'one reviewer', 60)} says it, once; nothing was put together.`, page.measure - 2).map(line => `  ${line}`)];
  return [...said, ...(rest > 0 ? [`  … and ${count(rest, 'more finding')}`] : []), ...joined.slice(0, mostQuoted).flatMap(pair => layPair(pair, page))];
}

const mostQuoted = 8;

function layPair(pair: PairReasons, page: Page): string[] {
  const verdict = pair.same ? 'say the same' : 'would not have been put together alone, but the others of the claim join them';
  return [...hang('  - ', `${oneLine(pair.one, 60)} and ${oneLine(pair.other, 60)} ${verdict} (${pair.score} of 100). ${oneLine(pair.reason, 400)}`, page.measure), ...layContributions(pair.contributions, page)];
}

const mostContributions = 4;

/** What weighs least is left to the JSON. */
function layContributions(contributions: readonly Contribution[], page: Page): string[] {
  return contributions.slice(0, mostContributions).flatMap(({ words, worth }) => hang(`      ${signed(worth)}  `, oneLine(words, 200), page.measure).map(line => page.colors.dim(line)));
}

function signed(worth: number): string {
  return `${worth < 0 ? '−' : '+'}${Math.abs(worth).toFixed(1)}`;
}

function layApart({ apart }: ClaimExplanation, page: Page): string[] {
  if (apart.length === 0) return ['  No other claim of the run shares a word with it.'];
  return apart.flatMap(neighbour => layNeighbour(neighbour, page));
}

function layNeighbour({ claim, text, supporters, nearest, divided }: Neighbour, page: Page): string[] {
  const said = `“${oneLine(text, 240)}” (${supporters.map(name => oneLine(name, 40)).join(', ')})`;
  const why = divided === null
    ? `${oneLine(nearest.one, 60)} and ${oneLine(nearest.other, 60)} come nearest (${nearest.score} of 100). ${oneLine(nearest.reason, 400)}`
    : `${oneLine(nearest.one, 60)} and ${oneLine(nearest.other, 60)} are alike (${nearest.score} of 100), but the claims as a whole are not: ${oneLine(divided.one, 60)} and ${oneLine(divided.other, 60)} are apart (${divided.score}). ${oneLine(divided.reason, 400)}`;
  return [...hang(`  - ${claim}  `, said, page.measure), ...hang('    ', why, page.measure)];
}

function layConfidence({ claim, confidence }: ClaimExplanation, page: Page): string[] {
  if (confidence !== null) return layReasons(confidence, claim.confidence ?? confidence.probability, page);
  const words = claim.confidence === null ? 'No confidence was computed: it is known for what models say about changes, not for rules and questions. The support says how many agree.' : `It is real with a probability of ${Math.round(100 * claim.confidence)} %; what that is made of was not kept.`;
  return wrap(words, page.measure - 2).map(line => `  ${line}`);
}

/** `then`: the probability in the run. It may differ by what people have decided about other claims since. */
function layReasons({ probability, start, contributions }: ConfidenceReasons, then: number, page: Page): string[] {
  const base = Math.round(100 / (1 + Math.exp(-start)));
  const moved = Math.abs(then - probability) < 0.005 ? '' : ` (in the run it was ${Math.round(100 * then)} %; people have judged claims of its reviewers since)`;
  const opening = `It is real with a probability of ${Math.round(100 * probability)} %${moved}. Before anything is known that is ${base} %; what moved it (log-odds):`;
  return [...wrap(opening, page.measure - 2).map(line => `  ${line}`), ...contributions.flatMap(({ words, worth }) => hang(`      ${signed(worth)}  `, oneLine(words, 200), page.measure))];
}

function layHistory({ remembered, decisions }: ClaimExplanation, page: Page): string[] {
  const sentences = [...(remembered === null ? ['Nothing is remembered of it.'] : tellHistory(remembered)), ...decisions.map(tellDecision)];
  return sentences.flatMap(sentence => hang('  - ', sentence, page.measure));
}

function tellHistory({ history, wordings, supporters }: NonNullable<ClaimExplanation['remembered']>): string[] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return ['Nothing is remembered of it.'];
  const turns = history.filter((entry, index) => index > 0 && entry.state !== history[index - 1]?.state && entry.state !== 'persisting');
  return [
    `First said in run ${first.run} on ${dayOf(first.at)}${history.length > 1 ? `; ${count(history.length, 'run')} decided about it, the last on ${dayOf(last.at)} (${last.state})` : ''}.`,
    `${count(supporters.length, 'reviewer')} said it so far, in ${count(wordings.length, 'wording')}: ${supporters.map(({ reviewer }) => oneLine(reviewer, 40)).join(', ')}.`,
    ...turns.map(({ state, run, at }) => `${state.charAt(0).toUpperCase()}${state.slice(1)} in run ${run} on ${dayOf(at)}.`),
  ];
}

function tellDecision({ claim, verdict, reason, scope, until, at }: Disposition): string {
  const what = { accepted: 'Accepted as real', rejected: 'Dismissed as false', tolerated: 'Dismissed as tolerated' }[verdict];
  const range = scope === 'claim' ? '' : `, with its whole ${scope} (given for ${claim})`;
  return `${what}${range} on ${dayOf(at)}${until === null ? '' : `, until ${until}`}${reason === '' ? '.' : `: ${oneLine(reason, 300)}`}`;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}
