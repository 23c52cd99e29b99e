/**
 * The run: packs, reviews in parallel, claims, gate, record. Every finished review is on disk before the next thing
 * happens, so that a run killed at any moment goes on where it was.
 */
import { sentenceOf, UserError } from '../core/errors.ts';
import type { Subject } from '../core/words/change.ts';
import { type Claim, markAct, orderClaims } from '../core/words/claim.ts';
import { cutOf, listenersIn, confidenceModel } from '../agreement/index.ts';
import { criteriaIn, verify } from '../core/verdict/verification.ts';
import type { OnEvent } from '../core/words/events.ts';
import { findInChange } from '../core/safety/engine-finding.ts';
import type { Plan } from '../core/words/plan.ts';
import { processOf } from '../core/process.ts';
import { synthesiseResearch } from '../core/words/research-result.ts';
import { setAside } from '../core/change/set-aside.ts';
import { isReader } from '../core/words/reader.ts';
import { addUsage, nothingSpent, noUsage, type Review, Spent } from '../core/words/review.ts';
import { Adopted, type Run } from '../core/words/run.ts';
import { makeRecord } from '../core/run-files/run-record.ts';
import { ReportName, reportScopeOf } from '../core/change/report-scope.ts';
import type { Approval } from '../core/verdict/approval.ts';
import { acceptedIn } from '../core/change/unshown.ts';
import { certify } from '../core/verdict/coverage.ts';
import { openEvidence } from '../core/verdict/evidence.ts';
import {
  approvedOf,
  blockingClaims,
  judgeGrounding,
  judgeRun,
  overridesOf,
  type Evidence,
} from '../core/verdict/judges.ts';
import { judgeReadings, otherReadings, withVotesOf } from '../core/verdict/readings.ts';
import { decide, outcomeOf } from '../core/verdict/outcome.ts';
import { describeStandstill } from '../core/verdict/onward.ts';
import { describePanel } from '../core/verdict/panel-table.ts';
import type { Coverage, Reason } from '../core/verdict/record.ts';
import { CarriedFrom, describeCarried } from '../core/pushes/describe-carried.ts';
import { Since } from '../core/pushes/since.ts';
import type { Steps } from '../core/ports/steps.ts';
import type { Seat } from '../core/words/config.ts';
import { mergeClaims } from '../core/run-files/merged-findings.ts';
import { buildPacks, type Packs } from './build-packs.ts';
import { formReadings } from './form-readings.ts';
import { confidenceSettingsFor, frameClaims, recallClaims } from './weigh-claims.ts';
import { checkClaims, type ClaimsHeard, deliberate, verifyBand } from '../vote/index.ts';
import { createEventLog, groundMerged, keepJournal, writeDiff, writeRun } from './write-run.ts';
import { createCeiling, type Ceiling } from './ceiling.ts';
import { headStartMs, holdReviews, type HeldReviews } from './review/hold-reviews.ts';
import type { ObservedTokens } from './review/open-tokens.ts';
import {
  adoptedKey,
  carriedKey,
  endKey,
  readIn,
  recallEarlier,
  sinceKey,
  spentKey,
} from './review/rounds.ts';
import { openReviewContext, type ReviewContextBeside } from './context/pack-review-context.ts';
import type { World } from './world.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  /** Which time this run is worked on: 1, and one more for each resume after it had ended INCOMPLETE. */
  readonly round: number;
  /** What a person let pass of this very change. */
  readonly approvals: readonly Approval[];
}

