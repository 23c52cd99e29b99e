// How sure the figures are: percentile bootstrap over pull requests (Efron 1979), and what a perfect forecaster would show.
import { createDraw } from './labelled-panels.mjs';
import { binOf, figures, reading } from './tallies.mjs';

/**
 * @typedef {import('./estimate-text.mjs').Estimate} Estimate
 * @typedef {import('./tallies.mjs').Tally} Tally
 */

const draws = 1_000;

/** 95 %. */
const tails = [0.025, 0.975];

/**
 * How often each pull request is drawn in each draw: of each group as many as it has. Every figure uses the same draws, so
 * that differences are paired and all that was measured on one pull request moves together.
 * @param {readonly { readonly pull: string, readonly group: string }[]} measured
 * @returns {ReadonlyMap<string, number>[]}
 */
export function drawPulls(measured, count = draws) {
  /** @type {Map<string, Set<string>>} */
  const groups = new Map();
  for (const { pull, group } of measured)
    groups.set(group, (groups.get(group) ?? new Set()).add(pull));
  const next = createDraw(`pull requests of ${[...groups.keys()].join(', ')}`);
  return Array.from({ length: count }, () => {
    const times = new Map();
    for (const own of groups.values()) {
      const pulls = [...own];
      for (let at = 0; at < pulls.length; at += 1) {
        const pull = pulls[Math.floor(next() * pulls.length)];
        times.set(pull, (times.get(pull) ?? 0) + 1);
      }
    }
    return times;
  });
}

/**
 * Of each figure over tallies of one labelling: as measured, and in each draw of pull requests.
 * @param {readonly Tally[]} tallies
 * @param {ReturnType<typeof drawPulls>} drawn
 * @returns {Readonly<Record<string, Estimate>>}
 */
export function estimate(tallies, drawn) {
  const whole = figuresOf(tallies);
  const each = drawn.map(times => figuresOf(tallies, pull => times.get(pull) ?? 0));
  return Object.fromEntries(
    Object.keys(figures).map(name => [
      name,
      { value: whole[name], draws: each.map(own => own[name]) },
    ]),
  );
}

/**
 * Every figure, of tallies that count so often each.
 * @param {readonly Tally[]} tallies
 * @param {(pull: string) => number} timesOf
 */
export function figuresOf(tallies, timesOf = () => 1) {
  const sums = new Float64Array(tallies[0]?.sums.length ?? 0);
  for (const { pull, sums: own } of tallies) {
    const times = timesOf(pull);
    if (times === 0) continue;
    for (let slot = 0; slot < sums.length; slot += 1) sums[slot] += times * own[slot];
  }
  const of = reading(sums);
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure(of)]));
}

/** The mean of estimates, draw by draw; what cannot be told in a draw is left out of its mean. */
export function meanOf(/** @type {readonly Estimate[]} */ estimates) {
  return combine(estimates, values => {
    const known = values.filter(value => Number.isFinite(value));
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** One less the other, draw by draw. */
export function less(/** @type {Estimate} */ one, /** @type {Estimate} */ other) {
  return combine([one, other], ([own, theirs]) => own - theirs);
}

/**
 * @param {readonly Estimate[]} estimates
 * @param {(values: readonly number[]) => number} join
 * @returns {Estimate}
 */
function combine(estimates, join) {
  return {
    value: join(estimates.map(({ value }) => value)),
    draws: estimates[0].draws.map((_, at) => join(estimates.map(({ draws: own }) => own[at]))),
  };
}

/** `[low, high]` that hold 95 % of the draws; null where no draw tells anything. */
export function intervalOf(/** @type {Pick<Estimate, 'draws'>} */ { draws: values }) {
  const sorted = values
    .filter(value => Number.isFinite(value))
    .toSorted((one, other) => one - other);
  return sorted.length === 0 ? null : tails.map(share => quantile(sorted, share));
}

/** Between neighbours in proportion. */
function quantile(/** @type {readonly number[]} */ sorted, /** @type {number} */ share) {
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (at - Math.floor(at)) * (above - below);
}

/**
 * The calibration error of a forecaster who is right about every probability, on as many claims: truths are drawn
 * from what is stated. `bins` holds the same band for the share that comes true in each.
 * @param {readonly { readonly probability: number }[]} stated
 */
export function forecasterBand(stated, count = draws) {
  const next = createDraw(`forecaster ${stated.length}`);
  const bin = stated.map(({ probability }) => binOf(probability));
  const size = Array.from({ length: 10 }, (_, own) => bin.filter(at => at === own).length);
  const errors = [];
  const shares = size.map(() => /** @type {number[]} */ ([]));
  for (let draw = 0; draw < count; draw += 1) {
    const gaps = size.map(() => 0);
    const real = size.map(() => 0);
    for (const [index, { probability }] of stated.entries()) {
      const isSo = next() < probability;
      gaps[bin[index]] += probability - Number(isSo);
      real[bin[index]] += Number(isSo);
    }
    errors.push(gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / stated.length);
    for (const [own, sum] of real.entries()) if (size[own] > 0) shares[own].push(sum / size[own]);
  }
  const [low, high] = intervalOf({ draws: errors }) ?? [Number.NaN, Number.NaN];
  return {
    mean: errors.reduce((sum, error) => sum + error, 0) / errors.length,
    low,
    high,
    bins: shares.map(list => intervalOf({ draws: list })),
  };
}
