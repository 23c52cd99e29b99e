// A session in a temporary folder, where the program votes on it with a state of its own.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readJson, remove } from '../program.mjs';

/** @typedef {string | ((folder: string) => void)} SessionSource */
/** @typedef {ReturnType<typeof placeSession>} Place */

/** `session`: a folder that is copied, or a function that writes one. Given back by `remove`. */
export function placeSession(
  /** @type {SessionSource} */ session,
  /** @type {object} */ motions = {},
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-bench-votes-'));
  const name = typeof session === 'string' ? path.basename(session) : 'session';
  const place = path.join(folder, name);
  if (typeof session === 'string') {
    cpSync(session, place, {
      recursive: true,
      filter: source => path.basename(source) !== 'recorded',
    });
  } else {
    mkdirSync(place);
    session(place);
  }
  writeFileSync(path.join(folder, 'jury.config.json'), JSON.stringify({ motions }));
  return {
    folder,
    name,
    results: path.join(folder, '_bmad-output', 'review-pipeline', name),
    remove: () => remove(folder),
  };
}

export function readResult(/** @type {string} */ results, /** @type {string} */ name) {
  return readJson(path.join(results, name));
}

/** Folders beside the results that hold those of runs before. */
export function formerResults(/** @type {Place} */ { results, name }) {
  const base = path.dirname(results);
  if (!existsSync(base)) return [];
  return readdirSync(base)
    .filter(entry => entry.startsWith(`${name}.`))
    .map(entry => path.join(base, entry));
}
