/**
 * Clauses of a text as statements: what each is about, whether it says yes or no of it, and what it makes an exception of.
 * Linear in the text.
 */
import { type Token, partsOf, tokensOf } from './parts.ts';
import { type Amount, note, noteAmount, type Reading, readPart } from './read-part.ts';

export interface Clause {
  /** The piece of the text that it stands in: trimmed, otherwise verbatim. */
  readonly text: string;
  /** What it is about, and which of two opposites it names: true for the other one, null for both. */
  readonly terms: ReadonlyMap<string, boolean | null>;
  /** It says no: an odd number of denials reaches what it says. */
  readonly isNegative: boolean;
  /** It names a ban, a repeal or an end that may or may not be what it says. */
  readonly isUnsure: boolean;
  /** Those of its terms that are no condition and no exception. */
  readonly stated: ReadonlySet<string>;
  /** The first terms that its denials stand before; empty where they stand behind what they deny. */
  readonly denied: ReadonlySet<string>;
  /** Terms behind the denied one, as far as they narrow it: "never … to foreign agencies". */
  readonly narrowing: readonly string[];
  /** Terms of what it leaves out or does without: "unless …", "without …", "if no …". */
  readonly excepted: ReadonlySet<string>;
  /** The first term behind each of its `without`. */
  readonly lacking: ReadonlySet<string>;
  /** It orders what it says, or makes it the only way. */
  readonly isBinding: boolean;
  /** It lets something be on one condition only: "only with …". */
  readonly isOnly: boolean;
  /** By the term of two opposites, what the word for one of them stands before: "raise the *tax*". */
  readonly objects: ReadonlyMap<string, string>;
  /** Terms before and behind its only `before` or `after`; null where there is none. */
  readonly order: readonly [ReadonlySet<string>, ReadonlySet<string>] | null;
  /** Its only number; null where there is none or more. */
  readonly amount: Amount | null;
  /** "Also", "again": it takes nothing away from what others say. */
  readonly isAddition: boolean;
}

/** Words that say something, denials and auxiliaries apart: shorter clauses are too little to go by. */
const leastWords = 4;

/** Clauses with enough words, each wording once, in order. */
export function clausesOf(text: string): Clause[] {
  const found = new Map<string, Clause>();
  for (const piece of text.split(/[;\n\r]|\.(?!\S)|\.(?=["'”’)*_]+(?:\s|$))/)) {
    for (const clause of statementsOf(piece)) {
      const key = keyOf(clause);
      if (!found.has(key)) found.set(key, clause);
    }
  }
  return [...found.values()];
}

function keyOf({ terms, isNegative, excepted, amount, isOnly }: Clause): string {
  const sorted = [...terms].map(([term, side]) => `${term}${String(side)}`).sort();
  return JSON.stringify([isNegative, isOnly, sorted, [...excepted].sort(), amount]);
}

function statementsOf(piece: string): Clause[] {
  const tokens = tokensOf(piece);
  const parts = partsOf(tokens).map(readPart);
  const text = piece.trim();
  const statements: Reading[] = [];
  let waiting: Reading[] = [];
  for (const part of parts) {
    const previous = statements.at(-1);
    if (part.isCondition || (part.terms.size < leastPart && !part.isDenying)) {
      if (previous === undefined) waiting.push(part);
      else join(previous, part);
    } else if (part.terms.size >= leastPart || previous === undefined) {
      for (const earlier of waiting) join(part, earlier);
      waiting = [];
      statements.push(part);
    }
  }
  if (statements.length === 0) {
    const [first, ...rest] = waiting;
    if (first === undefined) return [];
    for (const other of rest) join(first, other);
    statements.push(first);
  }
  const isItem = isFragment(piece, tokens);
  return statements
    .filter(({ said }) => said >= leastWords)
    .map(part => clauseOf(part, text, isItem));
}

/** Terms of a part that can stand for itself. */
const leastPart = 3;

function join(statement: Reading, part: Reading): void {
  for (const [term, side] of part.terms) note(statement.terms, term, side);
  if (!part.isCondition) for (const term of part.stated) statement.stated.add(term);
  for (const term of part.excepted) statement.excepted.add(term);
  for (const term of part.lacking) statement.lacking.add(term);
  for (const amount of part.amounts) noteAmount(statement.amounts, amount);
  statement.said += part.said;
  statement.isOnly ||= part.isOnly;
  statement.isAddition ||= part.isAddition;
}

function clauseOf(reading: Reading, text: string, isItem: boolean): Clause {
  const { isNegative, amounts } = reading;
  const [amount = null, ...more] = amounts;
  return {
    text,
    terms: reading.terms,
    stated: reading.stated,
    denied: isNegative ? reading.denied : none,
    narrowing: isNegative ? reading.narrowing : [],
    excepted: reading.excepted,
    lacking: reading.lacking,
    objects: reading.objects,
    order: reading.order,
    isNegative,
    isUnsure: reading.isUnsure,
    isBinding: reading.isBinding,
    isOnly: reading.isOnly,
    isAddition: reading.isAddition,
    amount: more.length > 0 || isItem ? null : amount,
  };
}

const none: ReadonlySet<string> = new Set();

/** "b) a notice of 60 days": an item of a list that is no sentence, so that nobody knows what has that number. */
function isFragment(piece: string, tokens: readonly Token[]): boolean {
  return listItem.test(piece) && !tokens.some(({ lower }) => finite.has(lower));
}

const listItem = /^\s*(?:[-*•–—]|\(?[\p{L}\d]{1,3}[.)])/u;

const finite = new Set('shall must may will should can is are was were has have'.split(' '));
