/**
 * How work grows with its size: for what must be linear and could only be seen to be quadratic by the time it takes. Two sizes are
 * compared in one process by the time of its processor, so that neither a slow machine nor a busy one can decide.
 */

/** How many times larger the large one is. */
const larger = 8;

/** Times of the small one that the large one takes at most: linear work takes eight, quadratic sixty-four. */
export const linearAtMost = 4 * larger;

/** What less than this measures is the clock. Milliseconds. */
const leastMs = 1;

/** Processor time of eight times `size` over that of `size`, each the least of three. */
export function growthOf(size: number, work: (size: number) => unknown): number {
  const spent = (amount: number): number =>
    Math.min(...[1, 2, 3].map(() => processorMs(() => work(amount))));
  // What is compiled while it runs, and what is remembered from call to call, is warm for both.
  work(size);
  return spent(size * larger) / Math.max(spent(size), leastMs);
}

/** The same of work that waits. `tries`: of the large one, for work that takes seconds. */
export async function growthOfAsync(
  size: number,
  work: (size: number) => Promise<unknown>,
  tries = 3,
): Promise<number> {
  const spent = async (amount: number, count: number): Promise<number> => {
    let least = Infinity;
    for (let at = 0; at < count; at += 1)
      least = Math.min(least, await processorMsAsync(() => work(amount)));
    return least;
  };
  await work(size);
  return (await spent(size * larger, tries)) / Math.max(await spent(size, 3), leastMs);
}

function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function processorMsAsync(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
