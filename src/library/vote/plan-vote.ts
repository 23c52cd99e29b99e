/** What a vote of real reviewers would take, and where its prompts would go. Nobody is asked and nothing is written. */
import { journalName, readJournal } from '../../adapters/store/journal.ts';
import { nameBasedUuid, sha256 } from '../../adapters/system/ids.ts';
import type { VotePlan } from '../../core/printed/votes.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { describeForecast, forecastPanels } from '../../core/vote/forecast.ts';
import { countResponses, type MotionsRun, summariseTriage } from '../../core/vote/motions-run.ts';
import type { MotionsRequest } from '../../core/vote/requests.ts';
import { labelOf } from '../../core/vote/rule-set.ts';
import { planReviews } from '../../engine/vote/collect-reviews.ts';
import { runMotions } from '../../engine/vote/run-motions.ts';
import { type Call, clockOf, noteTo, signalOf } from '../call.ts';
import { plannedMonth } from '../open-month.ts';
import { openState } from '../own-state.ts';
import { findBegun, missingIn, openRound } from './motions-run.ts';
import { asksAgain } from './open-deliberators.ts';
import { type PreparedVote, prepareVote, voteOf } from './prepare-vote.ts';
import { limitsOf, monthOf, openReviewers, placesOf, votingOf } from './real-reviewers.ts';
import { fingerprintInputs } from './vote-inputs.ts';

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
  const { input, source } = prepared;
  const { session } = input;
  const { seats, checkout } = await openReviewers(prepared, call);
  const drawn = await drawPackets(prepared, call);
  const { triaged, packets } = drawn;
  const earlier = await readEarlier(prepared, { checkout, resumes, call });
  const { steps, round, fence, before } = earlier;
  const { expected, answered, time, first } = await planReviews(
    { session, motions: triaged, packets },
    votingOf(prepared, seats, fence),
    { steps, round, hash: sha256 },
  );
  const limits = limitsOf(prepared);
  return {
    schema: 'jury.vote-plan/1',
    session: session.name,
    source,
    rules: labelOf(prepared.rules),
    motions: triaged.length,
    members: session.roster.length,
    triage: summariseTriage(drawn),
    run: earlier.run,
    isComplete: earlier.isComplete,
    answered,
    expected,
    time,
    panels: forecastPanels(triaged.filter(({ riskTier }) => riskTier !== 'low').length),
    secondPass: forecastSecondPass(prepared, drawn),
    limits,
    month: await plannedMonth(monthOf(prepared, seats, await openState(checkout, call)), call),
    spent: before,
    places: placesOf(seats),
    example: first && { member: first.seat.id, prompt: first.prompt },
    sentence: describeForecast(expected, limits, {
      answered,
      time,
      spent: before,
    }),
  };
}

function forecastSecondPass(prepared: PreparedVote, drawn: MotionsRun): VotePlan['secondPass'] {
  const { assigned } = countResponses(drawn);
  return asksAgain(prepared) && prepared.rules.parameters.second_pass !== null && assigned > 0
    ? { reviews: assigned }
    : null;
}

/** Triage and packets, as the vote will make them; what there is to warn of is told. */
async function drawPackets(prepared: PreparedVote, call: Call): Promise<MotionsRun> {
  const note = noteTo(call);
  const vote = voteOf(prepared);
  if (vote.settings.conflicts.detector === 'model')
    note(
      'The vote asks a model first which texts contradict each other, which comes on top; here nobody is asked.',
    );
  const drawn = await runMotions(
    {
      ...vote,
      triageOnly: false,
    },
    {
      clock: clockOf(call),
      hash: sha256,
      uuid: nameBasedUuid,
      deliberators: null,
      signal: signalOf(call),
      note,
      keepResults: () => Promise.resolve({}),
    },
  );
  if (drawn === null) throw inputError('The plan was interrupted.');
  return drawn;
}

interface Looking {
  readonly checkout: string | null;
  readonly resumes: string | null;
  readonly call: Call;
}

/** The journal that the vote would go on with, and where it stands. */
async function readEarlier(prepared: PreparedVote, { checkout, resumes, call }: Looking) {
  const state = await openState(checkout, call);
  const inputs = fingerprintInputs(prepared);
  const begun = prepared.request.fresh ? null : await findBegun({ state, inputs, resumes });
  const steps =
    begun === null
      ? { recall: () => undefined }
      : await readJournal(state, `${begun.store.folder}/${journalName}`);
  return {
    steps,
    ...openRound(steps),
    run: begun?.plan.run ?? null,
    isComplete: begun !== null && begun.ended !== null && missingIn(begun.ended) === 0,
    // As long as that of a run that is yet to begin.
    fence: begun?.plan.fence ?? '0'.repeat(32),
  };
}
