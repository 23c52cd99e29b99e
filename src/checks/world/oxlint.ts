/** Runs the JavaScript linter over a fresh folder that holds nothing but the texts it is given. */
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { Severity } from '../../core/words/severity.ts';
import { attemptMarker } from '../../adapters/runners/process-tree.ts';
import type { ProcessResult } from '../../core/ports/processes.ts';
import { runIn } from '../../adapters/runners/process.ts';
import type { RunnerWorld } from '../../adapters/runners/runner-world.ts';
import { makeTemporaryFolder } from '../../adapters/system/temporary-folder.ts';
import { AnalyserFailure } from '../analyser.ts';
import { Looks } from '../rule.ts';
import { readData } from './rule-files.ts';

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
    await writeFile(join(folder, 'rules.json'), JSON.stringify(await configure()));
    const result = await runIn(
      world,
      {
        file: process.execPath,
        args: [
          // Jury's own copy, run by the Node that runs Jury: nothing is looked up on PATH.
          join(
            dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
            'bin',
            'oxlint',
          ),
          '-c',
          join(folder, 'rules.json'),
          ...'--disable-nested-config --no-ignore --threads=2 -f json .'.split(' '),
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

async function makeFolder(world: RunnerWorld) {
  try {
    return await makeTemporaryFolder(await realpath(world.temporaryFolder), 'attempt');
  } catch (error) {
    throw new AnalyserFailure(
      'spawn',
      `No folder for the linter: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Exit code 1 means that something was found. Anything but a whole report is a failure, whatever the code. */
function readReport({ stdout, stderr, stopped, exitCode, signal, spawnError }: ProcessResult) {
  if (spawnError)
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

const LinterRule = z.strictObject({
  severity: Severity,
  cwe: z.string().optional(),
  category: z.string().default('correctness'),
  /** Tests and scripts do these things on purpose: a throw fails the test, which is what it is for. */
  quietInTests: z.boolean().default(false),
  /** Not found in the `line`, `around` (the lines above up to it) or `below` (it and the lines after). */
  unless: Looks.default([]),
  options: z.record(z.string(), z.unknown()).optional(),
});
export type LinterRule = z.infer<typeof LinterRule>;

let known: Promise<ReadonlyMap<string, LinterRule>> | undefined;

/** `plugin/rule` to what is made of its findings. */
export function readLinterRules(): Promise<ReadonlyMap<string, LinterRule>> {
  return (known ??= readData('oxlint').then(
    ({ rules }) => new Map(Object.entries(z.record(z.string(), LinterRule).parse(rules))),
  ));
}

/** The whole configuration the linter gets: no file of the change and no folder above the snapshot has a say. */
async function configure(): Promise<object> {
  const rules = [...(await readLinterRules())].map(([rule, { options }]) => [
    rule.replace(/^eslint\//, ''),
    options ? ['warn', options] : 'warn',
  ]);
  return {
    plugins: 'oxc typescript unicorn promise react'.split(' '),
    categories: { correctness: 'off' },
    rules: Object.fromEntries(rules),
    options: { respectEslintDisableDirectives: false },
  };
}
