/**
 * Asks one reviewer and makes a review of what comes back: transport retries, one repair retry, reading, anchoring. A
 * reviewer's failure is data; whatever a reviewer does, this returns a review.
 */
import type { Pack } from '../core/context/pack.ts';
import type { OnEvent } from '../core/events.ts';
import type { Finding, StatedFinding, Location } from '../core/finding.ts';
import { readAnswer, type Reading } from '../core/parse/answer.ts';
import { readIdeasAnswer } from '../core/parse/ideas-answer.ts';
import { readResearchAnswer } from '../core/parse/research-answer.ts';
import type { Contract } from '../core/process.ts';
import { saysWritten } from '../core/prompt/contract.ts';
import type { Answer, Clock, Runner, Steps, Turn } from '../core/ports.ts';
import { addUsage, causes, noUsage, type Cause, type Failure, type FileReading, type Review, type Usage } from '../core/review.ts';
import type { Seat } from '../core/config.ts';
import type { LabelScale } from '../core/severity.ts';
import type { Ceiling } from './ceiling.ts';

export interface Conduct {
  readonly seat: Seat;
  readonly runner: Runner;
  readonly pack: Pack;
  readonly scale: LabelScale;
  readonly strict: boolean;
  readonly undeclaredLabel: 'reject' | 'keep';
  readonly voting: boolean;
  readonly nonce: string;
  /** What the reviewer was asked to write. */
  readonly contract?: Contract;
  readonly change: Turn['change'];
  readonly read: Turn['read'];
  /** Prefix of the journal keys of this reviewer's calls. */
  readonly key: string;
}

