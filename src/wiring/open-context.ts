/** Opens what packs are assembled from: the index of the changed tree, its texts, its history and the knowledge of the project. */
import type { GitRepository } from '../adapters/git/repository.ts';
import { openCodeIndex } from '../adapters/index/code-index.ts';
import { isDamage, removeIndexFile } from '../adapters/index/index-file.ts';
import { createSecretScanner } from '../adapters/secrets/scanner.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { loadTokenCounter } from '../adapters/tokens/token-counter.ts';
import type { Change } from '../core/change.ts';
import type { ContextWorld } from '../engine/assemble-context.ts';
import type { Call } from './call.ts';

export interface OpenContext extends ContextWorld {
  close(): void;
}

const mostFileBytes = 64 * 1024 * 1024;

/** Null when there is no tree to index: a patch, files outside of git. */
export async function openContext(change: Change, repository: GitRepository, root: string, call: Call): Promise<OpenContext | null> {
  if (change.head === null) return null;
  const { head } = change;
  const attempt = (): Promise<OpenContext> => openIndexed(head, repository, root, call);
  return attempt().catch(async error => {
    if (!isDamage(error)) throw error;
    await removeIndexFile(root);
    call.onEvent?.({ type: 'note', message: 'The code index was damaged and is built anew.' });
    return attempt();
  });
}

async function openIndexed(head: string, repository: GitRepository, root: string, call: Call): Promise<OpenContext> {
  const [tree, counter] = await Promise.all([repository.tree(head), loadTokenCounter()]);
  const index = await openCodeIndex(root, { onNote: message => call.onEvent?.({ type: 'note', message }) });
  try {
    await index.refresh(tree, id => repository.content(id, mostFileBytes), call.signal);
  } catch (error) {
    index.close();
    throw error;
  }
  const ids = new Map(tree.files.filter(({ mode }) => mode.startsWith('100')).map(({ path, id }) => [path, id]));
  return {
    index, counter,
    secrets: createSecretScanner(),
    hash: sha256,
    async read(path) {
      const id = ids.get(path);
      const bytes = id === undefined ? null : await repository.content(id, 2 * 1024 * 1024);
      return bytes === null || bytes.includes(0) ? null : bytes.toString('utf8');
    },
    history: () => Promise.resolve([]),
    pointers: () => Promise.resolve([]),
    close: () => index.close(),
  };
}
