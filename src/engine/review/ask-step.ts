/** Puts one question to one reviewer: transport retries, one repair retry, reading. */
import {
  isSarif,
  readAnswer,
  readIdeasAnswer,
  readResearchAnswer,
  unanswered,
  withoutRestated,
  type Read,
  type Reading,
} from '../../answers/index.ts';
import type { Pack } from '../../core/context/pack.ts';
import type { Answer, Answered, Reports, Turn } from '../../core/ports/runner.ts';
import { withProse } from '../../core/prompt/answer-form.ts';
import { cut, toLine } from '../../core/text.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  addUsage,
  causes,
  failureFrom,
  type Failure,
  type Review,
} from '../../core/words/review.ts';
import { kindOf } from '../../core/words/runner.ts';
import { deadlinesOf, makeCall } from './make-call.ts';
import type { AskingSession, Attempt, ReviewTask, Question } from './review-task.ts';

export async function askQuestion(
  task: ReviewTask,
  question: Question,
  session: AskingSession,
): Promise<readonly Attempt[]> {
  const first = await attempt(task, question, session, null);
  const fault = isCut(first) ? null : faultOf(first);
  if (!fault || causes[fault.cause].retry !== 'answer') return [first];
  session.onEvent({
    type: 'review-retry',
    reviewer: task.seat.id,
    cause: fault.cause,
    waitMs: 0,
  });
  const second = await attempt(task, { ...question, reserved: 0 }, session, {
    ...fault,
    leftOver: first.reading?.ok ? first.reading.leftOver : (first.reading?.unparsed ?? []),
  });
  return [first, joinAnswers(first, second, task)];
}

/** Was the reviewer stopped over its tokens? */
export function isCut(attempt: Attempt | undefined) {
  return attempt?.answer.status === 'answered' && attempt.answer.isSpent === true;
}

/** What is worth one more question: an answer that could not be read, and one with words left over or without its end. */
function faultOf(attempt: Attempt) {
  const { reading } = attempt;
  const cause =
    reading?.ok !== true || attempt.answer.status === 'failed'
      ? null
      : reading.leftOver.length > 0
        ? 'unaccounted'
        : reading.partialCause === 'unmarked' || reading.partialCause === 'noformat'
          ? reading.partialCause
          : null;
  return cause === null ? rejectionOf(attempt) : failureFrom(cause);
}

/** What the first answer said stays said, whatever becomes of the second. */
function joinAnswers(
  { answer, reading, told }: Attempt,
  second: Attempt,
  task: ReviewTask,
): Attempt {
  if (!reading || answer.status === 'failed')
    return { ...second, reading: withTold(second.reading, told, task) };
  const again = second.reading;
  if (again?.ok) {
    const { findings: known, thoughts } = reading.ok ? reading : nothingKnown;
    const findings = [...again.findings, ...withoutRestated(known, again.findings)];
    const stated = reading.leftOver.filter(line => !thoughts?.includes(line));
    // What was told in an answer that could not be read, or with severities that nobody declared: "none" takes none of it back.
    const isUnread = !reading.ok && findings.length === 0;
    const undeclared = isUnread && reading.cause === 'schema' ? reading.unparsed : [];
    const told = isUnread ? reading.leftOver : unanswered(stated, findings, task.reading.scale);
    const left = [...new Set([...told, ...undeclared])];
    const isTakenBack = (line: string) => findings.length === 0 && !left.includes(line);
    const notes = reading.leftOver
      .filter(isTakenBack)
      .map(line => `Said at first, and not when asked again: ${cut(toLine(line), 300)}`);
    return {
      ...second,
      reading: withLeft({ ...again, findings, notes: [...again.notes, ...notes] }, left),
    };
  }
  if (!reading.ok) return second;
  const { usage, transcript } = second.answer;
  // Of one who wrote a file nobody can ask: what is left over is noted and takes nothing away.
  const isNoted =
    second.answer.status === 'failed' &&
    second.answer.failure.cause === 'missing' &&
    reading.partialCause === 'unaccounted';
  return {
    ...second,
    answer: { ...answer, usage, transcript, ...(isCut(second) && { isSpent: true }) },
    reading: isNoted
      ? { ...reading, status: 'complete', partialCause: null, leftOver: [] }
      : reading,
  };
}

const nothingKnown: Pick<Read, 'findings' | 'thoughts'> = { findings: [] };

function withLeft(reading: Read, left: readonly string[]): Read {
  if (left.length === 0) return reading;
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
  return !reading || reading.ok ? null : failureFrom(reading.cause, reading.detail);
}

