// Leave one repository out: every claim comes from a matcher and a confidence that never saw its repository.
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { cutOf } from '../../dist/agreement/confidence/act.js';
import { createAssessor } from '../../dist/agreement/confidence/confidence.js';
import { isSeverityStated } from '../../dist/agreement/confidence/matters.js';
import { claimsOf } from './claims-of.mjs';
import { fitConfidence, panelRecord, recordOf } from './confidence-fit.mjs';
import { labellingsOf, repositoriesOf } from './labelled-panels.mjs';
import { fitMatcher } from './matcher-fit.mjs';
import {
  calibrate,
  countBySupport,
  countFused,
  logLoss,
  precisionFrom,
  scoreClaims,
  scorePairs,
  scoreReviewers,
} from './measures.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/judged-panel.js').MatcherModel} MatcherModel
 * @typedef {import('../../dist/agreement/confidence/confidence.js').ConfidenceModel} ConfidenceModel
 */

/** @type {Map<string, MatcherModel>} */
const fitted = new Map();

/** Matchers are fitted once for each set of repositories. */
export function fitOnce(/** @type {readonly ReadPanel[]} */ panels) {
  const key = repositoriesOf(panels).join('\n');
  const model = fitted.get(key) ?? fitMatcher(panels);
  fitted.set(key, model);
  return model;
}

/**
 * For each panel `draw` yields of it, its claims with `probability`, `matters`, `worth`, `act` and `withHistory` (the same by
 * records of the other repositories).
 * @param {readonly ReadPanel[]} panels
 * @param {(panel: ReadPanel) => readonly ReadPanel[]} draw
 */
export async function crossValidate(panels, draw = panel => [panel]) {
  const claims = [];
  for (const repository of repositoriesOf(panels)) {
    const asked = panels.filter(each => each.repository === repository).flatMap(draw);
    if (asked.length === 0) continue;
    const others = panels.filter(panel => panel.repository !== repository);
    const model = { matcher: fitOnce(others), confidence: await fitConfidenceOnce(others) };
    for (const panel of asked) claims.push(...(await assessPanel(panel, model, recordOf(others))));
  }
  return claims;
}

/** @type {Map<string, Promise<ConfidenceModel>>} */
const confidences = new Map();

function fitConfidenceOnce(/** @type {readonly ReadPanel[]} */ panels) {
  const key = repositoriesOf(panels).join('\n');
  const model = confidences.get(key) ?? fitConfidence(panels, { fitWithout: fitOnce });
  confidences.set(key, model);
  return model;
}

/**
 * @param {ReadPanel} panel
 * @param {{ readonly matcher: MatcherModel, readonly confidence: ConfidenceModel }} model
 * @param {ReturnType<typeof recordOf>} history
 */
export async function assessPanel(panel, { matcher: model, confidence }, history) {
  const matcher = createCalibratedMatcher(model);
  const claims = await claimsOf(panel, matcher);
  const assess = createAssessor(confidence, panelRecord(panel));
  const assessKnown = createAssessor(confidence, panelRecord(panel, history));
  const actCut = cutOf('best', confidence, {
    reviewers: panel.reviewers.length,
    isGraded: panel.findings.some(isSeverityStated),
  });
  const figuresOf = (/** @type {ReturnType<typeof assess>} */ { probability, matters, worth }) => ({
    probability,
    matters: matters.probability,
    worth,
    act: worth >= actCut,
    actCut,
  });
  return claims.map(claim => ({
    ...claim,
    ...figuresOf(assess(claim)),
    withHistory: figuresOf(assessKnown(claim)),
  }));
}

/** The figures of one set of claims, by labelling. */
export function summarise(/** @type {Awaited<ReturnType<typeof crossValidate>>} */ claims) {
  return Object.fromEntries(
    labellingsOf(claims.map(({ panel }) => panel)).map(labelling => {
      const own = claims.filter(({ panel }) => panel.labelling === labelling);
      const panels = [...new Set(own.map(({ panel }) => panel))];
      const best = scoreReviewers(panels)[0];
      const { precision, recall, f1 } = scoreClaims(own, ({ act }) => act);
      return [
        labelling,
        {
          pairs: scorePairs(own),
          fused: countFused(own).share,
          act: { precision, recall, f1, above: f1 - best.f1 },
          calibrationError: calibrate(own).error,
          logLoss: logLoss(own),
          precisionFromFive: precisionFrom(countBySupport(own), 5).precision,
        },
      ];
    }),
  );
}
