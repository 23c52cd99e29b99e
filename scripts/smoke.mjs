// Tries the program on this machine as a person would: `node scripts/smoke.mjs` the built one, `node scripts/smoke.mjs jury-1.2.3.tgz`
// the package, installed without its scripts in an empty folder. Says what it tried, and ends with 1 at the first surprise.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'jury smoke '));
const project = path.join(folder, 'project');
const patches = {
  good: 'export const question = "six by seven";',
  bad: 'export const run = text => eval(text);',
};

function main() {
  const [tarball] = process.argv.slice(2);
  const jury = tarball === undefined ? builtProgram() : installedProgram(path.resolve(tarball));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(jury(['--version']), { status: 0, says: version });
  expect(jury(['--help']), { status: 0, says: 'review' });
  makeProject();
  expect(jury(['doctor', '--offline']), { says: process.version });
  expect(jury(['review', '--patch', 'good.patch', '--format', 'brief']), {
    status: 0,
    says: 'PASS',
  });
  expect(jury(['review', '--patch', 'bad.patch', '--format', 'terminal']), {
    status: 1,
    says: 'eval',
  });
  expect(jury(['show', '1']), { status: 0, says: 'eval' });
  expect(jury(['report', 'latest', '--format', 'sarif']), { status: 1, says: '"2.1.0"' });
  expect(jury(['search', 'answer']), { status: 0, says: 'index.js' });
  expect(jury(['reveiw']), { status: 3, says: 'review' });
  if (jury(['help', 'demo'], { quiet: true }).status === 0)
    expect(jury(['demo']), { says: 'jury' });
  console.log(`All as expected on ${process.platform} ${process.arch}, Node ${process.version}.`);
}

function builtProgram() {
  const program = path.join(root, 'dist', 'cli', 'main.js');
  if (!existsSync(program)) throw new Error('Nothing is built: npm run build');
  return starter(program);
}

/** By npm alone: no project, no script of a package, no other registry entry than what the tarball names. */
function installedProgram(/** @type {string} */ tarball) {
  const place = path.join(folder, 'installed');
  mkdirSync(place);
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
  expect(start('npm', install, { cwd: place, shell: true }), { status: 0, says: 'added' });
  const run = ['exec', '--no', '--', 'jury', '--version'];
  expect(start('npm', run, { cwd: place, shell: true }), { status: 0 });
  return starter(path.join(place, 'node_modules', 'jury', 'dist', 'cli', 'main.js'));
}

function starter(/** @type {string} */ program) {
  return (/** @type {string[]} */ args, options = {}) =>
    start(process.execPath, [program, ...args], {
      cwd: existsSync(project) ? project : folder,
      ...options,
    });
}

function makeProject() {
  mkdirSync(project);
  writeFileSync(path.join(project, 'index.js'), 'export const answer = 42;\n');
  const git = (/** @type {string[]} */ args) =>
    expect(start('git', args, { cwd: project }), { status: 0 });
  git(['init', '--quiet']);
  git(['add', '.']);
  git(['-c', 'user.name=smoke', '-c', 'user.email=smoke@localhost', 'commit', '-qm', 'one']);
  for (const [name, line] of Object.entries(patches))
    writeFileSync(
      path.join(project, `${name}.patch`),
      `diff --git a/${name}.js b/${name}.js\nnew file mode 100644\n--- /dev/null\n+++ b/${name}.js\n@@ -0,0 +1 @@\n+${line}\n`,
    );
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ readonly cwd: string, readonly shell?: boolean, readonly quiet?: boolean }} how
 */
function start(program, args, { cwd, shell = false, quiet = false }) {
  const began = Date.now();
  const quoted = args.map(arg => (/\s/.test(arg) ? `"${arg}"` : arg));
  const options = {
    cwd,
    shell,
    encoding: /** @type {const} */ ('utf8'),
    env: { ...process.env, JURY_STATE: path.join(folder, 'state'), NO_COLOR: '1' },
  };
  const { status, signal, stdout, stderr, error } = shell
    ? spawnSync([program, ...quoted].join(' '), options)
    : spawnSync(program, args, options);
  const told = [path.basename(program), ...args].join(' ').replaceAll(folder, '…');
  if (!quiet) console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${told}`);
  return { told, status: status ?? signal ?? error?.message, text: `${stdout}${stderr}` };
}

/**
 * @param {ReturnType<typeof start>} ended
 * @param {{ readonly status?: number, readonly says?: string }} wanted
 */
function expect({ told, status, text }, { status: wanted, says = '' }) {
  if ((wanted ?? status) === status && text.includes(says)) return;
  throw new Error(
    `${told}: ended with ${status}, expected ${wanted ?? status} and a text with "${says}":\n${text}`,
  );
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
