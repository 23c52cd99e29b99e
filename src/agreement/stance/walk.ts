/** One walk over the words of a remark: what has been read, what reaches the word at hand, and what it names. */
import type { Kind, RemarkWord } from './remark-words.ts';

export type Wish = 'more' | 'less';

export type Fate = 'keep' | 'remove' | 'add';

export interface SideTaken {
  readonly side: 0 | 1;
  readonly isDenied: boolean;
}

/** What has been read, and what reaches the word at hand. */
export interface Walk {
  readonly text: readonly RemarkWord[];
  readonly objects: Set<string>;
  readonly topics: Set<number>;
  readonly denied: Set<string>;
  readonly refused: Set<string>;
  readonly feared: Set<string>;
  readonly affirmed: Set<string>;
  readonly sides: Map<number, SideTaken | null>;
  readonly wishes: Set<Wish>;
  readonly fates: Set<Fate>;
  /** Times that something is wrong, that something is not so, that all is said to be well, and that trouble is warded off. */
  trouble: number;
  /** Of these, by words that mostly are epithets. */
  mild: number;
  lack: number;
  well: number;
  warded: number;
  hedges: number;
  /** What was well ends in a `but`. */
  isTurned: boolean;
  isRequest: boolean;
  /** Something "might" happen. */
  isFearful: boolean;
  /** Objects named before a clause or its reasons began. */
  subjects: number;
  isReason: boolean;
  isSeeming: boolean;
  hasSearched: boolean;
  hasChecked: boolean;
  /** Troubles told before this sentence. */
  troubleBefore: number;
  sentence: number;
  /** How much was well, and how much was named, before this sentence; whether it speaks of what was named before. */
  wellBefore: number;
  wellSoFar: number;
  namedBefore: number;
  isOfSame: boolean;
  /** Position of a word that was read with the one before. */
  spared: number;
  // Of the sentence at hand.
  isAsked: boolean;
  isWarding: boolean;
  isConsequence: boolean;
  isPossible: boolean;
  /** Within "while the drawer is closed". */
  isAside: boolean;
  /** Within a sentence that opens with praise. */
  isPraise: boolean;
  /** Words that a no, and that a lack, still reach. */
  negated: number;
  /** Of that no: how often it hit a thing without stance, whether it hit a trouble, and whether it is a `no` before a noun. */
  missed: number;
  isDenial: boolean;
  isOfNoun: boolean;
  /** A `without`. */
  isOfLack: boolean;
  lacking: number;
}

/** Words of content that a no reaches. */
export const reach = 5;

/** How things stand before anything is told of it. */
export const nothingTold = {
  trouble: 0,
  mild: 0,
  lack: 0,
  well: 0,
  warded: 0,
  hedges: 0,
  isRequest: false,
} as const;

export function begin(text: readonly RemarkWord[]): Walk {
  return {
    text,
    objects: new Set(),
    topics: new Set(),
    denied: new Set(),
    refused: new Set(),
    feared: new Set(),
    affirmed: new Set(),
    sides: new Map(),
    wishes: new Set(),
    fates: new Set(),
    // Not spread from `nothingTold`, because an object that is written out is made several times as fast.
    trouble: 0,
    mild: 0,
    lack: 0,
    well: 0,
    warded: 0,
    hedges: 0,
    isRequest: false,
    isTurned: false,
    isFearful: false,
    subjects: 0,
    isReason: false,
    isSeeming: false,
    hasSearched: false,
    hasChecked: false,
    troubleBefore: 0,
    sentence: 0,
    wellBefore: 0,
    wellSoFar: 0,
    namedBefore: 0,
    isOfSame: false,
    spared: -1,
    isAsked: false,
    isWarding: false,
    isConsequence: false,
    isPossible: false,
    isAside: false,
    isPraise: false,
    negated: 0,
    missed: 0,
    isDenial: false,
    isOfNoun: false,
    isOfLack: false,
    lacking: 0,
  };
}

export function wordAt({ text }: Walk, at: number): string {
  return text[at]?.word ?? '';
}

