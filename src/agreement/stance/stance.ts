/**
 * Where a remark stands: does it say that something is wrong, or that it is well; what does it say no of; what should become
 * of it? Read in one walk over its words, in time linear to them.
 *
 * A denial asks for nothing, names no consequence, and what it tells is well, or is a trouble that it says no of. In detail:
 * - Bad words and a no before good ones make a complaint, good words and a no before bad ones a denial. A plain deed that keeps
 *   trouble off ("is validated by the router") denies, unless it is said to be so for a part only.
 * - A wish, an order, a `should` or what might go wrong makes a complaint, whatever else is well; but not the wish that it stays.
 * - What is told in passing is not what it complains of: epithets ("forged requests are rejected"), clauses with when, while
 *   or unless, praise ("good call to stream it instead"), what is safe to do, and the ground of a conclusion ("nobody else
 *   calls it, so renaming is safe").
 * - Behind a contrast (but, however; still at the head of a sentence) the last clause counts, so praise before one denies
 *   nothing. Neither does praise of something else behind what was no praise, nor what is well for a part only.
 */
import { type RemarkWord, wordsOfRemark } from './remark-words.ts';
import { demand, having, isOrder, isPlea, isStillNeeded, order, readWish } from './requests.ts';
import {
  begin,
  collect,
  endClauses,
  endSentence,
  type Fate,
  type SideTaken,
  type Walk,
  type Wish,
  wordAt,
} from './walk.ts';
import {
  countLack,
  isFear,
  isKeptFrom,
  isOwnDeed,
  negate,
  readDegree,
  readPhrases,
  turnOver,
  weigh,
} from './weights.ts';

export interface Stance {
  /** `denial`: of something that it is well, or of a trouble that it is not there, and of nothing that it is wrong. */
  readonly says: 'trouble' | 'denial' | 'open';
  /** Stems, names and numbers that it is about: no words of stance, no grammar. */
  readonly objects: ReadonlySet<string>;
  /** By position, the groups of words for a trouble and its remedies that it touches. */
  readonly topics: ReadonlySet<number>;
  /** A denial by nothing but a deed told as done: "the size is checked". It denies what that deed keeps off, not all else. */
  readonly isWarded: boolean;
  /** A denial that names nothing: "already fixed". It is about the place where it stands. */
  readonly isBare: boolean;
  /** Stems that it says no of, or says are missing. */
  readonly denied: ReadonlySet<string>;
  /** Those of `denied` that a no stands right before, of a remark that tells no other trouble. */
  readonly refused: ReadonlySet<string>;
  /** Stems of what it says may be. */
  readonly feared: ReadonlySet<string>;
  /** Stems of what it tells as a fact: nothing that it says no of, asks for or holds possible. */
  readonly affirmed: ReadonlySet<string>;
  /** It asks for a change, so that what it says no of is not what is there. */
  readonly isRequest: boolean;
  /** There should be more of it, or less. */
  readonly wants: Wish | null;
  readonly fate: Fate | null;
  /** By position in the table of antonyms, the side that it takes as a fact; null when it takes both, or asks for one. */
  readonly sides: ReadonlyMap<number, SideTaken | null>;
}

export function readStance(remark: string): Stance {
  const walk = begin(wordsOfRemark(remark));
  for (let at = 0; at < walk.text.length; at += 1) {
    const word = walk.text[at] as RemarkWord;
    endClauses(walk, at, word);
    if (word.isPlain) readPlain(walk, word);
    if (word.isPlain || readWord(walk, at, word)) collect(walk, at, word);
  }
  endSentence(walk);
  const says = conclude(walk);
  return {
    says,
    objects: walk.objects,
    topics: orNone(walk.topics),
    isWarded: says === 'denial' && walk.well === 0,
    isBare: says === 'denial' && walk.subjects === 0,
    denied: orNone(walk.denied),
    refused: walk.trouble > 0 || walk.isRequest ? none : orNone(walk.refused),
    feared: orNone(walk.feared),
    affirmed: orNone(walk.affirmed),
    isRequest: walk.isRequest,
    wants: only(walk.wishes),
    fate: only(walk.fates),
    sides: walk.sides,
  };
}

const none: ReadonlySet<never> = new Set();

/** Most sets of a stance are empty, and it is kept: all of these are one. */
function orNone<Item>(items: ReadonlySet<Item>): ReadonlySet<Item> {
  return items.size === 0 ? none : items;
}

/** What is only told as warded off could be told in passing, so any hedge leaves it open. */
function conclude(walk: Walk): Stance['says'] {
  const { trouble, mild, lack, isRequest, well, warded, hedges } = walk;
  if (trouble > 0 || lack > 0 || isRequest) return 'trouble';
  if (walk.isTurned) return 'open';
  const isWell = well > 0 || (warded > 0 && hedges === 0);
  if (mild > 0) return isWell ? 'denial' : 'trouble';
  if (isWell) return 'denial';
  return walk.isFearful ? 'trouble' : 'open';
}

function only<Item>(items: ReadonlySet<Item>): Item | null {
  const [first] = items;
  return items.size === 1 && first !== undefined ? first : null;
}

function readPlain(walk: Walk, word: RemarkWord): void {
  if (word.word !== '') countLack(walk, word);
}

/** False when the word is used up and names no object. */
function readWord(walk: Walk, at: number, read: RemarkWord): boolean {
  const { kinds } = read;
  if (at === walk.spared) return true;
  if (kinds.has('consequence')) walk.isConsequence = true;
  if (kinds.has('seeming')) walk.isSeeming = true;
  if (kinds.has('modal')) walk.isPossible = true;
  if (isFear(walk, at)) walk.isFearful = true;
  if (isPlea(walk, at)) Object.assign(walk, { isAsked: true, isRequest: true });
  if (kinds.has('hedge')) walk.hedges += 1;
  if (kinds.has('search') && !walk.isAsked) walk.hasSearched = true;
  if ((kinds.has('inquiry') || kinds.has('trial')) && isOwnDeed(walk, at)) {
    walk.hasChecked = true;
    if (kinds.has('inquiry')) walk.warded += 1;
  }
  if (read.word === 'and' && !walk.isOfNoun) walk.negated = 0;
  if (kinds.has('turn')) turnOver(walk, at, read);
  readPhrases(walk, at);
  if (kinds.has('negator')) return !negate(walk, at, read);
  readDegree(walk, at);
  if (isOrder(walk, at)) {
    order(walk, read);
    return true;
  }
  if (isStillNeeded(walk, at)) {
    walk.fates.add('keep');
    return false;
  }
  if (kinds.has('demand')) {
    demand(walk, at, read);
    return false;
  }
  if (having.has(read.word) && wordAt(walk, at + 1) === 'to') {
    walk.isRequest = true;
    if (walk.negated === 0) walk.fates.add('add');
  }
  readWish(walk, at, read);
  if (read.word === 'from' && isKeptFrom(walk, at)) walk.isWarding = true;
  weigh(walk, at, read);
  return true;
}
