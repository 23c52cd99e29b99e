import { describe, expect, it } from 'vitest';
import { readStatements, shareOf, type Statement } from '../../src/agreement/statements.ts';
import { findingOf } from './sample.ts';

function pairOf(one: string, other: string): readonly [Statement, Statement] {
  const [left, right] = readStatements([findingOf('Alpha', one), findingOf('Beta', other)])
    .statements as [Statement, Statement];
  return [left, right];
}

describe('the statements of a panel', () => {
  it('are one for the same words about the same place, with all who say it', () => {
    const place = { path: 'a.ts', line: 3 };
    const { statements } = readStatements([
      findingOf('Beta', 'The lock is held', place),
      findingOf('Alpha', ' the lock is held', place),
      findingOf('Alpha', 'The lock is held', { path: 'a.ts', line: 9 }),
    ]);
    expect(statements.map(({ reviewers, positions }) => [reviewers, positions])).toEqual([
      [
        ['Alpha', 'Beta'],
        [0, 1],
      ],
      [['Alpha'], [2]],
    ]);
  });

  it('have stems of words and of the parts of a name in common', () => {
    const [one, other] = pairOf('Validating the userId', 'The user is not valid');
    expect(shareOf(one.stems, other.stems).count).toBe(2);
    expect(shareOf(one.names, other.names).count).toBe(0);
  });

  it('have each name also with the word behind it, so that a name in common is no whole subject', () => {
    const [one, other] = pairOf('userId lock', 'userId cache');
    expect(one.names.terms).toHaveLength(2);
    expect(shareOf(one.names, other.names).count).toBe(1);
  });

  it('of scripts without spaces have pairs of characters in common', () => {
    const [one, other] = pairOf('缓存更新存在竞态条件', '缓存更新时有竞态条件问题');
    expect(shareOf(one.stems, other.stems).count).toBeGreaterThan(4);
  });

  it('weigh a word less the more of them use it, and one that all reviews use from the start', () => {
    const { statements } = readStatements([
      findingOf('Alpha', 'The queue is null'),
      findingOf('Beta', 'The queue overflows'),
      findingOf('Gamma', 'The queue blocks'),
    ]);
    const weights = statements.flatMap(({ stems }) => stems.weights);
    expect(new Set(weights).size).toBe(3);
  });
});
