// Which commits are measured, what they change, and commits made for a question: one file's change taken back, a function deleted.
import { createHash } from 'node:crypto';
import { isForeign, languageOf } from './code-files.mjs';
import { git } from './repository-state.mjs';

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

export const isCode = path => languageOf(path) !== null && !isForeign(path);

/** An order that nobody chose, the same on every machine. */
export function byHash(items, seed, textOf) {
  const key = item =>
    createHash('sha256')
      .update(`${seed}\0${textOf(item)}`)
      .digest('hex');
  return items
    .map(item => [key(item), item])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);
}

/**
 * What a commit changes: for each file its paths, the lines it adds and removes, and its hunks as git shows them, three lines of
 * context included: what a hunk shows, no pack has to.
 */
export function changeOf(root, commit) {
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

export function parsePatch(text) {
  const files = [];
  let file = null;
  let [oldLine, newLine] = [0, 0];
  for (const line of text.split('\n')) {
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
    else if (line.startsWith('@@ ')) {
      const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
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
export function hunkTest({ files }) {
  const hunks = new Map(
    files.flatMap(file => (file.path === null ? [] : [[file.path, file.hunks]])),
  );
  return (path, line) =>
    (hunks.get(path) ?? []).some(([start, end]) => start <= line && line <= end);
}

/** A commit like `commit` whose tree has some files otherwise: `{ path, id | text }`; nothing of the checkout changes. */
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

export function blobAt(root, commit, path) {
  return git(root, ['rev-parse', `${commit}:${path}`]).trim();
}
