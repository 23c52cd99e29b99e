// Compiles `src` to `dist`, marks the two programs executable, writes the JSON Schema of the configuration, the table of the
// token encoding, the manual page, the notices of what is built in, and the plugin. `--comparison` adds the two programs with a clock
// and ids that the environment gives (`scripts/comparison/`) as `dist/comparison/`, so that two versions can be compared run by run.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIn, writeBundle } from './parts.mjs';
import { root, setUp } from './setup.mjs';

const dist = path.join(root, 'dist');
const comparison = path.join(dist, 'comparison');

export async function build() {
  setUp();
  rmSync(dist, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
  const compiledTo = path.join(root, 'node_modules', '.compiled');
  rmSync(compiledTo, { recursive: true, force: true });
  const compiled = spawnSync(
    process.execPath,
    [compiler, '-p', path.join(root, 'tsconfig.build.json'), '--outDir', compiledTo],
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  // A program that is not bundled does nothing and ends with 0, which would read as a pass: none ever stands where it is started.
  for (const name of programs) rmSync(path.join(compiledTo, 'cli', `${name}.js`), { force: true });
  if (compiled.status === 0) renameSync(compiledTo, dist);
  rmSync(compiledTo, { recursive: true, force: true });
  if (compiled.status !== 0) process.exit(compiled.status ?? 1);
  for (const script of ['write-schema.mjs', 'write-rank-table.mjs', 'write-manual.mjs']) {
    const written = spawnSync(process.execPath, [path.join(root, 'scripts', script)], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (written.status !== 0) process.exit(written.status ?? 1);
  }
  copyGrammars();
  await bundlePrograms();
  const { bundleLibrary } = await import('./build-library.mjs');
  await bundleLibrary();
  const { writeNotices } = await import('./write-notices.mjs');
  writeNotices(builtIn);
  const { writePlugin } = await import('./build-plugin.mjs');
  writePlugin();
}

/** Their packages hold a program for every machine besides, a hundred megabytes that nobody needs who installs this one. */
const copiedGrammars = {
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin',
  scala: 'tree-sitter-scala',
};

function copyGrammars() {
  const folder = path.join(dist, 'grammars');
  mkdirSync(folder, { recursive: true });
  for (const [grammar, name] of Object.entries(copiedGrammars)) {
    const from = path.join(root, 'node_modules', name);
    const file = `tree-sitter-${grammar}.wasm`;
    copyFileSync(path.join(from, file), path.join(folder, file));
    builtIn.add(from);
  }
}

/**
 * Replaces the folder of the terminal by bundles: loading some two hundred small files one by one takes longer than all
 * else at the start. `launch.js` starts them with code that V8 kept. The library keeps its files.
 */
async function bundlePrograms() {
  await bundleTerminal(path.join(dist, 'cli'));
  // Clients start the one and the system's shell the other, and neither has time: they stand alone, with no part of the library.
  await bundleAlone('mcp/reviewer-tools', path.join(dist, 'mcp'));
  await bundleAlone('adapters/runners/reap', dist);
  await bundleAlone('adapters/index/index-worker', dist);
}

/** Never packed: `files` of package.json does not name the folder, and `check-package.mjs` finds the seams wherever they are. */
export async function buildComparison() {
  const seams = new Map(
    ['clock', 'ids'].map(name => [
      path.join(root, 'src', 'adapters', 'system', `${name}.ts`),
      path.join(root, 'scripts', 'comparison', `${name}.mjs`),
    ]),
  );
  /** @type {Set<string>} */
  const used = new Set();
  const resolveId = (/** @type {string} */ id, from = '') => {
    const seam = seams.get(path.resolve(path.dirname(from), id));
    // What stands in for a module is made of it.
    if (seam === undefined || seam === from) return null;
    used.add(seam);
    return seam;
  };
  await bundleTerminal(comparison, [{ name: 'comparison', resolveId }]);
  if (used.size < seams.size) throw new Error(`Not all seams are in use: ${[...used].join(', ')}.`);
  return path.join(comparison, 'main.js');
}

/**
 * The two programs of the terminal and what starts them, in a folder of their own.
 * @param {string} dir
 * @param {import('rolldown').Plugin[]} plugins
 */
async function bundleTerminal(dir, plugins = []) {
  rmSync(dir, { recursive: true, force: true });
  // In CommonJS: Node reads it faster, and takes kept code for no other.
  /** @type {import('rolldown').OutputOptions} */
  const common = {
    dir,
    format: 'cjs',
    dynamicImportInCjs: false,
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: { groups: Object.entries(loadedTogether).map(toGroup) },
  };
  await writeBundle({
    input: Object.fromEntries(programs.map(name => [name, source(`cli/${name}`)])),
    output: { ...common, entryFileNames: 'program-[name].js' },
    plugins: [...plugins, { name: 'names', renderChunk: giveValues }],
  });
  await writeBundle({
    input: { launch: source('cli/launch') },
    output: { ...common, entryFileNames: '[name].js' },
  });
  writeFileSync(path.join(dir, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of programs) {
    writeFileSync(
      path.join(dir, `${name}.js`),
      `#!/usr/bin/env node\nrequire('./launch.js').launch(require.resolve('./program-${name}.js'));\n`,
      { mode: 0o755 },
    );
  }
}

/**
 * What is loaded together stands in one part, with all that it loads at once: a review read eighty-five, and every name that one
 * of them has from another is one more function that runs. What stands in an earlier part stands in none of the later ones.
 */
const loadedTogether = {
  start: ['cli/entry-point'],
  command: ['cli/commands', 'cli/help'],
  checks: ['checks/diff', 'checks/secrets', 'checks/world/rule-files', 'checks/world/runner'],
  review: [
    'cli/run-commands',
    'index',
    'library/open-world',
    'library/trust',
    'adapters/runners/command',
    'adapters/runners/enclose',
    'adapters/runners/process-tree',
  ],
};

/** What is never assigned anew is a value for other parts, not one more function that runs at each use. */
function giveValues(/** @type {string} */ code) {
  const getter = /Object\.defineProperty\(exports, ("\S+"), [^}]*return ([\w$]+);\s+\}\s+\}\);/g;
  return code.replace(getter, (whole, name, from) =>
    ['const X =', 'function X(', 'async function X(', 'var X = class'].some(declared =>
      code.includes(`\n${declared.replace('X', () => from)}`),
    )
      ? `exports[${name}] = ${from};`
      : whole,
  );
}

async function bundleAlone(/** @type {string} */ name, /** @type {string} */ folder) {
  await writeBundle({
    input: { [path.basename(name)]: source(name) },
    output: { dir: folder, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
  });
}

function toGroup(/** @type {[string, string[]]} */ [name, files]) {
  const ids = new Set(files.map(source));
  for (const id of ids) if (!existsSync(id)) throw new Error(`Nothing is at ${id}.`);
  return { name, test: (/** @type {string} */ id) => ids.has(id) };
}

const programs = ['main', 'multi-consensus'];

function source(/** @type {string} */ name) {
  return path.join(root, 'src', `${name}.ts`);
}

/** True when a source file, or the build itself, is newer than what was built. */
export function isStale() {
  const built = path.join(dist, 'cli', 'main.js');
  if (!existsSync(built)) return true;
  const builtAt = statSync(built).mtimeMs;
  const files = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));
  for (const name of ['package.json', 'tsconfig.build.json', 'scripts/build.mjs'])
    files.push(path.join(root, name));
  return files.some(file => statSync(file).mtimeMs > builtAt);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setUp();
  const isForComparison = process.argv.includes('--comparison');
  if (!(isForComparison || process.argv.includes('--if-stale')) || isStale()) await build();
  if (isForComparison) await buildComparison();
}