export async function runPanel(
  request: RunRequest,
  world: World,
  signal: AbortSignal,
  show: OnEvent,
): Promise<Run> {
  const { plan, subject } = request;
  const log = createEventLog(world.store, world.clock);
  const onEvent: OnEvent = event => {
    log.onEvent(event);
    show(event);
  };
  onEvent({
    type: 'run-start',
    run: plan.run,
    folder: world.store.copies ?? world.store.folder,
    title: subject.title,
    reviewers: plan.seats.map(({ id, runner, required }) => ({ id, runner, required })),
  });
  if (subject.kind === 'change' && processOf(plan.command).returned === 'contract')
    await writeDiff(world.store, subject);
  const beside = openReviewContext(request, world, onEvent);
  const readBefore = new Map(
    plan.seats.map(seat => [seat.id, readIn(recallEarlier(world.steps, seat, request.round))]),
  );
  const packs = await buildPacks(plan, subject, world.secrets, {
    outputFolder: `${world.store.folder}/reviews`,
    around: await beside.beforeAsking,
    readBefore,
    since: sinceIn(plan.seats, world.steps),
  });
  if (packs.masked > 0)
    onEvent({
      type: 'note',
      message: `${packs.masked === 1 ? '1 secret was' : `${packs.masked} secrets were`} masked in what the reviewers see.`,
    });
  const done = new AbortController();
  void workBeside(world, beside, done.signal);
  const before =
    Spent.safeParse(world.steps.recall(spentKey(request.round - 1))).data ?? nothingSpent;
  const ceiling = createCeiling(plan.limits, before, world.month ?? null);
  const held = await holdReviews({ ...request, packs, world, ceiling, signal, onEvent }).finally(
    () => done.abort(),
  );
  if (!signal.aborted) await beside.written();
  const run = await fileReport(
    request,
    await conclude(request, { packs, ...held, ceiling, before, signal }, world, onEvent),
    world,
    onEvent,
  );
  await keepJournal({ record: run.record, plan, store: world.store });
  await writeRun(
    run,
    {
      plan,
      measured: (await world.measure?.()) ?? null,
      budget: held.budget,
      branch: (await world.repository?.branch?.()) ?? 'unknown',
      report: world.renderReport(run),
    },
    world.store,
  );
  if (!signal.aborted) await learn(held.observed, world);
  // An interrupted round has not come to its end: what failed in it is not asked again, what was cut off is.
  if (!signal.aborted) {
    await world.steps.step(spentKey(request.round), () => Promise.resolve(ceiling.spent()));
    await world.steps.step(endKey(request.round), () => Promise.resolve(run.record.outcome));
  }
  onEvent({ type: 'run-end', outcome: run.record.outcome });
  await log.settled();
  return { ...run, copies: world.store.copies };
}

/** Whose review was not kept, should the process have been killed before, is asked anew and told nothing. */
function sinceIn(seats: readonly Seat[], steps: Pick<Steps, 'recall'>): Map<string, Since> {
  return new Map(
    seats.flatMap(seat => {
      const known = Since.safeParse(steps.recall(sinceKey(seat)));
      return known.success && recallEarlier(steps, seat, 1) !== null
        ? [[seat.id, known.data] as const]
        : [];
    }),
  );
}

/** No run fails over what later ones would have counted by. */
async function learn(observed: ObservedTokens | null, { learnTokens }: World): Promise<void> {
  if (observed !== null)
    await learnTokens?.(observed.counter, observed.observations).catch(() => {});
}

