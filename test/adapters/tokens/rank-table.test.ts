import { Tokenizer } from 'ai-tokenizer';
import * as encoding from 'ai-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRankTable, writeRankTable } from '../../../src/adapters/tokens/rank-table.ts';

const table = readRankTable(writeRankTable(encoding));

it('holds the rank of every text of the encoding', () => {
  const wrong = Object.entries(encoding.stringEncoder).filter(
    ([text, rank]) => table.stringEncoder[text] !== rank,
  );
  expect(wrong).toEqual([]);
});

it('holds none for a text that has none, whatever it is called', () => {
  expect(
    ['', 'xqzvkj', '__proto__', 'a '.repeat(50)].map(text => table.stringEncoder[text]),
  ).toEqual([undefined, undefined, undefined, undefined]);
});

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
