/** Reads runs back from their folders. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { confirmNames } from '../adapters/store/atomic-write.ts';
import { findCopies } from '../adapters/store/resources.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import { openRunFolder, type RunsKind } from '../adapters/store/run-folder.ts';
import {
  findAnsweredRun,
  listRuns,
  readLastAnswer,
  withFutureLast,
} from '../adapters/store/runs.ts';
import { type StateFolder, guardDisk } from '../adapters/store/storage.ts';
import { sha256 } from '../core/hash.ts';
import { refuseInside, userStateFolder, whyShared } from '../adapters/system/disk.ts';
import { inputError, usageError } from '../core/errors.ts';
import { parseJson, toJsonText } from '../core/json.ts';
import type { Disk } from '../core/ports/runner.ts';
import type { RunStore } from '../core/ports/steps.ts';
import { MotionsPlan, otherSchemaIn } from '../core/run-files/run-record.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { isFounded } from '../core/verdict/outcome.ts';
import { Subject } from '../core/words/change.ts';
import type { Plan } from '../core/words/plan.ts';
import { Review } from '../core/words/review.ts';
import { type Run, RunRecord } from '../core/words/run.ts';
import { type Call, repositoryRootOf, withRepository } from './call.ts';

/**
 * The latest of the very same plan that ended and can be read; else the latest of that plan that did not end, or that asked a seat
 * the same; null when there is none. `run` is null where it was killed, or goes on still.
 */
export async function findEarlierRun(state: OwnState, plan: Plan) {
  if (plan.configurationHash === null) return null;
  let alike: { plan: Plan; run: Run | null } | null = null;
  for await (const other of earlierPlans(state)) {
    const isSame = other.configurationHash === plan.configurationHash;
    const isAskedAlike = plan.seats.some(({ id }) => isAlike('questions', plan, other, id));
    const isMeant: boolean = isSame || (!alike && isAskedAlike);
    const run: Run | null = isMeant ? await loadRun(state, other.run) : null;
    if (run && isSame) return { plan: other, run };
    if (run || isSame) alike ??= { plan: other, run };
  }
  return alike;
}

/**
 * A run of this user's own by id, unique prefix or `latest`, the one that answered last. Throws `UserError` when there is none or
 * it never ended.
 */
export async function readEndedRun(state: OwnState, wanted: string): Promise<Run> {
  const id = await state.findAnsweredRun(wanted);
  const run = await loadRun(state, id);
  if (run) return run;
  const store = await openRunFolder(state, id);
  if (MotionsPlan.safeParse(parseJson(await store.read('plan.json'))).success)
    throw inputError(
      `Run ${id} is a vote on motions: it has no claims.`,
      `Its report: jury report ${id}`,
    );
  if (await journalsOf(state).isHeld(id))
    throw inputError(`Run ${id} is still under way.`, 'Wait until it has ended.');
  throw await unreadOf(store);
}

/** What a run is that is no vote, that nobody works on, and that cannot be read. */
async function unreadOf(store: RunStore) {
  const text = await store.read('report.json');
  if (text === null)
    return inputError(
      `Run ${store.runId} has not ended.`,
      `To finish it, run "jury resume ${store.runId}".`,
    );
  const schema = otherSchemaIn(text);
  const report =
    (await store.read('report.md')) === null ? '' : `${store.folder}/report.md is left of it. `;
  return inputError(
    schema !== null
      ? `Run ${store.runId} is of another version of Jury (${makeVisible(schema)}), which this one cannot read.`
      : `What is kept of run ${store.runId} is damaged: its record or one of its reviews cannot be read.`,
    `${report}Start the review again.`,
  );
}

/** The run that answered last, else the latest that ended and can be read; null when there is none. */
export async function readLatestRun(state: OwnState): Promise<Run | null> {
  const [ids, answered] = await Promise.all([state.listRuns(), readLastAnswer(state)]);
  const isAnswered = (id: string) => Number(id === answered);
  for (const id of ids.toSorted((one, other) => isAnswered(other) - isAnswered(one))) {
    const run = await loadRun(state, id);
    if (run) return run;
  }
  return null;
}

/** All runs that ended and can be read, latest first. */
export async function readRuns(state: OwnState): Promise<Run[]> {
  const runs = [];
  // One after the other: a folder of runs can be large.
  for (const id of await state.listRuns()) {
    const run = await loadRun(state, id);
    if (run) runs.push(run);
  }
  return runs;
}

