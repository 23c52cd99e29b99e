/**
 * Puts one question to one reviewer: transport retries, one repair retry, reading. What it costs is booked call by call;
 * a reviewer whose tokens run out while it writes is stopped, and what it had written is its answer.
 */
import { failedAnswer, RecordedAnswer } from '../../core/words/answer.ts';
import type { Pack } from '../../core/context/pack.ts';
import {
  isList,
  isObject,
  readAnswer,
  readIdeasAnswer,
  readResearchAnswer,
  scanJson,
  unanswered,
  withoutRestated,
  type Read,
  type Reading,
} from '../../answers/index.ts';
import { withProse } from '../../core/prompt/structured-answer.ts';
import type { Answer, Progress, Reports, Turn } from '../../core/ports/runner.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  addUsage,
  causes,
  failureFrom,
  type Failure,
  noUsage,
  type Review,
} from '../../core/words/review.ts';
import { bytesOf, cut, toLine } from '../../core/text.ts';
import { isFree } from '../../core/spending/month.ts';
import { expectedCost } from '../../core/spending/forecast.ts';
import type { Asked, AskingSession, Attempt, ReviewTask, Question } from './review-task.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import { withBegun, withWritten } from './written-answer.ts';

export async function askQuestion(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
): Promise<Asked> {
  const first = await attempt(task, question, session, null);
  const fault = first.isCut ? null : faultOf(first);
  if (fault === null || causes[fault.cause].retry !== 'answer')
    return { attempts: [first], isCut: first.isCut };
  session.onEvent({
    type: 'review-retry',
    reviewer: task.seat.id,
    cause: fault.cause,
    waitMs: 0,
  });
  const second = await attempt(task, { ...question, reserved: 0 }, session, {
    ...fault,
    leftOver: first.reading?.ok === true ? first.reading.leftOver : (first.reading?.unparsed ?? []),
  });
  return { attempts: [first, joinAnswers(first, second, task.scale)], isCut: second.isCut };
}

/** What is worth one more question: an answer that could not be read, and one with words left over or without its end. */
function faultOf(attempt: Attempt): Failure | null {
  const { reading } = attempt;
  const cause =
    reading?.ok !== true || attempt.answer.status === 'failed'
      ? null
      : reading.leftOver.length > 0
        ? 'unaccounted'
        : reading.partialCause === 'unmarked'
          ? 'unmarked'
          : null;
  return cause === null ? rejectionOf(attempt) : failureFrom(cause);
}

/** What the first answer said stays said, whatever becomes of the second. */
function joinAnswers<Second extends Attempt>(
  { answer, reading }: Attempt,
  second: Second,
  scale: ReviewTask['scale'],
): Second {
  if (reading?.ok !== true || answer.status === 'failed') return second;
  const again = second.reading;
  if (again?.ok === true) {
    const findings = [...again.findings, ...withoutRestated(reading.findings, again.findings)];
    const stated = reading.leftOver.filter(line => reading.thoughts?.includes(line) !== true);
    const left = unanswered(stated, findings, scale);
    return {
      ...second,
      reading: left.length === 0 ? { ...again, findings } : withLeft({ ...again, findings }, left),
    };
  }
  const { usage, transcript } = second.answer;
  // Of one who wrote a file nobody can ask: what is left over is noted and takes nothing away.
  const isNoted =
    second.answer.status === 'failed' &&
    second.answer.failure.cause === 'missing' &&
    reading.partialCause === 'unaccounted';
  return {
    ...second,
    answer: { ...answer, usage, transcript },
    reading: isNoted ? { ...reading, status: 'complete', partialCause: null } : reading,
  };
}

function withLeft(reading: Read, left: readonly string[]): Read {
  return {
    ...reading,
    status: 'partial',
    partialCause: reading.partialCause ?? 'unaccounted',
    unparsed: [...reading.unparsed, ...left],
    leftOver: [...reading.leftOver, ...left],
  };
}

