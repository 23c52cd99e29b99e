/** The claims of a run that are worth holding against one of them: those that share most of its words, rare ones first. */
import type { Claim } from '../claim.ts';
import { readWording } from './terms.ts';

const most = 24;

/** The most alike first; claims that contradict it are always among them. */
export function rareWordsFirst(claim: Claim, claims: readonly Claim[]): Claim[] {
  const others = claims.filter(({ id }) => id !== claim.id).map(other => ({ other, words: wordsOf(other) }));
  const counts = new Map<string, number>();
  for (const { words } of others) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const own = wordsOf(claim);
  const weigh = (words: ReadonlySet<string>): number => [...words].filter(word => own.has(word)).reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0);
  const weighed = others.map(({ other, words }) => ({ other, weight: claim.contradicts.includes(other.id) ? Number.POSITIVE_INFINITY : weigh(words) }));
  return weighed.filter(({ weight }) => weight > 0).sort((one, two) => two.weight - one.weight || (one.other.id < two.other.id ? -1 : 1)).slice(0, most).map(({ other }) => other);
}

function wordsOf({ findings }: Claim): ReadonlySet<string> {
  return new Set(findings.flatMap(({ text }) => [...readWording(text).words]));
}