/** Records of the runs that ended, or of those that were imported, latest first. */
export async function readRecords(state: OwnState, kind: RunsKind = 'runs') {
  const ids = await listRuns(state, kind);
  const records = await Promise.all(
    ids.map(async id => readRecord(await openRunFolder(state, id, kind))),
  );
  return records.flatMap(record =>
    !record || (kind === 'imported' && !record.imported) ? [] : [record],
  );
}

/** The plan a run was started with; null when there is none, and when it is none that this version of Jury makes. */
export async function readPlan(store: RunStore) {
  return openPlan(await store.read('plan.json'), store.runId);
}

/** The same of a run by its id. Throws `UserError` (kind `input`) where there is none to judge by, or to go on with. */
export async function requirePlan(state: OwnState, id: string) {
  const store = await openRunFolder(state, id);
  const plan = await readPlan(store);
  if (plan) return plan;
  throw inputError(
    (await store.read('plan.json')) === null
      ? `Run ${id} was killed before it had a plan; nobody was asked yet.`
      : `The plan of run ${id} is damaged, or of another version of Jury.`,
    'Start the review again.',
  );
}

/** The record of a run; null when it never ended or cannot be read. */
export async function readRecord(store: RunStore) {
  const checked = RunRecord.safeParse(parseJson(await store.read('report.json')));
  return checked.success && checked.data.run === store.runId && isFounded(checked.data)
    ? checked.data
    : null;
}

/** Null when it never ended, when it is no run of claims, and when it cannot be read. */
export async function loadRun(
  state: OwnState,
  id: string,
  kind: RunsKind = 'runs',
): Promise<Run | null> {
  const store = await openRunFolder(state, id, kind);
  const record = await readRecord(store);
  if (!record) return null;
  const checked = Subject.safeParse(parseJson(await store.read('subject.json')));
  const reviews = await Promise.all(
    record.reviewers.map(async reviewer =>
      Review.safeParse(parseJson(await store.read(`raw/${reviewer.id}.json`))),
    ),
  );
  if (!checked.success || reviews.some(review => !review.success)) return null;
  await confirmNames(state.disk, store.folder);
  return {
    record,
    subject: checked.data,
    reviews: reviews.flatMap(review => (review.success ? [review.data] : [])),
    folder: store.folder,
    copies: await findCopies(state, store.runId),
  };
}

export function sealPlan(plan: Plan) {
  return toJsonText({ ...plan, seal: sealOf(plan) });
}

/** Null for the plan of another kind of run, and for one of another version, of another run, or that is damaged. */
function openPlan(text: string | null, run: string) {
  const read = parseJson(text);
  if (typeof read !== 'object' || !read || !('seal' in read)) return null;
  const { seal, ...plan } = read;
  return seal === sealOf(plan) && isPlan(plan) && plan.run === run ? plan : null;
}

/** Of whatever else lies under the seal a plan of this schema was made. */
function isPlan(sealed: object): sealed is Plan {
  return 'schema' in sealed && sealed.schema === 'jury.plan/2';
}

function sealOf(plan: object) {
  return sha256(JSON.stringify(plan));
}

// The state of a project: runs, memory, decisions, caches. It decides (runs are gone on with and answered from), so it lies outside
// of what is reviewed, in a folder that only this user can read and write.

export interface OwnState extends StateFolder {
  /** Top of the repository; null outside of one. */
  readonly repositoryRoot: string | null;
  /** Ids of the runs, newest first; those that have not begun yet by the clock of the caller come last. */
  listRuns(): Promise<readonly string[]>;
  /** The run whose answer is meant, by id, unique prefix or `latest`, the one that answered last. */
  findAnsweredRun(wanted: string): Promise<string>;
}

const opened = new WeakMap<Call, Map<string | null, Promise<OwnState>>>();

/**
 * `repositoryRoot`: null outside of a repository. Nothing is made yet: a look at an empty state leaves nothing. Throws `UserError` (kind
 * `usage`) for a folder that lies in the repository, belongs to somebody else or can be read by others.
 */
export function openState(repositoryRoot: string | null, call: Call) {
  const known = opened.get(call) ?? new Map<string | null, Promise<OwnState>>();
  opened.set(call, known);
  const state = known.get(repositoryRoot) ?? open(repositoryRoot, call);
  known.set(repositoryRoot, state);
  return state;
}

