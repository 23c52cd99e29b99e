// The sections of the benchmark in their order, and whether its aims are met.
import { readJson, tableOf } from '../program.mjs';
import { falseAlarms } from './false-alarms.mjs';
import { figureTable } from './figure-table.mjs';
import { handPairs } from './hand-pairs.mjs';
import { labellingsOf } from './labelled-panels.mjs';
import { measureVersion } from './measurement.mjs';
import { plotReliability } from './plot.mjs';
import { measureJudges } from './scripted-judge.mjs';
import { speedTable } from './speed.mjs';
import { statedOf } from './tallies.mjs';

/**
 * @typedef {import('./versions.mjs').Version} Version
 * @typedef {{ readonly figure: string, readonly least?: number, readonly most?: number }} Aim A figure that ends in `*` is every
 *   one that begins so.
 */

/**
 * `isMissed`: is an aim missed that was measured? `isListing`: the open pairs that go wrong too.
 * @param {import('./measurement.mjs').Folds} data
 * @param {{ readonly version: Version, readonly other: Version | undefined, readonly isListing: boolean }} versions
 */
export async function report(data, { version, other, isListing }) {
  const measured = await measureVersion(version, data);
  const before = other === undefined ? [] : await measureVersion(other, data);
  const judged = await measureJudges(data);
  const sections = [
    figureTable([...measured, ...judged], before),
    await falseAlarms(version, data.panels),
    await handPairs(version, { isListing }),
    speedTable(data.panels),
  ];
  const { text, isMissed } = checkAims(
    Object.assign({}, ...sections.map(({ figures }) => figures)),
  );
  const named = [version, ...(other === undefined ? [] : [other])].map(({ name }) => name);
  return {
    text: [
      `${data.panels.length} panels, version ${named.join(' beside ')}`,
      ...sections.map(section => section.text),
      text,
    ].join('\n\n'),
    plot: plotReliability('Reliability of worth', seriesOf(measured[0].parts[0])),
    isMissed,
  };
}

function seriesOf(/** @type {import('./measurement.mjs').Part} */ { claims }) {
  return labellingsOf(claims.map(({ panel }) => panel)).map(name => ({
    name,
    stated: statedOf(
      'worth',
      claims.filter(({ panel }) => panel.labelling === name),
    ),
  }));
}

/** Aims whose figure was not measured, as on other data or without a baseline, are not missed. */
export function checkAims(/** @type {Readonly<Record<string, number>>} */ figures) {
  /** @type {readonly Aim[]} */
  const aims = readJson(new URL('aims.json', import.meta.url));
  const checked = aims.flatMap(aim =>
    namesOf(aim.figure, figures).map(name => {
      const value = figures[name];
      const { least = -Infinity, most = Infinity } = aim;
      const wanted = aim.least === undefined ? `≤ ${most}` : `≥ ${least}`;
      const isMet = value >= least && value <= most;
      return { isMet, row: [isMet ? 'met' : 'MISSED', name, String(+value.toFixed(4)), wanted] };
    }),
  );
  return {
    text: tableOf([
      ['aim', 'figure', 'measured', 'wanted'],
      ...checked.map(({ row }) => row),
    ]).trimEnd(),
    isMissed: checked.some(({ isMet }) => !isMet),
  };
}

function namesOf(
  /** @type {string} */ figure,
  /** @type {Readonly<Record<string, number>>} */ figures,
) {
  return figure.endsWith('*')
    ? Object.keys(figures).filter(name => name.startsWith(figure.slice(0, -1)))
    : Object.keys(figures).filter(name => name === figure);
}
