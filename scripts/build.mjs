// Compiles `src` to `dist`, marks the two programs executable and writes the JSON Schema of the configuration.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, setUp } from './setup.mjs';

const dist = path.join(root, 'dist');

export function build() {
  setUp();
  rmSync(dist, { recursive: true, force: true });
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], { cwd: root, stdio: ['ignore', 2, 2] });
  if (compiled.status !== 0) process.exit(compiled.status ?? 1);
  const schema = spawnSync(process.execPath, [path.join(root, 'scripts', 'write-schema.mjs')], { cwd: root, stdio: ['ignore', 2, 2] });
  if (schema.status !== 0) process.exit(schema.status ?? 1);
  for (const program of ['main.js', 'multi-consensus.js']) chmodSync(path.join(dist, 'cli', program), 0o755);
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
  if (!process.argv.includes('--if-stale') || isStale()) build();
}
