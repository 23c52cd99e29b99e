/** What tools may tell of the tree under review: its text with every credential masked, and where in it something stands. */
import type { Change } from '../../core/words/change.ts';
import type { CodeIndex, Repository, SecretScanner } from '../../core/ports.ts';
import { scrub } from '../../core/safety/redaction.ts';
import { grepTexts } from '../../core/tools/excerpt.ts';

export interface ToolWorld {
  readonly change: Change;
  /** Null for a patch without a repository: then only what the change itself holds can be read. */
  readonly repository: Pick<Repository, 'read' | 'readAt'> | null;
  /** Null, or an index that cannot be had: plain search takes its place. */
  readonly index: () => Promise<CodeIndex | null>;
  readonly secrets: SecretScanner;
}

export interface ToolSources {
  /** Masked; null when there is no such text in the tree. Rejects when the scanner fails: then nothing may be shown. */
  read(path: string, side: 'new' | 'old'): Promise<string | null>;
  find(query: string, limit: number): Promise<Found>;
}

export interface Found {
  readonly source: 'semantic' | 'grep';
  readonly places: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
  }[];
}

/** Texts that are kept: a reviewer reads on in the file it has just read. */
const mostKept = 32;

export function createToolSources(world: ToolWorld): ToolSources {
  const kept = new Map<string, Promise<string | null>>();
  const read = (path: string, side: 'new' | 'old'): Promise<string | null> => {
    const key = `${side}:${path}`;
    const known = kept.get(key) ?? readMasked(world, path, side);
    kept.delete(key);
    kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return known;
  };
  return {
    read,
    async find(query, limit) {
      const index = await world.index().catch(() => null);
      const places = index === null ? [] : search(index, query, limit);
      if (places.length > 0) return { source: 'semantic', places };
      return { source: 'grep', places: grepTexts(await readChanged(world, read), query, limit) };
    },
  };
}

async function readMasked(
  { change, repository, secrets }: ToolWorld,
  path: string,
  side: 'new' | 'old',
): Promise<string | null> {
  const file =
    change.files.find(one => one.path === path) ??
    (side === 'old' ? change.files.find(one => one.oldPath === path) : undefined);
  const revision = side === 'new' ? change.head : change.base;
  // What the change touches is read from the change: of a deleted file, the other side must not come in its place.
  const text =
    file === undefined
      ? revision === null
        ? null
        : ((await repository?.readAt(revision, path)) ?? null)
      : ((await repository?.read(file, side)) ?? null);
  return text === null ? null : scrub(text, await secrets.scan(text, path));
}

/** A damaged index, or a query it cannot take, is no index. */
function search(index: CodeIndex, query: string, limit: number): Found['places'] {
  try {
    return index.search(query, limit);
  } catch {
    return [];
  }
}

async function readChanged(
  { change }: ToolWorld,
  read: ToolSources['read'],
): Promise<{ path: string; text: string }[]> {
  const texts: { path: string; text: string }[] = [];
  for (const { path, content } of change.files) {
    const text = content === 'text' ? await read(path, 'new') : null;
    if (text !== null) texts.push({ path, text });
  }
  return texts;
}
