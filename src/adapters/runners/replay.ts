/** Recorded answers instead of a reviewer: for tests, demonstrations and benches, offline and free. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import {
  type Answer,
  type Runner,
  type Turn,
  type LeftFile,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { estimateUsage, withCost } from '../../core/spending/month.ts';
import { toOneLine } from '../../core/text.ts';
import type { Seat } from '../../core/words/config.ts';
import { Cause, Usage, causes, noUsage } from '../../core/words/review.ts';
import { sha256 } from '../../core/hash.ts';
import { decodeText } from './process.ts';
import { answerLimit, hashFile, hashValue, textAnswer } from './executable.ts';

/**
 * `seat.answers` is one file, which answers every attempt, or a folder, whose n-th file by name answers attempt n. An
 * attempt beyond the last file is a failed review: a recording says nothing about a call that was never made.
 */
export function createReplayRunner(): Runner {
  return {
    name: 'replay',
    async ask(turn, signal) {
      const { files, everyAttempt } = await listAnswers(turn.seat);
      const file = everyAttempt ? files[0] : files[turn.attempt - 1];
      if (signal.aborted) return cancelled();
      if (file === undefined)
        return failedAnswer(
          'not-found',
          `No recorded answer for attempt ${turn.attempt} in ${turn.seat.answers ?? '(no path given)'}.`,
        );
      const answer = await replay(file, turn, signal);
      return { ...answer, usage: withCost(turn.seat, answer.usage) };
    },
    async fingerprint(seat) {
      const { files, everyAttempt } = await listAnswers(seat);
      return files.length === 0
        ? null
        : hashValue(['replay', everyAttempt, await Promise.all(files.map(file => hashFile(file)))]);
    },
  };
}

async function listAnswers({ answers, home }: Seat) {
  if (answers === undefined) return { files: [], everyAttempt: false };
  const path = resolve(home, answers);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return { files: [path], everyAttempt: true };
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter(entry => entry.isFile() && !entry.name.startsWith('.'))
    .map(entry => entry.name);
  // By number where names hold one, so that 10 comes after 9.
  const order = new Intl.Collator('en', { numeric: true });
  return {
    files: names.toSorted((one, other) => order.compare(one, other)).map(name => join(path, name)),
    everyAttempt: false,
  };
}

async function replay(file: string, turn: Turn, signal: AbortSignal) {
  const bytes = await readFile(file).catch(() => null);
  if (!bytes) return failedAnswer('not-found', `The recorded answer ${file} cannot be read.`);
  if (bytes.length > answerLimit)
    return failedAnswer('flood', `The recorded answer ${file} exceeds ${answerLimit} bytes.`);
  const decoded = decodeText(bytes);
  const recording = file.endsWith('.json') && decoded.isUtf8 ? readRecording(decoded.text) : null;
  if (!recording)
    return textAnswer(decoded, {
      stop: 'end',
      usage: oneCall,
    });
  if ('problem' in recording)
    return failedAnswer(
      'protocol',
      `The record ${file} is not in the agreed form: ${recording.problem}`,
      { transcript: decoded.text },
    );
  return (await waitLike(recording.delayMs, turn, signal)) ?? answerOf(recording);
}

/** Takes as long as the recorded reviewer did, under the deadlines of the turn. */
async function waitLike(
  delayMs: number,
  { deadlines }: Turn,
  signal: AbortSignal,
): Promise<Answer | null> {
  const limitMs = Math.min(deadlines.firstOutputMs, deadlines.totalMs);
  try {
    await sleep(Math.min(delayMs, limitMs), undefined, { signal });
  } catch {
    return cancelled();
  }
  const cause: Cause = deadlines.firstOutputMs < deadlines.totalMs ? 'first-output' : 'deadline';
  return delayMs <= limitMs
    ? null
    : failedAnswer(cause, `The recorded answer takes ${delayMs} ms.`);
}

function cancelled(): Answer {
  return failedAnswer('cancelled', 'The run was interrupted.');
}

// The form of a recorded answer: plain text as the reviewer gave it, or a JSON record, which can also hold a failure.

