/** Opens what the project remembers: the file of this machine and the committed baseline. */
import { parseBaseline, readBaselineText } from '../adapters/memory/baseline-file.ts';
import { openMemoryFile } from '../adapters/memory/memory-file.ts';
import { createMemory } from '../adapters/memory/project-memory.ts';
import type { Change, Subject } from '../core/change.ts';
import { pureStrategies, type PureStrategy, type Strategy } from '../core/config.ts';
import { createMatcher } from '../core/consensus/strategies.ts';
import { baselineName } from '../core/memory/baseline.ts';
import type { Disposition } from '../core/memory/known-claim.ts';
import { standOf } from '../core/memory/stand.ts';
import type { Memory, Repository } from '../core/ports.ts';
import type { Call } from './call.ts';

export interface ReadBaseline {
  readonly dispositions: readonly Disposition[];
  /** What the person should know about where they came from. */
  readonly notes: readonly string[];
}

/** A baseline that the change under review touches is taken from the base of the change: a change must not dismiss its own claims. */
export async function readBaseline(root: string | null, change: Change | null, repository: Pick<Repository, 'readAt'> | null): Promise<ReadBaseline> {
  if (root === null) return { dispositions: [], notes: [] };
  const base = change?.files.some(({ path, oldPath }) => path === baselineName || oldPath === baselineName) ? change.base : null;
  const isTouched = base !== null && repository !== null;
  const text = isTouched ? await repository.readAt(base, baselineName) : await readBaselineText(root);
  const note = `The change touches ${baselineName}: ${text === null ? 'it is ignored' : 'its version at the base is used'}.`;
  return { dispositions: text === null ? [] : await parseBaseline(text), notes: isTouched ? [note] : [] };
}

export interface MemoryRequest {
  /** Folder that holds `.jury`. */
  readonly root: string;
  readonly subject: Subject;
  readonly repository: Repository | null;
  readonly strategy: Strategy;
  readonly threshold: number;
}

/** Null for a question: only claims about files are remembered. */
export async function openMemory({ root, subject, repository, strategy, threshold }: MemoryRequest, call: Call): Promise<Memory | null> {
  if (subject.kind !== 'change') return null;
  const { dispositions } = await readBaseline(repository?.root ?? null, subject, repository);
  return createMemory({ file: openMemoryFile(root, message => call.onEvent?.({ type: 'note', message })), baseline: dispositions, createMatcher: () => createMatcher(pureStrategyFor(strategy), threshold) });
}

/** Claims are known again without asking any endpoint, whatever forms them. */
export function pureStrategyFor(strategy: Strategy): PureStrategy {
  return pureStrategies.find(name => name === strategy) ?? 'lexical';
}

/** What the decisions in force today come to; an earlier run answers again only while this is the same. */
export async function readStand(root: string, baseline: readonly Disposition[], now: Date, call: Call): Promise<string> {
  const { dispositions } = await openMemoryFile(root, message => call.onEvent?.({ type: 'note', message })).read();
  return standOf([...dispositions, ...baseline], now.toISOString().slice(0, 10));
}
