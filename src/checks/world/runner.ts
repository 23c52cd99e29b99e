/**
 * The embedded panel: reviewers that are programs, not models. They read the change itself instead of a prompt, need no
 * network and no key, take no configuration from the change, and give the same answer to the same change.
 */
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import { analyserNames, type Seat } from '../../core/words/config.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import type { SecretScanner } from '../../core/ports/secret-scanner.ts';
import { type Analyser, AnalyserFailure, type Task, toAnswer } from '../analyser.ts';
import { fingerprintAnalysers } from './fingerprint.ts';
import { readData } from './rule-files.ts';
import { fingerprintReport } from './sarif-report.ts';

/** Dispatches on `seat.analyser`. A subject that is no change is answered with a failure: there is nothing to analyse. */
export function createBuiltinRunner(world: RunnerWorld, scanner: SecretScanner): Runner {
  return {
    name: 'builtin',
    ask: (turn, signal) => ask(turn, signal, world, scanner),
    fingerprint: async seat =>
      [
        `builtin/${seat.analyser ?? ''}/${await fingerprintAnalysers()}`,
        ...(seat.analyser === 'sarif' ? [await fingerprintReport(seat)] : []),
      ].join('/'),
  };
}

async function ask(
  turn: Turn,
  signal: AbortSignal,
  world: RunnerWorld,
  scanner: SecretScanner,
): Promise<Answer> {
  const { change, read, seat, deadlines } = turn;
  if (seat.analyser === undefined)
    return failedAnswer(
      'not-found',
      `Reviewer ${seat.id} names no analyser; there are ${analyserNames.join(', ')}.`,
    );
  if (change === null)
    return failedAnswer('unread', 'The built-in analysers read changes, and the subject is none.');
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlines.totalMs);
  const stop = AbortSignal.any([signal, deadline.signal]);
  try {
    const analyse = await analysers[seat.analyser](seat);
    return await toAnswer(
      seat.analyser,
      await analyse({ change, read, scanner, signal: stop }, world),
      scanner,
    );
  } catch (error) {
    if (signal.aborted) return failedAnswer('cancelled', 'The run was interrupted.');
    if (deadline.signal.aborted)
      return failedAnswer('deadline', `The ${seat.analyser} analyser did not end in time.`);
    if (error instanceof AnalyserFailure) return failedAnswer(error.failureCause, error.message);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The table of built-in analysers, and what reads the report of another tool. Each is loaded when it is first asked. */
export const analysers = {
  secrets: async () => (await import('../secrets.ts')).secrets,
  diff: async () => (await import('../diff.ts')).createDiff(await readData('lines')),
  javascript: async () => (await import('./javascript.ts')).javascript,
  patterns: async () => (await import('./patterns.ts')).patterns,
  sarif: async seat => (await import('./sarif-report.ts')).createReport(seat),
} satisfies Record<
  NonNullable<Seat['analyser']>,
  (seat: Seat) => Promise<(task: Task, world: RunnerWorld) => ReturnType<Analyser>>
>;
