/**
 * Reads SARIF 2.1.0 logs: each run is a reviewer called like its tool. What is suppressed, gone or no problem is counted
 * and kept apart, so that it forms no claim.
 */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { toLine } from '../../core/text.ts';
import { unstatedSeverity } from '../../core/words/severity.ts';
import {
  correctionWarnings,
  type Entry,
  foreignReview,
  foreignSeverityOf,
  severityOfScore,
  type Source,
  toForeignFinding,
  toPlace,
  toReviewerName,
} from './source.ts';

export function isSarif(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('runs' in value || ('$schema' in value && /sarif/i.test(String(value.$schema))))
  );
}

/** `roots`: absolute folders that absolute places are made relative to. Throws `UserError` (kind `input`). */
export function readSarif(name: string, log: object, roots: readonly string[]): Source {
  const version = 'version' in log ? log.version : undefined;
  if (version !== '2.1.0')
    throw new UserError(
      `${name} is SARIF ${typeof version === 'string' ? toLine(version.slice(0, 40)) : 'without a version'}; only 2.1.0 can be read.`,
      { kind: 'input', hint: 'Most tools have an option for the version of SARIF.' },
    );
  const checked = SarifLog.safeParse(log);
  if (!checked.success) {
    const { path, sentence } = firstProblem(SarifLog, checked.error);
    throw unusable(name, path, sentence);
  }
  const { runs } = checked.data;
  const entries = runs.flatMap((run, index) =>
    entriesOf(run, createPathOf(run, roots), place =>
      unusable(name, ['runs', index, ...place], 'there is no message.'),
    ),
  );
  return {
    name,
    entries,
    reviews: runs.map(run => ({
      ...foreignReview(nameOf(run), isComplete(run)),
      role: 'check' as const,
    })),
    warnings: [
      ...runs.flatMap(warningsOf),
      ...correctionWarnings(entries.map(({ finding }) => finding)),
    ].map(warning => `${name}: ${warning}`),
  };
}

function unusable(name: string, place: readonly PropertyKey[], message: string): UserError {
  return new UserError(
    `${name}: ${formatPath(place.filter(part => typeof part !== 'symbol'))} cannot be used: ${message}`,
    { kind: 'input' },
  );
}

function nameOf({ tool }: SarifRun): string {
  return toReviewerName(tool.driver.name);
}

function isComplete({ invocations, results }: SarifRun): boolean {
  return (
    results !== null &&
    !(invocations ?? []).some(({ executionSuccessful }) => executionSuccessful === false)
  );
}

function warningsOf(run: SarifRun): string[] {
  return [
    ...(isComplete(run)
      ? []
      : [`${nameOf(run)} did not run to its end; what it does not report says nothing.`]),
    ...(run.externalPropertyFileReferences === undefined
      ? []
      : [`${nameOf(run)} keeps parts of its run in other files, which are not read.`]),
  ];
}

function entriesOf(
  run: SarifRun,
  pathOf: PathOf,
  unusableAt: (place: readonly PropertyKey[]) => UserError,
): Entry[] {
  const ruleOf = createRuleOf(run);
  return (run.results ?? []).map((result, index) => {
    const rule = ruleOf(result);
    const text = textOfMessage(result.message, rule, run.tool.driver) ?? result.ruleId ?? '';
    if (text.trim() === '') throw unusableAt(['results', index]);
    const said = { text, reviewer: nameOf(run), originalId: `#${index + 1}` };
    return toEntry(result, rule, said, pathOf);
  });
}

