/**
 * Reads SARIF 2.1.0 logs: each run is a reviewer called like its tool. What is suppressed, gone or no problem is counted
 * and kept apart, so that it forms no claim. Of a log its tool, its messages and its rules are read, and nothing else of it: tools
 * differ in all the rest. What is optional and malformed counts as absent.
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
import { z } from 'zod';
import { inputError } from '../../core/errors.ts';
import { present } from '../../core/groups.ts';
import { toLine } from '../../core/text.ts';
import { severityOfScore, unstatedSeverity } from '../../core/words/finding.ts';
import {
  at,
  check,
  correctionWarnings,
  type Entry,
  foreignReview,
  foreignSeverityOf,
  own,
  type Source,
  toForeignFinding,
  toPlace,
  toName,
} from './intake.ts';

function textAt(value: unknown, path: string) {
  const text = at(value, path);
  return typeof text === 'string' ? text : undefined;
}

function listAt(value: unknown, path: string) {
  const list = at(value, path);
  return Array.isArray(list) ? list : [];
}

/** A whole number from `least` on. */
function countAt(least: number, value: unknown, path: string) {
  const count = at(value, path);
  return Number.isSafeInteger(count) && Number(count) >= least ? Number(count) : undefined;
}

export function isSarif(value: unknown): value is object {
  return at(value, 'runs') !== undefined || /sarif/i.test(textAt(value, '$schema') ?? '');
}

/** `roots`: absolute folders that absolute places are made relative to. Throws `UserError` (kind `input`). */
export function readSarif(name: string, log: object, roots: readonly string[]): Source {
  const version = at(log, 'version');
  if (version !== '2.1.0')
    throw inputError(
      `${name} is SARIF ${typeof version === 'string' ? toLine(version.slice(0, 40)) : 'without a version'}; only 2.1.0 can be read.`,
      'Most tools have an option for the version of SARIF.',
    );
  check(name, Log, log);
  const read = listAt(log, 'runs').map((run, index) =>
    readRun(run, pathsOf(run, roots), `${name}: runs[${index}]`),
  );
  const entries = read.flatMap(run => run.entries);
  return {
    name,
    entries,
    reviews: read.map(({ reviewer, isComplete }) => ({
      ...foreignReview(reviewer, isComplete),
      role: 'check' as const,
    })),
    warnings: [
      ...read.flatMap(({ warnings }) => warnings),
      ...correctionWarnings(entries.map(({ finding }) => finding)),
    ].map(warning => `${name}: ${warning}`),
  };
}

/** What no reading can do without. */
const Log = z.object({
  runs: z.array(
    z.object({
      tool: z.object({
        driver: z.object({ name: z.string().refine(name => name.trim() !== '', 'It is empty.') }),
      }),
      results: z.array(z.object({ message: z.looseObject({}) })).nullish(),
    }),
  ),
});

type PathOf = (location: unknown) => string | null;

function readRun(run: unknown, pathOf: PathOf, place: string) {
  const reviewer = toName(textAt(run, 'tool.driver.name') ?? '');
  const parts = [at(run, 'tool.driver'), ...listAt(run, 'tool.extensions')];
  const rules = new Map(
    parts.flatMap(part => listAt(part, 'rules')).map(rule => [at(rule, 'id'), rule]),
  );
  const isElsewhere = listAt(run, 'externalPropertyFileReferences.results').length > 0;
  const isComplete =
    Array.isArray(at(run, 'results')) &&
    !isElsewhere &&
    listAt(run, 'invocations').every(endedWell);
  const entries = listAt(run, 'results').map((result, index): Entry => {
    const rule = ruleOf(result, at(run, 'tool'), rules);
    const text = textOf(result, rule, at(run, 'tool.driver'));
    if (text === undefined)
      throw inputError(`${place}.results[${index}] cannot be used: there is no message.`);
    return toEntry(result, rule, { text, reviewer, originalId: `#${index + 1}` }, pathOf);
  });
  const warnings = present(
    !isComplete && `${reviewer} did not run to its end; what it does not report says nothing.`,
    at(run, 'externalPropertyFileReferences') !== undefined &&
      `${reviewer} keeps parts of its run in other files, which are not read.`,
    entries.some(({ places = [] }) => places.length > 1) &&
      `${reviewer} names several places for one result; the first counts.`,
  );
  return { reviewer, isComplete, entries, warnings };
}

/** Many tools end with another code than 0 where they find something, so what they state goes first. Warnings are for people. */
function endedWell(invocation: unknown) {
  const told = ['toolExecutionNotifications', 'toolConfigurationNotifications'].flatMap(kind =>
    listAt(invocation, kind),
  );
  return (
    (at(invocation, 'executionSuccessful') ?? !at(invocation, 'exitCode')) !== false &&
    textAt(invocation, 'exitSignalName') === undefined &&
    told.every(notification => at(notification, 'level') !== 'error')
  );
}

