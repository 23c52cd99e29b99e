// The figures by size of the panel and by left-out repository, each with its interval, beside those of another version.
import { drawPulls, estimate, forecasterBand, less, meanOf } from './bootstrap.mjs';
import { labellingsOf } from './labelled-panels.mjs';
import { between, gap, percentBetween, percentGap, table } from './tables.mjs';
import { statedOf } from './tallies.mjs';

/**
 * @typedef {Pick<import('./measurement.mjs').SizeMeasured, 'tallies'>} SizeMeasured
 * @typedef {ReadonlyMap<unknown, SizeMeasured>} VersionMeasured
 * @typedef {ReturnType<typeof estimate>} Estimates
 * @typedef {ReturnType<typeof bySplit>} Split
 * @typedef {ReadonlyMap<unknown, Split>} SplitVersion
 * @typedef {readonly [string, Estimates]} NamedEstimates
 */

const columns = /** @type {const} */ ([
  ['pair F1', 'pairF1', between, gap],
  ['precision', 'pairPrecision', between, gap],
  ['recall', 'pairRecall', between, gap],
  ['fused, %', 'fused', percentBetween, percentGap],
  ['F1 of act', 'f1', between, gap],
  ['above best', 'above', gap, gap],
  ['calibration', 'truth error', between, gap],
  ['log loss', 'truth loss', between, gap],
]);
const head = columns.map(([name]) => name);

export function sizeTables(
  /** @type {VersionMeasured} */ measured,
  /** @type {VersionMeasured | undefined} */ other,
) {
  const drawn = drawPulls([...measured.values()].flatMap(({ tallies }) => tallies));
  const split = (/** @type {VersionMeasured} */ version) =>
    new Map([...version].map(([size, each]) => [size, bySplit(each, drawn)]));
  const own = split(measured);
  const theirs = other && split(other);
  const rows = [...own].flatMap(([size, each]) =>
    withMean(each).map(([labelling, estimates]) => [
      String(size),
      labelling,
      ...columns.map(([, key, print]) => print(estimates[key])),
    ]),
  );
  return [
    table('By size of the panel', ['size', 'labelling', ...head], rows),
    actBySize(own),
    choice(own, theirs),
    ...(theirs === undefined
      ? []
      : [differences(own, theirs), differencesByLabelling(own, theirs)]),
  ].join('\n\n');
}

const compared = /** @type {const} */ ([
  ['precision', 'precision', between],
  ['recall', 'recall', between],
  ['F1', 'f1', between],
  ['best here', 'bestF1', between],
  ['above it', 'above', gap],
  ['best elsewhere', 'fairF1', between],
  ['above that', 'aboveFair', gap],
]);

/** What is put before a person, beside single reviewers seated with it. */
function actBySize(/** @type {SplitVersion} */ own) {
  return table(
    [
      'What act selects, against two single reviewers of those seated: the best one here, chosen by the figures it is compared by;',
      'and the one that was best elsewhere, on all of this data but the left-out repository or pull request, as could be known before',
    ].join('\n'),
    ['size', 'labelling', ...compared.map(([name]) => name)],
    [...own].flatMap(([size, split]) =>
      withMean(split).map(([labelling, estimates]) => [
        String(size),
        labelling,
        ...compared.map(([, key, print]) => print(estimates[key])),
      ]),
    ),
  );
}

/**
 * Estimates by labelling, of everything and of each group.
 * @param {SizeMeasured} measured
 * @param {ReturnType<typeof drawPulls>} drawn
 */
function bySplit({ tallies }, drawn) {
  /** @returns {NamedEstimates[]} */
  const split = (/** @type {typeof tallies} */ list) =>
    labellingsOf(list).map(labelling => [
      labelling,
      estimate(
        list.filter(tally => tally.labelling === labelling),
        drawn,
      ),
    ]);
  const groups = [...new Set(tallies.map(({ group }) => group))];
  return {
    all: split(tallies),
    groups: groups.map(group => ({
      group,
      split: split(tallies.filter(tally => tally.group === group)),
    })),
  };
}

/** @returns {readonly NamedEstimates[]} */
function withMean(/** @type {Pick<Split, 'all'>} */ { all }) {
  return all.length === 1 ? all : [...all, ['mean', meanOfAll({ all })]];
}

function meanOfAll(/** @type {Pick<Split, 'all'>} */ { all }) {
  return meanOfEach(all.map(([, estimates]) => estimates));
}

/** @returns {Estimates} */
function meanOfEach(/** @type {readonly Estimates[]} */ list) {
  return Object.fromEntries(
    Object.keys(list[0]).map(key => [key, meanOf(list.map(estimates => estimates[key]))]),
  );
}

