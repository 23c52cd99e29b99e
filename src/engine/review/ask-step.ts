/**
 * Puts one question to one reviewer: transport retries, one repair retry, reading. What it costs is booked call by call;
 * a reviewer whose tokens run out while it writes is stopped, and what it had written is its answer.
 */
import { failedAnswer } from '../../core/answer.ts';
import type { Pack } from '../../core/context/pack.ts';
import { readAnswer, type Reading } from '../../core/parse/answer.ts';
import { readIdeasAnswer, readResearchAnswer } from '../../core/parse/prose-answer.ts';
import { saysWritten } from '../../core/prompt/contract.ts';
import type { Answer, Progress, Reports, Turn } from '../../core/ports.ts';
import { causes, failureFrom, type Failure } from '../../core/review.ts';
import { bytesOf } from '../../core/text.ts';
import type { Asked, Attempt, Conduct, Surroundings } from './conduct.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';

export interface Asking {
  readonly pack: Pack;
  /** Null: the reviewer has none. */
  readonly tools: MeteredTools | null;
  /** Prefix of the journal keys of these calls. */
  readonly key: string;
  /** Tokens that were set aside for the question. */
  readonly reserved: number;
}

export async function askStep(conduct: Conduct, asking: Asking, world: Surroundings): Promise<Asked> {
  const first = await attempt(conduct, asking, world, { number: 1, rejection: null });
  const rejection = first.isCut ? null : rejectionOf(first);
  if (rejection === null || causes[rejection.cause].retry !== 'answer') return { attempts: [first], isCut: first.isCut };
  world.onEvent({ type: 'review-retry', reviewer: conduct.seat.id, cause: rejection.cause, waitMs: 0 });
  const second = await attempt(conduct, { ...asking, reserved: 0 }, world, { number: 2, rejection });
  return { attempts: [first, second], isCut: second.isCut };
}

export function rejectionOf(attempt: Attempt | undefined): Failure | null {
  if (!attempt) return null;
  if (attempt.answer.status === 'failed') return attempt.answer.failure;
  const { reading } = attempt;
  return reading === null || reading.ok ? null : failureFrom(reading.cause, reading.detail);
}

interface Round {
  readonly number: number;
  readonly rejection: Failure | null;
}

async function attempt(conduct: Conduct, asking: Asking, world: Surroundings, { number, rejection }: Round): Promise<Attempt & { readonly isCut: boolean }> {
  const { seat } = conduct;
  const { pack } = asking;
  const enough = new AbortController();
  const turn: Turn = {
    seat,
    attempt: number,
    instructions: pack.instructions,
    prompt: rejection === null ? pack.prompt : `${pack.prompt}\n\n${repairRequest(rejection)}`,
    change: conduct.change,
    read: conduct.read,
    deadlines: { firstOutputMs: (seat.firstOutputTimeout ?? seat.timeout) * 1000, idleMs: (seat.idleTimeout ?? seat.timeout) * 1000, totalMs: seat.timeout * 1000 },
    enough: enough.signal,
    tools: asking.tools,
  };
  const answer = await askWithRetries(conduct, asking, world, { turn, enough });
  return { answer, reading: answer.status === 'answered' ? read(conduct, turn, answer, pack) : null, isCut: answer.status === 'answered' && answer.isSpent === true };
}

/** Says what was wrong, never what to find: asking for another verdict would invite the model to drop a finding. */
function repairRequest(rejection: Failure): string {
  return `Your previous answer could not be used: ${causes[rejection.cause].sentence} (${rejection.cause.toUpperCase()}). Answer again, whole, in the format asked for above.`;
}

interface Call {
  readonly turn: Turn;
  readonly enough: AbortController;
}

interface MeteredCall extends Call {
  /** Told of the tokens the call has cost so far. */
  readonly onSpending: (tokens: number) => void;
}