function toEntry(
  result: Result,
  rule: Rule | null,
  said: Pick<Entry['finding'], 'text' | 'reviewer' | 'originalId'>,
  pathOf: PathOf,
): Entry {
  const place = (result.locations ?? [])
    .map(({ physicalLocation }) => physicalLocation)
    .find(physical => physical?.artifactLocation !== undefined);
  const path = pathOf(place?.artifactLocation);
  const id = result.ruleId ?? result.rule?.id ?? rule?.id ?? null;
  const finding = toForeignFinding({
    ...said,
    ...severityOfResult(result, rule),
    place: path === null ? null : toPlace(path, place?.region?.startLine, place?.region?.endLine),
    // A rule is a category only where another tool knows it too, and that is seen when all sources are read.
    category: null,
    evidence:
      id === null
        ? null
        : [`Rule ${id}`, rule?.shortDescription?.text]
            .filter(part => part !== undefined)
            .join(': '),
    recommendation: rule?.help?.text ?? null,
  });
  const isSecurity = [result, rule].some(each => tellsOfSecurity(each?.properties));
  return { finding, rule: id, isSecurity, leftOut: whyLeftOut(result), recorded: null };
}

/** By a score, or by a tag: `security`, or a weakness as CodeQL, Semgrep and others name it. */
function tellsOfSecurity(properties: Rule['properties'] = {}): boolean {
  const { tags, 'security-severity': score } = properties;
  return (
    severityOfScore(score) !== null ||
    (Array.isArray(tags) && tags.some(tag => /^security\b|\bcwe-\d/i.test(String(tag))))
  );
}

/** A security score goes first, as it tells more than three levels do. Problems have the level of their rule, the rest has none. */
function severityOfResult(
  result: Result,
  rule: Rule | null,
): Pick<Entry['finding'], 'severity' | 'label'> {
  const score = [
    result.properties?.['security-severity'],
    rule?.properties?.['security-severity'],
  ].find(value => severityOfScore(value) !== null);
  const scored = severityOfScore(score);
  if (scored !== null) return { severity: scored, label: `security-severity ${String(score)}` };
  const isProblem = result.kind === undefined || result.kind === 'fail';
  const level =
    result.level ?? (isProblem ? (rule?.defaultConfiguration?.level ?? 'warning') : 'none');
  return { severity: foreignSeverityOf(level) ?? unstatedSeverity, label: level };
}

function whyLeftOut({ suppressions = [], kind, baselineState }: Result): string | null {
  // One suppression that is not accepted yet keeps the result alive (section 3.27.23).
  if (
    suppressions.length > 0 &&
    suppressions.every(({ status = 'accepted' }) => status === 'accepted')
  )
    return 'suppressed';
  if (baselineState === 'absent') return 'gone since the baseline';
  return kind === 'pass' || kind === 'notApplicable' ? 'no problem' : null;
}

/** By index, else by id in any part of the tool; of an id like `CA1000/1` the rule may be called `CA1000`. */
function createRuleOf({
  tool: { driver, extensions = [] },
}: SarifRun): (result: Result) => Rule | null {
  const byId = new Map(
    [driver, ...extensions].flatMap(({ rules = [] }) =>
      rules.map(rule => [rule.id, rule] as const),
    ),
  );
  return ({ ruleId, ruleIndex, rule: reference }) => {
    const component =
      reference?.toolComponent?.index === undefined
        ? driver
        : extensions[reference.toolComponent.index];
    const index = reference?.index ?? ruleIndex;
    const indexed = index === undefined ? undefined : component?.rules?.[index];
    if (indexed !== undefined) return indexed;
    const parts = (ruleId ?? reference?.id ?? '').split('/');
    const ids = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
    return ids.map(id => byId.get(id)).find(named => named !== undefined) ?? null;
  };
}

// The words of a SARIF result: looked up, filled in, and without the links that only a viewer can follow.

/** Null when neither the result nor its rule says anything. */
function textOfMessage(message: Message, rule: Rule | null, driver: ToolComponent): string | null {
  const stated = message.text ?? lookUp(message.id, rule, driver) ?? message.markdown;
  const filled =
    stated === undefined
      ? undefined
      : fillIn(stated, message.arguments ?? [], message.text === undefined);
  const texts = [
    filled === undefined ? undefined : withoutLinks(filled),
    rule?.shortDescription?.text,
    rule?.fullDescription?.text,
    rule?.name,
    rule?.id,
  ];
  return texts.find(text => text !== undefined && text.trim() !== '') ?? null;
}

