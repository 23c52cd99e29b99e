// What a version makes of labelled panels, in the ways that the benchmark tells apart: each is a row of its table for each
// labelling.
import { drawPanels, foldByRepository, foldsBySet } from './labelled-panels.mjs';
import { rankReviewers } from './measures.mjs';
import { tallyPanels } from './tallies.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('./labelled-panels.mjs').Folds<ReadPanel>} Folds
 * @typedef {import('./versions.mjs').Version} Version
 * @typedef {(panel: ReadPanel) => readonly ReadPanel[]} Draw
 * @typedef {{ readonly tallies: readonly import('./tallies.mjs').Tally[],
 *   readonly claims: readonly import('./tallies.mjs').Claim[] }} Part
 * @typedef {{ readonly way: string, readonly parts: readonly Part[] }} Measured A figure is the mean over the parts.
 */

/** By how the numbers were fitted that are measured, and on which panels. */
export const ways = {
  shipped: 'whole panels, as shipped',
  whole: 'whole panels',
  bySet: 'whole panels, by set',
  drawn: 'drawn panels',
};

const sizes = [2, 3, 5, 8];

/** Drawn panels of each size for each pull request and labelling. */
const draws = 20;

/**
 * Whole panels, the same by numbers that never saw their set, and drawn ones: as far as there is something to fit on.
 * @param {Version} version
 * @param {Folds} data
 * @returns {Promise<Measured[]>}
 */
export async function measureVersion(version, data) {
  const whole = await measureWhole(version, data);
  const folds = foldByRepository(data.panels, data.beside);
  if (folds === null) return [whole];
  const measure = (/** @type {Folds} */ each, /** @type {Draw} */ draw) =>
    measurePart(version, each, { draw, ranked: data.panels });
  const bySet = [];
  for (const each of foldsBySet(data.panels, data.beside))
    bySet.push(await measure(each, panel => [panel]));
  const drawn = [];
  for (const size of sizes)
    drawn.push(
      await measure(folds, panel =>
        drawPanels(
          panel,
          Array.from({ length: draws }, () => size),
          3,
        ),
      ),
    );
  return [
    whole,
    ...(bySet.length === 0 ? [] : [{ way: ways.bySet, parts: [joinParts(bySet)] }]),
    { way: ways.drawn, parts: drawn },
  ];
}

/**
 * By numbers that never saw the repository; by the shipped ones where there is one repository and nothing else to fit on.
 * @param {Version} version
 * @param {Folds} data
 * @returns {Promise<Measured>}
 */
export async function measureWhole(version, data) {
  const folds = foldByRepository(data.panels, data.beside);
  if (folds !== null) {
    const how = { draw: (/** @type {ReadPanel} */ panel) => [panel], ranked: data.panels };
    return { way: ways.whole, parts: [await measurePart(version, folds, how)] };
  }
  const claims = await version.ship(data.panels);
  const tallies = tallyPanels(data.panels, claims, rankReviewers(data.panels));
  return { way: ways.shipped, parts: [{ claims, tallies }] };
}

/**
 * @param {Version} version
 * @param {Folds} folds
 * @param {{ readonly draw: Draw, readonly ranked: readonly ReadPanel[] }} how
 * @returns {Promise<Part>}
 */
async function measurePart(version, folds, { draw, ranked }) {
  const asked = new Map(folds.panels.map(panel => [panel, draw(panel)]));
  const claims = await version.validate(folds, panel => asked.get(panel) ?? []);
  const tallies = tallyPanels([...asked.values()].flat(), claims, rankReviewers(ranked));
  return { claims, tallies };
}

/** Of different pull requests. */
function joinParts(/** @type {readonly Part[]} */ parts) {
  return {
    claims: parts.flatMap(({ claims }) => claims),
    tallies: parts.flatMap(({ tallies }) => tallies),
  };
}
