/**
 * The run: packs, reviews in parallel, claims, gate, record. Every finished review is on disk before the next thing
 * happens, so that a run killed at any moment goes on where it was.
 */
import pLimit from 'p-limit';
import type { Change, Subject } from '../core/change.ts';
import type { Claim } from '../core/claim.ts';
import type { Seat } from '../core/config.ts';
import { formClaims } from '../core/consensus/claims.ts';
import { criteriaIn, verify } from '../core/consensus/verification.ts';
import { computeCoverage, unitsOf } from '../core/coverage.ts';
import type { OnEvent } from '../core/events.ts';
import { findInChange } from '../core/safety/engine-finding.ts';
import { analysersIn, decide, type Decision } from '../core/gate.ts';
import type { Plan } from '../core/plan.ts';
import type { Steps } from '../core/ports.ts';
import { continueReview, mergeReviews } from '../core/merge-reviews.ts';
import { processOf } from '../core/process.ts';
import { synthesiseResearch } from '../core/research-result.ts';
import { defaultThresholds } from '../core/context/progressive-mode.ts';
import { setAside } from '../core/change/set-aside.ts';
import { judgeNextStage, type StageRecord } from '../core/panel/stages.ts';
import { Review, addUsage, causes, noUsage, vouchesForCoverage } from '../core/review.ts';
import type { Coverage, Run } from '../core/run.ts';
import { reviewPanel, type ConsensusReview } from '../core/consensus-review.ts';
import { triageFiles } from '../core/context/scope.ts';
import { makeRecord } from '../core/run-record.ts';
import { reportScopeOf } from '../core/change/report-scope.ts';
import { settleOutcome } from '../core/settle-outcome.ts';
import { buildPacks, type Packs } from './build-packs.ts';
import { createCeiling, type Ceiling } from './ceiling.ts';
import { confidenceSettingsFor, withoutRules } from './confidence-settings.ts';
import type { Conduct, Conducted, Surroundings } from './review/conduct.ts';
import { conductReview } from './review/conduct-review.ts';
import { deliberate, type Deliberated } from './vote/deliberate.ts';
import { createEventLog } from './event-log.ts';
import { keepJournal } from './keep-journal.ts';
import { groundRun } from './ground-run.ts';
import { createLocatorFor } from './review/locate.ts';
import { openReviewContext, type ReviewContextBeside } from './context/review-context.ts';
import { openTokens, type ObservedTokens, type RunTokens } from './review/open-tokens.ts';
import { recallClaims } from './recall-claims.ts';
import { createReviewerTools } from './tools/reviewer-tools.ts';
import { createToolLedger, toolLedgerOf } from './tools/tool-ledger.ts';
import { createToolSources } from './tools/tool-sources.ts';
import type { World } from './world.ts';
import { writeDiff, writePack, writeReview, writeRun } from './write-run.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  /** Which time this run is worked on: 1, and one more for each resume after it had ended INCOMPLETE. */
  readonly round: number;
}

export async function runPanel(request: RunRequest, world: World, signal: AbortSignal, show: OnEvent): Promise<Run> {
  const { plan, subject } = request;
  const log = createEventLog(world.store, world.clock);
  const onEvent: OnEvent = event => {
    log.onEvent(event);
    show(event);
  };
  onEvent({ type: 'run-start', run: plan.run, folder: world.store.folder, title: subject.title, reviewers: plan.seats.map(({ id, runner, required }) => ({ id, runner, required })) });
  if (subject.kind === 'change' && processOf(plan.command).gate === 'folder') await writeDiff(world.store, subject);
  const beside = openReviewContext(request, world, onEvent);
  const readBefore = new Map(plan.seats.map(seat => [seat.id, readIn(recallEarlier(world.steps, seat, request.round))]));
  const packs = await buildPacks(plan, subject, world.secrets, { outputFolder: `${world.store.folder}/reviews`, around: await beside.beforeAsking, readBefore });
  if (packs.masked > 0) onEvent({ type: 'note', message: `${packs.masked === 1 ? '1 secret was' : `${packs.masked} secrets were`} masked in what the reviewers see.` });
  const done = new AbortController();
  void workBeside(world, beside, done.signal);
  const ceiling = createCeiling(plan.limits, { calls: 0, tokens: 0, cost: 0 });
  const held = await holdReviews({ ...request, ceiling }, packs, world, signal, onEvent).finally(() => done.abort());
  if (!signal.aborted) await beside.written();
  const run = await fileReport(request, await groundRun(await conclude(request, { packs, ...held, ceiling, signal }, world, onEvent), world.store), world);
  await keepJournal({ record: run.record, plan, store: world.store });
  await writeRun(run, { plan, measured: (await world.measure?.()) ?? null, branch: (await world.repository?.branch?.()) ?? 'unknown', report: world.renderReport(run) }, world.store);
  if (!signal.aborted) await learn(held.observed, world);
  // An interrupted round has not come to its end: what failed in it is not asked again, what was cut off is.
  if (!signal.aborted) await world.steps.step(endKey(request.round), () => Promise.resolve(run.record.outcome));
  onEvent({ type: 'run-end', outcome: run.record.outcome });
  await log.settled();
  return run;
}

