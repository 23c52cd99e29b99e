// The step of the Action: checks the inputs, installs the package outside of the checkout, starts it. Inputs come as variables and
// leave as words of a list: no shell reads them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folderName = /^(?!-)[\w./ -]{1,200}$/;
const list = /^[\w:,./-]{1,500}$/;
const choice = /^(?:true|false)$/;

/** Every input with what it may be and the modes that take it. */
const inputs = {
  package: {
    of: /^(?:https:\/\/[\w.-]+\/[\w.%@+/-]{1,400}|(?!-)[\w./ -]{1,200})\.tgz$/,
    modes: ['review', 'pack', 'publish'],
  },
  out: { of: folderName, modes: ['review', 'pack'] },
  packed: { of: folderName, modes: ['review'] },
  handover: { of: folderName, modes: ['publish'] },
  pull: { of: /^[1-9]\d{0,9}$/, modes: ['publish'] },
  sha: { of: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, modes: ['publish'] },
  sarif: { of: choice, modes: ['publish'] },
  config: { of: folderName, modes: ['review'] },
  reviewers: { of: list, modes: ['review'] },
  'fail-on': { of: list, modes: ['review'] },
  'max-cost': { of: /^\d{1,6}(?:\.\d{1,4})?$/, modes: ['review'] },
  'max-tokens': { of: /^\d{1,12}$/, modes: ['review'] },
  'trust-config': { of: choice, modes: ['review'] },
  'exit-zero': { of: choice, modes: ['review'] },
};

/** The words behind `jury`, and the tarball to install; null: what lies beside this file. Throws a sentence for an input that is none. */
export function readInputs(environment) {
  const given = name => environment[`JURY_INPUT_${name.toUpperCase().replaceAll('-', '_')}`] ?? '';
  const mode = given('mode');
  if (!['review', 'pack', 'publish'].includes(mode))
    throw new Error('The input mode must be review, pack or publish.');
  const taken = Object.entries(inputs).filter(([, { modes }]) => modes.includes(mode));
  for (const [name, { of, modes }] of Object.entries(inputs)) {
    const value = given(name);
    if (value !== '' && value !== 'false' && !of.test(value))
      throw new Error(`The input ${name} has a value that it cannot have.`);
    if (!modes.includes(mode) && value !== '' && of !== choice)
      throw new Error(`The input ${name} goes with mode ${modes.join(' or ')}, not with ${mode}.`);
  }
  const needed = { review: ['out'], pack: ['out'], publish: ['handover', 'pull', 'sha'] }[mode];
  const missing = needed.find(name => given(name) === '');
  if (missing !== undefined) throw new Error(`Mode ${mode} needs the input ${missing}.`);
  const words = taken
    .filter(([name]) => name !== 'package' && given(name) !== '' && given(name) !== 'false')
    .flatMap(([name, { of }]) => (of === choice ? [`--${name}`] : [`--${name}`, given(name)]));
  const repository =
    mode === 'publish' ? ['--repository', environment.GITHUB_REPOSITORY ?? ''] : [];
  return {
    tarball: given('package') === '' ? null : given('package'),
    words: ['github', mode, ...words, ...repository],
  };
}

function main(environment) {
  const { tarball, words } = readInputs(environment);
  const program = tarball === null ? ownProgram() : install(tarball, environment);
  const { status, error } = spawnSync(process.execPath, [program, ...words], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 4;
}

function ownProgram() {
  const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  if (!existsSync(program))
    throw new Error(
      'The input package must name the tarball of Jury: a path, or an https address.',
    );
  return program;
}

/**
 * In a folder of the machine that runs the job: what lies in the checkout must not choose where packages come from. By its place and
 * never by its name: who owns a name of a registry is not ours to say.
 */
function install(tarball, environment) {
  const folder = path.join(environment.RUNNER_TEMP ?? '/tmp', 'jury');
  const program = path.join(folder, 'node_modules', 'jury', 'dist', 'cli', 'main.js');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const place = tarball.startsWith('https:')
    ? tarball
    : path.resolve(environment.GITHUB_WORKSPACE ?? '', tarball);
  const { status, error } = spawnSync('npm', [...words, place], { cwd: folder, stdio: 'inherit' });
  if (error !== undefined || status !== 0)
    throw new Error(`${tarball} cannot be installed with npm.`);
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main(process.env);
  } catch (error) {
    // A line of its own, which nobody but this file writes: GitHub shows it at the job.
    console.error(
      `::error title=Jury::${error instanceof Error ? error.message : 'unknown error'}`,
    );
    process.exitCode = 3;
  }
}
