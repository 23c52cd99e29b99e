/**
 * The public library of Jury: every door (terminal, MCP, server) and every program uses these functions and the plain
 * data they return. `UserError` is thrown for what the caller can put right; a failing reviewer is data in the run. What a
 * review needs is loaded with the library, all else by the function that needs it.
 */
import path from 'node:path';
import { runsFolder } from './adapters/store/run-folder.ts';
import { noteLastAnswer } from './adapters/store/last-answer.ts';
import { readVerdicts as readVerdictFolder, type VerdictFolder } from './adapters/store/verdict-reader.ts';
import type { ClaimExplanation } from './core/consensus/explain.ts';
import type { Consensus } from './core/intake/intake.ts';
import type { Statistics } from './core/memory/statistics.ts';
import type { ReviewPlan } from './core/context/review-plan.ts';
import type { AskRequest, ClaimsRequest, MotionsRequest, RatifyRequest, ReviewRequest, VerifyRequest } from './core/request.ts';
import type { BrainstormRequest, CleanRequest, DocumentRequest, GatesRequest, GroundRequest, ResearchRequest } from './core/process-request.ts';
import type { Run, RunRecord } from './core/run.ts';
import type { Grounding } from './core/write-behind/grounding.ts';
import type { Call } from './wiring/call.ts';
import type { Cleaned } from './wiring/clean-runs.ts';
import type { Decided, DecisionRequest, WrittenBaseline } from './wiring/decide-claim.ts';
import type { ExplanationRequest } from './wiring/explain-claim.ts';
import type { BuiltIndex, IndexRequest, SearchRequest } from './wiring/open-index.ts';
import type { SearchHit } from './core/code-index.ts';
import type { PackCheck, PackRequest, ShownPack } from './wiring/context/context-packs.ts';
import type { PackReport } from './core/context/packing/check-local-pack.ts';
import type { ComparedCommits, ConsensusRequest } from './wiring/prepare-consensus.ts';
import type { Machine } from './wiring/inspect-machine.ts';
import type { Named } from './wiring/read-named.ts';
import type { UnfinishedRun } from './wiring/unfinished-runs.ts';
import type { RatifiedAgain } from './wiring/vote/ratify-again.ts';
import type { VerifiedAudit } from './wiring/vote/verify-audit-trail.ts';
import type { MotionsOutcome } from './wiring/vote/vote-on-motions.ts';
import { withGate } from './wiring/judge-run.ts';
import { prepareQuestion, prepareReview } from './wiring/prepare-review.ts';
import type { Preview } from './wiring/preview.ts';
import type { ListedMotions } from './wiring/vote/motions-run.ts';
import { ownStateOf } from './wiring/own-state.ts';
import { startRun, type Prepared } from './wiring/start-run.ts';
import type { Verified } from './wiring/verify-change.ts';

export type { Call } from './wiring/call.ts';
export type { Preview } from './wiring/preview.ts';
export type { OnEvent, RunEvent } from './core/events.ts';
export type { Run, RunRecord } from './core/run.ts';
export type { ReviewPlan } from './core/context/review-plan.ts';
export { Day, scopes as decisionScopes } from './core/memory/known-claim.ts';
export type { Decided, DecisionRequest, WrittenBaseline } from './wiring/decide-claim.ts';
export type { ClaimExplanation } from './core/consensus/explain.ts';
export type { Statistics } from './core/memory/statistics.ts';
export { UserError } from './core/errors.ts';
export type { Consensus } from './core/intake/intake.ts';
export { AskRequest, ClaimsRequest, MotionsRequest, RatifyRequest, ReviewRequest, VerifyRequest } from './core/request.ts';
export { BrainstormRequest, CleanRequest, DocumentRequest, GatesRequest, GroundRequest, ResearchRequest } from './core/process-request.ts';
export { groundingExit, type Grounding } from './core/write-behind/grounding.ts';
export type { Cleaned } from './wiring/clean-runs.ts';
export { exitCodes } from './core/gate.ts';
export type { ComparedCommits, ConsensusRequest } from './wiring/prepare-consensus.ts';
export type { Machine } from './wiring/inspect-machine.ts';
export type { BuiltIndex } from './wiring/open-index.ts';
export { readGivenFile, readStandardInput } from './adapters/system/given-file.ts';
export { loadTokenCounter } from './adapters/tokens/token-counter.ts';
export type { Verified } from './wiring/verify-change.ts';
export type { Named } from './wiring/read-named.ts';
export type { UnfinishedRun } from './wiring/unfinished-runs.ts';
export type { RatifiedAgain } from './wiring/vote/ratify-again.ts';
export type { VerifiedAudit } from './wiring/vote/verify-audit-trail.ts';
export type { ListedMotions } from './wiring/vote/motions-run.ts';
export type { MotionsOutcome } from './wiring/vote/vote-on-motions.ts';
export { version } from './wiring/version.ts';

