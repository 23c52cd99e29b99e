/** How things stand by the words of a remark: what is wrong, what is well, and what is said no of. */
import type { RemarkWord } from './remark-words.ts';
import { calmOpenings, calmPhrases } from './lexicon.ts';
import { is, isThirdPerson, nothingTold, reach, type Walk, wordAt } from './walk.ts';

/** "It may grow", "could increase the load", "can raise an AttributeError": where nothing is well, it is feared. */
export function isFear(walk: Walk, at: number): boolean {
  const own = wordAt(walk, at);
  if (walk.isAside || walk.negated > 0 || is(walk, at + 1, 'negator')) return false;
  return fears.has(own) || (own === 'can' && raising.has(wordAt(walk, at + 1)));
}

const fears = new Set('may might could'.split(' '));
const raising = new Set('raise throw'.split(' '));

/** "Checked it", "I checked it; not "is checked". */
export function isOwnDeed(walk: Walk, at: number): boolean {
  return at === walk.sentence || ownVoice.has(wordAt(walk, at - 1));
}

const ownVoice = new Set('i we'.split(' '));

/**
 * "The table is correct. Still, …", "correct for ASCII only": what was well is taken back or limited. "It looks like an injection,
 * but …": what only seemed so is not said.
 */
export function turnOver(walk: Walk, at: number, { word }: RemarkWord): void {
  if (openingTurns.has(word) && at !== walk.sentence) return;
  walk.isPraise = false;
  if (limits.has(word)) {
    if (walk.well > walk.wellSoFar) walk.isTurned = true;
    return;
  }
  const isTurned = walk.well + walk.warded > 0;
  if (isTurned) walk.isTurned = true;
  if (!walk.isSeeming) return;
  Object.assign(walk, nothingTold, {
    isAsked: false,
    isWarding: false,
    isSeeming: false,
    isTurned,
  });
}

/** Only where they open a sentence. */
const openingTurns = new Set('still yet though'.split(' '));
/** Only behind what is well, in the same sentence. */
const limits = new Set('only merely except unless'.split(' '));

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

export function readPhrases(walk: Walk, at: number): void {
  const own = wordAt(walk, at);
  if (walk.negated > 0) return;
  for (const { words, isTakingBack } of phrases.get(own) ?? []) {
    if (!words.every((each, ahead) => each.includes(wordAt(walk, at + 1 + ahead)))) continue;
    if (isTakingBack) takeBack(walk);
    else walk.well += 1;
  }
  if (at === walk.sentence && openings.has(own) && isOpening(walk, at)) {
    takeBack(walk);
    walk.isPraise = !agreeing.has(wordAt(walk, at + 1));
  }
}

/** "Fixed in the last push", "nice use of a set"; not "resolved addresses are cached". */
function isOpening(walk: Walk, at: number): boolean {
  const next = walk.text[at + 1];
  if (next === undefined || next.gap > 0) return true;
  return next.kinds.has('grammar') ? !next.kinds.has('being') : !wordAt(walk, at).endsWith('ed');
}

/** "Good catch" praises who complains. */
const agreeing = new Set('catch find spot point question'.split(' '));

function takeBack(walk: Walk): void {
  walk.trouble = walk.troubleBefore;
  walk.mild = 0;
  walk.lack = 0;
  walk.well += 1;
}