/** No run fails over what later ones would have counted by. */
async function learn(observed: ObservedTokens | null, { learnTokens }: World): Promise<void> {
  if (observed !== null) await learnTokens?.(observed.counter, observed.observations).catch(() => {});
}

/** A run that is resumed writes its report again, under the name it took the first time. */
async function fileReport({ plan, subject }: RunRequest, run: Run, { scopeReports, steps, clock }: World): Promise<Run> {
  const { consensusReview } = run.record;
  if (consensusReview === undefined || scopeReports === undefined || subject.kind !== 'change' || plan.subject.kind !== 'change') return run;
  const scope = reportScopeOf(plan.subject.request, subject);
  const report = await steps.step('report-name', () => scopeReports.take(scope, clock.now()));
  const filed: Run = { ...run, record: { ...run.record, consensusReview: { ...consensusReview, report } } };
  await scopeReports.write(report, scopeReports.render(filed));
  return filed;
}

/** Long enough for the first reviewers to be started, short against what they take to answer. */
const headStartMs = 300;

/** Exact figures take a processor for half a second: while reviewers think, nobody waits for them. */
async function workBeside({ clock, measure }: World, { written }: ReviewContextBeside, done: AbortSignal): Promise<void> {
  try {
    await clock.sleep(headStartMs, done);
    await measure?.();
    await written();
  } catch {
    // Whoever needs the figures asks for them again and gets the error; here nobody does.
  }
}

/** A reviewer that writes without end is stopped by its ledger, which must be open for that. */
async function openBeside(tokens: RunTokens, { clock }: World, done: AbortSignal): Promise<void> {
  try {
    await clock.sleep(headStartMs, done);
    await tokens.open();
  } catch {
    // As above.
  }
}

interface HeldReviews {
  /** In the order of the panel; reviewers of a stage that was not asked are not among them. */
  readonly reviews: readonly Review[];
  readonly stages: readonly StageRecord[];
  readonly observed: ObservedTokens | null;
}

/** All seats of a stage at once, within the limit of the run and of each endpoint. */
async function holdReviews({ ceiling, ...request }: RunRequest & { readonly ceiling: Ceiling }, packs: Packs, world: World, signal: AbortSignal, onEvent: OnEvent): Promise<HeldReviews> {
  const { plan, subject } = request;
  const surroundings: Surroundings = {
    steps: world.steps, clock: world.clock, signal, onEvent,
    ceiling,
    locate: createLocatorFor(subject, world.repository),
    takeWritten: world.takeWritten,
  };
  const tokens = openTokens({ plan, packs, measure: world.measure, onEvent });
  const bench: Bench = { request, packs, tokens, world, surroundings, change: subject.kind === 'change' ? subject : null };
  const done = new AbortController();
  void openBeside(tokens, world, done.signal);
  const overall = pLimit(plan.concurrency);
  const endpoints = new Map<string, ReturnType<typeof pLimit>>();
  const hold = (seat: Seat): Promise<Review> => limitFor(seat, endpoints)(() => overall(() => holdReview(seat, bench)));
  const reviews: Review[] = [];
  const stages: StageRecord[] = [];
  for (const seats of stagesOf(plan)) {
    const { warranted, why } = stages.length === 0 ? firstStage : judgeNextStage(reviews, { quorum: plan.policy.quorum, all: plan.allStages ?? false });
    stages.push({ reviewers: seats.map(({ id }) => id), asked: warranted, why });
    if (stages.length > 1) onEvent({ type: 'note', message: `Stage ${stages.length} is ${warranted ? 'asked' : 'not asked'}: ${why}.` });
    if (!warranted) break;
    reviews.push(...(await Promise.all(seats.map(hold))));
  }
  done.abort();
  const order = new Map(plan.seats.map(({ id }, index) => [id, index]));
  return { reviews: reviews.toSorted((one, other) => (order.get(one.reviewer) ?? 0) - (order.get(other.reviewer) ?? 0)), stages, observed: tokens.observed() };
}

const firstStage = { warranted: true, why: 'it is the first' };

