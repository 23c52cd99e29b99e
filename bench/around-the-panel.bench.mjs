// What Jury takes of a person's time around the reviewers: from its start to the first question, and from the last answer to its end.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSampleRepository } from './sample-repository.mjs';

export const title = 'start to first question and last answer to end, over three starts of Node';
export const aim = 3;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const rounds = 5;

/** Each reviewer notes when it was started and when it had answered, by the clock that the benchmark reads. */
const script = `import fs from 'node:fs';
const asked = performance.timeOrigin;
process.stdin.resume().on('end', () => setTimeout(() => {
  console.log('IMPORTANT|sum.js:1|an empty list throws\\nVERDICT: needs-changes');
  fs.appendFileSync(new URL('times', import.meta.url), asked + ' ' + Date.now() + '\\n');
}, 500));`;

export function measure() {
  return withSampleRepository({ count: 2, script }, async folder => {
    const bare = [];
    const before = [];
    const after = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await timeOf(['-e', '0'], folder));
      const began = Date.now();
      await timeOf([jury, 'review', '--fresh', '--fail-on', 'never', '--format', 'json'], folder);
      const ended = Date.now();
      const times = readFileSync(path.join(folder, 'times'), 'utf8')
        .trim()
        .split('\n')
        .slice(-2)
        .map(line => line.split(' ').map(Number));
      before.push(Math.min(...times.map(([asked]) => asked)) - began);
      after.push(ended - Math.max(...times.map(([, answered]) => answered)));
    }
    const [first, last, node] = [before, after, bare].map(median);
    return {
      ratio: (first + last) / (3 * node),
      detail:
        `${Math.round(first)} ms to the first question, ${Math.round(last)} ms after the last answer, ` +
        `Node alone ${Math.round(node)} ms, medians of ${rounds}`,
    };
  });
}

async function timeOf(args, cwd) {
  const began = performance.now();
  await new Promise(resolve =>
    spawn(process.execPath, args, { cwd, stdio: 'ignore' }).once('close', resolve),
  );
  return performance.now() - began;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
