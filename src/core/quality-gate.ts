/**
 * The quality gate: closed unless what lies in the run folder proves that the change was reviewed. It reads files, not
 * intentions: the absence of a sign of success is never success.
 */
import { z } from 'zod';
import { outcomes } from './gate.ts';
import type { Seat } from './config.ts';
import type { Grounding } from './write-behind/grounding.ts';

/** Rules that close the gate, in the order they are looked at. */
export const closedRules = ['no-verdicts', 'required-reviewer', 'quorum', 'missing-synthesis', 'input-changed', 'ungrounded', 'security-coverage', 'incomplete'] as const;
export const failingRules = ['engine', 'findings', 'blocked'] as const;

export const GateReason = z.object({ rule: z.enum([...failingRules, ...closedRules]), sentence: z.string() });
export type GateReason = z.infer<typeof GateReason>;

export const Override = z.object({ rule: z.string(), reason: z.string(), source: z.string() });
export type Override = z.infer<typeof Override>;

export const GateReport = z.object({
  result: z.enum(['PASS', 'FAIL']),
  /** 0 pass; 1 findings or a blocked reviewer; 2 closed. */
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Empty for a pass. What was found stands before what is missing. */
  reasons: z.array(GateReason),
  overrides: z.array(Override),
  /** What the run itself came to, before its folder was looked at. */
  run: z.object({ outcome: z.enum(outcomes), reasons: z.array(z.string()) }),
});
export type GateReport = z.infer<typeof GateReport>;

export interface GateEvidence {
  readonly run: GateReport['run'];
  /** What the engine itself found, one sentence each. Absent: nothing. */
  readonly found?: readonly string[];
  /** What keeps the run from being proof whatever its reviewers say. */
  readonly gaps: readonly string[];
  /** Verdict files by agent; `MALFORMED` where a file cannot be read, `UNKNOWN` where its status is none. */
  readonly verdicts: readonly { readonly agent: string; readonly status: string }[];
  /** Agents with a file in the state `malformed`. */
  readonly malformed: readonly string[];
  readonly required: readonly string[];
  readonly quorum: number;
  /** Of `findings.json` and `synthesis.md`, those that are not there or cannot be read. */
  readonly missing: readonly string[];
  /** Severities of the merged findings, as `P0` to `P3`. */
  readonly levels: readonly string[];
  readonly input: { readonly recorded: string | null; readonly current: string | null };
  /** Null where there is nothing to ground. */
  readonly grounding: Grounding | null;
  /** Sensitive files that no security reviewer with a valid review read in full, each with the rule that makes it sensitive. */
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[];
  /** Value of `JURY_SKIP_SECURITY`; null or blank: not set. */
  readonly skipSecurity: string | null;
}

/** Reviews with one of these statuses prove nothing. */
const unusable: ReadonlySet<string> = new Set(['ERROR', 'FAILED', 'PARTIAL', 'UNKNOWN', 'MALFORMED']);

export function judgeQuality(evidence: GateEvidence): GateReport {
  const failing = findFaults(evidence);
  const skipped = (evidence.skipSecurity ?? '').trim();
  const isSkipped = skipped !== '' && evidence.uncovered.length > 0;
  const missing = findClosed(evidence, isSkipped);
  // Coverage and the like: named only where nothing more telling is.
  const closed = missing.length > 0 || evidence.run.outcome !== 'INCOMPLETE' ? [...missing, ...evidence.gaps.map(incomplete)] : evidence.run.reasons.map(incomplete);
  const exitCode = failing.length > 0 ? 1 : closed.length > 0 ? 2 : 0;
  return {
    result: exitCode === 0 ? 'PASS' : 'FAIL', exitCode, reasons: [...failing, ...closed],
    run: evidence.run,
    overrides: isSkipped ? [{ rule: 'security-coverage', reason: skipped, source: 'JURY_SKIP_SECURITY' }] : [],
  };
}

function incomplete(sentence: string): GateReason {
  return { rule: 'incomplete', sentence };
}

