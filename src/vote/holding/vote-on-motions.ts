/** Puts the motions of a session to the vote, and writes what came of it. */
import { openResultFolder, placeForFormer } from '../files/result-folder.ts';
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
import { type OpenedDeliberators, withDeliberators } from './open-deliberators.ts';
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
  const { triageOnly, source, isDetected, folder } = prepared;
  return withDeliberators(prepared, resumes, call, async deliberators => {
    const run = await hold(prepared, deliberators, { paint, call });
    if (run === null) return null;
    const { assigned, answered, missing, incomplete } = countsOf(run, deliberators);
    const isUnanswered = run.mode === 'real' && assigned > 0 && answered === 0;
    return {
      run,
      runId: deliberators?.run ?? null,
      source,
      isDetected,
      folder: triageOnly ? null : folder,
      isUnanswered,
      missing,
      reasons: judgeMotions(incomplete, isUnanswered),
    };
  });
}

/** A vote has no gate and no claims. Null: it was interrupted. */
export function cameOfVote(outcome: MotionsOutcome | null): Came {
  return { run: outcome?.runId ?? null, outcome: null, claims: [] };
}

/**
 * The vote has ended when its results are written: until then it can be gone on with. Hashes are taken while they are written:
 * those of a large roster are long. What names the head of the audit trail, which holds the hashes, waits as a draft: with the head
 * so far, which stands nowhere else, and hashed with noughts in its place.
 */
async function hold(
  prepared: PreparedVote,
  deliberators: OpenedDeliberators | null,
  { paint, call }: { readonly paint: VotePainter; readonly call: Call },
): Promise<MotionsRun | null> {
  const { folder, source, settings, request, triageOnly } = prepared;
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
  let draftHead = noPredecessor;
  const keepResults = async (run: MotionsRun): Promise<Record<string, string>> => {
    const hashes: Record<string, string> = {};
    draftHead = run.audit.head;
    for (const artifact of artifactsOf(run, written)) {
      const { name, pieces } = artifact;
      if (namingTheHead.has(name)) {
        const draft = [...pieces()].join('');
        drafts.set(name, draft);
        hashes[name] = sha256(draft.replace(draftHead, noPredecessor));
      } else if (name !== trailName) hashes[name] = await results.add(artifact);
    }
    return hashes;
  };
  try {
    const run = await runMotions(prepared, {
      ...worldOf(call),
      deliberators,
      keepResults: triageOnly ? null : keepResults,
    });
    if (run === null || triageOnly) return run;
    const { head } = run.audit;
    const finished = [...drafts].map(
      ([name, draft]) => [name, draft.replace(draftHead, head)] as const,
    );
    for (const [name, text] of finished) await results.add({ name, pieces: () => [text] });
    for (const artifact of artifactsOf(run, written))
      if (artifact.name === trailName) await results.add(artifact);
    const former = await placeForFormer(folder, runId);
    await deliberators?.noteHead?.(head);
    await results.commit(former);
    if (former !== null) noteTo(call)(`The results of the run before are kept in ${former}.`);
    await deliberators?.end?.({
      artifacts: folder,
      report: new Map(finished).get(reportName) ?? '',
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
    missing: missing + silent + (deliberators?.unanswered?.() ?? 0),
    incomplete: countOutcomes(run.results).incomplete,
  };
}
