import * as encoding from 'ai-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfWord, isPlain, spelledOut } from '../../../src/adapters/tokens/ascii-words.ts';

it('spells out the expression of the encoding in use, or it would never be asked', () => {
  expect(spelledOut).toBe(encoding.pat_str);
});

it('cuts plain text where the expression cuts it', () => {
  const expression = new RegExp(encoding.pat_str, 'gu');
  const dense = fc.string({
    unit: fc.constantFrom(...Array.from('aAbZ09_-/= \n\r\t\'"(.\u000B\u0000'), "'s", "'LL", '  '),
    maxLength: 200,
  });
  const any = fc.string({
    unit: fc.integer({ min: 0, max: 127 }).map(c => String.fromCharCode(c)),
  });
  fc.assert(
    fc.property(fc.oneof(dense, any), text => {
      const words = [];
      for (let at = 0, end; at < text.length; at = end) {
        end = endOfWord(text, at, text.length);
        words.push(text.slice(at, end));
      }
      expect(words).toEqual(text.match(expression) ?? []);
    }),
    { numRuns: 3_000 },
  );
});

it('calls nothing plain that holds a character beyond ASCII', () => {
  expect(['', 'a\u0000\n~\u007F', '\u0080', 'é', '😀'].map(isPlain)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
