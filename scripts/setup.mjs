// Installs the packages when the lockfile has changed since the last install. Needs Node and npm only, so that
// `npm start` and `npm test` work in a fresh clone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url));

const stamp = path.join(root, 'node_modules', '.jury-lockfile');

export function setUp() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing packages…');
  // Everything npm says goes to standard error: standard output belongs to the report.
  // On Windows npm is a script for a shell.
  const npm = spawnSync('npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  if (npm.status !== 0) {
    console.error('The packages could not be installed: see the lines above.');
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, wanted);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
