/** Judges a run that has ended by the rules of the gates, and a synthesis by what its agents wrote. Nobody is asked. */
import path from 'node:path';
import { readApprovals } from '../adapters/memory/allowed-records.ts';
import { readAgentFolder, readPlainFile } from '../adapters/store/agent-folder.ts';
import { readVerdicts } from '../adapters/store/run-folder.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import { ifUserError, inputError } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { parseJsonText, readFindingsIndex } from '../answers/index.ts';
import { GroundRequest } from '../core/request.ts';
import { groundFindings } from '../core/run-files/merged-findings.ts';
import type { Claim, Grounding } from '../core/words/claim.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { judgeReadings, openEvidence, readingsIn } from '../core/verdict/readings.ts';
import { type Evidence, judgeGrounding, leavesOpen, overridesOf } from '../core/verdict/judges.ts';
import { decide } from '../core/verdict/outcome.ts';
import type { Run } from '../core/words/run.ts';
import { type Call, storageOf } from './call.ts';
import { requirePlan, readEndedRun, stateOf } from './own-state.ts';
import { readOutcomeRules } from './settle.ts';
import { hasChanged } from './subjects.ts';

/**
 * By the judges of every run, from the reviews it holds; what of its folder is missing is no review. Nothing is written. Throws
 * `UserError` for a question.
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
  const evidence = evidenceOf(record.claims);
  const others = readingsIn(record).map(({ claims, ...read }) => ({
    ...read,
    evidence: evidenceOf(claims),
  }));
  const judging = { ...plan.policy, rules };
  const reasons = [
    ...judgeReadings(evidence, others, judging),
    ...record.reasons.filter(({ rule }) => lasting.has(rule)),
    ...(await judgeSynthesis(run, call)),
  ];
  const gate = { overrides: overridesOf(evidence, judging) };
  return { ...run, record: decide({ ...record, gate }, reasons) };
}

/** Verdict files with one of these statuses are of no review. */
const lost = new Set(['ERROR', 'FAILED', 'UNKNOWN', 'MALFORMED']);

/** What happened to the run itself: no review tells it again. */
const lasting = new Set(['interrupted', 'month', 'imported']);

/** What was merged must be there, and trace to what the agents wrote. */
async function judgeSynthesis({ record, folder }: Run, call: Call) {
  const { disk } = storageOf(call);
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
function listIn(value: unknown): readonly unknown[] | null {
  return typeof value === 'object' &&
    value !== null &&
    'findings' in value &&
    Array.isArray(value.findings)
    ? (value.findings as unknown[])
    : null;
}

/**
 * Checks the findings of a folder against what its agents wrote. Throws `UserError` (kind `input`) where the folder or its
 * `findings.json` cannot be used.
 */
export async function groundFolder(input: GroundRequest, call: Call): Promise<Grounding> {
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
