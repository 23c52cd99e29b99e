import { expect, it } from 'vitest';
import { describeSample } from '../../src/render/passes.ts';

const drawn = { outcome: 'ratified', asked: 24, answered: 23, not_drawn: 47, more: 0 } as const;

it.each([
  [0.008, 'at most a 0.8 % risk that the others would turn it'],
  // Never less than it is.
  [0.00801, 'at most a 0.81 % risk that the others would turn it'],
  [0.05, 'at most a 5 % risk that the others would turn it'],
  [0.1201, 'at most a 13 % risk that the others would turn it'],
  [1e-12, 'at most a 0.01 % risk that the others would turn it'],
  [0, 'whatever the others would say'],
])('a risk of %d is rounded up', (risk, words) => {
  expect(describeSample({ ...drawn, risk })).toBe(`decided by a sample of 24 of 71, ${words}`);
});

it.each([
  [12, '12 more with the commonest answer would decide it'],
  [null, 'all of them would have to be asked'],
])('what is open tells how many more would decide it: %s', (more, words) => {
  expect(describeSample({ ...drawn, outcome: 'incomplete', risk: 0.3, more })).toBe(
    `a sample of 24 of 71 was asked, 23 answered, and with a chance of up to 30 % the others would turn it; ${words}`,
  );
});

it('a vote is no sample', () => {
  const everybody = { asked: null, answered: null, not_drawn: null, more: null, risk: null };
  expect(describeSample({ ...everybody, outcome: 'ratified' })).toBeNull();
});
