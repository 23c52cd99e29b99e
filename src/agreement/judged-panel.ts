/** A panel with the log-odds that its statements say the same: wording and place first, then rounds over the panel as a whole. */
import { barrierBetween, shareReviewer } from './guards.ts';
import { gatherFixedEvidence, gatherWordingEvidence, worthOf } from './evidence.ts';
import type { Linkage } from './grouping.ts';
import { clamp, type Logistic, logOdds, probabilityOf } from '../core/words/odds.ts';
import type { Pair } from './matching.ts';
import type { Panel, PanelStatement } from './panel-statements.ts';
import { createShortJudge, shortnessOf } from './short-wordings.ts';
import { shareOf, sizeOf } from './wording/run-wording.ts';

/** The fitted numbers of the matcher. */
export interface MatcherModel {
  readonly version: string;
  /** Over `wordingEvidence`. */
  readonly wording: Logistic;
  /** Each over `structureEvidence`, as the log-odds of the step before show it. */
  readonly rounds: readonly Logistic[];
  readonly linkage: Linkage;
}

export interface JudgedPanel extends Panel {
  readonly graph: PanelGraph;
  /** Log-odds by link of the graph, after the last round. Pairs without a link do not say the same. */
  readonly odds: Float64Array;
  /** What the last round saw of the panel, by link. */
  readonly structure: Structure | null;
  /** By link: does the panel tell nothing about the two, so that no round was asked? */
  readonly isSettled: readonly boolean[];
  /** By link: were the two judged as a pair without rivals? */
  readonly isLone: readonly boolean[];
  /** Pairs of statements of which one says the opposite of the other. */
  readonly opposites: readonly Pair[];
}

export function judgePanel(panel: Panel, model: MatcherModel): JudgedPanel {
  const { links, opposites } = linkStatements(panel, model.wording);
  const graph = graphOf(panel.statements, links);
  const isAlone = createLoneTest(panel.statements, graph);
  const isSettled = links.map(link => link.isOneVoice || link.isKindred || isAlone(link));
  let odds = Float64Array.from(links, ({ wording, fixed }) => wording + fixed);
  let structure: Structure | null = null;
  for (const round of model.rounds) {
    const seen = readStructure(graph, odds);
    odds = Float64Array.from(
      links,
      ({ wording, fixed }, link) =>
        (isSettled[link] === true ? wording : logOdds(round, seen(link))) + fixed,
    );
    structure = seen;
  }
  const isLone = links.map(link => link.isLone);
  return { ...panel, graph, odds, structure, isSettled, isLone, opposites };
}

interface StatementLink {
  readonly one: number;
  readonly other: number;
  /** Log-odds by the wordings. */
  readonly wording: number;
  /** Log-odds beside. */
  readonly fixed: number;
  /** Did one reviewer say both? The panel then tells nothing about them. */
  readonly isOneVoice: boolean;
  /** Was it judged as one without rivals? */
  readonly isLone: boolean;
  /** And did a weakness that both speak of make it more likely? Then the panel has nothing to add. */
  readonly isKindred: boolean;
}

/**
 * Links the pairs that are not hopeless and that nothing keeps apart. Two that nothing else is linked to are judged a second
 * time, as two without rivals: in longer remarks too, what they complain of then counts more and the place less.
 */
function linkStatements(
  panel: Panel,
  model: Logistic,
): { readonly links: readonly StatementLink[]; readonly opposites: readonly Pair[] } {
  const { statements, pairs } = panel;
  const opposites: Pair[] = [];
  const weigh = createWeighing(panel, model);
  const among = pairs.map(pair => {
    const link = weigh(pair, false);
    if (link === null) return null;
    const barrier = barrierBetween(...endsOf(panel, pair));
    if (barrier === 'opposite') opposites.push(pair);
    return barrier === null ? link : null;
  });
  const degrees = countLinks(statements.length, among);
  const lone = pairs.map((pair, at) => {
    const first = among[at] ?? null;
    const own = first === null ? 0 : 1;
    if (pair.some(number => degrees[number] !== own)) return null;
    const ends = endsOf(panel, pair);
    // What makes a difference to two without rivals does so to short ones.
    if (shortnessOf(...ends, true) === 0) return first === null ? null : { ...first, isLone: true };
    const link = weigh(pair, true);
    return first === null && barrierBetween(...ends) !== null ? null : link;
  });
  const rivals = countLinks(statements.length, lone);
  const links = pairs.flatMap((pair, at) => {
    const link = lone[at] ?? null;
    return (link !== null && pair.every(number => rivals[number] === 1) ? link : among[at]) ?? [];
  });
  return { links, opposites };
}

