// Installs the packages unless those that the lockfile names are there, whoever installed them. Needs Node and npm only, so that
// `npm start` and `npm test` work in a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function setUp() {
  if (isInstalled()) return;
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
}

/** By what npm wrote down when it was done. Optional packages are those of other platforms too. */
function isInstalled() {
  const there = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(
    ([name, { version, optional }]) =>
      name === '' || (there[name] ? there[name].version === version : optional),
  );
}

/** @returns {Record<string, { version: string, optional?: true }>} */
function packagesIn(/** @type {string} */ lockfile) {
  const file = path.join(root, lockfile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
