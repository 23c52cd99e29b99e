// Baseline: the changed files as they are, then the files beside them, until the tokens are spent. The last one is cut there.
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';

/** @typedef {import('./repository-state.mjs').StateFiles} StateFiles */

/** @param {{ readonly order: readonly string[], readonly files: StateFiles, readonly tokens: number }} wanted */
export function packWholeFiles({ order, files, tokens }) {
  const shown = createShown();
  let left = tokens;
  for (const path of order) {
    const lines = files.get(path)?.lines ?? [];
    left -= countTokens(`${path}:\n`);
    if (left <= 0) break;
    shown.addPath(path);
    for (const [index, line] of lines.entries()) {
      left -= countTokens(`${line}\n`);
      if (left < 0) break;
      shown.addLine(path, index + 1);
    }
    if (left <= 0) break;
  }
  return shown;
}

/** The changed files, those in their folders, all others by path. */
export function filesByNearness(
  /** @type {readonly string[]} */ changed,
  /** @type {StateFiles} */ files,
) {
  const own = changed.filter(path => files.has(path));
  const folders = new Set(own.map(folderOf));
  const all = [...files.keys()];
  return [...new Set([...own, ...all.filter(path => folders.has(folderOf(path))), ...all])];
}

const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf('/') + 1);
