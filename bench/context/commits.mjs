// Which commits are measured, what they change, and commits made for a question: one file's change taken back, a function deleted.
import { createHash } from 'node:crypto';
import { isForeign, languageOf } from './code-files.mjs';
import { git } from './repository-state.mjs';

/**
 * Of one file: its paths, the lines that are added and removed by their numbers, and its hunks on either side.
 * @typedef {{ path: string | null, oldPath: string | null, readonly added: Map<number, string>, readonly removed: Map<number, string>,
 *   readonly hunks: [start: number, end: number][], readonly oldHunks: [start: number, end: number][] }} FileChange
 * @typedef {{ readonly commit: string, readonly files: readonly FileChange[] }} Change
 */

const author = {
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.invalid',
  GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.invalid',
  GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z',
};

/**
 * The last commits without merges that add code and touch at most `mostFiles` files. With a seed: as many, drawn from the last
 * ten times as many.
 * @param {string} root
 * @param {{ readonly from: string, readonly commits: number, readonly mostFiles: number, readonly seed: string | null }} choice
 */
export function chooseCommits(root, { from, commits, mostFiles, seed }) {
  const wanted = seed === null ? commits : commits * 10;
  const log = git(root, [
    'log',
    '--no-merges',
    `-n${wanted * 8}`,
    '--format=%x00%H %P',
    '--raw',
    '--no-renames',
    '--abbrev=40',
    from,
  ]);
  const suitable = [];
  for (const entry of log.split('\0').slice(1)) {
    const [head, ...rows] = entry.trim().split('\n');
    const [id, ...parents] = head.split(' ');
    const files = rows.filter(row => row.startsWith(':')).map(row => row.split('\t')[1]);
    if (parents.length === 1 && files.length <= mostFiles && files.some(isCode)) suitable.push(id);
    if (suitable.length === wanted) break;
  }
  return seed === null ? suitable : byHash(suitable, seed, id => id).slice(0, commits);
}

export const isCode = (/** @type {string} */ path) => languageOf(path) !== null && !isForeign(path);

/**
 * An order that nobody chose, the same on every machine.
 * @template T
 * @param {readonly T[]} items
 * @param {string} seed
 * @param {(item: T) => string} textOf
 */
export function byHash(items, seed, textOf) {
  const key = (/** @type {T} */ item) =>
    createHash('sha256')
      .update(`${seed}\0${textOf(item)}`)
      .digest('hex');
  return items
    .map(item => ({ key: key(item), item }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ item }) => item);
}

/**
 * What a commit changes: for each file its paths, the lines it adds and removes, and its hunks as git shows them, three lines of
 * context included: what a hunk shows, no pack has to.
 * @returns {Change}
 */
export function changeOf(/** @type {string} */ root, /** @type {string} */ commit) {
  const text = git(root, [
    'diff-tree',
    '-p',
    '-M',
    '-U3',
    '--no-color',
    '--no-ext-diff',
    '--no-commit-id',
    '-r',
    commit,
  ]);
  return { commit, files: parsePatch(text) };
}

export function parsePatch(/** @type {string} */ text) {
  /** @type {FileChange[]} */
  const files = [];
  /** @type {FileChange | null} */
  let file = null;
  let [oldLine, newLine] = [0, 0];
  for (const line of text.split('\n')) {
    const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (line.startsWith('diff --git ')) {
      file = {
        path: null,
        oldPath: null,
        added: new Map(),
        removed: new Map(),
        hunks: [],
        oldHunks: [],
      };
      files.push(file);
    } else if (file === null) continue;
    else if (found !== null) {
      [oldLine, newLine] = [Number(found[1]), Number(found[3])];
      file.oldHunks.push([oldLine, oldLine + Number(found[2] ?? 1) - 1]);
      file.hunks.push([newLine, newLine + Number(found[4] ?? 1) - 1]);
    } else if (file.hunks.length === 0) {
      const named = /^(---|\+\+\+|rename from|rename to) (?:[ab]\/)?([^\t]*)/.exec(line);
      if (named === null || named[2] === '/dev/null') continue;
      file[named[1] === '---' || named[1] === 'rename from' ? 'oldPath' : 'path'] = named[2];
    } else if (line.startsWith('+')) {
      file.added.set(newLine, line.slice(1));
      newLine += 1;
    } else if (line.startsWith('-')) {
      file.removed.set(oldLine, line.slice(1));
      oldLine += 1;
    } else if (line.startsWith(' ')) {
      oldLine += 1;
      newLine += 1;
    }
  }
  return files.filter(({ path, oldPath }) => path !== null || oldPath !== null);
}

/** Says whether a line of the new tree stands in a hunk. */
export function hunkTest(/** @type {Pick<Change, 'files'>} */ { files }) {
  const hunks = new Map(
    files.flatMap(file =>
      file.path === null ? [] : [/** @type {const} */ ([file.path, file.hunks])],
    ),
  );
  return (/** @type {string} */ path, /** @type {number} */ line) =>
    (hunks.get(path) ?? []).some(([start, end]) => start <= line && line <= end);
}

/**
 * A commit whose tree is `tree` with some files otherwise; nothing of the checkout changes.
 * @param {string} root
 * @param {{ readonly parent: string, readonly tree: string, readonly index: string,
 *   readonly files: readonly { readonly path: string, readonly id?: string, readonly text?: string }[] }} wanted
 */
export function commitLike(root, { parent, tree, files, index }) {
  const environment = { ...process.env, ...author, GIT_INDEX_FILE: index };
  git(root, ['read-tree', tree], { env: environment });
  for (const { path, id, text } of files) {
    const blob =
      id ?? git(root, ['hash-object', '-w', '--stdin'], { env: environment, input: text }).trim();
    git(root, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], {
      env: environment,
    });
  }
  const made = git(root, ['write-tree'], { env: environment }).trim();
  return git(root, ['commit-tree', made, '-p', parent, '-m', 'bench'], { env: environment }).trim();
}

export function blobAt(
  /** @type {string} */ root,
  /** @type {string} */ commit,
  /** @type {string} */ path,
) {
  return git(root, ['rev-parse', `${commit}:${path}`]).trim();
}