function stagesOf({ seats, stages }: Plan): Seat[][] {
  return (stages ?? [seats.map(({ id }) => id)]).map(ids => seats.filter(({ id }) => ids.includes(id))).filter(stage => stage.length > 0);
}

function limitFor(seat: Seat, endpoints: Map<string, ReturnType<typeof pLimit>>): ReturnType<typeof pLimit> {
  const endpoint = seat.baseUrl ?? `${seat.runner}/${seat.id}`;
  const limit = endpoints.get(endpoint) ?? pLimit(seat.concurrency ?? Number.POSITIVE_INFINITY);
  endpoints.set(endpoint, limit);
  return limit;
}

interface Bench {
  readonly request: RunRequest;
  readonly packs: Packs;
  readonly tokens: RunTokens;
  readonly world: World;
  readonly surroundings: Surroundings;
  readonly change: Change | null;
}

async function holdReview(seat: Seat, bench: Bench): Promise<Review> {
  const { world, surroundings: { onEvent, signal } } = bench;
  const isAnswer = processOf(bench.request.plan.command).synthesis === 'answer';
  const known = recallReview(seat, bench);
  if (known !== null) {
    await writeReview(world, { review: known, transcripts: null }, isAnswer);
    onEvent({ type: 'review-end', review: known, remembered: true });
    return known;
  }
  const conducted = seat.withheld === undefined ? await withEarlier(recallEarlier(world.steps, seat, bench.request.round), await conductOrCancel(seat, bench), world) : { review: unaskedReview(seat, bench.packs, { startedAt: world.clock.now().toISOString(), cause: 'withheld', message: seat.withheld }), transcripts: [] };
  if (!signal.aborted) await world.steps.step(reviewKey(seat, bench.request.round), () => Promise.resolve(conducted.review));
  await writeReview(world, conducted, isAnswer);
  onEvent({ type: 'review-end', review: conducted.review, remembered: false });
  return conducted.review;
}

/** An earlier round's review stands when it is complete; this round's stands as it is. */
function recallReview(seat: Seat, { request, world }: Bench): Review | null {
  const known = Review.safeParse(world.steps.recall(reviewKey(seat, request.round)));
  return known.success ? known.data : recallComplete(world.steps, seat);
}

/** The complete review of this reviewer in any round of a journal. */
function recallComplete(steps: Steps, seat: Pick<Seat, 'id'>): Review | null {
  for (let round = 0; round <= nextRound(steps); round++) {
    const known = Review.safeParse(steps.recall(reviewKey(seat, round)));
    if (known.success && known.data.status === 'complete') return known.data;
  }
  return null;
}

/** What a journal holds of this reviewer that another run of the same plan need not ask for again, and the key it has there. */
export function recallUsable(steps: Steps, seat: Pick<Seat, 'id'>): { readonly key: string; readonly review: Review } | null {
  const review = recallComplete(steps, seat) ?? recallEarlier(steps, seat, nextRound(steps));
  return review !== null && (review.status === 'complete' || readIn(review).size > 0) ? { key: reviewKey(seat, 0), review } : null;
}

/** The review of the last round before this one that came to its end with this reviewer. Round 0 is an earlier run. */
function recallEarlier(steps: Steps, seat: Pick<Seat, 'id'>, round: number): Review | null {
  for (let earlier = round - 1; earlier >= 0; earlier--) {
    const known = Review.safeParse(steps.recall(reviewKey(seat, earlier)));
    if (known.success) return known.data;
  }
  return null;
}

/** What the reviewer is not asked about again: all that it read before its tokens ran out. Of other reviews that are not complete nothing is sure. */
function readIn(review: Review | null): ReadonlySet<string> {
  if (review === null || !vouchesForCoverage(review)) return new Set();
  return new Set(review.coverage.filter(({ extent }) => extent === 'full' || extent === 'partial').map(({ path }) => path));
}

/** Its reviews of two rounds as one. One that starts anew is still paid for twice, and says so. */
async function withEarlier(earlier: Review | null, { review, transcripts }: Conducted, { store }: World): Promise<Conducted> {
  if (earlier === null) return { review, transcripts };
  if (readIn(earlier).size === 0) return { review: { ...review, usage: addUsage(earlier.usage, review.usage) }, transcripts };
  const said = await store.read(`raw/${earlier.reviewer}.txt`);
  return { review: continueReview(earlier, review), transcripts: [...(said === null ? [] : [said]), ...transcripts] };
}

/** The round to work in: one more than those that came to an end. */
export function nextRound(steps: Steps): number {
  let round = 1;
  while (steps.recall(endKey(round)) !== undefined) round++;
  return round;
}

