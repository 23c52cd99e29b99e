// What Jury takes of a person's time around the reviewers: from its start to the first question, and from the last answer to its end.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { jury, median, timeNode, withSampleRepository } from './program.mjs';

export const title = 'start to first question and last answer to end, over three starts of Node';
export const aim = 3;

/** Each reviewer notes when it was started and when it had answered, by the clock that the benchmark reads. */
const scriptAfter = (/** @type {number} */ delayMs) => `import fs from 'node:fs';
const asked = Date.now() - performance.now();
process.stdin.resume().on('end', () => setTimeout(() => {
  console.log('IMPORTANT|sum.js:1|an empty list throws\\nVERDICT: needs-changes');
  fs.appendFileSync(new URL('times', import.meta.url), asked + ' ' + Date.now() + '\\n');
}, ${delayMs}));`;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const [rounds, delayMs] = size === 'full' ? [5, 500] : [1, 0];
  return withSampleRepository({ count: 2, script: scriptAfter(delayMs) }, folder => {
    // A file that nobody ignores is an uncommitted change, and the next review is about that.
    writeFileSync(path.join(folder, '.git/info/exclude'), 'times');
    const measured = Array.from({ length: rounds }, () => {
      const node = timeNode(['-e', '0'], folder);
      const began = Date.now();
      timeNode([jury, 'review', '--fresh', '--fail-on', 'never', '--format', 'json'], folder);
      const ended = Date.now();
      const times = readFileSync(path.join(folder, 'times'), 'utf8')
        .trim()
        .split('\n')
        .slice(-2)
        .map(line => line.split(' ').map(Number));
      const first = Math.min(...times.map(([asked = NaN]) => asked)) - began;
      return {
        node,
        first,
        last: ended - Math.max(...times.map(([, answered = NaN]) => answered)),
      };
    });
    const first = median(measured.map(round => round.first));
    const last = median(measured.map(round => round.last));
    const node = median(measured.map(round => round.node));
    return {
      figure: (first + last) / (3 * node),
      detail:
        `${Math.round(first)} ms to the first question, ${Math.round(last)} ms after the last answer, ` +
        `Node alone ${Math.round(node)} ms, medians of ${rounds}`,
    };
  });
}
