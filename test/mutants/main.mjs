/**
 * Takes the safeguards out one by one, each in a copy of the tree, and asks the tests that guard them: they must fail there, and pass
 * where nothing is taken out. `node test/mutants/main.mjs [WORD …]` tries those whose name holds one of the words.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants } from './mutants.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A mutant that hangs is not caught: what must notice it has to say so. */
const mostMs = 600_000;

/** What is no source, and what may be written while the copy is made. */
const leftOut = new Set(['node_modules', '.git', '.jury', '.cache', 'coverage', 'dist']);

const words = process.argv.slice(2);
const chosen = mutants.filter(
  ({ name }) => words.length === 0 || words.some(word => name.includes(word)),
);
process.exitCode = main();

function main() {
  const copy = mkdtempSync(path.join(tmpdir(), 'jury-mutants-'));
  try {
    copyTree(copy);
    const began = performance.now();
    const sound = trySound(copy);
    const tried = chosen.map(mutant => tryMutant(mutant, copy, sound));
    const caught = tried.filter(Boolean).length;
    console.log(`${caught} of ${chosen.length} caught, in ${secondsSince(began)} s.`);
    return caught === chosen.length && caught > 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyTree(copy) {
  cpSync(root, copy, {
    recursive: true,
    filter: source => path.dirname(source) !== root || !leftOut.has(path.basename(source)),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

/** Names of the tests that pass where nothing is taken out. */
function trySound(copy) {
  const began = performance.now();
  if (chosen.some(({ program }) => program === true)) buildIn(copy);
  const guards = new Map(chosen.map(({ caughtBy }) => [nameOf(caughtBy), caughtBy]));
  const passed = new Set(
    [...guards]
      .filter(([, guard]) => runGuard(guard, copy).some(({ status }) => status === 'passed'))
      .map(([name]) => name),
  );
  console.log(
    `without a mutant: ${passed.size} of ${guards.size} tests pass, ${secondsSince(began)} s`,
  );
  return passed;
}

function tryMutant({ name, file, edits, program = false, caughtBy }, copy, sound) {
  const began = performance.now();
  const target = path.join(copy, file);
  const text = readFileSync(target, 'utf8');
  const say = verdict => console.log(`${name}: ${verdict}, ${secondsSince(began)} s`);
  const missing = edits.find(([from]) => text.split(from).length !== 2);
  if (missing !== undefined) {
    say(`NOT TRIED, ${file} does not hold its text once: ${JSON.stringify(missing[0])}`);
    return false;
  }
  try {
    writeFileSync(
      target,
      edits.reduce((edited, [from, to]) => edited.replace(from, () => to), text),
    );
    if (program) buildIn(copy);
    const failed = runGuard(caughtBy, copy).find(({ status }) => status === 'failed');
    const isCaught = failed !== undefined && sound.has(nameOf(caughtBy));
    say(isCaught ? `caught by ${nameOf(caughtBy)}: ${failed.why}` : `SURVIVES ${nameOf(caughtBy)}`);
    return isCaught;
  } finally {
    writeFileSync(target, text);
  }
}

function buildIn(copy) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: copy,
    encoding: 'utf8',
    timeout: mostMs,
  });
  if (status !== 0) throw new Error(`It does not build: ${stderr}`);
}

/** What became of the test, and the first line of why. Nothing when its file cannot be loaded. */
function runGuard({ file, test, environment = {} }, copy) {
  const report = path.join(copy, 'mutant-report.json');
  rmSync(report, { force: true });
  const pattern = test.replace(/[^\w ]/g, '.');
  spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      file,
      '-t',
      pattern,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    {
      cwd: copy,
      timeout: mostMs,
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    },
  );
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
      .testResults.flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => fullName.includes(test))
      .map(({ status, failureMessages = [] }) => ({
        status,
        why: (failureMessages[0] ?? '').split('\n')[0]?.slice(0, 200),
      }));
  } catch {
    return [];
  }
}

function nameOf({ file, test }) {
  return `${file} (${test})`;
}

function secondsSince(began) {
  return ((performance.now() - began) / 1_000).toFixed(0);
}