function reviewKey(seat: Pick<Seat, 'id'>, round: number): string {
  return `review/${seat.id}/${round}`;
}

function endKey(round: number): string {
  return `end/${round}`;
}

async function conductOrCancel(seat: Seat, bench: Bench): Promise<Conducted> {
  const { packs, tokens, world, surroundings } = bench;
  const startedAt = world.clock.now().toISOString();
  try {
    const parts = packs.partsFor?.(seat);
    if (parts === undefined) return await conductReview({ ...(await conductFor(seat, '', bench)), ...(await tokens.waysOf(seat)), readings: packs.readingsFor(seat) }, surroundings);
    const held: Conducted[] = [];
    // One part after the other: they share the reviewer's endpoint, and its cache.
    for (const [index, pack] of parts.entries()) held.push(await conductReview({ ...(await conductFor(seat, parts.length === 1 ? '' : `/part-${index + 1}`, bench)), pack, keep: (shown, number) => writePack(world.store, shown, index + number) }, surroundings));
    const [first, ...others] = held.map(({ review }) => review);
    if (first === undefined) throw new Error(`Nothing was packed for ${seat.id}.`);
    return { review: mergeReviews([first, ...others]), transcripts: held.flatMap(({ transcripts }) => transcripts) };
  } catch (error) {
    if (!surroundings.signal.aborted) throw error;
    return { review: unaskedReview(seat, packs, { startedAt, cause: 'cancelled', message: causes.cancelled.sentence }), transcripts: [] };
  }
}

/** A part that was held is a step of its own: it is not paid for again when the run is killed in the next one. */
async function conductFor(seat: Seat, part: string, bench: Bench): Promise<Omit<Conduct, 'pack'>> {
  const { request: { plan, round }, world, change } = bench;
  const openTools = await toolsFor(seat, bench);
  // What it was shown in earlier rounds stays on disk.
  const shown = recallEarlier(world.steps, seat, round)?.spending?.questions ?? 0;
  return {
    ...(openTools === null ? {} : { openTools }),
    seat, change,
    runner: await world.runnerFor(seat),
    contract: processOf(plan.command).contract,
    scale: new Map(plan.labels),
    strict: plan.trust === 'untrusted',
    undeclaredLabel: plan.mode === 'code-review' ? 'reject' : 'keep',
    voting: plan.mode === 'verification',
    nonce: plan.nonces[seat.id] ?? '',
    read: (file, side) => world.repository?.read(file, side) ?? Promise.resolve(null),
    key: `${seat.id}/${round}${part}`,
    keep: (pack, number) => writePack(world.store, pack, shown + number),
  };
}

/** Null when the reviewer has no tools: they are for the review of a change. */
async function toolsFor(seat: Seat, { request: { plan }, world, change }: Bench): Promise<NonNullable<Conduct['openTools']> | null> {
  const { toolGround, measure, secrets, store } = world;
  if (seat.tools !== true || change === null || !toolGround || measure === null) return null;
  const { counter } = await measure();
  return ledger => createReviewerTools({
    caller: seat.id, counter, branches: toolGround.branches, scale: new Map(plan.labels),
    ledger: ledger === null ? createToolLedger(seat.persona.budget) : toolLedgerOf(ledger, plan.spending?.thresholds ?? defaultThresholds),
    sources: createToolSources({ change, repository: world.repository, index: toolGround.index, secrets }),
    // For people, should Jury itself be killed in the middle of the call.
    onReport: finding => void store.append(`raw/${seat.id}.reported.jsonl`, JSON.stringify(finding)).catch(() => {}),
  });
}

interface Unasked {
  readonly startedAt: string;
  readonly cause: 'cancelled' | 'withheld';
  readonly message: string;
}

function unaskedReview(seat: Seat, packs: Packs, { startedAt, cause, message }: Unasked): Review {
  return {
    reviewer: seat.id, persona: seat.persona.name, runner: seat.runner, model: seat.model ?? null, required: seat.required,
    status: 'failed', failure: { cause, message, exitCode: null, httpStatus: null },
    format: null, findings: [], statedVerdict: null,
    coverage: packs.readingsFor(seat).map(({ path, extent }) => ({ path, extent: extent === 'outside' ? extent : 'skipped', why: cause === 'cancelled' ? 'the run was interrupted' : 'the reviewer was not asked' })),
    usage: noUsage, attempts: 0, startedAt, durationMs: 0, timeoutSeconds: seat.timeout,
    unparsed: [], dropped: { placeholder: 0, template: 0, prompt: 0 }, repairs: [], notes: [], votes: [],
  };
}

