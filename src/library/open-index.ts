/** Brings the code index of the project up to date and asks it. */
import { openCodeIndex } from '../adapters/index/code-index.ts';
import { createSecretScanner } from '../checks/index.ts';
import type {
  IndexedFile,
  IndexStatistics,
  Refreshed,
  SearchHit,
  SkippedFile,
} from '../core/words/code-index.ts';
import { hideFiles, openEgress } from '../core/context/egress.ts';
import { usageError } from '../core/errors.ts';
import type { CodeIndex } from '../core/ports/code-index.ts';
import { maskPassages } from '../engine/mask-passages.ts';
import { type Call, noteTo, withRepository } from './call.ts';
import { openState } from './own-state.ts';
import { rebuilding } from './context/open-context.ts';

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

const mostFileBytes = 64 * 1024 * 1024;

export async function buildProjectIndex(request: IndexRequest, call: Call): Promise<BuiltIndex> {
  return withIndex(request, call, (index, refreshed) => ({
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
  return withIndex(request, call, async (whole, _, read) => {
    const index = forAnybody ? await withoutRestricted(whole, call) : whole;
    return maskPassages(index.search(query, limit), createSecretScanner(), read);
  });
}

async function withoutRestricted(index: CodeIndex, call: Call): Promise<CodeIndex> {
  const { configure } = await import('./seat-reviewers.ts');
  const { config } = await configure(call);
  const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
  return config.egress.length === 0
    ? index
    : hideFiles(index, place => isRestricted({ path: place }));
}

/** `read` gives the text of a file of the tree that is indexed; null when it cannot be had. */
type Use<Result> = (
  index: CodeIndex,
  refreshed: Refreshed,
  read: (path: string) => Promise<string | null>,
) => Result | Promise<Result>;

function withIndex<Result>(
  { revision }: IndexRequest,
  call: Call,
  use: Use<Result>,
): Promise<Result> {
  return withRepository(call, async repository => {
    const state = await openState(repository.root, call);
    const read = (id: string): Promise<Buffer | null> => repository.content(id, mostFileBytes);
    return rebuilding(state, call, async () => {
      const tree = await repository.tree(revision);
      const index = await openCodeIndex(state, { onNote: noteTo(call) });
      try {
        const refreshed = await index.refresh(tree, read, call.signal);
        const ids = new Map(tree.files.map(({ path, id }) => [path, id]));
        return await use(index, refreshed, async path => {
          const id = ids.get(path);
          return id === undefined ? null : ((await read(id))?.toString('utf8') ?? null);
        });
      } finally {
        index.close();
      }
    });
  });
}
