// Labelled pairs of statements, and how well a judge of them does.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Throws when a pair stands in the wrong one of the two files. */
export function readPairs(set) {
  const pairs = JSON.parse(readFileSync(new URL(`pairs/${set}.json`, import.meta.url), 'utf8'));
  for (const pair of pairs)
    if (isSetAside(pair) !== (set === 'set-aside'))
      throw new Error(`"${pair.one}" does not belong to ${set}.json`);
  return pairs;
}

function isSetAside({ one, other }) {
  const hash = createHash('sha256').update(`${one}\n${other}`).digest('hex');
  return Number.parseInt(hash.slice(0, 8), 16) % 3 === 0;
}

/** Pairs out of recorded sessions; null where there are none. */
export function readRecordedPairs(folder) {
  if (folder === undefined || !existsSync(folder)) return null;
  const places = JSON.parse(readFileSync(new URL('pairs/recorded.json', import.meta.url), 'utf8'));
  const read = (session, { file, element, piece }) => {
    const entry = JSON.parse(readFileSync(path.join(folder, session, file), 'utf8'))[element];
    return (entry.consolidated_text ?? entry.text).split(/[.;\n\r]/)[piece].trim();
  };
  return places.map(({ session, one, other, ...label }) => ({
    ...label,
    kind: 'recorded',
    one: read(session, one),
    other: read(session, other),
  }));
}

/** `{ recall, precision, found, wrong, missed }`, each text being once the member's and once the motion's. */
export function judgePairs(pairs, contradict) {
  const flagged = pairs.filter(({ one, other }) => contradict(one, other));
  const conflicts = pairs.filter(isConflict);
  const right = flagged.filter(isConflict);
  return {
    recall: right.length / conflicts.length,
    precision: flagged.length === 0 ? 1 : right.length / flagged.length,
    found: `${right.length}/${conflicts.length} found, ${flagged.length - right.length}/${pairs.length - conflicts.length} harmless flagged`,
    wrong: flagged.filter(pair => !isConflict(pair)),
    missed: conflicts.filter(pair => !flagged.includes(pair)),
  };
}

function isConflict({ relation }) {
  return relation === 'conflict';
}
