/** What the end of a process says about the review: the part of the judgement that all programs share. */
import type { NotAnswered } from '../../core/ports/runner.ts';
import type { Cause } from '../../core/words/review.ts';
import { failedAnswer, type FailureDetails } from '../../core/words/answer.ts';
import { notEnclosed } from './process-start.ts';
import type { ProcessResult } from '../../core/ports/processes.ts';

/**
 * The failed answer that a process deserves by the way it ended, or null when it ended well: exit code 0, not signalled
 * by anybody, prompt taken whole. Exit 0 proves nothing more than that: the caller judges the output. `capped` is the
 * caller's own reason and must be handled before.
 */
export function processFailure(result: ProcessResult, details: FailureDetails): NotAnswered | null {
  const verdict = judge(result);
  if (!verdict) return null;
  const [cause, message] = verdict;
  return failedAnswer(cause, message, {
    transcript: transcriptOf(result),
    ...details,
    exitCode: cause === 'exit' ? result.exitCode : null,
  });
}

/** Both outputs, for the raw file. */
export function transcriptOf(result: Pick<ProcessResult, 'stdout' | 'stderr'>) {
  return result.stderr === ''
    ? result.stdout
    : `${result.stdout}\n--- standard error ---\n${result.stderr}`;
}

function judge(result: ProcessResult): readonly [Cause, string] | null {
  const { spawnError, stopped, signal, exitCode } = result;
  if (spawnError) return [causeOf(spawnError.code), spawnError.message];
  if (stopped === 'enough')
    return ['budget', 'Stopped when its tokens were spent, before it had answered.'];
  if (stopped !== null)
    return stopped === 'capped'
      ? ['killed', 'Stopped by its runner.']
      : [stopped, stopMessages[stopped]];
  if (signal !== null || exitCode === 137)
    return ['killed', `Ended by ${signal ?? 'a signal'}${lastWords(result.stderr)}`];
  if (exitCode !== 0) return ['exit', `Ended with code ${exitCode}${lastWords(result.stderr)}`];
  if (!result.inputDelivered)
    return [
      'unread',
      'The program closed its standard input before it had taken the whole prompt.',
    ];
  return null;
}

const stopMessages = {
  'first-output': 'No output before the first-output deadline.',
  idle: 'Output stopped coming.',
  deadline: 'Not done at the deadline.',
  flood: 'Wrote more than the limit.',
  cancelled: 'The run was interrupted.',
} as const satisfies Record<Exclude<ProcessResult['stopped'], null | 'capped' | 'enough'>, string>;

function causeOf(code: string): Cause {
  if (code === notEnclosed) return 'isolation';
  return code === 'ENOENT' || code === 'EACCES' ? 'not-found' : 'spawn';
}

/** The end of standard error, for the sentence that people read. */
function lastWords(stderr: string) {
  const words = stderr.trim().slice(-400);
  return words === '' ? '.' : `: ${words}`;
}
