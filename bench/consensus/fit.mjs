// Fits the numbers of the `calibrated` strategy and of confidence on labelled data, and writes them, nothing else of it:
// `node bench/consensus/fit.mjs --data DIR [--data DIR …] [--out FILE]`, after and before `npm run build`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { cutOf } from '../../dist/agreement/confidence/confidence.js';
import { fitConfidence } from './confidence-fit.mjs';
import { figuresOf } from './bootstrap.mjs';
import { crossValidate, fitOnce } from './cross-validation.mjs';
import { labellingsOf, readPanels, repositoriesOf } from './labelled-panels.mjs';
import { rankReviewers } from './measures.mjs';
import { tallyPanels } from './tallies.mjs';

const {
  values: { data, out },
} = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../../src/agreement/calibrated-model.json', import.meta.url)),
    },
  },
});
if (data === undefined) {
  console.error('Usage: node bench/consensus/fit.mjs --data DIR [--data DIR …] [--out FILE]');
  process.exit(3);
}

const panels = data.flatMap(folder => readPanels(folder));
if (repositoriesOf(panels).length < 2) {
  console.error(
    `${data.join(', ')}: at least two repositories with labelled findings are needed, because the figures of the fit leave one out.`,
  );
  process.exit(2);
}
const versions = { matcher: '5', confidence: '5' };
const matcher = { ...fitOnce(panels), version: versions.matcher };
const confidence = {
  ...(await fitConfidence(panels, { fitWithout: fitOnce })),
  version: versions.confidence,
};
const validation = await validate();
const provenance = {
  fitted: new Date().toISOString().slice(0, 10),
  data: {
    repositories: repositoriesOf(panels).length,
    pulls: new Set(panels.map(({ repository, pull }) => `${repository}/${pull}`)).size,
    reviewers: new Set(panels.flatMap(({ reviewers }) => reviewers)).size,
    findings: panels.reduce((sum, { findings }) => sum + findings.length, 0),
    labellings: labellingsOf(panels).length,
  },
  method:
    'leave one repository out: each figure was measured on a repository that the numbers behind it were not fitted on',
  validation,
};

/** Numbers to five significant digits. */
const text = JSON.stringify({ provenance, matcher, confidence }, (_, value) =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value,
);
const style = await resolveConfig(fileURLToPath(import.meta.url));
writeFileSync(out, await format(text, { ...style, parser: 'json' }));
console.log(`Wrote ${out}`);
console.log(`The tables of docs/consensus.md:\n${bestRows(confidence)}\n\n${ruleRows(confidence)}`);

/** By labelling, whole panels by numbers that never saw their repository. */
async function validate() {
  const tallies = tallyPanels(panels, await crossValidate(panels), rankReviewers(panels));
  return Object.fromEntries(
    labellingsOf(panels).map(name => {
      const { pairs, precision, recall, fused, act, above, worth, confidence } = figuresOf(
        tallies.filter(({ labelling }) => labelling === name),
      );
      return [
        name,
        {
          pairs: { precision, recall, f1: pairs },
          fused,
          act: { f1: act, above },
          calibrationError: { worth, confidence },
        },
      ];
    }),
  );
}

/** @typedef {import('../../dist/agreement/confidence/confidence.js').ConfidenceModel} ConfidenceModel */

function bestRows(/** @type {ConfidenceModel} */ model) {
  return model.best.panels
    .map(({ reviewers, precision, recall }) => {
      const cut = cutOf('best', model, { reviewers, isGraded: false }).toFixed(2);
      return `| ${[reviewers, cut, percent(precision), percent(recall)].join(' | ')} |`;
    })
    .join('\n');
}

function ruleRows(/** @type {ConfidenceModel} */ model) {
  return /** @type {const} */ (['one-in-2', 'one-in-3', 'one-in-4', 'one-in-5', 'one-in-10'])
    .map(rule => {
      const row = model.cuts.find(
        ({ cut }) => cut === cutOf(rule, model, { reviewers: 0, isGraded: false }),
      );
      const cells = row
        ? [String(row.cut), percent(row.precision), percent(row.recall)]
        : ['no measured cut', '', ''];
      return `| \`${rule}\` | ${cells.join(' | ')} |`;
    })
    .join('\n');
}

function percent(/** @type {number} */ share) {
  return `${Math.round(100 * share)} %`;
}