export function is(walk: Walk, at: number, ...kinds: readonly Kind[]): boolean {
  return kinds.some(kind => walk.text[at]?.kinds.has(kind) === true);
}

export function endClauses(walk: Walk, at: number, { word, gap, kinds }: RemarkWord): void {
  if (gap > 0 || kinds.has('break')) {
    walk.isPossible = false;
    walk.negated = 0;
    walk.lacking = 0;
  }
  if (gap > 0) walk.isAside = false;
  if (asides.has(word)) walk.isAside = true;
  if (gap > 0 || reasons.has(word)) walk.isReason ||= at > 0;
  if (gap === 3) endSentence(walk);
  if (gap >= 2) {
    walk.wellSoFar = walk.well;
    walk.isAsked = false;
    walk.isWarding = false;
    walk.isConsequence = false;
    walk.sentence = at;
    if (!walk.hasSearched) walk.troubleBefore = walk.trouble;
  }
}

/**
 * "Sunday comes first everywhere. The keyboard handling looks fine": praise of something else behind what was no praise takes
 * nothing of it back, so that nobody knows how the remark stands.
 */
export function endSentence(walk: Walk): void {
  const { well, warded, objects, namedBefore } = walk;
  const isElse = namedBefore > 0 && objects.size > namedBefore && !walk.isOfSame;
  if (well > 0 && walk.wellBefore === 0 && isElse && !walk.hasChecked && !walk.hasSearched)
    walk.isTurned = true;
  walk.wellBefore = well + warded;
  walk.namedBefore = objects.size;
  walk.isOfSame = false;
  walk.isPraise = false;
}

const asides = new Set(
  'while when whenever if unless until before after although whatever whoever'.split(' '),
);

const reasons = new Set('by in since because with as via for due thanks upstream'.split(' '));

export function isThirdPerson(word: string): boolean {
  return word.endsWith('s') && !word.endsWith('ss');
}

/** Takes down what the word names, and how it is spoken of. */
export function collect(
  walk: Walk,
  at: number,
  { word, kinds, stem, parts, isPlain, isContent, isObject, topics, sides }: RemarkWord,
): void {
  if (pronouns.has(word) || walk.objects.has(stem)) walk.isOfSame = true;
  if (isPlain && sides.length + topics.length === 0 && kinds.size > 0) return;
  if (isObject) {
    walk.objects.add(stem);
    for (const part of parts) walk.objects.add(part);
    if (!walk.isReason && !kinds.has('trouble') && !kinds.has('remedy')) walk.subjects += 1;
    if (walk.negated > 0 || walk.lacking > 0) {
      if (!walk.isAsked) walk.denied.add(stem);
      if (!walk.isAsked && walk.negated === reach) walk.refused.add(stem);
    } else if (!walk.isAsked) (walk.isPossible ? walk.feared : walk.affirmed).add(stem);
  }
  for (const topic of topics) walk.topics.add(topic);
  for (const [position, side] of sides) takeSide(walk, position, side);
  if (isContent && walk.negated > 0) walk.negated -= 1;
  if (isContent && walk.lacking > 0) walk.lacking -= 1;
  if (kinds.has('absence')) lackAround(walk, at);
}

const pronouns = new Set('it this that they them these those both neither here so i'.split(' '));

function takeSide({ sides, isAsked, negated }: Walk, position: number, side: 0 | 1): void {
  const known = sides.get(position);
  const isDenied = negated > 0;
  const isNew = !sides.has(position);
  const isSame = known?.side === side && known.isDenied === isDenied;
  sides.set(position, !isAsked && (isNew || isSame) ? { side, isDenied } : null);
}

/** "missing validation", and "the validation is missing". */
function lackAround(walk: Walk, at: number): void {
  walk.lacking = reach;
  if (!is(walk, at - 1, 'being') && !is(walk, at - 2, 'being')) return;
  for (let back = at - 1; back >= Math.max(walk.sentence, at - 6); back -= 1) {
    const other = walk.text[back];
    if (other === undefined || other.kinds.has('grammar')) continue;
    walk.denied.add(other.stem);
    walk.affirmed.delete(other.stem);
  }
}
