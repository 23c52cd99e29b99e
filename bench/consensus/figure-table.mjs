// The figures of everything that was measured in one table: a row for each way of measuring and each labelling, below it how
// much that is over another version, on the same draws of pull requests.
import { tableOf } from '../program.mjs';
import { drawPulls, estimate, forecasterBand, intervalOf, less, meanOf } from './bootstrap.mjs';
import { between, gap, percentBetween, percentGap, short } from './estimate-text.mjs';
import { labellingsOf } from './labelled-panels.mjs';
import { statedOf } from './tallies.mjs';

/**
 * @typedef {import('./measurement.mjs').Measured} Measured
 * @typedef {Readonly<Record<string, import('./estimate-text.mjs').Estimate>>} Estimates
 * @typedef {ReturnType<typeof drawPulls>} Drawn
 * @typedef {{ readonly labelling: string, readonly estimates: Estimates, readonly perfect: Readonly<Record<string, number>> }} Row
 */

const columns = /** @type {const} */ ([
  ['pair F1', 'pairs', between, gap],
  ['precision', 'precision', alone, gapAlone],
  ['recall', 'recall', alone, gapAlone],
  ['fused, %', 'fused', percentBetween, percentGap],
  ['F1 of act', 'act', between, gap],
  ['over best', 'above', gap, gap],
  ['worth', 'worth', alone, gap],
  ['confidence', 'confidence', alone, gap],
]);

const explanation = [
  'Pairs of findings of two reviewers, one of them at least of a known issue; claims that hold two known issues; what `act` marks, against',
  'the best single reviewer of all this data; calibration error of `worth` and `confidence`, in brackets that of a perfect forecaster.',
  'Numbers never saw the repository, or by set none of its kind; intervals: 95 % of 1,000 draws of pull requests; drawn: mean of 2, 3, 5, 8.',
].join('\n');

/** Draws of a perfect forecaster, enough for a mean. */
const forecasts = 100;

/** By the names that aims give them. */
const named = /** @type {const} */ ([
  ['pair F1', 'pairs'],
  ['fused', 'fused'],
  ['act over best', 'above'],
  ['error of worth', 'worth'],
  ['error of confidence', 'confidence'],
]);

/**
 * @param {readonly Measured[]} measured
 * @param {readonly Measured[]} before
 */
export function figureTable(measured, before) {
  const drawn = drawPulls(measured[0].parts[0].tallies);
  const lines = [];
  /** @type {Record<string, number>} */
  const figures = {};
  for (const each of measured) {
    const theirs = before.find(({ way }) => way === each.way);
    const beside = theirs && new Map(rowsOf(theirs, drawn).map(row => [row.labelling, row]));
    for (const { labelling, estimates, perfect } of rowsOf(each, drawn)) {
      const name = `${each.way}, ${labelling}`;
      lines.push([each.way, labelling, ...cellsOf(estimates, perfect)]);
      for (const [figure, key] of named) figures[`${figure}, ${name}`] = estimates[key].value;
      const other = beside?.get(labelling)?.estimates;
      if (other === undefined) continue;
      const gained = Object.fromEntries(
        Object.keys(estimates).map(key => [key, less(estimates[key], other[key])]),
      );
      lines.push([
        '  over the baseline',
        '',
        ...columns.map(([, key, , print]) => print(gained[key])),
      ]);
      for (const [figure, key] of named) {
        figures[`${figure}, ${name}, over the baseline`] = gained[key].value;
        figures[`${figure}, ${name}, over the baseline at best`] =
          intervalOf(gained[key])?.[1] ?? NaN;
      }
    }
  }
  const head = ['measured', 'labelling', ...columns.map(([title]) => title)];
  return { text: `${explanation}\n${tableOf([head, ...lines])}`.trimEnd(), figures };
}

/**
 * Each labelling of each set, and their mean.
 * @returns {Row[]}
 */
function rowsOf(/** @type {Measured} */ { parts }, /** @type {Drawn} */ drawn) {
  const [{ tallies }] = parts;
  return [...new Set(tallies.map(({ set }) => set))].flatMap(set => {
    const rows = labellingsOf(tallies.filter(tally => tally.set === set)).map(labelling =>
      rowOf({ set, labelling }, parts, drawn),
    );
    const estimates = meanOfEach(rows.map(row => row.estimates));
    return rows.length === 1 ? rows : [...rows, { labelling: set, estimates, perfect: {} }];
  });
}

/**
 * @param {{ readonly set: string, readonly labelling: string }} of
 * @param {Measured['parts']} parts
 * @param {Drawn} drawn
 * @returns {Row}
 */
function rowOf({ set, labelling }, parts, drawn) {
  const isOwn = (/** @type {{ readonly set: string, readonly labelling: string }} */ each) =>
    each.set === set && each.labelling === labelling;
  const perfect = (/** @type {'worth' | 'confidence'} */ target) => {
    const errors = parts.map(({ claims }) => {
      const own = claims.filter(({ panel }) => isOwn(panel));
      return forecasterBand(statedOf(target, own), forecasts).mean;
    });
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  };
  // In brackets: the error of a forecaster whose every probability is right, on as many claims.
  return {
    labelling,
    estimates: meanOfEach(parts.map(({ tallies }) => estimate(tallies.filter(isOwn), drawn))),
    perfect: { worth: perfect('worth'), confidence: perfect('confidence') },
  };
}

/** @returns {Estimates} */
function meanOfEach(/** @type {readonly Estimates[]} */ list) {
  return Object.fromEntries(
    Object.keys(list[0]).map(key => [key, meanOf(list.map(estimates => estimates[key]))]),
  );
}

function cellsOf(/** @type {Estimates} */ estimates, /** @type {Row['perfect']} */ perfect) {
  // Of a judge only pairs are measured.
  const isAssessed = Number.isFinite(estimates.worth.value);
  return columns.map(([, key, print]) => {
    if (!isAssessed && ['act', 'above'].includes(key)) return '';
    const own = perfect[key];
    return `${print(estimates[key])}${own === undefined || !isAssessed ? '' : ` (${short(own)})`}`;
  });
}

function alone(/** @type {import('./estimate-text.mjs').Estimate} */ { value }) {
  return Number.isFinite(value) ? short(value) : '';
}

function gapAlone(/** @type {import('./estimate-text.mjs').Estimate} */ estimate) {
  return gap(estimate).split(' ')[0];
}
