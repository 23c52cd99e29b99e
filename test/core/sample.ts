/** Small valid records for tests of the core; each test changes only what it is about. */
import type { Disposition, KnownClaim } from '../../src/core/words/run.ts';
import type { Persona } from '../../src/core/words/persona.ts';
import type { Change, ChangedFile } from '../../src/core/words/change.ts';
import type { Claim } from '../../src/core/words/claim.ts';
import type { Finding, Location } from '../../src/core/words/finding.ts';
import { noUsage, type Failure, type Review } from '../../src/core/words/review.ts';

export function sampleChange(changes: Partial<Change> = {}): Change {
  return {
    kind: 'change',
    source: 'range',
    base: 'b',
    head: 'h',
    title: 'b..h',
    warnings: [],
    files: [],
    ...changes,
  };
}

export function sampleFile(changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path: 'src/a.ts',
    oldPath: null,
    status: 'modified',
    oldMode: '100644',
    newMode: '100644',
    oldId: '1'.repeat(40),
    newId: '2'.repeat(40),
    content: 'text',
    additions: 1,
    deletions: 0,
    hunks: [],
    ...changes,
  };
}

type Hunk = ChangedFile['hunks'][number];

/** Each side as its first line and its number of lines. */
export function sampleHunk(
  [oldStart, oldLines]: readonly [number, number],
  [newStart, newLines]: readonly [number, number],
  lines: Hunk['lines'] = [],
): Hunk {
  return { oldStart, oldLines, newStart, newLines, heading: '', lines };
}

export function sampleLocation(changes: Partial<Location> = {}): Location {
  return {
    path: 'src/a.ts',
    line: 1,
    endLine: null,
    side: 'new',
    anchoring: 'exact',
    checked: false,
    note: null,
    ...changes,
  };
}

export function sampleFinding(changes: Partial<Finding> = {}): Finding {
  const reviewer = changes.reviewer ?? 'alpha';
  const originalId = changes.originalId ?? '#1';
  return {
    id: `${reviewer}/${originalId}`,
    reviewer,
    originalId,
    severity: 'critical',
    label: 'CRITICAL',
    text: 'SQL built from user input',
    location: null,
    isImprovement: false,
    section: null,
    category: null,
    evidence: null,
    recommendation: null,
    raw: 'CRITICAL|SQL built from user input',
    notes: [],
    ...changes,
  };
}

export function sampleReview(changes: Partial<Review> = {}): Review {
  return {
    reviewer: 'alpha',
    persona: 'code-quality-reviewer',
    runner: 'command',
    model: null,
    required: false,
    status: 'complete',
    failure: null,
    format: 'lines',
    findings: [],
    statedVerdict: null,
    coverage: [{ path: 'src/a.ts', extent: 'full', why: null }],
    usage: noUsage,
    attempts: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    timeoutSeconds: 120,
    unparsed: [],
    dropped: { placeholder: 0, template: 0, prompt: 0 },
    repairs: [],
    notes: [],
    votes: [],
    ...changes,
  };
}

export function failureOf(cause: Failure['cause'], message = ''): Failure {
  return { cause, message, exitCode: null, httpStatus: null };
}

export function failedReview(reviewer: string, cause: Failure['cause'] = 'deadline'): Review {
  return sampleReview({
    reviewer,
    status: 'failed',
    failure: failureOf(cause),
    format: null,
    coverage: [],
  });
}

export function sampleClaim(changes: Partial<Claim> = {}): Claim {
  const findings = changes.findings ?? [sampleFinding()];
  return {
    id: 'c-0000000001',
    severity: 'critical',
    label: 'CRITICAL',
    agreement: 'single',
    supporters: ['alpha'],
    electors: ['alpha', 'beta'],
    electorate: 2,
    confidence: null,
    text: 'SQL built from user input',
    location: null,
    findings,
    severityConflict: null,
    contradicts: [],
    matters: null,
    worth: null,
    act: null,
    against: [],
    state: 'new',
    ...changes,
  };
}

export function sampleKnownClaim(changes: Partial<KnownClaim> = {}): KnownClaim {
  return {
    id: 'c-0000000001',
    text: 'SQL built from user input',
    severity: 'high',
    category: null,
    path: null,
    line: null,
    side: 'new',
    code: null,
    files: [],
    wordings: [],
    supporters: [],
    history: [],
    ...changes,
  };
}

export function sampleDisposition(changes: Partial<Disposition> = {}): Disposition {
  return {
    claim: 'c-0000000001',
    verdict: 'rejected',
    reason: 'why',
    scope: 'claim',
    until: null,
    at: '2026-11-21T00:00:00Z',
    severity: 'high',
    category: null,
    path: null,
    code: null,
    text: 'text',
    ...changes,
  };
}

export function samplePersona(changes: Partial<Persona> = {}): Persona {
  return {
    name: 'code-quality-reviewer',
    role: 'code-quality',
    focus: 'x',
    veto: false,
    budget: 1000,
    capability: 'review',
    files: [],
    instructions: '',
    ...changes,
  };
}
