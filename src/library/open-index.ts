/** Brings the code index of the project up to date and asks it. */
import { rebuilding } from '../adapters/index/index-file.ts';
import { createSecretScanner } from '../checks/index.ts';
import type {
  IndexedFile,
  IndexStatistics,
  Refreshed,
  SearchHit,
  SkippedFile,
} from '../core/words/code-index.ts';
import { openEgress } from '../core/context/egress.ts';
import { usageError } from '../core/errors.ts';
import type { CodeIndex } from '../core/ports/repository.ts';
import { maskPassages } from '../engine/mask-texts.ts';
import { type Call, noteTo, withRepository } from './call.ts';
import { openState } from './own-state.ts';
import { openTree } from './context/open-context.ts';

export interface IndexRequest {
  /** Commit to index; null: the working tree, with what is neither tracked nor ignored. */
  readonly revision: string | null;
}

export interface BuiltIndex {
  readonly refreshed: Refreshed;
  readonly statistics: IndexStatistics;
  readonly files: readonly IndexedFile[];
  readonly skipped: readonly SkippedFile[];
}

export interface SearchRequest extends IndexRequest {
  readonly query: string;
  readonly limit: number;
  /** Whoever reads the passages is known to nobody: what a rule of egress names is not among them. Default: they are the caller's own. */
  readonly forAnybody?: boolean;
}

export async function buildProjectIndex(request: IndexRequest, call: Call): Promise<BuiltIndex> {
  return withIndex(request, call, ({ index, refreshed }) => ({
    refreshed,
    statistics: index.statistics(),
    files: index.files(),
    skipped: index.skipped(),
  }));
}

export async function searchProject(
  { query, limit, forAnybody = false, ...request }: SearchRequest,
  call: Call,
): Promise<readonly SearchHit[]> {
  if (!/[\p{L}\p{N}]/u.test(query)) throw usageError('QUERY: there is no word in it.');
  return withIndex(request, call, async ({ index: whole, read }) => {
    const index = forAnybody ? await withoutRestricted(whole, call) : whole;
    return maskPassages(index.search(query, limit), createSecretScanner(), read);
  });
}

async function withoutRestricted(index: CodeIndex, call: Call) {
  const { configure } = await import('./seat-reviewers.ts');
  const { config } = await configure(call);
  const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
  return index.hiding(path => isRestricted({ path }));
}

/** `read` gives the text of a file of the tree that is indexed; null when it cannot be had. */
function withIndex<Result>(
  { revision }: IndexRequest,
  call: Call,
  use: (opened: Awaited<ReturnType<typeof openTree>>) => Result | Promise<Result>,
): Promise<Result> {
  return withRepository(call, async repository => {
    const state = await openState(repository.root, call);
    return rebuilding(state, noteTo(call), async () => {
      const opened = await openTree(await repository.tree(revision), repository, state, call);
      try {
        return await use(opened);
      } finally {
        opened.index.close();
      }
    });
  });
}
