/** Makes sure that the lists of files behind a change are what their ids say; git does not look when it compares trees. */
import { missingObject } from './unusable-object.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Shadow } from './shadow.ts';

const maxTreeBytes = 256 * 1024 * 1024;

/** `roots` are commits or trees, `folders` the trees below them that differ. Throws `UserError` (`git-object`) for a forged one. */
export async function checkTrees(shadow: Shadow, objects: ObjectReader, roots: readonly string[], folders: readonly string[]): Promise<void> {
  const tops = await Promise.all(roots.map(root => findTree(shadow, objects, root)));
  await Promise.all([...new Set([...tops, ...folders])].map(id => check(shadow, objects, id)));
}

async function findTree(shadow: Shadow, objects: ObjectReader, id: string): Promise<string> {
  const object = await check(shadow, objects, id);
  return (object.type === 'commit' ? /^tree ([0-9a-f]+)\n/.exec(object.bytes?.toString('latin1') ?? '')?.[1] : null) ?? id;
}

async function check(shadow: Shadow, objects: ObjectReader, id: string) {
  const object = await objects.read(id, maxTreeBytes);
  if (object === null) throw missingObject(shadow.format, id, 'which the change needs');
  return object;
}
