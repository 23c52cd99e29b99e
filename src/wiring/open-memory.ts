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

export interface MemoryPlace {
  /** Folder that holds `.jury`. */
  readonly root: string;
  readonly subject: Subject;
  readonly repository: Pick<Repository, 'root' | 'readAt'> | null;
}

export interface Decisions {
  /** What they come to today; an earlier run answers again only while this is the same. */
  readonly stand: string;
  /** What the person should know about where they came from. */
  readonly notes: readonly string[];
}

/** Throws `UserError` for a baseline that cannot be used, before anybody is asked. */
export async function readDecisions(place: MemoryPlace, now: Date, call: Call): Promise<Decisions> {
  const { root, subject } = place;
  if (subject.kind !== 'change') return { stand: '', notes: [] };
  const baseline = await readBaseline(subject, place.repository);
  const own = bringsMemory(subject) ? [] : (await openMemoryFile(root, noteTo(call)).read()).dispositions;
  const notes = bringsMemory(subject) ? [...baseline.notes, 'The change touches .jury/: what is remembered there is not used.'] : baseline.notes;
  return { stand: standOf([...own, ...baseline.dispositions], now.toISOString().slice(0, 10)), notes };
}

/** Null for a question: only claims about files are remembered. `strategy` and `threshold`: those that form the claims. */
export async function openMemory({ root, subject, repository }: MemoryPlace, { strategy, threshold }: { readonly strategy: Strategy; readonly threshold: number }, call: Call): Promise<Memory | null> {
  if (subject.kind !== 'change' || bringsMemory(subject)) return null;
  const { dispositions } = await readBaseline(subject, repository);
  return createMemory({ file: openMemoryFile(root, noteTo(call)), baseline: dispositions, createMatcher: () => createMatcher(pureStrategyFor(strategy), threshold) });
}

/** A change must not dismiss its own claims: one that touches the baseline is judged by the version at its base. */
async function readBaseline({ files, base }: Change, repository: MemoryPlace['repository']): Promise<{ readonly dispositions: readonly Disposition[]; readonly notes: readonly string[] }> {
  if (repository === null || repository.root === null) return { dispositions: [], notes: [] };
  const isTouched = base !== null && files.some(({ path, oldPath }) => path === baselineName || oldPath === baselineName);
  const text = isTouched ? await repository.readAt(base, baselineName) : await readBaselineText(repository.root);
  const note = `The change touches ${baselineName}: ${text === null ? 'it is ignored' : 'its version at the base is used'}.`;
  return { dispositions: text === null ? [] : await parseBaseline(text), notes: isTouched ? [note] : [] };
}

/** A repository under review may hold a memory that somebody wrote for it. Some disks do not tell A from a. */
function bringsMemory({ files }: Change): boolean {
  return files.some(({ path }) => /^\.jury(?:\/|$)/i.test(path));
}

/** Claims are known again without asking any endpoint, whatever forms them. */
function pureStrategyFor(strategy: Strategy): PureStrategy {
  return pureStrategies.find(name => name === strategy) ?? 'calibrated';
}

function noteTo(call: Call): (message: string) => void {
  return message => call.onEvent?.({ type: 'note', message });
}
