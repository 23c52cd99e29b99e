/**
 * JavaScript and TypeScript correctness: the linter with Jury's rules over the new text of the changed files. Comments
 * in the change that switch rules off are not obeyed: what they would silence keeps its severity, and they are named.
 */
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { attemptMarker } from '../../adapters/runners/process-tree.ts';
import { runIn } from '../../adapters/runners/process.ts';
import type { RunnerWorld } from '../../adapters/runners/executable.ts';
import { makeTemporaryFolder } from '../../adapters/system/temporary-folder.ts';
import { messageOf } from '../../core/errors.ts';
import { halvesOf } from '../../core/groups.ts';
import { parseJson } from '../../core/json.ts';
import {
  familyOf,
  isFixturePath,
  isScriptPath,
  isTestPath,
} from '../../core/languages/languages.ts';
import type { ProcessResult } from '../../core/ports/runner.ts';
import { compareTexts } from '../../core/text.ts';
import { Severity } from '../../core/words/finding.ts';
import {
  AnalyserFailure,
  type Analysis,
  type Remark,
  type Source,
  type Task,
  onlyHunks,
  perFile,
  quoteOf,
} from '../analyser.ts';
import { Looks } from '../rule.ts';
import { readData } from './rule-files.ts';

export async function javascript(task: Task, world: RunnerWorld): Promise<Analysis> {
  const sources = new Map<string, Source>();
  const { coverage } = await perFile({
    outside: ({ path }) => (familyOf(path) === 'javascript' ? null : 'no JavaScript or TypeScript'),
    examine(source) {
      // A part of a program does not parse.
      if (!source.isWhole) return { skipped: onlyHunks };
      if (source.file.status !== 'deleted') sources.set(snapshotName(source, sources.size), source);
      return [];
    },
  })(task);
  const readings = new Map(coverage.map(reading => [reading.path, reading]));
  const texts = new Map(
    [...sources].map(
      ([name, { text }]) =>
        [name, text.replace(directive, '$1_$2').replace(/\r(?!\n)/g, '\u2028')] as const,
    ),
  );
  const { diagnostics, fatal } = await lintFiles(texts, world, task.signal);
  task.signal.throwIfAborted();
  for (const name of fatal) {
    const path = sources.get(name)?.path ?? '';
    readings.set(path, { path, extent: 'skipped', why: 'the linter does not survive it' });
  }
  for (const { filename, code } of diagnostics) {
    const path = sources.get(filename)?.path;
    if (code === undefined && path !== undefined && readings.get(path)?.extent === 'full')
      readings.set(path, { path, extent: 'partial', why: 'does not parse' });
  }
  const rules = await readLinterRules();
  return {
    remarks: onceEach(diagnostics, sources).flatMap(told => toRemark(told, rules)),
    coverage: [...readings.values()],
  };
}

/** A diagnostic, and the changed line that it is about. */
interface Told extends Diagnostic {
  source: Source;
  line: number;
}

/**
 * A place is told once by a rule, and a file that does not parse once: what follows the first place comes of it. A minified line has tens
 * of thousands that differ in nothing that is told.
 */
function onceEach(diagnostics: readonly Diagnostic[], sources: ReadonlyMap<string, Source>) {
  const told = new Map<string, Told>();
  for (const diagnostic of diagnostics) {
    const { filename, code, labels } = diagnostic;
    const source = sources.get(filename);
    const line = labels
      .map(({ span }) => span.line)
      .findLast(each => typeof source?.touched(each, each) === 'number');
    if (!source || line === undefined) continue;
    const key = JSON.stringify([filename, code, code === undefined ? 0 : line]);
    if (code !== undefined || !told.has(key)) told.set(key, { ...diagnostic, source, line });
  }
  // The linter reads files side by side.
  return [...told.values()].toSorted(
    (one, other) => compareTexts(one.source.path, other.source.path) || one.line - other.line,
  );
}

/** Nothing of the change but the ending is in the name. */
function snapshotName({ path }: Source, index: number) {
  return `f${index}${/(?:\.d)?\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/i.exec(path)?.[0].toLowerCase() ?? '.js'}`;
}

const directive = /(eslint|oxlint)-(disable|enable)/g;

function toRemark(
  { message, code, help, source, line }: Told,
  rules: ReadonlyMap<string, LinterRule>,
) {
  if (code === undefined)
    return isFixturePath(source.path) || /@flow\b/.test(source.text.slice(0, 2_000))
      ? []
      : [syntaxRemark(source, line, message)];
  const rule = code.replace(/^([\w-]+)\(([\w-]+)\)$/, '$1/$2');
  const known = rules.get(rule);
  if (!known || isQuiet(known, source, line)) return [];
  const { category, cwe, quietInTests } = known;
  const severity = quietInTests && isScriptPath(source.path) ? 'low' : known.severity;
  const silencer = findSilencer(source, line, rule);
  if (silencer && !silencer.isAdded) return [];
  const note = silencer
    ? `Silenced by \`${silencer.directive}\` in line ${silencer.line}, which this change adds: `
    : '';
  return [
    {
      rule: `javascript/${rule}`,
      severity,
      category,
      ...(cwe !== undefined && { weakness: cwe }),
      path: source.path,
      line,
      quote: quoteOf(source, line),
      // First, so that what is cut to a line still says it.
      issue: `${note}${oneLine(message)}`,
      recommendation:
        help === undefined
          ? 'Rewrite the expression so that it does what was meant.'
          : oneLine(help),
    },
  ];
}

