/**
 * A panel with the log-odds that two of its statements say the same: by wording and place first, then twice by the panel as
 * a whole. What one says against the other is evidence, and keeps the two apart only where nothing else comes near them.
 */
import { sumOf } from '../core/groups.ts';
import {
  clamp,
  type Estimate,
  type Logistic,
  logOdds,
  probabilityOf,
} from '../core/words/claim.ts';
import { mustStayApart } from './claims.ts';
import { type Link, type Pair, linkByAverage, pairsAmong } from './linkage.ts';
import { areReverse, linesApart } from './polarity.ts';
import { type Statement, kinshipOf, shareOf } from './statements.ts';
import { areDifferentFiles } from './wording/words.ts';

/** The fitted numbers of the matcher. */
export interface MatcherModel {
  readonly version: string;
  /** Over what `gatherWording` gathers. */
  readonly wording: Logistic;
  /** Each over `structureEvidence`, as the log-odds of the step before show it. */
  readonly rounds: readonly Logistic[];
  /** Over words and kinship: two findings of two reviewers who say nothing else. */
  readonly lone: Logistic;
  /** Log-odds from which two groups are one. */
  readonly join: number;
}

interface WeighedLink {
  readonly one: number;
  readonly other: number;
  /** Log-odds of what counts beside: the place above all. */
  readonly beside: number;
  readonly isOneVoice: boolean;
  /** Log-odds by all that is known: of the two alone, and in a panel of the last round. */
  odds: number;
}

/** Of a group: `place`, `words`, `against`, `reviewer`. */
type Evidence = Estimate['contributions'][number];

/** Log-odds below are as good as none. */
const floor = -4;

/** `isSettled`, by link: does the panel tell nothing about the two, so that no round was asked? */
export function weighPanel(statements: readonly Statement[], model: MatcherModel) {
  const linked = [];
  for (const pair of pairsAmong(statements)) {
    const link = weighPair(statements, pair, model);
    if (link && link.odds >= floor) linked.push(link);
  }
  const { lone, isLone } = linkLone(statements, linked, model);
  const among = linked.filter(link => !isLone(link));
  const links = [...among, ...lone];
  // What two say who say nothing else tells the others nothing.
  const isSettled = links.map((link, at) => at >= among.length || link.isOneVoice);
  /** What the last round saw of the panel, by link: the model is fitted on it. */
  let structure: ReturnType<typeof readStructure> | null = null;
  const neighbours = neighboursBy(statements, among);
  for (const round of model.rounds) {
    const seen = readStructure(statements, among, neighbours);
    for (const [at, link] of links.entries())
      if (isSettled[at] !== true) link.odds = logOdds(round, seen(at)) + link.beside;
    structure = seen;
  }
  return { statements, links, structure, isSettled };
}

/** Groups of statement numbers. */
export function linkStatements(statements: readonly Statement[], links: readonly Link[]) {
  return linkByAverage(
    statements.map(({ file }) => file),
    links,
  );
}

/** Null for two that never are one claim. */
export function weighPair(
  statements: readonly Statement[],
  [one, other]: Pair,
  model: MatcherModel,
): WeighedLink | null {
  const [left, right] = [statements[one] as Statement, statements[other] as Statement];
  if (tellWall(left, right) !== null) return null;
  const stems = shareOf(left.stems, right.stems);
  const wording = logOdds(model.wording, gatherWording(left, right, stems));
  const isOneVoice = shareReviewer(left, right);
  const beside = sumOf(gatherBeside(left, right, stems), ({ worth }) => worth);
  return { one, other, beside, isOneVoice, odds: wording + beside };
}

export function shareReviewer(one: Statement, other: Statement) {
  for (const reviewer of one.reviewers) if (other.reviewers.includes(reviewer)) return true;
  return false;
}

/** What keeps two in two claims, however alike they read; null where nothing does. */
export function tellWall(one: Statement, other: Statement) {
  if (areDifferentFiles(one.file, other.file)) return 'They name two different files.';
  if (mustStayApart(one.finding, other.finding))
    return 'They are about one file and name two different categories.';
  if (linesApart(one.finding, other.finding) > 0 && shareReviewer(one, other))
    return 'One reviewer says both, of two different lines.';
  return nameOtherThings(one, other) ? 'They say the same of different names or numbers.' : null;
}

/** Share of their other words that two must have in common for a name or number alone to tell them apart. */
const alikeButNames = 0.6;

function nameOtherThings(one: Statement, other: Statement) {
  const haveOtherNames =
    one.names.terms.length > 0 &&
    other.names.terms.length > 0 &&
    shareOf(one.names, other.names).count === 0;
  const haveOtherNumbers =
    one.numbers.size > 0 &&
    other.numbers.size > 0 &&
    ![...one.numbers].some(number => other.numbers.has(number));
  if (!haveOtherNames && !haveOtherNumbers) return false;
  const { count } = shareOf(one.stems, other.stems);
  const either = one.stems.terms.length + other.stems.terms.length - count;
  return count / either >= alikeButNames;
}

