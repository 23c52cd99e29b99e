/** Which files used to change together, from the history before a change. */
import type { PastChange } from '../../core/context/packing/co-change.ts';
import { runGit } from './git-process.ts';
import { findCommit } from './revision.ts';
import type { OpenedGit } from './object-reader.ts';

/** How far back is looked, along the first parents: a long history is not walked to its end. */
const mostGenerations = 3_000;
const mostCommits = 200;
const mostPaths = 100;
/** Larger commits move things about: they say nothing of what belongs together. */
const mostFiles = 40;

/**
 * Latest first, merges left out; empty when the history cannot be read: it is a hint, nothing depends on it. `before`: a commit;
 * null: the current one.
 */
export async function listPastChanges(
  git: OpenedGit,
  before: string | null,
  paths: readonly string[],
): Promise<readonly PastChange[]> {
  const { shadow } = git;
  const named = before ?? shadow.references.head ?? null;
  const commit = named === null ? null : await findCommit(git, named);
  if (commit === null || paths.length === 0) return [];
  const output = await runGit({ ...shadow.program, timeoutMs: 5_000 }, [
    '-c',
    'core.quotePath=false',
    'log',
    `--max-count=${mostCommits}`,
    '--min-parents=1',
    '--max-parents=1',
    '--no-renames',
    '--no-color',
    '--name-only',
    '--full-diff',
    '--format=%x01',
    // A shorter history has no such commit.
    '--ignore-missing',
    commit,
    `^${commit}~${mostGenerations}`,
    '--',
    ...paths.slice(0, mostPaths),
  ]).catch(() => null);
  if (output?.code !== 0) return [];
  return output.stdout
    .toString('utf8')
    .split('\u0001')
    .slice(1)
    .map(record => ({ files: record.split('\n').filter(isPath) }))
    .filter(({ files }) => files.length > 0 && files.length <= mostFiles);
}

/** Git puts a name with a line break or a quote into quotes: nobody points at those. */
function isPath(line: string): boolean {
  return line !== '' && !line.startsWith('"');
}
