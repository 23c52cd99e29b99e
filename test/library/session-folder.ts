/** A session of motions in a folder of its own, and a clock by which only the time of a panel is waited for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../src/index.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';

/** `files` of the session by name, without their ending. */
export function makeSession(files: Readonly<Record<string, unknown>>, cwd = createFolder()) {
  mkdirSync(path.join(cwd, 'session'), { recursive: true });
  for (const [name, value] of Object.entries(files))
    writeFileSync(path.join(cwd, 'session', `${name}.json`), JSON.stringify(value));
  return {
    cwd,
    environment: { ...process.env, JURY_STATE: path.join(cwd, 'state') },
    /** Where the vote on it leaves its results. */
    results: path.join(cwd, '_bmad-output/review-pipeline/session'),
  };
}

/** Pauses between tries are over at once; the time of a panel never is. */
export const hurrying: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    ms < 60_000
      ? Promise.resolve()
      : new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
};
