/** The claims that findings from elsewhere form: for people in a terminal, and as a program reads them. */
import { type Claim, claimNumbers, orderClaims } from '../core/words/claim.ts';
import type { Finding } from '../core/words/finding.ts';
import type { Consensus, TakenFinding } from '../answers/index.ts';
import { describeClaim } from './describe-claims.ts';
import { count } from './figures.ts';

import type { RenderOptions } from './page.ts';
import { data, list, part, remark, title, type Line } from './section.ts';
import { paintTerminal } from './to-terminal.ts';
import { printJson } from './json.ts';

/** `jury.claims/1`. Findings are referred to by their index. */
export function renderClaimsJson({
  strategy,
  claims,
  findings,
  panel,
  warnings,
}: Consensus): string {
  const indexOf = new Map(findings.map(({ index, finding }) => [finding.id, index]));
  const claimOf = new Map(
    claims.flatMap(claim => claim.findings.map(({ id }) => [id, claim.id] as const)),
  );
  const record = {
    schema: 'jury.claims/1',
    strategy,
    claims: claims.map(claim => toClaim(claim, indexOf)),
    warnings,
    reviewers: panel,
    findings: findings.map(taken => toFinding(taken, claimOf.get(taken.finding.id) ?? null)),
  };
  return printJson(record);
}

function toClaim(claim: Claim, indexOf: ReadonlyMap<string, number>): object {
  const {
    id,
    supporters,
    electorate,
    agreement,
    severity,
    confidence,
    matters,
    worth,
    act,
    text,
    location,
    severityConflict,
    contradicts,
    against,
  } = claim;
  const indexes = claim.findings
    .map(finding => indexOf.get(finding.id))
    .filter(index => index !== undefined);
  return {
    id,
    findings: indexes.toSorted((one, other) => one - other),
    supporters,
    electorate,
    agreement,
    severity,
    confidence,
    matters,
    worth,
    act,
    text,
    location: placeOf(location),
    severityConflict,
    contradicts,
    against: against.map(({ reviewer, finding, statement }) => ({
      reviewer,
      finding: indexOf.get(finding) ?? null,
      statement,
    })),
  };
}

/** `leftOut` says why a finding is in no claim; `claim` is null then. */
function toFinding(
  { index, source, rule, leftOut, finding }: TakenFinding,
  claim: string | null,
): object {
  const { reviewer, originalId, severity, label, text, location } = finding;
  return {
    index,
    source,
    reviewer,
    id: originalId,
    severity,
    label,
    rule,
    text,
    location: placeOf(location),
    claim,
    leftOut,
  };
}

function placeOf(location: Finding['location']): object | null {
  return location === null
    ? null
    : { path: location.path, line: location.line, endLine: location.endLine };
}

const mostClaims = 40;
const mostReviewers = 20;

/** Who said how much, then what they agree on. */
export function renderClaimsTerminal(
  { findings, panel, claims, strategy }: Consensus,
  options: RenderOptions,
): string {
  const record = { claims: [...claims], blocking: [] };
  const numbers = claimNumbers(record);
  const shared = claims.filter(({ agreement }) => agreement !== 'single').length;
  const said =
    `${count(findings.length, 'finding')} of ${count(panel.length, 'reviewer')} form ` +
    `${count(claims.length, 'claim')}, ${shared} of them of more than one reviewer`;
  const matched = `matched by strategy ${strategy.name}${strategy.threshold === null ? '' : ` at ${strategy.threshold}`}`;
  const rest = claims.length - mostClaims;
  return paintTerminal(
    [
      title(1, said),
      ...list([[remark(matched)]], { bullets: false }),
      ...list([
        ...panel.slice(0, mostReviewers).map(reviewer => sharesOf(reviewer, findings)),
        ...(panel.length > mostReviewers
          ? [[`… and ${count(panel.length - mostReviewers, 'more reviewer')}`]]
          : []),
      ]),
      ...part(
        `Claims (${claims.length})`,
        orderClaims(record)
          .slice(0, mostClaims)
          .map(claim => describeClaim(claim, { numbers, isBlocking: false })),
      ),
      ...list(rest > 0 ? [[`… and ${count(rest, 'more claim')}; --json prints them all.`]] : [], {
        bullets: false,
      }),
    ],
    options,
  );
}

/** `alpha: 12 findings, 3 left out (suppressed)`: those are kept and counted, but in no claim. */
function sharesOf(reviewer: string, findings: Consensus['findings']): Line {
  const own = findings.filter(({ finding }) => finding.reviewer === reviewer);
  const reasons = new Map<string, number>();
  for (const { leftOut } of own)
    if (leftOut !== null) reasons.set(leftOut, (reasons.get(leftOut) ?? 0) + 1);
  return [
    data(reviewer, 100),
    ': ',
    [
      count(own.length, 'finding'),
      ...[...reasons].map(([reason, amount]) => `${amount} left out (${reason})`),
    ].join(', '),
  ];
}
