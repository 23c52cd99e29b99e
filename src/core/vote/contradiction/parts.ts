/** The parts of a piece of text that say something each, as words with what each does there. */
import { wordsIn } from '../../../agreement/index.ts';
import {
  articles,
  auxiliaries,
  figures,
  mild,
  numerals,
  roleOf,
  type WordRole,
} from './lexicon.ts';

/** A word and where it stands. */
export interface Token {
  readonly lower: string;
  readonly isGrammar: boolean;
  readonly isNumber: boolean;
  /** The number of a list item: "2 The council …". */
  readonly isLabel: boolean;
  readonly role: WordRole | null;
  /** A comma, a colon, a bracket or a dash stands before it. */
  readonly isBehindBreak: boolean;
}

/** With each no as a word of its own. */
export function tokensOf(piece: string): Token[] {
  const plain = figures.reduce((text, [figure, word]) => text.replace(figure, word), piece);
  const { words, between } = wordsIn(plain);
  return words.map(({ lower, isGrammar, isNumber }, at): Token => {
    const [before, after] = [words[at - 1]?.lower ?? '', words[at + 1]?.lower ?? ''];
    const role = roleOf(lower, before, after);
    return {
      lower,
      isNumber: isNumber || numerals.has(lower),
      isLabel: at === 0 && isNumber && /^\p{Lu}/u.test(words[1]?.run ?? ''),
      isGrammar: isGrammar || auxiliaries.has(lower) || articles.has(lower),
      role: role === 'no' && mild.has(after) ? null : role,
      isBehindBreak: /[,:()[\]—–]| -+ /.test(between[at] ?? ''),
    };
  });
}

/** At breaks, and before an `and` behind which something is said that has a no or an auxiliary of its own. */
export function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const isJoint = conjunctions.has(token.lower) && auxiliaries.has(tokens[at + 1]?.lower ?? '');
    if (token.isBehindBreak || isJoint) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}

const conjunctions = new Set(['and', 'but', 'or', 'yet']);
