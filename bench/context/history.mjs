// Baseline for what changes together: how often files were in one commit before, newest commits of the history only.
import { git } from './repository-state.mjs';

const mostCommits = 4_000;
const mostFiles = 30;

/** Commits newest first. */
export function readHistory(/** @type {string} */ root, /** @type {string} */ from) {
  return git(root, [
    'log',
    '--no-merges',
    '--date-order',
    `-n${mostCommits}`,
    '--format=%x00%H',
    '--name-only',
    '--no-renames',
    from,
  ])
    .split('\0')
    .slice(1)
    .map(entry => {
      const [id = '', ...paths] = entry.split('\n').filter(line => line !== '');
      return { id, paths };
    });
}

/**
 * Files that were changed most often together with these before that commit, best first.
 * @param {{ readonly history: ReturnType<typeof readHistory>, readonly before: string, readonly paths: readonly string[],
 *   readonly exists: (path: string) => boolean }} wanted
 */
export function changedTogether({ history, before, paths, exists }) {
  const own = new Set(paths);
  /** @type {Map<string, number>} */
  const counts = new Map();
  const start = history.findIndex(({ id }) => id === before) + 1;
  for (const { paths: together } of history.slice(start)) {
    if (together.length > mostFiles) continue;
    const shared = together.filter(path => own.has(path)).length;
    if (shared === 0) continue;
    for (const path of together)
      if (!own.has(path) && exists(path)) counts.set(path, (counts.get(path) ?? 0) + shared);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([path]) => path);
}
