/** Names what a text is when it is no answer: a refusal, a spent quota, a provider's error, a login prompt, an unread subject. */
import { phrases, type TextKind } from './phrases.ts';
import { cut, toLine } from './plain-text.ts';
import { reject, type Rejection } from './reading.ts';

/** Only this much of either end is looked at: such texts are short, and patterns must stay cheap. */
const window = 1_200;

/** Sentences that open a text. Beside a statement of none only the very first one can take it back. */
const openingLength: Record<TextKind, number> = { answer: 400, error: 400, remark: 160 };

/** Call only where no finding was read. */
export function rejectionIn(text: string, kind: TextKind): Rejection | null {
  const plain = simplify(text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text);
  const opening = plain.slice(0, openingLength[kind]);
  const group = phrases.find(({ among, where, patterns }) => among.includes(kind) && patterns.some(pattern => pattern.test(where === 'opening' ? opening : plain)));
  return group === undefined ? null : reject(group.cause, cut(toLine(text.slice(0, 600)), 300));
}

function simplify(text: string): string {
  return text.replace(/[’‘´`]/g, "'").replace(/\s+/g, ' ').toLowerCase().trim();
}
