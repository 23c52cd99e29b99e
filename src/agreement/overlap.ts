/** The `overlap` strategy: two findings are the same when enough words of the shorter wording stand in the longer one. */
import type { Finding } from '../core/words/finding.ts';
import { allPairs, holdersOf, pairsSharing, type Pair, type SelectiveMatcher } from './matching.ts';
import { areDifferentFiles, fileOfFinding, overlapOfWords, words } from './wording/words.ts';

/** `threshold`: whole percent, 0 to 100. */
export function createOverlapMatcher(threshold: number): SelectiveMatcher {
  const readings = new WeakMap<Finding, { words: ReadonlySet<string>; file: string }>();
  const readingOf = (finding: Finding) => {
    const { text } = finding;
    const reading = readings.get(finding) ?? { words: words(text), file: fileOfFinding(finding) };
    readings.set(finding, reading);
    return reading;
  };
  return {
    name: 'overlap',
    version: '1',
    threshold,
    async prepare() {},
    compare(one, other) {
      const [left, right] = [readingOf(one), readingOf(other)];
      const score = Math.max(
        overlapOfWords(left.words, right.words),
        overlapOfWords(right.words, left.words),
      );
      if (areDifferentFiles(left.file, right.file))
        return { same: false, score, reason: 'They name two different files.' };
      const same = score >= threshold;
      const wanted = same ? '' : `; ${threshold} % are needed`;
      return { same, score, reason: `${score} % of the words of one stand in the other${wanted}.` };
    },
    pairs: findings =>
      candidates(
        findings.map(finding => readingOf(finding).words),
        threshold,
      ),
  };
}

/**
 * A match holds at least `threshold` percent of the smaller set, so at most the remainder of its words may be missing
 * from the larger one: of any one word more than that, taken from the rarest, one is shared.
 */
function candidates(sets: readonly ReadonlySet<string>[], threshold: number): Iterable<Pair> {
  if (threshold <= 0) return allPairs(sets.length);
  const holders = holdersOf(sets);
  const telling = sets.map(set => {
    const needed = Math.ceil((threshold * set.size) / 100);
    const rarestFirst = [...set].sort(
      (one, other) => (holders.get(one)?.length ?? 0) - (holders.get(other)?.length ?? 0),
    );
    return rarestFirst.slice(0, set.size - needed + 1);
  });
  return pairsSharing(sets, telling);
}
