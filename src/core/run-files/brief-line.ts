/** What every brief is made of: how much it may hold, and the lines for a finding, its place, names, criteria and the report. */
import { criterionStates, stateOfCriterion } from '../verdict/verification.ts';
import { cutToTokens, cutToWord, mostTokensOf, toOneLine } from '../text.ts';
import type { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';

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

/** `Criteria: #2 not met | #3, #4 unanswered | #1 met`: what stands in the way first. */
export function describeCriteria({ verification }: RunRecord): string[] {
  if (verification === null) return [];
  const states = criterionStates.map(
    state =>
      [
        state,
        verification.criteria
          .filter(criterion => stateOfCriterion(criterion) === state)
          .map(({ criterion }) => `#${criterion}`),
      ] as const,
  );
  const parts = states
    .filter(([, numbers]) => numbers.length > 0)
    .map(([state, numbers]) => `${listNames(numbers, most.criteria)} ${state}`);
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
  const start = ` against: ${listNames([toOneLine(first.reviewer)], most.opponent)}`;
  const end = against.length === 1 ? '' : ` (+${against.length - 1} more)`;
  const room = tokens - mostTokensOf(`${start}: “”${end}`);
  return room < most.fewestWords
    ? ` against: ${against.length}`
    : `${start}: “${cutToTokens(toOneLine(first.statement), room)}”${end}`;
}

/** At most 120 characters: its place, if the words do not name it, then the words. Of a long path the end tells more. */
export function titleOf(
  text: string,
  location: Claim['location'],
  { isChecked }: { /** Were places looked for in a subject? */ readonly isChecked: boolean },
): string {
  const words = toOneLine(text);
  if (location === null) return cutToWord(words, titleLength);
  const place = toOneLine(
    location.line === null ? location.path : `${location.path}:${location.line}`,
  );
  const doubt = isChecked && location.anchoring === 'unanchored' ? ' (place not found)' : '';
  if (words.includes(place)) return cutToWord(words, titleLength - doubt.length) + doubt;
  const characters = Array.from(place);
  const start =
    characters.length > placeLength ? `…${characters.slice(1 - placeLength).join('')}` : place;
  return cutToWord(`${start}${doubt} ${words}`, titleLength);
}

/** What a vote came to, where there was one that decided something. */
export function markOf({ deliberation }: Claim): string {
  const marks = {
    passed: '',
    undecided: '',
    confirmed: ' confirmed',
    voted_down: ' voted down',
    contested: ' contested',
  } as const;
  return deliberation === undefined ? '' : marks[deliberation.outcome];
}

/** `a, b, +6 more` within so many tokens; the first name always stands, cut if it must be. */
export function listNames(untrusted: readonly string[], tokens: number): string {
  const names = untrusted.map(toOneLine);
  if (names.length === 0) return 'none';
  const shown: string[] = [];
  for (const name of names) {
    const rest = names.length - shown.length - 1;
    if (mostTokensOf([...shown, name, ...more(rest)].join(', ')) > tokens) break;
    shown.push(name);
  }
  if (shown.length === 0)
    shown.push(cutToTokens(names[0] ?? '', tokens - mostTokensOf(', +99 more')));
  return [...shown, ...more(names.length - shown.length)].join(', ');
}

function more(count: number): string[] {
  return count === 0 ? [] : [`+${count} more`];
}

/** A path that is cut leads nowhere: it gets all that the other lines and what is `reserved` for the findings leave. */
export function reportLine(path: string, others: readonly string[], reserved = 0): string {
  const left = most.whole - mostTokensOf(others.join('\n')) - mostTokensOf('\nReport: ') - reserved;
  return `Report: ${cutToTokens(toOneLine(path), Math.max(most.report, left))}`;
}
