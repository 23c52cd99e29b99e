/**
 * The embedded panel: reviewers that are programs, not models. They read the change itself instead of a prompt, need no
 * network and no key, take no configuration from the change, and give the same answer to the same change.
 */
import type { Runner, Turn } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import { analyserNames, type Seat } from '../../core/words/config.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import type { SecretScanner } from '../../core/ports/secret-scanner.ts';
import { type Analyser, AnalyserFailure, type Task, toAnswer } from '../analyser.ts';
import { readData } from './rule-files.ts';
import { fingerprintReport } from './sarif-report.ts';
import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../../adapters/system/package-root.ts';

/** Dispatches on `seat.analyser`. A subject that is no change is answered with a failure: there is nothing to analyse. */
export function createBuiltinRunner(world: RunnerWorld, scanner: SecretScanner): Runner {
  return {
    name: 'builtin',
    ask: (turn, signal) => ask(turn, signal, world, scanner),
    fingerprint: async seat =>
      [
        `builtin/${seat.analyser ?? ''}/${await (known ??= compute())}`,
        ...(seat.analyser === 'sarif' ? [await fingerprintReport(seat)] : []),
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
  patterns: async () => (await import('./patterns.ts')).patterns,
  sarif: async seat => (await import('./sarif-report.ts')).createReport(seat),
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
    return String((manifest as { readonly version?: unknown }).version);
  } catch (error) {
    // Some packages do not export their manifest; their name alone stands for them.
    if ((error as { readonly code?: unknown }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return 'unknown';
    throw error;
  }
}
