/** Whether a person has work that is in no commit, found as `git status` finds it: by what the index says of the files. */
import type { Unsent } from '../../core/change/untracked.ts';
import { runGit } from './git-process.ts';
import { newIndexPath } from './index-copy.ts';
import type { OpenedGit } from './object-reader.ts';
import type { Shadow } from './shadow.ts';
import { chooseUntracked, unreadable } from './untracked.ts';
import { headOrEmpty, lookAtNext, readSubmodules } from './working-trees.ts';

export interface UncommittedWork {
  /** False: index and working tree hold what the last commit holds. True: perhaps not, which reading them tells. */
  readonly mayDiffer: boolean;
  /** Files that git does not track and that are no part of the work. */
  readonly unsent: readonly Unsent[];
}

/** Nothing in a bare repository, and where nothing was ever checked out. Throws `UserError` for what cannot be read. */
export async function lookForWork(
  git: OpenedGit,
  withUntracked: boolean,
): Promise<UncommittedWork> {
  const { shadow } = git;
  const workTree = shadow.source.root;
  if (workTree === null) return { mayDiffer: false, unsent: [] };
  const { index, entries, names } = await lookAtNext(git);
  if (index === null && shadow.references.head !== null) return { mayDiffer: false, unsent: [] };
  const indexFile = index ?? newIndexPath(shadow);
  const submodules = entries.filter(({ mode }) => mode === '160000');
  const moved = await readSubmodules(shadow, submodules);
  const wanted = withUntracked ? 'sendable' : 'none';
  const { sent, unsent } = await chooseUntracked(workTree, names, wanted);
  const mayDiffer =
    sent.length > 0 ||
    moved.some(({ id }, index) => id !== submodules[index]?.id) ||
    // What is not staged is likelier. Git must not look into submodules, and run what their configuration says.
    (await differs(shadow, ['diff-files', '--quiet', '--ignore-submodules=all'], {
      indexFile,
      workTree,
    })) ||
    (await differs(shadow, ['diff-index', '--cached', '--quiet', headOrEmpty(shadow)], {
      indexFile,
    }));
  return { mayDiffer, unsent };
}

interface Where {
  readonly indexFile: string;
  readonly workTree: string;
}

async function differs(
  { program }: Shadow,
  words: readonly string[],
  where: Pick<Where, 'indexFile'> | Where,
): Promise<boolean> {
  const { code, stderr } = await runGit(program, words, where);
  if (code > 1) throw unreadable(stderr);
  return code === 1;
}
