// The sections of the benchmark in their order. What is not marked "shipped" leaves out what it is measured on.
import { forecasterBand } from './bootstrap.mjs';
import { ceilings } from './ceilings.mjs';
import { confidenceTables } from './confidences.mjs';
import { pairTables } from './hand-pairs.mjs';
import { labellingsOf, repositoriesOf } from './labelled-panels.mjs';
import { draws, measureVersion } from './measurement.mjs';
import { calibrate, countBySupport } from './measures.mjs';
import { ablation, comparison, precisions } from './merging.mjs';
import { plotPrecision, plotReliability, plotVerifiers } from './plots.mjs';
import { repositoryTable, sizeTables } from './size-tables.mjs';
import { measureSpeed } from './speed.mjs';
import { table } from './tables.mjs';
import { statedOf, targetsOf } from './tallies.mjs';
import { verifiersTable } from './verifiers.mjs';

/**
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('./versions.mjs').Version} Version
 * @typedef {import('./measurement.mjs').VersionMeasured} VersionMeasured
 * @typedef {import('./measurement.mjs').SizeMeasured} SizeMeasured
 * @typedef {ReturnType<typeof import('./labelled-panels.mjs').planFolds<ReadPanel>>} Folds
 */

/**
 * `data`: `panels` to measure and those `beside` that are only fitted on; `isLeftOut` is false where nothing but the
 * shipped numbers can be measured, `isWhole` where a left-out part is one pull request of a single group. `version` and,
 * to compare with, `other` as `openVersion` yields them. `isListing`: the open pairs that go wrong too.
 * @param {Folds} data
 * @param {{ readonly version: Version, readonly other: Version | undefined, readonly isListing: boolean }} versions
 */
export async function report(data, { version, other, isListing }) {
  const { panels, beside, isLeftOut } = data;
  const measured = await measureVersion(version, data);
  const before = other && (await measureVersion(other, data));
  const whole = measuredAt('all', measured);
  const shipped = isLeftOut
    ? measuredAt('all', await measureVersion(version, { ...data, isLeftOut: false, only: ['all'] }))
    : whole;
  const claims = isLeftOut ? whole.claims : undefined;
  const verified = verifierTables(measured);
  const sections = [
    heading(data, { version, other }),
    sizeTables(measured, before),
    repositoryTable(whole),
    confidenceTables(panels, {
      claims,
      shipped: shipped.claims,
      other: before && measuredAt('all', before).claims,
    }),
    await comparison(data, { claims, shipped: shipped.claims }),
    precisions(measured, draws),
    ...(data.isWhole ? [await ablation(panels, beside)] : []),
    ceilings(panels, whole.claims),
    ...verified.map(({ text }) => text),
    await pairTables(version, other, isListing),
    speed(panels),
  ];
  return {
    text: sections.join('\n\n'),
    plots: { ...plotsOf(panels, measured), 'verifiers.svg': plotVerifiers(verified[0].series) },
  };
}

/** Of the drawn panels one in so many: every one of them is asked about hundreds of times. */
const everyPanel = 10;

function measuredAt(
  /** @type {import('./measurement.mjs').Size} */ size,
  /** @type {VersionMeasured} */ measured,
) {
  return measured.get(size) ?? { panels: [], claims: [], tallies: [] };
}

function verifierTables(/** @type {VersionMeasured} */ measured) {
  const { claims: small } = measuredAt(3, measured);
  const kept = new Set(
    [...new Set(small.map(({ panel }) => panel))].filter((_, index) => index % everyPanel === 0),
  );
  return [
    verifiersTable(measuredAt('all', measured).claims),
    verifiersTable(
      small.filter(({ panel }) => kept.has(panel)),
      { name: `panels of 3, one in ${everyPanel} of those drawn` },
    ),
  ];
}

/**
 * @param {Folds} data
 * @param {{ readonly version: Version, readonly other: Version | undefined }} versions
 */