/** Puts a change before the panel. Resolves with the run whatever the reviewers did. */
export async function reviewChange(request: ReviewRequest, call: Call): Promise<Run> {
  return conclude(await prepareReview(request, call), request.fresh ?? false, call);
}

/** Puts a question before the panel. */
export async function askPanel(request: AskRequest, call: Call): Promise<Run> {
  return conclude(await prepareQuestion(request, call), request.fresh ?? false, call);
}

/** What `reviewChange` would send to whom. Nobody is asked and nothing is written. */
export async function previewReview(request: ReviewRequest, call: Call): Promise<Preview> {
  return preview(await prepareReview(request, call));
}

/** What `reviewChange` would take: panel, reasons, budgets, calls, money, ceiling. Nobody is asked and nothing is written. */
export async function planReview(request: ReviewRequest, call: Call): Promise<ReviewPlan> {
  const { planOf } = await import('./wiring/plan-review.ts');
  const prepared = await prepareReview(request, call);
  try {
    return await planOf(prepared);
  } finally {
    await prepared.repository?.close();
  }
}

/** What `askPanel` would send to whom. */
export async function previewQuestion(request: AskRequest, call: Call): Promise<Preview> {
  return preview(await prepareQuestion(request, call));
}

/** What `multi-consensus` asks: its own panel, in which Claude is required, and always afresh. */
export async function askConsensus(request: ConsensusRequest, call: Call): Promise<Run> {
  const { prepareConsensus } = await import('./wiring/prepare-consensus.ts');
  return conclude(await prepareConsensus(request, call), true, call);
}

/** What `askConsensus` would send to whom. */
export async function previewConsensus(request: ConsensusRequest, call: Call): Promise<Preview> {
  const { prepareConsensus } = await import('./wiring/prepare-consensus.ts');
  return preview(await prepareConsensus(request, call));
}

/** Puts a design, a plan or a specification before the panel. */
export async function reviewDocument(request: DocumentRequest, call: Call): Promise<Run> {
  const { prepareDocument } = await import('./wiring/prepare-process.ts');
  return conclude(await prepareDocument(request, call), request.fresh ?? false, call);
}

/** What `reviewDocument` would send to whom. */
export async function previewDocument(request: DocumentRequest, call: Call): Promise<Preview> {
  const { prepareDocument } = await import('./wiring/prepare-process.ts');
  return preview(await prepareDocument(request, call));
}

/** Asks researchers. `record.research` holds what they come to: sources by rank, answer, conflicts, gaps. */
export async function research(request: ResearchRequest, call: Call): Promise<Run> {
  const { prepareResearch } = await import('./wiring/prepare-process.ts');
  return conclude(await prepareResearch(request, call), request.fresh ?? false, call);
}

/** What `research` would send to whom. */
export async function previewResearch(request: ResearchRequest, call: Call): Promise<Preview> {
  const { prepareResearch } = await import('./wiring/prepare-process.ts');
  return preview(await prepareResearch(request, call));
}

/** Asks one researcher for approaches. The review's `said` holds the whole answer. */
export async function brainstorm(request: BrainstormRequest, call: Call): Promise<Run> {
  const { prepareBrainstorm } = await import('./wiring/prepare-process.ts');
  return conclude(await prepareBrainstorm(request, call), request.fresh ?? false, call);
}

/** What `brainstorm` would send to whom. */
export async function previewBrainstorm(request: BrainstormRequest, call: Call): Promise<Preview> {
  const { prepareBrainstorm } = await import('./wiring/prepare-process.ts');
  return preview(await prepareBrainstorm(request, call));
}

/** The quality gates: reviews what is about to be committed, then judges what lies in the run folder. `record.gate` says why. With `run`, an existing run is judged and nobody is asked. */
export async function runGates(request: GatesRequest, call: Call): Promise<Run> {
  const { judgeEndedRun } = await import('./wiring/judge-run.ts');
  const { prepareGates } = await import('./wiring/prepare-gates.ts');
  return request.run === undefined ? conclude(await prepareGates(request, call), request.fresh ?? false, call) : answer((await ownStateOf(call)).root, await judgeEndedRun(request.run, call));
}

/** What `runGates` would send to whom. */
export async function previewGates(request: GatesRequest, call: Call): Promise<Preview> {
  const { prepareGates } = await import('./wiring/prepare-gates.ts');
  return preview(await prepareGates(request, call));
}

/** Checks that every merged finding of a folder traces to an index entry of one of its agents. */
export async function ground(request: GroundRequest, call: Pick<Call, 'cwd' | 'environment'>): Promise<Grounding> {
  const { groundFolder } = await import('./wiring/ground-folder.ts');
  return groundFolder(request, call);
}

