// Compiles `src` to `dist`, marks the two programs executable, writes the JSON Schema of the configuration and the plugin.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, setUp } from './setup.mjs';

const dist = path.join(root, 'dist');

export async function build() {
  setUp();
  rmSync(dist, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], { cwd: root, stdio: ['ignore', 2, 2] });
  if (compiled.status !== 0) process.exit(compiled.status ?? 1);
  const schema = spawnSync(process.execPath, [path.join(root, 'scripts', 'write-schema.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
  if (schema.status !== 0) process.exit(schema.status ?? 1);
  await bundlePrograms();
  const { bundleLibrary } = await import('./build-library.mjs');
  await bundleLibrary();
  const { writePlugin } = await import('./build-plugin.mjs');
  writePlugin();
  for (const program of ['main.js', 'multi-consensus.js']) chmodSync(path.join(dist, 'cli', program), 0o755);
}

/**
 * Replaces the two programs by bundles: loading some two hundred small files one by one takes longer than all else at the
 * start. The library keeps its files; packages stay outside.
 */
async function bundlePrograms() {
  const { rolldown } = await import('rolldown');
  const input = { main: path.join(root, 'src', 'cli', 'main.ts'), 'multi-consensus': path.join(root, 'src', 'cli', 'multi-consensus.ts') };
  const bundle = await rolldown({ input, platform: 'node', external: isExternal, cwd: root });
  await bundle.write({ dir: path.join(dist, 'cli'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  await bundle.close();
  // Clients start this one themselves and give it seconds: it stands alone, with no part of the library.
  const tools = await rolldown({ input: { 'reviewer-tools': path.join(root, 'src', 'mcp', 'reviewer-tools.ts') }, platform: 'node', external: isExternal, cwd: root });
  await tools.write({ dir: path.join(dist, 'mcp'), format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
  await tools.close();
}

/** Small packages that the start of every command needs: inside the bundle they cost no search and no file each. */
const inside = ['commander', 'diff', 'fastest-levenshtein', 'p-limit', 'yocto-queue', 'picocolors', 'picomatch', 'stemmer', 'string-width', 'strip-ansi', 'ansi-regex', 'ansi-styles', 'get-east-asian-width', 'wrap-ansi', 'yaml', 'zod'];

function isExternal(id) {
  return /^(?:node:|@?[a-z])/.test(id) && !inside.some(name => id === name || id.startsWith(`${name}/`));
}

/** True when a source file, or the build itself, is newer than what was built. */
export function isStale() {
  const built = path.join(dist, 'cli', 'main.js');
  if (!existsSync(built)) return true;
  const builtAt = statSync(built).mtimeMs;
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
  return [...sources, path.join(root, 'package.json'), path.join(root, 'tsconfig.build.json')].some(file => statSync(file).mtimeMs > builtAt);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setUp();
  if (!process.argv.includes('--if-stale') || isStale()) await build();
}
