/**
 * The run folder of a formal vote: its plan, and the journal of everything members were asked. When the same is asked for again
 * the run is gone on with: one that did not come to its end, and one whose answers are the answers.
 */
import type { z } from 'zod';
import { openCopies } from '../../adapters/store/resources.ts';
import { journalsOf } from '../../adapters/store/journal.ts';
import { noteLastAnswer, removeOldRuns } from '../../adapters/store/runs.ts';
import { createRunFolder, openRunFolder } from '../../adapters/store/run-folder.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { inputError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import { byCodePoint } from '../triage.ts';
import type { Recall, Steps } from '../../core/ports/steps.ts';
import { EndedMotions, MotionsPlan, NotedHead, RoundEnd } from '../../core/run-files/run-record.ts';
import type { MotionAccount } from '../../core/printed/motion-account.ts';
import type { VoteSpending } from '../motions-run.ts';
import { nothingSpent, type Spent } from '../../core/words/review.ts';
import { type Call, noteTo, version } from '../../library/call.ts';
import type { OwnState } from '../../library/own-state.ts';
import { type MonthRequest, openMonth } from '../../library/open-memory.ts';
import type { MonthCeiling } from '../../engine/asking/limits.ts';
import type { PreparedVote } from './prepare-vote.ts';

interface MotionsEnd extends Pick<EndedMotions, 'artifacts'> {
  counts: Readonly<Record<string, number>> & { readonly missing: number };
  /** Markdown, for `report.md` of the run folder. */
  report: string;
  /** For its `explanations.json`. */
  accounts: readonly MotionAccount[];
  /** Over all rounds. */
  spent: VoteSpending;
}

export interface OpenMotionsRun {
  readonly plan: MotionsPlan;
  readonly steps: Steps;
  /** From 1. A round ends with results; another one asks for what was missing in them. */
  readonly round: number;
  /** What the rounds before have spent. */
  readonly before: Spent;
  /** Null: no call costs anything. */
  readonly month: MonthCeiling | null;
  /** Notes how the audit trail ends, before the results are where they can be read. */
  noteHead(head: string): Promise<void>;
  /** Notes that the vote came to its end. Without it the run can be resumed. */
  end(result: MotionsEnd): Promise<void>;
}

/** Where the run of a vote is, or would be, kept, and what is paid for it. */
interface MotionsPlace {
  state: OwnState;
  programs: Programs;
  begun: StoredMotions | null;
  paid: MonthRequest;
}

/**
 * Opens folder and steps, of the run that was begun with the same input, or of a new one, and closes them whatever happens.
 * Where it ended with answers missing a round begins, in which only those are asked for.
 */
export async function withMotionsRun<Result>(
  prepared: PreparedVote,
  { state, programs, begun, paid }: MotionsPlace,
  call: Call,
  work: (run: OpenMotionsRun) => Promise<Result>,
) {
  const note = noteTo(call);
  // A run that goes on asks nobody anew, however it was begun, and may have been given other ceilings.
  const request = { ...prepared.request, fresh: false };
  const plan: MotionsPlan = {
    ...(begun?.plan ?? (await planRun(prepared, programs, state, call))),
    request,
  };
  const { run, title, startedAt } = plan;
  const store = begun?.store ?? (await createRunFolder(state, run));
  const steps = await journalsOf(state, note).open(run, begun !== null);
  let month: Awaited<ReturnType<typeof openMonth>> = null;
  try {
    // Before the plan: whoever finds that finds a journal.
    await steps.step('begun', async () => run, NotedHead);
    await store.write('plan.json', toJsonText(plan));
    const { round, before } = await openRound(steps);
    call.onEvent({ type: 'run-start', run, folder: store.folder, title, reviewers: [] });
    if (begun !== null) note(sayBegun(begun, programs));
    month = await openMonth(paid, call);
    return await work({
      plan,
      steps,
      round,
      before,
      month,
      async noteHead(head) {
        const noted = await notedIn(steps, headKey, NotedHead);
        if (noted.at(-1) !== head)
          await steps.step(headKey(noted.length + 1), async () => head, NotedHead);
      },
      async end({ report, accounts, spent, ...result }) {
        await store.write('report.md', report);
        await store.write('explanations.json', toJsonText(accounts));
        const copies = await openCopies(state, run, prepared.config.copies, note);
        await copies.copy('report.md', report);
        const { missing } = result.counts;
        const end = { spent: { ...spent, cost: spent.cost ?? 0 }, missing };
        await steps.step(endKey(round), async () => end, RoundEnd);
        const ended: EndedMotions = {
          schema: 'jury.motions-run/1',
          run,
          title,
          startedAt,
          completedAt: call.clock.now().toISOString(),
          ...result,
        };
        await store.write('motions.json', toJsonText(ended));
        await noteLastAnswer(state, run);
      },
    });
  } finally {
    month?.close();
    await steps.close();
  }
}

