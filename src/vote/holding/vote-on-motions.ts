/** Puts the motions of a session to the vote, writes what came of it, and tells of votes that ended. */
import {
  openResultFolder,
  placeForFormer,
  findNewest,
  isFolder,
  readGivenResult,
  readResult,
  readRuleSet,
  readShippedRules,
} from '../files/folders.ts';
import { steadyClock } from '../../adapters/system/clock.ts';
import { sha256 } from '../../core/hash.ts';
import { judgeMotions } from '../../core/verdict/record.ts';
import { artifactsOf, namingTheHead, resultFiles } from '../artifacts.ts';
import { checkResult, noPredecessor } from '../recorded-inputs.ts';
import {
  countOutcomes,
  countResponses,
  type MotionsRun,
  type VotePainter,
  summariseTriage,
  accountOf,
} from '../motions-run.ts';
import {
  type MotionsRequest,
  type PreparedVote,
  prepareVote,
  RatifyRequest,
  resultsFolder,
} from './prepare-vote.ts';
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
import { openRound, listMotions, readMotions } from './motions-run.ts';
import { z } from 'zod';
import { Count, Flag, Rows, Text, orNull } from '../../core/words/fields.ts';
import { amendedTextOf } from '../answers.ts';
import { MotionAccount, StanceFigures, motionNamed } from '../../core/printed/motion-account.ts';
import { MotionsSettings } from '../../core/words/motions-settings.ts';
import { decideMotion, motionAtVote } from '../ratification.ts';
import { toRows } from '../ratify.ts';
import { statedTexts } from '../session-input.ts';
import { riskTierOf, riskTiers } from '../triage.ts';
import { parseRequest } from '../../core/schema-problem.ts';
import { labelOf, type RuleSet } from '../aggregation.ts';
import path from 'node:path';
import { readRegularFile } from '../../adapters/system/given-file.ts';
import { parseJson } from '../../core/json.ts';
import { stateOf } from '../../library/own-state.ts';

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

// Votes that ended: their counts, decided again by one rule set or by all that ship with Jury, and why a motion of them came to what
// it came to. Nothing is written.

const KnownTier = z.enum(riskTiers);

const RecordedRow = z.object({
  mega_motion_id: Text,
  mega_motion_title: Text,
  ...StanceFigures.shape,
  /** Null: `no_response` counts these members, too. */
  not_assigned: orNull(Count),
  engaged_count: Count,
  not_drawn: Count.nullish(),
  risk_tier: KnownTier.nullish(),
  /** Counted from answers that were invented. */
  simulated: Flag.nullish(),
  constitutional: orNull(Flag),
  amendment_texts: z.unknown().optional().transform(statedTexts),
});

const RecordedTriage = z.object({
  session_id: Text.nullish(),
  roster_size: Count.nullish(),
  motions: Rows({
    mega_motion_id: Text,
    mega_motion_title: Text.nullish(),
    risk_tier: KnownTier,
  }),
});

/** `triage`: the triage recorded beside the counts; undefined when there is none. Throws `UserError` (kind `input`) naming row and key. */
export function readRecordedCounts(file: string, value: unknown, triage: unknown) {
  if (!Array.isArray(value)) throw inputError(`Error: ${file}: must be an array of counts`);
  const rows = value.map((item: unknown, index) =>
    checkResult(`Error: ${file}: row ${index}`, item, RecordedRow, {
      error: ({ input }) => (input === undefined ? 'the key is missing' : undefined),
    }),
  );
  const sizes = rows.map(row => row.engaged_count + row.no_response + (row.not_assigned ?? 0));
  const [rosterSize = 0] = sizes;
  const odd = sizes.findIndex(size => size !== rosterSize);
  if (odd >= 0)
    throw inputError(
      `Error: ${file}: row ${odd}: engaged_count, no_response and not_assigned make a roster of ${sizes[odd] ?? 0}, ` +
        `but ${rosterSize} in row 0`,
    );
  const recorded = RecordedTriage.optional().safeParse(triage);
  if (!recorded.success) throw inputError('Error: triage_results.json: it holds no risk tiers');
  const sorted = recorded.data;
  const known = new Map(sorted?.motions.map(motion => [motion.mega_motion_id, motion]));
  // The risk of motions of another session would decide about these.
  const refuse = (why: string): never => {
    throw inputError(
      `Error: triage_results.json beside ${file} is of another vote: ${why}.`,
      'Put the two files of one vote there, or the counts alone.',
    );
  };
  const motions = rows.map((row, index) => {
    const { mega_motion_id: id, mega_motion_title: title, not_assigned, no_response } = row;
    const triaged = known.get(id);
    if (sorted && (triaged?.mega_motion_title ?? (triaged && title)) !== title)
      refuse(`it does not know motion "${title}" (${id}, row ${index})`);
    const tier = row.risk_tier ?? triaged?.risk_tier;
    return {
      ...row,
      risk_tier: tier ?? guessTier(row, rosterSize),
      /** Nothing recorded says which tier it was of. */
      isTierGuessed: tier === undefined,
      // Members whose answers could still come. Only where `not_assigned` is told apart is `no_response` surely a member who was
      // asked. Counts do not say what those said who were drawn: who was not could say anything.
      missing: not_assigned === null ? 0 : no_response + (row.not_drawn ?? 0),
    };
  });
  const size = sorted?.roster_size ?? rosterSize;
  if (size !== rosterSize)
    refuse(`its roster has ${size} members, that of the counts ${rosterSize}`);
  /** `sessionId`: null when only the counts are there. */
  return { rosterSize, sessionId: sorted?.session_id ?? null, motions };
}

