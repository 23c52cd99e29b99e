/** Puts into plain words what speaks for a judgement and what against it: what was seen, never how it is computed. */
import type { Estimate } from '../../core/words/odds.ts';

/** Half a sentence, and what it is worth in log-odds; below 0 it speaks against. */
type Part = Pick<Estimate['contributions'][number], 'words' | 'worth'>;

/** Log-odds that are worth a mention. */
const telling = 0.25;
const mostTold = 2;

/**
 * What speaks for a probability, or else `otherwise`, then what speaks the other way, the weightiest first of each. Half a
 * sentence, or empty.
 */
export function tellParts(parts: readonly Part[], isLikely: boolean, otherwise = ''): string {
  const ordered = parts.toSorted((one, other) => Math.abs(other.worth) - Math.abs(one.worth));
  const [reasons, doubts] = [isLikely, !isLikely].map(isFor =>
    ordered
      .filter(
        ({ worth }, index) => worth > 0 === isFor && (index === 0 || Math.abs(worth) >= telling),
      )
      .slice(0, mostTold)
      .map(({ words }) => words)
      .join(', and '),
  );
  const told = reasons || otherwise;
  if (doubts === '') return told;
  return told === '' ? `although ${doubts}` : `${told}; but ${doubts}`;
}

/** What two wordings have in common, names of code first. */
export function tellWording({
  words,
  names,
}: {
  readonly words: readonly string[];
  readonly names: readonly string[];
}): string {
  const shared = [
    ...(names.length > 0 ? [`name ${enumerate(names.slice(0, 4))}`] : []),
    ...(words.length > 0
      ? [`speak of ${enumerate(words.slice(0, 6).map(word => `“${word}”`))}`]
      : []),
  ];
  return shared.length > 0 ? `both ${shared.join(' and ')}` : 'they have hardly a word in common';
}

const mostNamed = 3;

/** Names of reviewers: `a`, `a and b`, `a and 4 others`. */
export function tellNames(names: readonly string[]): string {
  return names.length <= mostNamed
    ? enumerate(names)
    : `${names[0] ?? ''} and ${names.length - 1} others`;
}

function enumerate(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

export function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
