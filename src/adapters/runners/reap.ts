/** What the reaper of a killed Jury starts: `node reap.js BASE OWNER`. Nobody is there to be told anything. */
import { setTimeout as wait } from 'node:timers/promises';
import { isGone } from '../system/temporary-folder.ts';
import { sweepStaleFolders } from './stale-folders.ts';

/** Its pipes end a moment before a process is gone; one that is still there then is not killed, and cleans up after itself. */
const patienceMs = 10_000;
const pauseMs = 10;

const [base, owner] = process.argv.slice(2);
if (base !== undefined && owner !== undefined) {
  for (let waited = 0; waited < patienceMs && !(await isGone(owner)); waited += pauseMs)
    await wait(pauseMs);
  await sweepStaleFolders(base);
}
