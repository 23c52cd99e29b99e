/** The runs that are kept, for whoever knows only their names: read back, listed, chosen to be gone on with. */
import path from 'node:path';
import { journalsOf } from '../adapters/store/journal.ts';
import {
  openRunFolder,
  readVerdicts as readVerdictFolder,
  runsFolder,
} from '../adapters/store/run-folder.ts';
import {
  findRun,
  importedBefore,
  listRuns as listRunIds,
  removeAllRuns,
  removeOldRuns,
  runsBefore,
} from '../adapters/store/runs.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import { inputError, ifUserError } from '../core/errors.ts';
import type { RunStore } from '../core/ports/steps.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import type { Call } from './call.ts';
import type { Cleaned } from '../core/printed/checks.ts';
import { CleanRequest } from '../core/request.ts';
import { parseRequest } from '../core/schema-problem.ts';
import {
  type OwnState,
  loadRun,
  readEndedRun,
  readLatestRun,
  readPlan,
  readRecord,
  readRecords,
  stateOf,
} from './own-state.ts';
import { createSecretScanner, maskSecrets } from '../checks/index.ts';
import { listRunResources } from '../adapters/store/resources.ts';
import type { ListedVote, UnfinishedRun } from '../core/printed/reports.ts';
import { hintFor, type Meant, meantBy } from '../core/run-files/finding-names.ts';
import { cut, shellQuote } from '../core/text.ts';
import type { Named } from '../render/show.ts';
import type { Location } from '../core/words/finding.ts';
import { frameClaims } from '../engine/mask-texts.ts';
import { readNamedResource } from './context/open-context.ts';
import { findResumableRun } from './resume-run.ts';
import { resultOf, type RunResult } from './run-request.ts';
import { type ListedMotions, listMotions, readKeptVote, readMotions } from '../vote/index.ts';

interface ShowRequest {
  /** A run; or, with `id` null, an id of the last answer, whose name need not be given. */
  run: string;
  /** Claim, finding or reviewer; null: the run itself. */
  id: string | null;
  /** With the whole answer. */
  full: boolean;
}

/** What is kept of a project, each latest first. */
export interface ListedRuns {
  readonly ended: readonly RunRecord[];
  /** Under way, or killed. */
  readonly unfinished: readonly UnfinishedRun[];
  /** Of real reviewers. */
  readonly votes: readonly ListedVote[];
  /** Brought from elsewhere: shown, and nothing is decided by them. */
  readonly imported: readonly RunRecord[];
}

/** A folder, relative to the caller's; or a run by id, unique prefix or `latest`. */
export type VerdictsRequest = { readonly dir: string } | { readonly run: string };

export async function readRun(wanted: string, call: Call): Promise<RunResult> {
  return resultOf(await readNamedRun(await stateOf(call), wanted));
}

/** One's own, or one that was imported: to be shown. */
async function readNamedRun(state: OwnState, wanted: string) {
  if (wanted === 'latest') return readEndedRun(state, wanted);
  const own = await state.listRuns();
  const imported = (await listRunIds(state, 'imported')).filter(id => !own.includes(id));
  const id = await findRun(state, wanted, [...own, ...imported]);
  return imported.includes(id) ? readImportedRun(state, id) : readEndedRun(state, id);
}

/** A run that was imported, by its whole id. Throws `UserError` where it cannot be read. */
async function readImportedRun(state: OwnState, id: string): Promise<Run> {
  const run = await loadRun(state, id, 'imported');
  if (run?.record.imported) return { ...run, copies: null };
  throw inputError(
    `What was imported as run ${id} cannot be read.`,
    'Remove it with "jury clean", and import it again.',
  );
}

/** A run, or something of it. Throws `UserError` when there is no such thing, and when several could be meant: with each named. */
export async function showNamed(
  { run: wanted, id, full }: ShowRequest,
  call: Call,
): Promise<Named> {
  const state = await stateOf(call);
  if (id !== null) return openNamed(await readNamedRun(state, wanted), id, full, state);
  const latest = isRunName(wanted) ? null : await readLatestRun(state);
  const meant = latest && meantBy(wanted, latest);
  const isKnown = meant !== null && (meant.kind !== 'unclear' || meant.candidates.length > 0);
  if (latest && (isKnown || isNumber(wanted) || looksLikeId(wanted)))
    return openNamed(latest, wanted, full, state);
  const run = await readNamedRun(state, wanted);
  return { run, id: null, frame: null, answer: null, before: null };
}

