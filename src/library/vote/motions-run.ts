/**
 * The run folder of a formal vote: its plan, and the journal of everything members were asked. A run that did not come to
 * its end is gone on with when the same is asked for again.
 */
import { openCopies } from '../../adapters/store/copies.ts';
import { journalName, openJournal } from '../../adapters/store/journal.ts';
import { noteLastAnswer, removeOldRuns } from '../../adapters/store/runs.ts';
import { createRunFolder, openRunFolder } from '../../adapters/store/run-folder.ts';
import { lockRun } from '../../adapters/store/run-lock.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { UserError } from '../../core/errors.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import type { RunStore } from '../../core/ports/run-store.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { EndedMotions, MotionsPlan } from '../../core/run-files/plan-file.ts';
import { clockOf, idsOf, type Call } from '../call.ts';
import type { OwnState } from '../own-state.ts';
import { version } from '../version.ts';

export interface MotionsOpening extends Pick<MotionsPlan, 'title' | 'request' | 'inputHash'> {
  readonly state: OwnState;
  readonly retentionDays: number;
  /** Is a copy of the report kept in the project? */
  readonly copies: boolean;
  /** Id of the run that must be gone on with; null: whichever fits, else a new one. */
  readonly resumes: string | null;
}

export interface MotionsEnd extends Pick<EndedMotions, 'artifacts' | 'counts'> {
  /** Markdown, for `report.md` of the run folder. */
  readonly report: string;
}

export interface OpenMotionsRun {
  readonly plan: MotionsPlan;
  readonly steps: Steps;
  /** Notes that the vote came to its end. Without it the run can be resumed. */
  end(result: MotionsEnd): Promise<void>;
  close(): Promise<void>;
}

/** Opens folder, lock and journal: of the run that was begun with the same input and never ended, or of a new one. */
export async function openMotionsRun(opening: MotionsOpening, call: Call): Promise<OpenMotionsRun> {
  const { store, plan } = (await findUnfinished(opening)) ?? (await create(opening, call));
  const { state } = opening;
  const lock = await lockRun(state, store.folder);
  try {
    const steps = await openJournal(state, `${store.folder}/${journalName}`, message =>
      call.onEvent?.({ type: 'note', message }),
    );
    // A vote that goes on may have been given other ceilings.
    if (JSON.stringify(plan.request) !== JSON.stringify(opening.request))
      await store.write('plan.json', toJsonText({ ...plan, request: opening.request }));
    call.onEvent?.({
      type: 'run-start',
      run: plan.run,
      folder: store.folder,
      title: plan.title,
      reviewers: [],
    });
    return {
      plan,
      steps,
      async end({ report, ...result }) {
        await store.write('report.md', report);
        const copies = await openCopies(state, plan.run, opening.copies, message =>
          call.onEvent?.({ type: 'note', message }),
        );
        await copies.copy('report.md', report);
        await store.write('motions.json', toJsonText(endOf(plan, result, call)));
        await noteLastAnswer(state, plan.run);
      },
      async close() {
        steps.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Null when the folder is that of another kind of run. */
export async function readMotionsPlan(store: RunStore): Promise<MotionsPlan | null> {
  return MotionsPlan.safeParse(parseJson(await store.read('plan.json'))).data ?? null;
}

export interface ListedMotions {
  readonly plan: MotionsPlan;
  /** Null: it never ended. */
  readonly ended: EndedMotions | null;
}

/** The user's own votes that are kept, latest first. */
export async function listMotions(state: OwnState): Promise<ListedMotions[]> {
  const listed: ListedMotions[] = [];
  for (const id of await state.listRuns()) {
    const store = await openRunFolder(state, id);
    const plan = await readMotionsPlan(store);
    if (plan !== null) listed.push({ plan, ended: await readEnd(store) });
  }
  return listed;
}

/** The vote of this run; null when that run is no vote. Throws `UserError` for one that would go on in another project. */
export async function findMotions(state: OwnState, run: string): Promise<ListedMotions | null> {
  return readMotions(state, run);
}

/** The vote of this run, wherever it was held; null when that run is no vote. */
export async function readMotions(state: StateFolder, run: string): Promise<ListedMotions | null> {
  const store = await openRunFolder(state, run);
  const plan = await readMotionsPlan(store);
  return plan === null ? null : { plan, ended: await readEnd(store) };
}

async function readEnd(store: RunStore): Promise<EndedMotions | null> {
  return EndedMotions.safeParse(parseJson(await store.read('motions.json'))).data ?? null;
}

interface Opened {
  readonly store: RunStore;
  readonly plan: MotionsPlan;
}

async function findUnfinished({
  state,
  inputHash,
  resumes,
}: MotionsOpening): Promise<Opened | null> {
  const found = (await listMotions(state)).find(
    ({ plan, ended }) =>
      ended === null && plan.inputHash === inputHash && (resumes === null || plan.run === resumes),
  );
  if (found === undefined && resumes !== null)
    throw new UserError(
      `The session, the rules or the reviewers have changed since run ${resumes} began.`,
      { kind: 'input', hint: 'Start a new vote with "jury motions".' },
    );
  return found === undefined
    ? null
    : { store: await openRunFolder(state, found.plan.run), plan: found.plan };
}

async function create(
  { state, retentionDays, title, request, inputHash }: MotionsOpening,
  call: Call,
): Promise<Opened> {
  const now = clockOf(call).now();
  await removeOldRuns(state, retentionDays, now);
  const plan: MotionsPlan = {
    schema: 'jury.motions-plan/1',
    run: idsOf(call).run(now),
    version,
    startedAt: now.toISOString(),
    cwd: call.cwd,
    title,
    request,
    inputHash,
    fence: idsOf(call).nonce(),
  };
  const store = await createRunFolder(state, plan.run);
  await store.write('plan.json', toJsonText(plan));
  return { store, plan };
}

function endOf(
  { run, title, startedAt }: MotionsPlan,
  { artifacts, counts }: Pick<EndedMotions, 'artifacts' | 'counts'>,
  call: Call,
): EndedMotions {
  return {
    schema: 'jury.motions-run/1',
    run,
    title,
    startedAt,
    completedAt: clockOf(call).now().toISOString(),
    artifacts,
    counts,
  };
}
