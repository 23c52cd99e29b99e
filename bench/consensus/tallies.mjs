// What each pull request adds to the figures of the benchmark. Figures are ratios of sums, so that a draw of pull requests
// costs an addition each and no claim is formed twice.
import { countPairs, issuesSaid, pullOf } from './measures.mjs';

/**
 * What a version says of a claim, and what came of it.
 * @typedef {{ readonly probability?: number, readonly worth?: number, readonly act?: boolean,
 *   readonly isTrue: boolean | null } & import('./measures.mjs').Judged & import('./measures.mjs').Members} Claim
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {{ readonly set: string, readonly group: string, readonly pull: string, readonly labelling: string,
 *   readonly sums: Float64Array }} Tally
 * @typedef {'confidence' | 'worth'} Target
 * @typedef {(name: string) => number} Sums
 */

const bins = 10;

/**
 * What is stated as a probability, and what came of it; null where nothing is known.
 * @type {Readonly<Record<Target, { of: (claim: Claim) => number | undefined, truth: (claim: Claim) => boolean | null }>>}
 */
const targets = {
  confidence: { of: ({ probability }) => probability, truth: ({ isTrue }) => isTrue },
  worth: { of: ({ worth }) => worth, truth: ({ isReal }) => isReal },
};

const counts = ['hits', 'named', 'all', 'fused', 'claims', 'acts', 'realActs', 'found', 'known'];
const names = [
  ...counts,
  'bestSaid',
  'bestFound',
  ...Object.keys(targets).flatMap(target => [
    `${target} count`,
    ...Array.from({ length: bins }, (_, bin) => `${target} gap${bin}`),
  ]),
];
const slots = new Map(names.map((name, slot) => [name, slot]));

/**
 * One for each pull request and labelling of the panels; several panels of one, as drawn ones are, are added up. Without
 * ranks there is no best reviewer to compare with.
 * @param {readonly Panel[]} panels
 * @param {readonly Claim[]} claims
 * @param {ReadonlyMap<string, readonly string[]>} ranks
 * @returns {Tally[]}
 */
export function tallyPanels(panels, claims, ranks = new Map()) {
  const claimsIn = new Map(panels.map(panel => [panel, /** @type {Claim[]} */ ([])]));
  for (const claim of claims) claimsIn.get(claim.panel)?.push(claim);
  /** @type {Map<string, Tally>} */
  const tallies = new Map();
  for (const [panel, own] of claimsIn) {
    const [pull, { set, group, labelling }] = [pullOf(panel), panel];
    const key = `${labelling}\n${pull}`;
    const sums = new Float64Array(slots.size);
    const tally = tallies.get(key) ?? { set, group, pull, labelling, sums };
    tallies.set(key, tally);
    const best = ranks.get(labelling)?.find(reviewer => panel.reviewers.includes(reviewer));
    const added = {
      ...countPairs(own),
      ...countActs(own),
      known: panel.known.length,
      bestSaid: issuesSaid(panel, best).said,
      bestFound: issuesSaid(panel, best).found,
      ...sumGaps('confidence', own),
      ...sumGaps('worth', own),
    };
    for (const [name, amount] of Object.entries(added))
      tally.sums[Number(slots.get(name))] += amount;
  }
  return [...tallies.values()];
}

function countActs(/** @type {readonly Claim[]} */ claims) {
  const acts = claims.filter(({ act }) => act === true);
  const real = acts.filter(({ isReal }) => isReal);
  return {
    claims: claims.length,
    fused: claims.filter(({ issues }) => issues.length > 1).length,
    acts: acts.length,
    realActs: real.length,
    found: new Set(real.map(({ issues }) => issues[0])).size,
  };
}

/** By bin what was stated less what came true, summed over its claims. */
function sumGaps(/** @type {Target} */ target, /** @type {readonly Claim[]} */ claims) {
  const stated = statedOf(target, claims);
  /** @type {Record<string, number>} */
  const sums = { [`${target} count`]: stated.length };
  for (const { probability, isSo } of stated) {
    const name = `${target} gap${binOf(probability)}`;
    sums[name] = (sums[name] ?? 0) + probability - Number(isSo);
  }
  return sums;
}

/** Of the claims for which both are known. */
export function statedOf(/** @type {Target} */ target, /** @type {readonly Claim[]} */ claims) {
  const { of, truth } = targets[target];
  return claims.flatMap(claim => {
    const [probability, isSo] = [of(claim), truth(claim)];
    return probability === undefined || isSo === null ? [] : [{ probability, isSo }];
  });
}

export function binOf(/** @type {number} */ probability) {
  return Math.min(bins - 1, Math.floor(probability * bins));
}

/**
 * Every figure, of sums; not a number where there is nothing to measure it by.
 * @type {Readonly<Record<string, (of: Sums) => number>>}
 */
export const figures = {
  pairs: of => harmonic(of('hits'), of('named'), of('all')),
  precision: of => of('hits') / of('named'),
  recall: of => of('hits') / of('all'),
  fused: of => of('fused') / of('claims'),
  act: actF1,
  above: of => actF1(of) - harmonic(of('bestFound'), of('bestSaid'), of('known')),
  worth: of => calibrationError(of, 'worth'),
  confidence: of => calibrationError(of, 'confidence'),
};

/** Claims that are marked are right or wrong each; a known issue is found once. */
function actF1(/** @type {Sums} */ of) {
  const precision = of('realActs') / Math.max(of('acts'), 1);
  const recall = of('found') / of('known');
  return (2 * precision * recall) / Math.max(precision + recall, 1e-9);
}

function harmonic(
  /** @type {number} */ hits,
  /** @type {number} */ named,
  /** @type {number} */ all,
) {
  return (2 * hits) / (named + all);
}

/** Expected calibration error over ten bins. */
function calibrationError(/** @type {Sums} */ of, /** @type {Target} */ target) {
  let sum = 0;
  for (let bin = 0; bin < bins; bin += 1) sum += Math.abs(of(`${target} gap${bin}`));
  return sum / of(`${target} count`);
}

/**
 * A reader of sums by name.
 * @returns {Sums}
 */
export function reading(/** @type {Float64Array} */ sums) {
  return name => sums[Number(slots.get(name))];
}
