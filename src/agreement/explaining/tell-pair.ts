/** Puts into plain words why two findings are, or are not, judged to say the same: what was seen, never how it is computed. */
import { cutToWord, toOneLine } from '../../core/text.ts';
import type { JudgedPanel } from '../judged-panel.ts';
import { type Estimate, logOddsOf } from '../../core/words/odds.ts';
import { type Common, enumerate } from '../wording/run-wording.ts';

export type Contribution = Estimate['contributions'][number];

/** Log-odds that are worth a mention. */
const telling = 0.25;
const mostTold = 4;

/**
 * What keeps the two apart; else what was seen, the weightiest first, whichever way it points. Of two claims it ends with what
 * is missing, unless what speaks against them decides it.
 */
export function tellPair({
  barrier,
  probability,
  missing,
  contributions,
}: {
  /** Null when nothing keeps the two apart whatever else is said. */
  readonly barrier: string | null;
  readonly probability: number;
  /** What two that say the same mostly share and these do not, each half a sentence. */
  readonly missing: readonly string[];
  /** Largest first. */
  readonly contributions: readonly Contribution[];
}): string {
  if (barrier !== null) return barrier;
  const told = contributions
    .filter(
      ({ words, worth }, index) => index === 0 || (Math.abs(worth) >= telling && !vague.has(words)),
    )
    .slice(0, mostTold);
  if (probability >= 0.5) return tellInTurn(told);
  const lacking = missing.length === 0 ? '' : `: ${listed(missing)}`;
  const against =
    told.find(speaksAgainst) ??
    contributions.find(part => part.worth <= -telling && speaksAgainst(part));
  if (against === undefined)
    return told.length === 0
      ? `They share too little${lacking}.`
      : `${tellInTurn(told)} But that is too little for one claim${lacking}.`;
  const seen = tellInTurn(told.includes(against) ? told : [...told, against]);
  const held = contributions.reduce((sum, { worth }) => sum + Math.min(worth, 0), 0);
  return logOddsOf(probability) - held < 0
    ? `${seen} Even without that they share too little${lacking}.`
    : seen;
}

/** Whole clauses, of which the last may hold an `and` itself. */
function listed(clauses: readonly string[]): string {
  return clauses
    .map((clause, at) => (at > 0 && at === clauses.length - 1 ? `and ${clause}` : clause))
    .join(', ');
}

function speaksAgainst({ words, worth }: Contribution): boolean {
  return worth < 0 || words === nothingShared;
}

/** A sentence each; where the direction turns, it says so. */
function tellInTurn(parts: readonly Contribution[]): string {
  return parts
    .map((part, index) => {
      const before = parts[index - 1];
      const turn =
        before === undefined || speaksAgainst(before) === speaksAgainst(part)
          ? ''
          : speaksAgainst(part)
            ? 'But '
            : 'Still, ';
      return `${turn === '' ? upperFirst(part.words) : `${turn}${part.words}`}.`;
    })
    .join(' ');
}

export function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Said only where it weighs most: it names nothing that a reader could look up. */
const closerThanWords = 'beside all that was said they are closer than their words alone tell';
const furtherThanWords =
  'beside all that was said they are further apart than their words alone tell';
const vague = new Set<string>([closerThanWords, furtherThanWords]);

const nothingShared = 'they have hardly a word in common';

/** What the two wordings have in common, names of code first. */
export function tellWording({ words, names }: Common): string {
  const shared = [
    ...(names.length > 0 ? [`name ${enumerate(names.slice(0, 4))}`] : []),
    ...(words.length > 0
      ? [`speak of ${enumerate(words.slice(0, 6).map(word => `“${word}”`))}`]
      : []),
  ];
  return shared.length > 0 ? `both ${shared.join(' and ')}` : nothingShared;
}

/**
 * What the rest of the panel shows of a pair, told by what was said: who says both, who says only one, who says something
 * closer. `link`: position of the pair in the graph. `worth` below 0: it keeps them apart.
 */
export function tellPanel(panel: JudgedPanel, link: number, worth: number): string {
  const seen = lookAround(panel, link);
  return worth < 0 ? tellAgainst(seen) : tellFor(seen);
}

function tellFor({ witnesses, rivals, pair }: Surroundings): string {
  const borneOut = witnesses.length === 0 ? [] : [`what ${saying(witnesses)} fits both`];
  const closest = rivals.length === 0 ? [`${eitherOf(pair)} says anything that comes closer`] : [];
  const told = [...borneOut, ...closest];
  return told.length > 0 ? told.join(', and ') : closerThanWords;
}

