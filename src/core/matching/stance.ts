/**
 * Where a remark stands: does it say that something is wrong, or that it is well; what does it say no of; what should become
 * of it? Read in one walk over its words, in time linear to them.
 */
import { type Kind, type RemarkWord, wordsOfRemark } from './remark-words.ts';
import { calmOpenings, calmPhrases } from './stance-words.ts';

export interface Stance {
  /** `denial`: of something that it is well, or of a trouble that it is not there, and of nothing that it is wrong. */
  readonly says: 'trouble' | 'denial' | 'open';
  /** Stems, names and numbers that it is about: no words of stance, no grammar. */
  readonly objects: ReadonlySet<string>;
  /** A denial that names nothing: "already fixed". It is about the place where it stands. */
  readonly isBare: boolean;
  /** Stems that it says no of, or says are missing. */
  readonly denied: ReadonlySet<string>;
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

type Wish = 'more' | 'less';
type Fate = 'keep' | 'remove' | 'add';

interface SideTaken {
  readonly side: 0 | 1;
  readonly isDenied: boolean;
}

/** What has been read, and what reaches the word at hand. */
interface Walk {
  readonly text: readonly RemarkWord[];
  readonly objects: Set<string>;
  readonly denied: Set<string>;
  readonly affirmed: Set<string>;
  readonly sides: Map<number, SideTaken | null>;
  readonly wishes: Set<Wish>;
  readonly fates: Set<Fate>;
  /** Times that something is wrong, that something is not so, that all is said to be well, and that trouble is warded off. */
  trouble: number;
  lack: number;
  well: number;
  warded: number;
  hedges: number;
  isRequest: boolean;
  /** Objects named before a clause or its reasons began. */
  subjects: number;
  isReason: boolean;
  isSeeming: boolean;
  hasSearched: boolean;
  /** Troubles told before this sentence. */
  troubleBefore: number;
  sentence: number;
  // Of the sentence at hand.
  isAsked: boolean;
  isWarding: boolean;
  isConsequence: boolean;
  isPossible: boolean;
  /** Words that a no, and that a lack, still reach. */
  negated: number;
  /** Of that no: how often it hit a thing without stance, whether it hit a trouble, and whether it is a `no` before a noun. */
  missed: number;
  isDenial: boolean;
  isOfNoun: boolean;
  lacking: number;
}

/** Words of content that a no reaches. */
const reach = 5;

export function readStance(remark: string): Stance {
  const walk = begin(wordsOfRemark(remark));
  for (const [at, word] of walk.text.entries()) {
    endClauses(walk, at, word);
    if (word.word === '' || readWord(walk, at, word)) collect(walk, at, word);
  }
  const says = conclude(walk);
  return {
    says,
    objects: walk.objects,
    isBare: says === 'denial' && walk.subjects === 0,
    denied: walk.denied,
    affirmed: walk.affirmed,
    isRequest: walk.isRequest,
    wants: only(walk.wishes),
    fate: only(walk.fates),
    sides: walk.sides,
  };
}

function begin(text: readonly RemarkWord[]): Walk {
  return {
    text,
    objects: new Set(),
    denied: new Set(),
    affirmed: new Set(),
    sides: new Map(),
    wishes: new Set(),
    fates: new Set(),
    trouble: 0,
    lack: 0,
    well: 0,
    warded: 0,
    hedges: 0,
    isRequest: false,
    subjects: 0,
    isReason: false,
    isSeeming: false,
    hasSearched: false,
    troubleBefore: 0,
    sentence: 0,
    isAsked: false,
    isWarding: false,
    isConsequence: false,
    isPossible: false,
    negated: 0,
    missed: 0,
    isDenial: false,
    isOfNoun: false,
    lacking: 0,
  };
}

/** What is only told as warded off could be told in passing, so any hedge leaves it open. */
function conclude({ trouble, lack, isRequest, well, warded, hedges }: Walk): Stance['says'] {
  if (trouble > 0 || lack > 0 || isRequest) return 'trouble';
  return well > 0 || (warded > 0 && hedges === 0) ? 'denial' : 'open';
}

function only<Item>(items: ReadonlySet<Item>): Item | null {
  const [first] = items;
  return items.size === 1 && first !== undefined ? first : null;
}

function wordAt({ text }: Walk, at: number): string {
  return text[at]?.word ?? '';
}

function is(walk: Walk, at: number, ...kinds: readonly Kind[]): boolean {
  return kinds.some(kind => walk.text[at]?.kinds.has(kind) === true);
}

function endClauses(walk: Walk, at: number, { word, gap, kinds }: RemarkWord): void {
  if (gap > 0 || kinds.has('break')) {
    walk.isPossible = false;
    walk.negated = 0;
    walk.lacking = 0;
  }
  if (gap > 0 || reasons.has(word)) walk.isReason ||= at > 0;
  if (gap === 2) {
    walk.isAsked = false;
    walk.isWarding = false;
    walk.isConsequence = false;
    walk.sentence = at;
    if (!walk.hasSearched) walk.troubleBefore = walk.trouble;
  }
}

const reasons = new Set('by in since because with as via for due thanks upstream'.split(' '));

/** False when the word is used up and names no object. */
function readWord(walk: Walk, at: number, read: RemarkWord): boolean {
  const { kinds } = read;
  if (kinds.size === 0) {
    countLack(walk, read);
    return true;
  }
  if (kinds.has('consequence')) walk.isConsequence = true;
  if (kinds.has('seeming')) walk.isSeeming = true;
  if (kinds.has('modal')) walk.isPossible = true;
  if (kinds.has('hedge')) walk.hedges += 1;
  if (kinds.has('search') && !walk.isAsked) walk.hasSearched = true;
  if (kinds.has('break')) turnOver(walk, read);
  readPhrases(walk, at);
  if (kinds.has('negator')) return !negate(walk, at, read);
  readDegree(walk, at);
  if (isOrder(walk, at)) {
    order(walk, at, read);
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
  readWish(walk, at, read);
  if (read.word === 'from' && isKeptFrom(walk, at)) walk.isWarding = true;
  weigh(walk, at, read);
  return true;
}

/** "It looks like an injection, but …": what only seemed so is not said. */
function turnOver(walk: Walk, { word }: RemarkWord): void {
  if ((word !== 'but' && word !== 'however') || !walk.isSeeming) return;
  Object.assign(walk, { trouble: 0, lack: 0, well: 0, warded: 0, hedges: 0, isRequest: false });
  Object.assign(walk, { isAsked: false, isWarding: false, isSeeming: false });
}

const phrases: ReadonlyMap<string, readonly { words: string[][]; isTakingBack: boolean }[]> =
  (() => {
    const table = new Map<string, { words: string[][]; isTakingBack: boolean }[]>();
    for (const phrase of calmPhrases) {
      const isTakingBack = phrase.startsWith('!');
      const [first = [], ...words] = phrase
        .slice(Number(isTakingBack))
        .split(' ')
        .map(alternatives => alternatives.split('/'));
      for (const opening of first)
        table.set(opening, [...(table.get(opening) ?? []), { words, isTakingBack }]);
    }
    return table;
  })();

const openings = new Set(calmOpenings.split(' '));

function readPhrases(walk: Walk, at: number): void {
  const own = wordAt(walk, at);
  if (walk.negated > 0) return;
  for (const { words, isTakingBack } of phrases.get(own) ?? []) {
    if (!words.every((each, ahead) => each.includes(wordAt(walk, at + 1 + ahead)))) continue;
    if (isTakingBack) takeBack(walk);
    else walk.well += 1;
  }
  if (at === walk.sentence && openings.has(own) && !is(walk, at + 1, 'being')) takeBack(walk);
}

function takeBack(walk: Walk): void {
  walk.trouble = walk.troubleBefore;
  walk.lack = 0;
  walk.well += 1;
}

/** "no", "not", "nothing". True when nothing follows that it says no of. */
function negate(walk: Walk, at: number, { word, gap }: RemarkWord): boolean {
  const next = walk.text[at + 1];
  const isLast = next === undefined || next.gap > 0;
  if (word === 'none' && isLast && (gap > 0 || found.has(wordAt(walk, at - 1)))) takeBack(walk);
  else if (word === 'nothing' && walk.hasSearched && (isLast || is(walk, at + 1, 'grammar')))
    takeBack(walk);
  else if (word === 'no' && spared.has(next?.word ?? '')) walk.well += 1;
  else if (aboutNothing.has(word) && placing.has(next?.word ?? '')) walk.trouble += 1;
  else if (!(word === 'not' && next?.word === 'only')) {
    walk.negated = reach;
    walk.missed = 0;
    walk.isDenial = false;
    walk.isOfNoun = ofNouns.has(word);
    if (walk.hasSearched && word === 'no') walk.well += 1;
  }
  return true;
}

const ofNouns = new Set(
  'no kein keine keinen keiner keinem ohne sans pas aucun aucune sin ninguna ningun'.split(' '),
);
const found = new Set('found saw see is are was were has'.split(' '));
const spared = new Set('need change changes action fix objection objections'.split(' '));
const aboutNothing = new Set('nothing nobody'.split(' '));
const placing = new Set('about on in of when if'.split(' '));

/** "too short", "on the weak side". */
function readDegree(walk: Walk, at: number): void {
  const own = wordAt(walk, at);
  const isSide = own === 'the' && wordAt(walk, at - 1) === 'on' && wordAt(walk, at + 2) === 'side';
  const degree = walk.text[at + 1];
  if ((own !== 'too' && !isSide) || degree === undefined || degree.gap > 0) return;
  const wish = degree.kinds.has('scant') ? 'more' : degree.kinds.has('ample') ? 'less' : null;
  if (wish === null && (isSide || degree.kinds.has('grammar') || degree.word === '')) return;
  if (walk.negated > 0) walk.well += 1;
  else {
    walk.trouble += 1;
    if (wish !== null) walk.wishes.add(wish);
  }
}

/** A sentence or a clause opens with what is to be done. */
function isOrder(walk: Walk, at: number): boolean {
  const { text } = walk;
  const [own, next] = [text[at], text[at + 1]];
  if (own === undefined || next === undefined || next.gap > 0) return false;
  if (!is(walk, at, 'order', 'keep') || walk.negated > 0) return false;
  if (at > 0 && own.gap === 0 && !joins.has(wordAt(walk, at - 1))) return false;
  if (at > 0 && own.gap < 2) return next.word === '' || pointing.has(next.word);
  if (assuring.has(own.word)) return true;
  for (let ahead = at + 1; ahead <= at + 4 && (text[ahead]?.gap ?? 1) === 0; ahead += 1)
    if (is(walk, ahead, 'being', 'modal') || finite.has(wordAt(walk, ahead))) return false;
  return !isThirdPerson(next.word) || next.kinds.has('grammar');
}

const assuring = new Set('verify ensure make'.split(' '));
const joins = new Set('and please then or'.split(' '));
const finite = new Set('should must do does did will'.split(' '));
const pointing = new Set('it this that the them these those a an its all one to back'.split(' '));

function isThirdPerson(word: string): boolean {
  return word.endsWith('s') && !word.endsWith('ss');
}

function order(walk: Walk, at: number, { word, kinds }: RemarkWord): void {
  if (kinds.has('keep')) {
    walk.fates.add('keep');
    return;
  }
  walk.isAsked = true;
  walk.isRequest = true;
  const isDown = word === 'bring' && [wordAt(walk, at + 1), wordAt(walk, at + 2)].includes('down');
  if (kinds.has('raise')) walk.wishes.add('more');
  if (kinds.has('lower') || isDown) walk.wishes.add('less');
  if (kinds.has('remove')) walk.fates.add('remove');
  if (kinds.has('add')) walk.fates.add('add');
}

/** "still needed", "really needs it", "two tenants still depend on it". */
function isStillNeeded(walk: Walk, at: number): boolean {
  return (
    walk.negated === 0 &&
    needed.has(wordAt(walk, at)) &&
    (stressed.has(wordAt(walk, at - 1)) || stressed.has(wordAt(walk, at - 2)))
  );
}

const needed = new Set(
  'needed needs need required requires used uses depends depend relies rely'.split(' '),
);
const stressed = new Set('still really actually indeed'.split(' '));

/** "as it should", "what we want". */
const granting = new Set(['as', 'what']);

function demand(walk: Walk, at: number, { word }: RemarkWord): void {
  const next = wordAt(walk, at + 1);
  const isAsWanted = word === 'rather' || granting.has(wordAt(walk, at - 2));
  if (isAsWanted) return;
  if (walk.negated > 0) {
    if (word === 'required') walk.trouble += 1;
    return;
  }
  if (word === 'need' && next === 'not') return;
  walk.isAsked = true;
  walk.isRequest = true;
}

/** What is to become of it, where no order opens the clause: "should be raised", "is unused". */
function readWish(walk: Walk, at: number, { kinds, word }: RemarkWord): void {
  if (walk.isAsked && ordering.has(wordAt(walk, at - 1))) {
    if (kinds.has('raise')) walk.wishes.add('more');
    if (kinds.has('lower')) walk.wishes.add('less');
  }
  if (kinds.has('remove') && walk.negated === 0 && (walk.isAsked || !word.endsWith('ed')))
    walk.fates.add('remove');
  if (kinds.has('add') && walk.isAsked) walk.fates.add('add');
  if (wasting.has(word) && spent.has(wordAt(walk, at + 1))) walk.wishes.add('less');
}

const ordering = new Set('be to should must'.split(' '));
const wasting = new Set('waste wastes wasting'.split(' '));
const spent = new Set('time memory space'.split(' '));

/** "kept from picking it up": what follows does not happen. */
function isKeptFrom(walk: Walk, at: number): boolean {
  for (let back = at - 1; back >= Math.max(walk.sentence, at - 6); back -= 1)
    if (keeping.has(wordAt(walk, back))) return true;
  return false;
}

const keeping = new Set(
  'keep keeps kept safe protect protects protected stops shields shielded bars barred free immune'.split(
    ' ',
  ),
);

/** What the word says of how things stand, by what reaches it. */
function weigh(walk: Walk, at: number, read: RemarkWord): void {
  const { kinds } = read;
  if (kinds.has('ensuing')) {
    if (walk.isConsequence) walk.well += 1;
    else walk.trouble += 1;
  } else if (kinds.has('trouble')) {
    if (walk.negated > 0) denyTrouble(walk);
    else if (walk.isWarding) walk.well += 1;
    else walk.trouble += 1;
  } else if (kinds.has('dread') && walk.negated > 0) walk.well += 1;
  else if (kinds.has('calm')) weighCalm(walk, at, read);
  else if (kinds.has('ward') || kinds.has('remedy')) weighRemedy(walk, at, read);
  else countLack(walk, read);
}

/** "No SQL injection in the query" lacks neither SQL nor a query. */
function denyTrouble(walk: Walk): void {
  walk.well += 1;
  walk.isDenial = true;
  if (walk.isOfNoun) walk.lack -= walk.missed;
  walk.missed = 0;
}

function weighCalm(walk: Walk, at: number, { word }: RemarkWord): void {
  const last = wordAt(walk, at - 1);
  if (word === 'well' && last === 'as') return;
  if (walk.negated > 0 || walk.lacking > 0 || walk.isWarding || last === 'less' || last === 'non')
    walk.trouble += 1;
  else if (!walk.isAsked && !walk.isPossible && last !== 'more' && isPredicate(walk, at))
    walk.well += 1;
}

/** Not so "a safe way". */
function isPredicate(walk: Walk, at: number): boolean {
  const own = wordAt(walk, at);
  const next = walk.text[at + 1];
  if (own.endsWith('ly') || own === 'dedicated') return true;
  return next === undefined || next.gap > 0 || next.kinds.has('grammar');
}

function weighRemedy(walk: Walk, at: number, { word, kinds }: RemarkWord): void {
  const isWarding = kinds.has('ward');
  if (walk.negated > 0) {
    if (!walk.isWarding && !isSettled(walk)) walk.trouble += 1;
  } else if (walk.isWarding && !isWarding) walk.trouble += 1;
  else if (!walk.isAsked && walk.lacking === 0 && isDone(walk, at, word)) {
    if (isWarding) walk.isWarding = true;
    if (!isWarding || refusing.has(word)) walk.warded += 1;
  }
}

const refusing = new Set('rejects rejected refuses refused'.split(' '));

/** "It is safe, so that nobody has to check it": what follows from its being well is no lack. */
function isSettled({ isConsequence, well }: Walk): boolean {
  return isConsequence && well > 0;
}

function countLack(walk: Walk, { kinds }: RemarkWord): void {
  if (walk.negated === 0 || walk.isDenial || isSettled(walk)) return;
  if (kinds.has('grammar') || kinds.has('vague')) return;
  walk.lack += 1;
  walk.missed += 1;
}

const irregular = new Set(
  'kept caught held freed done met set spelled spelt shut built put'.split(' '),
);
const articles = new Set('be the a an'.split(' '));
const between = new Set('now both all always also just'.split(' '));
const manners = new Set(
  'by with ahead before prior everywhere in at on to via upon inside first now'.split(' '),
);
const pronouns = new Set('it that which and now already then both also this who'.split(' '));

/** Told as done: "closes it", "is closed", "closed by the caller"; not "the closed file", "to be closed". */
function isDone(walk: Walk, at: number, own: string): boolean {
  if (walk.isPossible) return false;
  const [before, next] = [wordAt(walk, at - 1), wordAt(walk, at + 1)];
  const isJoined = walk.text[at]?.gap === 0;
  if (irregular.has(own) || own.endsWith('ed')) {
    for (let back = at - 1; back >= at - 3 && (walk.text[back + 1]?.gap ?? 2) === 0; back -= 1) {
      const other = wordAt(walk, back);
      if (articles.has(other)) return false;
      if (other === 'already' || is(walk, back, 'being')) return true;
      if (!other.endsWith('ly') && !between.has(other)) break;
    }
    return isJoined && manners.has(next);
  }
  return (
    isThirdPerson(own) &&
    isJoined &&
    at > 0 &&
    (before === '' || pronouns.has(before) || !is(walk, at - 1, 'grammar')) &&
    !is(walk, at + 1, 'being') &&
    next !== 'of' &&
    next !== 'for'
  );
}

/** Takes down what the word names, and how it is spoken of. */
function collect(walk: Walk, at: number, { word, kinds, stem, parts, sides }: RemarkWord): void {
  const isContent = word === '' || !kinds.has('grammar');
  if (isContent && !kinds.has('calm') && !kinds.has('demand') && !kinds.has('vague')) {
    walk.objects.add(stem);
    for (const part of parts) walk.objects.add(part);
    if (!walk.isReason && !kinds.has('trouble') && !kinds.has('remedy')) walk.subjects += 1;
    if (walk.negated > 0 || walk.lacking > 0) {
      if (!walk.isAsked) walk.denied.add(stem);
    } else if (!walk.isAsked && !walk.isPossible) walk.affirmed.add(stem);
  }
  for (const [position, side] of sides) takeSide(walk, position, side);
  if (isContent && walk.negated > 0) walk.negated -= 1;
  if (isContent && walk.lacking > 0) walk.lacking -= 1;
  if (kinds.has('absence')) lackAround(walk, at);
}

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