function lookUp(
  id: string | undefined,
  rule: Rule | null,
  driver: ToolComponent,
): string | undefined {
  if (id === undefined) return undefined;
  const found = ownValue(rule?.messageStrings, id) ?? ownValue(driver.globalMessageStrings, id);
  return found?.text ?? found?.markdown;
}

/** Ids are untrusted: `constructor` is no message. */
function ownValue<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A text without arguments is no template: many tools write braces in it that they never doubled. */
function fillIn(text: string, values: readonly string[], isTemplate: boolean): string {
  if (values.length === 0 && !isTemplate) return text;
  return text.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (whole, number: string | undefined) =>
    number === undefined ? whole.charAt(0) : (values[Number(number)] ?? whole),
  );
}

/** `[the source](1)` points into the result, `[docs](https://…)` out of it; `\[` is a bracket. */
function withoutLinks(text: string): string {
  return text
    .replace(/\[((?:[^[\]\\\n]|\\.){1,1000})\]\((?:\d{1,6}|https?:\/\/[^()\s]{1,2000})\)/g, '$1')
    .replace(/\\([[\]])/g, '$1');
}

/** Turns the location of a SARIF artifact into a path as this repository would write it: relative, decoded, with slashes. */
type PathOf = (location: ArtifactLocation | undefined) => string | null;

/** Chains of base ids are followed so far; a longer one is a circle. */
const longestChain = 20;

/** `roots`: absolute folders that paths are made relative to, first choice first. */
function createPathOf(
  run: Pick<SarifRun, 'originalUriBaseIds' | 'artifacts' | 'invocations'>,
  roots: readonly string[],
): PathOf {
  const bases = new Map(Object.entries(run.originalUriBaseIds ?? {}));
  const stated = [
    ...bases.values(),
    ...(run.invocations ?? []).map(({ workingDirectory }) => workingDirectory),
  ];
  const ownRoots = stated
    .map(base => toFolder(base?.uri))
    .filter(root => root !== null)
    .toSorted((one, other) => other.length - one.length);
  const callers = roots.map(root => toFolder(root)).filter(root => root !== null);
  return location => {
    const named =
      location?.uri === undefined && location?.index !== undefined
        ? run.artifacts?.[location.index]?.location
        : location;
    if (named?.uri === undefined || named.uri.trim() === '') return null;
    const { path, base } = resolveBases(named, bases);
    return relativeTo(
      [...callers, ...(base === null ? [] : [base]), ...ownRoots],
      base === null ? path : `${base}${path}`,
    );
  };
}

/** The path below the first absolute base, or as it is when there is none. `base` ends in a slash. */
function resolveBases(
  { uri = '', uriBaseId }: ArtifactLocation,
  bases: ReadonlyMap<string, ArtifactLocation>,
): { readonly path: string; readonly base: string | null } {
  let path = toPath(uri);
  let id = uriBaseId;
  for (let links = 0; links < longestChain && id !== undefined && !isAbsolute(path); links += 1) {
    const base = bases.get(id);
    const folder = toFolder(base?.uri);
    if (folder !== null) return { path, base: folder };
    if (base?.uri !== undefined) path = `${toPath(base.uri).replace(/(?<!\/)$/, '/')}${path}`;
    id = base?.uriBaseId;
  }
  return { path, base: null };
}

function relativeTo(roots: readonly string[], path: string): string {
  const clean = normalise(path);
  const root = roots.find(
    candidate => clean.startsWith(candidate) && clean.length > candidate.length,
  );
  return root === undefined ? clean : clean.slice(root.length);
}

