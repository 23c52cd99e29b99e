// Logistic regression with a squared penalty, by Newton's method. Deterministic: no sampling, no start to choose.

/**
 * @typedef {readonly number[]} Row
 * @typedef {{ readonly intercept: number, readonly weights: Row }} Logistic
 * @typedef {{ readonly penalty?: number, readonly weights?: Row, readonly offsets?: Row }} FitSettings
 */

const steps = 40;

/**
 * `rows` of evidence, `truths` of 0 and 1, `weights` of the rows. The penalty acts on standardised evidence; `offsets` are
 * log-odds that stand fast.
 * @param {readonly Row[]} rows
 * @param {Row} truths
 * @param {FitSettings} settings
 */
export function fitLogistic(
  rows,
  truths,
  { penalty = 5, weights = rows.map(() => 1), offsets = rows.map(() => 0) } = {},
) {
  const { means, spreads } = measureColumns(rows, weights);
  const scaled = rows.map(row => [
    1,
    ...row.map((value, index) => (value - means[index]) / spreads[index]),
  ]);
  let estimate = scaled[0].map(() => 0);
  for (let step = 0; step < steps; step += 1) {
    const { slope, curve } = derivatives(scaled, { truths, weights, offsets, estimate, penalty });
    const move = solve(curve, slope);
    estimate = estimate.map((value, index) => value + move[index]);
    if (Math.max(...move.map(Math.abs)) < 1e-9) break;
  }
  const own = estimate.slice(1).map((value, index) => value / spreads[index]);
  return {
    intercept: estimate[0] - own.reduce((sum, weight, index) => sum + weight * means[index], 0),
    weights: own,
  };
}

/**
 * Weights may only have the sign stated (1 or -1); one that the data would give the other sign is 0. By turns: the one that is
 * most wrong is left out, and the rest fitted again.
 * @param {readonly Row[]} rows
 * @param {Row} truths
 * @param {FitSettings & { readonly signs: Row }} how
 */
export function fitSigned(rows, truths, { signs, ...settings }) {
  const out = signs.map(() => false);
  for (;;) {
    const { intercept, weights } = fitLogistic(
      rows.map(row => row.map((value, index) => (out[index] ? 0 : value))),
      truths,
      settings,
    );
    const kept = weights.map((weight, index) => (out[index] ? 0 : weight));
    const wrong = kept
      .map((weight, index) => ({ index, size: -weight * signs[index] }))
      .filter(({ size }) => size > 0)
      .toSorted((one, other) => other.size - one.size);
    if (wrong.length === 0) return { intercept, weights: kept };
    out[wrong[0].index] = true;
  }
}

/**
 * The penalty draws the weights towards `prior` in place of 0.
 * @param {readonly Row[]} rows
 * @param {Row} truths
 * @param {FitSettings & { readonly prior: Row }} how
 */
export function fitTowards(rows, truths, { prior, ...settings }) {
  const { intercept, weights } = fitLogistic(rows, truths, {
    ...settings,
    offsets: rows.map(row => row.reduce((sum, value, index) => sum + prior[index] * value, 0)),
  });
  return { intercept, weights: weights.map((weight, index) => weight + prior[index]) };
}

export function oddsOf(/** @type {Logistic} */ { intercept, weights }, /** @type {Row} */ row) {
  return weights.reduce((sum, weight, index) => sum + weight * row[index], intercept);
}

export function chanceOf(/** @type {number} */ odds) {
  return 1 / (1 + Math.exp(-odds));
}

function measureColumns(/** @type {readonly Row[]} */ rows, /** @type {Row} */ weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const means = rows[0].map(
    (_, column) => rows.reduce((sum, row, index) => sum + weights[index] * row[column], 0) / total,
  );
  const spreads = means.map(
    (mean, column) =>
      Math.sqrt(
        rows.reduce((sum, row, index) => sum + weights[index] * (row[column] - mean) ** 2, 0) /
          total,
      ) || 1,
  );
  return { means, spreads };
}

/**
 * @param {readonly Row[]} rows
 * @param {Required<FitSettings> & { readonly truths: Row, readonly estimate: Row }} at
 */
function derivatives(rows, { truths, weights, offsets, estimate, penalty }) {
  const size = estimate.length;
  const slope = estimate.map((value, index) => (index === 0 ? 0 : -penalty * value));
  const curve = estimate.map((_, index) =>
    estimate.map((__, other) => (index === other ? (index === 0 ? 1e-9 : penalty) : 0)),
  );
  for (const [index, row] of rows.entries()) {
    const chance = chanceOf(
      row.reduce((sum, value, column) => sum + value * estimate[column], offsets[index]),
    );
    const pull = weights[index] * (truths[index] - chance);
    const bend = weights[index] * chance * (1 - chance);
    for (let left = 0; left < size; left += 1) {
      slope[left] += pull * row[left];
      for (let right = 0; right <= left; right += 1)
        curve[left][right] += bend * row[left] * row[right];
    }
  }
  for (let left = 0; left < size; left += 1)
    for (let right = left + 1; right < size; right += 1) curve[left][right] = curve[right][left];
  return { slope, curve };
}

/** Gauss's elimination with the largest pivot. */
function solve(/** @type {readonly Row[]} */ matrix, /** @type {Row} */ target) {
  const rows = matrix.map((row, index) => [...row, target[index]]);
  for (let at = 0; at < rows.length; at += 1) {
    const pivot = rows
      .slice(at)
      .reduce(
        (best, row, offset) => (Math.abs(row[at]) > Math.abs(rows[best][at]) ? at + offset : best),
        at,
      );
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    for (let below = at + 1; below < rows.length; below += 1) {
      const factor = rows[below][at] / rows[at][at];
      for (let column = at; column <= rows.length; column += 1)
        rows[below][column] -= factor * rows[at][column];
    }
  }
  const solution = rows.map(() => 0);
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const known = rows[at]
      .slice(at + 1, -1)
      .reduce((sum, value, offset) => sum + value * solution[at + 1 + offset], 0);
    solution[at] = (rows[at][rows.length] - known) / rows[at][at];
  }
  return solution;
}