function heading({ panels, beside, isLeftOut, isWhole }, { version, other }) {
  const groups = [...new Set(panels.map(({ group }) => group))];
  const what = isWhole ? 'the repository' : 'the pull request';
  const whatElse =
    beside.length === 0 ? '' : ` Fitted on besides: ${repositoriesOf(beside).join(', ')}.`;
  const from = isLeftOut
    ? [
        `Every figure leaves out ${what} it is measured on, but for those marked "shipped", which come from the numbers in the`,
        `source: on the data of their own fit they are too good.${whatElse}`,
      ]
    : [
        'Every figure comes from the numbers in the source ("shipped"): on the data of their own fit they are too good. One repository',
        'alone leaves nothing to fit on; --with DIR adds labelled data for that.',
      ];
  return [
    `${panels.length} panels: ${groups.join(', ')}; labellings ${labellingsOf(panels).join(', ')}. Version ${version.name}.`,
    ...(other === undefined ? [] : [`Baseline: ${other.name}, by its own fit on the same data.`]),
    ...from,
    'A figure stands with its 95 % interval: 1,000 draws of pull requests within each repository, all labellings and drawn panels of one',
    'together. A claim is real when at least half of its findings match one known issue. The best reviewer is the one with the best F1',
    'on all of this data, of those seated; it is not chosen anew in a draw.',
  ].join('\n');
}

function speed(/** @type {readonly ReadPanel[]} */ panels) {
  const rows = measureSpeed(panels).map(each => [
    each.shape,
    `${Math.round(each.milliseconds)} ms`,
    `${Math.round(each.processorMilliseconds)} ms`,
    `${Math.round(each.megabytes)} MB`,
    `${Math.round(each.heldMegabytes)} MB`,
    `${Math.round(each.peakMegabytes)} MB`,
    String(each.claims),
    String(each.apart),
  ]);
  return table(
    'Speed: findings of 12 reviewers to claims with confidence',
    ['findings', 'time', 'processor', 'memory', 'held before', 'peak', 'claims', 'not compared'],
    rows,
  );
}

/** @type {Readonly<Record<import('./tallies.mjs').Target, string>>} */
const titles = {
  truth: 'Reliability: it is true',
  matters: 'Reliability: it matters, being true',
  worth: 'Reliability: it is true and matters',
};

function plotsOf(
  /** @type {readonly ReadPanel[]} */ panels,
  /** @type {VersionMeasured} */ measured,
) {
  const { claims } = measuredAt('all', measured);
  const targets = /** @type {(keyof typeof titles)[]} */ (Object.keys(titles));
  const reliabilities = targets.map(target => ({
    target,
    file: target === 'truth' ? 'reliability.svg' : `reliability-${target}.svg`,
    series: labellingsOf(panels).flatMap(name => {
      const own = claims.filter(({ panel }) => panel.labelling === name);
      if (!targetsOf(own).includes(target)) return [];
      const stated = statedOf(target, own);
      return [{ name, bins: binsOf(stated), band: forecasterBand(stated).bins }];
    }),
  }));
  return {
    ...Object.fromEntries(
      reliabilities
        .filter(({ series }) => series.length > 0)
        .map(({ target, file, series }) => [file, plotReliability(titles[target], series)]),
    ),
    'precision-by-support.svg': plotPrecision(
      [...measured].map(([size, { claims: own }]) => ({
        name: size === 'all' ? 'all reviewers' : `panels of ${size}`,
        points: pointsOf(own),
      })),
    ),
  };
}

function binsOf(/** @type {ReturnType<typeof statedOf>} */ stated) {
  return calibrate(stated.map(({ probability, isSo }) => ({ probability, isReal: isSo }))).bins;
}

function pointsOf(/** @type {SizeMeasured['claims']} */ claims) {
  return countBySupport(claims).flatMap((count, support) =>
    count && count.all >= 3
      ? [{ support, precision: count.real / count.all, count: count.all }]
      : [],
  );
}
