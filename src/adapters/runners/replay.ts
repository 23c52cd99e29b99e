/** Recorded answers instead of a reviewer: for tests, demonstrations and benches, offline and free. */
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Seat } from '../../core/config.ts';
import type { Answer, Runner, Turn } from '../../core/ports.ts';
import type { Cause } from '../../core/review.ts';
import { failedAnswer } from './answers.ts';
import { hashFile, hashValue } from './fingerprint.ts';
import { decodeText } from './process-output.ts';
import { answerOf, readRecording } from './recording.ts';
import { answerLimit, textAnswer } from './text-answer.ts';
import { withCost } from './usage.ts';

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
      if (file === undefined) return failedAnswer('not-found', `No recorded answer for attempt ${turn.attempt} in ${turn.seat.answers ?? '(no path given)'}.`);
      const answer = await replay(file, turn, signal);
      return { ...answer, usage: withCost(turn.seat, answer.usage) };
    },
    async fingerprint(seat) {
      const { files, everyAttempt } = await listAnswers(seat);
      return files.length === 0 ? null : hashValue(['replay', everyAttempt, await Promise.all(files.map(hashFile))]);
    },
  };
}

async function listAnswers({ answers, home }: Seat): Promise<{ readonly files: readonly string[]; readonly everyAttempt: boolean }> {
  if (answers === undefined) return { files: [], everyAttempt: false };
  const path = resolve(home, answers);
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true) return { files: [path], everyAttempt: true };
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(entry => entry.name);
  // By number where names hold one, so that 10 comes after 9.
  const order = new Intl.Collator('en', { numeric: true });
  return { files: names.toSorted((one, other) => order.compare(one, other)).map(name => join(path, name)), everyAttempt: false };
}

async function replay(file: string, turn: Turn, signal: AbortSignal): Promise<Answer> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) return failedAnswer('not-found', `The recorded answer ${file} cannot be read.`);
  if (bytes.length > answerLimit) return failedAnswer('flood', `The recorded answer ${file} exceeds ${answerLimit} bytes.`);
  const decoded = decodeText(bytes);
  const recording = file.endsWith('.json') && decoded.isUtf8 ? readRecording(decoded.text) : null;
  if (recording === null) return textAnswer(decoded, { stop: 'end', usage: { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: null, estimated: false } });
  if ('problem' in recording) return failedAnswer('protocol', `The record ${file} is not in the agreed form: ${recording.problem}`, { transcript: decoded.text });
  return (await waitLike(recording.delayMs, turn, signal)) ?? answerOf(recording);
}

/** Takes as long as the recorded reviewer did, under the deadlines of the turn. */
async function waitLike(delayMs: number, { deadlines }: Turn, signal: AbortSignal): Promise<Answer | null> {
  const limitMs = Math.min(deadlines.firstOutputMs, deadlines.totalMs);
  try {
    await sleep(Math.min(delayMs, limitMs, 2_147_483_647), undefined, { signal });
  } catch {
    return cancelled();
  }
  const cause: Cause = deadlines.firstOutputMs < deadlines.totalMs ? 'first-output' : 'deadline';
  return delayMs <= limitMs ? null : failedAnswer(cause, `The recorded answer takes ${delayMs} ms.`);
}

function cancelled(): Answer {
  return failedAnswer('cancelled', 'The run was interrupted.');
}
