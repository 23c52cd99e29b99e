// Pairs written by hand: two reviewers with one finding each, by what they are to each other. Of the sets that are put away
// nothing but counts is told.
import { readJson, tableOf } from '../program.mjs';
import { readRemark } from './finding.mjs';

/**
 * @typedef {'same' | 'opposite' | 'different'} Relation
 * @typedef {import('./finding.mjs').Remark} Remark
 * @typedef {{ readonly theme: string, readonly relation: Relation, readonly one: Remark, readonly other: Remark }} HandPair
 * @typedef {Omit<HandPair, 'one' | 'other'> & { readonly one: string, readonly other: string }} TextPair
 * @typedef {{ readonly name: string, readonly isOpen: boolean, readonly pairs: readonly HandPair[] }} PairSet
 * @typedef {Awaited<ReturnType<typeof judgePairs>>[number]} JudgedPair
 * @typedef {Pick<import('./versions.mjs').Version, 'claimPair'>} Version
 */

/** @type {readonly Relation[]} */
const relations = ['same', 'opposite', 'different'];

/** Pairs that are texts alone are judged at each of these places. */
const places = /** @type {const} */ ([
  ['one line', [10, 10]],
  ['five apart', [10, 15]],
  ['no place', [null, null]],
]);

/** Counts of every set, and what is wrong with the pairs of the open ones; all of them, or `everyday` alone. */
export async function handPairs(
  /** @type {Version} */ version,
  /** @type {{ readonly isListing: boolean }} */ { isListing },
) {
  const rows = [];
  const listed = [];
  /** @type {Record<string, number>} */
  const figures = {};
  for (const { name, isOpen, pairs } of readSets()) {
    const judged = await judgePairs(version, pairs);
    const counts = relations.map(relation => countOf(judged, relation));
    for (const { relation, share } of counts) figures[`${name}, ${relation}`] = share;
    figures[`${name}, against`] = judged.filter(({ isAgainst }) => isAgainst).length;
    rows.push([name, ...counts.map(({ cell }) => cell)]);
    if (isOpen && (isListing || name === 'everyday'))
      listed.push(...judged.filter(pair => !isAsWanted(pair)).map(pair => describe(name, pair)));
  }
  const head = ['pairs', 'same: one', 'opposite: apart or against', 'different: apart'];
  return { text: [tableOf([head, ...rows]), ...listed].join('\n').trimEnd(), figures };
}

/** The sets, those of texts once for each place. Made here: remarks of different themes, far apart in one file. */
export function readSets() {
  const open = readPairs('open');
  const distant = open.slice(0, 100).map(({ theme, one }, at) => {
    const far = open.slice(100 + at).find(pair => pair.theme !== theme) ?? open[0];
    return {
      theme: `${theme} / ${far.theme}`,
      relation: /** @type {const} */ ('different'),
      one: remarkAt(one, 10),
      other: remarkAt(far.other, 910),
    };
  });
  return /** @type {PairSet[]} */ ([
    { name: 'everyday', isOpen: true, pairs: readJson(fileOf('everyday')) },
    { name: 'everyday-set-aside', isOpen: false, pairs: readJson(fileOf('everyday-set-aside')) },
    ...place('open', true),
    ...place('validation', false),
    ...place('set-aside', false),
    { name: 'distant', isOpen: true, pairs: distant },
  ]);
}

/** @returns {TextPair[]} */
export function readPairs(/** @type {string} */ set) {
  return readJson(fileOf(set));
}

function fileOf(/** @type {string} */ set) {
  return new URL(`pairs/${set}.json`, import.meta.url);
}

function place(/** @type {string} */ set, /** @type {boolean} */ isOpen) {
  return places.map(([name, [line, otherLine]]) => ({
    name: `${set}, ${name}`,
    isOpen,
    pairs: readPairs(set).map(({ theme, relation, one, other }) => ({
      theme,
      relation,
      one: remarkAt(one, line),
      other: remarkAt(other, otherLine),
    })),
  }));
}

/** @returns {Remark} */
function remarkAt(/** @type {string} */ text, /** @type {number | null} */ line) {
  return { text, severity: 'medium', path: line === null ? null : 'src/subject.ts', line };
}

export async function judgePairs(
  /** @type {Version} */ version,
  /** @type {readonly HandPair[]} */ pairs,
) {
  const judged = [];
  for (const pair of pairs) {
    const findings = [readRemark('first', 0, pair.one), readRemark('second', 0, pair.other)];
    judged.push({ ...pair, ...(await judgePair(version, findings)) });
  }
  return judged;
}

/** Do both support one claim, is one shown as against the other? */
export async function judgePair(
  /** @type {Version} */ version,
  /** @type {readonly import('./finding.mjs').Finding[]} */ findings,
) {
  const claims = await version.claimPair(findings);
  return {
    isTogether: claims.some(({ supporters }) => supporters.length === 2),
    isAgainst: claims.some(
      ({ against, contradicts }) => (against ?? []).length > 0 || contradicts.length > 0,
    ),
  };
}

/** What a good panel does: merges what is the same, and keeps the rest apart or shows it as against. */
function isAsWanted(/** @type {JudgedPair} */ { relation, isTogether, isAgainst }) {
  if (relation === 'same') return isTogether;
  return !isTogether || (relation === 'opposite' && isAgainst);
}

function countOf(/** @type {readonly JudgedPair[]} */ judged, /** @type {Relation} */ relation) {
  const own = judged.filter(pair => pair.relation === relation);
  const hits = own.filter(isAsWanted).length;
  const share = hits / own.length;
  const against = own.filter(({ isAgainst }) => isAgainst).length;
  const cell =
    own.length === 0
      ? ''
      : `${hits}/${own.length} ${Math.round(100 * share)} % (${against} against)`;
  return { relation, share, cell };
}

function describe(/** @type {string} */ set, /** @type {JudgedPair} */ pair) {
  const { theme, relation, isTogether, isAgainst, one, other } = pair;
  const went = `${isTogether ? 'one claim' : 'two claims'}${isAgainst ? ', against each other' : ''}`;
  const lines = [one, other].map(({ text, path, line }) => `  ${path ?? ''}:${line ?? ''} ${text}`);
  return [`${set} · ${theme}: ${relation}, but ${went}`, ...lines].join('\n');
}
