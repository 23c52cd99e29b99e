/**
 * The run: packs, reviews in parallel, claims, gate, record. Every finished review is on disk before the next thing
 * happens, so that a run killed at any moment goes on where it was.
 */
import { renderPatch } from '../core/change/patch.ts';
import type { GrantedBudget } from '../core/context/budget.ts';
import type { Measured } from '../core/context/review-plan.ts';
import { parseJson, toJsonText } from '../core/json.ts';
import { familyOf, kindOf } from '../core/words/runner.ts';
import type { Clock } from '../core/ports/runner.ts';
import type { RunStore } from '../core/ports/steps.ts';
import { toAgentOutput } from '../core/run-files/review-file.ts';
import { renderReturned } from '../core/run-files/brief.ts';
import { inputTypeOf, toMergedFindings } from '../core/run-files/merged-findings.ts';
import {
  PackNotes,
  PackSize,
  checkHandoff,
  handoffOf,
  handoffPath,
  parseResourceUri,
  renderContextSnapshots,
  renderTeamPanel,
  teamPanelOf,
} from '../core/run-files/run-page.ts';
import { renderSynthesis } from '../core/run-files/synthesis-report.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { type RunEvent, type OnEvent, Spent, nothingSpent } from '../core/words/review.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import type { World } from './world.ts';
import {
  endKey,
  isShown,
  readIn,
  recallEarlier,
  type RunRequest,
  type RunUnderWay,
  sinceIn,
} from './review/review-task.ts';
import { ReportName, reportScopeOf } from '../core/change/set-aside.ts';
import { sentenceOf, UserError } from '../core/errors.ts';
import { processOf } from '../core/process.ts';
import { buildPacks } from './build-packs.ts';
import { createCeiling } from './asking/limits.ts';
import { conclude } from './conclude.ts';
import { openReviewContext } from './context/pack-review-context.ts';
import { type HeldReviews, holdReviews, workBeside } from './review/hold-reviews.ts';

export async function runPanel(
  request: RunRequest,
  world: World,
  signal: AbortSignal,
  show: OnEvent,
): Promise<Run> {
  const { plan, subject, round } = request;
  const { store, steps } = world;
  const log = createEventLog(store, world.clock);
  const onEvent: OnEvent = event => {
    log.onEvent(event);
    show(event);
  };
  const note = (message: string) => onEvent({ type: 'note', message });
  onEvent({
    type: 'run-start',
    run: plan.run,
    folder: store.copies ?? store.folder,
    title: subject.title,
    reviewers: plan.seats.map(({ id, runner, required }) => ({ id, runner, required })),
  });
  if (subject.kind === 'change' && processOf(plan.command).returned === 'contract')
    // What the gates judge, as a file: the state they passed or closed on.
    await store.write('input.diff', subject.files.map(renderPatch).join(''));
  const beside = openReviewContext(request, world, onEvent);
  const packs = await buildPacks(plan, subject, world.secrets, {
    outputFolder: `${store.folder}/reviews`,
    around: await beside.beforeAsking,
    readBefore: new Map(
      await Promise.all(
        plan.seats.map(
          async seat => [seat.id, readIn(await recallEarlier(steps, seat, round))] as const,
        ),
      ),
    ),
    since: await sinceIn(plan.seats, steps),
  });
  if (packs.masked > 0)
    note(
      `${packs.masked === 1 ? '1 secret was' : `${packs.masked} secrets were`} masked in what the reviewers see.`,
    );
  // Exact figures take a processor for half a second.
  const stopWork = workBeside(world.clock, async () => {
    await world.measure?.();
    await beside.written();
  });
  const before = (await steps.recall(spentKey(round - 1), Spent)) ?? nothingSpent;
  const ceiling = createCeiling(plan.limits, before, world.month ?? null);
  const underWay = { ...request, packs, world, ceiling, before, signal, onEvent, note };
  const held = await holdReviews(underWay).finally(stopWork);
  if (!signal.aborted) await beside.written();
  const run = await fileReport(underWay, await conclude({ ...underWay, ...held }));
  await keepRun(run, held, underWay);
  onEvent({ type: 'run-end', outcome: run.record.outcome });
  await log.settled();
  return { ...run, copies: store.copies };
}

