/**
 * Runs that are killed at many points, by time and by the operations of the disk, and gone on with. With `JURY_FAULTS=all` at 200
 * points.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import {
  asked,
  createLab,
  createTally,
  findingsOf,
  recorded,
  resume,
  review,
  run,
  runFolder,
  start,
  type Lab,
} from './panel.ts';

const isWhole = process.env.JURY_FAULTS === 'all';
const points = isWhole ? 100 : 3;

/** Counts what the program asks of the disk, and ends it without a word before the one that is named. */
const preload = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const last = Number(process.env.FAULT_AT ?? 0);
const counted = process.env.FAULT_COUNTED;
let count = 0;
const step = () => {
  count += 1;
  if (count === last) process.kill(process.pid, 'SIGKILL');
};
const wrap = (holder, names) => {
  for (const name of names) {
    const real = holder[name];
    holder[name] = function (...given) {
      step();
      return real.apply(this, given);
    };
  }
};
const handle = await fs.promises.open(import.meta.filename, 'r');
wrap(Object.getPrototypeOf(handle), ['write', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate']);
await handle.close();
wrap(fs.promises, ['writeFile', 'appendFile', 'rename', 'link', 'unlink', 'rm', 'mkdir']);
wrap(fs, ['writeFileSync', 'renameSync', 'rmSync', 'mkdirSync', 'unlinkSync', 'fsyncSync', 'writeSync']);
syncBuiltinESMExports();
if (counted) process.on('exit', () => fs.appendFileSync(counted, count + '\\n'));
`;

const tally = createTally();
const twice: string[] = [];
let whole: { readonly findings: string; readonly ms: number; readonly operations: number };
let preloadFile = '';
let tried = 0;

const counting = (more: Readonly<Record<string, string>>) => ({
  more: { NODE_OPTIONS: `--import=${pathToFileURL(preloadFile).href}`, ...more },
});

beforeAll(async () => {
  const folder = createFolder();
  preloadFile = path.join(folder, 'preload.mjs');
  writeFileSync(preloadFile, preload);
  const counted = path.join(folder, 'counted');
  const lab = createLab();
  const began = performance.now();
  const ended = await run(lab, review(lab), counting({ FAULT_COUNTED: counted }));
  whole = {
    findings: findingsOf(ended) ?? '',
    ms: performance.now() - began,
    operations: Number(readFileSync(counted, 'utf8').trim()),
  };
  if (ended.code !== 1 || whole.operations < 50)
    throw new Error(`The run that is not killed is none: ${ended.code}, ${ended.stderr}`);
});

afterAll(() => {
  console.log(
    tally.told(
      `${tried} points of a run of ${whole.operations} operations and ${Math.round(whole.ms)} ms, ` +
        `${twice.length} reviewers asked twice whose answer was kept`,
    ),
  );
});

/** Ends the run somewhere, looks at what is left, and goes on. */
async function killAndGoOn(where: string, begin: (lab: Lab) => Promise<unknown>) {
  const lab = createLab();
  await begin(lab);
  tried += 1;
  const kept = recorded(lab);
  const before = asked(lab);
  const isBegun = existsSync(path.join(runFolder(lab) ?? 'none', 'plan.json'));
  tally.add(`${where}, its report`, await run(lab, ['report', 'latest', '--format', 'json']));
  const resumed = await run(lab, isBegun ? resume : review(lab));
  tally.add(where, resumed, whole.findings);
  if (resumed.code !== 1)
    tally.wrong.push(`${where}: ${resumed.code} ${resumed.stderr.slice(-300)}`);
  for (const id of kept) if (asked(lab).get(id) !== before.get(id)) twice.push(`${where}: ${id}`);
}

const limit = pLimit(isWhole ? availableParallelism() : 2);

describe.skipIf(process.platform === 'win32')('a run that is killed, not on Windows', () => {
  it(
    'at any time goes on to the same findings, and asks nobody whose answer it has',
    { timeout: 3_600_000 },
    async () => {
      const delays = Array.from(
        { length: points },
        (_, index) => ((index + 0.5) * whole.ms) / points,
      );
      await Promise.all(
        delays.map(ms =>
          limit(() =>
            killAndGoOn(`after ${Math.round(ms)} ms`, async lab => {
              const started = start(lab, review(lab));
              await wait(ms);
              started.kill();
              await started.ended;
            }),
          ),
        ),
      );
      expect([tally.wrong, twice]).toEqual([[], []]);
    },
  );

  it('before any operation of the disk does so too', { timeout: 3_600_000 }, async () => {
    const at = Array.from({ length: points }, (_, index) =>
      Math.ceil(((index + 0.5) * whole.operations) / points),
    );
    await Promise.all(
      at.map(operation =>
        limit(() =>
          killAndGoOn(`before operation ${operation}`, lab =>
            run(lab, review(lab), counting({ FAULT_AT: String(operation) })),
          ),
        ),
      ),
    );
    expect([tally.wrong, twice]).toEqual([[], []]);
  });
});
