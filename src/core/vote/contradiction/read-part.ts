/** One walk over the words of a part of a clause: what it names, what it denies, and what it makes an exception of. */
import { stemmer as stemOf } from 'stemmer';
import {
  additions,
  articles,
  auxiliaries,
  binding,
  headings,
  numerals,
  orders,
  sideOf,
  type WordRole,
} from './lexicon.ts';
import type { Token } from './parts.ts';

/** A part while it is read, and after. */
export interface Reading {
  readonly terms: Map<string, boolean | null>;
  readonly stated: Set<string>;
  readonly denied: Set<string>;
  readonly narrowing: string[];
  readonly excepted: Set<string>;
  readonly lacking: Set<string>;
  readonly objects: Map<string, string>;
  readonly amounts: Amount[];
  order: [Set<string>, Set<string>] | null;
  isNegative: boolean;
  isDenying: boolean;
  isOnly: boolean;
  isAddition: boolean;
  isBinding: boolean;
  isCondition: boolean;
  isUnsure: boolean;
  /** Words that say something. */
  said: number;
}

export interface Amount {
  readonly value: string;
  /** What is counted. */
  readonly unit: string;
  readonly bound: 'least' | 'most' | null;
}

export function readPart(tokens: readonly Token[]): Reading {
  const walk: Walk = {
    terms: new Map(),
    stated: new Set(),
    denied: new Set(),
    narrowing: [],
    excepted: new Set(),
    lacking: new Set(),
    isBinding: tokens.some(({ lower }) => binding.has(lower)),
    objects: new Map(),
    amounts: [],
    order: null,
    isNegative: false,
    isDenying: false,
    isOnly: false,
    isAddition: false,
    isUnsure: false,
    isCondition: tokens[0]?.role === 'condition' || tokens[0]?.role === 'apart',
    said: 0,
    tokens,
    place: 'statement',
    isAfterDenial: false,
    isAfterAnd: false,
    isAfterWithout: false,
    isWidened: false,
    opposite: null,
  };
  for (const [at, token] of tokens.entries()) {
    if (additions.has(token.lower)) walk.isAddition = true;
    if (token.lower === 'and' || token.lower === 'or') enumerate(walk);
    if (token.lower === 'only' && tokens[at - 1]?.role !== 'no') walk.isOnly = true;
    if (token.role === null) take(walk, at, token);
    else follow(walk, at, token, token.role);
  }
  return walk;
}

interface Walk extends Reading {
  readonly tokens: readonly Token[];
  /** Where the words at hand belong: what is said, a condition of it, or what is made an exception of. */
  place: 'statement' | 'condition' | 'exception';
  /** A denial waits for what it denies. */
  isAfterDenial: boolean;
  /** "No loans and no gifts": the second no takes nothing back. */
  isAfterAnd: boolean;
  isAfterWithout: boolean;
  /** An `or` behind what is denied: what follows makes the denial wider, not narrower. */
  isWidened: boolean;
  /** The side of two opposites that waits for what it stands before. */
  opposite: string | null;
}

function enumerate(walk: Walk): void {
  walk.isAfterAnd = true;
  // What is added by an `or` makes a denial wider.
  if (walk.isNegative) walk.isWidened = true;
}

function follow(walk: Walk, at: number, token: Token, role: WordRole): void {
  walk.opposite = null;
  if (role === 'enacting' || role === 'undoing') walk.said += auxiliaries.has(token.lower) ? 0 : 1;
  if (role === 'condition') walk.place = 'condition';
  if (role === 'apart') walk.place = 'exception';
  walk.isAfterWithout = token.lower === 'without';
  if (role === 'no' || role === 'undoing') deny(walk, at, token, role);
}

function deny(walk: Walk, at: number, { lower }: Token, role: WordRole): void {
  if (walk.place === 'condition' && role === 'no') walk.place = 'exception';
  if (walk.place !== 'statement') return;
  if (role === 'undoing' && isMention(walk, at, lower)) {
    walk.isUnsure = true;
    return;
  }
  walk.isDenying = true;
  const isRepeated = walk.isNegative && (walk.isAfterAnd || lower === 'nor');
  if (!isRepeated) walk.isNegative = !walk.isNegative;
  walk.isAfterAnd = false;
  walk.isAfterDenial = role === 'no' || !isPassive(walk, at);
}

