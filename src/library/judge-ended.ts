/**
 * What is judged without asking anybody: a run that has ended, by the rules of the gates; a synthesis, by what its agents wrote; a change,
 * by coverage, switched-off tests, undone work and evidence.
 */
import path from 'node:path';
import { readApprovals } from '../adapters/memory/allowed-records.ts';
import { readAgentFolder, readPlainFile } from '../adapters/store/agent-folder.ts';
import { readVerdicts } from '../adapters/store/run-folder.ts';
import { systemStorage, type StateFolder } from '../adapters/store/storage.ts';
import { ifUserError, inputError, usageError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { parseJsonText, readFindingsIndex } from '../answers/index.ts';
import { GroundRequest, VerifyRequest } from '../core/request.ts';
import { groundFindings } from '../core/run-files/merged-findings.ts';
import type { Claim } from '../core/words/claim.ts';
import { parseRequest, firstProblem, formatPath } from '../core/schema-problem.ts';
import { judgeReadings, openEvidence, readingsIn } from '../core/verdict/readings.ts';
import { type Evidence, judgeGrounding, overridesOf } from '../core/verdict/judges.ts';
import { leavesOpen } from '../core/verdict/record.ts';
import { decide } from '../core/verdict/outcome.ts';
import type { Run } from '../core/words/run.ts';
import { type Call, withRepository } from './call.ts';
import { requirePlan, readEndedRun, stateOf } from './own-state.ts';
import { openMemory } from './open-memory.ts';
import { readOutcomeRules } from './settle.ts';
import { hasChanged, readNamed, waysNamed } from './subjects.ts';
import { createTrustedBase } from './trusted-base.ts';
import { recallOf } from '../engine/conclude.ts';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { sha256 } from '../core/hash.ts';
import {
  Evidence as StatedEvidence,
  gateNames,
  GateResult,
  type Integrity,
  type JudgedEvidence,
  judgeEvidence,
  judgeIntegrity,
  readLcov,
} from '../core/integrity/integrity.ts';
import { readNamedResource } from './context/open-context.ts';

/**
 * By the judges of every run, from the reviews it holds and what people have decided by now; what of its folder is missing is no
 * review. Nothing is written. Throws `UserError` for a question.
 */
export async function judgeEndedRun(wanted: string, call: Call): Promise<Run> {
  const state = await stateOf(call);
  const run = await readEndedRun(state, wanted);
  const { record, subject, folder } = run;
  if (subject.kind === 'question')
    throw inputError(
      `Run ${record.run} is an answered question: there is no change in it that gates could let pass.`,
      'Name a run of "jury gates", "jury review" or "jury document".',
    );
  const plan = await requirePlan(state, record.run);
  const rules =
    plan.rules.name === 'gates'
      ? plan.rules
      : await readOutcomeRules({ names: ['gates'], hasFailRules: false });
  const { rows } = await readVerdicts(state.disk, `${folder}/verdicts`);
  const usable = new Set(rows.filter(({ listed }) => !lost.has(listed)).map(({ agent }) => agent));
  const open = openEvidence({
    plan,
    rules,
    subject,
    reviews: run.reviews.map(review =>
      usable.has(review.reviewer) ? review : { ...review, status: 'failed' },
    ),
    approvals: await readApprovals(state, plan.changeHash),
    skipSecurity: call.environment.JURY_SKIP_SECURITY ?? null,
  });
  const isMoved = await hasChanged(plan, subject, call);
  const evidenceOf = (claims: readonly Claim[]): Evidence => ({
    ...open(claims),
    found: record.engineFindings ?? [],
    verification: record.verification,
    isMoved,
  });
  const recall = (said: readonly Claim[]) =>
    withRepository(call, async repository => {
      const ground = createTrustedBase(subject, repository);
      const memory = await openMemory({ state, subject, ground }, plan, call);
      return recallOf(
        { ...run, plan },
        { clock: call.clock, memory, repository },
        null,
        evidenceOf,
      )(said, false);
    });
  const { claims, dismissed } = await recall(record.claims);
  const evidence = evidenceOf(claims);
  const others = [];
  for (const { claims: said, ...read } of readingsIn(record))
    others.push({ ...read, evidence: evidenceOf((await recall(said)).claims) });
  const judging = { ...plan.policy, rules };
  const reasons = [
    ...judgeReadings(evidence, others, judging),
    ...record.reasons.filter(({ rule }) => lasting.has(rule)),
    ...(await judgeSynthesis(run, call)),
  ];
  const gate = { overrides: overridesOf(evidence, judging) };
  return {
    ...run,
    record: decide({ ...record, claims: [...claims], dismissed: [...dismissed], gate }, reasons),
  };
}

/** Verdict files with one of these statuses are of no review. */
const lost = new Set(['ERROR', 'FAILED', 'UNKNOWN', 'MALFORMED']);

/** What happened to the run itself: no review tells it again. */
const lasting = new Set(['interrupted', 'month', 'imported']);

/** What was merged must be there, and trace to what the agents wrote. */
async function judgeSynthesis({ record, folder }: Run, call: Call) {
  const { disk } = call;
  const read = (name: string) => readPlainFile(disk, `${folder}/reviews/${name}`);
  const findings = listIn(parseJson(await read('findings.json')));
  const missing = [
    ...(findings ? [] : ['findings.json']),
    ...((await read('synthesis.md')) === null ? ['synthesis.md'] : []),
  ];
  const written = await readAgentFolder(disk, `${folder}/reviews`, null).catch(
    ifUserError({ agents: [], foreign: [] }),
  );
  return [
    ...missing.map(file => leavesOpen('ungrounded', file, `${file} is missing or cannot be read.`)),
    ...judgeGrounding(record.run, ground(findings ?? [], written, false)),
  ];
}

function ground(
  findings: readonly unknown[],
  { agents, foreign }: Awaited<ReturnType<typeof readAgentFolder>>,
  strict: boolean,
) {
  return groundFindings({
    findings,
    agents: agents.map(({ agent, text }) => ({ agent, index: readFindingsIndex(text) })),
    foreignSkipped: foreign.length,
    strict,
  });
}

/** The list `findings` of a file; null when there is none. */
function listIn(value: unknown) {
  return typeof value === 'object' && value && 'findings' in value && Array.isArray(value.findings)
    ? (value.findings as unknown[])
    : null;
}

/**
 * Checks the findings of a folder against what its agents wrote. Throws `UserError` (kind `input`) where the folder or its
 * `findings.json` cannot be used.
 */
export async function groundFolder(input: GroundRequest, call: Call) {
  const { dir, strict } = parseRequest(GroundRequest, input);
  const folder = path.resolve(call.cwd, dir);
  const { disk } = systemStorage;
  // An empty variable is one that is not set.
  const named = call.environment.JURY_RUN_ID || call.environment.FLUX_RUN_UUID || null;
  const written = await readAgentFolder(disk, folder, named);
  const findings = findingsIn(
    await readPlainFile(disk, path.join(folder, 'findings.json')),
    folder,
  );
  return ground(findings, written, strict);
}

function findingsIn(text: string | null, folder: string) {
  if (text === null)
    throw inputError(`${folder} holds no findings.json.`, 'Name the folder of a synthesis.');
  const file = path.join(folder, 'findings.json');
  const findings = listIn(parseJsonText({ name: file, text }));
  if (!findings) throw inputError(`${file} has no list "findings".`);
  return findings;
}

export interface Verified {
  readonly title: string;
  readonly integrity: Integrity;
  readonly evidence: JudgedEvidence | null;
}

export async function verifyChangeIn(input: VerifyRequest, call: Call): Promise<Verified> {
  const request = parseRequest(VerifyRequest, input);
  waysNamed(request);
  const report = request.coverage === undefined ? null : await readReport(request.coverage, call);
  return withRepository(call, async repository => {
    const change = await repository.change(
      request.staged
        ? { source: 'staged' }
        : request.worktree
          ? { source: 'worktree', untracked: false }
          : { source: 'revision', revision: request.range ?? 'HEAD' },
    );
    const integrity = judgeIntegrity({
      change,
      report,
      gates: gatesOf(request.gate),
      exemptions: request.exempt.map(exemptionOf),
      changedLinesMin: request.changedLinesMin,
    });
    return {
      title: change.title,
      integrity,
      evidence: request.evidence === undefined ? null : await readEvidence(request.evidence, call),
    };
  });
}

async function readReport(name: string, call: Call) {
  const report = readLcov(await readNamed(name, '--coverage', call));
  if (!report)
    throw inputError(
      `--coverage: ${name} holds no lcov records, or one that is not whole.`,
      'Most coverage tools write lcov on request, for example "vitest --coverage.reporter=lcov".',
    );
  return report;
}

function gatesOf(given: readonly string[]) {
  return Object.fromEntries(
    given.map(text => {
      const [name = '', result = ''] = text.split('=');
      if (!gateNames.some(known => known === name) || !GateResult.safeParse(result).success) {
        throw usageError(
          `--gate ${text}: expected one of ${gateNames.join(', ')}, then =pass, =fail or =not_run.`,
        );
      }
      return [name, result];
    }),
  );
}

function exemptionOf(text: string) {
  const cut = text.lastIndexOf('=');
  const [finding, reason] = [text.slice(0, cut).trim(), text.slice(cut + 1).trim()];
  if (cut < 1 || reason === '')
    throw usageError(`--exempt ${text}: an exemption needs a reason, as FINDING=REASON.`);
  return { finding, reason };
}

async function readEvidence(name: string, call: Call) {
  const text = await readNamed(name, '--evidence', call);
  const checked = StatedEvidence.safeParse(parseJsonText({ name: `--evidence: ${name}`, text }), {
    reportInput: true,
  });
  if (!checked.success) {
    const { path: place, sentence } = firstProblem(StatedEvidence, checked.error);
    throw inputError(`--evidence: ${name}: ${formatPath(place)}: ${sentence}`);
  }
  const state = await stateOf(call);
  return judgeEvidence(checked.data, async (ref, rev) => {
    const found = await textOf(ref, state, call);
    // A revision: the first 12 hex digits of SHA-256 over the lines joined with LF.
    return (
      found !== null &&
      (rev === null || sha256(found.replaceAll('\r\n', '\n')).slice(0, 12) === rev)
    );
  });
}

/** A `resources://` name, or the path of a file inside the project. */
async function textOf(ref: string, state: StateFolder, call: Call) {
  if (ref.includes('://')) return readNamedResource(state, ref, call);
  const file = path.resolve(state.project, ref);
  if (path.relative(state.project, file).startsWith('..')) return null;
  return readRegularFile(file).catch(() => null);
}
