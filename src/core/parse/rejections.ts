/** Names what a text is when it is no answer: a refusal, a spent quota, a provider's error, a login prompt, an unread subject. */
import { phrases } from './phrases.ts';
import { cut, toLine } from './plain-text.ts';
import { reject, type Rejection } from './reading.ts';

/** Only this much of either end is looked at: such texts are short, and patterns must stay cheap. */
const window = 1_200;

/**
 * Call only where no finding was read. `isWhole`: the text is the whole answer, so that praise alone is a review that
 * did not happen; otherwise it is a remark beside one.
 */
export function rejectionIn(text: string, { isWhole }: { readonly isWhole: boolean }): Rejection | null {
  const plain = simplify(text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text);
  const opening = plain.slice(0, 400);
  for (const { cause, where, patterns } of phrases) {
    if (where === 'whole' && !isWhole) continue;
    if (patterns.some(pattern => pattern.test(where === 'opening' ? opening : plain))) return reject(cause, cut(toLine(text.slice(0, 600)), 300));
  }
  return null;
}

function simplify(text: string): string {
  return text.replace(/[’‘´`]/g, "'").replace(/\s+/g, ' ').toLowerCase().trim();
}
