import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutants } from '../mutants/mutants.mjs';

it('every mutant finds the words that it takes out', () => {
  const lost = mutants.filter(({ file, edits }) => {
    const text = readFileSync(file, 'utf8');
    return edits.some(([words = '']) => !text.includes(words));
  });
  expect(lost.map(({ name }) => name)).toEqual([]);
});
