/** Reads what lies in a run folder for the gates of a commit, which trust files and recompute everything they can. */
import { readAgentFolder } from '../adapters/store/agent-folder.ts';
import { readVerdicts } from '../adapters/store/verdict-reader.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { UserError } from '../core/errors.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import type { Plan } from '../core/words/plan.ts';
import { guardsOf, type FolderEvidence } from '../core/verdict/folder.ts';
import { groundFindings } from '../core/run-files/grounding.ts';
import { readMergedLevels } from '../core/run-files/merged-findings.ts';
import { identityOf } from '../engine/make-plan.ts';
import type { FolderRequest } from '../engine/world.ts';
import { storageOf, type Call } from './call.ts';
import { withRepository } from './root.ts';
import { readPlanned } from './subjects/read-planned.ts';

export interface FolderPlace {
  /** Absolute. */
  readonly folder: string;
  /** Null when it cannot be read: then nothing proves that the subject is the one that was reviewed. */
  readonly plan: Plan | null;
  readonly call: Call;
}

export async function gatherFolder(
  { run, reasons, coverage, findings, missing, recorded }: FolderRequest,
  { folder, plan, call }: FolderPlace,
): Promise<FolderEvidence> {
  const { disk } = storageOf(call);
  const { agents, foreign } = await readAgentFolder(disk, `${folder}/reviews`, null).catch(
    ifUsable({ agents: [], foreign: [] }),
  );
  const indexes = agents.map(({ agent, text }) => ({
    agent,
    index: readFindingsIndex(text, agent),
  }));
  const { rows } = await readVerdicts(disk, `${folder}/verdicts`);
  return {
    run,
    reasons,
    missing,
    verdicts: rows.map(({ agent, listed }) => ({ agent, status: listed })),
    malformed: indexes.filter(({ index }) => index.state === 'malformed').map(({ agent }) => agent),
    required: (plan?.seats ?? []).filter(({ required }) => required).map(({ id }) => id),
    quorum: plan?.policy.quorum ?? 1,
    levels: readMergedLevels(findings ?? []),
    input: { recorded, current: plan === null ? null : await currentInput(plan, call) },
    grounding:
      findings === null
        ? null
        : groundFindings({
            findings,
            agents: indexes,
            foreignSkipped: foreign.length,
            strict: false,
          }),
    sensitive: plan === null ? [] : guardsOf(plan.sensitive ?? [], plan.seats, coverage.files),
    skipSecurity: call.environment.JURY_SKIP_SECURITY ?? null,
  };
}

function ifUsable<Value>(otherwise: Value): (error: unknown) => Value {
  return error => {
    if (error instanceof UserError) return otherwise;
    throw error;
  };
}

/** Hash of the subject as it is now; null when it is there no more. */
async function currentInput(plan: Plan, call: Call): Promise<string | null> {
  const whole = await withRepository({ ...call, cwd: plan.cwd }, repository =>
    readPlanned(plan, repository),
  ).catch(ifUsable(null));
  return whole === null
    ? null
    : sha256(JSON.stringify(identityOf(excludeFrom(whole, plan.exclude).subject)));
}
