/** The brief of the write-behind contract: its lines in its order, the outcome as one word, the ids such that people can type them. */
import { printedNames } from '../finding-names.ts';
import { describeAside, describeEngineFinding, describeValidation, listNames, most, titleOf } from './brief.ts';
import { toMergedFindings, type MergedFinding } from './merged-findings.ts';
import { cutToTokens, mostTokensOf, toOneLine } from './one-line.ts';
import type { ReturnedRun } from '../run.ts';
import { needsAttention } from '../verdict/review-status.ts';

const levels = ['P0', 'P1', 'P2', 'P3'] as const;
const mostLines = 15;
const mostFindings = 5;

export function renderContractBrief(run: ReturnedRun): string {
  const { record, folder } = run;
  const merged = toMergedFindings(run);
  const found = record.engineFindings ?? [];
  const names = printedNames(record.claims);
  const places = new Map(record.claims.map(({ id, location }) => [id, location]));
  const printed = (finding: MergedFinding): MergedFinding => ({ ...finding, id: names.get(finding.claim) ?? finding.claim, title: titleOf(finding.title, places.get(finding.claim) ?? null) });
  const head = [
    'Protocol: 1.0',
    `Run: ${record.run} (${cutToTokens(toOneLine(record.command), most.process)})`,
    `Validation: ${describeValidation(record.reviewers)}`,
    `Verdict: ${merged.verdict}`,
    `Gate: ${record.outcome}`,
    ...(record.outcome === 'PASS' || record.reasons[0] === undefined ? [] : [`Reason: ${cutToTokens(toOneLine(record.reasons[0].sentence), most.reason)}${record.reasons.length > 1 ? ` (+${record.reasons.length - 1} more)` : ''}`]),
    ...merged.overrides.slice(0, 1).map(({ rule, reason, source }) => `Override: ${rule} lifted by ${source}: ${cutToTokens(toOneLine(reason), most.reason)}`),
    `${levels.map(level => `${level}: ${merged.findings.filter(({ severity }) => severity === level).length + (level === 'P0' ? found.length : 0)}`).join(' | ')} | IMP: ${merged.improvements.length}${describeAside(record)}`,
    `Conflicts: ${merged.conflicts.length || 'none'}`,
  ];
  const tail = [
    `Attention: ${listNames(record.reviewers.filter(needsAttention).map(({ id }) => id), most.attention)}`,
    `Report: ${cutToTokens(toOneLine(`${folder}/reviews/synthesis.md`), most.report)}`,
  ];
  const room = Math.min(mostFindings, mostLines - head.length - tail.length - 1);
  const ranked = merged.findings.toSorted((one, other) => levels.indexOf(one.severity) - levels.indexOf(other.severity) || other.convergence - one.convergence);
  const top = [...found.map(({ text }) => (share: number) => describeEngineFinding(text, share)), ...ranked.map(finding => (share: number) => describeFinding(printed(finding), share))].slice(0, room);
  const heading = top.length === 0 ? 'Top findings: none' : 'Top findings:';
  const tokens = most.whole - mostTokensOf([...head, heading, ...tail].join('\n'));
  return [...head, heading, ...top.map(describe => describe(Math.floor(tokens / top.length) - 1)), ...tail].join('\n');
}

/** The title gives way first: who says it, how many, and the id to ask for more stay whole. */
function describeFinding({ severity, title, agents, convergence, convergence_of: of, id, claim }: MergedFinding, tokens: number): string {
  const start = `- [${severity}] `;
  const name = toOneLine(id);
  // An id is the reviewer's own text: one that is too long to hand on is replaced by that of the claim.
  const end = ` — ${listNames(agents, most.agents)} (${convergence}/${of}) ${mostTokensOf(name) > most.id ? claim : name}`;
  return start + cutToTokens(title, tokens - mostTokensOf(start + end)) + end;
}
