/** Runs the JavaScript linter over a fresh folder that holds nothing but the texts it is given. */
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { Severity } from '../../core/words/severity.ts';
import { attemptMarker } from '../../adapters/runners/process-tree.ts';
import type { ProcessResult } from '../../core/ports/processes.ts';
import { runIn } from '../../adapters/runners/process.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import {
  makeTemporaryFolder,
  type TemporaryFolder,
} from '../../adapters/system/temporary-folder.ts';
import { AnalyserFailure } from '../analyser.ts';

const Label = z.object({ span: z.object({ line: z.int().positive() }) });
const Diagnostic = z.object({
  message: z.string(),
  /** `plugin(rule)`; absent when the file does not parse. */
  code: z.string().optional(),
  help: z.string().optional(),
  filename: z.string(),
  labels: z.array(Label),
});
const Report = z.object({ diagnostics: z.array(Diagnostic) });
export type Diagnostic = z.infer<typeof Diagnostic>;

interface Linted {
  readonly diagnostics: readonly Diagnostic[];
  /** Names of files that the linter itself does not survive: nesting deep enough ends any recursive parser. */
  readonly fatal: readonly string[];
}

/** Lints all files, and closes in on those that crash the linter so that they cannot take the others with them. */
export async function lintFiles(
  files: ReadonlyMap<string, string>,
  world: RunnerWorld,
  signal: AbortSignal,
): Promise<Linted> {
  if (files.size === 0) return { diagnostics: [], fatal: [] };
  try {
    return { diagnostics: await runOxlint(files, world, signal), fatal: [] };
  } catch (error) {
    if (!(error instanceof AnalyserFailure) || error.failureCause !== 'killed') throw error;
    const entries = [...files];
    if (entries.length === 1) return { diagnostics: [], fatal: [...files.keys()] };
    const half = Math.ceil(entries.length / 2);
    const first = await lintFiles(new Map(entries.slice(0, half)), world, signal);
    const second = await lintFiles(new Map(entries.slice(half)), world, signal);
    return {
      diagnostics: [...first.diagnostics, ...second.diagnostics],
      fatal: [...first.fatal, ...second.fatal],
    };
  }
}

const longestRunMs = 2_147_483_647;
const mostOutput = 32 * 1024 * 1024;

/** `files` maps plain file names (`f1.ts`) to texts. Diagnostics carry those names. A crash is a failure `killed`. */
export async function runOxlint(
  files: ReadonlyMap<string, string>,
  world: RunnerWorld,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const made = await makeFolder(world);
  const folder = made.path;
  try {
    const sources = join(folder, 'sources');
    await mkdir(sources);
    for (const [name, text] of files) await writeFile(join(sources, name), text, { mode: 0o400 });
    // The nearest one wins: a stray file above the temporary folder must not speak.
    await writeFile(join(sources, 'tsconfig.json'), '{}');
    await writeFile(join(folder, 'rules.json'), JSON.stringify(oxlintConfig));
    const result = await runIn(
      world,
      {
        file: process.execPath,
        args: [
          programPath(),
          '-c',
          join(folder, 'rules.json'),
          '--disable-nested-config',
          '--no-ignore',
          '--threads=2',
          '-f',
          'json',
          '.',
        ],
        input: '',
        environment: {
          [attemptMarker]: basename(folder),
          HOME: folder,
          TMPDIR: folder,
          NO_COLOR: '1',
          CI: '1',
          LC_ALL: 'C.UTF-8',
        },
        cwd: sources,
        deadlines: { firstOutputMs: longestRunMs, idleMs: longestRunMs, totalMs: longestRunMs },
        limits: { stdoutBytes: mostOutput },
      },
      signal,
    );
    signal.throwIfAborted();
    return readReport(result);
  } finally {
    await made.remove();
  }
}

