// One tokenizer for everybody: that of o200k_base over the whole text, no matter how the product counts.
import { Tokenizer } from 'ai-tokenizer';
import * as encoding from 'ai-tokenizer/encoding/o200k_base';

const tokenizer = new Tokenizer(encoding);
const known = new Map();

export function countTokens(/** @type {string} */ text) {
  if (text.length > 200) return tokenizer.encode(text, [], []).length;
  let count = known.get(text);
  if (count === undefined) {
    count = tokenizer.encode(text, [], []).length;
    known.set(text, count);
  }
  return count;
}
