// What the built-in panel says of code that turned out to have a published weakness: the files of a fix as they were before it,
// as if a change had added them. A fix counts as told where a remark lies on a line that the fix took away.
import { readFileSync } from 'node:fs';
import { parsePatch } from '../../dist/adapters/git/patch.js';
import { grammarOf, isTestPath } from '../../dist/core/languages/languages.js';
import { gitIn } from '../program.mjs';
import { asAdded, askPanel } from './panel.mjs';
import { findRepository } from './ranges.mjs';

/** Prints a row for each fix that is told, and the shares. */
export async function measureFixes(/** @type {string} */ folder) {
  const total = { fixes: 0, told: 0, lines: 0, hit: 0, files: 0 };
  for (const { repository, commit, name } of readFixes()) {
    const git = findRepository(folder, repository);
    if (git === null) continue;
    const { files, texts } = readFix(git, commit);
    const { remarks } = await askPanel(asAdded(texts), path => texts.get(path) ?? null);
    const removed = files.flatMap(file => removedLines(file).map(line => `${file.path}:${line}`));
    const said = new Map(remarks.map(remark => [`${remark.path}:${remark.line}`, remark.rule]));
    const hits = removed.filter(place => said.has(place));
    total.fixes += 1;
    total.told += hits.length > 0 ? 1 : 0;
    total.lines += removed.length;
    total.hit += hits.length;
    total.files += remarks.length > 0 ? 1 : 0;
    for (const place of hits)
      console.log(`    ${repository}@${commit} ${name} ${place} ${said.get(place)}`);
  }
  const { fixes, told, lines, hit, files } = total;
  console.log(
    `Fixes of published weaknesses: ${told} of ${fixes} told on a line that the fix took away ` +
      `(${hit} of ${lines} lines); in ${files} something is said of the files at all`,
  );
}

function readFixes() {
  return readFileSync(new URL('fixes.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(' '))
    .map(([repository = '', commit = '', name = '']) => ({ repository, commit, name }));
}

/** The files that the fix changed, code alone, and their texts before it. */
function readFix(/** @type {string} */ repository, /** @type {string} */ commit) {
  const git = gitIn(repository);
  const patch = git('diff', '--no-ext-diff', '--no-renames', '--full-index', `${commit}^`, commit);
  const files = parsePatch(`${patch}\n`).filter(
    ({ path, status }) => status !== 'added' && grammarOf(path) !== null && !isTestPath(path),
  );
  const texts = new Map(files.map(({ path }) => [path, `${git('show', `${commit}^:${path}`)}\n`]));
  return { files, texts };
}

/** Numbers on the old side. */
function removedLines(/** @type {import('../../dist/index.js').ChangedFile} */ { hunks }) {
  return hunks.flatMap(({ oldStart, lines }) => {
    let line = oldStart - 1;
    return lines.flatMap(text => {
      if (!text.startsWith('+') && !text.startsWith('\\')) line += 1;
      return text.startsWith('-') ? [line] : [];
    });
  });
}
