/** Sizes a change up: chooses who of the configured reviewers is asked, and says how to measure it when somebody must know exactly. */
import { readTokenObservations } from '../adapters/store/token-observations.ts';
import { estimatingCounter, loadTokenCounter } from '../adapters/tokens/token-counter.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import type { Change } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import { allotBudgets, type Complexity, type Isolation } from '../core/context/budget.ts';
import { learnFactor, type Measure, type Measured } from '../core/context/measure.ts';
import { measureScope, triageFiles, type ReadFile } from '../core/context/scope.ts';
import { triage, type Triage, type TriagedFile } from '../core/context/triage.ts';
import { familyOf } from '../core/memory/family.ts';
import type { Repository, TokenCounter } from '../core/ports.ts';

export interface Sizing {
  readonly triage: Triage;
  /** Every file, and whether a security reviewer must read it. */
  readonly triaged: readonly TriagedFile[];
  readonly complexity: Complexity | null;
  readonly measure: Measure;
}

export interface MeasureRequest {
  readonly change: Change;
  readonly repository: Repository;
  /** Where what providers reported of earlier prompts is kept. */
  readonly state: StateFolder;
  readonly seats: readonly Seat[];
  readonly complexity: Complexity | null;
  readonly isolation: Isolation;
  /** Globs of files that the configuration calls sensitive. */
  readonly sensitiveFiles: readonly string[];
}

export interface SizingRequest extends MeasureRequest {
  /** Did a person name the reviewers? */
  readonly isNamed: boolean;
}

export function sizeUp({
  isNamed,
  ...request
}: SizingRequest): Sizing & { readonly seats: readonly Seat[] } {
  const { change, seats, complexity, sensitiveFiles } = request;
  const candidates = seats.map(({ id, required, runner, persona: { role, files } }) => ({
    id,
    required,
    role,
    files,
    isFree: isFree(runner),
  }));
  const triaged = triageFiles(change.files, sensitiveFiles);
  const sorted = triage({ candidates, files: triaged, complexity, isNamed });
  const settled = complexity === null ? withEverybody(sorted) : sorted;
  const chosen = seats.filter(({ id }) => settled.seated.some(seated => seated.id === id));
  return {
    seats: chosen,
    triaged,
    triage: settled,
    complexity,
    measure: measureLater({ ...request, seats: chosen }),
  };
}

/** `seats` are those that are asked. */
export function measureLater(request: MeasureRequest): Measure {
  let measured: Promise<Measured> | undefined;
  return () => (measured ??= measure(request));
}

async function measure({
  change,
  repository,
  state,
  seats,
  complexity,
  isolation,
  sensitiveFiles,
}: MeasureRequest): Promise<Measured> {
  // Loading the encoding takes longer than a panel of analysers, which spend no tokens.
  const counter = seats.every(({ runner }) => isFree(runner))
    ? estimatingCounter
    : await loadTokenCounter();
  const scope = measureScope(await readFiles(change, repository), counter, sensitiveFiles);
  return {
    scope,
    counter,
    factors: await factorsOf(seats, counter, state),
    budget: allotBudgets({
      totalTokens: scope.total_tokens,
      complexity,
      isolation,
      reviewers: spendersOf(seats),
    }),
  };
}

/** Nothing is put upon an estimate, which is further off than any family. */
async function factorsOf(
  seats: readonly Seat[],
  counter: TokenCounter,
  state: StateFolder,
): Promise<Measured['factors']> {
  if (counter.estimated) return {};
  const observations = await readTokenObservations(state, counter.name);
  return Object.fromEntries(
    seats
      .filter(({ runner }) => !isFree(runner))
      .map(seat => [seat.id, learnFactor(familyOf(seat), observations)]),
  );
}

function spendersOf(seats: readonly Seat[]): { readonly id: string; readonly base: number }[] {
  return seats
    .filter(({ runner }) => !isFree(runner))
    .map(({ id, persona }) => ({ id, base: persona.budget }));
}

/** Analysers run on this machine and spend no tokens: a budget of theirs would be one that others could spend. */
function isFree(runner: Seat['runner']): boolean {
  return runner === 'builtin';
}

/** The configuration is the panel: nobody on it is left out unless the caller asks for less. */
function withEverybody({ seated, leftOut, gaps }: Triage): Triage {
  return {
    seated: [
      ...seated,
      ...leftOut.map(({ id, why }) => ({ id, why: [`on the panel, with ${why}`] })),
    ],
    leftOut: [],
    gaps,
  };
}

/** One after the other: all of a large change at once would be a lot of memory. */
async function readFiles(change: Change, repository: Repository): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const file of change.files) {
    const isReadable =
      change.source !== 'patch' &&
      file.status !== 'deleted' &&
      (file.content === 'text' || file.content === 'symlink');
    read.push({ file, text: isReadable ? await repository.read(file, 'new') : null });
  }
  return read;
}