function tellAgainst({ witnesses, splitters, rivals, bystanders }: Surroundings): string {
  const rivalled = rivals
    .slice(0, 1)
    .map(
      ({ reviewer, of, text }) =>
        `another finding of ${reviewer} comes closer to what ${saying(of)}: “${cutToWord(toOneLine(text), longestQuote)}”`,
    );
  const split =
    splitters.length === 0
      ? []
      : [`what ${saying(splitters)} fits one of the two and not the other`];
  const told = [...rivalled, ...split];
  if (told.length > 0) return told.join(', and ');
  if (witnesses.length === 0)
    return bystanders === 0
      ? 'nobody else is there who could bear it out'
      : 'nobody else says anything that fits both';
  return witnesses.length < bystanders
    ? `of ${bystanders} other reviewers only ${witnesses.length} ${witnesses.length === 1 ? 'says' : 'say'} what fits both`
    : furtherThanWords;
}

const longestQuote = 90;

/** `neither alpha nor beta`; of more, who they are does not matter. */
function eitherOf([one, other]: readonly [readonly string[], readonly string[]]): string {
  return one.length === 1 && other.length === 1
    ? `neither ${one.join('')} nor ${other.join('')}`
    : 'none of their reviewers';
}

const mostNamed = 3;

function saying(reviewers: readonly string[]): string {
  const who =
    reviewers.length <= mostNamed ? enumerate(reviewers) : `${reviewers.length} reviewers`;
  return `${who} ${reviewers.length === 1 ? 'says' : 'say'}`;
}

interface Rival {
  /** Who says it. */
  readonly reviewer: string;
  /** Whom it comes closer to. */
  readonly of: readonly string[];
  readonly text: string;
  readonly odds: number;
}

interface Surroundings {
  readonly pair: readonly [readonly string[], readonly string[]];
  /** What a reviewer of one end says that is closer to the other end than the pair is; the closest first. */
  readonly rivals: readonly Rival[];
  /** Reviewers of neither who say something that is probably both. */
  readonly witnesses: readonly string[];
  /** Reviewers of neither who say something that is probably one of the two and probably not the other. */
  readonly splitters: readonly string[];
  /** Reviewers of neither who say anything at all. */
  readonly bystanders: number;
}

function lookAround({ statements, graph, odds }: JudgedPanel, link: number): Surroundings {
  const ends = [graph.ones[link] ?? 0, graph.others[link] ?? 0] as const;
  const reviewersOf = (statement: number): readonly string[] =>
    statements[statement]?.reviewers ?? [];
  const oddsOf = (one: number, other: number): number => {
    const tie = graph.links[one]?.get(other);
    return tie === undefined ? Number.NEGATIVE_INFINITY : (odds[tie] ?? Number.NEGATIVE_INFINITY);
  };
  const own = oddsOf(...ends);
  const concerned = new Set(ends.flatMap(reviewersOf));
  const neighbours = new Set(ends.flatMap(end => [...(graph.links[end]?.keys() ?? [])]));
  const [witnesses, splitters] = [new Set<string>(), new Set<string>()];
  for (const neighbour of neighbours) {
    const fits = ends.filter(end => oddsOf(end, neighbour) >= 0).length;
    for (const reviewer of reviewersOf(neighbour))
      if (fits > 0 && !concerned.has(reviewer)) (fits === 2 ? witnesses : splitters).add(reviewer);
  }
  const rivals = [ends, ends.toReversed() as [number, number]].flatMap(([end, far]) =>
    [...(graph.links[end] ?? [])].flatMap(([neighbour]): Rival[] => {
      const reviewer = reviewersOf(neighbour).find(name => reviewersOf(far).includes(name));
      const closeness = oddsOf(end, neighbour);
      return neighbour === far || reviewer === undefined || closeness <= own
        ? []
        : [
            {
              reviewer,
              of: reviewersOf(end),
              text: statements[neighbour]?.finding.text ?? '',
              odds: closeness,
            },
          ];
    }),
  );
  return {
    pair: [reviewersOf(ends[0]), reviewersOf(ends[1])],
    rivals: rivals.sort((one, other) => other.odds - one.odds),
    witnesses: [...witnesses].sort(),
    splitters: [...splitters].filter(reviewer => !witnesses.has(reviewer)).sort(),
    bystanders: new Set(
      statements.flatMap(({ reviewers }) => reviewers).filter(reviewer => !concerned.has(reviewer)),
    ).size,
  };
}
