// Pairs written by hand: two reviewers with one finding each, by what they are to each other, how usual the subject is and
// where they stand. Of all but the open pairs nothing but counts is told.
import { readJson } from '../program.mjs';
import { makeFinding, placeAt } from './finding.mjs';
import { table } from './tables.mjs';

/**
 * @typedef {{ readonly theme: string, readonly relation: 'same' | 'opposite' | 'different', readonly usual: boolean, readonly one: string,
 *   readonly other: string }} HandPair
 * @typedef {Awaited<ReturnType<typeof judgePairs>>[number]} JudgedPair
 * @typedef {Pick<import('./versions.mjs').Version, 'claimPair'>} Version
 */

const sets = ['open', 'validation', 'set-aside'];
const places = /** @type {const} */ ([
  ['one line', [10, 10]],
  ['five apart', [10, 15]],
  ['no place', [null, null]],
]);

/**
 * What a good panel does: merges what is the same, and keeps the rest apart or shows it as against.
 * @typedef {{ readonly name: string, readonly is: (pair: { readonly isTogether: boolean, readonly isAgainst: boolean }) => boolean }} Wanted
 * @type {Readonly<Record<HandPair['relation'], Wanted>>}
 */
const wanted = {
  same: { name: 'same: together', is: ({ isTogether }) => isTogether },
  opposite: {
    name: 'opposite: apart or against',
    is: ({ isTogether, isAgainst }) => !isTogether || isAgainst,
  },
  different: { name: 'different: apart', is: ({ isTogether }) => !isTogether },
};
const relations = /** @type {HandPair['relation'][]} */ (Object.keys(wanted));

/** @returns {HandPair[]} */
export function readPairs(/** @type {string} */ set) {
  return readJson(new URL(`pairs/${set}.json`, import.meta.url));
}

/** Of every pair at every place: do both support one claim, does one stand against the other? */
export async function judgePairs(
  /** @type {Version} */ version,
  /** @type {readonly HandPair[]} */ pairs,
) {
  const judged = [];
  for (const pair of pairs)
    for (const [place, lines] of places)
      judged.push({ ...pair, place, ...(await judgePair(version, pair, lines)) });
  return judged;
}

/**
 * @param {Version} version
 * @param {HandPair} pair
 * @param {readonly [number | null, number | null]} lines
 */
async function judgePair(version, { one, other }, [line, otherLine]) {
  const claims = await version.claimPair([
    findingOf('first', one, line),
    findingOf('second', other, otherLine),
  ]);
  return {
    isTogether: claims.some(({ supporters }) => supporters.length === 2),
    isAgainst: claims.some(
      ({ against, contradicts }) => (against ?? []).length > 0 || contradicts.length > 0,
    ),
  };
}

function findingOf(
  /** @type {string} */ reviewer,
  /** @type {string} */ text,
  /** @type {number | null} */ line,
) {
  return makeFinding(reviewer, 0, text, {
    label: 'medium',
    location: line === null ? null : placeAt('src/subject.ts', line),
  });
}

/**
 * Counts of what went as wanted, `other` beside; with `isListing` the open pairs that did not.
 * @param {Version} version
 * @param {Version | undefined} other
 * @param {boolean} isListing
 */
export async function pairTables(version, other, isListing) {
  const sections = [];
  for (const set of sets) {
    const pairs = readPairs(set);
    const judged = await judgePairs(version, pairs);
    const before = other && (await judgePairs(other, pairs));
    sections.push(countTable(set, judged, before));
    if (isListing && set === 'open') sections.push(listFailing(judged));
  }
  return sections.join('\n\n');
}

/**
 * @param {string} set
 * @param {readonly JudgedPair[]} judged
 * @param {readonly JudgedPair[] | undefined} before
 */
function countTable(set, judged, before) {
  const groups = { usual: [true], unusual: [false], all: [true, false] };
  const rows = Object.entries(groups).flatMap(([name, own]) =>
    places.map(([place]) => [
      name,
      place,
      ...relations.flatMap(relation =>
        [judged, before ?? []].slice(0, before === undefined ? 1 : 2).map(list =>
          cellOf(
            relation,
            list.filter(
              pair =>
                own.includes(pair.usual) && pair.place === place && pair.relation === relation,
            ),
          ),
        ),
      ),
    ]),
  );
  const columns = Object.values(wanted).flatMap(({ name }) =>
    before === undefined ? [name] : [name, 'baseline'],
  );
  return table(
    `Pairs written by hand, ${set} (of opposites, those shown as against)`,
    ['subject', 'place', ...columns],
    rows,
  );
}

function cellOf(
  /** @type {HandPair['relation']} */ relation,
  /** @type {readonly JudgedPair[]} */ pairs,
) {
  const hits = pairs.filter(wanted[relation].is).length;
  const shown =
    relation === 'opposite' ? ` (${pairs.filter(({ isAgainst }) => isAgainst).length})` : '';
  const share = pairs.length === 0 ? '' : ` ${Math.round((100 * hits) / pairs.length)} %`;
  return `${hits}/${pairs.length}${share}${shown}`;
}

/** At one line, where it is hardest to keep things apart, and without a place, where it is hardest to see that they are one. */
function listFailing(/** @type {readonly JudgedPair[]} */ judged) {
  const failing = judged.filter(
    pair =>
      pair.place === (pair.relation === 'same' ? 'no place' : 'one line') &&
      !wanted[pair.relation].is(pair),
  );
  return [
    'Open pairs that go wrong (same: without a place; opposite, different: at one line)',
    ...failing.map(
      ({ theme, relation, one, other }) => `${relation} · ${theme}\n  ${one}\n  ${other}`,
    ),
  ].join('\n');
}
