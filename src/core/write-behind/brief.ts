/**
 * The text that goes back to a caller with a context of its own: at most fifteen lines and 1,000 tokens, whatever reviewers
 * say and however many they are. Everything else stays on disk and is asked for by id.
 */
import type { Claim } from '../claim.ts';
import { criterionStates, stateOfCriterion } from '../consensus/verification.ts';
import { shortIdsOf } from '../finding-names.ts';
import type { Review } from '../review.ts';
import type { Run, RunRecord, RunReviewer } from '../run.ts';
import { indexLevelOf, rankOf, severities, type Severity } from '../severity.ts';
import { isConflict } from './merged-findings.ts';
import { cutTo, cutToTokens, cutToWord, mostTokensOf, toOneLine } from './one-line.ts';
import { needsAttention, openClaims, overallVerdictOf } from '../verdict/review-status.ts';

/** Upper estimates of tokens. The sum of the fixed parts stays below the whole by more than 100 tokens for each finding. */
export const most = { whole: 940, process: 30, reason: 90, attention: 90, report: 110, agents: 34, id: 40, followUp: 120, criteria: 40 } as const;

const mostFindings = 5;
const titleLength = 120;
const placeLength = 80;

export function renderBrief({ record, reviews, folder }: Pick<Run, 'record' | 'reviews' | 'folder'>): string {
  const open = openClaims(record);
  const criteria = describeCriteria(record);
  const found = record.engineFindings ?? [];
  const ids = shortIdsOf(record.claims);
  const head = [
    'Protocol: 1.0',
    `Run: ${record.run} (${cutToTokens(toOneLine(record.command), most.process)})`,
    `Validation: ${describeValidation(record.reviewers)}`,
    `Verdict: ${overallVerdictOf(record)}`,
    `Gate: ${describeGate(record)}`,
    ...criteria,
    `${severities.map(severity => `${indexLevelOf(severity)}: ${countOf(open, severity) + (severity === 'critical' ? found.length : 0)}`).join(' | ')} | IMP: ${countImprovements(reviews)}${describeAside(record)}`,
    `Conflicts: ${open.filter(isConflict).length || 'none'}`,
  ];
  const partial = describePartial(record);
  const tail = [...partial, `Attention: ${listNames(record.reviewers.filter(needsAttention).map(({ id }) => id), most.attention)}`, `Report: ${cutToTokens(toOneLine(`${folder}/report.md`), most.report)}`];
  const shown = mostFindings - partial.length - criteria.length;
  const top = [...found.map(({ text }) => (tokens: number) => describeEngineFinding(text, tokens)), ...[...open].sort(byWeight).map(claim => (tokens: number) => describeClaim(claim, ids.get(claim.id) ?? claim.id, tokens))].slice(0, shown);
  const heading = top.length === 0 ? 'Top findings: none' : 'Top findings:';
  const room = most.whole - mostTokensOf([...head, heading, ...tail].join('\n'));
  return [...head, heading, ...top.map(describe => describe(Math.floor(room / top.length) - 1)), ...tail].join('\n');
}

/** `5/6 agents valid, 1 failed`. */
export function describeValidation(reviewers: readonly RunReviewer[]): string {
  const count = (status: Review['status']): number => reviewers.filter(reviewer => reviewer.status === status).length;
  const rest = (['failed', 'partial'] as const).filter(status => count(status) > 0).map(status => `, ${count(status)} ${status}`);
  return `${count('complete')}/${reviewers.length} agents valid${rest.join('')}`;
}

/** Whose tokens ran out, and what to run for the files they left: by name, or to have the rest read where they are too many to be named. */
function describePartial({ run, outcome, consensusReview: review }: RunRecord): string[] {
  if (review === undefined || review.partial.length === 0) return [];
  const [first = '', ...others] = review.partial.map(line => toOneLine(line));
  const line = cutToTokens(others.length === 0 ? first : `${first}, +${others.length} more reviewers`, most.reason);
  if (review.follow_up === null) return [line];
  const command = toOneLine(review.follow_up);
  if (mostTokensOf(command) <= most.followUp) return [line, command];
  return [line, outcome === 'PASS' ? `→ Consider: the command at the end of ${toOneLine(review.report ?? 'the report')}` : `→ Consider: jury resume ${run}`];
}

