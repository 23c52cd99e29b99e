// `jury --version` against a bare `node -e 0`, in turn, so that a drifting machine slows both.
import { jury, median, timeNode } from './program.mjs';

export const title = 'start-up of jury --version over node -e 0';
export const aim = 1.5;

/** @type {import('./main.mjs').Measure} */
export function measure({ size }) {
  const pairs = Array.from({ length: size === 'full' ? 21 : 1 }, () => ({
    ours: timeNode([jury, '--version']),
    bare: timeNode(['-e', '0']),
  }));
  return {
    figure: median(pairs.map(({ ours, bare }) => ours / bare)),
    detail:
      `${Math.round(median(pairs.map(({ ours }) => ours)))} ms over ` +
      `${Math.round(median(pairs.map(({ bare }) => bare)))} ms, median of ${pairs.length} pairs`,
  };
}
