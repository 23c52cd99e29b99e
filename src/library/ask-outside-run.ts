/** Asks a judge about findings that no run holds. */
import { createSecretScanner } from '../checks/index.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { isJudgeable, withAnswers } from '../agreement/index.ts';
import type { JudgeSettings } from '../core/ports/judge.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { createPassingSteps } from '../core/steps.ts';
import { nothingSpent } from '../core/words/review.ts';
import { createCeiling } from '../engine/ceiling.ts';
import { askJudge } from '../engine/asking/ask-judge.ts';
import { type Call, clockOf, idsOf, noteTo, signalOf } from './call.ts';
import { openRunners } from './open-world.ts';

/**
 * The matcher with the answers of a judge, prepared for the same findings; null where none is asked. Outside of a run nobody is
 * seated, so that only a judge of its own can be.
 */
export async function askOutsideRun(
  matcher: Matcher,
  judge: JudgeSettings,
  call: Call,
): Promise<Matcher | null> {
  if (!isJudgeable(matcher)) return null;
  const limits = { maxCalls: null, maxTokens: null, maxCost: null };
  const panel = matcher.panel();
  const { judging } = await askJudge(
    panel,
    {
      plan: {
        run: '',
        seats: [],
        concurrency: 1,
        limits,
        fence: idsOf(call).nonce(),
        subjectHash: '',
      },
      subject: { kind: 'question', title: '', prompt: '', context: null },
      reviews: [],
      round: 1,
    },
    {
      judge,
      // No folder keeps a journal: what is answered is remembered with the answers of the judge.
      steps: createPassingSteps(),
      clock: clockOf(call),
      runnerFor: openRunners(call, null),
      hash: sha256,
      secrets: createSecretScanner(),
      ceiling: createCeiling(limits, nothingSpent),
      signal: signalOf(call),
      note: noteTo(call),
    },
  );
  return withAnswers(matcher, panel, judging);
}
