// Labelled pairs of statements, and how well a judge of them does.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { readJson } from '../program.mjs';

/**
 * `relation`: `conflict` or `harmless`.
 * @typedef {{ readonly one: string, readonly other: string, readonly relation: string }} LabelledPair
 */

/** Throws when a pair stands in the wrong one of the two files. */
export function readPairs(/** @type {string} */ set) {
  /** @type {LabelledPair[]} */
  const pairs = readJson(new URL(`pairs/${set}.json`, import.meta.url));
  for (const pair of pairs)
    if (isSetAside(pair) !== (set === 'set-aside'))
      throw new Error(`"${pair.one}" does not belong to ${set}.json`);
  return pairs;
}

function isSetAside(/** @type {LabelledPair} */ { one, other }) {
  const hash = createHash('sha256').update(`${one}\n${other}`).digest('hex');
  return Number.parseInt(hash.slice(0, 8), 16) % 3 === 0;
}

/** @typedef {{ readonly file: string, readonly element: number, readonly piece: number }} Place */

/** Pairs out of recorded sessions. */
export function readRecordedPairs(/** @type {string} */ folder) {
  /** @type {{ session: string, one: Place, other: Place, relation: string }[]} */
  const places = readJson(new URL('pairs/recorded.json', import.meta.url));
  return places.map(({ session, one, other, relation }) => {
    const read = (/** @type {Place} */ { file, element, piece }) => {
      const entry = readJson(path.join(folder, session, file))[element];
      return String((entry.consolidated_text ?? entry.text).split(/[.;\n\r]/)[piece]).trim();
    };
    return { relation, one: read(one), other: read(other) };
  });
}

/**
 * How many conflicts a judge of two texts finds, and how much of what it flags is one.
 * @param {readonly LabelledPair[]} pairs
 * @param {(one: string, other: string) => boolean} contradict
 */
export function judgePairs(pairs, contradict) {
  const flagged = pairs.filter(({ one, other }) => contradict(one, other));
  const conflicts = pairs.filter(isConflict);
  const right = flagged.filter(isConflict);
  return {
    recall: right.length / conflicts.length,
    precision: flagged.length === 0 ? 1 : right.length / flagged.length,
    found: `${right.length}/${conflicts.length} found, ${flagged.length - right.length}/${pairs.length - conflicts.length} harmless flagged`,
  };
}

function isConflict(/** @type {LabelledPair} */ { relation }) {
  return relation === 'conflict';
}