async function openNamed(run: Run, id: string, full: boolean, state: OwnState): Promise<Named> {
  const meant = meantBy(id, run);
  if (meant.kind === 'unclear') throw await unclear(id, run, meant.candidates, state);
  const claim = meant.kind === 'claim' ? meant.claim : null;
  const location = meant.kind === 'fixed' ? null : placeOf(meant);
  const frame =
    (claim ? run.record.frames?.[claim.id] : undefined) ??
    (await frameClaims([{ id, location }], run.subject, createSecretScanner()))[id] ??
    null;
  const reviewer =
    meant.kind === 'review'
      ? meant.review.reviewer
      : meant.kind === 'finding'
        ? meant.finding.reviewer
        : null;
  return {
    run,
    id,
    frame,
    answer: full && reviewer !== null ? await readAnswer(run, reviewer, state) : null,
    before: meant.kind === 'fixed' ? await findSaying(id, run, state) : null,
  };
}

function placeOf(meant: Meant): Location | null {
  if (meant.kind === 'claim') return meant.claim.location;
  if (meant.kind === 'finding') return meant.finding.location;
  return meant.kind === 'engine'
    ? {
        ...meant.finding,
        endLine: null,
        side: 'new',
        anchoring: 'exact',
        checked: true,
        note: null,
      }
    : null;
}

/** As it was written, with its credentials masked. */
async function readAnswer({ record }: Run, reviewer: string, state: OwnState) {
  const kind = record.imported ? 'imported' : 'runs';
  const store = await openRunFolder(state, record.run, kind);
  const name = `raw/${reviewer}.txt`;
  const text = await store.read(name);
  return text === null ? null : maskSecrets(text, name);
}

/** What a word that means nothing, or several things, of a run may mean elsewhere. */
async function unclear(
  id: string,
  { record: { run } }: Run,
  candidates: readonly string[],
  state: OwnState,
) {
  const named = JSON.stringify(cut(id, 60));
  if (candidates.length > 0)
    return inputError(
      `Run ${run} has ${candidates.length} things that ${named} could mean.`,
      hintFor(candidates),
    );
  const other = isNumber(id) ? null : await findOther(id, run, state);
  return inputError(
    `Run ${run} has no claim, finding or reviewer ${named}.`,
    other === null
      ? `See "jury show ${run}".`
      : `Run ${other} has: see "jury show ${other} ${shellQuote(id)}".`,
  );
}

/** Runs that are looked through for an id that belongs to none of them: the latest ones. */
const mostSearched = 50;

/** The latest other run of which the word means one thing. */
async function findOther(id: string, not: string, state: OwnState) {
  for (const each of (await state.listRuns()).slice(0, mostSearched)) {
    const run = each === not ? null : await loadRun(state, each);
    if (run && meantBy(id, run).kind !== 'unclear') return each;
  }
  return null;
}

/** The latest run before this one that says a claim by this id. */
async function findSaying(id: string, { record }: Run, state: OwnState) {
  const runs = await state.listRuns();
  const earlier = runs.slice(runs.indexOf(record.run) + 1, mostSearched);
  for (const each of earlier) {
    const { claims = [] } = (await readRecord(await openRunFolder(state, each))) ?? {};
    if (claims.some(claim => claim.id === id)) return loadRun(state, each);
  }
  return null;
}

/** A word that can only be meant for an id, not for a run or a file. */
function looksLikeId(wanted: string) {
  return /^c-[0-9a-f]{1,10}$/.test(wanted) || /^[A-Za-z0-9][A-Za-z0-9._-]*\/[^/\s]+$/.test(wanted);
}

/** What `jury runs` lists, or its beginning; a file of that name goes first. */
export function isRunName(named: string) {
  return named === 'latest' || /^\d{8}T\d{0,6}Z?(?:-[0-9a-f]{0,6})?$/i.test(named);
}

/** A number means a claim of the report printed last, and never a run. */
function isNumber(wanted: string) {
  return /^\d{1,6}$/.test(wanted);
}

export async function listRuns(call: Call): Promise<ListedRuns> {
  const state = await stateOf(call);
  const ended = await readRecords(state);
  const hasEnded = new Set(ended.map(({ run }) => run));
  const others = (await state.listRuns()).filter(id => !hasEnded.has(id));
  const [unfinished, votes, imported] = await Promise.all([
    Promise.all(others.map(async id => describe(state, await openRunFolder(state, id)))),
    listMotions(state),
    readRecords(state, 'imported'),
  ]);
  return {
    ended,
    unfinished: unfinished.filter(run => run !== null),
    votes: votes.map(({ plan: { run, title, startedAt }, ended: last }) => ({
      schema: 'jury.motions-run/1',
      run,
      title,
      startedAt,
      completedAt: last?.completedAt ?? null,
      artifacts: last?.artifacts ?? null,
      counts: last?.counts ?? null,
    })),
    imported,
  };
}

