/** Claims in each reading: as they are shown, and as they would be without a judge, or if words denied less. */
import {
  asComplaints,
  formClaims,
  isJudgeable,
  withAnswers,
  type ConfidenceSettings,
} from '../agreement/index.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import type { Reading } from '../core/verdict/readings.ts';
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import type { Plan } from '../core/words/plan.ts';
import { noUsage, type Review } from '../core/words/review.ts';
import { ReadAs } from '../core/words/run.ts';
import type { Ceiling } from '../core/ports/limits.ts';
import { askJudge } from './asking/ask-judge.ts';
import type { World } from './world.ts';

interface ReadingRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  /** Which time the run is worked on. */
  readonly round: number;
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Confidence null: none is computed. */
export async function formReadings(
  request: ReadingRequest,
  confidence: ConfidenceSettings | null,
  world: World,
) {
  const { plan, reviews, note } = request;
  const findings = reviews.flatMap(review => review.findings);
  const form = (
    said: Review['findings'],
    matcher: Matcher,
    warn?: (sentence: string) => void,
  ): Promise<Claim[]> =>
    formClaims({
      findings: said,
      matcher,
      panel: plan.seats.map(({ id }) => id),
      reviews,
      hash: world.hash,
      ...(confidence === null ? {} : { confidence }),
      ...(warn !== undefined && { warn }),
    });
  // A judge is asked about pairs as if no words denied anything: a denial is what it may tell.
  if (world.judge) await form(asComplaints(findings, 'complaints') ?? findings, world.matcher);
  const { judged, judge, usage } = await putToJudge(request, world);
  const unjudged = await form(findings, world.matcher, note);
  return {
    /** As they are shown. */
    formed: judged === null ? unjudged : await form(findings, judged),
    /** The same without the answers of a judge. */
    unjudged,
    /** Null where no judge answered. */
    judge,
    /** Of the judge. */
    usage,
    /** All others, without findings that somebody dismissed. */
    async others(dismissed: ReadonlySet<string>) {
      const left = findings.filter(({ id }) => !dismissed.has(id));
      const readings: Reading[] = [];
      for (const taken of ReadAs.shape.taken.options) {
        const said = taken === 'words' ? left : asComplaints(left, taken);
        // With a judge, or where there is none, words are read as they are shown.
        const isShown = (matcher: Matcher): boolean =>
          taken === 'words' && matcher === (judged ?? world.matcher);
        for (const matcher of new Set([world.matcher, judged ?? world.matcher]))
          if (said !== null && !isShown(matcher))
            readings.push({
              taken,
              isJudged: matcher === judged,
              claims: await form(said, matcher),
            });
      }
      return readings;
    },
  };
}

/** Null: no judge was asked. An interrupted run is judged when it is resumed. */
async function putToJudge(
  { plan, subject, reviews, round, ceiling, signal, note }: ReadingRequest,
  world: World,
) {
  const { matcher, judge = null } = world;
  const none = { judged: null, judge: null, usage: noUsage };
  if (judge === null || signal.aborted || !isJudgeable(matcher)) return none;
  try {
    const panel = matcher.panel();
    const { judging, usage } = await askJudge(
      panel,
      { plan, subject, reviews, round },
      { ...world, judge, ceiling, signal, note },
    );
    const answers = judging.answers();
    return {
      judged: withAnswers(matcher, panel, judging),
      judge: answers.length > 0 ? { ...judge.accuracy, answers } : null,
      usage,
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    return none;
  }
}