interface Held extends HeldReviews {
  readonly packs: Packs;
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
}

async function conclude({ plan, subject, excluded }: RunRequest, { packs, reviews, stages, ceiling, signal }: Held, world: World, onEvent: OnEvent): Promise<Run> {
  const confidence = await confidenceSettingsFor(subject, plan.seats, world.memory);
  const formed = await formClaims({
    findings: reviews.flatMap(review => review.findings), matcher: world.matcher, panel: plan.seats.map(({ id }) => id), reviews, hash: world.hash,
    ...(confidence === null ? {} : { confidence }),
  });
  onEvent({ type: 'claim-form', claims: formed.length });
  const units = unitsOf(subject);
  const research = processOf(plan.command).contract === 'research' ? synthesiseResearch(reviews, formed) : null;
  const gaps = (): string[] => [...(plan.gaps ?? []), ...(signal.aborted ? ['The run was interrupted.'] : []), ...(research === null || research.status === 'COMPLETE' ? [] : [`The research is ${research.status}: ${research.why}.`])];
  const verification = plan.mode === 'verification' ? verify(reviews, criteriaIn(plan.prompt ?? '')) : null;
  const judge = (claims: readonly Claim[], found: readonly string[] = []): Decision => decide({ units, reviews, claims, gaps: gaps(), verification, found }, plan.policy);
  const completedAt = world.clock.now().toISOString();
  const { fixed, ...recalled } = await recallClaims({ plan, subject, reviews, claims: withoutRules(formed, plan.seats), completedAt, judge }, world);
  const { claims: open, dismissed } = subject.kind === 'change' ? setAside(recalled, plan.protectedPaths ?? []) : recalled;
  const { claims, usage } = await putToVote(open, { plan, subject, reviews, ceiling, signal, onEvent }, world);
  const engineFindings = subject.kind === 'change' ? findInChange({ change: subject, secrets: packs.secrets.filter(secret => world.isCredential(secret)), claims, analysers: analysersIn(reviews), blocking: judge(claims).blocking }) : [];
  const found = engineFindings.map(({ text }) => text);
  const { decision, review: consensusReview } = settle({ plan, subject, reviews, claims, interrupted: signal.aborted, found }, judge(claims, found));
  const record = makeRecord({
    plan, subject, reviews, consensusReview,
    completedAt: world.clock.now().toISOString(),
    furtherUsage: usage,
    claims: [...claims], fixed: [...fixed], dismissed: [...dismissed], engineFindings,
    decision,
    coverage: computeCoverage({ units, reviews, bytesOf: packs.bytesOf, excluded }),
    strategy: { name: world.matcher.name, threshold: world.matcher.threshold, version: world.matcher.version },
    verification,
    reused: false,
    stages,
    research,
  });
  return { record, reviews: [...reviews], subject, folder: world.store.folder };
}

interface Settling extends Pick<RunRequest, 'plan' | 'subject'> {
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  readonly interrupted: boolean;
  /** What the engine found, one sentence each. */
  readonly found: readonly string[];
}

/** Only changes have files that somebody must have covered; the gates of a process have a judge of their own. */
function settle({ plan, subject, reviews, claims, interrupted, found }: Settling, decision: Decision): { readonly decision: Decision; readonly review: ConsensusReview | null } {
  if (subject.kind !== 'change' || plan.spending === null || processOf(plan.command).gate === 'folder') return { decision, review: null };
  const files = triageFiles(subject.files, plan.spending.sensitiveFiles);
  const review = reviewPanel({ seats: plan.seats, reviews, claims, files, rules: plan.rules, isInterrupted: interrupted });
  return settleOutcome(decision, review, { isRuledByFailRules: plan.rules?.isRuledByFailRules ?? false, found, gaps: plan.gaps ?? [] });
}

interface Vote extends Pick<Held, 'reviews' | 'ceiling' | 'signal'>, Pick<RunRequest, 'plan' | 'subject'> {
  readonly onEvent: OnEvent;
}

/** Without a vote, or with one that was interrupted, the claims are as they were. */
async function putToVote(claims: readonly Claim[], { plan, subject, reviews, ceiling, signal, onEvent }: Vote, world: World): Promise<Deliberated> {
  const settings = plan.deliberation ?? null;
  if (settings === null || signal.aborted) return { claims, usage: noUsage };
  try {
    return await deliberate({ plan, settings, subject, reviews, claims }, { ...world, ceiling, signal, note: message => onEvent({ type: 'note', message }) });
  } catch (error) {
    if (!signal.aborted) throw error;
    return { claims, usage: noUsage };
  }
}
