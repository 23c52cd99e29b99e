/** What every brief is made of: how much it may hold, and the lines for a finding, its place, names, criteria and the report. */
import { cutToTokens, cutToWord, mostTokensOf, toOneLine } from '../text.ts';
import { criterionStates, stateOfCriterion } from '../verdict/verification.ts';
import type { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { placeText } from '../words/finding.ts';

/** Upper estimates of tokens. The sum of the fixed parts stays below the whole by more than 100 tokens for each finding. */
export const most = {
  whole: 940,
  process: 30,
  subject: 160,
  reason: 90,
  attention: 90,
  /** At least. */
  report: 110,
  /** Left for each finding that is shown, at least. */
  finding: 100,
  agents: 34,
  id: 40,
  /** Who says the opposite of a finding, with the words. */
  against: 80,
  opponent: 32,
  /** Fewer tokens of a quote say nothing. */
  fewestWords: 12,
  followUp: 120,
  unread: 60,
  criteria: 40,
  approval: 80,
} as const;

export const mostLines = 15;
export const titleLength = 120;
const placeLength = 80;

/** Data on one line, of at most so many tokens. */
export function short(text: string, tokens: number): string {
  return cutToTokens(toOneLine(text), tokens);
}

/** `Criteria: #2 not met | #3, #4 unanswered | #1 met`: what stands in the way first. */
export function describeCriteria({ verification }: RunRecord): string[] {
  if (verification === null) return [];
  const parts = criterionStates.flatMap(state => {
    const those = verification.criteria.filter(each => stateOfCriterion(each) === state);
    const numbers = those.map(({ criterion }) => `#${criterion}`);
    return numbers.length === 0 ? [] : [`${listNames(numbers, most.criteria)} ${state}`];
  });
  return [`Criteria: ${parts.join(' | ') || 'none'}`];
}

export interface BriefFinding {
  /** What stands in brackets: the level, or the reviewers' own label. */
  readonly level: string;
  readonly title: string;
  readonly agents: readonly string[];
  readonly support: string;
  readonly id: string;
  readonly against: Claim['against'];
}

/**
 * The title gives way first: who says it, how many, and the id to ask for more stay whole. Who says the opposite takes half of
 * its room at most.
 */
export function describeFinding(
  { level, title, agents, support, id, against }: BriefFinding,
  tokens: number,
): string {
  const start = `- [${level}] `;
  const end = ` — ${listNames(agents, most.agents)} (${support}) ${id}`;
  const left = tokens - mostTokensOf(start + end);
  const opposed = describeAgainst(against, Math.min(most.against, Math.floor(left / 2)));
  return `${start}${cutToTokens(title, left - mostTokensOf(opposed))}${end}${opposed}`;
}

/** ` against: gamma: “…” (+1 more)`; without the words where there is little room. */
function describeAgainst(against: Claim['against'], tokens: number): string {
  const [first] = against;
  if (first === undefined) return '';
  const start = ` against: ${listNames([first.reviewer], most.opponent)}`;
  const end = against.length === 1 ? '' : ` (+${against.length - 1} more)`;
  const room = tokens - mostTokensOf(`${start}: “”${end}`);
  return room < most.fewestWords
    ? ` against: ${against.length}`
    : `${start}: “${short(first.statement, room)}”${end}`;
}

/** At most 120 characters: its place, if the words do not name it, then the words. Of a long path the end tells more. */
export function titleOf(
  text: string,
  location: Claim['location'],
  { isChecked }: { /** Were places looked for in a subject? */ readonly isChecked: boolean },
): string {
  const words = toOneLine(text);
  if (location === null) return cutToWord(words, titleLength);
  const place = toOneLine(placeText(location));
  const doubt = isChecked && location.anchoring === 'unanchored' ? ' (place not found)' : '';
  if (words.includes(place)) return cutToWord(words, titleLength - doubt.length) + doubt;
  const characters = Array.from(place);
  const start =
    characters.length > placeLength ? `…${characters.slice(1 - placeLength).join('')}` : place;
  return cutToWord(`${start}${doubt} ${words}`, titleLength);
}

/** What a vote came to, where there was one that decided something. */
export function markOf({ deliberation }: Claim): string {
  const outcome = deliberation?.outcome ?? 'passed';
  return outcome === 'passed' || outcome === 'undecided' ? '' : ` ${outcome.replace('_', ' ')}`;
}

/** `a, b, +6 more` within so many tokens; the first name always stands, cut if it must be. */
export function listNames(untrusted: readonly string[], tokens: number): string {
  const names = untrusted.map(toOneLine);
  const [first] = names;
  if (first === undefined) return 'none';
  const listed = (amount: number, lead = names.slice(0, amount)): string =>
    [...lead, ...(amount < names.length ? [`+${names.length - amount} more`] : [])].join(', ');
  let amount = 0;
  while (amount < names.length && mostTokensOf(listed(amount + 1)) <= tokens) amount += 1;
  return amount > 0
    ? listed(amount)
    : listed(1, [cutToTokens(first, tokens - mostTokensOf(', +99 more'))]);
}

/** A path that is cut leads nowhere: it gets all that the other lines and what is `reserved` for the findings leave. */
function reportLine(path: string, others: readonly string[], reserved: number): string {
  const left = most.whole - mostTokensOf(others.join('\n')) - mostTokensOf('\nReport: ') - reserved;
  return `Report: ${short(path, Math.max(most.report, left))}`;
}

/** Findings below what they have in common; each is told how many tokens it may take. */
export interface BriefGroup {
  readonly heading: string;
  readonly findings: readonly ((tokens: number) => string)[];
}

/** The one shape of a brief: the findings share what the lines around them leave of 1,000 tokens. `report`: its path. */
export function layBrief(
  head: readonly string[],
  groups: readonly BriefGroup[],
  tail: readonly string[],
  report: string,
): string {
  const headings = groups.map(({ heading }) => heading);
  const amount = groups.flatMap(({ findings }) => findings).length;
  const fixed = [...head, ...headings, ...tail];
  const last = reportLine(report, fixed, amount * most.finding);
  const room = most.whole - mostTokensOf([...fixed, last].join('\n'));
  const tokens = Math.floor(room / amount) - 1;
  return [
    ...head,
    ...groups.flatMap(({ heading, findings }) => [
      heading,
      ...findings.map(describe => describe(tokens)),
    ]),
    ...tail,
    last,
  ].join('\n');
}
