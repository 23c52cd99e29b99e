/** Lists every file of a commit or of the working tree, without reading one. */
import { join } from 'node:path';
import type { Tree, TreeFile } from '../../core/ports.ts';
import { UserError } from '../../core/errors.ts';
import { checkTrees } from './check-trees.ts';
import { runGit } from './git-process.ts';
import { readPlainText } from './plain-file.ts';
import { decodeName, splitZero } from './raw-diff.ts';
import { resolveCommit, verify } from './revision.ts';
import type { OpenedGit } from './session.ts';
import { firstLine, type Shadow } from './shadow.ts';
import { showName } from './show-name.ts';
import { writeWorktreeTree } from './working-trees.ts';

/** `revision` null: the working tree, untracked files included and ignored ones not. Throws `UserError` as a change does. */
export async function listFiles({ shadow, objects }: OpenedGit, revision: string | null): Promise<Tree> {
  if (revision === null) {
    const { tree } = await writeWorktreeTree(shadow, true);
    return { id: tree, branch: await readBranch(shadow), files: (await listEntries(shadow, tree)).files };
  }
  const commit = (await treeNamed(shadow, revision)) ?? (await resolveCommit(shadow, revision));
  const { files, folders } = await listEntries(shadow, commit);
  await checkTrees(shadow, objects, [commit], folders);
  return { id: (await verify(shadow, `${commit}^{tree}`)) ?? commit, branch: revision === 'HEAD' ? await readBranch(shadow) : revision, files };
}

/** What is staged and what lies in the working tree has a tree and no commit. */
async function treeNamed(shadow: Shadow, revision: string): Promise<string | null> {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)) return null;
  const tree = await verify(shadow, `${revision}^{tree}`);
  return tree === revision ? tree : null;
}

async function listEntries({ program }: Shadow, tree: string): Promise<{ readonly files: TreeFile[]; readonly folders: string[] }> {
  const { code, stdout, stderr } = await runGit(program, ['ls-tree', '-r', '-t', '-l', '-z', '--full-tree', '--end-of-options', tree], { maxBytes: 512 * 1024 * 1024 });
  if (code !== 0) throw new UserError(`The files of ${showName(tree)} cannot be listed: ${firstLine(stderr)}.`, { kind: 'input' });
  const files: TreeFile[] = [];
  const folders: string[] = [];
  for (const record of splitZero(stdout).map(decodeName)) {
    const match = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s.exec(record);
    // A clone may lack contents: git then calls their size bad, and whoever reads them finds nothing.
    if (match === null) throw new Error('git ls-tree printed an unknown record.');
    const [, mode = '', type, id = '', size, path = ''] = match;
    if (type === 'tree') folders.push(id);
    else files.push({ path, mode, id, size: /^\d/.test(size ?? '') ? Number(size) : 0 });
  }
  return { files, folders };
}

/** Current branch; eight digits of the commit when none is checked out; `unknown` when there is no commit either. */
export async function readBranch({ source, references }: Shadow): Promise<string> {
  const head = await readPlainText(join(source.own, 'HEAD'), 65_536);
  return /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1] ?? references.head?.slice(0, 8) ?? 'unknown';
}