async function makeFolder(world: RunnerWorld): Promise<TemporaryFolder> {
  try {
    return await makeTemporaryFolder(await realpath(world.temporaryFolder), 'attempt');
  } catch (error) {
    throw new AnalyserFailure(
      'spawn',
      `No folder for the linter: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Jury's own copy, run by the Node that runs Jury: nothing is looked up on PATH. */
function programPath(): string {
  return join(
    dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
    'bin',
    'oxlint',
  );
}

/** Exit code 1 means that something was found. Anything but a whole report is a failure, whatever the code. */
function readReport({
  stdout,
  stderr,
  stopped,
  exitCode,
  signal,
  spawnError,
}: ProcessResult): readonly Diagnostic[] {
  if (spawnError !== null)
    throw new AnalyserFailure('spawn', `The linter could not be started: ${spawnError.message}`);
  if (stopped !== null)
    throw new AnalyserFailure(
      stopped === 'flood' ? 'flood' : 'deadline',
      `The linter was stopped: ${stopped}.`,
    );
  if (signal !== null) throw new AnalyserFailure('killed', `The linter crashed: ${signal}.`);
  const report = Report.safeParse(parseJson(stdout));
  if (report.success) return report.data.diagnostics;
  throw new AnalyserFailure(
    'exit',
    `The linter gave no report (exit ${exitCode ?? 'unknown'}): ${(stderr.trim() || stdout.trim()).slice(0, 300)}`,
  );
}

// Rules of the JavaScript linter that are worth a reviewer's voice, with the weight they get. Style, taste and rules
// that need the rest of the project (types, imports, unused names) are left out: on a change alone they are noise.

/** Wrong whenever the line runs. */
const broken = [
  'eslint/constructor-super',
  'eslint/no-const-assign',
  'eslint/no-this-before-super',
  'eslint/no-obj-calls',
  'eslint/no-new-native-nonconstructor',
  'eslint/no-import-assign',
  'eslint/for-direction',
  'eslint/valid-typeof',
  'eslint/no-invalid-regexp',
  'eslint/no-unsafe-optional-chaining',
  'eslint/no-unsafe-negation',
  'eslint/use-isnan',
  'eslint/no-setter-return',
  'eslint/no-eval',
  'oxc/missing-throw',
  'oxc/bad-comparison-sequence',
  'oxc/bad-min-max-func',
  'oxc/uninvoked-array-callback',
  'unicorn/no-accessor-recursion',
  'eslint/no-unexpected-multiline',
  'eslint/no-dupe-else-if',
];

/** Almost surely not what was meant. */
const mistaken = [
  'eslint/no-async-promise-executor',
  'eslint/no-caller',
  'eslint/no-class-assign',
  'eslint/no-compare-neg-zero',
  'eslint/no-cond-assign',
  'eslint/no-constant-binary-expression',
  'eslint/no-delete-var',
  'eslint/no-dupe-class-members',
  'eslint/no-dupe-keys',
  'eslint/no-duplicate-case',
  'eslint/no-empty-character-class',
  'eslint/no-ex-assign',
  'eslint/no-func-assign',
  'eslint/no-global-assign',
  'eslint/no-iterator',
  'eslint/no-loss-of-precision',
  'eslint/no-misleading-character-class',
  'eslint/no-nonoctal-decimal-escape',
  'eslint/no-self-assign',
  'eslint/no-self-compare',
  'eslint/no-shadow-restricted-names',
  'eslint/no-sparse-arrays',
  'eslint/no-unassigned-vars',
  'eslint/no-unreachable',
  'eslint/no-unsafe-finally',
  'eslint/no-useless-backreference',
  'eslint/require-yield',
  'oxc/bad-array-method-on-arguments',
  'oxc/bad-char-at-comparison',
  'oxc/bad-match-all-arg',
  'oxc/bad-object-literal-comparison',
  'oxc/bad-replace-all-arg',
  'oxc/const-comparisons',
  'oxc/double-comparisons',
  'oxc/erasing-op',
  'oxc/number-arg-out-of-range',
  'oxc/misrefactored-assign-op',
  'typescript/no-duplicate-enum-values',
  'typescript/no-extra-non-null-assertion',
  'typescript/no-misused-new',
  'typescript/no-non-null-asserted-optional-chain',
  'typescript/no-unsafe-declaration-merging',
  'unicorn/no-await-in-promise-methods',
  'unicorn/no-invalid-fetch-options',
  'unicorn/no-invalid-remove-event-listener',
  'unicorn/no-array-fill-with-reference-type',
  'unicorn/no-negation-in-equality-check',
  'unicorn/no-new-buffer',
  'unicorn/require-number-to-fixed-digits-argument',
  'promise/no-new-statics',
  'promise/no-multiple-resolved',
  'react/jsx-no-duplicate-props',
  'react/no-danger-with-children',
  'react/no-direct-mutation-state',
  'react/void-dom-elements-no-children',
];

/** Odd, and harmless as a rule. */
const odd = [
  'eslint/getter-return',
  'eslint/no-extend-native',
  'eslint/no-empty-pattern',
  'eslint/no-useless-catch',
  'eslint/no-irregular-whitespace',
  'eslint/no-unused-labels',
  'oxc/only-used-in-recursion',
  'react/jsx-key',
];

/** `plugin/rule` to the severity of its findings. */
export const oxlintRules: ReadonlyMap<string, Severity> = new Map<string, Severity>([
  ...broken.map(rule => [rule, 'high'] as const),
  ...mistaken.map(rule => [rule, 'medium'] as const),
  ...odd.map(rule => [rule, 'low'] as const),
]);

/** Tests and scripts do these things on purpose: a throw fails the test, which is what it is for. */
export const rulesQuietInTests: ReadonlySet<string> = new Set([
  'eslint/no-eval',
  'eslint/no-unsafe-optional-chaining',
  'eslint/no-unreachable',
  'eslint/no-self-compare',
  'eslint/no-constant-binary-expression',
  'eslint/no-sparse-arrays',
  'eslint/no-loss-of-precision',
  'unicorn/no-array-fill-with-reference-type',
  'unicorn/require-number-to-fixed-digits-argument',
]);

/** Rules about safety rather than correctness. */
export const securityRules: ReadonlySet<string> = new Set([
  'eslint/no-eval',
  'unicorn/no-new-buffer',
]);

/** `plugin/rule` to its number in the Common Weakness Enumeration, where one fits better than bad code in general. */
export const oxlintWeaknesses: ReadonlyMap<string, string> = new Map([
  ['eslint/no-eval', 'CWE-95'],
  ['eslint/no-cond-assign', 'CWE-481'],
  ['eslint/use-isnan', 'CWE-570'],
  ['eslint/for-direction', 'CWE-835'],
  ['eslint/no-unreachable', 'CWE-561'],
  ['eslint/no-self-compare', 'CWE-571'],
  ['eslint/no-constant-binary-expression', 'CWE-571'],
  ['oxc/const-comparisons', 'CWE-571'],
  ['eslint/no-dupe-keys', 'CWE-462'],
  ['eslint/no-unsafe-finally', 'CWE-584'],
  ['eslint/no-unsafe-optional-chaining', 'CWE-476'],
  ['unicorn/no-new-buffer', 'CWE-665'],
]);

const oxlintOptions: Readonly<Record<string, object>> = {
  // A bare return says that there is nothing.
  'eslint/getter-return': { allowImplicit: true },
};

/** The whole configuration the linter gets: no file of the change and no folder above the snapshot has a say. */
const oxlintConfig = {
  plugins: ['oxc', 'typescript', 'unicorn', 'promise', 'react'],
  categories: { correctness: 'off' },
  rules: Object.fromEntries(
    [...oxlintRules.keys()].map(rule => [
      rule.replace(/^eslint\//, ''),
      rule in oxlintOptions ? ['warn', oxlintOptions[rule]] : 'warn',
    ]),
  ),
  options: { respectEslintDisableDirectives: false },
} as const;