export async function findVote(wanted: string, call: Call): Promise<ListedMotions | null> {
  const state = await stateOf(call);
  return readMotions(state, await findResumableRun(state, wanted));
}

/** The vote of the run whose answer is meant; null when that run is none. */
export async function readVote(wanted: string, call: Call) {
  if (isNumber(wanted) || looksLikeId(wanted)) return null;
  const state = await stateOf(call);
  // What names no run may name something of one: whoever reads that says what is wrong.
  const id = await state.findAnsweredRun(wanted).catch(ifUserError(null));
  return id === null ? null : readKeptVote(state, id);
}

export async function readVerdicts(where: VerdictsRequest, call: Call) {
  if ('dir' in where)
    return readVerdictFolder(systemStorage.disk, path.resolve(call.cwd, where.dir));
  const state = await stateOf(call);
  return readVerdictFolder(
    state.disk,
    path.join(runsFolder(state), await state.findAnsweredRun(where.run), 'verdicts'),
  );
}

/** Null for a run that has ended meanwhile, and for a vote. */
async function describe(state: OwnState, store: RunStore): Promise<UnfinishedRun | null> {
  const hasEnded = (await store.read('report.json')) !== null;
  if (hasEnded && (await readRecord(store))) return null;
  const plan = await readPlan(store);
  if (!plan && (await readMotions(state, store.runId))) return null;
  const isRunning = await journalsOf(state).isHeld(store.runId);
  return {
    schema: 'jury.unfinished-run/1',
    run: store.runId,
    command: plan?.command ?? null,
    title: plan && titleOf(plan),
    startedAt:
      plan?.startedAt ??
      store.runId.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6.000Z'),
    state: isRunning ? 'running' : hasEnded ? 'unreadable' : 'unfinished',
    reviewers: plan?.seats.length ?? 0,
    resume: isRunning || hasEnded || !plan ? null : `jury resume ${store.runId}`,
  };
}

const usualNames = {
  'last-commit': 'last commit',
  uncommitted: 'uncommitted changes',
  branch: 'this branch',
  'merge-base': 'since the merge base',
} as const;

/** As far as the plan knows it: the change itself is not read again. */
function titleOf({ subject }: Plan) {
  if (subject.kind !== 'change') return subject.title;
  const { request } = subject;
  if (request.source === 'files') return request.patterns.join(' ');
  if (request.usual) return usualNames[request.usual.is];
  const limits = (request.paths ?? []).map(path => ` ${path}`).join('');
  const title =
    request.source === 'revision'
      ? request.revision
      : 'title' in request
        ? request.title
        : request.source;
  return limits === '' ? title : `${title} --${limits}`;
}

/** Names of everything that can be read of the newest runs, newest run first. */
export async function listNewestResources(runs: number, call: Call) {
  const state = await stateOf(call);
  const listed = await Promise.all(
    (await state.listRuns()).slice(0, runs).map(run => listRunResources(state, run)),
  );
  return listed.flat();
}

/**
 * Null when the name is not legal, or nothing that may be read has it. The diff and the subject of a run hold what stood in the
 * change: its credentials are masked.
 */
export async function readResourceNamed(uri: string, call: Call) {
  const state = await stateOf(call);
  const text = await readNamedResource(state, uri, call);
  return text === null ? null : maskSecrets(text, uri);
}

/** What was removed. A run that a process works on stays. `announce` is told the ids before any is removed. */
export async function cleanRuns(
  input: CleanRequest,
  call: Call,
  announce: (ids: readonly string[]) => void,
): Promise<Cleaned> {
  const { olderThan, dryRun } = parseRequest(CleanRequest, input);
  const state = await stateOf(call);
  const now = call.clock.now();
  const [own, imported] = [await listRunIds(state), await listRunIds(state, 'imported')];
  const all = [...own, ...imported];
  const meant =
    olderThan === undefined
      ? all
      : [...runsBefore(own, olderThan, now), ...(await importedBefore(state, olderThan, now))];
  announce(meant);
  const removed = dryRun
    ? meant
    : await (olderThan === undefined ? removeAllRuns(state) : removeOldRuns(state, olderThan, now));
  const gone = new Set(removed);
  return { root: state.root, removed, kept: all.filter(id => !gone.has(id)), dryRun };
}
