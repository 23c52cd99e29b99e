/** What a vote of real reviewers would take, and where its prompts would go. Nobody is asked and nothing is written. */
import { journalsOf } from '../../adapters/store/journal.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import type { VotePlan } from '../../core/printed/votes.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { describeForecast, forecastPanels } from '../../core/spending/forecast.ts';
import { createPassingSteps } from '../../core/steps.ts';
import { countResponses, summariseTriage } from '../motions-run.ts';
import type { MotionsRequest } from '../requests.ts';
import { planReviews } from '../asking/collect-reviews.ts';
import { runMotions } from '../asking/run-motions.ts';
import { type Call, noteTo } from '../../library/call.ts';
import { plannedMonth } from '../../library/open-month.ts';
import { openRound } from './motions-run.ts';
import { asksAgain, openReviewers } from './open-deliberators.ts';
import { prepareVote, worldOf } from './prepare-vote.ts';

/** `resumes`: id of the run that would be gone on with. Throws `UserError` as a vote does, also where nobody could be asked. */
export async function planVote(
  asked: MotionsRequest,
  call: Call,
  resumes: string | null = null,
): Promise<VotePlan> {
  if (asked.realAgent !== true)
    throw usageError(
      'Only a vote of real reviewers takes calls, tokens and money.',
      'Add --real-agent.',
    );
  const prepared = await prepareVote(asked, call);
  const { source, settings, ceilings: limits } = prepared;
  const { seats, state, begun, paid, votingOf } = await openReviewers(prepared, resumes, call);
  if (settings.conflicts.detector === 'model')
    noteTo(call)(
      'The vote asks a model first which texts contradict each other, which comes on top; here nobody is asked.',
    );
  // Triage and packets, as the vote will make them.
  const drawn = await runMotions(
    { ...prepared, triageOnly: false },
    { ...worldOf(call), deliberators: null, keepResults: null },
  );
  if (drawn === null) throw inputError('The plan was interrupted.');
  const { triaged, inputs } = drawn;
  const steps =
    begun === null ? createPassingSteps() : await journalsOf(state).read(begun.store.runId);
  const { round, before: spent } = await openRound(steps);
  // Until a run begins its fence is as long as that will be.
  const voting = votingOf(begun?.plan.fence ?? '0'.repeat(32));
  const recalling = { steps, round, hash: sha256 };
  const { expected, answered, time, first } = await planReviews(drawn, voting, recalling);
  const { assigned } = countResponses(drawn);
  const isAsked =
    asksAgain(prepared) && inputs.rules.parameters.second_pass !== null && assigned > 0;
  return {
    schema: 'jury.vote-plan/1',
    session: voting.session.name,
    source,
    rules: drawn.rules,
    motions: triaged.length,
    members: voting.session.roster.length,
    triage: summariseTriage(drawn),
    run: begun?.plan.run ?? null,
    isComplete: begun?.missing === 0,
    answered,
    expected,
    time,
    panels: forecastPanels(triaged.filter(({ riskTier }) => riskTier !== 'low').length),
    secondPass: isAsked ? { reviews: assigned } : null,
    limits,
    month: await plannedMonth(paid, call),
    spent,
    places: seats.places.map(({ runner, baseUrl: endpoint = null, model = null }) => ({
      runner,
      endpoint,
      model,
    })),
    example: first && { member: first.seat.id, prompt: first.prompt },
    sentence: describeForecast(expected, limits, { answered, time, spent }),
  };
}
