// A version of Jury as the benchmark asks it: this one, or another built checkout to compare with. Each fits its own numbers
// on the same panels by its own benchmark; what is real is decided here, for both by one rule.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readJson } from '../program.mjs';
import { factsOf } from './claims-of.mjs';

const here = fileURLToPath(new URL('../../', import.meta.url));

const validation = 'bench/consensus/cross-validation.mjs';

/** Where a version may have what is asked of it: the room of agreement, and where that was before. */
const rooms = ['dist/agreement', 'dist/core/matching'];
const files = ['calibrated-model.js', 'calibrated.js', 'claims.js'];

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('./labelled-panels.mjs').Folds<ReadPanel>} Folds
 * @typedef {Awaited<ReturnType<typeof import('./cross-validation.mjs').crossValidate>>} Claims
 * @typedef {Awaited<ReturnType<typeof openVersion>>} Version
 */

/** What a folder lacks to be asked: a checkout with its benchmark, built. */
export function lackingIn(/** @type {string} */ root) {
  return [validation, ...files.map(file => `${roomOf(root)}/${file}`)].filter(
    file => !existsSync(path.join(root, file)),
  );
}

function roomOf(/** @type {string} */ root) {
  return rooms.find(room => existsSync(path.join(root, room))) ?? rooms[0];
}

/**
 * - `validate(folds, draw)`: claims of the panels that `draw` yields of each, by numbers fitted without its repository
 * - `ship(panels)`: claims by the numbers that stand in its source
 * - `claimPair(findings)`: the claims of two findings, as a run forms them
 */
export async function openVersion(root = here) {
  const load = (/** @type {string} */ file) => import(pathToFileURL(path.resolve(root, file)).href);
  const loaded = await Promise.all(files.map(file => load(`${roomOf(root)}/${file}`)));
  /** @type {typeof import('../../dist/agreement/calibrated-model.js') & typeof import('../../dist/agreement/calibrated.js') &
   *   typeof import('../../dist/agreement/claims.js')} */
  const { matcherModel, confidenceModel, createCalibratedMatcher, formClaims } = Object.assign(
    {},
    ...loaded,
  );
  /** @type {typeof import('./cross-validation.mjs')} */
  const { crossValidate, assessPanel } = await load(validation);
  return {
    name: `${readJson(path.join(root, 'package.json')).version}, matcher ${matcherModel.version}`,
    async validate(
      /** @type {Folds} */ { panels, beside },
      /** @type {(panel: ReadPanel) => readonly ReadPanel[]} */ draw,
    ) {
      const apart = new Set(beside);
      return relabel(
        await crossValidate([...panels, ...beside], panel => (apart.has(panel) ? [] : draw(panel))),
      );
    },
    async ship(/** @type {readonly ReadPanel[]} */ panels) {
      const claims = [];
      const model = { matcher: matcherModel, confidence: confidenceModel };
      for (const panel of panels) claims.push(...(await assessPanel(panel, model)));
      return relabel(claims);
    },
    claimPair: (/** @type {readonly import('./finding.mjs').Finding[]} */ findings) =>
      formClaims({
        findings,
        matcher: createCalibratedMatcher(matcherModel),
        panel: findings.map(({ reviewer }) => reviewer),
        reviews: [],
        // @ts-expect-error Versions before were given what they hash with.
        hash: (/** @type {string} */ text) => hash('sha256', text),
      }),
  };
}

/** @returns {Claims} */
function relabel(/** @type {Claims} */ claims) {
  return claims.map(claim => ({ ...claim, ...factsOf(claim.panel, claim.members) }));
}
