// A session of its own: motions with so many supporters each that every risk occurs, one of them constitutional.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chanceOf } from './opinions.mjs';

const subjects = [
  'wells',
  'roads',
  'schools',
  'archives',
  'markets',
  'bridges',
  'forests',
  'ports',
];

/**
 * Writes mega-motions.json and roster.json into `folder`; the same for the same `seed`.
 * @param {string} folder
 * @param {{ readonly members: number, readonly motions: number, readonly seed: string, readonly support?: number }} size
 */
export function writeSession(folder, { members, motions, seed, support = 0.9 }) {
  const roster = Array.from({ length: members }, (_, index) => `Member-${index}`);
  const list = Array.from({ length: motions }, (_, index) => {
    const subject = subjects[index % subjects.length] ?? '';
    const supporters = roster.filter(
      name => chanceOf(`${seed}|${index}|${name}`) < chanceOf(`${seed}|${index}`) * support,
    );
    return {
      mega_motion_id: `m-${index}`,
      title: `${index % 7 === 3 ? 'Constitutional motion' : 'Motion'} ${index} on ${subject}`,
      theme: subject,
      consolidated_text: `The ${subject} of district ${index} are looked after by whoever uses them.\nAccounts of this are kept and laid open each year.`,
      source_motion_ids: [`s-${index}`],
      all_supporting_archons: supporters,
      unique_archon_count: supporters.length,
    };
  });
  write(folder, list, roster);
}

/**
 * So large that only its figures matter: supporters stand in a row of the roster, from none to `support` of it.
 * @param {string} folder
 * @param {{ readonly members: number, readonly motions: number, readonly support: number }} size
 */
export function writeLargeSession(folder, { members, motions, support }) {
  const roster = Array.from({ length: members }, (_, index) => `Member-${index}`);
  const list = Array.from({ length: motions }, (_, index) => {
    const supporters = roster.slice(0, Math.floor((support * members * (index % 97)) / 96));
    return {
      mega_motion_id: `m-${index}`,
      title: `${index % 11 === 0 ? 'Constitutional motion' : 'Motion'} ${index}`,
      theme: subjects[index % subjects.length],
      consolidated_text: Array.from({ length: 4 }, (__, clause) => sentenceOf(index, clause)).join(
        '\n',
      ),
      source_motion_ids: [`s-${index}`],
      all_supporting_archons: supporters,
      unique_archon_count: supporters.length,
    };
  });
  write(folder, list, roster);
}

function write(
  /** @type {string} */ folder,
  /** @type {readonly object[]} */ motions,
  /** @type {readonly string[]} */ roster,
) {
  writeFileSync(path.join(folder, 'mega-motions.json'), JSON.stringify(motions));
  writeFileSync(path.join(folder, 'roster.json'), JSON.stringify(roster));
}

/** Words that no other sentence has together, so that there is nothing to contradict. */
function sentenceOf(/** @type {number} */ motion, /** @type {number} */ clause) {
  const words = Array.from({ length: 9 }, (_, word) => {
    const number = Math.floor(chanceOf(`${motion}|${clause}|${word}`) * 17_576);
    return [676, 26, 1]
      .map(of => String.fromCharCode(97 + (Math.floor(number / of) % 26)))
      .join('');
  });
  return `${words.join(' ')}.`;
}