export function rejectionOf(attempt: Attempt | undefined): Failure | null {
  if (!attempt) return null;
  if (attempt.answer.status === 'failed') return attempt.answer.failure;
  const { reading } = attempt;
  return reading === null || reading.ok ? null : failureFrom(reading.cause, reading.detail);
}

interface Fault extends Failure {
  /** Lines of the answer that are in none of its findings. */
  readonly leftOver: readonly string[];
}

interface AttemptMade extends Attempt {
  readonly isCut: boolean;
}

/**
 * `rejection`: what was wrong with the answer of the first attempt. What failed with a schema, by what may be its doing, is asked once
 * more without.
 */
async function attempt(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
  rejection: Fault | null,
): Promise<AttemptMade> {
  const turn = turnOf(task, question, rejection);
  const made = await put(task, question, session, turn);
  const { schema, ...inText } = turn;
  const failure = rejectionOf(made);
  if (!schema || !failure || !mayBeOfSchema(failure)) return made;
  const { cause } = failure;
  session.onEvent({ type: 'review-retry', reviewer: task.seat.id, cause, waitMs: 0 });
  const again = { ...question, key: `${question.key}/text`, reserved: 0 };
  const { answer, reading, isCut } = await put(task, again, session, inText);
  const note = `It was asked again in text: with a schema, ${causes[cause].sentence}.`;
  return {
    answer: {
      ...answer,
      usage: addUsage(made.answer.usage, answer.usage),
      transcript: [made.answer.transcript, answer.transcript].join('\n\n'),
    },
    reading: reading?.ok ? { ...reading, notes: [...reading.notes, note] } : reading,
    isCut,
  };
}

/** Not what befalls text as well: no access, no time, no room. */
function mayBeOfSchema({ cause }: Failure): boolean {
  const { reason, retry } = causes[cause];
  const isOfAnswer = reason === 'error' || reason === 'unreadable';
  return isOfAnswer && retry !== 'answer' && cause !== 'context';
}

/** Transport retries share the deadline of the call they repeat. */
async function put(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
  turn: Turn,
): Promise<AttemptMade> {
  let earlier: Reports | undefined;
  for (let count = 1; ; count++) {
    const answer = joinReports(
      earlier,
      await call(
        task,
        {
          ...question,
          key: `${question.key}/call/${turn.attempt}/${count}`,
          reserved: count === 1 ? question.reserved : 0,
        },
        session,
        turn,
      ),
    );
    earlier = answer.reports;
    if (answer.status === 'answered') {
      const said = task.schema ? withProse(answer) : answer;
      const reading = read(task, turn, said, question.pack);
      return {
        answer: said,
        // Prose below the JSON is what was asked for, and no deviation.
        reading:
          said !== answer && reading.ok
            ? { ...reading, repairs: reading.repairs.filter(repair => repair !== 'A4') }
            : reading,
        isCut: answer.isSpent === true,
      };
    }
    const waitMs = Math.min(answer.retryAfterMs ?? 500 * 2 ** count, 30_000);
    const isRepeatable =
      count <= (task.runner.transportRetries ?? 0) &&
      causes[answer.failure.cause].retry === 'transport' &&
      waitMs < turn.deadlines.totalMs;
    if (!isRepeatable) return { answer, reading: null, isCut: false };
    session.onEvent({
      type: 'review-retry',
      reviewer: task.seat.id,
      cause: answer.failure.cause,
      waitMs,
    });
    await session.clock.sleep(waitMs, session.signal);
  }
}

function turnOf(
  { seat, runner, change, read: readFile, schema }: ReviewTask,
  { pack, tools }: Question,
  rejection: Fault | null,
): Turn {
  return {
    seat,
    change,
    tools,
    read: readFile,
    attempt: rejection === null ? 1 : 2,
    // What could not be read is asked for again in text.
    ...(schema && runner.takesSchema && !tools && !rejection && { schema }),
    instructions: pack.instructions,
    prompt: rejection === null ? pack.prompt : `${pack.prompt}\n\n${repairRequest(rejection)}`,
    deadlines: deadlinesOf(seat),
  };
}