/** "… and dismantling", "oversees the repeal": not what is done, unless it is what comes first or what is denied. */
function isMention({ tokens, said, isAfterDenial }: Walk, at: number, lower: string): boolean {
  const isNoun =
    /(?:ing|ion|ment|al|ure)$/.test(lower) || articles.has(tokens[at - 1]?.lower ?? '');
  return isNoun && said > 1 && !isAfterDenial;
}

/** "Is banned": what it says no of stands before it. */
function isPassive({ tokens }: Walk, at: number): boolean {
  return [tokens[at - 1], tokens[at - 2]].some(before => before && beings.has(before.lower));
}

const beings = new Set('is are was were be been being become becomes'.split(' '));

function take(walk: Walk, at: number, token: Token): void {
  const { lower, isNumber } = token;
  if (token.isLabel) return;
  if (isNumber) {
    count(walk, at, lower);
    return;
  }
  const side = sideOf(lower, walk.tokens[at - 1]?.lower ?? '');
  const isOrder = orders.has(side.term);
  if (lower.length === 1) return;
  if (token.isGrammar && !isOrder) {
    if (!articles.has(lower)) walk.opposite = null;
    return;
  }
  walk.said += 1;
  if (isOrder) turn(walk);
  note(walk.terms, side.term, side.isOther);
  if (walk.order !== null && !isOrder) walk.order[1].add(side.term);
  if (walk.place === 'exception') walk.excepted.add(side.term);
  if (walk.isAfterWithout) walk.lacking.add(side.term);
  walk.isAfterWithout = false;
  if (walk.place !== 'statement') return;
  walk.stated.add(side.term);
  if (walk.opposite !== null && !walk.objects.has(walk.opposite))
    walk.objects.set(walk.opposite, side.term);
  walk.opposite = side.term.startsWith('±') && !isOrder && !isPassive(walk, at) ? side.term : null;
  if (walk.isAfterDenial) {
    walk.denied.add(side.term);
    walk.isAfterDenial = false;
    walk.isWidened = false;
    walk.narrowing.length = 0;
  } else if (walk.isNegative && !walk.isWidened) walk.narrowing.push(side.term);
}

/** At the first `before` or `after`. */
function turn(walk: Walk): void {
  walk.order ??= [new Set(walk.terms.keys()), new Set()];
}

export function note(terms: Reading['terms'], term: string, side: boolean | null): void {
  const known = terms.get(term);
  terms.set(term, known === undefined || known === side ? side : null);
}

function count(walk: Walk, at: number, lower: string): void {
  const { tokens } = walk;
  const before = tokens[at - 1]?.lower ?? '';
  walk.said += 1;
  if (headings.has(stemOf(before))) {
    note(walk.terms, `${stemOf(before)} ${lower}`, false);
    return;
  }
  const unit = tokens.slice(at + 1, at + 3).find(({ isGrammar }) => !isGrammar);
  if (unit === undefined || isYear(lower)) return;
  noteAmount(walk.amounts, {
    value: numerals.get(lower) ?? lower,
    unit: stemOf(unit.lower),
    bound: boundOf(tokens, at),
  });
}

/** More than one of them says as much as any number. */
export function noteAmount(amounts: Amount[], amount: Amount): void {
  if (amounts.length < 2) amounts.push(amount);
}

function isYear(lower: string): boolean {
  return /^(?:19|20)\d\d$/.test(lower);
}

function boundOf(tokens: readonly Token[], at: number): Amount['bound'] {
  for (const { lower } of tokens.slice(Math.max(0, at - 3), at)) {
    if (lower === 'least' || lower === 'minimum') return 'least';
    if (lower === 'most' || lower === 'maximum' || lower === 'within') return 'most';
  }
  return null;
}
