import { describe, expect, it } from 'vitest';
import { readWording } from '../../../src/core/consensus/terms.ts';

describe('a wording', () => {
  it('is read as stems, neighbours and identifiers with their parts', () => {
    expect(Object.fromEntries(readWording('Validating the userId').terms)).toEqual({ valid: 1, '#userid': 1, user: 0.3, id: 0.3, 'valid #userid': 0.5 });
    expect(readWording('user_id').terms.has('#userid')).toBe(true);
  });

  it('leaves places out, and keeps names with dots', () => {
    expect([...readWording('in `src/a.ts:10` and (b.py), lines 3-7').terms.keys()]).toEqual([]);
    expect([...readWording('cache.get').terms.keys()]).toEqual(['cach', 'get', 'cach get']);
  });

  it('knows its numbers, but not those of lines and names', () => {
    expect([...readWording('status 404 at a.ts:12, line 7, sha256').numbers]).toEqual(['404']);
  });

  it.each([['it does not hold long', ['hold']], ["it doesn't hold", ['hold']], ['it can never be valid', ['valid']], ['no note of it', ['note']], ['it is no longer checked', ['check']]])('%j denies %j', (text, negated) => {
    expect([...readWording(text).negated]).toEqual(negated);
  });

  it('of a megabyte is read in no time', () => {
    const start = performance.now();
    readWording('line '.repeat(200_000));
    readWording(`${'a.'.repeat(500_000)}!`);
    expect(performance.now() - start).toBeLessThan(200);
  });
});