const farthest = 60;

function isQuiet({ quietInTests, unless }: LinterRule, source: Source, line: number) {
  const { path, lines } = source;
  if (quietInTests && isTestPath(path)) return true;
  const places: Record<string, readonly string[]> = {
    line: lines.slice(line - 1, line),
    around: lines.slice(Math.max(0, line - farthest), line),
    below: lines.slice(line - 1, line + farthest),
  };
  return unless.some(({ place, pattern }) => pattern.test(places[place]?.join('\n') ?? ''));
}

function syntaxRemark(source: Source, line: number, message: string): Remark {
  return {
    rule: 'javascript/syntax',
    severity: 'high',
    category: 'correctness',
    path: source.path,
    line,
    quote: quoteOf(source, line),
    issue: `The file does not parse: ${oneLine(message)}`,
    recommendation: 'Repair the syntax.',
  };
}

/** A comment on the line, the one above or the top of the file that switches the rule off, such as `eslint-disable-next-line`. */
function findSilencer(source: Source, line: number, rule: string) {
  const name = rule.replace(/^.*\//, '');
  const top = Array.from({ length: Math.min(10, source.lines.length) }, (_, index) => index + 1);
  const found = [line, line - 1, ...top].flatMap((place, order) => {
    const [directive, reach, names = ''] =
      /(?:eslint|oxlint)-disable(-next-line|-line)?(?![\w-])(.*)$/.exec(
        source.lines[place - 1] ?? '',
      ) ?? [];
    if (directive === undefined || (order >= 2 && reach !== undefined)) return [];
    const rest = names.replace(/\*\/.*$|--.*$/, '').trim();
    return rest === '' || rest.includes(name)
      ? [
          {
            line: place,
            directive: directive.slice(0, directive.length - names.length),
            isAdded: source.touched(place, place) !== null,
          },
        ]
      : [];
  });
  return found[0] ?? null;
}

/** The linter repeats names from the change: one line, without control characters. */
function oneLine(text: string) {
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  return text
    .replace(/[\u0000-\u001F\u007F-\u009F\s]+/g, ' ')
    .trim()
    .slice(0, 400);
}

// Runs the JavaScript linter over a fresh folder that holds nothing but the texts it is given.

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
type Diagnostic = z.infer<typeof Diagnostic>;

interface Linted {
  diagnostics: readonly Diagnostic[];
  /** Names of files that the linter itself does not survive: nesting deep enough ends any recursive parser. */
  fatal: readonly string[];
}

/** Lints all files, and closes in on those that crash the linter so that they cannot take the others with them. */
async function lintFiles(
  files: ReadonlyMap<string, string>,
  world: RunnerWorld,
  signal: AbortSignal,
): Promise<Linted> {
  if (files.size === 0) return { diagnostics: [], fatal: [] };
  try {
    return { diagnostics: await runOxlint(files, world, signal), fatal: [] };
  } catch (error) {
    if (!(error instanceof AnalyserFailure) || error.failureCause !== 'killed') throw error;
    if (files.size === 1) return { diagnostics: [], fatal: [...files.keys()] };
    const linted: Linted[] = [];
    for (const half of halvesOf([...files]))
      linted.push(await lintFiles(new Map(half), world, signal));
    return {
      diagnostics: linted.flatMap(({ diagnostics }) => diagnostics),
      fatal: linted.flatMap(({ fatal }) => fatal),
    };
  }
}

const longestRunMs = 2_147_483_647;
const mostOutput = 32 * 1024 * 1024;

/** `files` maps plain file names (`f1.ts`) to texts. Diagnostics carry those names. A crash is a failure `killed`. */
async function runOxlint(
  files: ReadonlyMap<string, string>,
  world: RunnerWorld,
  signal: AbortSignal,
) {
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
    throw new AnalyserFailure('spawn', `No folder for the linter: ${messageOf(error)}`);
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
  /** Tests do these things on purpose: a throw fails the test, which is what it is for. In scripts they weigh less. */
  quietInTests: z.boolean().default(false),
  /** Not found in the `line`, `around` (the lines above up to it) or `below` (it and the lines after). */
  unless: Looks.default([]),
  options: z.record(z.string(), z.unknown()).optional(),
});
type LinterRule = z.infer<typeof LinterRule>;

let known: Promise<ReadonlyMap<string, LinterRule>> | undefined;

/** `plugin/rule` to what is made of its findings. */
function readLinterRules() {
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