/** The first round that has not ended, or that ended with nothing missing: in that one nobody is left to be asked. */
export async function openRound(steps: Recall) {
  const ends = await notedIn(steps, endKey, RoundEnd);
  const open = ends.filter(({ missing }) => missing > 0);
  return { round: open.length + 1, before: open.at(-1)?.spent ?? nothingSpent };
}

function endKey(round: number) {
  return `round-${round}/end`;
}

/** Name in the journal of a vote that its audit trail ended so: what is in its result folder can be held against it. */
function headKey(number: number) {
  return `audit-head/${number}`;
}

/** What was noted under each number from 1. */
async function notedIn<Noted>(
  steps: Recall,
  keyOf: (number: number) => string,
  schema: z.ZodType<Noted>,
) {
  const all: Noted[] = [];
  for (;;) {
    const noted = await steps.recall(keyOf(all.length + 1), schema);
    if (noted === undefined) return all;
    all.push(noted);
  }
}

/** How the audit trail of that run ended, each time that it did; null: the state holds no journal of it. */
export async function headsNoted(state: OwnState, run: string) {
  if (!(await state.listRuns()).includes(run)) return null;
  return notedIn(await journalsOf(state).read(run), headKey, NotedHead);
}

/** By who answers: its program as it is on this machine now; nobody of whom that cannot be told. */
export type Programs = Readonly<Record<string, string>>;

/** Those of whom the program is another than when the vote began. */
function othersIn({ programs = {} }: MotionsPlan, now: Programs) {
  return Object.keys(now).filter(who => (programs[who] ?? now[who]) !== now[who]);
}

function sayBegun({ plan, missing }: StoredMotions, now: Programs) {
  const changed = othersIn(plan, now).map(
    who => ` The program of ${who} is another since: what it answered before stays.`,
  );
  const begun =
    missing === null
      ? `Going on with run ${plan.run}: what was answered is not asked again.`
      : missing === 0
        ? `Nothing has changed since run ${plan.run}: its answers are used again (--fresh asks anew).`
        : `Run ${plan.run} ended with ${missing === 1 ? '1 answer' : `${missing} answers`} missing: nothing else ` +
          'is asked for (--fresh asks anew).';
  return [begun, ...changed].join('');
}

type StoredMotions = NonNullable<Awaited<ReturnType<typeof readMotions>>>;
export type ListedMotions = Pick<StoredMotions, 'plan' | 'ended'>;

/** The user's own votes that are kept, latest first. */
export async function listMotions(state: OwnState) {
  const runs = await state.listRuns();
  return (await Promise.all(runs.map(run => readMotions(state, run)))).flatMap(vote => vote ?? []);
}

/**
 * The vote of this run, wherever it was held; null when that run is no vote. `ended` null: it never ended, and so for `missing`, the
 * answers that were asked for and are not there, of reviews, of panels.
 */
