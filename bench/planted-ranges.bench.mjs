// How often the built-in panel is wrong on real releases: `--ranges DIR` has the repositories of `planted/ranges.txt`, `--list FILE`
// names other ranges. An alarm that nobody has judged counts as false.
import { fileURLToPath } from 'node:url';
import { measureRanges } from './planted/ranges.mjs';
import { withSampleRepository } from './program.mjs';

export const title = 'false alarms of the built-in panel in 10,000 added lines of real releases';
export const aim = 1;

const listed = fileURLToPath(new URL('planted/ranges.txt', import.meta.url));

/** @type {import('./main.mjs').Measure} */
export async function measure({ size, ranges, list = listed }) {
  if (size === 'small')
    return withSampleRepository({}, folder =>
      measureIn(folder, [{ repository: '.', from: 'HEAD~1', to: 'HEAD' }]),
    );
  return ranges === undefined
    ? { notRun: '--ranges DIR names no folder with clones of the repositories' }
    : measureIn(ranges, list);
}

/**
 * @param {string} folder
 * @param {Parameters<typeof measureRanges>[1]} list
 */
async function measureIn(folder, list) {
  const { lines, alarms, wrong, open } = await measureRanges(folder, list);
  if (lines === 0) return { notRun: `nothing of the list is below ${folder}` };
  return {
    figure: (10_000 * (wrong + open)) / lines,
    detail: `${lines} added lines, ${alarms} alarms, ${wrong} false, ${open} not judged`,
  };
}
