/** Turns, seats and small programs for the tests of the runners. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Seat } from '../../../src/core/words/config.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import type { RunnerWorld } from '../../../src/adapters/runners/executable.ts';
import { hashLoaded } from '../../../src/library/manifest.ts';
import { samplePersona } from '../../core/sample.ts';

/** A folder that is gone after the test. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'jury-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** With the PATH of the test run and an own temporary folder, so that leftovers are seen. */
export async function freshWorld(environment: Record<string, string> = {}): Promise<RunnerWorld> {
  return {
    environment: { PATH: process.env.PATH, ...environment },
    temporaryFolder: await freshFolder(),
    hashLoaded,
  };
}

export function seatOf(changes: Partial<Seat>): Seat {
  return {
    id: 'alpha',
    runner: 'command',
    persona: samplePersona({ instructions: 'Review it.' }),
    environment: [],
    timeout: 120,
    required: false,
    home: tmpdir(),
    ...changes,
  };
}

export function turnOf(seat: Partial<Seat>, changes: Partial<Turn> = {}): Turn {
  return {
    seat: seatOf(seat),
    attempt: 1,
    instructions: 'You review.',
    prompt: 'What is wrong with this change?',
    change: null,
    read: () => Promise.resolve(null),
    deadlines: { firstOutputMs: 20_000, idleMs: 20_000, totalMs: 20_000 },
    ...changes,
  };
}

/** The command of a Node program with this source. */
export async function program(source: string): Promise<[string, string]> {
  const file = join(await freshFolder(), 'program.mjs');
  await writeFile(file, source);
  return [process.execPath, file];
}

export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Ids of the processes whose environment holds `text`, zombies left out. Linux only. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    if (environment.includes(text)) found.push(Number(name));
  }
  return found;
}

/** Variables that each attempt has, in the order of their names. */
export const always = (
  'CI GIT_CEILING_DIRECTORIES GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 HOME JURY_ATTEMPT ' +
  'JURY_REVIEWER LANG LC_ALL NO_COLOR PATH TERM TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME ' +
  'XDG_STATE_HOME'
).split(' ');
