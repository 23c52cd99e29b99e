/**
 * The run: packs, reviews in parallel, claims, gate, record. Every finished review is on disk before the next thing
 * happens, so that a run killed at any moment goes on where it was.
 */
import { ReportName, reportScopeOf } from '../core/change/set-aside.ts';
import { sentenceOf, UserError } from '../core/errors.ts';
import { processOf } from '../core/process.ts';
import { type OnEvent, Spent, nothingSpent } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { buildPacks } from './build-packs.ts';
import { createCeiling } from './asking/limits.ts';
import { conclude } from './conclude.ts';
import {
  type RunRequest,
  type RunUnderWay,
  endKey,
  readIn,
  recallEarlier,
  sinceIn,
  spentKey,
} from './review/review-task.ts';
import { openReviewContext, type ReviewContextBeside } from './context/pack-review-context.ts';
import { headStartMs, type HeldReviews, holdReviews } from './review/hold-reviews.ts';
import type { World } from './world.ts';
import { createEventLog, keepJournal, writeDiff, writeRun } from './write-run.ts';

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
    await writeDiff(store, subject);
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
  const done = new AbortController();
  void workBeside(world, beside, done.signal);
  const before = (await steps.recall(spentKey(round - 1), Spent)) ?? nothingSpent;
  const ceiling = createCeiling(plan.limits, before, world.month ?? null);
  const underWay = { ...request, packs, world, ceiling, before, signal, onEvent, note };
  const held = await holdReviews(underWay).finally(() => done.abort());
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
  const unlessRefused = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
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

/** Exact figures take a processor for half a second: while reviewers think, nobody waits for them. */
async function workBeside(
  { clock, measure }: World,
  { written }: ReviewContextBeside,
  done: AbortSignal,
) {
  try {
    await clock.sleep(headStartMs, done);
    await measure?.();
    await written();
  } catch {
    // Whoever needs the figures asks for them again and gets the error; here nobody does.
  }
}
