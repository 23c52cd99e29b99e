// What agreement is worth in one figure: pairs of remarks that are joined or parted wrongly, on whole panels, each repository by
// numbers fitted on the others. All that there is to tell of it: `npm run bench:consensus`.
import { figuresOf } from './consensus/bootstrap.mjs';
import { labellingsOf, panelsOf, readPanels } from './consensus/labelled-panels.mjs';
import { measureWhole } from './consensus/measurement.mjs';
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
  const panels =
    size === 'small' || folder === null ? panelsOf(sample, 'sample') : readPanels(folder);
  const { parts } = await measureWhole(await openVersion(), { panels, beside: [] });
  const scores = labellingsOf(panels).map(name => ({
    name,
    f1: figuresOf(parts[0].tallies.filter(({ labelling }) => labelling === name)).pairs,
  }));
  return {
    figure: 1 - scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length,
    detail: `pair F1 ${scores.map(({ name, f1 }) => `${f1.toFixed(3)} by ${name}`).join(', ')}`,
  };
}
