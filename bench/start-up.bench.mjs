// `jury --version` against a bare `node -e 0`, in turn, so that a drifting machine slows both.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const title = 'start-up of jury --version over node -e 0';
export const aim = 1.5;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

export function measure() {
  const pairs = Array.from({ length: 21 }, () => [time([jury, '--version']), time(['-e', '0'])]);
  const ratios = pairs.map(([ours, bare]) => ours / bare);
  return {
    ratio: median(ratios),
    detail:
      `${Math.round(median(pairs.map(([ours]) => ours)))} ms over ` +
      `${Math.round(median(pairs.map(([, bare]) => bare)))} ms, median of ${pairs.length} pairs`,
  };
}

function time(args) {
  const began = performance.now();
  spawnSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - began;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
