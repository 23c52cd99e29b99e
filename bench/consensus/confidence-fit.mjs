// Fits the confidence of claims on labelled panels, whole and drawn smaller.
import { confidenceEvidence, createAssessor } from '../../dist/core/matching/confidence.js';
import { createCalibratedMatcher } from '../../dist/core/matching/calibrated.js';
import { claimsOf } from './claims-of.mjs';
import { drawPanels, repositoriesOf } from './labelled-panels.mjs';
import { fitLogistic } from './logistic-fit.mjs';
import { fitMatcher } from './matcher-fit.mjs';

const smallSizes = [1, 2, 3, 3, 5, 5, 7, 7];
const smallWeight = 0.125;
const penalty = 5;

/** Set by hand: the tools of the data are too much alike to tell what a record is worth, and theory says 1. */
const trustWeight = 0.6;

/** `{ reviewer, family, confirmed, rejected }` of each reviewer. */
export function recordOf(panels) {
  const tallies = new Map();
  for (const { findings, issues } of panels) {
    for (const [index, { reviewer }] of findings.entries()) {
      const tally = tallies.get(reviewer) ?? { reviewer, family: null, confirmed: 0, rejected: 0 };
      tallies.set(reviewer, tally);
      tally[issues[index] === null ? 'rejected' : 'confirmed'] += 1;
    }
  }
  return [...tallies.values()];
}

/** Mean precision, and the number of findings it outweighs, by the variance between reviewers (method of moments). */
export function priorOf(record) {
  const shares = record.map(({ confirmed, rejected }) => confirmed / (confirmed + rejected));
  const precision =
    record.reduce((sum, { confirmed }) => sum + confirmed, 0) /
    record.reduce((sum, { confirmed, rejected }) => sum + confirmed + rejected, 0);
  const variance = shares.reduce((sum, share) => sum + (share - precision) ** 2, 0) / shares.length;
  return { precision, strength: Math.max(4, (precision * (1 - precision)) / variance - 1) };
}

/** Matchers for each repository of the training data are fitted without it, so that the claims are like those of unseen data. */
export async function fitConfidence(
  panels,
  { trust = trustWeight, fitWithout = fitMatcher, blind = [] } = {},
) {
  const prior = priorOf(recordOf(panels));
  const lessons = [];
  for (const repository of repositoriesOf(panels)) {
    const others = panels.filter(panel => panel.repository !== repository);
    const matcher = createCalibratedMatcher(fitWithout(others.length > 0 ? others : panels));
    for (const panel of panels.filter(each => each.repository === repository)) {
      for (const [index, drawn] of [panel, ...drawPanels(panel, smallSizes, 2)].entries())
        lessons.push(
          ...(await lessonsOf(drawn, {
            matcher,
            prior,
            record: recordOf(others),
            weight: index === 0 ? 1 : smallWeight,
          })),
        );
    }
  }
  const column = confidenceEvidence.indexOf('reliability');
  const silent = confidenceEvidence.map((name, index) => index === column || blind.includes(name));
  const { intercept, weights } = fitLogistic(
    lessons.map(({ evidence }) => evidence.map((value, index) => (silent[index] ? 0 : value))),
    lessons.map(({ truth }) => truth),
    {
      penalty,
      weights: lessons.map(({ weight }) => weight),
      offsets: lessons.map(({ evidence }) =>
        blind.includes('reliability') ? 0 : trust * evidence[column],
      ),
    },
  );
  return {
    version: 'fit',
    prior,
    evidence: {
      intercept,
      weights: weights.map((weight, index) =>
        index === column && !blind.includes('reliability') ? trust : silent[index] ? 0 : weight,
      ),
    },
  };
}

async function lessonsOf(panel, { matcher, prior, record, weight }) {
  const claims = await claimsOf(panel, matcher);
  // A model whose weights pick out one piece of evidence each would do too; the assessor's own figures are asked for, so that both sides agree.
  const bare = confidenceEvidence.map((_, index) =>
    createAssessor(
      {
        version: '',
        prior,
        evidence: {
          intercept: 0,
          weights: confidenceEvidence.map((__, other) => Number(other === index)),
        },
      },
      panelRecord(panel, record),
    ),
  );
  return claims.map(claim => ({
    evidence: bare.map(
      (assess, index) =>
        assess(claim).contributions.find(({ evidence }) => evidence === confidenceEvidence[index])
          ?.worth ?? 0,
    ),
    truth: Number(claim.isReal),
    weight,
  }));
}

export function panelRecord(panel, record = []) {
  return { findings: panel.findings, partial: new Set(), reliability: record, families: new Map() };
}
