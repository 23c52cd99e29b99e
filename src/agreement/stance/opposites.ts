/** Do two remarks say the opposite of each other about the same thing? Asked of what each was read as. */
import type { Stance } from './stance.ts';

/** Shares of the objects of the remark with fewer, from which the two are about the same thing. */
const sameObject = {
  trouble: 0.2,
  open: 0.25,
  wishes: 0.12,
  fates: 0.25,
  flip: 0.4,
  refusal: 0.3,
  sides: 0.2,
};

/** A longer remark tells of both sides of most things. */
const mostObjects = 12;

/** `isOnePlace`: they stand at the same lines, so that "already fixed" is about what the other one says. */
export function areOpposite(one: Stance, other: Stance, isOnePlace = false): boolean {
  if (!canOppose(one, other)) return false;
  const shared = countShared(one.objects, other.objects);
  const share = shared / Math.max(1, Math.min(one.objects.size, other.objects.size));
  if (denies(one, other, share) || denies(other, one, share)) return true;
  if (isOnePlace && (answersAtPlace(one, other, shared) || answersAtPlace(other, one, shared)))
    return true;
  if (
    wishOtherwise(one, other) &&
    (share >= sameObject.wishes || (isOnePlace && hasFew(one, other)))
  )
    return true;
  if (
    haveOtherFates(one, other) &&
    (share >= sameObject.fates || (isOnePlace && (isKept(one, other) || hasFew(one, other))))
  )
    return true;
  if (Math.max(one.objects.size, other.objects.size) > mostObjects) return false;
  // "Does not name an owner" and "names no owner" say no of one thing.
  if (countShared(one.denied, other.denied) > 0)
    return share >= sameObject.sides && takeOtherSides(one, other);
  if (share >= sameObject.refusal && (refuses(one, other) || refuses(other, one))) return true;
  if (share >= sameObject.flip && (flips(one, other) || flips(other, one))) return true;
  return share >= sameObject.sides && takeOtherSides(one, other);
}

/** Most pairs cannot, and are not looked at any further. */
function canOppose(one: Stance, other: Stance): boolean {
  return (
    one.says !== other.says ||
    wishOtherwise(one, other) ||
    haveOtherFates(one, other) ||
    (one.sides.size > 0 && other.sides.size > 0) ||
    one.refused.size + other.refused.size > 0 ||
    (one.says === 'open' && one.denied.size + other.denied.size > 0)
  );
}

function denies(one: Stance, other: Stance, share: number): boolean {
  if (one.says !== 'denial' || other.says === 'denial' || wardsOffElse(one, other)) return false;
  return share >= sameObject[other.says];
}

/** "The size is checked" is no answer to "errors are swallowed": both say what they are about, and it is not the same. */
function wardsOffElse(one: Stance, other: Stance): boolean {
  return (
    one.isWarded &&
    one.topics.size > 0 &&
    (other.topics.size > 0 || other.isRequest) &&
    ![...one.topics].some(topic => other.topics.has(topic))
  );
}

/** At one place a single word tells what a denial is about, and none is needed by one that names nothing. */
function answersAtPlace(one: Stance, other: Stance, shared: number): boolean {
  if (one.says !== 'denial' || other.says === 'denial' || wardsOffElse(one, other)) return false;
  return one.isBare || shared > 0 || [...one.topics].some(topic => other.topics.has(topic));
}

function wishOtherwise(one: Stance, other: Stance): boolean {
  return one.wants !== null && other.wants !== null && one.wants !== other.wants;
}

function haveOtherFates(one: Stance, other: Stance): boolean {
  const isRemoved = one.fate === 'remove' || other.fate === 'remove';
  return isRemoved && one.fate !== null && other.fate !== null && one.fate !== other.fate;
}

function isKept(one: Stance, other: Stance): boolean {
  return one.fate === 'keep' || other.fate === 'keep';
}

const few = 2;

function hasFew(one: Stance, other: Stance): boolean {
  return Math.min(one.objects.size, other.objects.size) <= few;
}

/** One says no of what the other tells as a fact. */
function flips(one: Stance, other: Stance): boolean {
  if (other.says === 'trouble') return false;
  for (const stem of one.denied)
    if (other.affirmed.has(stem) && !other.denied.has(stem)) return true;
  return false;
}

/** One does no more than say no of what the other tells or fears: "cannot outlive", "outlives". */
function refuses(one: Stance, other: Stance): boolean {
  for (const stem of one.refused)
    if ((other.affirmed.has(stem) || other.feared.has(stem)) && !other.denied.has(stem))
      return true;
  return false;
}

/** They take different sides of at least one pair of antonyms, and the same side of none. */
function takeOtherSides(one: Stance, other: Stance): boolean {
  let isTurned = false;
  for (const [position, side] of one.sides) {
    const against = other.sides.get(position);
    if (against === undefined) continue;
    if (side === null || against === null) return false;
    if ((side.side !== against.side) !== (side.isDenied === against.isDenied)) return false;
    isTurned = true;
  }
  return isTurned;
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  let count = 0;
  for (const each of fewer) if (more.has(each)) count += 1;
  return count;
}
