/**
 * A name for each claim that stays the same when lines above it come and go: made of its file, its rule and the code it is about,
 * without white space, so that it outlives other words for the same trouble. Where no code is known the id of the claim stands for it.
 */
import type { Claim } from '../../core/words/claim.ts';
import type { RunRecord } from '../../core/words/run.ts';

/** By claim id: sixteen hex digits, a colon, and which of those that would be called the same it is, counted from 1 down the file. */
export function fingerprintClaims(
  { claims, frames = {} }: Pick<RunRecord, 'claims' | 'frames'>,
  ruleOf: (claim: Claim) => string,
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const inOrder = claims.toSorted(
    (one, other) => lineOf(one) - lineOf(other) || (one.id < other.id ? -1 : 1),
  );
  return new Map(
    inOrder.map(claim => {
      const frame = Object.hasOwn(frames, claim.id) ? frames[claim.id] : undefined;
      const code = frame?.lines
        .slice(frame.from - frame.first, frame.to - frame.first + 1)
        .join('')
        .replace(/\s+/g, '');
      const print = hash64(
        [
          claim.location?.path ?? '',
          ruleOf(claim),
          code === undefined || code === '' ? claim.id : code,
        ].join('\n'),
      );
      const count = (counts.get(print) ?? 0) + 1;
      counts.set(print, count);
      return [claim.id, `${print}:${count}`];
    }),
  );
}

function lineOf({ location }: Claim) {
  return location?.line ?? 0;
}

/** Two 32-bit FNV-1a sums over UTF-16 units, from two beginnings. Names things and protects nothing. */
function hash64(text: string) {
  let [one, other] = [0x811c9dc5, 0x050c5d1f];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit ^ (index & 0xff), 0x01000193);
  }
  return [one, other].map(sum => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}
