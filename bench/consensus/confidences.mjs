// Whether the stated probabilities come true, and what the claims put before a person are worth.
import { drawPulls, estimate } from './bootstrap.mjs';
import { labellingsOf } from './labelled-panels.mjs';
import { withHistory } from './measurement.mjs';
import { rankReviewers } from './measures.mjs';
import { bandCells } from './size-tables.mjs';
import { between, gap, table } from './tables.mjs';
import { isAct, pullsOf, statedOf, tallyPanels, targetsOf } from './tallies.mjs';

/**
 * @typedef {import('./measurement.mjs').Claims} Claims
 * @typedef {{ readonly name: string, readonly labelling: string, readonly claims: Claims, readonly best: string | undefined,
 *   readonly estimates: ReturnType<typeof estimate> }} Row
 */

/**
 * `claims` by left-out numbers, which may be missing, and `shipped` ones; both of whole panels.
 * @param {readonly import('./labelled-panels.mjs').Panel[]} panels
 * @param {{ readonly claims: Claims | undefined, readonly shipped: Claims, readonly other: Claims | undefined }} formed
 */
export function confidenceTables(panels, { claims, shipped, other }) {
  const ranks = rankReviewers(panels);
  const drawn = drawPulls(pullsOf(panels));
  const rows = Object.entries({
    'left out': claims ?? [],
    'with history': withHistory(claims ?? []),
    shipped,
    baseline: other ?? [],
  }).flatMap(([name, list]) => {
    if (list.length === 0) return [];
    const tallies = tallyPanels(panels, list, ranks);
    return labellingsOf(panels).map(labelling => ({
      name,
      labelling,
      claims: list.filter(({ panel }) => panel.labelling === labelling),
      best: ranks.here.get(labelling)?.[0],
      estimates: estimate(
        tallies.filter(tally => tally.labelling === labelling),
        drawn,
      ),
    }));
  });
  return `${actTable(rows)}\n\n${calibrationTable(rows)}`;
}

function actTable(/** @type {readonly Row[]} */ rows) {
  return table(
    'Claims put before a person (worth at least the cut), against the best single reviewer of all this data',
    [
      'numbers',
      'labelling',
      'named',
      'precision',
      'recall',
      'F1',
      'best reviewer',
      'its F1',
      'above it',
      '≥ 5 agree: real',
    ],
    rows.map(({ name, labelling, claims, best, estimates }) => [
      name,
      labelling,
      String(claims.filter(isAct).length),
      ...['precision', 'recall', 'f1'].map(key => between(estimates[key])),
      shortened(best),
      between(estimates.bestF1),
      gap(estimates.above),
      between(estimates.fromFive),
    ]),
  );
}

/** Its beginning and its end, for what comes last tells repetitions apart. */
function shortened(name = '') {
  return name.length <= 14 ? name : `${name.slice(0, 6)}…${name.slice(-7)}`;
}

function calibrationTable(/** @type {readonly Row[]} */ rows) {
  const cells = rows.flatMap(({ name, labelling, claims, estimates }) =>
    targetsOf(claims).map(target => {
      const error = estimates[`${target} error`];
      return [
        name,
        labelling,
        target,
        String(statedOf(target, claims).length),
        between(error),
        ...bandCells(claims, target, error.value),
        between(estimates[`${target} loss`]),
      ];
    }),
  );
  return table(
    'Calibration (perfect: the error of one whose every probability is right; noise adds to an error, so its intervals lean upwards)',
    ['numbers', 'labelling', 'of', 'claims', 'error', 'perfect', 'within', 'log loss'],
    cells,
  );
}
