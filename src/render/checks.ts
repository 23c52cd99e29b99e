/** What the checks that ask nobody print: `jury ground` and `jury verify`. */
import { gateNames, type Integrity, type JudgedEvidence } from '../core/integrity/integrity.ts';
import type { Grounding } from '../core/words/grounding.ts';
import { count } from './figures.ts';
import { oneLine } from './terminal-text.ts';

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
