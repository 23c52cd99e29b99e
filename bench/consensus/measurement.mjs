// Measures a version of Jury on panels of every size: its claims, and what each pull request adds to the figures.
import { drawPanels } from './labelled-panels.mjs';
import { rankReviewers } from './measures.mjs';
import { tallyPanels } from './tallies.mjs';

/**
 * Reviewers of a panel, drawn; `all` seats everybody.
 * @typedef {number | 'all'} Size
 * @type {readonly Size[]}
 */
export const sizes = [2, 3, 5, 8, 'all'];

/** Drawn panels for each pull request and labelling. */
export const draws = 20;

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {Awaited<ReturnType<import('./versions.mjs').Version['ship']>>} Claims
 * @typedef {{ readonly panels: readonly ReadPanel[], readonly claims: Claims, readonly tallies: import('./tallies.mjs').Tally[] }} SizeMeasured
 * @typedef {ReadonlyMap<Size, SizeMeasured>} VersionMeasured
 */

/**
 * By size. `panels` are measured; those `beside` are only fitted on. `isLeftOut`: by numbers that never saw the repository; else
 * by those that the version ships.
 * @param {import('./versions.mjs').Version} version
 * @param {{ readonly panels: readonly ReadPanel[], readonly beside: readonly ReadPanel[], readonly isLeftOut: boolean,
 *   readonly only?: readonly Size[] }} data
 * @returns {Promise<VersionMeasured>}
 */
export async function measureVersion(version, { panels, beside, isLeftOut, only = sizes }) {
  const ranks = rankReviewers(panels);
  /** @type {Map<Size, SizeMeasured>} */
  const measured = new Map();
  for (const size of only) {
    const draw = (/** @type {ReadPanel} */ panel) => drawOnce(panel, size);
    const drawn = panels.flatMap(draw);
    const claims = isLeftOut
      ? await version.validate(panels, beside, draw)
      : await version.ship(drawn);
    measured.set(size, {
      panels: drawn,
      claims,
      tallies: tallyPanels(drawn, claims, ranks),
    });
  }
  return measured;
}

/** @type {Map<ReadPanel, Map<number, ReadPanel[]>>} */
const known = new Map();

/** Every version sees the same panels. */
function drawOnce(/** @type {ReadPanel} */ panel, /** @type {Size} */ size) {
  if (size === 'all') return [panel];
  const bySize = known.get(panel) ?? new Map();
  known.set(panel, bySize);
  const sizes = Array.from({ length: draws }, () => size);
  const drawn = bySize.get(size) ?? drawPanels(panel, sizes, 3);
  bySize.set(size, drawn);
  return drawn;
}

/** Claims as they are assessed when the decisions about other repositories are known. */
export function withHistory(/** @type {Claims} */ claims) {
  return claims.map(claim => ({ ...claim, ...claim.withHistory }));
}