/** "no", "not", "nothing". True when nothing follows that it says no of. */
export function negate(walk: Walk, at: number, { word, gap }: RemarkWord): boolean {
  const next = walk.text[at + 1];
  const isLast = next === undefined || next.gap > 0;
  if (
    word === 'none' &&
    (gap > 0 || found.has(wordAt(walk, at - 1))) &&
    (isLast || isFound(walk, at + 1))
  )
    takeBack(walk);
  else if (word === 'nothing' && walk.hasSearched && (isLast || is(walk, at + 1, 'grammar')))
    takeBack(walk);
  else if (word === 'non') spare(walk, at + 1);
  else if (word === 'not' && isLast && walk.well > 0) walk.isTurned = true;
  else if (word === 'not' && isKeeping(walk, at)) walk.fates.add('keep');
  else if (word === 'no' && at === walk.sentence && isLast) walk.well += 1;
  else if (word === 'without' && wordAt(walk, at - 1) === 'or') return true;
  else if (word === 'no' && needless.has(next?.word ?? '')) {
    walk.well += 1;
    walk.spared = at + 1;
  } else if (aboutNothing.has(word) && placing.has(next?.word ?? '')) walk.trouble += 1;
  else if (!(word === 'not' && next?.word === 'only')) {
    walk.negated = reach;
    walk.missed = 0;
    walk.isDenial = false;
    walk.isOfNoun = ofNouns.has(word);
    walk.isOfLack = lackOf.has(word);
    if (walk.hasSearched && word === 'no') walk.well += 1;
  }
  return true;
}

/** "None found", at the end. */
function isFound(walk: Walk, at: number): boolean {
  return found.has(wordAt(walk, at)) && (walk.text[at + 1]?.gap ?? 1) > 0;
}

/** "Do not remove it": an order, where "it does not remove it" is a lack. */
function isKeeping(walk: Walk, at: number): boolean {
  const isOrdered =
    wordAt(walk, at - 1) === 'do' &&
    (at - 1 === walk.sentence || wordAt(walk, at - 2) === 'please');
  if (isOrdered && is(walk, at + 1, 'remove')) walk.spared = at + 1;
  return walk.spared === at + 1;
}

/** "a non-issue", "non-deterministic": the next word is read here. */
function spare(walk: Walk, at: number): void {
  if (is(walk, at, 'calm')) walk.trouble += 1;
  else if (is(walk, at, 'trouble')) walk.well += 1;
  walk.spared = at;
}

const ofNouns = new Set(
  'no kein keine keinen keiner keinem ohne sans pas aucun aucune sin ninguna ningun'.split(' '),
);
const lackOf = new Set('without ohne sans sin'.split(' '));
const found = new Set('found seen saw see is are was were has'.split(' '));
const needless = new Set('need change changes action fix objection objections'.split(' '));
const aboutNothing = new Set('nothing nobody'.split(' '));
const placing = new Set('about on in of when if'.split(' '));

/** "too short", "on the weak side". */
export function readDegree(walk: Walk, at: number): void {
  const own = wordAt(walk, at);
  const isSide = own === 'on' && wordAt(walk, at + 1) === 'the' && wordAt(walk, at + 3) === 'side';
  const degree = walk.text[isSide ? at + 2 : at + 1];
  if ((own !== 'too' && !isSide) || degree === undefined || degree.gap > 0) return;
  const wish = degree.kinds.has('scant') ? 'more' : degree.kinds.has('ample') ? 'less' : null;
  if (wish === null && (isSide || degree.kinds.has('grammar') || degree.word === '')) return;
  if (walk.negated > 0) walk.well += 1;
  else {
    walk.trouble += 1;
    if (wish !== null) walk.wishes.add(wish);
  }
}

