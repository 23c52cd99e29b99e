/**
 * One call of one reviewer, within the ceilings and its ledger: a reviewer whose tokens run out while it writes is stopped, and what
 * it had written is its answer.
 */
import { readFindingsIndex } from '../../answers/index.ts';
import {
  Answer,
  type Progress,
  type Turn,
  answered,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { saysWritten } from '../../core/prompt/prompt.ts';
import { expectedCost } from '../../core/spending/forecast.ts';
import { isFree } from '../../core/words/runner.ts';
import { bytesOf } from '../../core/text.ts';
import type { Seat } from '../../core/words/config.ts';
import { causes, noUsage, type Usage } from '../../core/words/review.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import type { AskingSession, Question, ReviewTask } from './review-task.ts';

export function deadlinesOf({
  timeout,
  firstOutputTimeout = timeout,
  idleTimeout = timeout,
}: Pick<Seat, 'timeout' | 'firstOutputTimeout' | 'idleTimeout'>) {
  return {
    firstOutputMs: firstOutputTimeout * 1000,
    idleMs: idleTimeout * 1000,
    totalMs: timeout * 1000,
  };
}

/**
 * A journal step of its own. What was reported is kept with the answer, also with none: nothing said is lost, and a resumed run
 * knows it too.
 */
export async function makeCall(
  task: ReviewTask,
  { tools, key, reserved }: Question,
  session: AskingSession,
  asked: Turn,
): Promise<Answer> {
  const { seat, runner, tokens, contract = 'lines' } = task;
  const enough = new AbortController();
  const isFile = contract !== 'lines';
  const turn: Turn = {
    ...asked,
    enough: enough.signal,
    ...(isFile &&
      session.outputFolder !== undefined && {
        outputFile: `${session.outputFolder}/${seat.id}.md`,
      }),
  };
  session.onEvent({ type: 'review-start', reviewer: seat.id, attempt: turn.attempt });
  const charged = tools?.charged() ?? 0;
  const onSpending = (spent: number) => {
    // Where the calls are not counted, the tools are bounded by what they tell alone.
    if (tokens) tools?.expect(Math.max(0, spent - reserved - (tools.charged() - charged)));
  };
  let isRecalled = true;
  const asking = async () => {
    isRecalled = false;
    session.signal.throwIfAborted();
    const withReports = reportsFrom(tools);
    const length = turn.instructions.length + turn.prompt.length;
    const { runner: name, price = null } = seat;
    const call = { characters: length, items: itemsOfAReview, price };
    // What it counts until it has ended.
    const cost = isFree(name) ? null : expectedCost(call);
    const room = await session.ceiling.take({ characters: length, cost });
    if ('why' in room)
      return withReports(failedAnswer(room.isOfMonth ? 'month' : 'budget', room.why));
    let usage = noUsage;
    let said: Answer;
    try {
      session.signal.throwIfAborted();
      // What an earlier round left there is not what this reviewer writes now.
      if (isFile) await session.takeWritten?.(seat.id);
      const told = await runner.ask(
        turn,
        session.signal,
        meter(task, session, turn, { enough, onSpending }),
      );
      const written = await withWritten(told, seat, session);
      said = isFile ? await withBegun(written, seat.id, session) : written;
      ({ usage } = said);
      session.signal.throwIfAborted();
    } finally {
      // Whoever waits for room must hear of it, also when everything ends.
      await room.give(usage, session.signal.aborted);
    }
    // Kept with the answer: a resumed run must know why it was cut.
    return withReports(
      enough.signal.aborted && said.status === 'answered' && said.stop === 'cut'
        ? { ...said, isSpent: true }
        : said,
    );
  };
  const answer = await session.steps.step(key, asking, Answer);
  // A call that a killed process made is one of this run.
  if (isRecalled) await session.ceiling.book(isRefused(answer) ? 0 : 1, answer.usage);
  tools?.expect(0);
  await tokens?.settle({ turn, answer, reserved, charged: (tools?.charged() ?? 0) - charged });
  return answer;
}

/** A review is as long as so many stances of a vote. */
const itemsOfAReview = 8;

/** By a ceiling: nothing was sent. */
function isRefused(answer: Answer) {
  return (
    answer.status === 'failed' &&
    (answer.failure.cause === 'budget' || answer.failure.cause === 'month') &&
    answer.usage.inputTokens + answer.usage.calls === 0
  );
}

/** Adds to an answer what is reported from now on. */
function reportsFrom(tools: MeteredTools | null): (answer: Answer) => Answer {
  if (!tools) return answer => answer;
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
  enough: AbortController;
  /** Told of the tokens the call has cost so far. */
  onSpending: (tokens: number) => void;
}

function meter(
  { seat, tokens }: ReviewTask,
  { onEvent }: AskingSession,
  turn: Turn,
  { enough, onSpending }: Metering,
): (progress: Progress) => void {
  const prompt = leastTokens(bytesOf(turn.instructions) + bytesOf(turn.prompt));
  return ({ inputTokens = 0, outputTokens, bytes = 0 }) => {
    onEvent({
      type: 'review-progress',
      reviewer: seat.id,
      outputTokens: outputTokens ?? 0,
      bytes,
    });
    onSpending(inputTokens + (outputTokens ?? 0));
    const output = outputTokens ?? leastTokens(bytes);
    // More than any reviewer writes is no answer to be kept, and its own limit ends it.
    const isFlood = outputTokens === undefined && bytes > 524_288;
    if (!isFlood && tokens?.known()?.isPast({ prompt, output })) enough.abort();
  };
}

/** Where nobody counts, nobody is stopped over an estimate: this is less than any running text has. */
function leastTokens(bytes: number) {
  return Math.floor(bytes / 10);
}

// Answers that a reviewer wrote to its file in place of saying them.

/** A reviewer that wrote its file says so in one line: then the file is what it said. */
async function withWritten(answer: Answer, { id: reviewer, price }: Seat, session: AskingSession) {
  if (answer.status !== 'answered' || !saysWritten(answer.text)) return answer;
  const written = (await session.takeWritten?.(reviewer)) ?? null;
  return written === null
    ? answer
    : {
        ...answer,
        text: written,
        // The line that names the file was said to its end; what stands in the file was written before.
        stop: answer.stop === 'unknown' ? 'end' : answer.stop,
        transcript: `${answer.transcript}\n\n${written}`,
        usage: countWritten(answer.usage, written, price),
      };
}

/** A client that counts has counted what it wrote; an estimate knows of the one line alone. */
function countWritten(usage: Usage, written: string, price: Seat['price']) {
  if (!usage.estimated) return usage;
  const tokens = Math.ceil(written.length / 4);
  return {
    ...usage,
    outputTokens: usage.outputTokens + tokens,
    cost:
      usage.cost === null || !price ? usage.cost : usage.cost + (tokens * price.output) / 1_000_000,
  };
}

/** A reviewer that was stopped at its deadline while it wrote its file: what the file says until then was said. */
async function withBegun(answer: Answer, reviewer: string, session: AskingSession) {
  if (answer.status !== 'failed' || causes[answer.failure.cause].reason !== 'timeout')
    return answer;
  const begun = (await session.takeWritten?.(reviewer)) ?? null;
  if (begun === null || readFindingsIndex(begun).entries.length === 0) return answer;
  const { usage, model, failure, transcript } = answer;
  return answered(begun, {
    stop: 'cut',
    usage,
    model,
    transcript: [transcript, failure.message, begun].filter(text => text !== '').join('\n\n'),
    ...(answer.isolation && { isolation: answer.isolation }),
  });
}
