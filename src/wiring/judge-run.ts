/** Judges what lies in a run folder: the quality gate, which trusts files and recomputes everything it can. */
import { readDocument } from '../adapters/document/read-document.ts';
import { openRepository } from '../adapters/git/repository.ts';
import { readAgentFolder, readPlainFile } from '../adapters/store/agent-folder.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { readVerdicts } from '../adapters/store/verdict-reader.ts';
import { sha256 } from '../adapters/system/ids.ts';
import type { Subject } from '../core/change.ts';
import { UserError } from '../core/errors.ts';
import { excludeFiles } from '../core/change/set-aside.ts';
import { exitCodes, type Outcome } from '../core/gate.ts';
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import type { Plan } from '../core/plan.ts';
import type { RunStore } from '../core/ports.ts';
import { processOf } from '../core/process.ts';
import { judgeQuality, uncoveredFiles, type GateEvidence, type GateReport } from '../core/quality-gate.ts';
import type { Run } from '../core/run.ts';
import { groundFindings } from '../core/write-behind/grounding.ts';
import { readMergedLevels } from '../core/write-behind/merged-findings.ts';
import { identityOf } from '../engine/make-plan.ts';
import { writeRun } from '../engine/write-run.ts';
import { renderers } from '../render/formats.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { ownStateOf } from './own-state.ts';
import { rootOf } from './root.ts';

/** Judges an existing run; nobody is asked, and of its files only `gate.json` is written: what is missing stays missing. */
export async function judgeEndedRun(wanted: string, call: Call): Promise<Run> {
  return judge(await readEndedRun(await ownStateOf(call), wanted), call, false);
}

/** A run of the gates ends with the judgement of its folder; other runs stay as they are. */
export async function withGate(run: Run, call: Call): Promise<Run> {
  if (processOf(run.record.command).gate !== 'folder' || call.signal?.aborted === true) return run;
  return judge(run, call, !run.record.reused);
}

async function judge(run: Run, call: Call, isFresh: boolean): Promise<Run> {
  const store = await openRunFolder(await rootOf(call), run.record.run);
  const plan = await readPlan(store);
  const gate = judgeQuality(await gatherEvidence(run, { store, plan, call }));
  const outcome = outcomeOf(gate);
  const judged: Run = { ...run, record: { ...run.record, gate, outcome, exitCode: exitCodes[outcome], reasons: gate.reasons.map(({ sentence }) => sentence) } };
  await store.write('gate.json', `${JSON.stringify(gate, null, 2)}\n`);
  if (isFresh && plan !== null) await writeRun(judged, { plan, measured: null, report: renderers.markdown(judged, { color: false, width: 100 }) }, store);
  return judged;
}

function outcomeOf({ exitCode }: GateReport): Outcome {
  if (exitCode === 0) return 'PASS';
  return exitCode === 1 ? 'FAIL' : 'INCOMPLETE';
}

interface Place {
  readonly store: RunStore;
  readonly plan: Plan | null;
  readonly call: Call;
}

async function gatherEvidence({ record, folder }: Run, { store, plan, call }: Place): Promise<GateEvidence> {
  const { agents, foreign } = await readAgentFolder(`${folder}/reviews`, null).catch(ifUsable({ agents: [], foreign: [] }));
  const indexes = agents.map(({ agent, text }) => ({ agent, index: readFindingsIndex(text, agent) }));
  const findings = listIn(await readPlainFile(`${folder}/reviews/findings.json`));
  const { rows } = await readVerdicts(`${folder}/verdicts`);
  const verdicts = rows.map(({ agent, listed }) => ({ agent, status: listed }));
  return {
    run: record.gate?.run ?? { outcome: record.outcome, reasons: record.reasons },
    found: (record.engineFindings ?? []).map(({ text }) => text),
    gaps: plan?.gaps ?? [],
    verdicts,
    malformed: indexes.filter(({ index }) => index.state === 'malformed').map(({ agent }) => agent),
    required: (plan?.seats ?? []).filter(({ required }) => required).map(({ id }) => id),
    quorum: plan?.policy.quorum ?? record.quorum.required,
    missing: [...(findings === null ? ['findings.json'] : []), ...((await readPlainFile(`${folder}/reviews/synthesis.md`)) === null ? ['synthesis.md'] : [])],
    levels: readMergedLevels(findings ?? []),
    input: { recorded: recordedInput(await store.read('run.json')), current: plan === null ? null : await currentInput(plan, call) },
    grounding: findings === null ? null : groundFindings({ findings, agents: indexes, foreignSkipped: foreign.length, strict: false }),
    uncovered: plan === null ? [] : uncoveredFiles({ sensitive: plan.sensitive ?? [], seats: plan.seats, verdicts, coverage: record.coverage }),
    skipSecurity: call.environment.JURY_SKIP_SECURITY ?? null,
  };
}

function ifUsable<Value>(otherwise: Value): (error: unknown) => Value {
  return error => {
    if (error instanceof UserError) return otherwise;
    throw error;
  };
}

/** The list `findings` of the file; null when there is none. */
function listIn(text: string | null): readonly unknown[] | null {
  const value = parse(text);
  return typeof value === 'object' && value !== null && 'findings' in value && Array.isArray(value.findings) ? (value.findings as unknown[]) : null;
}

function recordedInput(text: string | null): string | null {
  const value = parse(text);
  return typeof value === 'object' && value !== null && 'input_sha256' in value && typeof value.input_sha256 === 'string' ? value.input_sha256 : null;
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

/** Hash of the subject as it is now; null when it is there no more. */
async function currentInput(plan: Plan, call: Call): Promise<string | null> {
  const subject = await readSubjectNow(plan, call).catch(ifUsable(null));
  return subject === null ? null : sha256(JSON.stringify(identityOf(subject)));
}

async function readSubjectNow(plan: Plan, call: Call): Promise<Subject> {
  const { subject } = plan;
  if (subject.kind === 'question') return { kind: 'question', title: subject.title, prompt: plan.prompt ?? '', context: plan.context };
  if (subject.kind === 'document') return readDocument(subject.path, subject.title);
  const repository = await openRepository(plan.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return excludeFiles(await repository.change(subject.request), plan.exclude).change;
  } finally {
    await repository.close();
  }
}
