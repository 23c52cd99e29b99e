// A version of Jury as the benchmark asks it: this one, or another built checkout to compare with. Each fits its own numbers
// on the same panels by its own benchmark; what is real is decided here, for both by one rule.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { factsOf } from './claims-of.mjs';

const here = fileURLToPath(new URL('../../', import.meta.url));

const needed = [
  'bench/consensus/cross-validation.mjs',
  'dist/agreement/calibrated-model.js',
  'dist/agreement/calibrated.js',
  'dist/agreement/claims.js',
];

/**
 * @typedef {typeof import('./cross-validation.mjs')} CrossValidation
 * @typedef {typeof import('../../dist/agreement/calibrated-model.js')} Model
 * @typedef {typeof import('../../dist/agreement/calibrated.js')} Calibrated
 * @typedef {typeof import('../../dist/agreement/claims.js')} Claims
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {Awaited<ReturnType<CrossValidation['assessPanel']>>[number]} AssessedClaim
 * @typedef {Awaited<ReturnType<typeof openVersion>>} Version
 */

/** What a folder lacks to be asked: a checkout with its benchmark, built. */
export function lackingIn(/** @type {string} */ root) {
  return needed.filter(file => !existsSync(path.join(root, file)));
}

/**
 * - `validate(panels, beside, draw)`: claims of the panels that `draw` yields of each, by numbers fitted without its
 *   repository; panels `beside` are fitted on and not measured
 * - `ship(panels)`: claims by the numbers that stand in its source
 * - `claimPair(findings)`: the claims of two findings, as a run forms them
 */
export async function openVersion(root = here) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(path.resolve(root, file)).href);
  const [
    validation,
    { matcherModel, confidenceModel },
    { createCalibratedMatcher },
    { formClaims },
  ] = /** @type {[CrossValidation, Model, Calibrated, Claims]} */ (
    await Promise.all(needed.map(load))
  );
  return {
    name: `${JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version}, matcher ${matcherModel.version}`,
    async validate(
      /** @type {readonly ReadPanel[]} */ panels,
      /** @type {readonly ReadPanel[]} */ beside,
      /** @type {(panel: ReadPanel) => readonly ReadPanel[]} */ draw,
    ) {
      const apart = new Set(beside);
      const claims = await validation.crossValidate([...panels, ...beside], panel =>
        apart.has(panel) ? [] : draw(panel),
      );
      return claims.map(relabel);
    },
    async ship(/** @type {readonly ReadPanel[]} */ panels) {
      const claims = [];
      for (const panel of panels)
        claims.push(
          ...(await validation.assessPanel(
            panel,
            { matcher: matcherModel, confidence: confidenceModel },
            [],
          )),
        );
      return claims.map(relabel);
    },
    claimPair: (/** @type {readonly import('./finding.mjs').Finding[]} */ findings) =>
      formClaims({
        findings,
        matcher: createCalibratedMatcher(matcherModel),
        panel: findings.map(({ reviewer }) => reviewer),
        reviews: [],
        hash: (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex'),
      }),
  };
}

function relabel(/** @type {AssessedClaim} */ claim) {
  return { ...claim, ...factsOf(claim.panel, claim.members) };
}
