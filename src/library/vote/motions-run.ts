/**
 * The run folder of a formal vote: its plan, and the journal of everything members were asked. When the same is asked for again
 * the run is gone on with: one that did not come to its end, and one whose answers are the answers.
 */
import { openCopies } from '../../adapters/store/copies.ts';
import { journalName, openJournal, readJournal } from '../../adapters/store/journal.ts';
import { noteLastAnswer, removeOldRuns } from '../../adapters/store/runs.ts';
import { createRunFolder, openRunFolder } from '../../adapters/store/run-folder.ts';
import { lockRun } from '../../adapters/store/run-lock.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import type { UserError } from '../../core/errors.ts';
import { inputError } from '../../core/errors.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import type { RunStore } from '../../core/ports/run-store.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { EndedMotions, MotionsPlan, NotedHead, RoundEnd } from '../../core/run-files/plan-file.ts';
import type { MotionAccount } from '../../core/vote/motion-account.ts';
import type { VoteSpending } from '../../core/vote/motions-run.ts';
import type { MotionsRequest } from '../../core/vote/requests.ts';
import { nothingSpent, type Spent } from '../../core/words/review.ts';
import { type Call, clockOf, idsOf, noteTo } from '../call.ts';
import type { OwnState } from '../own-state.ts';
import { version } from '../version.ts';
import { hashOfInputs, nameChanges, type VoteInputs } from './vote-inputs.ts';

interface MotionsOpening {
  readonly state: OwnState;
  readonly retentionDays: number;
  /** Is a copy of the report kept in the project? */
  readonly copies: boolean;
  /** The session, for lists of runs. */
  readonly title: string;
  /** As it was asked for: what a resumed run asks for again. */
  readonly request: MotionsRequest;
  readonly inputs: VoteInputs;
  /** Id of the run that must be gone on with; null: whichever fits, else a new one. */
  readonly resumes: string | null;
  /** A new one in any case. */
  readonly fresh: boolean;
}

export interface MotionsEnd extends Pick<EndedMotions, 'artifacts' | 'counts'> {
  /** Markdown, for `report.md` of the run folder. */
  readonly report: string;
  /** For its `explanations.json`. */
  readonly accounts: readonly MotionAccount[];
  /** Over all rounds. */
  readonly spent: VoteSpending;
  /** Hash of the last event of the audit trail. */
  readonly head: string;
}

