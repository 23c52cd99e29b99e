// Baseline: text search for the names a change defines or takes away, in the order of the paths: `git grep -n 'name('`.
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';
import { escaped } from './truth.mjs';

const mostColumns = 200;

/**
 * `isCall`: only where an opening bracket follows the name.
 * @param {{ readonly words: readonly string[], readonly files: import('./repository-state.mjs').StateFiles, readonly tokens: number,
 *   readonly isCall: boolean }} wanted
 */
export function searchNames({ words, files, tokens, isCall }) {
  const shown = createShown();
  if (words.length === 0) return shown;
  const own = words.map(escaped).join('|');
  const sought = new RegExp(String.raw`\b(?:${own})${isCall ? String.raw`\(` : String.raw`\b`}`);
  let left = tokens;
  // Git lists the files in the order of their paths.
  for (const [path, { lines }] of files) {
    for (const [index, line] of lines.entries()) {
      if (!sought.test(line)) continue;
      left -= countTokens(`${path}:${index + 1}:${line.slice(0, mostColumns)}\n`);
      if (left < 0) return shown;
      shown.addLine(path, index + 1);
    }
  }
  return shown;
}
