// The strategies side by side. Each is fitted on some repositories, where it has anything to fit, and yields a matcher.
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { createOverlapMatcher } from '../../dist/agreement/overlap.js';
import { words } from '../../dist/agreement/wording/words.js';
import { fitOnce } from './cross-validation.mjs';

/** @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel */

const cuts = [0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25, 0.3];

/**
 * `pairwise` strategies are measured before grouping too.
 * @type {readonly { readonly name: string, readonly isPairwise: boolean,
 *   readonly fit: (panels: readonly ReadPanel[]) => import('../../dist/index.js').Matcher }[]}
 */
export const strategies = [
  { name: 'word overlap ≥ 60 %', isPairwise: true, fit: () => createOverlapMatcher(60) },
  {
    name: 'Jaccard, cut fitted',
    isPairwise: true,
    fit: panels => createJaccardMatcher(bestCut(panels)),
  },
  {
    name: 'calibrated',
    isPairwise: false,
    fit: panels => createCalibratedMatcher(fitOnce(panels)),
  },
];

/** @returns {import('../../dist/index.js').Matcher} */
function createJaccardMatcher(/** @type {number} */ cut) {
  /** @type {Map<string, ReadonlySet<string>>} */
  const read = new Map();
  const wordsOf = (/** @type {string} */ text) => {
    const own = read.get(text) ?? words(text);
    read.set(text, own);
    return own;
  };
  return {
    name: 'jaccard',
    version: '1',
    threshold: null,
    async prepare() {},
    compare(one, other) {
      const score = jaccard(wordsOf(one.text), wordsOf(other.text));
      return { same: score >= cut, score: 100 * score, reason: '' };
    },
  };
}

/** Of two sets of words: what both hold, over what either holds. */
export function jaccard(
  /** @type {ReadonlySet<string>} */ one,
  /** @type {ReadonlySet<string>} */ other,
) {
  const both = [...one].filter(word => other.has(word)).length;
  return both / Math.max(one.size + other.size - both, 1);
}

/** The cut with the best pairwise F1. */
function bestCut(/** @type {readonly ReadPanel[]} */ panels) {
  const scored = panels.flatMap(panel =>
    labelledPairs(panel).map(({ one, other, isSame }) => ({
      score: jaccard(words(panel.findings[one].text), words(panel.findings[other].text)),
      isSame,
    })),
  );
  const f1 = (/** @type {number} */ cut) => {
    const hits = scored.filter(({ score, isSame }) => isSame && score >= cut).length;
    return (
      (2 * hits) /
      (scored.filter(({ score }) => score >= cut).length +
        scored.filter(({ isSame }) => isSame).length)
    );
  };
  return cuts.reduce((best, cut) => (f1(cut) > f1(best) ? cut : best));
}

/** Cross-reviewer pairs of which at least one finding matches a known issue. */
export function labelledPairs(/** @type {ReadPanel} */ { findings, issues }) {
  return findings.flatMap((finding, one) =>
    findings
      .slice(0, one)
      .flatMap((earlier, other) =>
        earlier.reviewer === finding.reviewer || (issues[one] ?? issues[other]) === null
          ? []
          : [{ one, other, isSame: issues[one] === issues[other] }],
      ),
  );
}
