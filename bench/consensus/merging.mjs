// How well the strategies merge, how far agreement can be trusted, and what each group of evidence adds.
import { createCalibratedMatcher } from '../../dist/core/matching/calibrated.js';
import { drawPulls, estimate } from './bootstrap.mjs';
import { claimsOf } from './claims-of.mjs';
import { labellingsOf, repositoriesOf } from './labelled-panels.mjs';
import { fitMatcher } from './matcher-fit.mjs';
import { countBySupport, countFused, precisionFrom, scoreClaims, scorePairs } from './measures.mjs';
import { labelledPairs, strategies } from './strategies.mjs';
import { between, figure, percentBetween, table } from './tables.mjs';
import { pullsOf, tallyPanels } from './tallies.mjs';

/** `claims` of the calibrated strategy and `shipped` were formed before; the others are formed here. */
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

async function formWith({ fit, isPairwise }, panels, beside) {
  const [claims, judged] = [[], []];
  for (const repository of repositoriesOf(panels)) {
    const others = [...panels, ...beside].filter(panel => panel.repository !== repository);
    const matcher = fit(others.length > 0 ? others : panels);
    for (const panel of panels.filter(each => each.repository === repository)) {
      claims.push(...(await claimsOf(panel, matcher)));
      if (isPairwise)
        judged.push(
          ...labelledPairs(panel).map(([one, other, isSame]) => ({
            labelling: panel.labelling,
            isSame,
            isNamed: matcher.compare(panel.findings[one], panel.findings[other]).same,
          })),
        );
    }
  }
  return { claims, judged };
}

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

function f1Before(pairs) {
  const hits = pairs.filter(({ isSame, isNamed }) => isSame && isNamed).length;
  const named = pairs.filter(({ isNamed }) => isNamed).length;
  return figure((2 * hits) / (named + pairs.filter(({ isSame }) => isSame).length));
}

/** `measured` by size, as `measureVersion` yields it. */
export function precisions(measured, draws) {
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

function share({ real, all, precision }) {
  return precision === null ? '' : `${figure(precision)} (${real}/${all})`;
}

const left = ['words', 'letters', 'length', 'common neighbours', 'mutual best match', 'panel'];

export async function ablation(panels, beside) {
  const rows = [];
  for (const without of [null, ...left]) {
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

function ofLabelling(claims, labelling) {
  return claims.filter(({ panel }) => panel.labelling === labelling);
}