async function keepRun(
  run: Run,
  { budget, observed }: HeldReviews,
  { plan, round, world, ceiling, signal }: RunUnderWay,
) {
  const { store, steps } = world;
  await keepJournal(run.record, plan, store);
  await writeRun(run, plan, budget, world);
  // An interrupted round has not come to its end: what failed in it is not asked again, what was cut off is.
  if (signal.aborted) return;
  // No run fails over what later ones would have counted by.
  if (observed) await world.learnTokens?.(observed.counter, observed.observations).catch(() => {});
  await steps.step(spentKey(round), () => ceiling.spent());
  await steps.step(endKey(round), async () => run.record.outcome);
}

/** A run that is resumed writes its report again, under the name it took the first time. */
async function fileReport(
  { plan, subject, world: { scopeReports, steps, store, clock }, note }: RunUnderWay,
  run: Run,
) {
  const { consensusReview } = run.record;
  if (
    !consensusReview ||
    !scopeReports ||
    // Where no copy could be written a report cannot either.
    store.copies === null ||
    subject.kind !== 'change' ||
    plan.subject.kind !== 'change'
  )
    return run;
  const scope = reportScopeOf(plan.subject.request, subject);
  // No verdict is lost over a report; what the journal cannot keep is another matter.
  const unlessRefused = async <Result>(work: () => Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      note(`No report is kept in the project: ${sentenceOf(error)}`);
      return null;
    }
  };
  const report = await steps.step(
    'report-name',
    () => unlessRefused(() => scopeReports.take(scope, clock.now())),
    ReportName,
  );
  if (report === null) return run;
  const filed: Run = {
    ...run,
    record: { ...run.record, consensusReview: { ...consensusReview, report } },
  };
  const written = await unlessRefused(async () => {
    await scopeReports.write(report, scopeReports.render(filed));
    return filed;
  });
  return written ?? run;
}

// What a run leaves in its folder. Every file is whole or not there; the files of the reviewers come before anything is made of them.

/** `budget`: with what the budgets grew to; null where that is not known: then they stand by the formula. */
async function writeRun(
  run: Run,
  plan: Plan,
  budget: GrantedBudget | null,
  { store, measure, repository, renderReport }: World,
) {
  const { record } = run;
  const measured = (await measure?.()) ?? null;
  const branch = (await repository?.branch?.()) ?? 'unknown';
  const brief = renderReturned(run);
  const facts = {
    families: new Map(
      plan.seats.flatMap(seat => {
        const family = familyOf(seat);
        return family === null ? [] : [[seat.id, family] as const];
      }),
    ),
    ofProject: new Set(plan.seats.filter(({ persona }) => persona.isOwn).map(({ id }) => id)),
  };
  const files: Record<string, string> = {
    'subject.json': toJsonText(run.subject),
    ...(measured !== null && {
      'budget.json': toJsonText(budget ?? measured.budget),
      'index.json': toJsonText(toIndexFile(measured, branch)),
    }),
    // What a reviewer's verdict is worth is known only now.
    ...Object.fromEntries(
      run.reviews.map(review => [
        `raw/${review.reviewer}.json`,
        toJsonText(
          toAgentOutput(
            review,
            record.consensusReview?.agents.find(({ reviewer }) => reviewer === review.reviewer) ??
              null,
            record.run,
          ),
        ),
      ]),
    ),
    'claims.json': toJsonText({ schema: 'jury.claims/1', run: record.run, claims: record.claims }),
    'reviews/findings.json': toJsonText(toMergedFindings(run, facts)),
    'reviews/synthesis.md': renderSynthesis(run, facts),
    'reviews/summary.txt': `${brief}\n`,
    'report.md': renderReport(run),
    'run.json': toJsonText(describeRun(run, plan, brief)),
  };
  await Promise.all(Object.entries(files).map(([name, text]) => store.write(name, text)));
  // Last: a run folder without it is a run that never ended.
  await store.write('report.json', toJsonText({ ...record, exitCode: exitCodeOf(record.outcome) }));
}

