/** Contradictions that a model names: what it is asked, and what of its answer counts, which is what it quotes word for word. */
import { isList, isObject, type JsonObject, scanJson, textAt } from '../../answers/index.ts';
import { renderForm } from '../../core/prompt/answer-form.ts';
import { type Fencing, fenceOff, quote } from '../../core/prompt/foreign-text.ts';

export const contradictionInstructions =
  'You compare texts that were written for one assembly and look for contradictions between them. You judge nothing else.';

/** The first text is compared with each of the others, numbered from 1. Each stands in a fence of its own. */
export function renderComparison(
  first: string,
  others: readonly string[],
  fencing: Fencing,
): string {
  return [
    ...[first, ...others].flatMap((text, number) => [
      `# Text ${number}`,
      fenceOff(['text', String(number)], quote(text), fencing),
    ]),
    renderForm(
      'compare',
      [
        `Compare text 0 with each of the other texts (${others.map((_, index) => index + 1).join(', ')}). Two texts contradict each other when nobody can want both: one demands or allows what the other forbids, ends or makes impossible. Different wishes that can both be met are no contradiction, and neither is the same wish in other words.`,
        'Answer with one JSON array and nothing else: one item for each text that contradicts text 0, `[]` when none does. Copy both quotes letter for letter, a whole clause each and without the `>` before a line; nothing else counts.',
      ],
      [{ text: 1, quote_of_0: '<clause of text 0>', quote: '<clause of that text>' }],
    ),
  ].join('\n\n');
}

/** What an answer names, before anybody has looked whether it is there. */
export interface NamedContradiction {
  /** Null: it does not say which text it means. */
  readonly number: number | null;
  readonly quoteOfFirst: string;
  readonly quote: string;
}

/** The array of the answer; a sentence when there is none. An empty one counts at the end alone: prose has brackets, too. */
export function readContradictions(
  answer: string,
): { readonly named: readonly NamedContradiction[] } | string {
  if (/(?:^|[\s`])\[\s*\][\s`]*$/.test(answer.slice(-80))) return { named: [] };
  for (let at = answer.indexOf('['); at !== -1;) {
    const scanned = scanJson(answer, at);
    const items = scanned.ok && isList(scanned.value) ? scanned.value : [];
    if (items.length > 0 && items.every(isObject)) return { named: items.map(readItem) };
    at = answer.indexOf('[', scanned.ok || scanned.at <= at ? at + 1 : scanned.at);
  }
  return 'The answer holds no JSON array.';
}

function readItem(item: JsonObject): NamedContradiction {
  const number = Number(item.get('text') ?? Number.NaN);
  return {
    number: Number.isSafeInteger(number) ? number : null,
    quoteOfFirst: textAt(item, 'quote_of_0') ?? '',
    quote: textAt(item, 'quote') ?? '',
  };
}

/** Fewer words than these stand in most texts. */
const leastQuoted = 4;

/** The quote as it stands in the text, white space folded; null when it does not, or is too short to tell anything. */
export function quoteIn(text: string, quoted: string): string | null {
  const whole = fold(text);
  // Who copies letter for letter may copy the mark that leads each line, too.
  const found = [fold(quoted), fold(quoted.replace(/^> ?/gm, ''))].find(words =>
    whole.includes(words),
  );
  return found !== undefined && found.split(' ').length >= leastQuoted ? found : null;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
