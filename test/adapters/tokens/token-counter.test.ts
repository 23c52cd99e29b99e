import { Tokenizer } from 'ai-tokenizer';
import * as encoding from 'ai-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  estimatingCounter,
  loadTokenCounter,
  readRankTable,
  writeRankTable,
} from '../../../src/adapters/tokens/token-counter.ts';

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

const file = writeRankTable(encoding, '1.0.6');
const { encoding: table } = readRankTable(file);

it('holds the rank of every text of the encoding', () => {
  const wrong = Object.entries(encoding.stringEncoder).filter(
    ([text, rank]) => table.stringEncoder[text] !== rank,
  );
  expect(wrong).toEqual([]);
});

it('holds none for a text that has none, whatever it is called', () =>
  expect(
    ['', 'xqzvkj', '__proto__', 'a '.repeat(50)].map(text => table.stringEncoder[text]),
  ).toEqual([undefined, undefined, undefined, undefined]));

it('counts as the package does', () => {
  const [read, own] = [new Tokenizer(table), new Tokenizer(encoding)];
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 40 })),
      text => {
        expect(read.encode(text, [], [])).toEqual(own.encode(text, [], []));
      },
    ),
    { numRuns: 300 },
  );
});

it('counts words without making texts of their parts, and comes to what the package comes to', async () => {
  const [counter, own] = [await loadTokenCounter(), new Tokenizer(encoding)];
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('aAbBzZ019_-+/= \n\t\'s"é你')),
    maxLength: 400,
  });
  fc.assert(
    fc.property(fc.oneof(letters, fc.string({ maxLength: 400 }), fc.base64String()), text => {
      expect(counter.count(text)).toBe(own.encode(text, [], []).length);
    }),
    { numRuns: 500 },
  );
});