interface Fault extends Failure {
  /** Lines of the answer that are in none of its findings. */
  leftOver: readonly string[];
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
) {
  const turn = {
    seat: task.seat,
    change: task.change,
    tools: question.tools,
    read: task.read,
    attempt: rejection ? 2 : 1,
    // What could not be read is asked for again in text.
    ...(task.schema &&
      task.runner.takesSchema &&
      !question.tools &&
      !rejection && { schema: task.schema }),
    instructions: question.pack.instructions,
    prompt: rejection
      ? `${question.pack.prompt}\n\n${repairRequest(rejection)}`
      : question.pack.prompt,
    deadlines: deadlinesOf(task.seat),
  };
  const made = await put(task, question, session, turn);
  const { schema, ...inText } = turn;
  const failure = rejectionOf(made);
  if (!schema || !failure || !mayBeOfSchema(failure)) return made;
  const { cause } = failure;
  session.onEvent({ type: 'review-retry', reviewer: task.seat.id, cause, waitMs: 0 });
  const again = { ...question, key: `${question.key}/text`, reserved: 0 };
  const { answer, reading, told } = await put(task, again, session, inText, made.told);
  const note = `It was asked again in text: with a schema, ${causes[cause].sentence}.`;
  return {
    told,
    answer: {
      ...answer,
      usage: addUsage(made.answer.usage, answer.usage),
      transcript: [made.answer.transcript, answer.transcript].join('\n\n'),
    },
    reading: reading?.ok ? { ...reading, notes: [...reading.notes, note] } : reading,
  };
}

/** Not what befalls text as well: no access, no time, no room. */
function mayBeOfSchema({ cause }: Failure) {
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
  before: readonly string[] = [],
): Promise<Attempt> {
  const told = [...before];
  let earlier: Reports | undefined;
  let { totalMs } = turn.deadlines;
  const endsAt = session.clock.monotonicMs() + totalMs;
  for (let count = 1; ; count++) {
    const answer = joinReports(
      earlier,
      await makeCall(
        task,
        {
          ...question,
          key: `${question.key}/call/${turn.attempt}/${count}`,
          reserved: count === 1 ? question.reserved : 0,
        },
        session,
        { ...turn, deadlines: { ...turn.deadlines, totalMs } },
      ),
    );
    earlier = answer.reports;
    if (answer.status === 'failed')
      for (const line of (answer.text ?? '').split(/\n|(?<=\},)/)) told.push(cut(line, 2_000));
    if (answer.status === 'answered') {
      const said = task.schema ? withProse(answer) : answer;
      const reading = withTold(read(task, turn, said, question.pack), told, task);
      return {
        told,
        answer: said,
        // Prose below the JSON is what was asked for, and no deviation.
        reading:
          said !== answer && reading?.ok
            ? { ...reading, repairs: reading.repairs.filter(repair => repair !== 'A4') }
            : reading,
      };
    }
    const { cause, httpStatus } = answer.failure;
    const waitMs = answer.retryAfterMs ?? 500 * 2 ** count;
    totalMs = endsAt - session.clock.monotonicMs() - waitMs;
    const isRepeatable =
      count <= (task.runner.transportRetries ?? 0) &&
      causes[cause].retry === 'transport' &&
      !answer.isLasting &&
      // What was refused for what it says is refused again.
      (httpStatus ?? 500) >= 429 &&
      !(turn.schema && mayBeOfSchema(answer.failure)) &&
      totalMs > 0;
    if (!isRepeatable) return { told, answer, reading: null };
    session.onEvent({ type: 'review-retry', reviewer: task.seat.id, cause, waitMs });
    await session.clock.sleep(waitMs, session.signal);
  }
}

/** Says what was wrong, never what to find: asking for another verdict would invite the model to drop a finding. */
function repairRequest({ cause, leftOver }: Fault) {
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

/** What was reported in a call that broke down is not said again in the next one. */
function joinReports(earlier: Reports | undefined, answer: Answer) {
  if (!earlier || !answer.reports) return answer;
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

/** A "none" in the call that came through takes nothing of it back. */
function withTold(
  reading: Reading | null,
  told: readonly string[],
  { reading: { scale } }: ReviewTask,
) {
  return reading?.ok ? withLeft(reading, unanswered(told, reading.findings, scale)) : reading;
}

function read(task: ReviewTask, turn: Turn, answer: Answered, pack: Pack) {
  const asked = { prompt: turn.prompt, stop: answer.stop };
  if (task.contract === 'research') return readResearchAnswer(answer.text, asked);
  if (task.contract === 'ideas') return readIdeasAnswer(answer.text, asked);
  return readAnswer(answer.text, {
    ...task.reading,
    // A line that the repair request quotes is no echo when it comes again.
    sent: { instructions: turn.instructions, prompt: pack.prompt },
    stop: answer.stop,
    strict: task.reading.strict && kindOf(task.seat.runner) !== 'check',
    // An analyser that says itself what it read is held to that, not to a pack it never used.
    units: (answer.coverage ?? pack.readings)
      .filter(({ extent }) => extent === 'full')
      .map(({ path }) => path),
  });
}

/** A program that answers in SARIF is a check, whatever it was seated as: what it does not find says nothing. */
export function roleOf({ runner, role }: Seat, attempts: readonly Attempt[]): Pick<Review, 'role'> {
  const isSource = attempts.some(
    ({ answer }) =>
      kindOf(runner) === 'program' && answer.status === 'answered' && isSarif(answer.text),
  );
  return role === 'check' || isSource ? { role: 'check' } : {};
}
