// 1,886 reviews by scripted reviewers of 50 ms each, 16 at a time, one motion a call: wall time over the ideal. The reviewers
// run in this process behind the port of runners, the journal is a real file: what is measured is scheduling, prompts,
// parsing and journal. The same with batches of 14, and the sequential way on a measured slice, stand in the detail.
import { collectScripted, delayMs } from './motions-scripted.mjs';

export const title = 'wall time of 1,886 scripted reviews, 16 at a time, over the ideal';
export const aim = 1.15;

const concurrency = 16;
const slice = 40;

export async function measure() {
  const single = await collectScripted({ reviews: 1886, batch: 1, concurrency });
  const batched = await collectScripted({ reviews: 1886, batch: 14, concurrency });
  const sequential = await collectScripted({ reviews: slice, batch: 1, concurrency: 1 });
  const ideal = (1886 * delayMs) / concurrency;
  const speedUp = ((sequential.wallMs / slice) * 1886) / single.wallMs;
  return {
    ratio: single.wallMs / ideal,
    detail:
      `${Math.round(single.wallMs)} ms over ${Math.round(ideal)} ms; batches of 14 take ` +
      `${batched.calls} calls (aim ≤ 160); ${speedUp.toFixed(1)} times as fast as one after the other ` +
      `(aim ≥ 14), reckoned from ${slice} such reviews`,
  };
}