/** Removes runs. `announce` is told their ids before. */
export async function clean(request: CleanRequest, call: Call, announce: (ids: readonly string[]) => void = () => {}): Promise<Cleaned> {
  const { cleanRuns } = await import('./wiring/clean-runs.ts');
  return cleanRuns(request, call, announce);
}

/** Forms claims of findings that were produced elsewhere, each of which is in exactly one. Nobody is asked, but for the matching itself. */
export async function consensusOf(request: ClaimsRequest, call: Call): Promise<Consensus> {
  const { formConsensus } = await import('./wiring/form-consensus.ts');
  return formConsensus(request, call);
}

/** Finishes a run by id, unique prefix or `latest`: the run begun last that can be gone on with. */
export async function resumeRun(wanted: string, call: Call): Promise<Run> {
  const { resumeRunIn } = await import('./wiring/resume-run.ts');
  const state = await ownStateOf(call);
  return answer(state.root, await withGate(await resumeRunIn(state, wanted, call), call));
}

/** The vote on motions that a person means by a run to be resumed; null when that run is of another kind. */
export async function findVote(wanted: string, call: Call): Promise<ListedMotions | null> {
  const { findMotions } = await import('./wiring/vote/motions-run.ts');
  const { findResumableRun } = await import('./wiring/resumable-run.ts');
  const state = await ownStateOf(call);
  return findMotions(state, await findResumableRun(state, wanted));
}

/** Votes on motions by real reviewers that are kept, latest first. */
export async function listVotes(call: Call): Promise<ListedVote[]> {
  const { listMotions } = await import('./wiring/vote/motions-run.ts');
  return (await listMotions(await ownStateOf(call))).map(({ plan: { run, title, startedAt }, ended }) => ({ schema: 'jury.motions-run/1', run, title, startedAt, completedAt: ended?.completedAt ?? null, artifacts: ended?.artifacts ?? null, counts: ended?.counts ?? null }));
}