/** A run that is resumed writes its report again, under the name it took the first time. */
async function fileReport(
  { plan, subject }: RunRequest,
  run: Run,
  { scopeReports, steps, store, clock }: World,
  onEvent: OnEvent,
): Promise<Run> {
  const { consensusReview } = run.record;
  if (
    consensusReview === undefined ||
    scopeReports === undefined ||
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
      onEvent({ type: 'note', message: `No report is kept in the project: ${sentenceOf(error)}` });
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
): Promise<void> {
  try {
    await clock.sleep(headStartMs, done);
    await measure?.();
    await written();
  } catch {
    // Whoever needs the figures asks for them again and gets the error; here nobody does.
  }
}

interface Held extends HeldReviews {
  readonly packs: Packs;
  readonly ceiling: Ceiling;
  /** What the rounds before this one have spent. */
  readonly before: Spent;
  readonly signal: AbortSignal;
}

async function conclude(
  { plan, subject, excluded, approvals, round }: RunRequest,
  { packs, reviews, stages, ceiling, before, signal }: Held,
  world: World,
  onEvent: OnEvent,
): Promise<Run> {
  const confidence = await confidenceSettingsFor(subject, plan.seats, world.memory);
  const note = (message: string): void => onEvent({ type: 'note', message });
  const readings = await formReadings(
    { plan, subject, reviews, round, ceiling, signal, note },
    confidence,
    world,
  );
  const { formed } = readings;
  onEvent({ type: 'claim-form', claims: formed.length });
  const researchOf = (own: readonly Claim[]): ReturnType<typeof synthesiseResearch> | null =>
    processOf(plan.command).contract === 'research' ? synthesiseResearch(reviews, own) : null;
  const research = researchOf(formed);
  const verification =
    plan.mode === 'verification' ? verify(reviews, criteriaIn(plan.prompt ?? '')) : null;
  const judging = { ...plan.policy, rules: plan.rules };
  const isMoved = !signal.aborted && (await world.isMoved());
  const open = openEvidence({ ...world, plan, rules: plan.rules, subject, reviews, approvals });
  const evidenceOf = (claims: readonly Claim[]): Evidence => ({
    ...open(claims),
    verification,
    research,
    isInterrupted: signal.aborted,
    isMoved,
    month: ceiling.refusalOfMonth(),
  });
  const completedAt = world.clock.now().toISOString();
  const isDecided = (claims: readonly Claim[]): boolean =>
    outcomeOf(judgeRun(evidenceOf(claims), judging)) !== 'INCOMPLETE';
  const recall = async (own: readonly Claim[], isKept: boolean) => {
    const { fixed, ...recalled } = await recallClaims(
      {
        plan,
        subject,
        reviews,
        claims: own,
        recalibration: confidence?.recalibration ?? null,
        completedAt,
        isDecided,
      },
      world,
      isKept,
    );
    return {
      fixed,
      ...(subject.kind === 'change' ? setAside(recalled, plan.protectedPaths ?? []) : recalled),
    };
  };
  const { claims: standing, fixed, dismissed } = await recall(formed, true);
  // What a judge joined with a claim that somebody dismissed was dismissed by nobody.
  const decided =
    readings.unjudged === formed ? standing : (await recall(readings.unjudged, false)).claims;
  const gone = decided.filter(({ state }) => state === 'dismissed');
  const dismissedIds = new Set(gone.flatMap(claim => claim.findings.map(({ id }) => id)));
  const others = await Promise.all(
    otherReadings(
      await readings.others(dismissedIds),
      formed.filter(claim => !claim.findings.every(({ id }) => dismissedIds.has(id))),
    ).map(async ({ claims: own, ...read }) => ({
      ...read,
      claims: (await recall(own, false)).claims,
      research: researchOf(own),
    })),
  );
  const { claims, usage } = await putToVote(
    standing,
    { plan, subject, reviews, round, ceiling, signal, onEvent },
    world,
  );
  const heard = others.map(each => ({ ...each, claims: withVotesOf(each.claims, claims) }));
  const judgeClaims = (found: Evidence['found']): readonly Reason[] =>
    judgeReadings(
      { ...evidenceOf(claims), found },
      heard.map(({ claims: own, research: answer, ...read }) => ({
        ...read,
        evidence: { ...evidenceOf(own), found, research: answer },
      })),
      judging,
    );
  const evidence = evidenceOf(claims);
  const secrets = packs.secrets.filter(secret => world.isCredential(secret));
  const blocking = blockingClaims(claims, judgeClaims([]));
  const engineFindings =
    subject.kind === 'change'
      ? findInChange({
          change: subject,
          secrets,
          claims,
          analysers: new Set(
            reviews.filter(review => !isReader(review)).map(({ reviewer }) => reviewer),
          ),
          blocking,
        })
      : [];
  const whole = { ...evidence, found: engineFindings };
  const { matrix } = whole;
  const coverage = certify(matrix, {
    bytesOf: packs.bytesOf,
    excluded,
    accepted: acceptedIn(subject),
  });
  const merged = mergeClaims(
    { claims, reviewers: reviews.map(({ reviewer, status }) => ({ id: reviewer, status })) },
    reviews,
  );
  const grounding = await groundMerged(merged, reviews, world.store);
  const decision = decide(
    {},
    [...judgeClaims(engineFindings), ...judgeGrounding(plan.run, grounding)],
    plan.rules.parameters,
  );
  // What is judged again asks nobody, and is no attempt to go on.
  const isStill =
    round > 1 &&
    !signal.aborted &&
    world.steps.recall(endKey(round)) === undefined &&
    ceiling.spent().calls === before.calls;
  const standstill = isStill ? describeStandstill(coverage, reviews, ceiling.refusal()) : null;
  const { returned } = processOf(plan.command);
  const hasTable = subject.kind === 'change' && plan.spending !== null && returned === 'review';
  const overrides = overridesOf(whole, judging);
  const from = CarriedFrom.safeParse(world.steps.recall(carriedKey)).data ?? null;
  const record = makeRecord({
    plan,
    subject,
    reviews,
    decision,
    approvals: approvedOf(whole, judging),
    coverage,
    verification,
    stages,
    research,
    gate: overrides.length > 0 ? { overrides } : null,
    consensusReview: hasTable
      ? describePanel(
          { run: plan.run, seats: plan.seats, reviews, claims, matrix, rules: plan.rules, isStill },
          decision,
        )
      : null,
    standstill,
    completedAt: world.clock.now().toISOString(),
    furtherUsage: addUsage(readings.usage, usage),
    readings: heard,
    ...(readings.judge && { judge: readings.judge }),
    claims: markAct(claims, { blocking, cut: actCutOf(plan, reviews) }),
    frames: await frameClaims(orderClaims({ claims, blocking }), subject, world.secrets),
    fixed: [...fixed],
    dismissed: [...dismissed],
    engineFindings,
    strategy: {
      name: world.matcher.name,
      threshold: world.matcher.threshold,
      version: world.matcher.version,
    },
    reused: false,
    adopted: Adopted.safeParse(world.steps.recall(adoptedKey)).data ?? null,
    carried:
      from === null ? null : describeCarried(from, reviews, sinceIn(plan.seats, world.steps)),
  });
  return {
    record,
    reviews: [...reviews],
    subject,
    folder: world.store.folder,
    copies: world.store.copies,
  };
}

interface Vote
  extends
    Pick<Held, 'reviews' | 'ceiling' | 'signal'>,
    Pick<RunRequest, 'plan' | 'subject' | 'round'> {
  readonly onEvent: OnEvent;
}

function actCutOf({ act = 'best' }: Plan, reviews: readonly Review[]): number {
  const findings = reviews.flatMap(review => review.findings);
  return cutOf(act, confidenceModel, listenersIn(reviews, findings));
}

/** Without a vote and without verification, or with one that was interrupted, the claims are as they were. */
async function putToVote(
  formed: readonly Claim[],
  { plan, subject, reviews, round, ceiling, signal, onEvent }: Vote,
  world: World,
): Promise<ClaimsHeard> {
  const { deliberation: settings = null, verify: verified = null } = plan;
  if (signal.aborted) return { claims: formed, usage: noUsage };
  const claims = verified === null ? formed : await checkClaims(formed, subject, world.repository);
  const request = { plan, subject, reviews, claims, round };
  const note = (message: string): void => onEvent({ type: 'note', message });
  const hearing = { ...world, ceiling, signal, note };
  try {
    if (settings !== null) return await deliberate({ ...request, settings }, hearing);
    if (verified?.level !== 'band') return { claims, usage: noUsage };
    return await verifyBand(
      { ...request, settings: verified, actCut: actCutOf(plan, reviews) },
      hearing,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    return { claims, usage: noUsage };
  }
}
