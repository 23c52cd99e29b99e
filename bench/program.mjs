// What benchmarks share: the built program and what a run of it took, folders and repositories to run it in, medians, tables,
// and numbers that look random.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of another built tree where `JURY_BENCH_DIST` names one. */
export const jury = path.join(
  process.env.JURY_BENCH_DIST ?? fileURLToPath(new URL('../dist', import.meta.url)),
  'cli/main.js',
);

/** Told on a channel of its own when the process ends, so that nothing has to be added to the program. */
const telling = `data:text/javascript,${encodeURIComponent(
  `import fs from 'node:fs'; process.on('exit', () => fs.writeSync(3, JSON.stringify(process.resourceUsage())));`,
)}`;

/**
 * Resolves with exit code, what was printed, seconds of wall and of processor, and the largest memory in MB. Rejects where the
 * program came to no outcome. The configurations of benchmarks are their own, so that they are trusted.
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<{ code: number, stdout: string, stderr: string, seconds: number, cpuSeconds: number, megabytes: number }>}
 */
export function runJury(args, cwd) {
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', telling, jury, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: environmentOf(cwd),
  });
  const texts = /** @type {[string, string, string]} */ (['', '', '']);
  for (const [index, stream] of child.stdio.slice(1).entries())
    stream?.on('data', chunk => (texts[index] += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const [stdout, stderr, told] = texts;
      if (code === null || code > 2) {
        reject(new Error(`jury ${args.join(' ')} ended with ${code ?? signal}: ${stderr}`));
        return;
      }
      const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(told);
      resolve({
        code,
        stdout,
        stderr,
        seconds: (performance.now() - began) / 1000,
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        megabytes: maxRSS / 1024,
      });
    });
  });
}

/**
 * The same of a command that prints its run as JSON.
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export async function runRecorded(args, cwd) {
  const ended = await runJury([...args, '--format', 'json'], cwd);
  /** @type {import('../dist/index.js').RunRecord} */
  const record = JSON.parse(ended.stdout);
  return { ...ended, record };
}

/**
 * Milliseconds that Node takes for these arguments, with nothing of ours beside.
 * @param {readonly string[]} args
 */
export function timeNode(args, cwd = process.cwd()) {
  const began = performance.now();
  spawnSync(process.execPath, args, {
    cwd,
    stdio: 'ignore',
    env: environmentOf(cwd),
  });
  return performance.now() - began;
}

/** Where the state of a project in a folder is kept. */
export function stateOf(/** @type {string} */ folder) {
  return `${folder}-state`;
}

/** @returns {Record<string, string>} */
export function environmentOf(/** @type {string} */ cwd) {
  return { ...process.env, JURY_STATE: stateOf(cwd), JURY_TRUST_CONFIG: '1' };
}

/** The folder of the latest run of the only project in a state. */
export function latestRunOf(/** @type {string} */ state) {
  const runs = path.join(state, readdirSync(state)[0] ?? '', 'runs');
  return path.join(runs, readdirSync(runs).toSorted().at(-1) ?? '');
}

/** A part of the recorded data; null where there is none. */
export function partOf(/** @type {string | undefined} */ data, /** @type {string} */ name) {
  const folder = data === undefined ? null : path.resolve(data, name);
  return folder !== null && existsSync(folder) ? folder : null;
}

/** What a benchmark is without that part. */
export function lacking(/** @type {string} */ name) {
  return { notRun: `--data DIR or JURY_BENCH_DATA names no folder with recorded ${name}` };
}

/** Parsed JSON. */
export function readJson(/** @type {string | URL} */ file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Calls `use` with a folder that is gone afterwards, and with it the state of a project there.
 * @template T
 * @param {(folder: string) => T | Promise<T>} use
 */
export async function inFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-bench-'));
  try {
    return await use(folder);
  } finally {
    remove(folder);
  }
}

/** Its state too. */
export function remove(/** @type {string} */ folder) {
  for (const each of [folder, stateOf(folder)]) rmSync(each, { recursive: true, force: true });
}

/** Runs git in a folder and returns what it prints, without line ends behind; throws where it fails. */
export function gitIn(/** @type {string} */ cwd) {
  const identity = ['user.name=Bench', 'user.email=bench@example.org', 'commit.gpgsign=false'];
  return (/** @type {string[]} */ ...args) =>
    execFileSync('git', [...identity.flatMap(one => ['-c', one]), ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 30,
    }).trimEnd();
}

/**
 * Calls `use` with the folder of a small repository whose last commit is reviewed by `count` copies of `script`, or by `seats`:
 * lines of YAML.
 * @template T
 * @param {{ readonly script?: string, readonly count?: number, readonly seats?: readonly string[], readonly settings?: string }} panel
 * @param {(folder: string) => T | Promise<T>} use
 */
export function withSampleRepository(
  {
    script = '',
    count = 0,
    seats = Array.from(
      { length: count },
      (_, index) =>
        `{ id: r${index + 1}, runner: command, command: [node, ./reviewer.mjs], isolation: { write: [.] } }`,
    ),
    settings = '',
  },
  use,
) {
  return inFolder(folder => {
    const git = gitIn(folder);
    const write = (/** @type {string} */ name, /** @type {string} */ text) =>
      writeFileSync(path.join(folder, name), text);
    git('init', '-q', '-b', 'main');
    write('sum.js', 'export const sum = list => list.reduce((a, b) => a + b, 0);\n');
    write('reviewer.mjs', script);
    write(
      'jury.config.yaml',
      `${settings}reviewers:\n${seats.map(seat => `  - ${seat}\n`).join('')}`,
    );
    git('add', '.');
    git('commit', '-qm', 'one');
    write('sum.js', 'export const sum = list => list.reduce((a, b) => a + b);\n');
    git('commit', '-qam', 'two');
    return use(folder);
  });
}

/** Of an even number the greater one in the middle. */
export function median(/** @type {readonly number[]} */ numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
}

const modulus = 2_147_483_647;

/** Whole numbers below a bound that look random and are the same in every run, by the generator of Park and Miller. */
export function integersFrom(/** @type {number} */ state) {
  return (/** @type {number} */ bound) => (state = (state * 48_271) % modulus) % bound;
}

/** The same between 0 and 1. */
export function fractionsFrom(/** @type {number} */ state) {
  const below = integersFrom(state);
  return () => below(modulus) / modulus;
}

/** In percent. */
export function percent(/** @type {number} */ share, digits = 2) {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A table of text, its first row the head. */
export function tableOf(/** @type {readonly (readonly (string | number)[])[]} */ rows) {
  const texts = rows.map(row => row.map(String));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map(row => row[column]?.length ?? 0)),
  );
  return texts
    .map(row => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map(line => `${line.trimEnd()}\n`)
    .join('');
}
