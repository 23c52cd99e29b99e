// How well the strategies merge, how far agreement can be trusted, and what each group of evidence adds.
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { drawPulls, estimate } from './bootstrap.mjs';
import { claimsOf } from './claims-of.mjs';
import { labellingsOf, repositoriesOf } from './labelled-panels.mjs';
import { fitMatcher } from './matcher-fit.mjs';
import { countBySupport, countFused, precisionFrom, scoreClaims, scorePairs } from './measures.mjs';
import { labelledPairs, strategies } from './strategies.mjs';
import { between, figure, percentBetween, table } from './tables.mjs';
import { pullsOf, tallyPanels } from './tallies.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('./tallies.mjs').Claim} Claim
 * @typedef {{ readonly labelling: string, readonly isSame: boolean, readonly isNamed: boolean }} JudgedPair
 * @typedef {{ readonly claims: readonly Claim[], readonly judged: readonly JudgedPair[] }} Formed
 */

/**
 * `claims` of the calibrated strategy and `shipped` were formed before; the others are formed here.
 * @param {{ readonly panels: readonly ReadPanel[], readonly beside: readonly ReadPanel[] }} data
 * @param {{ readonly claims: readonly Claim[] | undefined, readonly shipped: readonly Claim[] }} formed
 */
export async function comparison({ panels, beside }, { claims, shipped }) {
  const drawn = drawPulls(pullsOf(panels));
  const rows = [];
  for (const strategy of strategies) {
    const formed =
      strategy.name === 'calibrated'
        ? { claims: claims ?? [], judged: [] }
        : await formWith(strategy, panels, beside);
    if (formed.claims.length > 0) rows.push(...rowsOf(strategy.name, panels, formed, drawn));
  }
  rows.push(...rowsOf('calibrated, shipped', panels, { claims: shipped, judged: [] }, drawn));
  return table(
    'Merging: cross-reviewer pairs of which at least one finding matches a known issue (before: of the pairs alone, ungrouped)',
    ['strategy', 'labelling', 'before', 'precision', 'recall', 'F1', 'fused, %', 'of', 'votes F1'],
    rows,
  );
}

/**
 * @param {(typeof strategies)[number]} strategy
 * @param {readonly ReadPanel[]} panels
 * @param {readonly ReadPanel[]} beside
 * @returns {Promise<Formed>}
 */
async function formWith({ fit, isPairwise }, panels, beside) {
  const claims = [];
  /** @type {JudgedPair[]} */
  const judged = [];
  for (const repository of repositoriesOf(panels)) {
    const others = [...panels, ...beside].filter(panel => panel.repository !== repository);
    const matcher = fit(others.length > 0 ? others : panels);
    for (const panel of panels.filter(each => each.repository === repository)) {
      claims.push(...(await claimsOf(panel, matcher)));
      if (isPairwise)
        judged.push(
          ...labelledPairs(panel).map(({ one, other, isSame }) => ({
            labelling: panel.labelling,
            isSame,
            isNamed: matcher.compare(panel.findings[one], panel.findings[other]).same,
          })),
        );
    }
  }
  return { claims, judged };
}

/**
 * @param {string} name
 * @param {readonly ReadPanel[]} panels
 * @param {Formed} formed
 * @param {ReturnType<typeof drawPulls>} drawn
 */
function rowsOf(name, panels, { claims, judged }, drawn) {
  const tallies = tallyPanels(panels, claims);
  return labellingsOf(panels).map(labelling => {
    const own = ofLabelling(claims, labelling);
    const estimates = estimate(
      tallies.filter(tally => tally.labelling === labelling),
      drawn,
    );
    const { fused, claims: all } = countFused(own);
    const votes = [1, 2, 3, 4, 5, 6]
      .map(least => ({
        least,
        f1: scoreClaims(own, ({ supporters }) => supporters.length >= least).f1,
      }))
      .toSorted((one, other) => other.f1 - one.f1);
    return [
      name,
      labelling,
      f1Before(judged.filter(pair => pair.labelling === labelling)),
      ...['pairPrecision', 'pairRecall', 'pairF1'].map(key => between(estimates[key])),
      percentBetween(estimates.fused),
      `${fused}/${all}`,
      `${figure(votes[0].f1)} (≥ ${votes[0].least})`,
    ];
  });
}

function f1Before(/** @type {readonly JudgedPair[]} */ pairs) {
  const hits = pairs.filter(({ isSame, isNamed }) => isSame && isNamed).length;
  const named = pairs.filter(({ isNamed }) => isNamed).length;
  return figure((2 * hits) / (named + pairs.filter(({ isSame }) => isSame).length));
}

export function precisions(
  /** @type {import('./measurement.mjs').VersionMeasured} */ measured,
  /** @type {number} */ draws,
) {
  const rows = [...measured].flatMap(([size, { claims }]) =>
    labellingsOf(claims.map(({ panel }) => panel)).map(labelling => {
      const counts = countBySupport(ofLabelling(claims, labelling));
      return [
        String(size),
        labelling,
        share(precisionFrom(counts.slice(0, 2), 1)),
        ...[2, 3, 4, 5].map(least => share(precisionFrom(counts, least))),
      ];
    }),
  );
  return table(
    `Precision by support (calibrated; ${draws} random panels of each size for each change)`,
    ['size', 'labelling', 'exactly 1', '≥ 2', '≥ 3', '≥ 4', '≥ 5'],
    rows,
  );
}

function share(/** @type {ReturnType<typeof precisionFrom>} */ { real, all, precision }) {
  return precision === null ? '' : `${figure(precision)} (${real}/${all})`;
}

const left = ['words', 'letters', 'length', 'common neighbours', 'mutual best match', 'panel'];

export async function ablation(
  /** @type {readonly ReadPanel[]} */ panels,
  /** @type {readonly ReadPanel[]} */ beside,
) {
  const rows = [];
  for (const without of [null, ...left]) {
    /** @type {Awaited<ReturnType<typeof claimsOf>>} */
    const claims = [];
    for (const repository of repositoriesOf(panels)) {
      const matcher = createCalibratedMatcher(
        fitMatcher(
          [...panels, ...beside].filter(panel => panel.repository !== repository),
          { without: without === null ? [] : [without] },
        ),
      );
      for (const panel of panels.filter(each => each.repository === repository))
        claims.push(...(await claimsOf(panel, matcher)));
    }
    rows.push([
      without === null ? 'everything' : `without ${without}`,
      ...labellingsOf(panels).flatMap(labelling => [
        figure(scorePairs(ofLabelling(claims, labelling)).f1),
        `${countFused(ofLabelling(claims, labelling)).fused}`,
      ]),
    ]);
  }
  return table(
    'Ablation: F1 of pairs after grouping, and fused claims',
    ['evidence', ...labellingsOf(panels).flatMap(labelling => [labelling, 'fused'])],
    rows,
  );
}

/**
 * @template {{ readonly panel: import('./labelled-panels.mjs').Panel }} C
 * @param {readonly C[]} claims
 * @param {string} labelling
 */
function ofLabelling(claims, labelling) {
  return claims.filter(({ panel }) => panel.labelling === labelling);
}
