/** Sizes a change up: measures it, chooses who of the configured reviewers is asked, and allots their budgets. */
import { estimatingCounter, loadTokenCounter } from '../adapters/tokens/token-counter.ts';
import type { Change } from '../core/change.ts';
import type { Seat } from '../core/config.ts';
import { allotBudgets, type BudgetFile, type Complexity } from '../core/context/budget.ts';
import { measureScope, type ReadFile, type Scope } from '../core/context/scope.ts';
import { triage, type Triage } from '../core/context/triage.ts';
import type { Repository, TokenCounter } from '../core/ports.ts';

export interface Sizing {
  readonly scope: Scope;
  readonly triage: Triage;
  readonly budget: BudgetFile;
  readonly complexity: Complexity | null;
  readonly counter: TokenCounter;
}

export interface SizingRequest {
  readonly change: Change;
  readonly repository: Repository;
  readonly seats: readonly Seat[];
  readonly complexity: Complexity | null;
  /** Did a person name the reviewers? */
  readonly isNamed: boolean;
  /** Globs of files that the configuration calls sensitive. */
  readonly sensitiveFiles: readonly string[];
}

export async function sizeUp({ change, repository, seats, complexity, isNamed, sensitiveFiles }: SizingRequest): Promise<Sizing & { readonly seats: readonly Seat[] }> {
  // Loading the encoding takes longer than a panel of analysers, which spend no tokens.
  const counter = seats.every(({ runner }) => isFree(runner)) ? estimatingCounter : await loadTokenCounter();
  const scope = measureScope(await readFiles(change, repository), counter, sensitiveFiles);
  const candidates = seats.map(({ id, required, runner, persona: { role, files } }) => ({ id, required, role, files, isFree: isFree(runner) }));
  const sorted = triage({ candidates, files: scope.triaged, complexity, isNamed });
  const settled = complexity === null ? withEverybody(sorted) : sorted;
  const chosen = seats.filter(({ id }) => settled.seated.some(seated => seated.id === id));
  const reviewers = chosen.filter(({ runner }) => !isFree(runner)).map(({ id, persona }) => ({ id, base: persona.budget }));
  return { seats: chosen, scope, triage: settled, complexity, counter, budget: allotBudgets({ totalTokens: scope.total_tokens, complexity, reviewers }) };
}

/** Analysers run on this machine and spend no tokens: a budget of theirs would be one that others could spend. */
function isFree(runner: Seat['runner']): boolean {
  return runner === 'builtin';
}

/** The configuration is the panel: nobody on it is left out unless the caller asks for less. */
function withEverybody({ seated, leftOut, gaps }: Triage): Triage {
  return { seated: [...seated, ...leftOut.map(({ id, why }) => ({ id, why: [`on the panel, with ${why}`] }))], leftOut: [], gaps };
}

/** One after the other: all of a large change at once would be a lot of memory. */
async function readFiles(change: Change, repository: Repository): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const file of change.files) {
    const isReadable = change.source !== 'patch' && file.status !== 'deleted' && (file.content === 'text' || file.content === 'symlink');
    read.push({ file, text: isReadable ? await repository.read(file, 'new') : null });
  }
  return read;
}