export interface OpenMotionsRun extends OpenRound {
  readonly plan: MotionsPlan;
  readonly steps: Steps;
  /** Notes that the vote came to its end. Without it the run can be resumed. */
  end(result: MotionsEnd): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens folder, lock and journal: of the latest run that was begun with the same input, or of a new one. Where it ended with answers
 * missing a round begins, in which only those are asked for.
 */
export async function openMotionsRun(opening: MotionsOpening, call: Call): Promise<OpenMotionsRun> {
  const note = noteTo(call);
  const begun = opening.fresh ? null : await findBegun(opening);
  const { store, plan } = begun ?? (await create(opening, call));
  const { state, request } = opening;
  const lock = await lockRun(state, store.folder);
  try {
    const steps = await openJournal(state, `${store.folder}/${journalName}`, note);
    const opened = openRound(steps);
    call.onEvent?.({
      type: 'run-start',
      run: plan.run,
      folder: store.folder,
      title: plan.title,
      reviewers: [],
    });
    if (begun !== null) note(sayBegun(begun));
    // A vote that goes on may have been given other ceilings.
    if (JSON.stringify(plan.request) !== JSON.stringify(request))
      await store.write('plan.json', toJsonText({ ...plan, request }));
    return {
      plan,
      steps,
      ...opened,
      async end({ report, accounts, spent, head, ...result }) {
        await steps.step(headKey(head), () => Promise.resolve(true), NotedHead);
        await store.write('report.md', report);
        await store.write('explanations.json', toJsonText(accounts));
        const copies = await openCopies(state, plan.run, opening.copies, note);
        await copies.copy('report.md', report);
        await noteEnd(steps, opened.round, {
          spent: { ...spent, cost: spent.cost ?? 0 },
          missing: missingIn(result),
        });
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

interface OpenRound {
  /** From 1. A round ends with results; another one asks for what was missing in them. */
  readonly round: number;
  /** What the rounds before have spent. */
  readonly before: Spent;
}

/** The first round that has not ended, or that ended with nothing missing: in that one nobody is left to be asked. */
export function openRound(steps: Pick<Steps, 'recall'>): OpenRound {
  let before = nothingSpent;
  for (let round = 1; ; round++) {
    const end = RoundEnd.safeParse(steps.recall(endKey(round)));
    if (!end.success || end.data.missing === 0) return { round, before };
    before = end.data.spent;
  }
}

async function noteEnd(steps: Steps, round: number, end: RoundEnd): Promise<void> {
  await steps.step(endKey(round), () => Promise.resolve(end), RoundEnd);
}

/** Name in the journal of a vote that its audit trail ended so: what is in its result folder can be held against it. */
function headKey(head: string): string {
  return `audit-head/${head}`;
}

/** Null: the state holds no journal of that run. Else: did a vote of it end with this head? */
export async function hasNotedHead(
  state: OwnState,
  run: string,
  head: string,
): Promise<boolean | null> {
  if (!(await state.listRuns()).includes(run)) return null;
  const { folder } = await openRunFolder(state, run);
  const steps = await readJournal(state, `${folder}/${journalName}`);
  return steps.recall(headKey(head)) !== undefined;
}

function endKey(round: number): string {
  return `round-${round}/end`;
}

/** Answers that were asked for and are not there: of reviews, of panels. */
export function missingIn({ counts }: Pick<EndedMotions, 'counts'>): number {
  return counts.missing ?? (counts.assigned ?? 0) - (counts.answered ?? 0);
}

function sayBegun({ plan: { run }, ended }: Begun): string {
  if (ended === null) return `Going on with run ${run}: what was answered is not asked again.`;
  const missing = missingIn(ended);
  return missing === 0
    ? `Nothing has changed since run ${run}: its answers are used again (--fresh asks anew).`
    : `Run ${run} ended with ${missing === 1 ? '1 answer' : `${missing} answers`} missing: nothing else is asked for (--fresh asks anew).`;
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

/** The vote of this run, wherever it was held; null when that run is no vote. */
export async function readMotions(state: StateFolder, run: string): Promise<ListedMotions | null> {
  const store = await openRunFolder(state, run);
  const plan = await readMotionsPlan(store);
  return plan === null ? null : { plan, ended: await readEnd(store) };
}

export interface KeptVote {
  readonly run: string;
  /** Of the vote as it ended last; null: it never did. */
  readonly ended: EndedMotions | null;
  /** Markdown; null where there is none. */
  readonly report: string | null;
}

/** Null when that run is no vote. */
export async function readKeptVote(state: StateFolder, run: string): Promise<KeptVote | null> {
  const store = await openRunFolder(state, run);
  if ((await readMotionsPlan(store)) === null) return null;
  return { run, ended: await readEnd(store), report: await store.read('report.md') };
}

async function readEnd(store: RunStore): Promise<EndedMotions | null> {
  return EndedMotions.safeParse(parseJson(await store.read('motions.json'))).data ?? null;
}

interface Begun extends ListedMotions {
  readonly store: RunStore;
}

/** The latest run with the same input, ended or not; null when there is none. */
export async function findBegun({
  state,
  inputs,
  resumes,
}: Pick<MotionsOpening, 'state' | 'inputs' | 'resumes'>): Promise<Begun | null> {
  const hash = hashOfInputs(inputs);
  const all = await listMotions(state);
  const found = all.find(({ plan }) =>
    resumes === null ? plan.inputHash === hash : plan.run === resumes,
  );
  if (resumes !== null && found?.plan.inputHash !== hash)
    throw hasChanged(resumes, nameChanges(found?.plan.inputs, inputs));
  return found === undefined
    ? null
    : { ...found, store: await openRunFolder(state, found.plan.run) };
}

function hasChanged(run: string, what: string): UserError {
  return inputError(
    `Run ${run} cannot go on: ${what === '' ? 'what is put to the vote, or by whom,' : what} ${what.includes(' and ') || what.endsWith('s') ? 'were' : 'was'} changed since it began.`,
    'Its results stay. Put it back, or start a new vote with "jury motions".',
  );
}

async function create(
  { state, retentionDays, title, request, inputs }: MotionsOpening,
  call: Call,
): Promise<Pick<Begun, 'store' | 'plan'>> {
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
    inputHash: hashOfInputs(inputs),
    inputs,
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
