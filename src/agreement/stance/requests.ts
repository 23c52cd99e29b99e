/** What a remark asks for: a change, more or less of something, its end, or that it stays. */
import type { RemarkWord } from './remark-words.ts';
import { is, isThirdPerson, type Walk, type Wish, wordAt } from './walk.ts';

/** A sentence or a clause opens with what is to be done. */
export function isOrder(walk: Walk, at: number): boolean {
  const { text } = walk;
  const [own, next] = [text[at], text[at + 1]];
  if (own === undefined || !is(walk, at, 'order', 'keep') || walk.negated > 0) return false;
  if (next === undefined || next.gap > 0) return own.gap >= 2 && is(walk, at, 'raise', 'lower');
  if (at > 0 && own.gap === 0) {
    if (!(walk.isRequest && joins.has(wordAt(walk, at - 1))) && !isAskedFor(walk, at)) return false;
    return true;
  }
  if (at > 0 && own.gap < 2) return next.word === '' || pointing.has(next.word);
  if (assuring.has(own.word)) return true;
  // "Cache invalidation looks right" orders nothing; "check that it looks right" does.
  let isOneName = true;
  for (let ahead = at + 1; ahead <= at + 4 && (text[ahead]?.gap ?? 1) === 0; ahead += 1) {
    if (is(walk, ahead, 'being', 'modal', 'negator') || finite.has(wordAt(walk, ahead)))
      return false;
    if (isOneName && is(walk, ahead, 'seeming')) return false;
    isOneName &&= !is(walk, ahead, 'grammar');
  }
  return !isThirdPerson(next.word) || next.kinds.has('grammar');
}

/** "Could we be more generous?" */
export function isPlea(walk: Walk, at: number): boolean {
  return (
    at === walk.sentence && pleading.has(wordAt(walk, at)) && pleaded.has(wordAt(walk, at + 1))
  );
}

const pleading = new Set('could can would'.split(' '));
const pleaded = new Set('we you'.split(' '));

/** "Please raise", "I'd raise", "could we raise": nothing but such words stands before it in the clause. */
function isAskedFor(walk: Walk, at: number): boolean {
  let isWished = false;
  for (let back = at - 1; back >= 0 && leading.has(wordAt(walk, back)); back -= 1) {
    isWished ||= wishing.has(wordAt(walk, back));
    if (walk.text[back]?.gap !== 0) return isWished;
  }
  return false;
}

const leading = new Set('i we you d let s us would could can maybe perhaps please just'.split(' '));
const wishing = new Set('d let would could can maybe perhaps please'.split(' '));

const assuring = new Set('verify ensure make'.split(' '));
const joins = new Set('and then or'.split(' '));
const finite = new Set('should must do does did will'.split(' '));
const pointing = new Set('it this that the them these those a an its all one to back'.split(' '));

export function order(walk: Walk, { kinds }: RemarkWord): void {
  if (kinds.has('keep')) {
    walk.fates.add('keep');
    return;
  }
  walk.isAsked = true;
  walk.isRequest = true;
  if (kinds.has('raise')) walk.wishes.add('more');
  if (kinds.has('lower')) walk.wishes.add('less');
  if (kinds.has('remove')) walk.fates.add('remove');
  if (kinds.has('add')) walk.fates.add('add');
}

/** "still needed", "really needs it", "two tenants still depend on it". */
export function isStillNeeded(walk: Walk, at: number): boolean {
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

export const having = new Set('has have'.split(' '));

/** "as it should", "what we want". */
const granting = new Set(['as', 'what']);

export function demand(walk: Walk, at: number, { word }: RemarkWord): void {
  const next = wordAt(walk, at + 1);
  const isAsWanted = word === 'rather' || granting.has(wordAt(walk, at - 2));
  if (isAsWanted) return;
  if (walk.negated > 0) {
    if (word === 'required') walk.trouble += 1;
    return;
  }
  if (word === 'need' && next === 'not') return;
  if (staying.has(next)) {
    walk.fates.add('keep');
    return;
  }
  // "Deliberate: we want the job to stop."
  if (wanting.has(word) && walk.well > walk.wellBefore) return;
  walk.isAsked = true;
  walk.isRequest = true;
}

const staying = new Set('stay remain'.split(' '));
const wanting = new Set('want need needs must'.split(' '));

/** What is to become of it, where no order opens the clause: "should be raised", "is unused". */
export function readWish(walk: Walk, at: number, { kinds, word }: RemarkWord): void {
  if (walk.isAsked && ordering.has(wordAt(walk, at - 1))) {
    if (kinds.has('raise')) walk.wishes.add('more');
    if (kinds.has('lower')) walk.wishes.add('less');
  }
  if (kinds.has('remove') && walk.negated === 0 && (walk.isAsked || isVerdict(walk, at, word)))
    walk.fates.add('remove');
  if (kinds.has('add') && walk.isAsked && ordering.has(wordAt(walk, at - 1))) walk.fates.add('add');
  if (walk.isAsked && walk.negated === 0) {
    if (larger.has(word)) walk.wishes.add('more');
    if (smaller.has(word)) walk.wishes.add('less');
  }
  const way = ways.get(word);
  if (way !== undefined && walk.isAsked && walk.negated === 0 && isMoved(walk, at))
    walk.wishes.add(way);
  const isMore = word === 'more';
  if (walk.isAsked && walk.negated === 0 && (isMore || word === 'less')) {
    if (is(walk, at + 1, 'ample')) walk.wishes.add(isMore ? 'more' : 'less');
    if (is(walk, at + 1, 'scant')) walk.wishes.add(isMore ? 'less' : 'more');
  }
  if (word === 'excessive' && walk.negated === 0) walk.wishes.add('less');
  if (word === 'insufficient') walk.wishes.add('more');
  if (
    walk.isAsked &&
    ((leaving.has(word) && wordAt(walk, at - 1) === 'should') ||
      (word === 'off' && wordAt(walk, at - 1) === 'come'))
  )
    walk.fates.add('remove');
  if (due.has(word) && is(walk, at - 1, 'being')) walk.fates.add('keep');
  if (due.has(word) && walk.negated > 0) walk.fates.add('remove');
  if (wasting.has(word) && spent.has(wordAt(walk, at + 1))) walk.wishes.add('less');
}

/** "should go down", "bring it up". */
function isMoved(walk: Walk, at: number): boolean {
  return moving.has(wordAt(walk, at - 1)) || moving.has(wordAt(walk, at - 2));
}

const ways: ReadonlyMap<string, Wish> = new Map([
  ['up', 'more'],
  ['down', 'less'],
]);
const moving = new Set('go come bring turn move'.split(' '));
const ordering = new Set('be to should must'.split(' '));

/** "is unused"; not "dead cells", "removed". */
function isVerdict(walk: Walk, at: number, word: string): boolean {
  const next = walk.text[at + 1];
  return !past.has(word) && (next === undefined || next.gap > 0 || next.kinds.has('grammar'));
}

const past = new Set('removed dropped deleted'.split(' '));
const larger = new Set('longer higher larger bigger'.split(' '));
const smaller = new Set('shorter lower smaller fewer'.split(' '));
const leaving = new Set('go'.split(' '));
const due = new Set('needed necessary warranted'.split(' '));
const wasting = new Set('waste wastes wasting'.split(' '));
const spent = new Set('time memory space'.split(' '));