// What two wordings tell about saying the same, as numbers for the fitted model. Symmetric.

export function gatherWording(
  one: Statement,
  other: Statement,
  stems = shareOf(one.stems, other.stems),
): readonly number[] {
  const both = one.kinds.filter(kind => other.kinds.includes(kind)).length;
  return [
    stems.containment,
    shareOf(one.opening, other.opening).cosine,
    shareOf(one.neighbours, other.neighbours).cosine,
    both / Math.max(1, one.kinds.length + other.kinds.length - both),
    shareOf(one.names, other.names).containment,
    Math.log1p(Math.min(one.stems.terms.length, other.stems.terms.length)),
  ];
}

/** By lines apart, at most. Set by hand, small and symmetric: most of the findings that the model was fitted on name no places. */
const distances = [
  { lines: 3, words: 'they are within three lines of each other', worth: 1.5 },
  { lines: 40, words: 'they are within 40 lines of each other', worth: 0.3 },
  { lines: Infinity, words: 'they are more than 40 lines apart', worth: -1 },
] as const;

/** Shares of the lighter wording that both must have in common for one place to count at all, and for it to count in full. */
const someSubject = 0.2;
const wholeSubject = 0.4;

/** The labels hold no pair of one reviewer, few headlines and no opposites. */
const sameReviewer = -3;
const headline = 1;
const opposed = -8;

/** Stems of the few words that can be a headline of another wording. */
const longestHeadline = 6;

/** What counts beside the words. Symmetric. */
export function gatherBeside(
  one: Statement,
  other: Statement,
  stems = shareOf(one.stems, other.stems),
): Evidence[] {
  const gathered = [];
  const place = tellPlace(one, other);
  if (place) {
    // Two troubles of one line are at one place too: it tells only about those with one subject.
    const share = Math.max(stems.containment, shareOf(one.names, other.names).containment);
    const counts = clamp((share - someSubject) / (wholeSubject - someSubject), 0, 1);
    gathered.push({
      evidence: 'place',
      words: place.words,
      worth: place.worth * (place.worth > 0 ? counts : 1),
    });
  }
  const shorter = Math.min(one.stems.terms.length, other.stems.terms.length);
  if (stems.count === shorter && shorter > 1 && shorter <= longestHeadline)
    gathered.push({
      evidence: 'words',
      words: 'all that one says is in the other',
      worth: headline,
    });
  if (areReverse(one.finding, other.finding))
    gathered.push({ evidence: 'against', words: 'one seems to deny the other', worth: opposed });
  if (shareReviewer(one, other))
    gathered.push({
      evidence: 'reviewer',
      words: 'one reviewer says both, and who says two things mostly means two',
      worth: sameReviewer,
    });
  return gathered;
}

/** Without a line, a section of a document is a place. What one of the two leaves out counts neither for nor against. */
function tellPlace(one: Statement, other: Statement) {
  const [left, right] = [one.finding, other.finding];
  if (!left.location && !right.location) {
    if (left.section === null || right.section === null) return null;
    return left.section === right.section
      ? { words: 'they name the same section', worth: 0.3 }
      : { words: 'they name different sections', worth: -0.5 };
  }
  if (left.location?.path !== right.location?.path) return null;
  const apart = linesApart(one.finding, other.finding);
  return Number.isNaN(apart)
    ? { words: 'they name the same file', worth: 0.2 }
    : (distances.find(({ lines }) => apart <= lines) ?? null);
}

// Two that nothing else comes near, by reviewers who say little: to be each other's best match without a rival is no merit, so
// that a panel tells nothing about them, and few words leave little to share. What they complain of then counts most, and one
// that denies the other is no support.

/** Log-odds up to which kinship makes a pair sure: of those written by hand that it joins four of five are one. */
const surestKin = 1.4;

/** Further apart, in lines, the same words are about another place. */
const otherPlace = 100;

function loneOdds({ lone }: MatcherModel, words: number, kinship: number) {
  const byWords = logOdds(lone, [words, 0]);
  return Math.max(byWords, Math.min(logOdds(lone, [words, kinship]), surestKin));
}

/** Statements of a reviewer, at most. */
const few = 3;

/** Statements of a panel, at most, among which all such pairs are compared. */
const smallPanel = 128;