export interface Surroundings {
  readonly steps: Steps;
  readonly clock: Clock;
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** Looks every stated place up in the real tree, in order. */
  readonly locate: (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;
  /** The file a reviewer wrote itself, taken out of the way; null when there is none. */
  readonly takeWritten?: (reviewer: string) => Promise<string | null>;
}

export interface Conducted {
  readonly review: Review;
  /** Everything the reviewer literally wrote, attempt after attempt. */
  readonly transcripts: readonly string[];
}

interface Attempt {
  readonly answer: Answer;
  readonly reading: Reading | null;
}

/** Rejects only when `signal` aborts: a call that was cut off is no step and is asked again on resume. */
export async function conductReview(conduct: Conduct, world: Surroundings): Promise<Conducted> {
  const startedAt = world.clock.now().toISOString();
  const began = world.clock.monotonicMs();
  const attempts: Attempt[] = [await attempt(conduct, world, { number: 1, rejection: null })];
  const rejection = rejectionOf(attempts[0]);
  if (rejection !== null && causes[rejection.cause].retry === 'answer') {
    world.onEvent({ type: 'review-retry', reviewer: conduct.seat.id, cause: rejection.cause, waitMs: 0 });
    attempts.push(await attempt(conduct, world, { number: 2, rejection }));
  }
  const times = { startedAt, durationMs: Math.round(world.clock.monotonicMs() - began) };
  const review = await toReview(conduct, attempts, times, world.locate);
  return { review, transcripts: attempts.map(({ answer }) => answer.transcript) };
}

async function attempt(conduct: Conduct, world: Surroundings, { number, rejection }: { number: number; rejection: Failure | null }): Promise<Attempt> {
  const { seat, pack } = conduct;
  const turn: Turn = {
    seat,
    attempt: number,
    instructions: pack.instructions,
    prompt: rejection === null ? pack.prompt : `${pack.prompt}\n\n${repairRequest(rejection)}`,
    change: conduct.change,
    read: conduct.read,
    deadlines: { firstOutputMs: (seat.firstOutputTimeout ?? seat.timeout) * 1000, idleMs: (seat.idleTimeout ?? seat.timeout) * 1000, totalMs: seat.timeout * 1000 },
  };
  const answer = await askWithRetries(conduct, world, turn);
  return { answer, reading: answer.status === 'answered' ? read(conduct, turn, answer) : null };
}

/** Says what was wrong, never what to find: asking for another verdict would invite the model to drop a finding. */
function repairRequest(rejection: Failure): string {
  return `Your previous answer could not be used: ${causes[rejection.cause].sentence} (${rejection.cause.toUpperCase()}). Answer again, whole, in the format asked for above.`;
}

/** Transport retries share the deadline of the call they repeat. Each finished call is a journal step of its own. */
async function askWithRetries(conduct: Conduct, world: Surroundings, turn: Turn): Promise<Answer> {
  const retries = conduct.runner.transportRetries ?? 0;
  for (let call = 1; ; call++) {
    world.onEvent({ type: 'review-start', reviewer: conduct.seat.id, attempt: turn.attempt });
    const answer = await world.steps.step(`${conduct.key}/call/${turn.attempt}/${call}`, () => askOnce(conduct, world, turn));
    if (answer.status === 'answered' || call > retries || causes[answer.failure.cause].retry !== 'transport') return answer;
    const waitMs = Math.min(answer.retryAfterMs ?? 500 * 2 ** call, 30_000);
    if (waitMs >= turn.deadlines.totalMs) return answer;
    world.onEvent({ type: 'review-retry', reviewer: conduct.seat.id, cause: answer.failure.cause, waitMs });
    await world.clock.sleep(waitMs, world.signal);
  }
}

async function askOnce({ seat, runner, contract }: Conduct, world: Surroundings, turn: Turn): Promise<Answer> {
  world.signal.throwIfAborted();
  const spent = world.ceiling.reserve(turn.instructions.length + turn.prompt.length);
  if (spent !== null) return failedAnswer('budget', spent);
  // What an earlier round left there is not what this reviewer writes now.
  if ((contract ?? 'lines') !== 'lines') await world.takeWritten?.(seat.id);
  const said = await runner.ask(turn, world.signal, ({ outputTokens = 0, bytes = 0 }) => world.onEvent({ type: 'review-progress', reviewer: seat.id, outputTokens, bytes }));
  const answer = await withWritten(said, seat.id, world);
  world.signal.throwIfAborted();
  world.ceiling.settle(answer.usage);
  return answer;
}

/** A reviewer that wrote its file says so in one line: then the file is what it said. */
async function withWritten(answer: Answer, reviewer: string, world: Surroundings): Promise<Answer> {
  if (answer.status !== 'answered' || !saysWritten(answer.text)) return answer;
  const written = (await world.takeWritten?.(reviewer)) ?? null;
  return written === null ? answer : { ...answer, text: written, transcript: `${answer.transcript}\n\n${written}` };
}

function failedAnswer(cause: Cause, message: string): Answer {
  return { status: 'failed', failure: { cause, message, exitCode: null, httpStatus: null }, retryAfterMs: null, usage: noUsage, model: null, transcript: '' };
}

function read(conduct: Conduct, turn: Turn, answer: Extract<Answer, { status: 'answered' }>): Reading {
  if (conduct.contract === 'research') return readResearchAnswer(answer.text, turn.prompt);
  if (conduct.contract === 'ideas') return readIdeasAnswer(answer.text, turn.prompt);
  return readAnswer(answer.text, {
    scale: conduct.scale,
    sent: { instructions: turn.instructions, prompt: turn.prompt },
    stop: answer.stop,
    strict: conduct.strict && conduct.seat.runner !== 'builtin',
    undeclaredLabel: conduct.undeclaredLabel,
    nonce: conduct.nonce,
    // An analyser that says itself what it read is held to that, not to a pack it never used.
    units: (answer.coverage ?? conduct.pack.readings).filter(({ extent }) => extent === 'full').map(({ path }) => path),
    voting: conduct.voting,
  });
}

function rejectionOf(attempt: Attempt | undefined): Failure | null {
  if (!attempt) return null;
  if (attempt.answer.status === 'failed') return attempt.answer.failure;
  const { reading } = attempt;
  return reading === null || reading.ok ? null : { cause: reading.cause, message: reading.detail, exitCode: null, httpStatus: null };
}

type Times = Pick<Review, 'startedAt' | 'durationMs'>;

async function toReview(conduct: Conduct, attempts: readonly Attempt[], times: Times, locate: Surroundings['locate']): Promise<Review> {
  const last = attempts.at(-1);
  const reading = last?.reading ?? null;
  const base = { ...describeSeat(conduct), ...times, attempts: attempts.length, usage: totalUsage(conduct.seat, attempts), model: last?.answer.model ?? conduct.seat.model ?? null };
  if (reading === null || !reading.ok) {
    return { ...base, ...nothingRead, status: 'failed', failure: finalFailure(attempts), coverage: conduct.pack.readings.map(asSkipped), ...(reading && { unparsed: [...reading.unparsed], dropped: reading.dropped }) };
  }
  const stated = [...reading.findings, ...reading.improvements];
  const locations = await locate(stated);
  const coverage = coverageOf(conduct, last?.answer ?? null, reading.filesReviewed);
  const isShort = coverage.some(({ why }) => why === notListed);
  return {
    ...base,
    status: reading.status === 'partial' || isShort ? 'partial' : 'complete',
    failure: reading.partialCause === null ? null : { cause: reading.partialCause, message: causes[reading.partialCause].sentence, exitCode: null, httpStatus: null },
    format: reading.format,
    findings: stated.map((finding, index) => toFinding(finding, { reviewer: conduct.seat.id, location: locations[index] ?? null, isImprovement: index >= reading.findings.length })),
    statedVerdict: reading.statedVerdict,
    coverage,
    unparsed: [...reading.unparsed],
    dropped: reading.dropped,
    repairs: [...reading.repairs],
    notes: [...reading.notes],
    votes: [...reading.votes],
    ...(reading.research && { research: reading.research }),
    ...(reading.said !== undefined && { said: reading.said }),
  };
}

const nothingRead = { format: null, findings: [], statedVerdict: null, unparsed: [], dropped: { placeholder: 0, template: 0, prompt: 0 }, repairs: [], notes: [], votes: [] } satisfies Partial<Review>;

/** A second attempt that never got an answer says less about the reviewer than the rejection of the first. */
function finalFailure(attempts: readonly Attempt[]): Failure {
  const failures = attempts.map(rejectionOf).filter(failure => failure !== null);
  const last = attempts.at(-1);
  const chosen = attempts.length > 1 && last?.answer.status === 'failed' ? failures[0] : failures.at(-1);
  return chosen ?? { cause: 'noformat', message: causes.noformat.sentence, exitCode: null, httpStatus: null };
}

function describeSeat({ seat, runner }: Conduct): Pick<Review, 'reviewer' | 'persona' | 'runner' | 'required' | 'timeoutSeconds'> {
  return { reviewer: seat.id, persona: seat.persona.name, runner: runner.name, required: seat.required, timeoutSeconds: seat.timeout };
}

const notListed = 'not in the list of files the reviewer says it read';

/** A static analyser knows what it read; of a model we know what it was shown, less what it says it skipped. */
function coverageOf({ pack }: Conduct, answer: Answer | null, filesReviewed: readonly string[] | null): FileReading[] {
  if (answer?.status === 'answered' && answer.coverage !== null) return answer.coverage.map(({ path, extent, why }) => ({ path, extent, why }));
  if (filesReviewed === null) return [...pack.readings];
  const listed = new Set(filesReviewed);
  return pack.readings.map(reading => (reading.extent === 'full' && !listed.has(reading.path) ? { path: reading.path, extent: 'skipped', why: notListed } : reading));
}

function asSkipped(reading: FileReading): FileReading {
  return reading.extent === 'outside' ? reading : { path: reading.path, extent: 'skipped', why: reading.why ?? 'the reviewer did not answer' };
}

function totalUsage(seat: Seat, attempts: readonly Attempt[]): Usage {
  return attempts.map(({ answer }) => priced(answer.usage, seat)).reduce(addUsage, noUsage);
}

function priced(usage: Usage, { price }: Seat): Usage {
  if (usage.cost !== null || !price) return usage;
  const fresh = usage.inputTokens - usage.cachedTokens;
  return { ...usage, cost: (fresh * price.input + usage.cachedTokens * (price.cached ?? price.input) + usage.outputTokens * price.output) / 1e6 };
}

function toFinding(stated: StatedFinding, { reviewer, location, isImprovement }: Pick<Finding, 'reviewer' | 'location' | 'isImprovement'>): Finding {
  const { originalId, label, severity, text, section, category, evidence, recommendation, raw, notes } = stated;
  return { id: `${reviewer}/${originalId}`, reviewer, originalId, label, severity, text, section, category, evidence, recommendation, raw, notes, location, isImprovement };
}
