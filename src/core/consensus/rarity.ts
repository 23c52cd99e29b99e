/** How much a term tells, by the run's own statistics: what everybody says says little. */
import type { Terms } from './terms.ts';

/** Weight of a term, 1 on average over the run. */
export type Rarity = (term: string) => number;

/** Wordings of one reviewer that count, at most: a flood of one voice must not make the words of the others common. */
const loudest = 50;

/** Assumed number of other wordings, so that in a run of three findings a word that two of them share is not common. */
const background = 20;

/** Inverse document frequency, `ln(1 + (N + 20) / (n + 0.5))`, each reviewer's counts scaled down to at most 50 wordings. */
export function measureRarity(wordings: readonly { readonly reviewer: string; readonly terms: Terms }[]): Rarity {
  const spoken = new Map<string, number>();
  for (const { reviewer } of wordings) spoken.set(reviewer, (spoken.get(reviewer) ?? 0) + 1);
  const frequency = new Map<string, number>();
  let total = 0;
  for (const { reviewer, terms } of wordings) {
    const voice = Math.min(1, loudest / (spoken.get(reviewer) ?? 1));
    total += voice;
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + voice);
  }
  const raw = (often: number): number => Math.log(1 + (total + background) / (often + 0.5));
  let [sum, count] = [0, 0];
  for (const often of frequency.values()) {
    sum += often * raw(often);
    count += often;
  }
  const mean = count === 0 ? 1 : sum / count;
  const known = new Map([...frequency].map(([term, often]) => [term, raw(often) / mean]));
  return term => known.get(term) ?? raw(0) / mean;
}
