// The figures by size of the panel and by left-out repository, each with its interval, beside those of another version.
import { drawPulls, estimate, forecasterBand, less, meanOf } from './bootstrap.mjs';
import { labellingsOf } from './labelled-panels.mjs';
import { between, gap, percentBetween, percentGap, table } from './tables.mjs';
import { statedOf } from './tallies.mjs';

const columns = [
  ['pair F1', 'pairF1', between, gap],
  ['precision', 'pairPrecision', between, gap],
  ['recall', 'pairRecall', between, gap],
  ['fused, %', 'fused', percentBetween, percentGap],
  ['F1 of act', 'f1', between, gap],
  ['above best', 'above', gap, gap],
  ['calibration', 'truth error', between, gap],
  ['log loss', 'truth loss', between, gap],
];
const head = columns.map(([name]) => name);

/** `measured` and `other` as `measureVersion` yields them; `other` may be missing. */
export function sizeTables(measured, other) {
  const drawn = drawPulls([...measured.values()].flatMap(({ tallies }) => tallies));
  const [own, theirs] = [measured, other].map(
    version => version && new Map([...version].map(([size, each]) => [size, bySplit(each, drawn)])),
  );
  const rows = [...own].flatMap(([size, split]) =>
    withMean(split).map(([labelling, estimates]) => [
      String(size),
      labelling,
      ...columns.map(([, key, print]) => print(estimates[key])),
    ]),
  );
  return [
    table('By size of the panel', ['size', 'labelling', ...head], rows),
    choice(own, theirs),
    ...(theirs === undefined
      ? []
      : [differences(own, theirs), differencesByLabelling(own, theirs)]),
  ].join('\n\n');
}

/** Estimates by labelling, of everything and of each group. */
function bySplit({ tallies }, drawn) {
  const split = list =>
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
    groups: groups.map(group => [group, split(tallies.filter(tally => tally.group === group))]),
  };
}

function withMean({ all }) {
  return all.length === 1 ? all : [...all, ['mean', meanOfAll({ all })]];
}

function meanOfAll({ all }) {
  return meanOfEach(all.map(([, estimates]) => estimates));
}

function meanOfEach(list) {
  return Object.fromEntries(
    Object.keys(list[0]).map(key => [key, meanOf(list.map(estimates => estimates[key]))]),
  );
}

/** What variants are chosen by: the mean over labellings, then repositories, then sizes. */
function choice(own, theirs) {
  const rows = [
    ['this version', own],
    ['baseline', theirs],
  ]
    .filter(([, version]) => version !== undefined)
    .flatMap(([name, version]) => {
      const perSize = [...version].map(([size, split]) => [String(size), meanOfGroups(split)]);
      return [...perSize, ['mean', chosenBy(version)]].map(([size, estimates]) => [
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

function meanOfGroups({ groups }) {
  return meanOfEach(groups.map(([, split]) => meanOfEach(split.map(([, each]) => each))));
}

function differences(own, theirs) {
  const pairs = [
    ...[...own].map(([size, split]) => [size, meanOfAll(split), meanOfAll(theirs.get(size))]),
    ['mean', chosenBy(own), chosenBy(theirs)],
  ];
  return table(
    'This version less the baseline, on the same draws of pull requests (last row: what variants are chosen by)',
    ['size', ...head],
    pairs.map(([size, mine, before]) => [
      String(size),
      ...columns.map(([, key, , print]) => print(less(mine[key], before[key]))),
    ]),
  );
}

/** Without calibration and log loss, so that a row keeps to one line. */
function differencesByLabelling(own, theirs) {
  const shown = columns.slice(0, -2);
  const rows = [...own].flatMap(([size, { all }]) => {
    const before = new Map(theirs.get(size).all);
    return all.map(([labelling, mine]) => [
      String(size),
      labelling,
      ...shown.map(([, key, , print]) => print(less(mine[key], before.get(labelling)[key]))),
    ]);
  });
  return table(
    'This version less the baseline by labelling, on the same draws',
    ['size', 'labelling', ...shown.map(([name]) => name)],
    rows,
  );
}

function chosenBy(version) {
  return meanOfEach([...version.values()].map(meanOfGroups));
}

/** Whole panels of each left-out repository, with the error a perfect forecaster would show on the same claims. */
export function repositoryTable({ tallies, claims }) {
  const drawn = drawPulls(tallies);
  const rows = bySplit({ tallies }, drawn).groups.flatMap(([group, split]) =>
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
export function bandCells(claims, target, error) {
  const stated = statedOf(target, claims);
  if (stated.length === 0) return ['', ''];
  const { mean, low, high } = forecasterBand(stated);
  return [between({ value: mean, interval: [low, high] }), error <= high ? 'yes' : 'no'];
}
