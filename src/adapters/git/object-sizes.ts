/** Sizes of many objects in one question, before any of them is read. */
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import { firstLine, type Shadow } from './shadow.ts';

/** Bytes by id; objects that the repository does not have are absent. */
export async function readSizes({ program }: Shadow, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const { code, stdout, stderr } = await runGit(program, ['cat-file', '--buffer', '--batch-check=%(objectname) %(objectsize)'], { input: ids.map(id => `${id}\n`).join('') });
  if (code !== 0) throw new UserError(`git-object: an object of the repository cannot be read: ${firstLine(stderr)}.`, { kind: 'input', hint: 'Run "git fsck" in the repository.' });
  const sizes = new Map<string, number>();
  for (const line of stdout.toString('latin1').split('\n')) {
    const match = /^([0-9a-f]{40,64}) (\d+)$/.exec(line);
    if (match?.[1] !== undefined) sizes.set(match[1], Number(match[2]));
  }
  return sizes;
}

/** Full ids of blobs by abbreviated ones; those that are missing, ambiguous or no blobs are absent. */
export async function completeIds({ program }: Shadow, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { code, stdout } = await runGit(program, ['cat-file', '--buffer', '--batch-check=%(objectname) %(objecttype)'], { input: ids.map(id => `${id}\n`).join('') });
  if (code !== 0) return new Map();
  const answers = stdout.toString('latin1').split('\n');
  const found = ids.map((id, index): [string, string | undefined] => [id, /^([0-9a-f]{40,64}) blob$/.exec(answers[index] ?? '')?.[1]]);
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