/** Links of two that nothing else comes near, without those that are kept apart. */
function linkLone(
  statements: readonly Statement[],
  linked: readonly WeighedLink[],
  model: MatcherModel,
): { lone: readonly WeighedLink[]; isLone: (link: WeighedLink) => boolean } {
  if (statements.length > smallPanel) return { lone: [], isLone: () => false };
  const said = new Map<string, number>();
  for (const reviewer of statements.flatMap(({ reviewers }) => reviewers))
    said.set(reviewer, (said.get(reviewer) ?? 0) + 1);
  const rivals = neighboursBy(statements, linked);
  const sayAtMost = (statement: number, most: number) =>
    statements[statement]?.reviewers.every(reviewer => (said.get(reviewer) ?? 0) <= most) === true;
  const terse = [...statements.keys()].filter(statement => sayAtMost(statement, few));
  const pairs = terse
    .flatMap((one, at) => terse.slice(at + 1).map((other): Pair => [one, other]))
    .filter(([one, other]) => {
      const near = [one, other].flatMap(each => [...(rivals[each]?.keys() ?? [])]);
      return near.every(rival => rival === one || rival === other || sayAtMost(rival, 1));
    });
  const codes = new Set(pairs.map(([one, other]) => one * statements.length + other));
  return {
    isLone: ({ one, other }) => codes.has(one * statements.length + other),
    lone: pairs.flatMap(([one, other]) => {
      const [left, right] = [statements[one] as Statement, statements[other] as Statement];
      const link = weighPair(statements, [one, other], model);
      const isApart =
        !link ||
        linesApart(left.finding, right.finding) > otherPlace ||
        areReverse(left.finding, right.finding);
      return isApart
        ? []
        : [
            {
              ...link,
              // To be without a word in common says little of two short remarks.
              odds: loneOdds(
                model,
                clamp(link.odds, -1, 8),
                kinshipOf(left.finding, right.finding),
              ),
            },
          ];
    }),
  };
}

// What the panel as a whole tells about a pair: is each the other's best match at the other's reviewer, and does the rest of
// the panel see the two alike? Read from the log-odds of the step before. Symmetric.

export const structureEvidence = [
  'odds',
  'larger-margin',
  'smaller-margin',
  'neighbours-shared',
  'neighbours-apart',
] as const;

/** A rival below is none: to be the best of a bad lot is no merit. */
const leastRival = -3;

/** Wider margins tell no more. */
const widest = 3;

interface Favourite {
  neighbour: number;
  odds: number;
  /** Of the second best of the same reviewer. */
  secondOdds: number;
}

/** By statement: those with a link to it, and which. */
function neighboursBy(statements: readonly Statement[], links: readonly WeighedLink[]) {
  const neighbours = statements.map(() => new Map<number, number>());
  for (const [link, { one, other }] of links.entries()) {
    neighbours[one]?.set(other, link);
    neighbours[other]?.set(one, link);
  }
  return neighbours;
}

/**
 * By the odds that the links have now, what counts beside included. What counts beside tells rivals apart and nothing more: nothing
 * is a better match for being at one line while no rival is elsewhere.
 */
function readStructure(
  statements: readonly Statement[],
  links: readonly WeighedLink[],
  neighbours: readonly ReadonlyMap<number, number>[],
): (link: number) => readonly number[] {
  const reviewersOf = (statement: number) => statements[statement]?.reviewers ?? [];
  const kept = Float64Array.from(links, ({ odds }) => Math.max(odds, floor));
  const chances = Float64Array.from(links, ({ odds }) => probabilityOf(odds));
  const favourites = neighbours.map(own => {
    const found = new Map<string, Favourite>();
    for (const [neighbour, link] of own)
      for (const reviewer of reviewersOf(neighbour)) {
        const value = kept[link] as number;
        const known = found.get(reviewer);
        if (!known) found.set(reviewer, { neighbour, odds: value, secondOdds: floor });
        else if (value > known.odds || (value === known.odds && neighbour < known.neighbour))
          found.set(reviewer, { neighbour, odds: value, secondOdds: known.odds });
        else known.secondOdds = Math.max(known.secondOdds, value);
      }
    return found;
  });
  const chance = (one: number, other: number) => chances[neighbours[one]?.get(other) ?? -1] ?? 0;
  const margin = (one: number, other: number, link: number) => {
    let rival = leastRival + (links[link]?.beside ?? 0);
    for (const reviewer of reviewersOf(other)) {
      const best = favourites[one]?.get(reviewer);
      if (best) rival = Math.max(rival, best.neighbour === other ? best.secondOdds : best.odds);
    }
    return clamp((kept[link] as number) - rival, -widest, widest);
  };
  return link => {
    const { one, other, beside } = links[link] as WeighedLink;
    const margins = [margin(one, other, link), margin(other, one, link)];
    const [left, right] = [favourites[one], favourites[other]] as const;
    // Sums over the reviewers of neither: how surely one of its findings is both, how surely one of them but not the other.
    let [both, apart] = [0, 0];
    for (const reviewer of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
      if (reviewersOf(one).includes(reviewer) || reviewersOf(other).includes(reviewer)) continue;
      let [mostBoth, mostApart] = [0, 0];
      for (const favourite of [left?.get(reviewer), right?.get(reviewer)]) {
        if (!favourite) continue;
        const { neighbour } = favourite;
        const [first, second] = [chance(one, neighbour), chance(other, neighbour)];
        mostBoth = Math.max(mostBoth, first * second);
        mostApart = Math.max(mostApart, Math.abs(first - second));
      }
      both += mostBoth;
      apart += mostApart;
    }
    return [
      (kept[link] as number) - beside,
      Math.max(...margins),
      Math.min(...margins),
      Math.log1p(both),
      Math.log1p(apart),
    ];
  };
}
