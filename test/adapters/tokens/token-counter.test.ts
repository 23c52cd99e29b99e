import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimatingCounter, loadTokenCounter } from '../../../src/adapters/tokens/token-counter.ts';

it('counts with the encoding it names', async () => {
  const counter = await loadTokenCounter();
  expect(counter).toMatchObject({ name: 'o200k_base', version: '1.0.6', estimated: false });
  expect([counter.count(''), counter.count('hello world')]).toEqual([0, 2]);
});

it('reads text that spells a control token as text', async () => {
  const counter = await loadTokenCounter();
  expect(counter.count('a <|endoftext|> b')).toBeGreaterThan(4);
});

it('counts a run of one character within the time of a test', async () => {
  const counter = await loadTokenCounter();
  // In one piece this takes minutes.
  expect(counter.count('a'.repeat(1_000_000))).toBeGreaterThan(10_000);
});

it('never cuts a character, so that a long text has as many tokens as its parts, but for the seams', async () => {
  const counter = await loadTokenCounter();
  fc.assert(
    fc.property(fc.integer({ min: 4_090, max: 4_100 }), length => {
      const text = `${'x '.repeat(length / 2)}😀😀`;
      expect(counter.count(text)).toBeLessThanOrEqual(
        counter.count('x '.repeat(length / 2)) + counter.count('😀😀') + 2,
      );
    }),
    { numRuns: 12 },
  );
});

it('is a quarter of the bytes, rounded up, where no encoding can be loaded', () => {
  expect([
    estimatingCounter.count(''),
    estimatingCounter.count('abcde'),
    estimatingCounter.count('é'),
  ]).toEqual([0, 2, 1]);
  expect(estimatingCounter.estimated).toBe(true);
});
