/**
 * What the panel as a whole tells about a pair: is each the other's best match at the other's reviewer, and do the rest
 * of the panel see the two alike? Read from the log-odds of the step before. Symmetric.
 */
import { clamp, probabilityOf } from './logistic.ts';

export const structureEvidence = ['odds', 'larger-margin', 'smaller-margin', 'neighbours-shared', 'neighbours-apart'] as const;

export interface PanelGraph {
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
export const floor = -4;

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

export type Structure = (link: number) => readonly number[];

/**
 * `odds`: by link, what counts beside included; minus infinity for a pair that is kept apart. What counts beside tells
 * rivals apart and nothing more: nobody is a better match for standing at one line while no rival stands elsewhere.
 */
export function readStructure({ reviewers, ones, others, beside, links }: PanelGraph, odds: Float64Array): Structure {
  const kept = (link: number): number => Math.max(odds[link] ?? floor, floor);
  const favourites = links.map(neighbours => favouritesOf(neighbours, reviewers, kept));
  const chance = (one: number, other: number): number => {
    const link = links[one]?.get(other);
    return link === undefined ? 0 : probabilityOf(odds[link] ?? floor);
  };
  const margin = (one: number, other: number, link: number): number => {
    let rival = leastRival + (beside[link] ?? 0);
    for (const reviewer of reviewers[other] ?? []) {
      const favourite = favourites[one]?.get(reviewer);
      if (favourite !== undefined) rival = Math.max(rival, favourite.neighbour === other ? favourite.secondOdds : favourite.odds);
    }
    return clamp(kept(link) - rival, -widest, widest);
  };
  return link => {
    const [one, other] = [ones[link] ?? 0, others[link] ?? 0];
    const margins = [margin(one, other, link), margin(other, one, link)] as const;
    const [shared, apart] = compareNeighbours(one, other);
    return [kept(link) - (beside[link] ?? 0), Math.max(...margins), Math.min(...margins), Math.log1p(shared), Math.log1p(apart)];
  };

  /** Sums over the reviewers of neither: how surely one of its findings is both, how surely one of them but not the other. */
  function compareNeighbours(one: number, other: number): [number, number] {
    const concerned = new Set([...(reviewers[one] ?? []), ...(reviewers[other] ?? [])]);
    const [left, right] = [favourites[one], favourites[other]];
    let [shared, apart] = [0, 0];
    for (const reviewer of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
      if (concerned.has(reviewer)) continue;
      let [both, single] = [0, 0];
      for (const favourite of [left?.get(reviewer), right?.get(reviewer)]) {
        if (favourite === undefined) continue;
        const [first, second] = [chance(one, favourite.neighbour), chance(other, favourite.neighbour)];
        both = Math.max(both, first * second);
        single = Math.max(single, Math.abs(first - second));
      }
      shared += both;
      apart += single;
    }
    return [shared, apart];
  }
}

function favouritesOf(neighbours: ReadonlyMap<number, number>, reviewers: PanelGraph['reviewers'], kept: (link: number) => number): Map<number, Favourite> {
  const favourites = new Map<number, Favourite>();
  for (const [neighbour, link] of neighbours) {
    const own = kept(link);
    for (const reviewer of reviewers[neighbour] ?? []) {
      const known = favourites.get(reviewer);
      if (known === undefined) favourites.set(reviewer, { neighbour, odds: own, secondOdds: floor });
      else if (own > known.odds || (own === known.odds && neighbour < known.neighbour)) favourites.set(reviewer, { neighbour, odds: own, secondOdds: known.odds });
      else known.secondOdds = Math.max(known.secondOdds, own);
    }
  }
  return favourites;
}
