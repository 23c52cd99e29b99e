/** Whether a person has work that is in no commit, found as `git status` finds it: by what the index says of the files. */
import type { Unsent } from '../../core/change/untracked.ts';
import { runGit } from './git-process.ts';
import { copyIndex, listIndex, newIndexPath } from './index-copy.ts';
import type { Shadow } from './shadow.ts';
import { listUntracked, unreadable, utf8 } from './untracked.ts';
import { headOrEmpty, readSubmodules, refusePipes } from './working-trees.ts';

export interface UncommittedWork {
  /** False: index and working tree hold what the last commit holds. True: perhaps not, which reading them tells. */
  readonly mayDiffer: boolean;
  /** Files that git does not track and that are no part of the work. */
  readonly unsent: readonly Unsent[];
}

/** Nothing in a bare repository, and where nothing was ever checked out. Throws `UserError` for what cannot be read. */
export async function lookForWork(
  shadow: Shadow,
  withUntracked: boolean,
): Promise<UncommittedWork> {
  const workTree = shadow.source.root;
  const isNew = shadow.references.head === null;
  const indexFile =
    workTree === null ? null : ((await copyIndex(shadow)) ?? (isNew ? newIndexPath(shadow) : null));
  if (workTree === null || indexFile === null) return { mayDiffer: false, unsent: [] };
  const entries = await listIndex(shadow, indexFile);
  await refusePipes(workTree, entries);
  const submodules = entries.filter(({ mode }) => mode === '160000');
  const moved = await readSubmodules(shadow, submodules);
  const wanted = withUntracked ? 'sendable' : 'none';
  const { sent, unsent } = await listUntracked(shadow, { indexFile, workTree }, wanted);
  const mayDiffer =
    sent.some(name => !name.endsWith('/')) ||
    moved.some(({ id }, index) => id !== submodules[index]?.id) ||
    (await differs(shadow, ['diff-index', '--cached', '--quiet', headOrEmpty(shadow)], {
      indexFile,
    })) ||
    // Git must not look into submodules, and run what their configuration says.
    (await differs(shadow, ['diff-files', '--quiet', '--ignore-submodules=all'], {
      indexFile,
      workTree,
    }));
  const nested = sent.filter(name => name.endsWith('/')).map(utf8);
  return {
    mayDiffer,
    unsent: [...unsent, ...nested.map(path => ({ path, why: 'a repository of its own' }))],
  };
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
