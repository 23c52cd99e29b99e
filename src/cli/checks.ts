/** What is done without a panel: `jury verify` a change, `jury ground` the findings of a folder, form claims of what other tools found. */
import { flag, word } from '../core/flags.ts';
import {
  ClaimsRequest,
  type Consensus,
  createJury,
  groundingExit,
  GroundRequest,
  UserError,
  type Verified,
  VerifyRequest,
} from '../index.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { renderExplanation } from '../render/explanation.ts';
import { printJson, count, oneLine } from '../render/figures.ts';
import { defineCommand, type RunnableCommand, TrustFlags } from './command.ts';
import { answer, fitted, notedCallOf } from './terminal.ts';
import { inputError } from '../core/errors.ts';
import { groupBy } from '../core/groups.ts';
import { type Integrity, type JudgedEvidence, gateNames } from '../core/integrity/integrity.ts';
import { PrintedClaims } from '../core/printed/reports.ts';
import { type Grounding, claimNumbers, orderClaims } from '../core/words/claim.ts';
import { describeClaim } from '../render/describe-claims.ts';
import { data, lines, list, more, part, remark, say, title } from '../render/section.ts';
import { type RenderOptions, paintTerminal } from '../render/to-terminal.ts';

export const verify = defineCommand({
  summary:
    'Check what needs no opinion: coverage of changed lines, switched-off tests, undone work',
  flags: VerifyRequest.extend({
    json: flag('Print the result as JSON'),
  }),
  epilogue: `Exits 0 when the change keeps its word, 1 when it does not.

Examples:
  jury verify --coverage coverage/lcov.info
  jury verify main..HEAD --coverage lcov.info --gate tests=pass --gate lint=pass
  jury verify --exempt "src/a.test.ts:12 .skip(=needs the new database, see issue 7"`,
  async run({ json, ...request }, terminal) {
    const verified = await createJury(terminal).verify(request);
    const { title, integrity, evidence } = verified;
    const text = renderIntegrity(verified, request.coverage !== undefined);
    const data = { schema: 'jury.integrity/1', title, ...integrity, ...(evidence && { evidence }) };
    answer(terminal, json, data, () => fitted(terminal, text));
    return integrity.ok &&
      (evidence?.recommendations.every(({ state }) => state === 'proven') ?? true)
      ? 0
      : 1;
  },
});

/** `jury ground`: does every merged finding trace to what a reviewer wrote? */
const command = defineCommand({
  summary: 'Check that every merged finding traces to what a reviewer wrote',
  flags: GroundRequest.extend({ json: flag('The result as JSON') }),
  epilogue: `Exit codes: 0 grounded, or only warnings; 2 usage, or the folder cannot be used; 3 a violation.

Examples:
  jury ground reviews
  jury ground reviews --strict --json`,
  async run({ json, ...request }, terminal) {
    const grounding = await createJury(terminal).ground(request);
    if (json) terminal.write(printJson(grounding));
    else {
      const { output, notes } = renderGrounding(grounding);
      for (const note of notes) terminal.note(note);
      if (output !== '') terminal.write(output);
    }
    return groundingExit(grounding);
  },
});

/** Codes of its own: here 3 is a violation, so that a wrong call must be something else. */
export const ground: RunnableCommand = {
  ...command,
  execute: (name, args, terminal) =>
    command
      .execute(name, args, terminal)
      .catch((error: unknown) =>
        Promise.reject(
          error instanceof UserError ? inputError(error.message, error.hint, error) : error,
        ),
      ),
};

export const consensus = defineCommand({
  summary: 'Form claims of findings that other tools produced',
  flags: ClaimsRequest.extend({
    ...TrustFlags.shape,
    explain: word(
      'CLAIM',
      'Tell why this claim is one: its number in the list, its id or the beginning of one, or a finding in it',
    ),
    json: flag('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury consensus eslint.sarif semgrep.sarif
  jury consensus findings.json --json
  jury consensus latest --strategy overlap --threshold 50
  jury consensus findings.json --explain 1

A file holds SARIF 2.1.0, or {"findings": [{"reviewer", "text", "path"?, "line"?, "severity"?, "category"?}]}.`,
  async run({ json, explain: claim, trustConfig, ...request }, terminal) {
    const jury = createJury({ ...notedCallOf(terminal), trustConfig });
    if (claim !== undefined) {
      const explanation = await jury.explain({ claim, consensus: request });
      if (terminal.signal.aborted) return programExits.interrupted;
      return answer(terminal, json, explanation, () => renderExplanation(explanation, terminal));
    }
    const formed = await jury.consensus(request);
    if (terminal.signal.aborted) return programExits.interrupted;
    for (const warning of formed.warnings) terminal.note(`jury: ${warning}`);
    terminal.write(json ? renderClaimsJson(formed) : renderClaimsTerminal(formed, terminal));
    return 0;
  },
});

// What the checks that ask nobody print: `jury ground` and `jury verify`.

const longestList = 200;

/** One line when all is well, else the entries that no index has. */
function renderGrounding(grounding: Grounding) {
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
function renderIntegrity({ title, integrity, evidence }: Verified, hasReport: boolean) {
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
    ...(!evidence ? [] : evidenceLines(evidence)),
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
function renderClaimsTerminal(
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
