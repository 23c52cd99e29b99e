import { describe, expect, it } from 'vitest';
import { describeUncompared, selectForMatching } from '../../src/agreement/statements.ts';
import { findingOf } from './sample.ts';

describe('more findings than there is room for', () => {
  const findings = [
    findingOf('A', 'The lock is never released', { label: 'CRITICAL' }),
    findingOf('A', 'The cache leaks', { label: 'LOW' }),
    findingOf('A', 'The cache leaks', { label: 'LOW' }),
    findingOf('A', 'The index is stale', { label: 'LOW' }),
    findingOf('B', 'The cache leaks', { label: 'CRITICAL' }),
    findingOf('B', 'The index is stale', { label: 'LOW' }),
    findingOf('B', 'The index is stale', { label: 'LOW', path: 'b.ts', line: 2 }),
    findingOf('C', 'The file stays open', { label: 'HIGH' }),
  ];

  it('the most severe of each reviewer are compared; what is said in the same words goes with it, matched or not', () => {
    const { matched, apart } = selectForMatching(findings, 4);
    const positions = (bundles: typeof matched) =>
      bundles.map(bundle => bundle.map(finding => findings.indexOf(finding)));
    expect([positions(matched), positions(apart)]).toEqual([
      [[0], [1, 2, 4], [7]],
      [[3, 5], [6]],
    ]);
  });

  it('how many were compared with nothing is told in a sentence', () => {
    expect(describeUncompared(0, 8, 4)).toBeNull();
    expect(describeUncompared(3, 8, 4)).toContain('3 of 8 findings were compared with no other');
  });

  it('long texts are told apart by what stands behind their beginning', () => {
    const long = 'The lock is never released. '.repeat(400);
    const texts = [long, `${long}a`, `${long}b`, `${long.slice(0, -2)}b `, long.toUpperCase()];
    const said = [...texts, long].map(text => findingOf('A', text));
    const { matched, apart } = selectForMatching(said, 1);
    expect([...matched, ...apart]).toHaveLength(texts.length);
  });
});
