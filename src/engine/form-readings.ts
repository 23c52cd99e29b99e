/** Claims in each reading: as they are shown, without the answers of a judge, and by the severities stated. */
import {
  asComplaints,
  formClaims,
  isJudgeable,
  withAnswers,
  type ConfidenceSettings,
} from '../agreement/index.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import type { ReadingName } from '../core/verdict/readings.ts';
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import type { Plan } from '../core/words/plan.ts';
import { noUsage, type Review, type Usage } from '../core/words/review.ts';
import type { Ceiling } from './ceiling.ts';
import { askJudge } from './vote/ask-judge.ts';
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

interface FormedReadings extends Readonly<Record<ReadingName, readonly Claim[] | null>> {
  /** As they are shown. */
  readonly formed: readonly Claim[];
  /** Of the judge. */
  readonly usage: Usage;
}

/** Confidence null: none is computed. */
export async function formReadings(
  request: ReadingRequest,
  confidence: ConfidenceSettings | null,
  world: World,
): Promise<FormedReadings> {
  const { plan, reviews, note } = request;
  const findings = reviews.flatMap(review => review.findings);
  const formBy = (matcher: Matcher, said = findings): Promise<Claim[]> =>
    formClaims({
      findings: said,
      matcher,
      panel: plan.seats.map(({ id }) => id),
      reviews,
      hash: world.hash,
      ...(confidence === null ? {} : { confidence }),
      ...(matcher === world.matcher && said === findings && { warn: note }),
    });
  const complaints = asComplaints(findings);
  const stated = complaints === null ? null : await formBy(world.matcher, complaints);
  // Last, as the judge is asked about what the matcher was prepared for.
  const unjudged = await formBy(world.matcher);
  const { matcher, usage } = await putToJudge(request, world);
  return { formed: matcher === null ? unjudged : await formBy(matcher), unjudged, stated, usage };
}

/** Null: no judge was asked. An interrupted run is judged when it is resumed. */
async function putToJudge(
  { plan, subject, reviews, round, ceiling, signal, note }: ReadingRequest,
  world: World,
): Promise<{ readonly matcher: Matcher | null; readonly usage: Usage }> {
  const { matcher, judge = null } = world;
  const none = { matcher: null, usage: noUsage };
  if (judge === null || signal.aborted || !isJudgeable(matcher)) return none;
  try {
    const { judging, usage } = await askJudge(
      matcher.panel(),
      { plan, subject, reviews, round },
      { ...world, judge, ceiling, signal, note },
    );
    return { matcher: withAnswers(matcher, judging), usage };
  } catch (error) {
    if (!signal.aborted) throw error;
    return none;
  }
}