/** What variants are chosen by: the mean over labellings, then repositories, then sizes. */
function choice(/** @type {SplitVersion} */ own, /** @type {SplitVersion | undefined} */ theirs) {
  const versions = { 'this version': own, ...(theirs && { baseline: theirs }) };
  const rows = Object.entries(versions).flatMap(([name, version]) => {
    /** @type {NamedEstimates[]} */
    const perSize = [...version].map(([size, split]) => [String(size), meanOfGroups(split)]);
    perSize.push(['mean', chosenBy(version)]);
    return perSize.map(([size, estimates]) => [
      name,
      size,
      ...columns.map(([, key, print]) => print(estimates[key])),
    ]);
  });
  return table(
    'What variants are chosen by: mean over labellings and left-out repositories, then over sizes',
    ['version', 'size', ...head],
    rows,
  );
}

function meanOfGroups(/** @type {Split} */ { groups }) {
  return meanOfEach(groups.map(({ split }) => meanOfEach(split.map(([, each]) => each))));
}

function differences(/** @type {SplitVersion} */ own, /** @type {SplitVersion} */ theirs) {
  /** @type {[string, Estimates, Estimates][]} */
  const pairs = [...own].map(([size, split]) => [
    String(size),
    meanOfAll(split),
    meanOfAll(splitAt(size, theirs)),
  ]);
  pairs.push(['mean', chosenBy(own), chosenBy(theirs)]);
  return table(
    'This version less the baseline, on the same draws of pull requests (last row: what variants are chosen by)',
    ['size', ...head],
    pairs.map(([size, mine, before]) => [
      size,
      ...columns.map(([, key, , print]) => print(less(mine[key], before[key]))),
    ]),
  );
}

/** Without calibration and log loss, so that a row keeps to one line. */
function differencesByLabelling(
  /** @type {SplitVersion} */ own,
  /** @type {SplitVersion} */ theirs,
) {
  const shown = columns.slice(0, -2);
  const rows = [...own].flatMap(([size, { all }]) => {
    const before = new Map(splitAt(size, theirs).all);
    return all.map(([labelling, mine]) => [
      String(size),
      labelling,
      ...shown.map(([, key, , print]) =>
        print(less(mine[key], Object(before.get(labelling))[key])),
      ),
    ]);
  });
  return table(
    'This version less the baseline by labelling, on the same draws',
    ['size', 'labelling', ...shown.map(([name]) => name)],
    rows,
  );
}

/** @returns {Split} */
function splitAt(/** @type {unknown} */ size, /** @type {SplitVersion} */ version) {
  return version.get(size) ?? { all: [], groups: [] };
}

function chosenBy(/** @type {SplitVersion} */ version) {
  return meanOfEach([...version.values()].map(meanOfGroups));
}

/** Whole panels of each left-out repository, with the error a perfect forecaster would show on the same claims. */
export function repositoryTable(
  /** @type {import('./measurement.mjs').SizeMeasured} */ { tallies, claims },
) {
  const drawn = drawPulls(tallies);
  const rows = bySplit({ tallies }, drawn).groups.flatMap(({ group, split }) =>
    split.map(([labelling, estimates]) => {
      const own = claims.filter(
        ({ panel }) => panel.group === group && panel.labelling === labelling,
      );
      return [
        group,
        labelling,
        between(estimates.pairF1),
        percentBetween(estimates.fused),
        between(estimates.f1),
        gap(estimates.above),
        between(estimates['truth error']),
        ...bandCells(own, 'truth', estimates['truth error'].value),
        between(estimates['truth loss']),
      ];
    }),
  );
  return table(
    'By left-out repository, all reviewers (perfect: the calibration error of one whose every probability is right, on as many claims)',
    [
      'repository',
      'labelling',
      'pair F1',
      'fused, %',
      'F1 of act',
      'above best',
      'calibration',
      'perfect',
      'within',
      'log loss',
    ],
    rows,
  );
}

/** The band of a perfect forecaster, and whether the error is no larger than it allows. */
export function bandCells(
  /** @type {readonly import('./tallies.mjs').Told[]} */ claims,
  /** @type {import('./tallies.mjs').Target} */ target,
  /** @type {number} */ error,
) {
  const stated = statedOf(target, claims);
  if (stated.length === 0) return ['', ''];
  const { mean, low, high } = forecasterBand(stated);
  return [between({ value: mean, draws: [], interval: [low, high] }), error <= high ? 'yes' : 'no'];
}
