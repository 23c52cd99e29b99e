/** What a vote of real reviewers would take, and where its prompts would go. Nobody is asked and nothing is written. */
import { journalName, readJournal } from '../../adapters/store/journal.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import type { VotePlan } from '../../core/printed/votes.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { describeForecast, forecastPanels } from '../../core/spending/forecast.ts';
import { countResponses, type MotionsRun, summariseTriage } from '../motions-run.ts';
import type { MotionsRequest } from '../requests.ts';
import { labelOf } from '../rule-set.ts';
import { planReviews } from '../asking/collect-reviews.ts';
import { runMotions } from '../asking/run-motions.ts';
import { type Call, noteTo } from '../../library/call.ts';
import { plannedMonth } from '../../library/open-month.ts';
import { openState } from '../../library/own-state.ts';
import { findBegun, isAnswered, openRound } from './motions-run.ts';
import { asksAgain } from './open-deliberators.ts';
import { type PreparedVote, prepareVote, worldOf } from './prepare-vote.ts';
import { limitsOf, monthOf, openReviewers, placesOf, votingOf } from './real-reviewers.ts';

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
  const { input, source, rules } = prepared;
  const { session } = input;
  const { seats, checkout } = await openReviewers(prepared, call);
  const drawn = await drawPackets(prepared, call);
  const { triaged: motions, packets } = drawn;
  const state = await openState(checkout, call);
  const begun = await findBegun(prepared, state, resumes);
  const steps =
    begun === null
      ? { recall: () => undefined }
      : await readJournal(state, `${begun.store.folder}/${journalName}`);
  const { round, before: spent } = openRound(steps);
  const { expected, answered, time, first } = await planReviews(
    { session, motions, packets },
    // As long as that of a run that is yet to begin.
    votingOf(prepared, seats, begun?.plan.fence ?? '0'.repeat(32)),
    { steps, round, hash: sha256 },
  );
  const limits = limitsOf(prepared);
  const { assigned } = countResponses(drawn);
  const isAsked = asksAgain(prepared) && rules.parameters.second_pass !== null && assigned > 0;
  return {
    schema: 'jury.vote-plan/1',
    session: session.name,
    source,
    rules: labelOf(rules),
    motions: motions.length,
    members: session.roster.length,
    triage: summariseTriage(drawn),
    run: begun?.plan.run ?? null,
    isComplete: isAnswered(begun),
    answered,
    expected,
    time,
    panels: forecastPanels(motions.filter(({ riskTier }) => riskTier !== 'low').length),
    secondPass: isAsked ? { reviews: assigned } : null,
    limits,
    month: await plannedMonth(monthOf(prepared, seats, state), call),
    spent,
    places: placesOf(seats),
    example: first && { member: first.seat.id, prompt: first.prompt },
    sentence: describeForecast(expected, limits, { answered, time, spent }),
  };
}

/** Triage and packets, as the vote will make them; what there is to warn of is told. */
async function drawPackets(prepared: PreparedVote, call: Call): Promise<MotionsRun> {
  if (prepared.settings.conflicts.detector === 'model')
    noteTo(call)(
      'The vote asks a model first which texts contradict each other, which comes on top; here nobody is asked.',
    );
  const drawn = await runMotions(
    { ...prepared, triageOnly: false },
    { ...worldOf(call), deliberators: null, keepResults: () => Promise.resolve({}) },
  );
  if (drawn === null) throw inputError('The plan was interrupted.');
  return drawn;
}
