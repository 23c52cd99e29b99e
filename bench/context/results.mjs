// Where answers are kept: one file of JSON lines for a repository, a built tree and a choice of questions.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

/**
 * What was found of a question; `kind` says which fields there are besides.
 * @typedef {{ readonly kind: string, readonly commit?: string, readonly cap?: number, readonly name?: string,
 *   readonly refusal?: string | null, readonly packs?: number, readonly tokens?: number, readonly stated?: number,
 *   readonly paths?: number, readonly ms?: number, readonly isRiskNoted?: boolean,
 *   readonly hits?: Readonly<Record<string, unknown>> }} ResultRecord
 */

export function nameOf(/** @type {string} */ repo) {
  const [last = '', folder = ''] = path.resolve(repo).split(path.sep).toReversed();
  return last === 'repo' ? (folder.split('+').at(-1) ?? '') : last.replace(/\.git$/, '');
}

/**
 * Another build, another choice or another benchmark is another file, so that figures never mix.
 * @param {string} out
 * @param {{ readonly repo: string, readonly dist: string, readonly hasRepomix: boolean }} choice
 */
export function resultsFile(out, { repo, dist, ...choice }) {
  const key = createHash('sha256')
    .update(JSON.stringify([path.resolve(repo), fingerprint(dist), fingerprint(here), choice]))
    .digest('hex');
  return path.join(out, `${nameOf(repo)}-${key.slice(0, 10)}.jsonl`);
}

function fingerprint(/** @type {string} */ dist) {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.m?js$/.test(entry.name))
    .map(entry => {
      const file = path.join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(file);
      return `${file} ${size} ${mtimeMs}`;
    })
    .toSorted()
    .join('\n');
}

export function openResults(/** @type {string} */ file) {
  mkdirSync(path.dirname(file), { recursive: true });
  const done = new Set(readLines(file).map(({ question }) => question));
  return {
    /** Asks what was not answered before. */
    async once(
      /** @type {string} */ question,
      /** @type {() => Promise<readonly ResultRecord[]>} */ ask,
    ) {
      if (done.has(question)) return;
      const records = await ask();
      appendFileSync(file, `${JSON.stringify({ question, records })}\n`);
    },
  };
}

export function readRecords(/** @type {string} */ file) {
  return readLines(file).flatMap(({ records }) => records);
}

/**
 * The last line may have been cut off when the run was stopped.
 * @returns {{ question: string, records: ResultRecord[] }[]}
 */
function readLines(/** @type {string} */ file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(line => {
      try {
        return line === '' ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}