export function deadlinesOf({
  timeout,
  firstOutputTimeout = timeout,
  idleTimeout = timeout,
}: Pick<Seat, 'timeout' | 'firstOutputTimeout' | 'idleTimeout'>): Turn['deadlines'] {
  return {
    firstOutputMs: firstOutputTimeout * 1000,
    idleMs: idleTimeout * 1000,
    totalMs: timeout * 1000,
  };
}

/** Says what was wrong, never what to find: asking for another verdict would invite the model to drop a finding. */
function repairRequest({ cause, leftOver }: Fault): string {
  const quoted = leftOver.slice(0, 20).map(line => `> ${cut(toLine(line), 300)}`);
  return [
    `Your previous answer could not be used: ${causes[cause].sentence} (${cause.toUpperCase()}). ` +
      'Answer again, whole, in the format asked for above.',
    ...(quoted.length === 0
      ? []
      : [
          'These lines of it belong to no finding. State what they report as findings of their own:',
          quoted.join('\n'),
        ]),
  ].join('\n\n');
}

/**
 * A journal step of its own. What was reported is kept with the answer, also with none: nothing said is lost, and a resumed run
 * knows it too.
 */
async function call(
  task: ReviewTask,
  { tools, key, reserved }: Question,
  session: AskingSession,
  asked: Turn,
): Promise<Answer> {
  const { seat, runner, tokens, contract = 'lines' } = task;
  const enough = new AbortController();
  const turn: Turn = {
    ...asked,
    enough: enough.signal,
    ...(contract !== 'lines' &&
      session.outputFolder !== undefined && {
        outputFile: `${session.outputFolder}/${seat.id}.md`,
      }),
  };
  session.onEvent({ type: 'review-start', reviewer: seat.id, attempt: turn.attempt });
  const charged = tools?.charged() ?? 0;
  const onSpending = (spent: number): void => {
    // Where the calls are not counted, the tools are bounded by what they tell alone.
    if (tokens !== undefined)
      tools?.expect(Math.max(0, spent - reserved - (tools.charged() - charged)));
  };
  let isRecalled = true;
  const asking = async (): Promise<Answer> => {
    isRecalled = false;
    session.signal.throwIfAborted();
    const withReports = reportsFrom(tools);
    const length = turn.instructions.length + turn.prompt.length;
    const expected = expectedInMonth(seat, length);
    const why = await session.ceiling.reserveInMonth(length, expected);
    if (why !== null)
      return withReports(
        failedAnswer(why === session.ceiling.refusalOfMonth() ? 'month' : 'budget', why),
      );
    let usage = noUsage;
    let said: Answer;
    try {
      session.signal.throwIfAborted();
      // What an earlier round left there is not what this reviewer writes now.
      if (contract !== 'lines') await session.takeWritten?.(seat.id);
      const told = await runner.ask(
        turn,
        session.signal,
        meter(task, session, turn, { enough, onSpending }),
      );
      const written = await withWritten(told, seat, session);
      said = contract === 'lines' ? written : await withBegun(written, seat.id, session);
      ({ usage } = said);
      session.signal.throwIfAborted();
    } finally {
      // Whoever waits for room must hear of it, also when everything ends.
      const isCutOff = session.signal.aborted;
      session.ceiling.settle(usage, length, 0, { expected, isCutOff });
    }
    // Kept with the answer: a resumed run must know why it was cut.
    return withReports(
      enough.signal.aborted && said.status === 'answered' && said.stop === 'cut'
        ? { ...said, isSpent: true }
        : said,
    );
  };
  const answer = await session.steps.step(key, asking, RecordedAnswer);
  // A call that a killed process made is one of this run.
  if (isRecalled) session.ceiling.recall(isRefused(answer) ? 0 : 1, answer.usage);
  tools?.expect(0);
  await tokens?.settle({ turn, answer, reserved, charged: (tools?.charged() ?? 0) - charged });
  return answer;
}

/** US dollars that a call counts in its month until it has ended; null for whoever costs nothing. */
function expectedInMonth({ runner, price }: Seat, characters: number): number | null {
  return isFree(runner)
    ? null
    : expectedCost({ characters, items: itemsOfAReview, price: price ?? null });
}

