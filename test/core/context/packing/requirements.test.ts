/** What is missing of a pack, and how it is asked. */
import { describe, expect, it } from 'vitest';
import { findUnresolved, toQuestions } from '../../../../src/core/context/packing/requirements.ts';
import type { Definition } from '../../../../src/core/words/code-index.ts';

const defined = (path: string, nameLine: number): Definition => ({
  path,
  name: 'load',
  kind: 'method',
  startLine: nameLine - 1,
  endLine: nameLine + 1,
  nameLine,
  signature: 'load() {',
});
const line = (path: string, at: number) => ({ path, range: { start: at, end: at } });

const unshown = (symbol: string, place: string) => ({
  symbol,
  at: 'a.ts:1',
  reason: `its definition at ${place} does not fit`,
  place,
});

describe('a name that may mean two things', () => {
  const asked = {
    symbol: 'load',
    at: 'a.ts:1',
    definition: null,
    possible: [defined('b.ts', 5), defined('c.ts', 9)],
    reason: 'which of 2 is meant is not known',
  };

  it('is no question when both are shown', () => {
    expect(findUnresolved([line('b.ts', 5), line('c.ts', 9)], [], [asked])).toEqual([]);
  });

  it('is one while one of them is not', () => {
    expect(findUnresolved([line('b.ts', 5)], [], [asked]).map(one => one.symbol)).toEqual(['load']);
  });

  it('is one when they are too many to be shown', () => {
    expect(findUnresolved([], [], [{ ...asked, possible: [] }])).toHaveLength(1);
  });
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
