/** Spreads process starts: 500 at once hold the event loop for most of a second, 16 do not. */

const burst = 16;
const spacingMs = 25;
let free = burst;
const waiting: (() => void)[] = [];

/** Resolves when one more process may start: at most 16 in any 25 ms. First come, first served. */
export async function startSlot(): Promise<void> {
  if (free > 0) free -= 1;
  else await new Promise<void>(resolve => waiting.push(resolve));
  setTimeout(passOn, spacingMs);
}

function passOn(): void {
  const next = waiting.shift();
  if (next === undefined) free += 1;
  else next();
}