/** A review is as long as so many stances of a vote. */
const itemsOfAReview = 8;

/** By a ceiling: nothing was sent. */
function isRefused(answer: Answer): boolean {
  return (
    answer.status === 'failed' &&
    (answer.failure.cause === 'budget' || answer.failure.cause === 'month') &&
    answer.usage.inputTokens + answer.usage.calls === 0
  );
}

/** What was reported in a call that broke down is not said again in the next one. */
function joinReports(earlier: Reports | undefined, answer: Answer): Answer {
  if (earlier === undefined || answer.reports === undefined) return answer;
  const { findings, skipped } = answer.reports;
  return {
    ...answer,
    reports: {
      findings: [...earlier.findings, ...findings],
      skipped: {
        medium_count: earlier.skipped.medium_count + skipped.medium_count,
        low_count: earlier.skipped.low_count + skipped.low_count,
      },
    },
  };
}

/** Adds to an answer what is reported from now on. */
function reportsFrom(tools: MeteredTools | null): (answer: Answer) => Answer {
  if (tools === null) return answer => answer;
  const before = { findings: tools.reported().length, ...tools.skipped() };
  return answer => {
    const { medium_count: medium, low_count: low } = tools.skipped();
    return {
      ...answer,
      reports: {
        findings: tools.reported().slice(before.findings),
        skipped: { medium_count: medium - before.medium_count, low_count: low - before.low_count },
      },
    };
  };
}

interface Metering {
  /** Aborted when the reviewer has spent its tokens: what it has written by then is its answer. */
  readonly enough: AbortController;
  /** Told of the tokens the call has cost so far. */
  readonly onSpending: (tokens: number) => void;
}

function meter(
  { seat, tokens }: ReviewTask,
  { onEvent }: AskingSession,
  turn: Turn,
  { enough, onSpending }: Metering,
): (progress: Progress) => void {
  const prompt = leastTokens(bytesOf(turn.instructions) + bytesOf(turn.prompt));
  return progress => {
    onEvent({
      type: 'review-progress',
      reviewer: seat.id,
      outputTokens: progress.outputTokens ?? 0,
      bytes: progress.bytes ?? 0,
    });
    onSpending((progress.inputTokens ?? 0) + (progress.outputTokens ?? 0));
    if (
      !isFlood(progress) &&
      tokens?.known()?.isPast({ prompt, output: outputOf(progress) }) === true
    )
      enough.abort();
  };
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

function read(
  task: ReviewTask,
  turn: Turn,
  answer: Extract<Answer, { status: 'answered' }>,
  pack: Pack,
): Reading {
  const asked = { prompt: turn.prompt, stop: answer.stop };
  if (task.contract === 'research') return readResearchAnswer(answer.text, asked);
  if (task.contract === 'ideas') return readIdeasAnswer(answer.text, asked);
  return readAnswer(answer.text, {
    scale: task.scale,
    // A line that the repair request quotes is no echo when it comes again.
    sent: { instructions: turn.instructions, prompt: pack.prompt },
    stop: answer.stop,
    strict: task.strict && task.seat.runner !== 'builtin',
    undeclaredLabel: task.undeclaredLabel,
    nonce: task.nonce,
    // An analyser that says itself what it read is held to that, not to a pack it never used.
    units: (answer.coverage ?? pack.readings)
      .filter(({ extent }) => extent === 'full')
      .map(({ path }) => path),
    voting: task.voting,
  });
}

/** A program that answers in SARIF is a check, whatever it was seated as: what it does not find says nothing. */
export function roleOf({ runner, role }: Seat, attempts: readonly Attempt[]): Pick<Review, 'role'> {
  const isSource = attempts.some(
    ({ answer }) => runner === 'command' && answer.status === 'answered' && isSarif(answer.text),
  );
  return role === 'check' || isSource ? { role: 'check' } : {};
}

function isSarif(text: string): boolean {
  const scanned = scanJson(text, Math.max(text.indexOf('{'), 0));
  return scanned.ok && isObject(scanned.value) && isList(scanned.value.get('runs'));
}
