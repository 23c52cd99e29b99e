/**
 * Counts the processes that a run of the tests starts: a byte in a file for each, so that none is lost with the worker or the thread
 * that started it. Loaded once in each of them, before anything else takes `node:child_process` apart.
 */
import childProcess from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @param {number} pid process of Vitest: the parent of every worker */
export function countFileOf(pid) {
  return fileURLToPath(new URL(`../node_modules/.cache/jury/processes-${pid}`, import.meta.url));
}

const counted = Symbol.for('jury.processes-counted');

/** Counts from now on what this thread starts, tries that fail included; nothing where the file is missing. A second call does nothing. */
export function countProcesses(file = countFileOf(process.ppid)) {
  if (counted in childProcess || !existsSync(file)) return;
  Object.defineProperty(childProcess, counted, { value: true });
  // `fork`, `exec` and `execFile` come to the first one; none of the others comes to another.
  count(childProcess.ChildProcess.prototype, 'spawn', file);
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) count(childProcess, name, file);
  syncBuiltinESMExports();
}

function count(owner, name, file) {
  const start = owner[name];
  owner[name] = function (...words) {
    appendFileSync(file, '.');
    return start.apply(this, words);
  };
}