const shared = {
  text: z.string().default('').describe('What the reviewer said, or managed to say.'),
  model: z.string().nullable().default(null),
  usage: Usage.partial().default({}),
  /** Milliseconds until the answer stands there; the deadlines of the turn apply. */
  delayMs: z.number().nonnegative().default(0),
};

const Recording = z.discriminatedUnion('status', [
  z.strictObject({
    ...shared,
    status: z.literal('answered'),
    stop: z.enum(['end', 'cut', 'unknown']).default('end'),
  }),
  z.strictObject({
    ...shared,
    status: z.literal('failed'),
    cause: Cause,
    message: z.string().optional(),
    exitCode: z.int().nullable().default(null),
    httpStatus: z.int().nullable().default(null),
    retryAfterMs: z.number().nonnegative().nullable().default(null),
  }),
]);
type Recording = z.infer<typeof Recording>;

/** Null when the text is no record but the answer itself: no JSON, or JSON without a `status` of ours. */
function readRecording(text: string) {
  const value = parseJson(text);
  if (typeof value !== 'object' || !value || !('status' in value)) return null;
  if (value.status !== 'answered' && value.status !== 'failed') return null;
  const parsed = Recording.safeParse(value);
  return parsed.success ? parsed.data : { problem: z.prettifyError(parsed.error) };
}

const oneCall: Usage = { ...noUsage, calls: 1 };

function answerOf(recording: Recording) {
  const { text, model } = recording;
  const usage = Usage.parse({ ...oneCall, ...recording.usage });
  if (recording.status === 'answered')
    return textAnswer({ text }, { stop: recording.stop, usage, model });
  const { cause, message = `Recorded: ${causes[cause].sentence}.`, ...details } = recording;
  return failedAnswer(cause, message, { ...details, usage, transcript: text });
}

// Answers that lie in a folder already: what a caller's own agents wrote, given back once each.

/** `folder` is named to people. An agent without a file is a failed review. */
export function createCollectedRunner(
  name: string,
  folder: string,
  files: readonly LeftFile[],
): Runner {
  const fileOf = (agent: string) => files.find(file => file.agent === agent);
  return {
    name,
    ask({ seat, attempt }) {
      const file = fileOf(seat.id);
      return Promise.resolve(
        attempt > 1
          ? failedAnswer('missing', 'It wrote one answer.')
          : file
            ? collectedAnswerOf(file, seat)
            : failedAnswer('missing', `There is no ${seat.id}.md in ${folder}.`),
      );
    },
    fingerprint: ({ id }) => {
      const file = fileOf(id);
      return Promise.resolve(
        hashValue([
          'collected',
          file?.isPartial ?? null,
          file?.why ?? null,
          file?.bytes ? sha256(file.bytes) : null,
        ]),
      );
    },
  };
}

export function collectedAnswerOf(
  { name, agent, bytes, why, isPartial }: LeftFile,
  seat: Parameters<typeof estimateUsage>[0] = {},
) {
  const file = toOneLine(name);
  if (!bytes)
    return failedAnswer('unopened', `${file} cannot be read: ${why ?? 'nobody knows why'}.`);
  const decoded = decodeText(Buffer.from(bytes));
  const usage = { ...estimateUsage(seat, '', decoded.text), calls: 0, cost: null };
  // The agent that the front matter names, where it is another one than the name of the file;
  // `jury:a` and `A` are `a`.
  const front = /^\uFEFF?---\r?\n([\s\S]{0,4000}?)\n---\r?\n/.exec(decoded.text)?.[1] ?? '';
  const named = /^agent:[ \t]*["']?([^\s"']{1,200})/m.exec(front)?.[1];
  const other = named === undefined || bareName(named) === bareName(agent) ? null : named;
  return other === null
    ? textAnswer(decoded, { stop: isPartial || !ended.test(decoded.text) ? 'cut' : 'end', usage })
    : failedAnswer('misnamed', `${file} says that it is of ${makeVisible(other)}.`, {
        usage,
        transcript: decoded.text,
      });
}

/** By a line break, a mark of the end, a verdict, or as JSON and fences do. */
const ended = /(?:[\n}\]`]|^\W*(?:verdict\b.*|end of answer\W*))[ \t]*$(?![^])/im;

function bareName(name: string) {
  return (name.split(/[:/]/).at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}