/** "kept from picking it up": what follows does not happen. */
export function isKeptFrom(walk: Walk, at: number): boolean {
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
export function weigh(walk: Walk, at: number, read: RemarkWord): void {
  const { kinds, word } = read;
  if (kinds.has('ensuing')) {
    if (walk.isConsequence) walk.well += 1;
    else walk.trouble += 1;
  } else if (kinds.has('trouble')) {
    if (walk.negated > 0 && !isBehindLack(walk, word)) denyTrouble(walk);
    else if (walk.isWarding) walk.well += 1;
    else if (isInPassing(walk) || isEpithet(walk, at, read)) walk.mild += 1;
    else walk.trouble += 1;
  } else if (kinds.has('dread') && walk.negated > 0) walk.well += 1;
  else if (kinds.has('calm')) weighCalm(walk, at, read);
  else if (kinds.has('ward') || kinds.has('remedy')) weighRemedy(walk, at, read);
  else countLack(walk, read);
}

/** "a slow peer", "forged requests", "ran it twice": it tells what is spoken of, and nothing that is wrong with it. */
function isEpithet(walk: Walk, at: number, { kinds, word }: RemarkWord): boolean {
  if (word === 'twice') return walk.hasChecked || is(walk, at + 1, 'being');
  if (kinds.has('mild') ? at === walk.sentence : !word.endsWith('ed')) return false;
  const next = walk.text[at + 1];
  const isName = next?.gap === 0 && !next.kinds.has('grammar');
  return isName && (kinds.has('mild') || !is(walk, at - 1, 'being'));
}

/** "while the drawer is closed", "good call to stream it instead": nothing of it is what the remark complains of. */
function isInPassing({ isAside, isPraise }: Walk): boolean {
  return isAside || isPraise;
}

/** "without the flag leaks": what comes of the lack is not denied. */
function isBehindLack({ isOfLack, negated }: Walk, word: string): boolean {
  return isOfLack && negated < reach && isThirdPerson(word);
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
  if (walk.negated > 0 || walk.lacking > 0 || walk.isWarding || last === 'less') walk.trouble += 1;
  else if (!walk.isAsked && !walk.isPossible && last !== 'more' && isPredicate(walk, at)) {
    // "Nobody else calls it, so renaming is safe": what was told before is the ground of it.
    if (walk.isConsequence) takeBack(walk);
    else walk.well += 1;
    // "Safe to run twice".
    if (wordAt(walk, at + 1) === 'to') walk.isAside = true;
  }
}

/** "is safe", "safe, since"; not "a safe way", "returned Ok". */
function isPredicate(walk: Walk, at: number): boolean {
  const own = wordAt(walk, at);
  const next = walk.text[at + 1];
  if (own.endsWith('ly') || own === 'dedicated') return true;
  if (at === walk.sentence && next?.gap === 0 && articles.has(next.word)) return false;
  if (next !== undefined && next.gap === 0 && !next.kinds.has('grammar')) return false;
  for (let back = at; back >= at - 4 && back >= 0; back -= 1) {
    if (back < at && (is(walk, back, 'being', 'seeming') || stative.has(wordAt(walk, back))))
      return true;
    if (back === walk.sentence || walk.text[back]?.gap !== 0) return true;
  }
  return false;
}

const stative = new Set(
  'keep keeps kept stay stays stayed remain remains come comes left make makes feels ist sind est sont es son'.split(
    ' ',
  ),
);

function weighRemedy(walk: Walk, at: number, { word, kinds }: RemarkWord): void {
  const isWarding = kinds.has('ward');
  if (walk.negated > 0) {
    if (!walk.isWarding && !isSettled(walk)) walk.trouble += 1;
  } else if (walk.isWarding && !isWarding) walk.trouble += 1;
  else if (!walk.isAsked && !walk.isAside && walk.lacking === 0 && isDone(walk, at, word)) {
    if (isWarding) walk.isWarding = true;
    if (!isWarding || refusing.has(word)) walk.warded += 1;
  }
}

const refusing = new Set('rejects rejected refuses refused'.split(' '));

/** "It is safe, so that nobody has to check it": what follows from its being well is no lack. */
function isSettled({ isConsequence, well }: Walk): boolean {
  return isConsequence && well > 0;
}

export function countLack(walk: Walk, { kinds }: RemarkWord): void {
  if (walk.negated === 0 || walk.isDenial || isSettled(walk)) return;
  if (kinds.has('grammar') || kinds.has('vague')) return;
  if (isInPassing(walk)) {
    walk.mild += 1;
    return;
  }
  walk.lack += 1;
  walk.missed += 1;
}

const irregular = new Set(
  'kept caught held freed done met set spelled spelt shut built put'.split(' '),
);
const articles = new Set('be the a an'.split(' '));
const between = new Set('now both all always also just'.split(' '));
const manners = new Set('by with via ahead prior everywhere upstream'.split(' '));
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
    walk.text[at + 1]?.gap === 0 &&
    (before === '' || pronouns.has(before) || !is(walk, at - 1, 'grammar')) &&
    !is(walk, at + 1, 'being') &&
    next !== 'of' &&
    next !== 'for'
  );
}
