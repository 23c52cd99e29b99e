/**
 * Reads SARIF 2.1.0 logs: each run is a reviewer called like its tool. What is suppressed, gone or no problem is counted
 * and kept apart, so that it forms no claim.
 */
import { UserError } from '../errors.ts';
import { toLine } from '../text.ts';
import { formatPath } from '../schema-problem.ts';
import { unstatedSeverity } from '../severity.ts';
import { correctionWarnings, foreignReview, toForeignFinding, toPlace, toReviewerName } from './foreign-finding.ts';
import { foreignSeverityOf, severityOfScore } from './foreign-severity.ts';
import { createPathOf, type PathOf } from './sarif-path.ts';
import { SarifLog, type Result, type Rule, type SarifRun } from './sarif-log.ts';
import { textOfMessage } from './sarif-message.ts';
import type { Entry, Source } from './source.ts';

export function isSarif(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('runs' in value || ('$schema' in value && /sarif/i.test(String(value.$schema))));
}

/** `roots`: absolute folders that absolute places are made relative to. Throws `UserError` (kind `input`). */
export function readSarif(name: string, log: object, roots: readonly string[]): Source {
  const version = 'version' in log ? log.version : undefined;
  if (version !== '2.1.0') throw new UserError(`${name} is SARIF ${typeof version === 'string' ? toLine(version.slice(0, 40)) : 'without a version'}; only 2.1.0 can be read.`, { kind: 'input', hint: 'Most tools have an option for the version of SARIF.' });
  const checked = SarifLog.safeParse(log);
  if (!checked.success) throw unusable(name, checked.error.issues[0]?.path ?? [], checked.error.issues[0]?.message ?? 'invalid');
  const { runs } = checked.data;
  const entries = runs.flatMap((run, index) => entriesOf(run, createPathOf(run, roots), place => unusable(name, ['runs', index, ...place], 'there is no message')));
  return {
    name, entries,
    reviews: runs.map(run => foreignReview(nameOf(run), isComplete(run))),
    warnings: [...runs.flatMap(warningsOf), ...correctionWarnings(entries.map(({ finding }) => finding))].map(warning => `${name}: ${warning}`),
  };
}

function unusable(name: string, place: readonly PropertyKey[], message: string): UserError {
  return new UserError(`${name}: ${formatPath(place.filter(part => typeof part !== 'symbol'))} cannot be used: ${message}.`, { kind: 'input' });
}

function nameOf({ tool }: SarifRun): string {
  return toReviewerName(tool.driver.name);
}

function isComplete({ invocations, results }: SarifRun): boolean {
  return results !== null && !(invocations ?? []).some(({ executionSuccessful }) => executionSuccessful === false);
}

function warningsOf(run: SarifRun): string[] {
  return [
    ...(isComplete(run) ? [] : [`${nameOf(run)} did not run to its end; what it does not report says nothing.`]),
    ...(run.externalPropertyFileReferences === undefined ? [] : [`${nameOf(run)} keeps parts of its run in other files, which are not read.`]),
  ];
}

function entriesOf(run: SarifRun, pathOf: PathOf, unusableAt: (place: readonly PropertyKey[]) => UserError): Entry[] {
  const ruleOf = createRuleOf(run);
  return (run.results ?? []).map((result, index) => {
    const rule = ruleOf(result);
    const text = textOfMessage(result.message, rule, run.tool.driver) ?? result.ruleId ?? '';
    if (text.trim() === '') throw unusableAt(['results', index]);
    return toEntry(result, { rule, text, reviewer: nameOf(run), originalId: `#${index + 1}`, pathOf });
  });
}

interface Surroundings {
  readonly rule: Rule | null;
  readonly text: string;
  readonly reviewer: string;
  readonly originalId: string;
  readonly pathOf: PathOf;
}

function toEntry(result: Result, { rule, text, reviewer, originalId, pathOf }: Surroundings): Entry {
  const place = (result.locations ?? []).map(({ physicalLocation }) => physicalLocation).find(physical => physical?.artifactLocation !== undefined);
  const path = pathOf(place?.artifactLocation);
  const id = result.ruleId ?? result.rule?.id ?? rule?.id ?? null;
  const finding = toForeignFinding({
    reviewer, originalId, text, ...severityOfResult(result, rule),
    place: path === null ? null : toPlace(path, place?.region?.startLine, place?.region?.endLine),
    // A rule is a category only where another tool knows it too, and that is seen when all sources are read.
    category: null,
    evidence: id === null ? null : [`Rule ${id}`, rule?.shortDescription?.text].filter(part => part !== undefined).join(': '),
    recommendation: rule?.help?.text ?? null,
  });
  return { finding, rule: id, leftOut: whyLeftOut(result) };
}

/** A security score goes first, as it tells more than three levels do. Problems have the level of their rule, the rest has none. */
function severityOfResult(result: Result, rule: Rule | null): Pick<Entry['finding'], 'severity' | 'label'> {
  const score = [result.properties?.['security-severity'], rule?.properties?.['security-severity']].find(value => severityOfScore(value) !== null);
  const scored = severityOfScore(score);
  if (scored !== null) return { severity: scored, label: `security-severity ${String(score)}` };
  const isProblem = result.kind === undefined || result.kind === 'fail';
  const level = result.level ?? (isProblem ? (rule?.defaultConfiguration?.level ?? 'warning') : 'none');
  return { severity: foreignSeverityOf(level) ?? unstatedSeverity, label: level };
}

function whyLeftOut({ suppressions = [], kind, baselineState }: Result): string | null {
  // One suppression that is not accepted yet keeps the result alive (section 3.27.23).
  if (suppressions.length > 0 && suppressions.every(({ status = 'accepted' }) => status === 'accepted')) return 'suppressed';
  if (baselineState === 'absent') return 'gone since the baseline';
  return kind === 'pass' || kind === 'notApplicable' ? 'no problem' : null;
}

/** By index, else by id in any part of the tool; of an id like `CA1000/1` the rule may be called `CA1000`. */
function createRuleOf({ tool: { driver, extensions = [] } }: SarifRun): (result: Result) => Rule | null {
  const byId = new Map([driver, ...extensions].flatMap(({ rules = [] }) => rules.map(rule => [rule.id, rule] as const)));
  return ({ ruleId, ruleIndex, rule: reference }) => {
    const component = reference?.toolComponent?.index === undefined ? driver : extensions[reference.toolComponent.index];
    const index = reference?.index ?? ruleIndex;
    const indexed = index === undefined ? undefined : component?.rules?.[index];
    if (indexed !== undefined) return indexed;
    for (let id = ruleId ?? reference?.id ?? ''; id !== ''; id = id.slice(0, Math.max(0, id.lastIndexOf('/')))) {
      const named = byId.get(id);
      if (named !== undefined) return named;
    }
    return null;
  };
}
