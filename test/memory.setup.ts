/**
 * Tests make their files in memory where Linux offers that: what the program keeps it has written to the disk, more than a hundred
 * times for one review, and the suite makes some thousand repositories. `TMPDIR`, where it is set, is where they lie instead.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const memory = '/dev/shm';
/** Bytes; the suite needs a fraction of it at a time. */
const room = 4 * 2 ** 30;

export function setup() {
  // Each start of a program copies the page tables of whoever starts it: one heap in large pages has the fewest.
  Object.assign(process.env, { MALLOC_ARENA_MAX: 1, GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' });
  if (process.env['TMPDIR'] !== undefined || !isRoomy()) return undefined;
  const folder = mkdtempSync(path.join(memory, 'jury-tests-'));
  // What other users may reach in the usual folder they may reach in this one.
  chmodSync(folder, 0o711);
  if (startsPrograms(folder)) process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function isRoomy() {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room;
}

/** Containers often mount it so that nothing in it can be started. */
function startsPrograms(folder: string) {
  const file = path.join(folder, 'program');
  writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(file).status === 0;
}
