/** Whether a person has work that is in no commit, found as `git status` finds it: by what the index says of the files. */
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import { copyIndex, listIndex, writeExcludes } from './index-copy.ts';
import { showName } from './revision.ts';
import type { OpenedGit } from './session.ts';
import { firstLine, type Shadow } from './shadow.ts';
import { splitZero } from './text-diff.ts';
import { headOrEmpty, readSubmodules, refusePipes } from './working-trees.ts';

export interface UncommittedWork {
  /** False: index and working tree hold what the last commit holds. True: perhaps not, which reading them tells. */
  readonly mayDiffer: boolean;
  /** Neither tracked nor ignored; relative to the top, with slashes, folders of other repositories with one behind them. */
  readonly untracked: readonly string[];
}

/** Nothing in a bare repository, and where nothing was ever checked out. Throws `UserError` for what cannot be read. */
export async function lookForWork({ shadow }: OpenedGit): Promise<UncommittedWork> {
  const workTree = shadow.source.root;
  const indexFile = workTree === null ? null : await copyIndex(shadow);
  if (workTree === null || indexFile === null) return { mayDiffer: false, untracked: [] };
  const entries = await listIndex(shadow, indexFile);
  await refusePipes(workTree, entries);
  const submodules = entries.filter(({ mode }) => mode === '160000');
  const moved = await readSubmodules(shadow, submodules);
  const mayDiffer =
    moved.some(({ id }, index) => id !== submodules[index]?.id) ||
    (await differs(shadow, ['diff-index', '--cached', '--quiet', headOrEmpty(shadow)], {
      indexFile,
    })) ||
    // Git must not look into submodules, and run what their configuration says.
    (await differs(shadow, ['diff-files', '--quiet', '--ignore-submodules=all'], {
      indexFile,
      workTree,
    }));
  return { mayDiffer, untracked: await listUntracked(shadow, { indexFile, workTree }) };
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

async function listUntracked(shadow: Shadow, where: Where): Promise<string[]> {
  await writeExcludes(shadow);
  const { code, stdout, stderr } = await runGit(
    shadow.program,
    ['ls-files', '--others', '--exclude-standard', '-z'],
    where,
  );
  if (code !== 0) throw unreadable(stderr);
  return splitZero(stdout).map(name => name.toString('utf8'));
}

function unreadable(stderr: string): UserError {
  return new UserError(`The working tree cannot be read: ${showName(firstLine(stderr))}.`, {
    kind: 'input',
    hint: 'Name what is to be reviewed, such as HEAD for the last commit.',
  });
}
