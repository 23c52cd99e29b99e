/** Spreads process starts over turns of the event loop: each blocks it for as long as the system takes to start a program. */

let last: Promise<void> = Promise.resolve();

/** Resolves when one more process may start: one in each turn of the event loop. First come, first served. */
export function startSlot(): Promise<void> {
  last = last.then(() => new Promise(resolve => setImmediate(resolve)));
  return last;
}