function toEntry(
  result: unknown,
  rule: unknown,
  said: Pick<Entry['finding'], 'text' | 'reviewer' | 'originalId'>,
  pathOf: PathOf,
): Entry {
  const places = listAt(result, 'locations').flatMap(location => {
    const physical = at(location, 'physicalLocation');
    const path = pathOf(at(physical, 'artifactLocation'));
    const [line, endLine] = ['startLine', 'endLine'].map(key =>
      countAt(1, physical, `region.${key}`),
    );
    return path === null ? [] : toPlace(path, line, endLine);
  });
  const id = textAt(result, 'ruleId') ?? textAt(result, 'rule.id') ?? textAt(rule, 'id') ?? null;
  const about = textAt(rule, 'shortDescription.text');
  const finding = toForeignFinding({
    ...said,
    ...severityOfResult(result, rule),
    place: places[0] ?? null,
    // A rule is a category only where another tool knows it too, and that is seen when all sources are read.
    category: null,
    evidence: id === null ? null : `Rule ${id}${about === undefined ? '' : `: ${about}`}`,
    recommendation: textAt(rule, 'help.text') ?? null,
  });
  return {
    finding,
    rule: id,
    places,
    isSecurity: [result, rule].some(tellsOfSecurity),
    leftOut: whyLeftOut(result),
    recorded: null,
  };
}

/** By a score, or by a tag: `security`, or a weakness as CodeQL, Semgrep and others name it. */
function tellsOfSecurity(owner: unknown) {
  return (
    severityOfScore(at(owner, 'properties.security-severity')) !== null ||
    listAt(owner, 'properties.tags').some(tag => /^security\b|\bcwe-\d/i.test(String(tag)))
  );
}

/** A security score goes first, as it tells more than three levels do. Problems have the level of their rule, the rest has none. */
function severityOfResult(result: unknown, rule: unknown) {
  for (const owner of [result, rule]) {
    const score = at(owner, 'properties.security-severity');
    const severity = severityOfScore(score);
    if (severity !== null) return { severity, label: `security-severity ${String(score)}` };
  }
  const isProblem = ['fail', undefined].includes(textAt(result, 'kind'));
  const label =
    textAt(result, 'level') ??
    (isProblem ? (textAt(rule, 'defaultConfiguration.level') ?? 'warning') : 'none');
  return { severity: foreignSeverityOf(label) ?? unstatedSeverity, label };
}

function whyLeftOut(result: unknown) {
  const suppressions = listAt(result, 'suppressions');
  // One suppression that is not accepted yet keeps the result alive (section 3.27.23).
  const isSuppressed = suppressions.every(
    suppression => (textAt(suppression, 'status') ?? 'accepted') === 'accepted',
  );
  if (suppressions.length > 0 && isSuppressed) return 'suppressed';
  if (at(result, 'baselineState') === 'absent') return 'gone since the baseline';
  return ['pass', 'notApplicable'].includes(textAt(result, 'kind') ?? '') ? 'no problem' : null;
}

/** By index, else by id in any part of the tool; of an id like `CA1000/1` the rule may be called `CA1000`. Undefined: there is none. */
function ruleOf(result: unknown, tool: unknown, rules: ReadonlyMap<unknown, unknown>) {
  const component = countAt(0, result, 'rule.toolComponent.index');
  const index = countAt(0, result, 'rule.index') ?? countAt(0, result, 'ruleIndex');
  const owner =
    component === undefined ? at(tool, 'driver') : own(at(tool, 'extensions'), component);
  const indexed = index === undefined ? undefined : own(at(owner, 'rules'), index);
  if (indexed !== undefined) return indexed;
  const id = (textAt(result, 'ruleId') ?? textAt(result, 'rule.id') ?? '').split('/');
  const ids = id.map((_, index) => id.slice(0, id.length - index).join('/'));
  return ids.map(each => rules.get(each)).find(named => named !== undefined);
}

