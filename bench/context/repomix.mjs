// Baseline: Repomix, whole and with --compress, the changed files first. Its own library processes each file; the pinned version is
// installed once into a cache folder from bench/context/package.json and its lock file, without running anybody's install script.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createShown } from './shown.mjs';
import { countTokens } from './tokens.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const mostFiles = 24;

/**
 * @typedef {import('./repository-state.mjs').StateFiles} StateFiles
 * @typedef {{ readonly path: string, readonly content: string }} FileText
 * @typedef {NonNullable<Awaited<ReturnType<typeof openRepomix>>>} Repomix
 */

/** Folder of the installation, or `null` with a sentence on standard error. */
export function installRepomix(/** @type {string} */ cache) {
  const lock = readFileSync(path.join(here, 'package-lock.json'));
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = path.join(cache, `repomix-${key}`);
  if (existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return folder;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(here, file), path.join(folder, file));
  // It asks for a newer Node than the project does, and runs on this one; a project that is strict about engines hands that on.
  const { status, stderr } = spawnSync(
    'npm',
    [
      'ci',
      '--ignore-scripts',
      '--engine-strict=false',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=1',
      '--loglevel=error',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status === 0) return folder;
  console.error(
    `Repomix cannot be installed, so it is not measured: ${stderr.trim().split('\n', 1)[0]}`,
  );
  return null;
}

export const repomixProgram = (/** @type {string} */ folder) =>
  path.join(folder, 'node_modules/repomix/bin/repomix.cjs');

/** `null` where it is not installed. */
export async function openRepomix(/** @type {string | null} */ folder, /** @type {string} */ root) {
  if (folder === null) return null;
  const entry = path.join(folder, 'node_modules/repomix/lib/index.js');
  const { mergeConfigs, processFiles } = await import(pathToFileURL(entry).href);
  const output = { style: 'plain', fileSummary: false, directoryStructure: false };
  return async (
    /** @type {{ readonly order: readonly string[], readonly files: StateFiles, readonly tokens: number, readonly compress: boolean }} */ {
      order,
      files,
      tokens,
      compress,
    },
  ) => {
    const wanted = order.slice(0, mostFiles);
    const linesOf = (/** @type {string} */ file) => files.get(file)?.lines ?? [];
    const raw = wanted.map(file => ({ path: file, content: linesOf(file).join('\n') }));
    const configuration = mergeConfigs(root, {}, { output: { ...output, compress } });
    const processed = await processAll(raw, one => processFiles(one, configuration, () => {}));
    const byPath = new Map(processed.map(file => [file.path, file.content]));
    const shown = createShown();
    let left = tokens;
    for (const file of wanted) {
      const content = byPath.get(file);
      if (content === undefined) continue;
      left -= countTokens(`================\nFile: ${file}\n================\n`);
      if (left <= 0) break;
      shown.addPath(file);
      left = showLines({ file, content, lines: linesOf(file), shown, left });
      if (left <= 0) break;
    }
    return shown;
  };
}

/**
 * A file that it cannot read must not take the others with it: that one is not shown, and said.
 * @param {readonly FileText[]} raw
 * @param {(files: readonly FileText[]) => Promise<readonly FileText[]>} process
 * @returns {Promise<readonly FileText[]>}
 */
async function processAll(raw, process) {
  try {
    return await process(raw);
  } catch {
    /** @type {FileText[]} */
    const processed = [];
    for (const file of raw)
      try {
        processed.push(...(await process([file])));
      } catch (error) {
        console.error(`Repomix cannot process ${file.path}: ${String(error)}`);
      }
    return processed;
  }
}

/**
 * What is printed keeps the order of the source, so that each line is the next one with the same text.
 * @param {{ readonly file: string, readonly content: string, readonly lines: readonly string[],
 *   readonly shown: import('./shown.mjs').Shown, readonly left: number }} printed
 */
function showLines({ file, content, lines, shown, left }) {
  let from = 0;
  let tokens = left;
  for (const line of content.split('\n')) {
    tokens -= countTokens(`${line}\n`);
    if (tokens < 0) return tokens;
    const text = line.trim();
    if (text === '' || text.startsWith('⋮')) continue;
    const found = lines.findIndex((one, index) => index >= from && one.trim().startsWith(text));
    if (found === -1) continue;
    shown.addLine(file, found + 1);
    from = found + 1;
  }
  return tokens;
}
