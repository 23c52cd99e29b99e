// Pairs written by hand: two reviewers with one finding each, by what they are to each other, how usual the subject is and
// where they stand. Of all but the open pairs nothing but counts is told.
import { readFileSync } from 'node:fs';
import { makeFinding, placeAt } from './finding.mjs';
import { table } from './tables.mjs';

const sets = ['open', 'validation', 'set-aside'];
const places = [
  ['one line', [10, 10]],
  ['five apart', [10, 15]],
  ['no place', [null, null]],
];

/** What a good panel does: merges what is the same, and keeps the rest apart or shows it as against. */
const wanted = {
  same: ['same: together', ({ isTogether }) => isTogether],
  opposite: ['opposite: apart or against', ({ isTogether, isAgainst }) => !isTogether || isAgainst],
  different: ['different: apart', ({ isTogether }) => !isTogether],
};

export function readPairs(set) {
  return JSON.parse(readFileSync(new URL(`pairs/${set}.json`, import.meta.url), 'utf8'));
}

/** `{ isTogether, isAgainst }` of every pair at every place: do both support one claim, does one stand against the other? */
export async function judgePairs(version, pairs) {
  const judged = [];
  for (const pair of pairs)
    for (const [place, lines] of places)
      judged.push({ ...pair, place, ...(await judgePair(version, pair, lines)) });
  return judged;
}

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

function findingOf(reviewer, text, line) {
  return makeFinding(reviewer, 0, text, {
    label: 'medium',
    location: line === null ? null : placeAt('src/subject.ts', line),
  });
}

/** Counts of what went as wanted, `other` beside; with `isListing` the open pairs that did not. */
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

function countTable(set, judged, before) {
  const groups = [
    ['usual', ({ usual }) => usual],
    ['unusual', ({ usual }) => !usual],
    ['all', () => true],
  ];
  const rows = groups.flatMap(([name, isIn]) =>
    places.map(([place]) => [
      name,
      place,
      ...Object.keys(wanted).flatMap(relation => {
        const own = list =>
          list.filter(pair => isIn(pair) && pair.place === place && pair.relation === relation);
        const cells = [cellOf(relation, own(judged))];
        if (before !== undefined) cells.push(cellOf(relation, own(before)));
        return cells;
      }),
    ]),
  );
  const columns = Object.values(wanted).flatMap(([name]) =>
    before === undefined ? [name] : [name, 'baseline'],
  );
  return table(
    `Pairs written by hand, ${set} (of opposites, those shown as against)`,
    ['subject', 'place', ...columns],
    rows,
  );
}

function cellOf(relation, pairs) {
  const [, isWanted] = wanted[relation];
  const hits = pairs.filter(isWanted).length;
  const shown =
    relation === 'opposite' ? ` (${pairs.filter(({ isAgainst }) => isAgainst).length})` : '';
  const share = pairs.length === 0 ? '' : ` ${Math.round((100 * hits) / pairs.length)} %`;
  return `${hits}/${pairs.length}${share}${shown}`;
}

/** At one line, where it is hardest to keep things apart, and without a place, where it is hardest to see that they are one. */
function listFailing(judged) {
  const failing = judged.filter(
    pair =>
      pair.place === (pair.relation === 'same' ? 'no place' : 'one line') &&
      !wanted[pair.relation][1](pair),
  );
  return [
    'Open pairs that go wrong (same: without a place; opposite, different: at one line)',
    ...failing.map(
      ({ theme, relation, one, other }) => `${relation} · ${theme}\n  ${one}\n  ${other}`,
    ),
  ].join('\n');
}
