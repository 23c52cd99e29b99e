/** Judges what lies in a folder: a run that has ended by the gates of a commit, a synthesis by what its agents wrote. */
import path from 'node:path';
import { readAgentFolder, readPlainFile } from '../adapters/store/agent-folder.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import { readVerdicts } from '../adapters/store/verdict-reader.ts';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { UserError } from '../core/errors.ts';
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import { GroundRequest } from '../core/request.ts';
import { processOf } from '../core/process.ts';
import { groundFindings, type Grounding } from '../core/run-files/grounding.ts';
import { readMergedLevels } from '../core/run-files/merged-findings.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { type FolderEvidence, guardsOf, judgeFolder } from '../core/verdict/folder.ts';
import { decide } from '../core/verdict/outcome.ts';
import {
  OutcomeRules,
  RuleChange,
  type RuleChoice,
  settleRules,
  withChanges,
} from '../core/verdict/rule-set.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run } from '../core/words/run.ts';
import { identityOf } from '../engine/make-plan.ts';
import type { FolderRequest } from '../engine/world.ts';
import { type Call, storageOf } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { stateOf } from './own-state.ts';
import { withRepository } from './root.ts';
import { readPlanned } from './subjects.ts';

/** Nobody is asked, and only `gate.json` is written: what is missing in the folder stays missing. Throws `UserError` for a question. */
export async function judgeEndedRun(wanted: string, call: Call): Promise<Run> {
  const run = await readEndedRun(await stateOf(call), wanted);
  if (run.record.subject.kind === 'question')
    throw new UserError(
      `Run ${run.record.run} is an answered question: there is no change in it that gates could let pass.`,
      { kind: 'input', hint: 'Name a run of "jury gates", "jury review" or "jury document".' },
    );
  return judge(run, call);
}

/** An answer from an earlier run of the gates is as good as its folder is now; other runs stay as they are. */
export async function judgeReused(run: Run, call: Call): Promise<Run> {
  return run.record.reused &&
    processOf(run.record.command).gate === 'folder' &&
    call.signal?.aborted !== true
    ? judge(run, call)
    : run;
}

async function judge(run: Run, call: Call): Promise<Run> {
  const { record, folder } = run;
  const state = await stateOf(call);
  const store = await openRunFolder(state, record.run);
  const findings = listIn(
    parse(await readPlainFile(state.disk, `${folder}/reviews/findings.json`)),
  );
  const hasSynthesis = (await readPlainFile(state.disk, `${folder}/reviews/synthesis.md`)) !== null;
  const evidence = await gatherFolder(
    {
      run: record.run,
      coverage: record.coverage,
      findings,
      reasons: record.gate?.run ?? record.reasons,
      missing: [
        ...(findings === null ? ['findings.json'] : []),
        ...(hasSynthesis ? [] : ['synthesis.md']),
      ],
      recorded: recordedInput(await store.read('run.json')),
    },
    { folder, plan: await readPlan(store), call },
  );
  const { reasons, gate } = judgeFolder(
    evidence,
    await readOutcomeRules({ names: ['gates'], hasFailRules: false }),
  );
  await store.write('gate.json', `${JSON.stringify(decide(gate, reasons), null, 2)}\n`);
  return { ...run, record: decide({ ...record, gate }, reasons) };
}

/** The list `findings` of a file; null when there is none. */
function listIn(value: unknown): readonly unknown[] | null {
  return typeof value === 'object' &&
    value !== null &&
    'findings' in value &&
    Array.isArray(value.findings)
    ? (value.findings as unknown[])
    : null;
}

function recordedInput(text: string | null): string | null {
  const value = parse(text);
  return typeof value === 'object' &&
    value !== null &&
    'input_sha256' in value &&
    typeof value.input_sha256 === 'string'
    ? value.input_sha256
    : null;
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface FolderPlace {
  /** Absolute. */
  readonly folder: string;
  /** Null when it cannot be read: then nothing proves that the subject is the one that was reviewed. */
  readonly plan: Plan | null;
  readonly call: Call;
}

/** What lies in a run folder, for the gates of a commit, which trust files and recompute everything they can. */
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
    : sha256(JSON.stringify(identityOf(excludeFrom(whole, plan).subject)));
}

/**
 * Checks the findings of a folder against what its agents wrote. Throws `UserError` (kind `input`) where the folder or its
 * `findings.json` cannot be used.
 */
export async function groundFolder(
  input: GroundRequest,
  call: Pick<Call, 'cwd' | 'environment'>,
): Promise<Grounding> {
  const { dir, strict } = parseRequest(GroundRequest, input);
  const folder = path.resolve(call.cwd, dir);
  const { agents, foreign } = await readAgentFolder(
    systemStorage.disk,
    folder,
    runNamedIn(call.environment),
  );
  const findings = findingsIn(
    await readPlainFile(systemStorage.disk, path.join(folder, 'findings.json')),
    folder,
  );
  return groundFindings({
    findings,
    agents: agents.map(({ agent, text }) => ({ agent, index: readFindingsIndex(text, agent) })),
    foreignSkipped: foreign.length,
    strict,
  });
}

function findingsIn(text: string | null, folder: string): readonly unknown[] {
  if (text === null)
    throw new UserError(`${folder} holds no findings.json.`, {
      kind: 'input',
      hint: 'Name the folder of a synthesis.',
    });
  const file = path.join(folder, 'findings.json');
  const findings = listIn(parseStrictly(text, file));
  if (findings === null) throw new UserError(`${file} has no list "findings".`, { kind: 'input' });
  return findings;
}

function parseStrictly(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError(`${file} is not JSON: ${error.message}.`, {
      kind: 'input',
      cause: error,
    });
  }
}

/** An empty variable is one that is not set. */
function runNamedIn({
  JURY_RUN_ID: own,
  FLUX_RUN_UUID: other,
}: Call['environment']): string | null {
  return [own, other].find(id => id !== undefined && id !== '') ?? null;
}

/** A rule set of outcomes that ships with Jury, with what the flags after it change, settled for this caller. */
export async function readOutcomeRules({
  names: [name, ...flags],
  hasFailRules,
}: RuleChoice): Promise<OutcomeRules> {
  const rules = OutcomeRules.parse(await readShipped(name));
  const changes = await Promise.all(
    flags.map(async flag => RuleChange.parse(await readShipped(flag))),
  );
  return settleRules(withChanges(rules, changes), { hasFailRules });
}

async function readShipped(name: string): Promise<unknown> {
  return JSON.parse(
    await readRegularFile(path.join(packageRoot, 'rules', 'outcome', `${name}.json`)),
  );
}
