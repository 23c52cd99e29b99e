/** What a repository's own files say about how it is stored; the kinds that cannot be read safely are refused by name. */
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { readSection } from './git-configuration.ts';
import type { GitFolder } from './git-folder.ts';
import { readPlainText } from './plain-file.ts';

export interface RepositoryFormat {
  readonly algorithm: 'sha1' | 'sha256';
  /** Object id of nothing, as git prints it. */
  readonly zero: string;
  readonly emptyTree: string;
  /** History is cut off: some parents are not here. */
  readonly shallow: boolean;
  /** Objects may be left with the server (partial clone). */
  readonly partial: boolean;
}

const formats = {
  sha1: { algorithm: 'sha1', zero: '0'.repeat(40), emptyTree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' },
  sha256: { algorithm: 'sha256', zero: '0'.repeat(64), emptyTree: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321' },
} as const;

/** Throws for reftable storage, grafts, and object folders or alternates that are not plain. */
export async function readFormat({ common }: GitFolder): Promise<RepositoryFormat> {
  const config = (await readPlainText(join(common, 'config'), 1_048_576)) ?? '';
  const extensions = readSection(config, 'extensions');
  if (extensions.get('refstorage')?.toLowerCase() === 'reftable' || (await exists(join(common, 'reftable')))) {
    throw new UserError('The repository keeps its references as a reftable, which cannot be read yet.', { kind: 'input', hint: 'Use "git refs migrate --ref-format=files" in a copy.' });
  }
  if ((await stat(join(common, 'info', 'grafts')).catch(() => null)) !== null) {
    throw new UserError('The repository rewrites its history with grafts (info/grafts), which is not read.', { kind: 'input', hint: 'Use "git replace --convert-graft-file" and review the real commits.' });
  }
  const alternates = await lstat(join(common, 'objects', 'info', 'alternates')).catch(() => null);
  if (alternates !== null && !alternates.isFile()) {
    throw new UserError('objects/info/alternates of the repository is no regular file.', { kind: 'input' });
  }
  const algorithm = extensions.get('objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
  const shallow = ((await readPlainText(join(common, 'shallow'), 67_108_864)) ?? '').trim() !== '';
  return { ...formats[algorithm], shallow, partial: extensions.has('partialclone') || config.includes('promisor') };
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