/** `run.json` of the write-behind contract, with the outcome and the key that tells whether another run would ask the same. */
function describeRun({ record, reviews }: Run, plan: Plan, brief: string) {
  return {
    schema: 'jury.run-folder/1',
    run_id: record.run,
    process: record.command,
    protocol: '1.0',
    input: record.subject.title,
    input_type: inputTypeOf(record.subject),
    input_sha256: plan.subjectHash,
    started_at: record.startedAt,
    completed_at: record.completedAt,
    reviewers: reviews.map(review => ({
      name: review.reviewer,
      kind: kindOf(review.runner) === 'api' ? 'remote' : 'local',
      required: review.required,
      provider: review.runner,
      model: review.model,
      model_family: plan.seats.find(({ id }) => id === review.reviewer)?.family ?? null,
      state: { complete: 'complete', partial: 'partial', failed: 'error' }[review.status],
      attempts: review.attempts,
      files_received: review.coverage.filter(isShown).map(({ path }) => path),
      started_at: review.startedAt,
      completed_at: new Date(Date.parse(review.startedAt) + review.durationMs).toISOString(),
    })),
    // Four characters a token: a figure for people, not for a budget.
    caller_tokens: Math.ceil(brief.length / 4),
    reviewer_tokens: record.usage.tokens,
    outcome: record.outcome,
    configuration_hash: plan.configurationHash,
    version: plan.version,
  };
}

function toIndexFile(
  { scope: { total_tokens, counter, files, skipped }, factors }: Measured,
  branch: string,
) {
  const isCalibrated = Object.values(factors).some(factor => factor !== 1);
  return {
    schema: 'jury.index/1',
    branch,
    total_tokens,
    counter,
    ...(isCalibrated && { factors }),
    files,
    skipped,
  };
}

// Keeps what happened in `events.jsonl`, one line an event; progress is shown and not kept.

function createEventLog(store: RunStore, clock: Clock) {
  let written = Promise.resolve();
  return {
    onEvent: (event: RunEvent) => {
      const line = toLine(event);
      if (!line) return;
      const text = JSON.stringify({ at: clock.now().toISOString(), ...line });
      written = written.then(() => store.append('events.jsonl', text));
      // A failure is reported once, by `settled`; until then it must not count as unhandled.
      written.catch(() => {});
    },
    settled: () => written,
  };
}

/** A review is kept whole elsewhere: here stands only how it ended. */
function toLine(event: RunEvent) {
  if (event.type === 'review-progress') return null;
  if (event.type !== 'review-end') return { ...event };
  const { review, remembered } = event;
  return {
    type: event.type,
    reviewer: review.reviewer,
    status: review.status,
    cause: review.failure?.cause ?? null,
    findings: review.findings.length,
    attempts: review.attempts,
    durationMs: review.durationMs,
    remembered,
  };
}

/** Leaves the run's page in the journal for people, and hands the reviews on by reference. */
async function keepJournal(record: RunRecord, plan: Plan, store: RunStore) {
  const packs = await readPackNotes(store);
  const read = await Promise.all(
    packs.map(
      async ({ pack_uri: uri }) =>
        PackSize.safeParse(parseJson(await store.read(pathOf(uri) ?? ''))).data,
    ),
  );
  const snapshots = packs.map((pack, index) => ({
    uri: pack.pack_uri,
    tokenEstimate: read[index]?.token_estimate ?? 0,
    rung: pack.rung_reached,
    stopReason: pack.stop_reason,
  }));
  const page =
    renderTeamPanel(teamPanelOf(record, plan, packs)) +
    (snapshots.length > 0 ? renderContextSnapshots(snapshots) : '');
  await store.write('journal.md', ((await store.read('journal.md')) ?? '# Journal\n') + page);
  const notes = read.flatMap(pack => pack?.risk_notes ?? []);
  const handoff = handoffOf(record, packs, notes);
  await checkHandoff(handoff, async uri => (await store.read(pathOf(uri) ?? '')) !== null);
  await store.write(handoffPath(handoff), toJsonText(handoff));
}

async function readPackNotes(store: RunStore) {
  const names = (await store.list('context')).filter(name => name.endsWith('.meta.json'));
  const notes = await Promise.all(
    names.map(async name => PackNotes.safeParse(parseJson(await store.read(`context/${name}`)))),
  );
  return notes.flatMap(read => (read.success ? [read.data] : []));
}

function pathOf(uri: string) {
  const resource = parseResourceUri(uri);
  return resource?.kind === 'run' ? resource.path : null;
}

/** Where a round that came to its end notes what the run has spent until then. */
function spentKey(round: number) {
  return `spent/${round}`;
}
