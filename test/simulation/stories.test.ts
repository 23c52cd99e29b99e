/** What seeds of the simulation found, told plainly. */
import { describe, expect, it } from 'vitest';
import { createRunFolder } from '../../src/adapters/store/run-folder.ts';
import type { StateFolder } from '../../src/adapters/store/storage.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemProcesses } from '../../src/adapters/system/processes.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

const id = '20260301T120000Z-000001';

function stateOn(disk: MemoryDisk): StateFolder {
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
