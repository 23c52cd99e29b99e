/** What seeds of the simulation found, told plainly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunFolder } from '../../src/adapters/store/run-folder.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemProcesses } from '../../src/adapters/system/processes.ts';
import { createJury, type ReviewerFunction, type Runner } from '../../src/index.ts';
import { answered, failedAnswer } from '../../src/core/ports/runner.ts';
import { atFileEnd } from '../file-end.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

const id = '20260301T120000Z-000001';

function stateOn(disk: MemoryDisk) {
  return {
    root: '/home/state',
    project: '/project',
    disk,
    processes: systemProcesses,
    clock: systemClock,
  };
}

describe('a folder that a process had made when it was killed', () => {
  it('holds what the next one puts into it also when the power goes then', async () => {
    const first = createMemoryDisk();
    await first.makeFolder('/home');
    await first.syncFolder('/');
    // Killed before their names were durable.
    await first.makeFolder('/home/state');
    await first.makeFolder('/home/state/runs');
    const second = first.handOver();
    const store = await createRunFolder(stateOn(second), id);
    await store.write('plan.json', '{}');
    const lost = second.crash(() => 0.9);
    expect(lost.textOf(`/home/state/runs/${id}/plan.json`)).toBe('{}');
  });
});

describe('a reviewer whose answer broke off, and who fails when it is asked once more', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'jury-stories-'));
  atFileEnd(() => rmSync(cwd, { recursive: true, force: true }));
  const patch = 'diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-one\n+two\n';
  const request = { process: 'review', patch: '-' } as const;
  const cut = 'SUGGESTION|a.js:1|The list may be empty';
  const juryWith = (disk: MemoryDisk, own: Runner | ReviewerFunction) =>
    createJury({
      cwd,
      disk,
      environment: { JURY_TMPDIR: cwd },
      state: '/state',
      readInput: () => patch,
      config: { copies: false, reviewers: [{ id: 'one', runner: 'own' }] },
      runners: { own },
    });
  const claims = [{ findings: [{ text: 'The list may be empty' }] }];

  it('has said what it said, when its run goes on', async () => {
    const disk = createMemoryDisk();
    await juryWith(disk, () => ({ text: cut, stop: 'cut' })).run(request);
    const again = await juryWith(disk, () => Promise.reject(new Error('down'))).resume('latest');
    expect(again).toMatchObject({
      outcome: 'INCOMPLETE',
      claims,
      reviews: [{ status: 'partial', failure: { cause: 'thrown' }, attempts: 2 }],
    });
    // It is not done with: nothing of the change counts as read.
    expect(again.record.coverage.files).toMatchObject([{ path: 'a.js', by: [] }]);
    const third = await juryWith(disk, () => ({ text: '{"findings":[]}' })).resume('latest');
    // The whole answer decides, and takes back nothing either.
    expect(third).toMatchObject({
      outcome: 'PASS',
      claims,
      reviews: [{ status: 'complete' }],
    });
  });

  it('has said what it said, when it only lists less than it was shown then', async () => {
    const disk = createMemoryDisk();
    await juryWith(disk, () => ({ text: cut, stop: 'cut' })).run(request);
    const unread = '{"findings":[],"files_reviewed":[]}';
    const again = await juryWith(disk, () => ({ text: unread })).resume('latest');
    expect(again).toMatchObject({
      outcome: 'INCOMPLETE',
      claims,
      reviews: [{ status: 'partial', failure: { cause: 'unread' }, attempts: 2 }],
    });
  });

  it('has said what it said, when the same is reviewed once more', async () => {
    const disk = createMemoryDisk();
    await juryWith(disk, wholeRunner(answered(cut, { stop: 'cut' }))).run(request);
    const again = await juryWith(disk, wholeRunner(failedAnswer('exit', 'down'))).run(request);
    expect(again).toMatchObject({
      outcome: 'INCOMPLETE',
      claims,
    });
  });
});

function wholeRunner(answer: ReturnType<typeof answered | typeof failedAnswer>) {
  return {
    name: 'own',
    ask: () => Promise.resolve(answer),
    fingerprint: () => Promise.resolve('own'),
  };
}