/** The last row of each motion. Counts carry no names, no panels and no texts, and nothing is ratified by looking at it again. */
export function decideCounts(
  { motions, rosterSize }: ReturnType<typeof readRecordedCounts>,
  { rules, shipped }: Readonly<{ rules: RuleSet; shipped: readonly RuleSet[] }>,
  sessionId: string,
) {
  return motions.map((counts, index) => {
    const { mega_motion_id: id, mega_motion_title: title, missing, risk_tier: tier } = counts;
    const motion = motionAtVote(counts, missing, rosterSize, rules);
    const { final: row } = toRows(decideMotion(motion), {
      ...motion,
      at: null,
      sessionId,
      row: { mega_motion_id: id, mega_motion_title: title, missing },
      amended: () => amendedTextOf({ text: '', amendments: counts.amendment_texts, panel: null }),
      again: null,
    });
    const told = {
      number: index + 1,
      based_on: 'counts',
      simulated: counts.simulated === true,
      risk: {
        tier,
        because: counts.isTierGuessed ? 'guessed' : 'recorded',
        supporting: null,
        conflicts: null,
        thresholds: null,
      },
    } as const;
    return { row, account: accountOf({ ...motion, counts, final: row }, shipped, told) };
  });
}

/** What the counts and the title let one see: contributors without conflict, and whether the motion is a novel proposal. */
function guessTier(row: z.output<typeof RecordedRow>, rosterSize: number) {
  const isNovel = row.mega_motion_title.startsWith('Novel: ');
  return riskTierOf(
    { isNovel, consensusTier: 'low', supporters: [] },
    { support: rosterSize === 0 ? 0 : row.implicit_endorsements / rosterSize, conflicts: 0 },
    MotionsSettings.parse({}),
  );
}

export type RatifiedAgain = Awaited<ReturnType<typeof ratifyAgain>>;

/** Throws `UserError`: kind `input` for counts that cannot be read, `usage` for an unknown rule set. */
export async function ratifyAgain(asked: RatifyRequest, call: Call) {
  const request = parseRequest(RatifyRequest, asked);
  const shipped = await readShippedRules(call);
  const rules = request.rules === 'all' ? shipped : [await readRuleSet(request.rules, call)];
  const file = path.resolve(call.cwd, request.aggregations);
  const counts = readRecordedCounts(
    path.basename(file),
    await readGivenResult(file),
    await readResult(path.join(path.dirname(file), resultFiles.triage)),
  );
  const sessionId = counts.sessionId ?? path.basename(path.dirname(file));
  return {
    rosterSize: counts.rosterSize,
    /** One for each rule set that was asked for; `accounts`: why each motion ends so, as far as counts tell it. */
    sets: rules.map(set => {
      const decided = decideCounts(counts, { rules: set, shipped }, sessionId);
      const votes = decided.map(({ row }) => row);
      const accounts = decided.map(({ account }) => account);
      return { rules: labelOf(set), votes, accounts, counts: countOutcomes(votes) };
    }),
  };
}

export interface MotionQuestion {
  /** Of the motion, or its number in the session. */
  readonly id: string;
  /** A folder of results; or a run by id, unique prefix or `latest`. Null: the vote that ended last. */
  readonly from: string | null;
}

export type ExplainedMotion = Awaited<ReturnType<typeof explainMotion>>;

/**
 * `source`: the run, or the folder of results, that it was read from. Throws `UserError`: kind `input` where there is no vote to read,
 * `usage` where the vote has no such motion.
 */
export async function explainMotion({ id, from }: MotionQuestion, call: Call) {
  const { source, text } = await findExplanations(from, call);
  const checked = MotionAccount.array().safeParse(parseJson(text));
  if (checked.success) return { source, account: motionNamed(id, checked.data) };
  const what =
    text === null
      ? `no ${resultFiles.explanations}: it is no vote that ended, or one of an earlier version of Jury.`
      : `an ${resultFiles.explanations} that cannot be read.`;
  throw inputError(
    `${source.replace(/^run/, 'Run')} holds ${what}`,
    'The same vote held again writes it.',
  );
}

/** With the text of the explanations; null: there are none. */
async function findExplanations(from: string | null, call: Call) {
  const named = path.resolve(call.cwd, from ?? '');
  if (from !== null && (await isFolder(named))) return inFolder(named);
  const state = await stateOf(call);
  const inRun = async (run: string) => {
    const vote = await readMotions(state, run);
    if (vote === null) throw inputError(`Run ${run} is no vote on motions.`);
    if (vote.ended === null)
      throw inputError(
        `Run ${run} is a vote on motions that has not ended.`,
        `To finish it, run "jury resume ${run}".`,
      );
    return { source: `run ${run}`, text: await vote.store.read(resultFiles.explanations) };
  };
  if (from !== null && from !== 'latest') return inRun(await state.findAnsweredRun(from));
  const vote = (await listMotions(state)).find(({ ended }) => ended !== null);
  // A simulation is no run: it left nothing but its folder.
  const newest = await findNewest(
    path.resolve(call.cwd, resultsFolder),
    async folder =>
      Completed.parse(parseJson(await readRegularFile(path.join(folder, resultFiles.result))))
        .completed_at,
  );
  if (vote?.ended && vote.ended.completedAt >= (newest?.moment ?? '')) return inRun(vote.plan.run);
  if (newest !== null) return inFolder(newest.folder);
  throw inputError(
    'There is no vote on motions that has ended here.',
    'Hold one with "jury motions", or name the folder of its results with --from.',
  );
}

/** When the vote ended, as its `pipeline_result.json` has it. */
const Completed = z.object({ completed_at: Text });

async function inFolder(source: string) {
  const text = await readRegularFile(path.join(source, resultFiles.explanations)).catch(() => null);
  return { source, text };
}
