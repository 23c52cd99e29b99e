/**
 * How work grows with its size, counted and not timed: V8 counts how often each block of a program runs. What runs inside of V8 or
 * of WebAssembly (a regular expression, a sort) has no blocks: `bench/growth.bench.mjs` measures it.
 *
 * Only what is loaded later is counted by blocks, so `test:long` loads this module before each test file.
 */
import { Session, type Profiler } from 'node:inspector';

/** How many times larger the large size is. */
const larger = 8;

/** Linear work takes eight times as many steps, quadratic work sixty-four. */
const mostTimes = 2 * larger;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * The functions that take more than their share of the steps for eight times `size`, and how many times those for `size`. A
 * function that takes less than an eighth of all steps is compared with that eighth.
 */
export async function superlinear(
  size: number,
  work: (size: number) => unknown,
): Promise<string[]> {
  // What is compiled and remembered from call to call is warm for both.
  await work(size);
  const small = await countSteps(() => work(size));
  const large = await countSteps(() => work(size * larger));
  const least = (small.get(whole) ?? 0) / larger;
  if (least === 0 || (large.get(whole) ?? 0) < size * larger)
    throw new Error('Natives do this work, which has no steps to count.');
  return [...large].flatMap(([name, steps]) => {
    const times = steps / Math.max(small.get(name) ?? 0, least);
    return times > mostTimes ? [`${name}: ${steps} steps, ${times.toFixed(1)} times`] : [];
  });
}

const whole = 'the whole';

/** By the function: how often that block of it ran that ran most. */
async function countSteps(work: () => unknown) {
  takeCoverage();
  await work();
  const steps = new Map([[whole, 0]]);
  for (const { url, functions } of takeCoverage())
    for (const { functionName, ranges } of functions) {
      const count = Math.max(...ranges.map(range => range.count));
      steps.set(`${functionName} of ${url}, at ${ranges[0]?.startOffset}`, count);
      steps.set(whole, (steps.get(whole) ?? 0) + count);
    }
  return steps;
}

/** What ran since the last call, this file and the runner of the tests left out. */
function takeCoverage() {
  let taken: Profiler.ScriptCoverage[] = [];
  // A session with its own thread calls back before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    taken = result;
  });
  return taken.filter(
    ({ url }) => url.startsWith('file:') && url !== import.meta.url && !url.includes('/vite'),
  );
}