export interface ListedVote {
  readonly schema: 'jury.motions-run/1';
  readonly run: string;
  readonly title: string;
  readonly startedAt: string;
  /** Null, as the two below: it never ended and can be resumed. */
  readonly completedAt: string | null;
  /** Absolute folder of the results. */
  readonly artifacts: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

/** Reads a run back by id, unique prefix or `latest`, the one that answered last. */
export async function readRun(wanted: string, call: Call): Promise<Run> {
  const { readEndedRun } = await import('./wiring/earlier-run.ts');
  return readEndedRun(await ownStateOf(call), wanted);
}

/** The run a person means by `wanted`, and what of it: `wanted` may be an id of the last answer instead of a run when `id` is null. */
export async function readNamed(wanted: string, id: string | null, call: Call): Promise<Named> {
  const library = await import('./wiring/read-named.ts');
  return library.readNamed(await ownStateOf(call), wanted, id);
}

/** Runs that are under way or were killed, latest first. */
export async function listUnfinishedRuns(call: Call): Promise<UnfinishedRun[]> {
  const { listUnfinished } = await import('./wiring/unfinished-runs.ts');
  return listUnfinished(await ownStateOf(call));
}

/** Records of all runs that ended, latest first. */
export async function listRunRecords(call: Call): Promise<RunRecord[]> {
  const { readRecords } = await import('./wiring/earlier-run.ts');
  return readRecords(await ownStateOf(call));
}

/** The verdict files of a folder, or of a run by id, unique prefix or `latest`. A folder that is missing is empty. */
export async function readVerdicts(where: { readonly dir: string } | { readonly run: string }, call: Call): Promise<VerdictFolder> {
  if ('dir' in where) return readVerdictFolder(path.resolve(call.cwd, where.dir));
  const state = await ownStateOf(call);
  return readVerdictFolder(path.join(runsFolder(state.root), await state.findAnsweredRun(where.run), 'verdicts'));
}

/** Names (`resources://runs/<id>/…`) of everything that can be read of the newest runs, newest run first. */
export async function listResources(runs: number, call: Call): Promise<readonly string[]> {
  const { listNewestResources } = await import('./wiring/run-resources.ts');
  return listNewestResources(runs, call);
}

/** The text behind a `resources://` name; null when the name is not legal, or nothing that may be read has it. */
export async function readResource(uri: string, call: Call): Promise<string | null> {
  const { readResourceNamed } = await import('./wiring/run-resources.ts');
  return readResourceNamed(uri, call);
}

/** Accepts or dismisses a claim of the latest run, or any that is remembered. */
export async function decideAboutClaim(request: DecisionRequest, call: Call): Promise<Decided> {
  const { decideClaim } = await import('./wiring/decide-claim.ts');
  return decideClaim(request, call);
}

/** Writes the decisions that are remembered to `jury.baseline.json`. Null when there are none. */
export async function writeBaseline(call: Call): Promise<WrittenBaseline | null> {
  const { writeProjectBaseline } = await import('./wiring/decide-claim.ts');
  return writeProjectBaseline(call);
}

/** What each reviewer cost and brought, from the runs that are kept and the memory of the project. */
export async function readStatistics(call: Call): Promise<Statistics> {
  const { gatherStatistics } = await import('./wiring/gather-statistics.ts');
  return gatherStatistics(call);
}

/** Why a claim is what it is: its findings, its neighbours, its confidence, its history. */
export async function explain(request: ExplanationRequest, call: Call): Promise<ClaimExplanation> {
  const { explainClaimNamed } = await import('./wiring/explain-claim.ts');
  return explainClaimNamed(request, call);
}

/** Brings the code index up to date: what stands where in the working tree or a commit. Reads what has changed and nothing else. */
export async function indexProject(request: IndexRequest, call: Call): Promise<BuiltIndex> {
  const { buildProjectIndex } = await import('./wiring/open-index.ts');
  return buildProjectIndex(request, call);
}

/** Passages of the project that match any of the words, best first. The index is brought up to date before. */
export async function searchCode(request: SearchRequest, call: Call): Promise<readonly SearchHit[]> {
  const { searchProject } = await import('./wiring/open-index.ts');
  return searchProject(request, call);
}

/** Checks what needs nobody's opinion: coverage of the changed lines, switched-off tests, undone work, evidence. Writes nothing. */
export async function verifyChange(request: VerifyRequest, call: Call): Promise<Verified> {
  const { verifyChangeIn } = await import('./wiring/verify-change.ts');
  return verifyChangeIn(request, call);
}

/** Assembles the context pack of a role and writes it. Throws `UserError` when the changed lines alone do not fit. */
export async function packContextFor(request: PackRequest, call: Call): Promise<PackReport> {
  const { packContext } = await import('./wiring/context/context-packs.ts');
  return packContext(request, call);
}

/** What is wrong with a pack that was written; `revision`: the commit it is held against, null for the working tree. */
export async function checkContextPack(named: string, revision: string | null, call: Call): Promise<PackCheck> {
  const { checkPack } = await import('./wiring/context/context-packs.ts');
  return checkPack(named, revision, call);
}

/** The text of a pack that was written. What has changed since is followed, and the pack rewritten. */
export async function showContextPack(named: string, revision: string | null, call: Call): Promise<ShownPack> {
  const { showPack } = await import('./wiring/context/context-packs.ts');
  return showPack(named, revision, call);
}

/** Whether two revisions can be compared, for `multi-consensus`. */
export async function compareCommits(base: string, head: string, call: Call): Promise<ComparedCommits> {
  const library = await import('./wiring/prepare-consensus.ts');
  return library.compareCommits(base, head, call);
}

/** What this machine has for a panel. */
export async function inspectMachine(call: Call): Promise<Machine> {
  const library = await import('./wiring/inspect-machine.ts');
  return library.inspectMachine(call);
}

/** Applies a rule set to recorded counts. Nobody is asked and nothing is written. */
export async function ratifyAgain(request: RatifyRequest, call: Call): Promise<RatifiedAgain> {
  const library = await import('./wiring/vote/ratify-again.ts');
  return library.ratifyAgain(request, call);
}

/** Follows the hash chain of an audit trail to the first event that does not fit. */
export async function verifyAuditTrail(named: string, call: Call): Promise<VerifiedAudit> {
  const library = await import('./wiring/vote/verify-audit-trail.ts');
  return library.verifyAuditTrail(named, call);
}

/** Votes on the motions of a session. Null when the vote was interrupted; `resumes` names the run to go on with. */
export async function voteOnMotions(request: MotionsRequest, call: Call, resumes: string | null = null): Promise<MotionsOutcome | null> {
  const library = await import('./wiring/vote/vote-on-motions.ts');
  return library.voteOnMotions(request, call, resumes);
}

async function conclude(prepared: Prepared, fresh: boolean, call: Call): Promise<Run> {
  try {
    return await answer(prepared.root, await withGate(await startRun(prepared, fresh, call), call));
  } finally {
    await prepared.repository?.close();
  }
}

/** Whoever asks for the latest run next means this one, also when it answered from an earlier day. */
async function answer(root: string, run: Run): Promise<Run> {
  await noteLastAnswer(root, run.record.run);
  return run;
}

async function preview(prepared: Prepared): Promise<Preview> {
  const { previewOf } = await import('./wiring/preview.ts');
  try {
    return await previewOf(prepared);
  } finally {
    await prepared.repository?.close();
  }
}
