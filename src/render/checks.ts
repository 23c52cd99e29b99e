/** What the checks that ask nobody print: `jury ground` and `jury verify`. */
import type { Consensus } from '../answers/index.ts';
import { groupBy } from '../core/groups.ts';
import { type Integrity, type JudgedEvidence, gateNames } from '../core/integrity/integrity.ts';
import { PrintedClaims } from '../core/printed/reports.ts';
import { type Grounding, claimNumbers, orderClaims } from '../core/words/claim.ts';
import { describeClaim } from './describe-claims.ts';
import { count, oneLine } from './figures.ts';
import { printJson } from './json.ts';
import { data, lines, list, more, part, remark, say, title } from './section.ts';
import { type RenderOptions, paintTerminal } from './to-terminal.ts';

const longestList = 200;

/** One line when all is well, else the entries that no index has. */
export function renderGrounding(grounding: Grounding) {
  const { status, checked, foreign_skipped: foreign } = grounding;
  const problems = listProblems(grounding);
  if (status === 'violation')
    return {
      output: '',
      notes: [`grounding: VIOLATION — ${countProblems(grounding)}`, ...problems],
    };
  const ok =
    `grounding: OK — ${checked - grounding.ungrounded.length} synthesized findings verified against ` +
    `agent indexes (${foreign} foreign files skipped)\n`;
  return {
    output: ok,
    notes: status === 'warn' ? [`grounding: warn — ${countProblems(grounding)}`, ...problems] : [],
  };
}

function countProblems({
  checked,
  ungrounded,
  severity_mismatch: severities,
  wrong_agent: agents,
}: Grounding) {
  return (
    `${ungrounded.length} of ${checked} synthesized findings ungrounded, ${severities.length} with ` +
    `another severity, ${agents.length} with a wrong agent`
  );
}

function listProblems({
  ungrounded,
  severity_mismatch: severities,
  wrong_agent: agents,
}: Grounding) {
  const lines = [
    ...ungrounded.map(entry => {
      const [level = '', ...id] = entry.split('|');
      return `  - ungrounded: ${level} ${oneLine(id.join('|'), 200)} (no index entry with this id)`;
    }),
    ...severities.map(entry => `  - severity differs: ${oneLine(entry, 300)}`),
    ...agents.map(entry => `  - wrong-agent: ${oneLine(entry, 300)}`),
  ];
  return lines.length <= longestList
    ? lines
    : [...lines.slice(0, longestList), `  … and ${lines.length - longestList} more`];
}

const shownOfEach = 20;

/** A line for each check, and under it what was found. `hasReport`: did anybody name what tests covered? */
export function renderIntegrity(
  {
    title,
    integrity,
    evidence,
  }: {
    readonly title: string;
    readonly integrity: Integrity;
    readonly evidence: JudgedEvidence | null;
  },
  hasReport: boolean,
) {
  const exempted = new Map(integrity.exemptions.map(({ finding, reason }) => [finding, reason]));
  return [
    `Verify ${oneLine(title)}: ${integrity.ok ? 'ok' : 'not ok'}`,
    ...(hasReport || integrity.changed_lines.ok !== false
      ? [
          coverageLine(integrity.changed_lines),
          ...integrity.changed_lines.without_records.map(
            path => `    ${oneLine(path)} is not in the coverage report`,
          ),
        ]
      : [
          `Changed lines: ${count(integrity.changed_lines.total, 'line')} of code, no coverage report: not ok`,
          '    --coverage FILE names the lcov report of your tests',
        ]),
    ...listed('Tests switched off', integrity.skipped_tests, exempted),
    ...listed('Placeholders', integrity.placeholders, exempted),
    ...listed('Changes that do nothing', integrity.no_ops, exempted),
    `Gates: ${gateNames.map(name => `${name} ${integrity.gates[name].replace('_', ' ')}`).join(', ')}`,
    ...(evidence === null ? [] : evidenceLines(evidence)),
  ].join('\n');
}

function coverageLine({ executable, covered, ratio, min, ok, total }: Integrity['changed_lines']) {
  if (ok === 'not_applicable') return 'Changed lines: no code changed';
  const needed = `${Math.round(min * 100)} % needed`;
  if (executable === 0)
    return `Changed lines: ${count(total, 'line')} of code, none executable${ok ? '' : '; no coverage report'}`;
  return `Changed lines: ${covered} of ${executable} covered (${Math.floor((ratio ?? 0) * 100)} %, ${needed}): ${ok ? 'ok' : 'not ok'}`;
}

function listed(
  heading: string,
  findings: readonly string[],
  exempted: ReadonlyMap<string, string>,
) {
  if (findings.length === 0) return [`${heading}: none`];
  const lines = findings
    .slice(0, shownOfEach)
    .map(
      finding =>
        `    ${oneLine(finding)}${exempted.has(finding) ? ` (exempted: ${oneLine(exempted.get(finding) ?? '')})` : ''}`,
    );
  const rest = findings.length - lines.length;
  return [
    `${heading}: ${findings.length}`,
    ...lines,
    ...(rest > 0 ? [`    and ${rest} more; --json lists all`] : []),
  ];
}

function evidenceLines({ recommendations, dropped }: JudgedEvidence) {
  return [
    `Evidence: ${recommendations.filter(({ state }) => state === 'proven').length} of ` +
      `${count(recommendations.length, 'recommendation')} ` +
      `proven${dropped > 0 ? `; ${dropped} without any artifact left out` : ''}`,
    ...recommendations
      .filter(({ state }) => state === 'unproven')
      .map(
        ({ recommendation_id: id, missing }) =>
          `    ${oneLine(id)} lacks ${missing.join(', ').replaceAll('_', ' ')}`,
      ),
  ];
}

// The claims that findings from elsewhere form: for people in a terminal, and as a program reads them.

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
