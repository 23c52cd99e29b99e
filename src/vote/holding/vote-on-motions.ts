/** Puts the motions of a session to the vote, and writes what came of it. */
import { openResultFolder, placeForFormer } from '../files/folders.ts';
import { steadyClock } from '../../adapters/system/clock.ts';
import { sha256 } from '../../core/hash.ts';
import { judgeMotions } from '../../core/verdict/record.ts';
import { artifactsOf, namingTheHead, resultFiles } from '../artifacts.ts';
import { noPredecessor } from '../recorded-inputs.ts';
import {
  countOutcomes,
  countResponses,
  type MotionsRun,
  type VotePainter,
  summariseTriage,
} from '../motions-run.ts';
import { type MotionsRequest, type PreparedVote, prepareVote } from './prepare-vote.ts';
import { runMotions } from '../asking/run-motions.ts';
import { type Call, noteTo } from '../../library/call.ts';
import { type OpenedDeliberators, withDeliberators, openReviewers } from './open-deliberators.ts';
import { journalsOf } from '../../adapters/store/journal.ts';
import type { VotePlan } from '../../core/printed/votes.ts';
import { inputError, usageError } from '../../core/errors.ts';
import { describeForecast, forecastPanels } from '../../core/spending/forecast.ts';
import { createPassingSteps } from '../../core/ports/steps.ts';
import { planReviews } from '../asking/hold-panels.ts';
import { plannedMonth } from '../../library/open-memory.ts';
import { openRound } from './motions-run.ts';

export type MotionsOutcome = NonNullable<Awaited<ReturnType<typeof voteOnMotions>>>;

/**
 * `resumes`: id of the run that is gone on with. Null when it was interrupted. Throws `UserError` for what the person can put
 * right; then the results of an earlier vote stay.
 */
export async function voteOnMotions(
  asked: MotionsRequest,
  given: Call,
  { paint, resumes = null }: { readonly paint: VotePainter; readonly resumes?: string | null },
) {
  const call = { ...given, clock: steadyClock(given.clock) };
  const prepared = await prepareVote(asked, call);
  const { triageOnly, source, isDetected, folder } = prepared;
  return withDeliberators(prepared, resumes, call, async deliberators => {
    const run = await hold(prepared, deliberators, { paint, call });
    if (run === null) return null;
    const { assigned, answered, missing, incomplete } = countsOf(run, deliberators);
    const isUnanswered = run.mode === 'real' && assigned > 0 && answered === 0;
    return {
      run,
      /** The run folder that holds what members said; null when nobody was asked. */
      runId: run.inputs.run_id,
      source,
      isDetected,
      folder: triageOnly ? null : folder,
      /** Real reviewers were asked and none of them answered anything. */
      isUnanswered,
      /** Answers that were asked for and are not there: of reviews, panels, amended texts. */
      missing,
      /** Why the vote is not finished; empty when it is. */
      reasons: judgeMotions(incomplete, isUnanswered),
    };
  });
}

/**
 * The vote has ended when its results are written: until then it can be gone on with. Hashes are taken while they are written:
 * those of a large roster are long. What names the head of the audit trail, which holds the hashes, is hashed with noughts in its place,
 * and written when the trail has ended.
 */
async function hold(
  prepared: PreparedVote,
  deliberators: OpenedDeliberators | null,
  { paint, call }: { readonly paint: VotePainter; readonly call: Call },
) {
  const { folder, source, request, triageOnly } = prepared;
  const results = openResultFolder(folder);
  const filesOf = (run: MotionsRun, report: string) =>
    artifactsOf(run, { compact: request.compact, report });
  let [painted, draftHead] = ['', noPredecessor];
  const keepResults = async (run: MotionsRun) => {
    // Once: of a large vote that takes its time. Nobody can have written this head anywhere before it.
    painted = paint({ run, source, isDetected: false, folder });
    draftHead = run.audit.head;
    const draft = { ...run, audit: { ...run.audit, head: noPredecessor } };
    const hashes: Record<string, string> = {};
    for (const artifact of filesOf(draft, painted.replace(draftHead, noPredecessor)))
      if (namingTheHead.has(artifact.name))
        hashes[artifact.name] = sha256([...artifact.pieces()].join(''));
      else if (artifact.name !== resultFiles.trail)
        hashes[artifact.name] = await results.add(artifact);
    return hashes;
  };
  try {
    const run = await runMotions(prepared, {
      ...call,
      note: noteTo(call),
      deliberators,
      keepResults: triageOnly ? null : keepResults,
    });
    if (run === null || triageOnly) return run;
    const report = painted.replace(draftHead, run.audit.head);
    for (const artifact of filesOf(run, report))
      if (artifact.name === resultFiles.trail || namingTheHead.has(artifact.name))
        await results.add(artifact);
    const former = await placeForFormer(folder, run.inputs.run_id);
    await deliberators?.noteHead(run.audit.head);
    await results.commit(former);
    if (former !== null) noteTo(call)(`The results of the run before are kept in ${former}.`);
    await deliberators?.end({
      artifacts: folder,
      report,
      accounts: run.accounts,
      counts: countsOf(run, deliberators),
      spent: run.spent,
    });
    return run;
  } finally {
    await results.discard();
  }
}

/** What is missing is missing of both passes, and of whatever else was asked. */
function countsOf(run: MotionsRun, deliberators: OpenedDeliberators | null) {
  const { assigned, answered, missing } = countResponses(run);
  const silent = run.secondResponses.filter(({ status }) => status !== 'ok').length;
  return {
    motions: run.triaged.length,
    panels: run.panels.length,
    assigned,
    answered,
    missing: missing + silent + (deliberators?.unanswered() ?? 0),
    incomplete: countOutcomes(run.results).incomplete,
  };
}

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
    { ...call, note: noteTo(call), deliberators: null, keepResults: null },
  );
  if (drawn === null) throw inputError('The plan was interrupted.');
  const { triaged, inputs } = drawn;
  const steps =
    begun === null ? createPassingSteps() : await journalsOf(state).read(begun.store.runId);
  const { round, before: spent } = await openRound(steps);
  // Until a run begins its fence is as long as that will be.
  const voting = votingOf(begun?.plan.fence ?? '0'.repeat(32));
  const { expected, answered, time, first } = await planReviews(drawn, voting, { steps, round });
  const { assigned } = countResponses(drawn);
  const isAsked =
    prepared.request.secondPass !== 'assume' &&
    inputs.rules.parameters.second_pass !== null &&
    assigned > 0;
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