/** What the two of a pair tell, or null when it is hopeless. */
function createWeighing(
  panel: Panel,
  model: Logistic,
): (pair: Pair, isLone: boolean) => StatementLink | null {
  const judge = createShortJudge(panel.statements);
  return (pair, isLone) => {
    const [one, other] = endsOf(panel, pair);
    const stems = shareOf(one.weighed.stems, other.weighed.stems);
    const words = logOdds(model, gatherWordingEvidence(one.weighed, other.weighed, stems));
    const wording = judge(one, other, words, isLone);
    const fixed = worthOf(gatherFixedEvidence(one, other, isLone, stems));
    if (wording + fixed < floor) return null;
    const isOneVoice = shareReviewer(one, other);
    const isKindred = isLone && wording > words;
    return { one: pair[0], other: pair[1], wording, fixed, isOneVoice, isLone, isKindred };
  };
}

/** Both are positions in the list. */
function endsOf(
  { statements }: Panel,
  [one, other]: Pair,
): readonly [PanelStatement, PanelStatement] {
  return [statements[one] as PanelStatement, statements[other] as PanelStatement];
}

/** By statement. */
function countLinks(count: number, links: readonly (StatementLink | null)[]): Int32Array {
  const counts = new Int32Array(count);
  for (const link of links) {
    if (link === null) continue;
    counts[link.one] = (counts[link.one] ?? 0) + 1;
    counts[link.other] = (counts[link.other] ?? 0) + 1;
  }
  return counts;
}

/** Stems up to which a wording is short. What is known of margins was learned from longer ones. */
const short = 9;

/** Statements of one reviewer, at most, among which it says little of a short one that none comes closer. */
const few = 8;

/**
 * Are two linked to nothing else, by reviewers who said nothing else, or a few things where one of the two is short? A panel
 * then tells nothing about them: to be each other's best match without a rival is no merit, so that what the wordings say
 * is all that is known.
 */
function createLoneTest(
  statements: readonly PanelStatement[],
  { links }: PanelGraph,
): (link: Pick<StatementLink, 'one' | 'other'>) => boolean {
  const said = new Map<string, number>();
  for (const reviewer of statements.flatMap(({ reviewers }) => reviewers))
    said.set(reviewer, (said.get(reviewer) ?? 0) + 1);
  const isShort = (number: number): boolean => {
    const stems = statements[number]?.weighed.stems;
    return stems === undefined || sizeOf(stems) <= short;
  };
  const isAlone = (number: number, most: number): boolean =>
    links[number]?.size === 1 &&
    statements[number]?.reviewers.every(reviewer => (said.get(reviewer) ?? 0) <= most) === true;
  return ({ one, other }) => {
    const most = isShort(one) || isShort(other) ? few : 1;
    return isAlone(one, most) && isAlone(other, most);
  };
}

function graphOf(
  statements: readonly PanelStatement[],
  links: readonly StatementLink[],
): PanelGraph {
  const numbers = new Map(
    [...new Set(statements.flatMap(({ reviewers }) => reviewers))]
      .sort()
      .map((reviewer, index) => [reviewer, index]),
  );
  const neighbours = statements.map(() => new Map<number, number>());
  for (const [link, { one, other }] of links.entries()) {
    neighbours[one]?.set(other, link);
    neighbours[other]?.set(one, link);
  }
  return {
    reviewers: statements.map(({ reviewers }) =>
      reviewers.map(reviewer => numbers.get(reviewer) ?? 0),
    ),
    ones: Int32Array.from(links, ({ one }) => one),
    others: Int32Array.from(links, ({ other }) => other),
    beside: Float64Array.from(links, ({ fixed }) => fixed),
    links: neighbours,
  };
}

/**
 * What the panel as a whole tells about a pair: is each the other's best match at the other's reviewer, and do the rest
 * of the panel see the two alike? Read from the log-odds of the step before. Symmetric.
 */
