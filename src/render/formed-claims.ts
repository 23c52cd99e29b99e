/** The claims that findings from elsewhere form: for people in a terminal, and as a program reads them. */
import type { Consensus } from '../answers/index.ts';
import { groupBy } from '../core/groups.ts';
import { PrintedClaims } from '../core/printed/reports.ts';
import { claimNumbers, orderClaims } from '../core/words/claim.ts';
import { describeClaim } from './describe-claims.ts';
import { count } from './figures.ts';
import { printJson } from './json.ts';
import { data, lines, list, more, part, remark, say, title } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';

/** `jury.claims/1`, whose schema keeps the keys it names. Findings are referred to by their index. */
export function renderClaimsJson({ claims, findings, panel, ...rest }: Consensus) {
  const indexes = new Map(findings.map(({ index, finding }) => [finding.id, index]));
  const claimOf = new Map(claims.flatMap(claim => claim.findings.map(({ id }) => [id, claim.id])));
  return printJson(
    PrintedClaims.parse({
      schema: 'jury.claims/1',
      ...rest,
      claims: claims.map(claim => ({
        ...claim,
        findings: claim.findings
          .flatMap(({ id }) => indexes.get(id) ?? [])
          .toSorted((one, other) => one - other),
        against: claim.against.map(denial => ({
          ...denial,
          finding: indexes.get(denial.finding) ?? null,
        })),
      })),
      reviewers: panel,
      findings: findings.map(({ finding, ...taken }) => ({
        ...finding,
        ...taken,
        id: finding.originalId,
        claim: claimOf.get(finding.id) ?? null,
      })),
    }),
  );
}

const mostClaims = 40;
const mostReviewers = 20;

/** Who said how much, then what they agree on. */
export function renderClaimsTerminal(
  { findings, panel, claims, strategy }: Consensus,
  options: RenderOptions,
) {
  const record = { claims: [...claims], blocking: [] };
  const numbers = claimNumbers(record);
  const shared = claims.filter(({ agreement }) => agreement !== 'single').length;
  const threshold = strategy.threshold === null ? '' : ` at ${strategy.threshold}`;
  // What was left out is kept and counted, but in no claim.
  const sharesOf = (reviewer: string) => {
    const own = findings.filter(({ finding }) => finding.reviewer === reviewer);
    const left = groupBy(
      own.flatMap(({ leftOut }) => leftOut ?? []),
      reason => reason,
    );
    return [
      count(own.length, 'finding'),
      ...[...left].map(([reason, those]) => `${those.length} left out (${reason})`),
    ].join(', ');
  };
  return paintTerminal(
    [
      title(
        1,
        `${count(findings.length, 'finding')} of ${count(panel.length, 'reviewer')} form `,
        `${count(claims.length, 'claim')}, ${shared} of them of more than one reviewer`,
      ),
      ...lines([remark(`matched by strategy ${strategy.name}${threshold}`)]),
      ...list([
        ...panel
          .slice(0, mostReviewers)
          .map(reviewer => say`${data(reviewer, 100)}: ${sharesOf(reviewer)}`),
        more(panel.length - mostReviewers, 'reviewer'),
      ]),
      ...part(
        `Claims (${claims.length})`,
        orderClaims(record)
          .slice(0, mostClaims)
          .map(claim => describeClaim(claim, { numbers })),
      ),
      ...lines(more(claims.length - mostClaims, 'claim', ['; --json prints them all.'])),
    ],
    options,
  );
}