/** For callers that have opened no repository yet. */
export async function stateOf(call: Call) {
  return openState(await repositoryRootOf(call), call);
}

async function open(repositoryRoot: string | null, call: Call): Promise<OwnState> {
  const project = repositoryRoot ?? call.cwd;
  const real = await realpath(project).catch(() => project);
  const root =
    call.state === undefined
      ? path.join(userStateFolder(call.environment), sha256(real).slice(0, 32))
      : path.resolve(call.cwd, call.state);
  if (repositoryRoot !== null) await refuseInside(root, real);
  const folder: StateFolder = {
    processes: call.processes,
    clock: call.clock,
    root,
    project,
    disk: guardDisk(call, root),
    tracked:
      repositoryRoot === null
        ? undefined
        : () => withRepository({ ...call, cwd: repositoryRoot }, each => each.tracked()),
  };
  if (call.state === undefined) await refuseShared(path.dirname(root), folder, 0o022);
  await refuseOpen(folder);
  const own = async () => withFutureLast(await listRuns(folder), call.clock.now());
  return {
    ...folder,
    repositoryRoot,
    listRuns: own,
    findAnsweredRun: async wanted => findOwn(folder, wanted, await own()),
  };
}

/** What was imported is named where it was meant, and refused. */
async function findOwn(folder: StateFolder, wanted: string, own: readonly string[]) {
  try {
    return await findAnsweredRun(folder, wanted, own);
  } catch (error) {
    const imported = await listRuns(folder, 'imported');
    const [meant, other] = imported.filter(id => wanted !== '' && id.startsWith(wanted));
    if (meant === undefined || other !== undefined) throw error;
    throw inputError(
      `Run ${meant} was imported: it is shown, and used for nothing else.`,
      `See "jury show ${meant}".`,
    );
  }
}

/** The nearest thing there is on the way to a folder, unless it is a folder or a link to one. */
async function findInTheWay(root: string, disk: Disk) {
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const found = await disk.status(at);
    if (found?.kind === 'link') {
      const target = await realpath(at).catch(() => null);
      return target !== null && (await disk.status(target))?.kind === 'folder' ? null : at;
    }
    if (found) return found.kind === 'folder' ? null : at;
    if (at === path.dirname(at)) return null;
  }
}

async function refuseOpen({ root, disk, processes }: StateFolder) {
  const elsewhere = 'Name another folder with JURY_STATE.';
  const found = await disk.status(root).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw cause;
    throw usageError(
      `The state folder ${root} lies where this user may not look.`,
      elsewhere,
      cause,
    );
  });
  if (!found) {
    const inTheWay = await findInTheWay(root, disk);
    if (inTheWay === null) return;
    throw usageError(
      `There can be no state folder ${root}: ${inTheWay} is no folder.`,
      'Move that out of the way, or name another folder with JURY_STATE.',
    );
  }
  if (found.kind !== 'folder')
    throw usageError(`The state folder ${root} is a link or a file.`, elsewhere);
  await refuseShared(root, { disk, processes });
}

/** Whoever can write a folder can put another one in the place of what lies in it. */
async function refuseShared(
  folder: string,
  { disk, processes }: Pick<StateFolder, 'disk' | 'processes'>,
  others?: number,
) {
  const real = await realpath(folder).catch(() => folder);
  const found = await disk.status(real).catch(() => null);
  const shared = found && whyShared(found, processes.user, others);
  if (shared)
    throw usageError(
      `The state folder ${folder} ${shared.what}.`,
      shared.kind === 'foreign'
        ? 'Name another folder with JURY_STATE.'
        : 'Take that from them with "chmod 700", or name another folder with JURY_STATE.',
    );
}

/** Of the runs of this user's own, ended or not, the plans they began with; the latest first. */
export async function* earlierPlans(state: OwnState): AsyncGenerator<Plan, void, undefined> {
  for (const id of await listRuns(state)) {
    const plan = await readPlan(await openRunFolder(state, id));
    if (plan) yield plan;
  }
}

/** Would both plans ask this seat in the same way, and take its answer so: the very same, or whatever the change is? */
export function isAlike(key: 'questions' | 'asking', one: Plan, other: Plan, seat: string) {
  const asked = one[key]?.[seat] ?? null;
  return asked !== null && asked === other[key]?.[seat];
}
