/** Claims for the Markdown report, by tier; every finding stands in its reviewer's own words. */
import type { Claim } from '../core/claim.ts';
import type { Finding, Location } from '../core/finding.ts';
import { printedIdOf } from '../core/finding-names.ts';
import type { RunRecord } from '../core/run.ts';
import { dismissalOf, termsOf } from './closed-claims.ts';
import { describeVote } from './deliberation.ts';
import { code, codeCell, codeList, tableOf } from './markdown-text.ts';
import { isClosed, rankClaims, tiersOf, type Tier } from './ranking.ts';
import { pathText } from './terminal-text.ts';

export function listClaims(record: RunRecord): string[] {
  const open = record.claims.filter(claim => !isClosed(claim));
  if (open.length === 0) return ['None.'];
  const ranked = rankClaims(open, record.blocking);
  const blockers = new Set(record.blocking);
  return [...listIndex(ranked, blockers), ...tiersOf(ranked).flatMap(tier => listTier(tier, blockers))];
}

/** As whole as the others: what was dismissed was said all the same. */
export function listDismissed(record: RunRecord): string[] {
  return rankClaims(record.claims.filter(isClosed), []).flatMap((claim, index) => {
    const dismissal = dismissalOf(record, claim.id);
    return [...(index === 0 ? [] : ['']), ...listClaim(claim, false), ...(dismissal === null ? [] : [`- Dismissed: ${code(dismissal.reason)}${termsOf(dismissal)}`])];
  });
}

export function listFixed({ fixed }: RunRecord): string[] {
  return fixed.map(({ id, severity, text, location, reason }) => `- ${id}, ${severity}${location === null ? '' : `, ${code(location.line === null ? pathText(location.path) : `${pathText(location.path)}:${location.line}`)}`}: ${code(text)}. ${code(reason)}`);
}

export function listFindings(findings: readonly Finding[]): string[] {
  return findings.flatMap(listFinding);
}

/** The only links of the report: to headings of this file, which are claim ids of a checked shape. */
function listIndex(claims: readonly Claim[], blockers: ReadonlySet<string>): string[] {
  const rows = claims.map(claim => [
    `[${claim.id}](#${claim.id})`,
    `${claim.severity}${blockers.has(claim.id) ? ', blocks' : ''}`,
    `${claim.supporters.length}/${claim.electorate}`,
    claim.location === null ? '–' : codeCell(placeOf(claim.location)),
    codeCell(claim.text),
  ]);
  return tableOf(['Claim', 'Severity', 'Support', 'Place', 'Wording'], rows);
}

function listTier({ name, claims }: Tier, blockers: ReadonlySet<string>): string[] {
  return ['', `### ${name} (${claims.length})`, ...claims.flatMap(claim => ['', ...listClaim(claim, blockers.has(claim.id))])];
}

function listClaim(claim: Claim, isBlocking: boolean): string[] {
  const conflict = claim.severityConflict === null ? [] : [`- Severities differ: ${Object.entries(claim.severityConflict).map(([name, severity]) => `${code(name)} ${severity}`).join(', ')}`];
  return [
    `#### ${claim.id}`,
    '',
    code(claim.text),
    '',
    `- Severity: ${claim.severity}, label ${code(claim.label)}${isBlocking ? ', blocks the gate' : ''}`,
    `- Support: ${claim.supporters.length} of ${claim.electorate}: ${codeList(claim.supporters)}`,
    `- Place: ${describePlace(claim.location)}`,
    `- State: ${claim.state}${claim.confidence === null ? '' : `, confidence ${claim.confidence}`}`,
    ...conflict,
    ...(claim.contradicts.length === 0 ? [] : [`- Contradicts: ${codeList(claim.contradicts)}`]),
    ...listVote(claim),
    '- Said:',
    ...claim.findings.flatMap(listFinding).map(line => `  ${line}`),
  ];
}

/** Every vote and every dissent in the reviewer's own words. */
function listVote({ deliberation }: Claim): string[] {
  if (deliberation === undefined) return [];
  const { votes, noResponse, dissent, panel, confidenceBefore } = deliberation;
  return [
    `- Vote: ${code(describeVote(deliberation))}${confidenceBefore === null ? '' : `, confidence before ${confidenceBefore}`}`,
    ...votes.map(({ reviewer, stance, reasoning, concerns }) => `  - ${code(reviewer)} ${stance}: ${code([reasoning, ...concerns].filter(text => text.trim() !== '').join(' '))}`),
    ...noResponse.map(({ reviewer, error }) => `  - ${code(reviewer)} did not answer: ${code(error)}`),
    ...(panel === null ? [] : [`  - Panel: for it ${codeList(panel.supporters)}; against it ${codeList(panel.critics)}; on neither side ${codeList(panel.neutrals)}`]),
    ...Object.entries(panel?.votes ?? {}).map(([reviewer, vote]) => `  - ${code(reviewer)} votes ${vote} on the panel`),
    ...dissent.map(({ reviewer, opinion }) => `  - Dissent of ${code(reviewer)}: ${code(opinion)}`),
  ];
}

function listFinding(finding: Finding): string[] {
  const details = [
    ['Section', finding.section],
    ['Category', finding.category],
    ['Evidence', finding.evidence],
    ['Recommendation', finding.recommendation],
  ] as const;
  return [
    `- ${code(printedIdOf(finding.id))}, ${finding.severity}, label ${code(finding.label)}, ${describePlace(finding.location)}: ${code(finding.text)}`,
    ...details.flatMap(([name, text]) => (text === null || text === '' ? [] : [`  - ${name}: ${code(text)}`])),
    ...finding.notes.map(note => `  - Note: ${code(note)}`),
  ];
}

function describePlace(location: Location | null): string {
  if (location === null) return 'no place named';
  const words: Record<Location['anchoring'], string> = {
    exact: location.checked ? 'quote found there' : 'line exists, no quote compared',
    moved: 'quote found, line corrected',
    ambiguous: 'quote found at several places',
    unanchored: 'place not found in the subject',
  };
  const side = location.side === 'old' ? ', before the change' : '';
  return `${code(placeOf(location))} (${words[location.anchoring]}${side}${location.note === null ? '' : `; ${code(location.note)}`})`;
}

function placeOf({ path, line, endLine }: Location): string {
  if (line === null) return pathText(path);
  return `${pathText(path)}:${line}${endLine !== null && endLine > line ? `-${endLine}` : ''}`;
}
