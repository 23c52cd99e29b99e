// Eight reviewers of two seconds each: what the panel costs beyond its slowest reviewer, the start of the program included.
import { runRecorded, withSampleRepository } from './program.mjs';

export const title = 'wall time of 8 reviewers over the slowest of them';
export const aim = 1.15;

const scriptAfter = (/** @type {number} */ delayMs) =>
  `process.stdin.resume().on('end', () => setTimeout(() => console.log('IMPORTANT|sum.js:1|an empty ` +
  `list throws\\nVERDICT: needs-changes'), ${delayMs}));`;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const [count, delayMs] = size === 'full' ? [8, 2000] : [2, 0];
  return withSampleRepository({ count, script: scriptAfter(delayMs) }, async folder => {
    const { seconds, record } = await runRecorded(['review', '--fail-on', 'never'], folder);
    const slowest = Math.max(...record.reviewers.map(({ durationMs }) => durationMs));
    const wall = 1000 * seconds;
    return { figure: wall / slowest, detail: `${Math.round(wall)} ms over ${slowest} ms` };
  });
}
