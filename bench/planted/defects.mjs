// The planted defects: small programs with one defect each, beside the mended form that must raise nothing. One file for each
// language in `defects/`; `@@ id | weakness | rule it was made after | path` opens an entry, `»` marks the line, `@@ safe` the twin.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('defects/', import.meta.url);
const mark = '»';

/**
 * - `weakness`: `CWE-89`
 * - `origin`: the published rule it was made after
 * - `lines`: 1-based ones on which it may be reported
 * - `safe`: its twin, mended
 * @typedef {ReturnType<typeof readEntry>} PlantedDefect
 */

export function readDefects() {
  return readdirSync(folder)
    .filter(name => name.endsWith('.txt'))
    .toSorted()
    .flatMap(name => {
      const entries = readFileSync(new URL(name, folder), 'utf8').split(/^(?=@@ (?!safe$))/m);
      return entries.map(entry => readEntry(name.replace('.txt', ''), entry));
    });
}

function readEntry(/** @type {string} */ language, /** @type {string} */ entry) {
  const [head = '', ...body] = entry.split('\n');
  const [id = '', weakness = '', origin = '', path = ''] = head
    .slice(3)
    .split('|')
    .map(part => part.trim());
  const at = body.indexOf('@@ safe');
  const planted = body.slice(0, at);
  const lines = planted.flatMap((line, index) => (line.startsWith(mark) ? [index + 1] : []));
  if (at < 0 || lines.length === 0 || path === '')
    throw new Error(`${language}: "${head}" is no whole entry`);
  return {
    id,
    language,
    weakness,
    origin,
    // A folder of its own, so that all can stand in one change.
    path: `${id}/${path}`,
    text: `${planted.map(line => line.replace(mark, '')).join('\n')}\n`,
    lines,
    safe: `${body
      .slice(at + 1)
      .join('\n')
      .trimEnd()}\n`,
    isAside: isAside(id),
  };
}

/** A third, chosen by nobody: rules are written without looking at how they do there. */
function isAside(/** @type {string} */ id) {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % 3 === 0;
}
