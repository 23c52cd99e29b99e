/** Can nobody want both of two clauses? Asked of what each was read as; the order of the two does not matter. */
import type { Clause } from './clauses.ts';
import { limiting } from './lexicon.ts';

/** Terms that both are about, and their share of the terms of the clause with fewer. What else the longer one says does not matter. */
export const sameMatter = { leastTerms: 3, share: 0.65 } as const;

/** Clauses that differ in a number only have little else to differ in. */
const sameButAmount = 0.75;

/** A denial of more than is asked for is none; so many terms more make it one of something narrower. */
const mostNarrowing = 2;

export function contradict(one: Clause, other: Clause): boolean {
  if (!canContradict(one, other)) return false;
  const share = shareOf(one, other);
  if (share < sameMatter.share) return false;
  if (isExcepted(one, other) || isExcepted(other, one))
    return !one.isNegative && !other.isNegative && (lacks(one, other) || lacks(other, one));
  const isTurned = takeOtherSides(one, other);
  if (one.isNegative !== other.isNegative) {
    const [negative, positive] = one.isNegative ? [one, other] : [other, one];
    return !isTurned && !one.isUnsure && !other.isUnsure && deniesOf(negative, positive);
  }
  if (isTurned) return !one.isNegative && !one.isAddition && !other.isAddition;
  return share >= sameButAmount && haveOtherAmounts(one, other);
}

/** Most pairs of clauses agree in everything that could be opposite, and are not looked at any further. */
function canContradict(one: Clause, other: Clause): boolean {
  return (
    one.isNegative !== other.isNegative ||
    one.lacking.size + other.lacking.size > 0 ||
    (one.order !== null && other.order !== null) ||
    (one.amount !== null && other.amount !== null) ||
    haveOtherSides(one, other)
  );
}

function haveOtherSides({ terms }: Clause, other: Clause): boolean {
  for (const [term, side] of terms) {
    const against = other.terms.get(term);
    if (against !== undefined && side !== against) return true;
  }
  return false;
}

/** 0 where they have too few terms in common. */
function shareOf(one: Clause, other: Clause): number {
  const [fewer, more] = one.terms.size <= other.terms.size ? [one, other] : [other, one];
  let common = 0;
  for (const term of fewer.terms.keys()) if (more.terms.has(term)) common += 1;
  return common < sameMatter.leastTerms ? 0 : common / fewer.terms.size;
}

/** What one leaves out is what the other speaks of: "not without a vote", "after a vote". */
function isExcepted({ excepted }: Clause, other: Clause): boolean {
  for (const term of excepted) if (other.terms.has(term) && !other.excepted.has(term)) return true;
  return false;
}

/** "Without a vote", "only with a vote". */
function lacks(
  { lacking }: Clause,
  { isBinding, excepted, stated, terms, isOnly }: Clause,
): boolean {
  for (const term of lacking)
    if (isBinding && !excepted.has(term) && (stated.has(term) || (isOnly && terms.has(term))))
      return true;
  return false;
}

function deniesOf({ denied, narrowing }: Clause, { terms, stated }: Clause): boolean {
  for (const term of denied) if (!stated.has(term)) return false;
  const narrower = narrowing.filter(term => !terms.has(term));
  return narrower.length <= mostNarrowing && !narrower.some(term => limiting.has(term));
}

/** They take different sides of two opposites, of the same object where both name one. */
function takeOtherSides(one: Clause, other: Clause): boolean {
  let isTurned = false;
  for (const [term, side] of one.terms) {
    const against = other.terms.get(term);
    if (against === undefined || side === null || against === null || side === against) continue;
    const [object, otherObject] = [one.objects.get(term), other.objects.get(term)];
    if (object === undefined || otherObject === undefined || object === otherObject)
      isTurned = true;
  }
  return isTurned !== areInOtherOrder(one, other);
}

/** "Publish before the vote", "vote before it is published". */
function areInOtherOrder({ order }: Clause, { order: other }: Clause): boolean {
  if (order === null || other === null) return false;
  const straight = countCommon(order[0], other[0]) + countCommon(order[1], other[1]);
  return countCommon(order[0], other[1]) + countCommon(order[1], other[0]) > straight;
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const term of one) if (other.has(term)) count += 1;
  return count;
}

function haveOtherAmounts({ amount }: Clause, { amount: other }: Clause): boolean {
  if (amount === null || other === null) return false;
  if (amount.unit !== other.unit || amount.value === other.value) return false;
  return amount.bound !== 'least' || other.bound !== 'least';
}
