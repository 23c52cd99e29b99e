import { expect, it } from 'vitest';
import { describeSample } from '../../src/render/passes.ts';

it.each([
  [0.008, 'at most a 0.8 % risk that all would decide otherwise'],
  // Never less than it is.
  [0.00801, 'at most a 0.81 % risk that all would decide otherwise'],
  [0.05, 'at most a 5 % risk that all would decide otherwise'],
  [0.1201, 'at most a 13 % risk that all would decide otherwise'],
  [1e-12, 'at most a 0.01 % risk that all would decide otherwise'],
  [0, 'whatever the others would say'],
])('a risk of %d is rounded up', (risk, words) => {
  expect(describeSample({ sample: { asked: 24, population: 71 }, sample_risk: risk })).toBe(
    `decided by a sample of 24 of 71, ${words}`,
  );
});

it('a vote is no sample', () => {
  expect(describeSample({ sample: null, sample_risk: null })).toBeNull();
});