/** Undefined when neither the result nor its rule says anything. */
function textOf(result: unknown, rule: unknown, driver: unknown) {
  const said = textAt(result, 'message.text');
  const id = textAt(result, 'message.id') ?? '';
  const template =
    own(at(rule, 'messageStrings'), id) ?? own(at(driver, 'globalMessageStrings'), id);
  const stated =
    said ??
    textAt(template, 'text') ??
    textAt(template, 'markdown') ??
    textAt(result, 'message.markdown');
  const values = listAt(result, 'message.arguments');
  // A text without arguments is no template: many tools write braces in it that they never doubled.
  const isTemplate = said === undefined || values.length > 0;
  return [
    stated === undefined ? undefined : withoutLinks(isTemplate ? fillIn(stated, values) : stated),
    textAt(rule, 'shortDescription.text'),
    textAt(rule, 'fullDescription.text'),
    textAt(rule, 'name'),
    textAt(rule, 'id'),
    textAt(result, 'ruleId'),
  ].find(text => text !== undefined && text.trim() !== '');
}

function fillIn(text: string, values: readonly unknown[]) {
  return text.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (whole, number: string | undefined) =>
    number === undefined ? whole.charAt(0) : (textAt(values, number) ?? whole),
  );
}

/** `[the source](1)` points into the result, `[docs](https://…)` out of it: only a viewer can follow. `\[` is a bracket. */
function withoutLinks(text: string) {
  return text
    .replace(/\[((?:[^[\]\\\n]|\\.){1,1000})\]\((?:\d{1,6}|https?:\/\/[^()\s]{1,2000})\)/g, '$1')
    .replace(/\\([[\]])/g, '$1');
}

/** Chains of base ids are followed so far; a longer one is a circle. */
const longestChain = 20;

/**
 * Turns the location of an artifact into a path as this repository would write it: relative, decoded, with slashes. `roots`: absolute
 * folders that paths are made relative to, first choice first; after them the bases of the run and where it ran.
 */
function pathsOf(run: unknown, roots: readonly string[]): PathOf {
  const bases = at(run, 'originalUriBaseIds');
  const uris = [
    ...Object.values(typeof bases === 'object' && bases !== null ? bases : {}),
    ...listAt(run, 'invocations').map(invocation => at(invocation, 'workingDirectory')),
  ].map(base => textAt(base, 'uri'));
  const ownRoots = foldersOf(uris).toSorted((one, other) => other.length - one.length);
  return stated => {
    const index = countAt(0, stated, 'index');
    const isListed = textAt(stated, 'uri') === undefined && index !== undefined;
    const location = isListed ? at(own(at(run, 'artifacts'), index), 'location') : stated;
    let path = toPath(textAt(location, 'uri') ?? '');
    if (path === '') return null;
    let base: string | null = null;
    let id = textAt(location, 'uriBaseId');
    for (let links = 0; links < longestChain && id !== undefined && !isAbsolute(path); links += 1) {
      const named = own(bases, id);
      const uri = textAt(named, 'uri');
      base = toFolder(uri);
      if (base !== null || uri !== undefined)
        path = `${base ?? toPath(uri ?? '').replace(/(?<!\/)$/, '/')}${path}`;
      id = textAt(named, 'uriBaseId');
    }
    const clean = normalise(path);
    const root = [...foldersOf(roots), ...foldersOf([base ?? undefined]), ...ownRoots].find(
      candidate => clean.startsWith(candidate) && clean.length > candidate.length,
    );
    return clean.slice(root?.length ?? 0);
  };
}

function foldersOf(uris: readonly (string | undefined)[]) {
  return uris.map(toFolder).filter(folder => folder !== null);
}

/** An absolute folder with a slash at its end; null for what is none. */
function toFolder(uri: string | undefined) {
  const path = uri === undefined ? '' : normalise(toPath(uri));
  return isAbsolute(path) ? `${path}/`.replace(/\/{2,}$/, '/') : null;
}

/** `file:///C:/a%20b` is `C:/a b`; another scheme stays as it is. Backslashes are slashes where a path of Windows has them. */
function toPath(uri: string) {
  const bare = uri.trim().replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '');
  const decoded = bare.split('/').map(decode).join('/');
  const slashed = /^[A-Za-z]:\\|^[^/]*\\/.test(decoded) ? decoded.replaceAll('\\', '/') : decoded;
  return slashed.replace(/^\/(?=[A-Za-z]:\/)/, '');
}

/** Not every tool encodes, so a lone `%` is a percent sign. */
function decode(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

function isAbsolute(path: string) {
  return /^(?:\/|[A-Za-z]:\/|[a-z][a-z0-9+.-]+:)/i.test(path);
}

function normalise(path: string) {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path;
  const kept = [];
  for (const [index, segment] of path.split('/').entries()) {
    if (segment === '.' || (segment === '' && index > 0)) continue;
    if (segment === '..' && kept.length > 0 && !['..', ''].includes(kept.at(-1) ?? '')) kept.pop();
    else kept.push(segment);
  }
  return kept.join('/') === '' && kept.length > 0 ? '/' : kept.join('/');
}