/** Transport retries share the deadline of the call they repeat. Each finished call is a journal step of its own. */
async function askWithRetries(conduct: Conduct, { key, reserved, tools }: Asking, world: Surroundings, call: Call): Promise<Answer> {
  const { turn } = call;
  const retries = conduct.runner.transportRetries ?? 0;
  let earlier: Reports | undefined;
  for (let count = 1; ; count++) {
    world.onEvent({ type: 'review-start', reviewer: conduct.seat.id, attempt: turn.attempt });
    const charged = tools?.charged() ?? 0;
    const onSpending = (tokens: number): void => {
      // Where the calls are not counted, the tools are bounded by what they tell alone.
      if (conduct.tokens !== undefined) tools?.expect(Math.max(0, tokens - (count === 1 ? reserved : 0) - (tools.charged() - charged)));
    };
    const asked = await world.steps.step(`${key}/call/${turn.attempt}/${count}`, () => withReports(tools, () => askOnce(conduct, world, { ...call, onSpending })));
    const answer = joinReports(earlier, asked);
    earlier = answer.reports;
    tools?.expect(0);
    await conduct.tokens?.settle({ turn, answer, reserved: count === 1 ? reserved : 0, charged: (tools?.charged() ?? 0) - charged });
    if (answer.status === 'answered' || count > retries || causes[answer.failure.cause].retry !== 'transport') return answer;
    const waitMs = Math.min(answer.retryAfterMs ?? 500 * 2 ** count, 30_000);
    if (waitMs >= turn.deadlines.totalMs) return answer;
    world.onEvent({ type: 'review-retry', reviewer: conduct.seat.id, cause: answer.failure.cause, waitMs });
    await world.clock.sleep(waitMs, world.signal);
  }
}

/** What was reported in a call that broke down is not said again in the next one. */
function joinReports(earlier: Reports | undefined, answer: Answer): Answer {
  if (earlier === undefined || answer.reports === undefined) return answer;
  const { findings, skipped } = answer.reports;
  return {
    ...answer,
    reports: { findings: [...earlier.findings, ...findings], skipped: { medium_count: earlier.skipped.medium_count + skipped.medium_count, low_count: earlier.skipped.low_count + skipped.low_count } },
  };
}

/** What was reported is kept with the answer of the call, also with none: nothing said is lost, and a resumed run knows it too. */
async function withReports(tools: MeteredTools | null, ask: () => Promise<Answer>): Promise<Answer> {
  if (tools === null) return ask();
  const before = { findings: tools.reported().length, ...tools.skipped() };
  const answer = await ask();
  const { medium_count: medium, low_count: low } = tools.skipped();
  return { ...answer, reports: { findings: tools.reported().slice(before.findings), skipped: { medium_count: medium - before.medium_count, low_count: low - before.low_count } } };
}

async function askOnce({ seat, runner, tokens, contract }: Conduct, world: Surroundings, { turn, enough, onSpending }: MeteredCall): Promise<Answer> {
  world.signal.throwIfAborted();
  const spent = world.ceiling.reserve(turn.instructions.length + turn.prompt.length);
  if (spent !== null) return failedAnswer('budget', spent);
  const prompt = leastTokens(bytesOf(turn.instructions) + bytesOf(turn.prompt));
  // What an earlier round left there is not what this reviewer writes now.
  if ((contract ?? 'lines') !== 'lines') await world.takeWritten?.(seat.id);
  const said = await runner.ask(turn, world.signal, progress => {
    world.onEvent({ type: 'review-progress', reviewer: seat.id, outputTokens: progress.outputTokens ?? 0, bytes: progress.bytes ?? 0 });
    onSpending((progress.inputTokens ?? 0) + (progress.outputTokens ?? 0));
    if (!isFlood(progress) && tokens?.known()?.isPast({ prompt, output: outputOf(progress) }) === true) enough.abort();
  });
  const answer = await withWritten(said, seat.id, world);
  world.signal.throwIfAborted();
  world.ceiling.settle(answer.usage);
  // Kept with the answer: a resumed run must know why it was cut.
  return enough.signal.aborted && answer.status === 'answered' && answer.stop === 'cut' ? { ...answer, isSpent: true } : answer;
}

/** A reviewer that wrote its file says so in one line: then the file is what it said. */
async function withWritten(answer: Answer, reviewer: string, world: Surroundings): Promise<Answer> {
  if (answer.status !== 'answered' || !saysWritten(answer.text)) return answer;
  const written = (await world.takeWritten?.(reviewer)) ?? null;
  return written === null ? answer : { ...answer, text: written, transcript: `${answer.transcript}\n\n${written}` };
}

/** Where nobody counts, nobody is stopped over an estimate: this is less than any running text has. */
function leastTokens(bytes: number): number {
  return Math.floor(bytes / 10);
}

/** More than any reviewer writes: such an output is no answer to be kept, and its own limit ends it. */
function isFlood({ outputTokens, bytes = 0 }: Progress): boolean {
  return outputTokens === undefined && bytes > 524_288;
}

function outputOf({ outputTokens, bytes = 0 }: Progress): number {
  return outputTokens ?? leastTokens(bytes);
}

function read(conduct: Conduct, turn: Turn, answer: Extract<Answer, { status: 'answered' }>, pack: Pack): Reading {
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
    units: (answer.coverage ?? pack.readings).filter(({ extent }) => extent === 'full').map(({ path }) => path),
    voting: conduct.voting,
  });
}