/** An absolute folder with a slash at its end; null for what is none. */
function toFolder(uri: string | undefined): string | null {
  const path = uri === undefined ? '' : normalise(toPath(uri));
  return isAbsolute(path) ? `${path}/`.replace(/\/{2,}$/, '/') : null;
}

/** `file:///C:/a%20b` is `C:/a b`; another scheme stays as it is. Backslashes are slashes where a path of Windows has them. */
function toPath(uri: string): string {
  const bare = uri.trim().replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  const decoded = bare.split('/').map(decode).join('/');
  const slashed = /^[A-Za-z]:\\|^[^/]*\\/.test(decoded) ? decoded.replaceAll('\\', '/') : decoded;
  return slashed.replace(/^\/(?=[A-Za-z]:\/)/, '');
}

/** Not every tool encodes, so a lone `%` is a percent sign. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/|[a-z][a-z0-9+.-]+:)/i.test(path);
}

function normalise(path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  const kept: string[] = [];
  for (const [index, segment] of path.split('/').entries()) {
    if (segment === '.' || (segment === '' && index > 0)) continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..' && kept.at(-1) !== '')
      kept.pop();
    else kept.push(segment);
  }
  return kept.length === 1 && kept[0] === '' ? '/' : kept.join('/');
}

/** Absent when it is not what it should be. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined);
}

const text = optional(z.string());
const index = optional(z.int().nonnegative());

const MessageString = z.object({ text, markdown: text });
const messageStrings = optional(z.record(z.string(), MessageString));
const properties = optional(z.record(z.string(), z.unknown()));

// The part of SARIF 2.1.0 that is read, and nothing else of it: tools differ in all the rest. What is optional there and
// malformed counts as absent. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

const Rule = z.object({
  id: text,
  name: text,
  shortDescription: optional(MessageString),
  fullDescription: optional(MessageString),
  help: optional(MessageString),
  messageStrings,
  defaultConfiguration: optional(z.object({ level: text })),
  properties,
});
type Rule = z.infer<typeof Rule>;

const ToolComponent = z.object({
  rules: optional(z.array(Rule)),
  globalMessageStrings: messageStrings,
});
type ToolComponent = z.infer<typeof ToolComponent>;

const ArtifactLocation = z.object({ uri: text, uriBaseId: text, index });
type ArtifactLocation = z.infer<typeof ArtifactLocation>;

const Message = z.object({
  text,
  markdown: text,
  id: text,
  arguments: optional(z.array(z.string())),
});
type Message = z.infer<typeof Message>;

const PhysicalLocation = z.object({
  artifactLocation: optional(ArtifactLocation),
  region: optional(
    z.object({ startLine: optional(z.int().positive()), endLine: optional(z.int().positive()) }),
  ),
});

const Result = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: optional(z.object({ id: text, index, toolComponent: optional(z.object({ index })) })),
  kind: text,
  level: text,
  message: Message,
  locations: optional(z.array(z.object({ physicalLocation: optional(PhysicalLocation) }))),
  suppressions: optional(z.array(z.object({ status: text }))),
  baselineState: text,
  properties,
});
type Result = z.infer<typeof Result>;

const SarifRun = z.object({
  tool: z.object({
    driver: ToolComponent.extend({ name: z.string().trim().min(1) }),
    extensions: optional(z.array(ToolComponent)),
  }),
  results: z.array(Result).nullish(),
  originalUriBaseIds: optional(z.record(z.string(), ArtifactLocation)),
  artifacts: optional(z.array(z.object({ location: optional(ArtifactLocation) }))),
  invocations: optional(
    z.array(
      z.object({
        executionSuccessful: optional(z.boolean()),
        workingDirectory: optional(ArtifactLocation),
      }),
    ),
  ),
  externalPropertyFileReferences: z.unknown().optional(),
});
type SarifRun = z.infer<typeof SarifRun>;

const SarifLog = z.object({ version: z.literal('2.1.0'), runs: z.array(SarifRun) });
