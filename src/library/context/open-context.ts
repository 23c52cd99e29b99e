/** Opens what packs are assembled from: the index of the changed tree, its texts, its history and the knowledge of the project. */
import type { GitRepository } from '../../adapters/git/repository.ts';
import { openCodeIndex } from '../../adapters/index/code-index.ts';
import { isDamage, removeIndexFile } from '../../adapters/index/index-file.ts';
import { createSecretScanner } from '../../adapters/secrets/scanner.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { loadTokenCounter } from '../../adapters/tokens/token-counter.ts';
import type { Change } from '../../core/words/change.ts';
import type { LineRange } from '../../core/context/packing/line-range.ts';
import type { ContextWorld } from '../../engine/context/assemble-context.ts';
import { decisionPointers, knowledgePointers, stubAnchors } from './project-knowledge.ts';
import { stateFolder, type Call } from '../call.ts';
import { ownStateIn } from '../own-state.ts';

export interface OpenContext extends ContextWorld {
  close(): void;
}

const mostFileBytes = 64 * 1024 * 1024;

/** Null when there is no tree to index: a patch, anything outside of git. Whole files are those of the working tree. */
export async function openContext(
  change: Pick<Change, 'head' | 'source'>,
  repository: GitRepository,
  root: string,
  call: Call,
): Promise<OpenContext | null> {
  if (repository.root === null || (change.head === null && change.source !== 'files')) return null;
  return openContextAt(change.head, repository, root, call);
}

/** `revision` null: the working tree. */
export async function openContextAt(
  revision: string | null,
  repository: GitRepository,
  root: string,
  call: Call,
): Promise<OpenContext> {
  const attempt = (): Promise<OpenContext> => openIndexed(revision, repository, root, call);
  return attempt().catch(async error => {
    if (!isDamage(error)) throw error;
    await removeIndexFile(stateFolder(root, call));
    call.onEvent?.({ type: 'note', message: 'The code index was damaged and is built anew.' });
    return attempt();
  });
}

async function openIndexed(
  revision: string | null,
  repository: GitRepository,
  root: string,
  call: Call,
): Promise<OpenContext> {
  const [tree, counter] = await Promise.all([repository.tree(revision), loadTokenCounter()]);
  const index = await openCodeIndex(stateFolder(root, call), {
    onNote: message => call.onEvent?.({ type: 'note', message }),
  });
  try {
    await index.refresh(tree, id => repository.content(id, mostFileBytes), call.signal);
  } catch (error) {
    index.close();
    throw error;
  }
  const ids = new Map(
    tree.files.filter(({ mode }) => mode.startsWith('100')).map(({ path, id }) => [path, id]),
  );
  return {
    index,
    counter,
    secrets: createSecretScanner(),
    hash: sha256,
    async read(path) {
      const id = ids.get(path);
      const bytes = id === undefined ? null : await repository.content(id, 2 * 1024 * 1024);
      return bytes === null || bytes.includes(0) ? null : bytes.toString('utf8');
    },
    history: pieces =>
      repository.lastCommits(
        revision,
        pieces.map(({ path, changed }) => ({ path, ...spanOf(changed) })),
        5,
      ),
    async pointers(rung, view) {
      if (rung === 4) return knowledgePointers(stateFolder(root, call));
      return rung === 5 ? decisionPointers(ownStateIn(root, call)) : stubAnchors(view);
    },
    close: () => index.close(),
  };
}

function spanOf(ranges: readonly LineRange[]): LineRange {
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
}
