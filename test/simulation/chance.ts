/** Numbers that look random and are the same for the same seed, on every machine. */
export interface Chance {
  /** 0 up to 1. */
  next(): number;
  /** A whole number from 0, below `bound`. */
  below(bound: number): number;
  /** True so often: 0 never, 1 always. */
  isTrue(share: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
}

/** `topic`: what it is drawn for, so that one more draw for one thing changes nothing elsewhere. */
export function createChance(seed: number, topic: string): Chance {
  let state = (hashOf(topic) ^ Math.imul(seed, 0x9e3779b1)) >>> 0;
  // Mulberry32: one addition and two multiplications a number.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    isTrue: share => next() < share,
    pick<Value>(values: readonly Value[]) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
  };
}

/** FNV-1a, of what was hashed before and this. */
export function hashOf(text: string, before = 0x811c9dc5): number {
  let hash = before;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
