/**
 * What a review and all reviews together come to in the words of a consensus review: VETO, WARN, OK; BLOCKED, APPROVED.
 * A veto is found by rule or claimed with grounds; claimed without them it is a warning.
 */
import { z } from 'zod';
import type { Persona } from './persona.ts';
import { isAtLeast, type Severity } from './severity.ts';

/** `ci`, two rounds of exchange, is a word of the contract and refused where it is asked for. */
export const protocols = ['veto', 'aad', 'ci', 'vote'] as const;
export const Protocol = z.enum(protocols);
export type Protocol = z.infer<typeof Protocol>;

/** How the verdicts of the reviewers decide. Null where somebody else decides and vetoes merely count besides. */
export interface ReviewRules {
  readonly protocol: Protocol;
  readonly strict: boolean;
  readonly ignoreVetos: boolean;
}

export type PanelVerdict = 'VETO' | 'WARN' | 'OK';

/** What the veto criteria look at. */
export interface VetoFinding {
  readonly severity: Severity;
  readonly category: string | null;
  readonly exploitPath?: boolean;
  /** Identifier of a known vulnerability. */
  readonly cve?: string | null;
  readonly direct?: boolean;
  readonly knownExploit?: boolean;
}

export interface VerdictRequest {
  readonly role: Persona['role'];
  /** Name of the persona: languages have criteria of their own. */
  readonly persona: string;
  readonly hasVeto: boolean;
  readonly findings: readonly VetoFinding[];
  /** As the reviewer wrote it; null when it stated none. */
  readonly claimed: string | null;
  readonly vetoReasons: readonly string[];
}

export interface JudgedVerdict {
  readonly verdict: PanelVerdict;
  /** Null when nothing that is a verdict was claimed. */
  readonly claimed: PanelVerdict | null;
  /** A veto was claimed without the power or the grounds for it. */
  readonly veto_downgraded: boolean;
}

/** First match: veto, warning, otherwise OK. */
export function judgeVerdict(request: VerdictRequest): JudgedVerdict {
  const { hasVeto, findings, vetoReasons } = request;
  const claimed = readClaimedVerdict(request.claimed);
  const isGrave = findings.some(({ severity }) => isAtLeast(severity, 'high'));
  const isGrounded = claimed === 'VETO' && (isGrave || vetoReasons.some(reason => reason.trim() !== ''));
  if (hasVeto && (isGrounded || findings.some(finding => meetsCriteria(request, finding)))) return { verdict: 'VETO', claimed, veto_downgraded: false };
  const isDowngraded = claimed === 'VETO';
  return { verdict: isGrave || isDowngraded || claimed === 'WARN' ? 'WARN' : 'OK', claimed, veto_downgraded: isDowngraded };
}

const claims: Readonly<Record<string, PanelVerdict>> = { VETO: 'VETO', WARN: 'WARN', OK: 'OK', APPROVE: 'OK', REQUEST_CHANGES: 'WARN' };

/** The other vocabularies in ours: APPROVE is OK, REQUEST_CHANGES is WARN. Null for any other word. */
export function readClaimedVerdict(stated: string | null): PanelVerdict | null {
  const word = (stated ?? '').trim().toUpperCase().replace(/[ -]/g, '_');
  return Object.hasOwn(claims, word) ? (claims[word] ?? null) : null;
}

export interface PanelReviews {
  readonly verdicts: readonly PanelVerdict[];
  /** Is there a security-sensitive file that no security reviewer read? */
  readonly lacksSecurityCoverage: boolean;
  /** Did a selected reviewer fail or return nothing usable, or is a file read by nobody? */
  readonly isIncomplete: boolean;
}

export interface VetoPolicy {
  /** Every warning counts as a veto. */
  readonly strict: boolean;
  /** Vetoes are shown and do not block. Lifts neither the security coverage nor the incompleteness. */
  readonly ignoreVetos: boolean;
}

export interface PanelDecision {
  readonly verdict: string;
  readonly outcome: 'PASS' | 'FAIL' | 'INCOMPLETE';
  readonly exitCode: 0 | 1 | 2;
}

/** First match of the table of overall verdicts. */
export function judgePanel({ verdicts, lacksSecurityCoverage, isIncomplete }: PanelReviews, { strict, ignoreVetos }: VetoPolicy): PanelDecision {
  const warnings = verdicts.filter(verdict => verdict === 'WARN').length;
  const vetoes = verdicts.filter(verdict => verdict === 'VETO').length + (strict ? warnings : 0);
  if (vetoes > 0 && !ignoreVetos) return { verdict: `BLOCKED (${vetoes} ${vetoes === 1 ? 'veto' : 'vetoes'})`, outcome: 'FAIL', exitCode: 1 };
  if (lacksSecurityCoverage) return { verdict: 'BLOCKED (security coverage)', outcome: 'FAIL', exitCode: 1 };
  if (isIncomplete) return { verdict: 'INCOMPLETE', outcome: 'INCOMPLETE', exitCode: 2 };
  if (vetoes > 0) return { verdict: 'ADVISORY', outcome: 'PASS', exitCode: 0 };
  return { verdict: warnings === 0 ? 'APPROVED' : `APPROVED (${warnings} ${warnings === 1 ? 'warning' : 'warnings'})`, outcome: 'PASS', exitCode: 0 };
}

type Criterion = (finding: VetoFinding, category: string) => boolean;

/** Only what severity, category and flags can tell; the rest of the criteria needs judgement and comes as a claimed veto. */
const criteriaByRole: Partial<Record<Persona['role'], readonly Criterion[]>> = {
  security: [
    ({ severity }) => severity === 'critical',
    ({ severity, exploitPath }) => severity === 'high' && exploitPath === true,
    (_, category) => category === 'secrets',
    (_, category) => category.includes('bypass') && category.includes('auth'),
  ],
  vulnerability: [
    ({ severity, cve, direct }) => severity === 'critical' && isNamed(cve) && direct === true,
    ({ severity, cve, knownExploit }) => severity === 'high' && isNamed(cve) && knownExploit === true,
    (_, category) => category === 'dependency-confusion',
  ],
  documentation: [(_, category) => ['wrong-information', 'missing-security-warning', 'outdated', 'broken-example', 'missing-section'].some(word => category.includes(word))],
};

const goCriteria: readonly Criterion[] = [
  (_, category) => ['goroutine-leak', 'data-race', 'context-not-propagated'].some(word => category.includes(word)),
  ({ severity }, category) => severity === 'critical' && category.includes('ignored-error'),
];

function meetsCriteria({ role, persona }: VerdictRequest, finding: VetoFinding): boolean {
  const category = (finding.category ?? '').trim().toLowerCase().replace(/[\s_/]/g, '-');
  const criteria = persona === 'go-reviewer' ? goCriteria : (criteriaByRole[role] ?? []);
  return criteria.some(criterion => criterion(finding, category));
}

function isNamed(cve: string | null | undefined): boolean {
  return typeof cve === 'string' && cve.trim() !== '';
}
