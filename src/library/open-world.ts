/** Wires the adapters into what the engine needs for one run, and takes them down again. */
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gitFolderAt, listWorkTrees } from '../adapters/git/git-folder.ts';
import type { GitRepository } from '../adapters/git/repository.ts';

import { createFunctionRunner, guardRunner } from '../adapters/runners/function.ts';
import type { RunnerWorld } from '../adapters/runners/executable.ts';
import { sweepStaleFolders } from '../adapters/runners/stale-folders.ts';
import { runnerTable } from '../adapters/runners/table.ts';
import { takeAgentFile, writeAgentFile } from '../adapters/store/agent-folder.ts';
import { makeFolders } from '../adapters/store/atomic-write.ts';
import {
  type Copies,
  canKeepReports,
  openCopies,
  takeReportName,
  withCopies,
  writeReport,
} from '../adapters/store/resources.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import { createRunFolder, openRunFolder } from '../adapters/store/run-folder.ts';
import { keepTokenObservations } from '../adapters/store/runs.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import { userStateFolder } from '../adapters/system/disk.ts';
import { withoutTelemetry } from '../adapters/telemetry/settings.ts';
import { createSecretScanner, openChecks, severityOfSecret } from '../checks/index.ts';
import { openEgress } from '../core/context/egress.ts';
import type { Measure } from '../core/context/review-plan.ts';
import { usageError } from '../core/errors.ts';
import type { CodeIndex } from '../core/ports/repository.ts';
import type { Runner } from '../core/ports/runner.ts';
import type { RunStore } from '../core/ports/steps.ts';
import type { Subject } from '../core/words/change.ts';
import type {
  IndexStatistics,
  IndexedFile,
  Refreshed,
  SkippedFile,
} from '../core/words/code-index.ts';
import type { Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import { kindOf, startsProgram } from '../core/words/runner.ts';
import { maskPassages } from '../engine/mask-texts.ts';
import type { World } from '../engine/world.ts';
import { renderConsensusReview } from '../render/consensus-review.ts';
import { renderers } from '../render/formats.ts';
import { type Call, type WatchedCall, noteTo, temporaryFolderOf, withRepository } from './call.ts';
import { hashLoaded } from './manifest.ts';
import { openContext, openToolContext, openTree } from './context/open-context.ts';
import { openJudge, openMatcher, openMemory, openMonth, paidBy } from './open-memory.ts';
import { type OwnState, openState, sealPlan } from './own-state.ts';
import { hasChanged } from './subjects.ts';
import type { TrustedBase } from './trusted-base.ts';
import { rebuilding } from '../adapters/index/code-index.ts';

export type RunnerFor = (seat: Seat) => Promise<Runner>;

/** Each runner is loaded once, when the first seat needs it. */
export function openRunners(call: WatchedCall, checkout: string | null): RunnerFor {
  const temporaryFolder = temporaryFolderOf(call);
  const note = noteTo(call);
  let hidden: Promise<readonly string[]> | undefined;
  const world: RunnerWorld = {
    environment: withoutTelemetry(call.environment),
    temporaryFolder,
    checkout,
    hidden: () => (hidden ??= listHidden(checkout, call)),
    hashLoaded,
    note,
    run: call.processes.run,
  };
  const loaded = new Map<string, Promise<Runner>>();
  let swept: Promise<void> | undefined;
  return async ({ runner }) => {
    // What a killed Jury left running ends before anybody new is asked, whoever that is.
    await (swept ??= realpath(temporaryFolder)
      .catch(() => temporaryFolder)
      .then(folder => sweepStaleFolders(folder, note)));
    const known =
      loaded.get(runner) ??
      openRunner(runner, world, call).then(opened => call.telemetry?.watch(opened) ?? opened);
    loaded.set(runner, known);
    return known;
  };
}

/** The state of every project, and other work trees of this one. */
async function listHidden(checkout: string | null, call: Call) {
  const git = checkout === null ? null : await gitFolderAt(checkout);
  return [
    userStateFolder(call.environment),
    ...(call.state === undefined ? [] : [resolve(call.cwd, call.state)]),
    ...(git ? await listWorkTrees(git) : []),
  ];
}

const isInTable = (name: string): name is keyof typeof runnerTable =>
  Object.hasOwn(runnerTable, name);

/** One of the caller's own, else a built-in one. Throws `UserError`. */
async function openRunner(name: string, world: RunnerWorld, { runners = {}, clock }: Call) {
  if (kindOf(name) === 'check') return openChecks(world);
  if (isInTable(name)) {
    if (startsProgram(name)) {
      (await import('../adapters/runners/process-tree.ts')).prepareStarts();
      (await import('../adapters/runners/enclose.ts')).prepareSandbox(world);
    }
    return runnerTable[name](world);
  }
  const own = Object.hasOwn(runners, name) ? runners[name] : undefined;
  if (!own)
    throw usageError(
      `There is no runner "${name}".`,
      'A program that seats runners of its own gives them to createJury.',
    );
  return typeof own === 'function' ? createFunctionRunner(name, own, clock) : guardRunner(own);
}

/** As `openRunners`; a reviewer that something stands in for is asked through that. */
export function openRunnersOn(
  { standIns }: TrustedBase,
  call: Call,
  checkout: string | null,
): RunnerFor {
  const runnerFor = openRunners(call, checkout);
  const replaced = (seat: Seat) => ({ ...seat, ...standIns.get(seat.id) });
  return async seat => {
    const runner = await runnerFor(seat);
    return {
      ...runner,
      ask: (turn, ...rest) => runner.ask({ ...turn, seat: replaced(turn.seat) }, ...rest),
      // What stands in lies in another folder each time.
      fingerprint: async asked => (standIns.has(asked.id) ? null : runner.fingerprint(asked)),
    };
  };
}

/** A run as it is gone through. */
export interface Opening {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly state: OwnState;
  /** Are copies of reports kept in the project? */
  readonly copies: boolean;
  readonly isNew: boolean;
  /** May anybody be asked? Else nothing is spent. */
  readonly isAsked: boolean;
  readonly repository: GitRepository;
  readonly ground: TrustedBase;
  readonly runnerFor: RunnerFor;
  /** Null when nobody has a budget. */
  readonly measure: Measure | null;
}

/** Opens folder and steps, does the work, and closes them whatever happens. */
export async function withWorld<Result>(
  opening: Opening,
  call: Call,
  work: (world: World) => Promise<Result>,
) {
  const { plan, subject, state, isNew, repository, runnerFor, measure } = opening;
  const own = isNew ? await createRunFolder(state, plan.run) : await openRunFolder(state, plan.run);
  const note = noteTo(call);
  const beside = await openCopies(state, plan.run, opening.copies, note);
  const store = withCopies(own, beside);
  const steps = await journalsOf(state, note).open(plan.run);
  try {
    const openOwn = () => openContext(subject, repository, state, call);
    const toolContext = openToolContext(opening, openOwn, call);
    const month = opening.isAsked ? await openMonth(paidBy(plan, state), call) : null;
    try {
      if (isNew) await store.write('plan.json', sealPlan(plan));
      return await work({
        repository,
        runnerFor,
        toolContext,
        month,
        measure,
        steps,
        store,
        openContext: openOwn,
        learnTokens: (counter, observations) => keepTokenObservations(state, counter, observations),
        clock: call.clock,
        secrets: createSecretScanner(),
        isMoved: () => hasChanged(plan, subject, call),
        skipSecurity: call.environment.JURY_SKIP_SECURITY ?? null,
        isCredential: secret => severityOfSecret(secret) === 'critical',
        matcher: await openMatcher(plan, state, call),
        judge: await openJudge(plan, state, call),
        memory: await openMemory(opening, plan, call),
        renderReport: run => renderers.markdown(run, { color: false, width: 100 }),
        ...(store.copies !== null &&
          (await canKeepReports(state, note)) && {
            scopeReports: {
              take: (scope, now) => takeReportName(state, scope, now),
              write: (name, text) => writeReport(state, name, text),
              render: renderConsensusReview,
            },
          }),
        writeReviewFile: (agent, text) => writeReviewFile(state, { store, beside }, agent, text),
        takeWritten: agent => takeAgentFile(state.disk, join(store.folder, 'reviews'), agent),
      });
    } finally {
      await toolContext?.close();
      month?.close();
    }
  } finally {
    await steps.close();
  }
}

async function writeReviewFile(
  state: StateFolder,
  { store, beside }: { store: RunStore; beside: Copies },
  agent: string,
  text: string,
) {
  const folder = join(store.folder, 'reviews');
  await makeFolders(state.disk, store.folder, ['reviews']);
  const path = `reviews/${agent}.md`;
  if (!(await writeAgentFile(state, folder, agent, text))) await store.write(path, text);
  else await beside.copy(path, text);
}

// Brings the code index of the project up to date and asks it.

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
) {
  if (!/[\p{L}\p{N}]/u.test(query)) throw usageError('QUERY: there is no word in it.');
  return withIndex(request, call, async ({ index: whole, read }) => {
    const index = forAnybody ? await withoutRestricted(whole, call) : whole;
    return maskPassages(index.search(query, limit), createSecretScanner(), read);
  });
}

async function withoutRestricted(index: CodeIndex, call: Call) {
  const { configure } = await import('./trust.ts');
  const { config } = await configure(call);
  const { isRestricted } = openEgress({ rules: config.egress, recipients: {} });
  return index.hiding(path => isRestricted({ path }));
}

/** `read` gives the text of a file of the tree that is indexed; null when it cannot be had. */
function withIndex<Result>(
  { revision }: IndexRequest,
  call: Call,
  use: (opened: Awaited<ReturnType<typeof openTree>>) => Result | Promise<Result>,
) {
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
