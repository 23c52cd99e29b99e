/** Indexes a real repository through the engine's own git, as the library does. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openCodeIndex } from '../../../src/adapters/index/code-index.ts';
import type { Refreshed } from '../../../src/core/words/code-index.ts';
import type { CodeIndex } from '../../../src/core/ports/repository.ts';
import { atFileEnd } from '../../file-end.ts';
import { stateIn } from '../store/temporary.ts';

export interface SampleIndex extends CodeIndex {
  readonly refreshed: Refreshed;
}

/** Closed when the file of tests ends. */
export async function indexSample(
  root: string,
  options: Partial<Parameters<typeof openCodeIndex>[1]> & { readonly revision?: string } = {},
): Promise<SampleIndex> {
  const { revision = null, ...others } = options;
  mkdirSync(join(root, '../state'), { recursive: true });
  const repository = await openRepository(root);
  try {
    const { index, refreshed } = await openCodeIndex(stateIn(join(root, '../state')), {
      tree: await repository.tree(revision),
      read: id => repository.content(id, 64 << 20),
      ...others,
    });
    atFileEnd(() => index.close());
    return { ...index, refreshed };
  } finally {
    await repository.close();
  }
}
