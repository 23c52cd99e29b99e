import { describe, expect, it } from 'vitest';
import { enumerate, findCommon } from '../../../src/agreement/wording/run-wording.ts';
import { readStatement } from '../../../src/agreement/wording/words.ts';

function commonOf(one: string, other: string): ReturnType<typeof findCommon> {
  return findCommon(
    { text: one, statement: readStatement(one) },
    { text: other, statement: readStatement(other) },
  );
}

describe('what two wordings have in common', () => {
  it('is told in words as they were written, not in stems', () => {
    expect(
      commonOf(
        'SQL injection through concatenated queries',
        'The query is concatenated: injection into SQL',
      ),
    ).toEqual({ words: ['concatenated', 'injection', 'queries'], names: ['SQL'] });
  });

  it('names code as it was written', () => {
    expect(commonOf('getUserName() is null', '`getUserName` may be null').names).toEqual([
      'getUserName',
    ]);
  });

  it('names what all reviews speak of last, and only where there is little else', () => {
    expect(commonOf('Missing check of the session', 'No check, session missing').words).toEqual([
      'session',
      'check',
      'missing',
    ]);
    expect(
      commonOf(
        'Missing check of session, cookie and tenant',
        'Cookie, tenant, session: check missing',
      ).words,
    ).toEqual(['session', 'tenant', 'cookie']);
    expect(
      commonOf('Missing check of the session', 'A check of the cookie is missing').words,
    ).toEqual(['check', 'missing']);
  });

  it('of scripts without spaces is told in pairs of characters', () => {
    expect(commonOf('缓存更新存在竞态条件', '缓存更新时有竞态条件问题').words).toContain('缓存');
  });

  it('reads as an enumeration', () => {
    expect([
      enumerate([]),
      enumerate(['a']),
      enumerate(['a', 'b']),
      enumerate(['a', 'b', 'c']),
    ]).toEqual(['', 'a', 'a and b', 'a, b and c']);
  });
});
