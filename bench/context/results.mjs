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

export function nameOf(repo) {
  const parts = path.resolve(repo).split(path.sep);
  const last = parts.at(-1).replace(/\.git$/, '');
  return last === 'repo' ? parts.at(-2).split('+').at(-1) : last;
}

/** Another build, another choice or another benchmark is another file, so that figures never mix. */
export function resultsFile(out, { repo, dist, ...choice }) {
  const key = createHash('sha256')
    .update(JSON.stringify([path.resolve(repo), fingerprint(dist), fingerprint(here), choice]))
    .digest('hex');
  return path.join(out, `${nameOf(repo)}-${key.slice(0, 10)}.jsonl`);
}

function fingerprint(dist) {
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

export function openResults(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  const done = new Set(readLines(file).map(({ question }) => question));
  return {
    /** Asks what was not answered before. */
    async once(question, ask) {
      if (done.has(question)) return;
      const records = await ask();
      appendFileSync(file, `${JSON.stringify({ question, records })}\n`);
    },
  };
}

export function readRecords(file) {
  return readLines(file).flatMap(({ records }) => records);
}

/** The last line may have been cut off when the run was stopped. */
function readLines(file) {
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
