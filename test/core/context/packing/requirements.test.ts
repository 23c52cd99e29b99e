/** What is missing of a pack, and how it is asked. */
import { describe, expect, it } from 'vitest';
import { toQuestions } from '../../../../src/core/context/packing/fit.ts';

const unshown = (symbol: string, place: string) => ({
  symbol,
  at: 'a.ts:1',
  reason: `its definition at ${place} does not fit`,
  place,
});

describe('what is asked beyond the first entries', () => {
  const unknown = { symbol: 'lost', at: 'a.ts:2', reason: 'nobody knows it', place: null };

  it('shares an entry that tells each name once, with the place of its definition', () => {
    const missing = [unshown('one', 'b.ts:5'), unshown('two', 'c.ts:9'), unshown('two', 'c.ts:9')];
    expect(toQuestions([...missing, unknown], 1)).toEqual([
      'lost (a.ts:2): nobody knows it',
      'and 2 more: one b.ts:5, two c.ts:9',
    ]);
  });
});