export const structureEvidence = [
  'odds',
  'larger-margin',
  'smaller-margin',
  'neighbours-shared',
  'neighbours-apart',
] as const;

interface PanelGraph {
  /** Numbers of the reviewers of each statement. */
  readonly reviewers: readonly (readonly number[])[];
  /** Two ends of each link. */
  readonly ones: Int32Array;
  readonly others: Int32Array;
  /** By link: log-odds of what counts beside wording and panel, the place above all. */
  readonly beside: Float64Array;
  /** For each statement: its neighbour, and the position of the link. */
  readonly links: readonly ReadonlyMap<number, number>[];
}

/** Log-odds below are as good as none. */
const floor = -4;

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

type Structure = (link: number) => readonly number[];

/**
 * `odds`: by link, what counts beside included; minus infinity for a pair that is kept apart. What counts beside tells
 * rivals apart and nothing more: nobody is a better match for standing at one line while no rival stands elsewhere.
 */
function readStructure(
  { reviewers, ones, others, beside, links }: PanelGraph,
  odds: Float64Array,
): Structure {
  const kept = odds.map(own => Math.max(own, floor));
  const chances = odds.map(probabilityOf);
  const favourites = links.map(neighbours => favouritesOf(neighbours, reviewers, kept));
  return link => {
    const one = ones[link] as number;
    const other = others[link] as number;
    const margins = [margin(one, other, link), margin(other, one, link)] as const;
    const { shared, apart } = compareNeighbours(one, other);
    return [
      (kept[link] as number) - (beside[link] as number),
      Math.max(...margins),
      Math.min(...margins),
      Math.log1p(shared),
      Math.log1p(apart),
    ];
  };

  function margin(one: number, other: number, link: number): number {
    let rival = leastRival + (beside[link] as number);
    for (const reviewer of reviewers[other] ?? []) {
      const favourite = favourites[one]?.get(reviewer);
      if (favourite !== undefined)
        rival = Math.max(
          rival,
          favourite.neighbour === other ? favourite.secondOdds : favourite.odds,
        );
    }
    return clamp((kept[link] as number) - rival, -widest, widest);
  }

  /** Sums over the reviewers of neither: how surely one of its findings is both, how surely one of them but not the other. */
  function compareNeighbours(one: number, other: number): { shared: number; apart: number } {
    const sums = { shared: 0, apart: 0 };
    const [left, right] = [favourites[one], favourites[other]];
    const add = (reviewer: number, ...liked: readonly (Favourite | undefined)[]): void => {
      if (reviewers[one]?.includes(reviewer) || reviewers[other]?.includes(reviewer)) return;
      let [both, single] = [0, 0];
      for (const favourite of liked) {
        if (favourite === undefined) continue;
        const first = chance(one, favourite.neighbour);
        const second = chance(other, favourite.neighbour);
        both = Math.max(both, first * second);
        single = Math.max(single, Math.abs(first - second));
      }
      sums.shared += both;
      sums.apart += single;
    };
    left?.forEach((favourite, reviewer) => add(reviewer, favourite, right?.get(reviewer)));
    right?.forEach((favourite, reviewer) => {
      if (left?.has(reviewer) !== true) add(reviewer, favourite);
    });
    return sums;
  }

  function chance(one: number, other: number): number {
    const link = links[one]?.get(other);
    return link === undefined ? 0 : (chances[link] as number);
  }
}

function favouritesOf(
  neighbours: ReadonlyMap<number, number>,
  reviewers: PanelGraph['reviewers'],
  kept: Float64Array,
): Map<number, Favourite> {
  const favourites = new Map<number, Favourite>();
  neighbours.forEach((link, neighbour) => {
    const own = kept[link] as number;
    for (const reviewer of reviewers[neighbour] ?? []) {
      const known = favourites.get(reviewer);
      if (known === undefined)
        favourites.set(reviewer, { neighbour, odds: own, secondOdds: floor });
      else if (own > known.odds || (own === known.odds && neighbour < known.neighbour))
        favourites.set(reviewer, { neighbour, odds: own, secondOdds: known.odds });
      else known.secondOdds = Math.max(known.secondOdds, own);
    }
  });
  return favourites;
}
