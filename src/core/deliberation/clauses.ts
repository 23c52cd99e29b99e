/** Clauses of a text, with the words that carry what they are about and whether they affirm or deny it. */
import { words } from '../consensus/words.ts';

export interface Clause {
  /** Trimmed, otherwise verbatim. */
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly isNegative: boolean;
}

export const leastContentWords = 4;

const negative = formsOf(`
  not never no nor cannot without
  prohibit prohibits prohibited prohibiting prohibition prohibitions
  forbid forbids forbade forbidden forbidding
  ban bans banned banning
  reject rejects rejected rejecting rejection rejections
  oppose opposes opposed opposing opposition
  abolish abolishes abolished abolishing abolition abolishment
  repeal repeals repealed repealing`);

/** What a motion does with its subject says nothing about the subject. */
const enacting = formsOf(`
  shall
  require requires required requiring requirement requirements
  mandate mandates mandated mandating mandatory
  permit permits permitted permitting permission permissions
  allow allows allowed allowing allowance
  establish establishes established establishing establishment
  adopt adopts adopted adopting adoption`);

/** Clauses with enough content words, each wording once, in order. Linear in the text. */
export function clausesOf(text: string): Clause[] {
  const found = new Map<string, Clause>();
  for (const piece of text.split(/[.;\n\r]/)) {
    const clause = clauseOf(piece);
    if (clause === null) continue;
    const key = `${clause.isNegative ? '-' : '+'}${[...clause.words].sort().join(' ')}`;
    if (!found.has(key)) found.set(key, clause);
  }
  return [...found.values()];
}

function clauseOf(piece: string): Clause | null {
  const all = [...words(piece)];
  const content = all.filter(word => !negative.has(word) && !enacting.has(word));
  if (content.length < leastContentWords) return null;
  return { text: piece.trim(), words: new Set(content), isNegative: all.some(word => negative.has(word)) };
}

function formsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
