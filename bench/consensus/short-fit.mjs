// Fits what a shared weakness is worth to two short remarks, on the hand-written pairs, and writes the numbers:
// `node bench/consensus/short-fit.mjs [--out FILE]`, after the matcher was fitted and built, because it adds to the matcher's
// own log-odds. Then `npm run build` again. It reads `pairs/open.json` and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { matcherModel } from '../../dist/agreement/calibrated-model.js';
import { gatherWordingEvidence } from '../../dist/agreement/evidence.js';
import { logOdds } from '../../dist/core/words/odds.js';
import { readPanel } from '../../dist/agreement/panel-statements.js';
import { kinshipOf, shortnessOf } from '../../dist/agreement/short-wordings.js';
import { makeFinding } from './finding.mjs';
import { fitLogistic, oddsOf } from './logistic-fit.mjs';

const {
  values: { out },
} = parseArgs({
  options: {
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../../src/agreement/short-weights.ts', import.meta.url)),
    },
  },
});

const penalty = 2;

/** Remarks on two themes, so that no two of the file stand for them: each first one with the other of so many pairs on. */
const strides = [7, 23, 41, 67];

/**
 * @typedef {{ readonly theme: string, readonly relation: string, readonly one: string, readonly other: string }} LabelledPair
 * @typedef {ReturnType<typeof readRows>[number]} Row
 */

/** @type {LabelledPair[]} */
const pairs = JSON.parse(readFileSync(new URL('./pairs/open.json', import.meta.url), 'utf8'));
const rows = readRows(pairs);
for (const [number, isB] of [false, true].entries()) {
  const isOwn = (/** @type {Row} */ row) => row.theme.startsWith('b-') === isB;
  const model = fit(rows.filter(row => !isOwn(row)));
  console.log(`Fitted without author ${number + 1}: ${JSON.stringify(model)}`);
  console.log(describe(rows.filter(isOwn), model));
}
const model = fit(rows);
console.log(`Fitted on all: ${JSON.stringify(model)}`);
writeFileSync(
  out,
  `/**
 * What a shared weakness is worth to two short remarks, in log-odds. Written by \`bench/consensus/short-fit.mjs\`; not to be
 * changed by hand. Fitted on the hand-written pairs of the benchmark, no two of a kind weighing more than another: same
 * troubles, different troubles of one subject, remarks on two themes.
 */
export const shortWeights = {
  intercept: ${round(model.intercept)},
  /** Of the log-odds by the words. */
  wording: ${round(model.wording)},
  /** Of a kinship of 1. */
  kinship: ${round(model.kinship)},
} as const;
`,
);
console.log(`Wrote ${out}`);

function readRows(/** @type {readonly LabelledPair[]} */ pairs) {
  const strangers = strides.flatMap(stride =>
    pairs.flatMap((pair, at) => {
      const next = pairs[(at + stride) % pairs.length];
      return pair.theme === next.theme
        ? []
        : [{ ...pair, relation: 'unrelated', other: next.other }];
    }),
  );
  const taught = [...pairs.filter(({ relation }) => relation !== 'opposite'), ...strangers];
  return taught.map(({ theme, relation, one, other }) => {
    const { statements } = readPanel([makeFinding('one', 0, one), makeFinding('other', 0, other)]);
    const [left, right] = statements;
    return {
      theme,
      relation,
      shortness: shortnessOf(left, right),
      evidence: [
        logOdds(matcherModel.wording, gatherWordingEvidence(left.weighed, right.weighed)),
        kinshipOf(left, right).likeness,
      ],
    };
  });
}

/** In the pairs those of one trouble share fewer words than those of two, because they were written so: words never count against. */
function fit(/** @type {readonly Row[]} */ all) {
  const rows = all.filter(({ shortness }) => shortness > 0);
  const count = (/** @type {string} */ kind) =>
    rows.filter(({ relation }) => relation === kind).length;
  const options = {
    penalty,
    weights: rows.map(({ relation, shortness }) => (shortness * count('same')) / count(relation)),
  };
  const truths = rows.map(({ relation }) => Number(relation === 'same'));
  const free = fitLogistic(
    rows.map(({ evidence }) => evidence),
    truths,
    options,
  );
  if (free.weights[0] >= 0)
    return { intercept: free.intercept, wording: free.weights[0], kinship: free.weights[1] };
  const bound = fitLogistic(
    rows.map(({ evidence: [, kinship] }) => [kinship]),
    truths,
    options,
  );
  return { intercept: bound.intercept, wording: 0, kinship: bound.weights[0] };
}

/**
 * How many of each kind the wordings alone would join, without a place.
 * @param {readonly Row[]} rows
 * @param {ReturnType<typeof fit>} model
 */
function describe(rows, { intercept, wording, kinship }) {
  return ['same', 'different', 'unrelated']
    .map(kind => {
      const own = rows.filter(({ relation }) => relation === kind);
      const joined = own.filter(
        ({ evidence }) =>
          oddsOf({ intercept, weights: [wording, kinship] }, evidence) >= matcherModel.linkage.join,
      );
      return `${kind}: ${joined.length} of ${own.length} joined`;
    })
    .join(', ');
}

function round(/** @type {number} */ value) {
  return Number(value.toPrecision(4));
}
