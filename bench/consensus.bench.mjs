// What agreement is worth in one figure: pairs of remarks that are joined or parted wrongly, on whole panels, each repository by
// numbers fitted on the others. All that there is to tell of it: `npm run bench:consensus`.
import { labellingsOf, panelsOf, planFolds, readPanels } from './consensus/labelled-panels.mjs';
import { measureVersion } from './consensus/measurement.mjs';
import { scorePairs } from './consensus/measures.mjs';
import { openVersion } from './consensus/versions.mjs';
import { lacking, partOf } from './program.mjs';

export const title = 'what pairs of findings lack of an F1 of 1, mean of all labellings';
export const aim = 0.18;

const said = [{ text: 'total() subtracts the price of each item', path: 'a.ts', golden: 'G1' }];
const sample = {
  repository: 'sample',
  pull_requests: [{ golden: ['G1'], panels: { sample: { first: said, second: said } } }],
};

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, data }) {
  const folder = partOf(data, 'review-bench');
  if (size === 'full' && folder === null) return lacking('reviews');
  const panels = size === 'small' || folder === null ? panelsOf(sample) : readPanels(folder);
  const folds = { ...planFolds(panels, []), only: /** @type {const} */ (['all']) };
  const { claims = [] } = (await measureVersion(await openVersion(), folds)).get('all') ?? {};
  const scores = labellingsOf(panels).map(name => ({
    name,
    f1: scorePairs(claims.filter(({ panel }) => panel.labelling === name)).f1,
  }));
  return {
    figure: 1 - scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length,
    detail: `pair F1 ${scores.map(({ name, f1 }) => `${f1.toFixed(3)} by ${name}`).join(', ')}`,
  };
}
