/** What every brief is made of: how much it may hold, and the lines for a finding, its place, names, criteria and the report. */
import { cut, cutToTokens, cutToWord, mostTokensOf, toOneLine, countOf } from '../text.ts';
import { present, sumOf } from '../groups.ts';
import { type Claim, countSupport } from '../words/claim.ts';
import type { RunReviewer } from '../words/run.ts';
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

export const titleLength = 120;
const placeLength = 80;

/** Data on one line, of at most so many tokens. */
export function short(text: string, tokens: number) {
  return cutToTokens(toOneLine(text), tokens);
}

/** How a finding of a brief is told beside what its claim says. */
interface BriefFinding {
  /** What stands in brackets: the level, or the reviewers' own label. */
  readonly level: string;
  readonly title: string;
  /** What it is asked for by. */
  readonly name: string;
}

/**
 * The title gives way first: who says it, how many, and the id to ask for more stay whole. Who says the opposite takes half of
 * its room at most.
 */
export function describeFinding(
  claim: Pick<Claim, 'supporters' | 'electors' | 'electorate' | 'against'>,
  { level, title, name }: BriefFinding,
  tokens: number,
) {
  const start = `- [${level}] `;
  const end = ` — ${listNames(claim.supporters, most.agents)} (${countSupport(claim)}/${claim.electorate}) ${name}`;
  const left = tokens - mostTokensOf(start + end);
  const opposed = describeAgainst(claim.against, Math.min(most.against, Math.floor(left / 2)));
  return `${start}${cutToTokens(title, left - mostTokensOf(opposed))}${end}${opposed}`;
}

/** ` against: gamma: “…” (+1 more)`; without the words where there is little room. */
function describeAgainst(against: Claim['against'], tokens: number) {
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
) {
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

/** `a, b, +6 more` within so many tokens; the first name always stands, cut if it must be. */
export function listNames(untrusted: readonly string[], tokens: number) {
  const names = untrusted.map(toOneLine);
  const [first] = names;
  if (first === undefined) return 'none';
  const listed = (amount: number, lead = names.slice(0, amount)) =>
    present(...lead, amount < names.length && `+${names.length - amount} more`).join(', ');
  let amount = 0;
  while (amount < names.length && mostTokensOf(listed(amount + 1)) <= tokens) amount += 1;
  return amount > 0
    ? listed(amount)
    : listed(1, [cutToTokens(first, tokens - mostTokensOf(', +99 more'))]);
}

/** Findings below what they have in common; each is told how many tokens it may take. */
/**
 * The one shape of a brief: the findings share what the lines around them leave of 1,000 tokens. `report`: its path, which leads
 * nowhere when it is cut, and gets all that is not kept for the findings.
 */
export function layBrief(
  head: readonly string[],
  groups: readonly { heading: string; findings: readonly ((tokens: number) => string)[] }[],
  tail: readonly string[],
  report: string,
) {
  const fixed = [...head, ...groups.map(({ heading }) => heading), ...tail];
  const amount = groups.flatMap(({ findings }) => findings).length;
  const roomBeside = (...lines: readonly string[]) =>
    most.whole - mostTokensOf([...fixed, ...lines].join('\n'));
  const left = roomBeside('Report: ') - amount * most.finding;
  const last = `Report: ${short(report, Math.max(most.report, left))}`;
  const tokens = Math.floor(roomBeside(last) / amount) - 1;
  const told = groups.flatMap(({ heading, findings }) => [
    heading,
    ...findings.map(describe => describe(tokens)),
  ]);
  return [...head, ...told, ...tail, last].join('\n');
}

// What a caller should know of how answers were read: one line, and none where every answer was read as it stands.

const readings: readonly (readonly [
  words: (amount: number) => string,
  of: (reading: NonNullable<RunReviewer['reading']>) => number,
])[] = [
  [() => 'claims less than it found', ({ claim }) => Number(claim === 'lower')],
  [() => 'claims more than it found', ({ claim }) => Number(claim === 'higher')],
  [amount => `${countOf(amount, 'line')} unread`, ({ unparsed }) => unparsed],
  [amount => `${amount} discarded`, ({ discarded }) => discarded],
  [amount => countOf(amount, 'deviation'), ({ deviations }) => deviations.length],
];

/** `Reading: claims less than it found: beta | 2 lines unread: alpha | 3 discarded: alpha | 1 deviation: gamma`. */
export function describeReadings(reviewers: readonly RunReviewer[]) {
  const parts = readings.flatMap(([words, of]) => {
    const those = reviewers.flatMap(({ id, reading }) => {
      const amount = reading === undefined ? 0 : of(reading);
      return amount > 0 ? [{ id, amount }] : [];
    });
    const amount = sumOf(those, each => each.amount);
    return amount === 0 ? [] : [`${words(amount)}: ${shorten(those.map(({ id }) => id))}`];
  });
  return parts.length === 0 ? [] : [`Reading: ${parts.join(' | ')}`];
}

/** `Left out: 3 milder findings (2 medium, 1 low) of alpha, beta: only grave ones were asked for.` Nothing where none were. */
export function describeSkipped(reviewers: readonly RunReviewer[]) {
  const those = reviewers.filter(({ skipped }) => skipped !== undefined);
  const medium = sumOf(those, ({ skipped }) => skipped?.medium_count ?? 0);
  const low = sumOf(those, ({ skipped }) => skipped?.low_count ?? 0);
  if (medium + low === 0) return [];
  const kinds = [medium > 0 && `${medium} medium`, low > 0 && `${low} low`].filter(Boolean);
  return [
    `Left out: ${countOf(medium + low, 'milder finding')} (${kinds.join(', ')}) of ` +
      `${shorten(those.map(({ id }) => id))}: only grave ones were asked for.`,
  ];
}

/** Two names, of which each may have a hundred characters. */
function shorten(untrusted: readonly string[]) {
  const names = untrusted.slice(0, 2).map(name => cut(toOneLine(name), 24));
  const others = untrusted.length - names.length;
  return present(...names, others > 0 && `+${others}`).join(', ');
}