function findFaults({ levels, verdicts, run, found = [] }: GateEvidence): GateReason[] {
  const [critical, high] = ['P0', 'P1'].map(level => levels.filter(each => each === level).length);
  const blocked = verdicts.filter(({ status }) => status === 'BLOCKED').map(({ agent }) => agent);
  const isFailed = run.outcome === 'FAIL' && !critical && !high && found.length === 0;
  return [
    ...found.map(sentence => ({ rule: 'engine' as const, sentence })),
    ...(isFailed ? [{ rule: 'findings' as const, sentence: run.reasons[0] ?? 'A fail rule is hit.' }] : []),
    ...(critical || high ? [{ rule: 'findings' as const, sentence: `There are ${critical ?? 0} P0 and ${high ?? 0} P1 findings.` }] : []),
    ...(blocked.length > 0 ? [{ rule: 'blocked' as const, sentence: `${blocked.join(', ')} blocked the change.` }] : []),
  ];
}

function findClosed(evidence: GateEvidence, isSecuritySkipped: boolean): GateReason[] {
  const { verdicts, quorum, missing, input, grounding, uncovered } = evidence;
  const usable = verdicts.filter(({ agent, status }) => !unusable.has(status) && !evidence.malformed.includes(agent)).length;
  const [uncoveredFile] = uncovered;
  const close = (rule: GateReason['rule'], isClosed: boolean, sentence: string): GateReason[] => (isClosed ? [{ rule, sentence }] : []);
  return [
    ...close('no-verdicts', verdicts.length === 0, 'There is no verdict file.'),
    ...findUnusable(evidence),
    ...close('quorum', usable < quorum, `${usable} of ${verdicts.length} reviews are usable; the quorum is ${quorum}.`),
    ...missing.map(file => ({ rule: 'missing-synthesis' as const, sentence: `${file} is missing or cannot be read.` })),
    ...close('input-changed', input.current === null || input.recorded !== input.current, 'The input has changed since the review.'),
    ...close('ungrounded', grounding?.status === 'violation', `${grounding?.ungrounded.length ?? 0} of ${grounding?.checked ?? 0} merged findings trace to nothing a reviewer wrote.`),
    ...close('security-coverage', uncoveredFile !== undefined && !isSecuritySkipped, `${uncoveredFile?.path ?? ''}${uncovered.length > 1 ? ` and ${uncovered.length - 1} more` : ''} has no valid security review (${uncoveredFile?.reason ?? ''}).`),
  ];
}

/** A required reviewer without a file is one that failed. */
function findUnusable({ required, verdicts, malformed }: GateEvidence): GateReason[] {
  return required.flatMap(agent => {
    const status = verdicts.find(verdict => verdict.agent === agent)?.status ?? 'ERROR';
    const state = unusable.has(status) ? status : malformed.includes(agent) ? 'MALFORMED' : null;
    return state === null ? [] : [{ rule: 'required-reviewer' as const, sentence: `Required reviewer ${agent} is ${state}.` }];
  });
}

export interface SecurityCoverage {
  readonly sensitive: readonly { readonly path: string; readonly reason: string }[];
  readonly seats: readonly Pick<Seat, 'id' | 'persona'>[];
  readonly verdicts: GateEvidence['verdicts'];
  /** As a run records it: who read each file in full. */
  readonly coverage: { readonly files: readonly { readonly path: string; readonly by: readonly string[] }[] };
}

/** Sensitive files that no security reviewer with a usable review read in full. */
export function uncoveredFiles({ sensitive, seats, verdicts, coverage }: SecurityCoverage): GateEvidence['uncovered'] {
  const guards = new Set(seats.filter(({ id, persona }) => persona.role === 'security' && verdicts.some(({ agent, status }) => agent === id && !unusable.has(status))).map(({ id }) => id));
  const covered = new Set(coverage.files.filter(({ by }) => by.some(id => guards.has(id))).map(({ path }) => path));
  return sensitive.filter(({ path }) => !covered.has(path));
}