function describeGate({ outcome, reasons: [first] }: RunRecord): string {
  return first === undefined ? outcome : `${outcome} — ${cutToTokens(toOneLine(first.sentence), most.reason)}`;
}

/** `Criteria: #2 not met | #3, #4 unanswered | #1 met`: what stands in the way first. */
function describeCriteria({ verification }: RunRecord): string[] {
  if (verification === null) return [];
  const states = criterionStates.map(state => [state, verification.criteria.filter(criterion => stateOfCriterion(criterion) === state).map(({ criterion }) => `#${criterion}`)] as const);
  const parts = states.filter(([, numbers]) => numbers.length > 0).map(([state, numbers]) => `${listNames(numbers, most.criteria)} ${state}`);
  return [`Criteria: ${parts.join(' | ') || 'none'}`];
}

function countOf(claims: readonly Claim[], severity: Severity): number {
  return claims.filter(claim => claim.severity === severity).length;
}

function countImprovements(reviews: readonly Review[]): number {
  return reviews.reduce((total, { findings }) => total + findings.filter(({ isImprovement }) => isImprovement).length, 0);
}

/** The most severe first, then those that most agree on; the order of the record otherwise. */
function byWeight(one: Claim, other: Claim): number {
  return rankOf(one.severity) - rankOf(other.severity) || other.supporters.length - one.supporters.length;
}

/** The title gives way first: who says it, how many, and the id to ask for more stay whole. */
function describeClaim(claim: Claim, id: string, tokens: number): string {
  const start = `- [${indexLevelOf(claim.severity)}] `;
  const end = ` — ${listNames(claim.supporters, most.agents)} (${claim.supporters.length}/${claim.electorate}) ${id}${markOf(claim)}`;
  return start + cutToTokens(titleOf(claim.text, claim.location), tokens - mostTokensOf(start + end)) + end;
}

/** At most 120 characters: its place, if that was found and the words do not name it, then the words. Of a long path the end tells more. */
export function titleOf(text: string, location: Claim['location']): string {
  const words = toOneLine(text);
  if (location === null || location.anchoring === 'unanchored') return cutToWord(words, titleLength);
  const place = toOneLine(location.line === null ? location.path : `${location.path}:${location.line}`);
  if (words.includes(place)) return cutToWord(words, titleLength);
  const characters = Array.from(place);
  const start = characters.length > placeLength ? `…${characters.slice(1 - placeLength).join('')}` : place;
  return cutToWord(`${start} ${words}`, titleLength);
}

/** What protected paths kept out of the count; empty when that is nothing. */
export function describeAside({ dismissed }: RunRecord): string {
  const aside = dismissed.filter(({ protectedBy }) => protectedBy !== undefined).length;
  return aside === 0 ? '' : ` | Set aside: ${aside}`;
}

/** The place stands at its start. */
export function describeEngineFinding(text: string, tokens: number): string {
  const [start, end] = ['- [P0] ', ' — the engine'];
  return start + cutToTokens(cutTo(toOneLine(text), titleLength), tokens - mostTokensOf(start + end)) + end;
}

/** What a vote came to, where there was one that decided something. */
function markOf({ deliberation }: Claim): string {
  const marks = { passed: '', undecided: '', confirmed: ' confirmed', voted_down: ' voted down', contested: ' contested' } as const;
  return deliberation === undefined ? '' : marks[deliberation.outcome];
}

/** `a, b, +6 more` within so many tokens; the first name always stands, cut if it must be. */
export function listNames(names: readonly string[], tokens: number): string {
  if (names.length === 0) return 'none';
  const shown: string[] = [];
  for (const name of names) {
    const rest = names.length - shown.length - 1;
    if (mostTokensOf([...shown, name, ...more(rest)].join(', ')) > tokens) break;
    shown.push(name);
  }
  if (shown.length === 0) shown.push(cutToTokens(names[0] ?? '', tokens - mostTokensOf(', +99 more')));
  return [...shown, ...more(names.length - shown.length)].join(', ');
}

function more(count: number): string[] {
  return count === 0 ? [] : [`+${count} more`];
}