export async function readMotions(state: StateFolder, run: string) {
  const store = await openRunFolder(state, run);
  const plan = MotionsPlan.safeParse(parseJson(await store.read('plan.json'))).data;
  if (plan === undefined) return null;
  const ended = EndedMotions.safeParse(parseJson(await store.read('motions.json'))).data ?? null;
  return { store, plan, ended, missing: ended && (ended.counts['missing'] ?? 0) };
}

export type KeptVote = NonNullable<Awaited<ReturnType<typeof readKeptVote>>>;

/** Of the vote as it ended last, where it did, with its report in Markdown. Null when that run is no vote. */
export async function readKeptVote(state: StateFolder, run: string) {
  const kept = await readMotions(state, run);
  return kept && { run, ended: kept.ended, report: await kept.store.read('report.md') };
}

/**
 * The latest run with the same input, ended or not; null when there is none, or a new one is wanted in any case. `resumes`: id of
 * the run that it must be; null: whichever fits. Throws `UserError` (kind `input`) where that has other input.
 */
export async function findBegun(
  prepared: PreparedVote,
  { programs, state }: Pick<MotionsPlace, 'programs' | 'state'>,
  resumes: string | null,
) {
  if (prepared.request.fresh) return null;
  const { inputs, inputHash } = fingerprintInputs(prepared);
  // Where answers are missing, a program may have been put right; one that has given all of them is another reviewer.
  const found = (await listMotions(state)).find(({ plan, missing }) =>
    resumes === null
      ? plan.inputHash === inputHash && (missing !== 0 || othersIn(plan, programs).length === 0)
      : plan.run === resumes,
  );
  if (resumes !== null && found?.plan.inputHash !== inputHash)
    throw inputError(
      `Run ${resumes} cannot go on: ${nameChanges(found?.plan.inputs ?? {}, inputs)} changed since it began.`,
      'Its results stay. Put it back, or start a new vote with "jury motions".',
    );
  return found ?? null;
}

async function planRun(
  prepared: PreparedVote,
  programs: Programs,
  state: OwnState,
  call: Call,
): Promise<MotionsPlan> {
  const now = call.clock.now();
  await removeOldRuns(state, prepared.config.retentionDays, now);
  return {
    schema: 'jury.motions-plan/1',
    run: call.ids.run(now),
    version,
    startedAt: now.toISOString(),
    cwd: call.cwd,
    title: prepared.input.session.name,
    request: null,
    ...fingerprintInputs(prepared),
    programs,
    fence: call.ids.nonce(),
  };
}

/** What decides the answers, part by part: by it a run is found again, and what has changed is named. Each by SHA-256 in hex. */
function fingerprintInputs({
  request: { includeDeferred, secondPass = 'ask' },
  input,
  rules,
  settings,
  sample,
  config,
}: PreparedVote) {
  const { concurrency: _, panel_concurrency: __, save_packets: ___, ...decisive } = settings;
  const { reviewer, endpoints } = config.motions ?? {};
  const { roster, id, name, motions } = input.session;
  // Which supporters are known depends on the roster, which is a part of its own.
  const named = motions.map(({ supporters, unknownSupporters, ...motion }) => [
    motion,
    [...supporters, ...unknownSupporters].sort(byCodePoint),
  ]);
  const parts = Object.entries({
    session: [id, name, named, input.positions],
    roster,
    rules,
    settings: [
      { ...decisive, reviewer: null, endpoints: null },
      includeDeferred,
      sample,
      secondPass,
    ],
    reviewers: [reviewer, endpoints, config.timeout, config.isolation],
  }).map(([part, value]) => [part, sha256(JSON.stringify(value))]);
  return { inputs: Object.fromEntries(parts), inputHash: sha256(JSON.stringify(parts)) };
}

/** `the roster and the rules were`: what is not as it was. */
function nameChanges(before: MotionsPlan['inputs'], now: Readonly<Record<string, string>>) {
  const names = Object.keys(now).filter(name => before[name] !== now[name]);
  const listed = new Intl.ListFormat('en-GB').format(names.map(name => `the ${name}`));
  return `${listed} ${names.length > 1 || listed.endsWith('s') ? 'were' : 'was'}`;
}
