/**
 * The embedded panel: reviewers that are programs, not models. They read the change itself instead of a prompt, need no
 * network and no key, take no configuration from the change, and give the same answer to the same change.
 */
import { type Hash, createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path, { join } from 'node:path';
import { z } from 'zod';
import type { RunnerWorld } from '../../adapters/runners/executable.ts';
import { decodeText, readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';
import { sha256 } from '../../core/hash.ts';
import { codeRoot, packageRoot } from '../../adapters/system/package-root.ts';
import { readSource } from '../../answers/index.ts';
import { UserError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { SecretScanner } from '../../core/ports/repository.ts';
import { type Runner, type Turn, failedAnswer, answered } from '../../core/ports/runner.ts';
import type { Seat } from '../../core/words/config.ts';
import { analyserNames } from '../../core/words/runner.ts';
import {
  type Analyser,
  AnalyserFailure,
  type Analysis,
  type Remark,
  type Task,
} from '../analyser.ts';
import { patterns, readData } from './rule-files.ts';
import { rankOf } from '../../core/words/finding.ts';
import { computeVerdict } from '../../core/verdict/record.ts';
import { noUsage } from '../../core/words/review.ts';

/** Dispatches on `seat.analyser`. A subject that is no change is answered with a failure: there is nothing to analyse. */
export function createBuiltinRunner(world: RunnerWorld, scanner: SecretScanner): Runner {
  return {
    name: 'builtin',
    ask: (turn, signal) => ask(turn, signal, world, scanner),
    fingerprint: async seat =>
      [
        `builtin/${seat.analyser ?? ''}/${await (known ??= compute())}`,
        ...(seat.analyser === 'sarif'
          ? [sha256(await readRegularBytes(placeOf(seat), mostBytes).catch(() => ''))]
          : []),
      ].join('/'),
  };
}

async function ask(turn: Turn, signal: AbortSignal, world: RunnerWorld, scanner: SecretScanner) {
  const { change, read, seat, deadlines } = turn;
  if (seat.analyser === undefined)
    return failedAnswer(
      'not-found',
      `Reviewer ${seat.id} names no analyser; there are ${analyserNames.join(', ')}.`,
    );
  if (!change)
    return failedAnswer('unread', 'The built-in analysers read changes, and the subject is none.');
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlines.totalMs);
  const stop = AbortSignal.any([signal, deadline.signal]);
  try {
    const analyse = await analysers[seat.analyser](seat);
    return await toAnswer(
      seat.analyser,
      await analyse({ change, read, scanner, signal: stop }, world),
      scanner,
    );
  } catch (error) {
    if (signal.aborted) return failedAnswer('cancelled', 'The run was interrupted.');
    if (deadline.signal.aborted)
      return failedAnswer('deadline', `The ${seat.analyser} analyser did not end in time.`);
    if (error instanceof AnalyserFailure) return failedAnswer(error.failureCause, error.message);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The table of built-in analysers, and what reads the report of another tool. Each is loaded when it is first asked. */
export const analysers = {
  secrets: async () => (await import('../secrets.ts')).secrets,
  diff: async () => (await import('../diff.ts')).createDiff(await readData('lines')),
  javascript: async () => (await import('./javascript.ts')).javascript,
  patterns: async () => patterns,
  sarif: async seat => createReport(seat),
} satisfies Record<
  NonNullable<Seat['analyser']>,
  (seat: Seat) => Promise<(task: Task, world: RunnerWorld) => ReturnType<Analyser>>
>;

/** Code, of which the bundle holds the same as the files it was made of, and rules. */
const folders = [
  join(codeRoot, 'checks'),
  join(codeRoot, 'adapters/syntax'),
  join(packageRoot, 'rules/checks'),
];
/** Built into the programs, so that a package holds them but not their manifests. */
const libraries = ['@secretlint/core', '@secretlint/secretlint-rule-preset-recommend'];
/** Installed beside the package. */
const installed = ['oxlint', '@repomix/tree-sitter-wasms', 'web-tree-sitter'];

let known: Promise<string> | undefined;

/** Name of the file, at the root of the built code, that holds what `hashSources` came to: a package has the bundles and not the files. */
export const sourcesHashName = 'analysers.sha256';

/** Of the analysers' own source and of what is built into it, in hex. */
export async function hashSources() {
  const hash = createHash('sha256');
  for (const top of folders) {
    const names = (await readdir(top, { recursive: true }))
      .filter(name => /\.(?:[jt]s|yaml)$/.test(name))
      .sort();
    for (const name of names) hash.update(`${name}\n`).update(await readFile(join(top, name)));
  }
  await addVersions(hash, libraries);
  return hash.digest('hex');
}

async function compute() {
  const hash = createHash('sha256').update(
    await readFile(join(codeRoot, sourcesHashName), 'utf8').catch(hashSources),
  );
  await addVersions(hash, installed);
  return hash.digest('hex').slice(0, 32);
}

async function addVersions(hash: Hash, names: readonly string[]) {
  const require = createRequire(import.meta.url);
  for (const name of names) hash.update(`${name} ${await versionOf(require, name)}\n`);
}

async function versionOf(require: NodeJS.Require, library: string) {
  try {
    const manifest: unknown = JSON.parse(
      await readFile(require.resolve(`${library}/package.json`), 'utf8'),
    );
    return String((manifest as { version?: unknown }).version);
  } catch (error) {
    // Some packages do not export their manifest; their name alone stands for them.
    if ((error as { code?: unknown }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return 'unknown';
    throw error;
  }
}

// What a tool of the project has reported already, in SARIF 2.1.0: it is read, and nothing is run.

type Place = Pick<Seat, 'answers' | 'home'>;

/** Bytes of the largest report that is read. */
const mostBytes = 67_108_864;

/**
 * What it says about the files of the change; results about other files are counted in a note. It has looked at a file that it names, as
 * an artifact or in a result, whatever its tool is for. A report that was not finished, or is of
 * another commit than the one under review, is none.
 */
function createReport(seat: Place): (task: Task, world: RunnerWorld) => Promise<Analysis> {
  return async ({ change }, { checkout, note }) => {
    const file = placeOf(seat);
    const bytes = await readRegularBytes(file, mostBytes).catch(whyUnreadable);
    if (typeof bytes === 'string')
      throw new AnalyserFailure('unopened', `The report ${file} cannot be read: ${bytes}.`);
    const text = decodeText(bytes);
    const log = Log.safeParse(parseJson(text)).data;
    if (!log) throw new AnalyserFailure('unopened', `${file} is no report in SARIF.`);
    const other = revisionsIn(log).find(revision => revision !== (change.head ?? revision));
    if (other !== undefined)
      throw new AnalyserFailure(
        'missing',
        `${file} reports on commit ${other}, not on ${change.head}.`,
      );
    const { entries, reviews, warnings } = sourceIn(file, text, [checkout ?? []].flat());
    if (reviews.length === 0 || reviews.some(({ status }) => status !== 'complete'))
      throw new AnalyserFailure('thrown', warnings.join(' ') || `${file} holds no run.`);
    const paths = change.files.map(each => each.path);
    const isOfChange = (place: { readonly path: string }) => paths.includes(place.path);
    const reported = entries.filter(({ leftOut }) => leftOut === null);
    const remarks = reported.flatMap(({ finding, rule, isSecurity, places = [] }) => {
      const { severity, text: issue, evidence, recommendation, reviewer } = finding;
      return places.filter(isOfChange).map(place => ({
        rule: `${reviewer}/${rule ?? 'unnamed'}`,
        severity,
        category: isSecurity ? 'security' : 'check',
        path: place.path,
        line: place.line,
        quote: null,
        issue,
        evidence: evidence ?? `Reported by ${reviewer}.`,
        recommendation: recommendation ?? '',
      }));
    });
    const elsewhere = reported.filter(({ places }) => !places?.some(isOfChange)).length;
    if (elsewhere > 0)
      note?.(
        `${file}: ${elsewhere} of ${reported.length} results are not about the files of this change.`,
      );
    const named = new Set([
      ...entries.flatMap(({ places = [] }) => places.map(place => place.path)),
      ...log.runs.flatMap(run => run.artifacts.map(({ location }) => location?.uri)),
    ]);
    const isNamed = (each: string) =>
      [...named].some(name => name === each || name?.endsWith(`/${each}`) === true);
    const coverage = paths.map(each =>
      isNamed(each)
        ? ({ path: each, extent: 'full', why: null } as const)
        : ({ path: each, extent: 'skipped', why: 'its report does not name the file' } as const),
    );
    return { remarks, coverage };
  };
}

function placeOf({ answers = '', home }: Place) {
  return path.resolve(home, answers);
}

/** Of which commits its runs say they are, and what they looked at (SARIF 2.1.0, sections 3.14.15 and 3.14.18). */
const Log = z.object({
  runs: z.array(
    z.object({
      versionControlProvenance: z
        .array(z.object({ revisionId: z.string().optional() }))
        .default([]),
      artifacts: z
        .array(z.object({ location: z.object({ uri: z.string().optional() }).optional() }))
        .catch([])
        .default([]),
    }),
  ),
});

function revisionsIn({ runs }: z.infer<typeof Log>) {
  const provenance = runs.flatMap(run => run.versionControlProvenance);
  return provenance.flatMap(({ revisionId }) => revisionId ?? []);
}

function sourceIn(name: string, text: string, roots: readonly string[]) {
  try {
    return readSource({ name, text }, roots);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new AnalyserFailure('unopened', error.message);
  }
}

// Turns the remarks of an analyser into the answer that every reviewer gives: findings as JSON, and what was read.

const mostFindings = 200;

/** The most severe first, in the order of the change within a severity; beyond 200 the rest is counted and said. */
async function toAnswer(name: string, { remarks, coverage }: Analysis, scanner: SecretScanner) {
  const ranked = remarks.toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
  const findings: object[] = await Promise.all(
    ranked
      .slice(0, mostFindings)
      .map((remark, index) => toFinding(`${name}-${index + 1}`, remark, scanner)),
  );
  const more = ranked.length - findings.length;
  if (more > 0)
    findings.push({
      id: `${name}-more`,
      severity: 'LOW',
      category: 'limit',
      issue: `${more} more findings of the ${name} analyser are not listed: it names its ${mostFindings} most severe.`,
      recommendation: 'Review the change in smaller parts.',
    });
  const text = JSON.stringify({
    findings,
    files_reviewed: coverage.filter(({ extent }) => extent === 'full').map(({ path }) => path),
    verdict: computeVerdict(remarks.map(({ severity }) => severity)),
  });
  return answered(text, {
    stop: 'end',
    usage: { ...noUsage, calls: 1, cost: 0 },
    coverage: [...coverage],
  });
}

/** A quoted line may hold a credential that only the secrets analyser was looking for. */
async function toFinding(id: string, remark: Remark, scanner: SecretScanner) {
  const { severity, category, path, line, quote, issue, rule, recommendation, weakness } = remark;
  const isClean = quote === null || (await scanner.scan(quote, path)).length === 0;
  return {
    id,
    severity: severity.toUpperCase(),
    category,
    file: path,
    ...(line !== null && { line }),
    ...(quote === null || !isClean ? {} : { quote }),
    issue,
    evidence:
      remark.evidence ?? `Built-in rule ${rule}${weakness === undefined ? '' : ` (${weakness})`}.`,
    rule,
    ...(weakness !== undefined && { cwe: weakness }),
    recommendation,
  };
}
