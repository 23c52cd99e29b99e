// Leave one repository out: every claim comes from a matcher and a confidence that never saw its repository.
import { createCalibratedMatcher } from '../../dist/agreement/calibrated.js';
import { cutOf } from '../../dist/agreement/confidence/confidence.js';
import { createAssessor } from '../../dist/agreement/confidence/confidence.js';
import { isSeverityStated } from '../../dist/core/words/stated.js';
import { claimsOf } from './claims-of.mjs';
import { fitConfidence, panelRecord } from './confidence-fit.mjs';
import { repositoriesOf } from './labelled-panels.mjs';
import { fitMatcher } from './matcher-fit.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/agreement/panel.js').MatcherModel} MatcherModel
 * @typedef {import('../../dist/agreement/confidence/confidence.js').ConfidenceModel} ConfidenceModel
 */

/** @type {Map<string, MatcherModel>} */
const matchers = new Map();

/** Matchers are fitted once for each set of repositories. */
export function fitOnce(/** @type {readonly ReadPanel[]} */ panels) {
  const key = repositoriesOf(panels).join('\n');
  const model = matchers.get(key) ?? fitMatcher(panels);
  matchers.set(key, model);
  return model;
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
 * The panels that `draw` yields of each repository, with all panels that are fitted on for it.
 * @param {readonly ReadPanel[]} panels
 * @param {(panel: ReadPanel) => readonly ReadPanel[]} draw
 */
export function leaveOneOut(panels, draw) {
  return repositoriesOf(panels)
    .map(repository => ({
      asked: panels.filter(panel => panel.repository === repository).flatMap(draw),
      taught: panels.filter(panel => panel.repository !== repository),
    }))
    .filter(({ asked }) => asked.length > 0);
}

/**
 * For each panel `draw` yields of it, its claims with `probability`, `worth` and `act`.
 * @param {readonly ReadPanel[]} panels
 * @param {(panel: ReadPanel) => readonly ReadPanel[]} draw
 */
export async function crossValidate(panels, draw = panel => [panel]) {
  const claims = [];
  for (const { asked, taught } of leaveOneOut(panels, draw)) {
    const model = { matcher: fitOnce(taught), confidence: await fitConfidenceOnce(taught) };
    for (const panel of asked) claims.push(...(await assessPanel(panel, model)));
  }
  return claims;
}

/**
 * @param {ReadPanel} panel
 * @param {{ readonly matcher: MatcherModel, readonly confidence: ConfidenceModel }} model
 */
export async function assessPanel(panel, { matcher, confidence }) {
  const claims = await claimsOf(panel, createCalibratedMatcher(matcher));
  const assess = createAssessor(confidence, panelRecord(panel));
  const cut = cutOf('best', confidence, {
    reviewers: panel.reviewers.length,
    isGraded: panel.findings.some(isSeverityStated),
  });
  return claims.map(claim => {
    const { probability, worth } = assess(claim);
    return { ...claim, probability, worth, act: worth >= cut };
  });
}
