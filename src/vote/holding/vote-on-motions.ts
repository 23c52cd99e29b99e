/** Puts the motions of a session to the vote, and writes what came of it. */
import { openResultFolder, placeForFormer, type ResultFolder } from '../files/result-folder.ts';
import { steadyClock } from '../../adapters/system/clock.ts';
import { nameBasedUuid, sha256 } from '../../adapters/system/ids.ts';
import { judgeMotions } from '../../core/verdict/judges.ts';
import type { Reason } from '../../core/verdict/record.ts';
import {
  type ArtifactOptions,
  artifactsOf,
  namingTheHead,
  reportName,
  trailName,
} from '../artifacts.ts';
import { noPredecessor } from '../audit-trail.ts';
import {
  countOutcomes,
  countResponses,
  type MotionsReport,
  type MotionsRun,
  type VotePainter,
} from '../motions-run.ts';
import type { MotionsRequest } from '../requests.ts';
import { runMotions } from '../asking/run-motions.ts';
import { type Call, clockOf, noteTo } from '../../library/call.ts';
import type { Came } from '../../library/watched.ts';
import { openDeliberators, type OpenedDeliberators } from './open-deliberators.ts';
import { prepareVote, type PreparedVote, worldOf } from './prepare-vote.ts';

export interface MotionsOutcome extends MotionsReport {
  /** The run folder that holds what members said; null when nobody was asked. */
  readonly runId: string | null;
  /** Real reviewers were asked and none of them answered anything. */
  readonly isUnanswered: boolean;
  /** Answers that were asked for and are not there: of reviews, panels, amended texts. */
  readonly missing: number;
  /** Why the vote is not finished; empty when it is. */
  readonly reasons: readonly Reason[];
}

/**
 * `resumes`: id of the run that is gone on with. Null when it was interrupted. Throws `UserError` for what the person can put
 * right; then the results of an earlier vote stay.
 */
export async function voteOnMotions(
  asked: MotionsRequest,
  given: Call,
  { paint, resumes = null }: { readonly paint: VotePainter; readonly resumes?: string | null },
): Promise<MotionsOutcome | null> {
  const call = { ...given, clock: steadyClock(clockOf(given)) };
  const prepared = await prepareVote(asked, call);
  const { request, source, isDetected, folder } = prepared;
  const deliberators = await openDeliberators(prepared, resumes, call);
  const run = await hold(prepared, deliberators, { paint, call });
  if (run === null) return null;
  const { assigned, answered } = countResponses(run);
  const isUnanswered = run.mode === 'real' && assigned > 0 && answered === 0;
  return {
    run,
    runId: deliberators?.run ?? null,
    source,
    isDetected,
    folder: request.triageOnly ? null : folder,
    isUnanswered,
    missing: countsOf(run).missing + (deliberators?.unanswered() ?? 0),
    reasons: judgeMotions(countOutcomes(run.results).incomplete, isUnanswered),
  };
}

/** A vote has no gate and no claims. Null: it was interrupted. */
export function cameOfVote(outcome: MotionsOutcome | null): Came {
  return { run: outcome?.runId ?? null, outcome: null, claims: [] };
}

/** The vote has ended when its results are written: until then it can be gone on with. */
async function hold(
  prepared: PreparedVote,
  deliberators: OpenedDeliberators | null,
  { paint, call }: { readonly paint: VotePainter; readonly call: Call },
): Promise<MotionsRun | null> {
  const { folder, source, settings, request } = prepared;
  const runId = deliberators?.run ?? null;
  const written: ArtifactOptions = {
    savesPackets: settings.save_packets,
    compact: request.compact,
    uuid: nameBasedUuid,
    runId,
    report: run => paint({ run, source, isDetected: false, folder }),
  };
  const results = openResultFolder(folder);
  const drafts = new Map<string, string>();
  try {
    const run = await runMotions(prepared, {
      ...worldOf(call),
      deliberators,
      keepResults: held => addResults({ results, drafts, written }, held),
    });
    if (run === null) return null;
    const { events, head } = run.audit;
    const report = drafts.get(reportName)?.replace(draftHead(events), head) ?? '';
    if (!request.triageOnly) {
      for (const [name, draft] of drafts)
        await results.add({ name, pieces: () => [draft.replace(draftHead(events), head)] });
      for (const artifact of artifactsOf(run, written))
        if (artifact.name === trailName) await results.add(artifact);
      const former = await placeForFormer(folder, runId);
      await deliberators?.noteHead(head);
      await results.commit(former);
      if (former !== null) noteTo(call)(`The results of the run before are kept in ${former}.`);
    }
    await deliberators?.end({
      artifacts: folder,
      report,
      accounts: run.accounts,
      counts: countsOf(run),
    });
    return run;
  } finally {
    await results.discard();
    await deliberators?.close();
  }
}

/** What is missing is missing of both passes. */
function countsOf(run: MotionsRun) {
  const { assigned, answered, missing } = countResponses(run);
  const silent = run.secondResponses.filter(({ status }) => status !== 'ok');
  return {
    motions: run.triaged.length,
    panels: run.panels.length,
    assigned,
    answered,
    missing: missing + silent.length,
    incomplete: countOutcomes(run.results).incomplete,
  };
}

/**
 * Hashes are taken while the results are written: those of a large roster are long. What names the head of the audit trail, which
 * holds the hashes, waits as a draft: with the head so far, which stands nowhere else, and hashed with noughts in its place.
 */
async function addResults(
  { results, drafts, written }: Writing,
  run: MotionsRun,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const artifact of artifactsOf(run, written)) {
    const { name, pieces } = artifact;
    if (namingTheHead.has(name)) {
      const draft = [...pieces()].join('');
      drafts.set(name, draft);
      hashes[name] = sha256(draft.replace(run.audit.head, noPredecessor));
    } else if (name !== trailName) hashes[name] = await results.add(artifact);
  }
  return hashes;
}

interface Writing {
  readonly results: ResultFolder;
  readonly drafts: Map<string, string>;
  readonly written: ArtifactOptions;
}

/** The head of the trail when the results were drafted: the last event came when they were kept. */
function draftHead(events: MotionsRun['audit']['events']): string {
  return events.at(-1)?.prev_sha256 ?? noPredecessor;
}
