import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../src/adapters/system/processes.ts';
import { fillCall } from '../../src/library/call.ts';
import { openState } from '../../src/library/own-state.ts';
import { createMemoryDisk } from '../simulation/memory-disk.ts';

const open = (given: Partial<Parameters<typeof fillCall>[0]>) =>
  openState(null, fillCall({ cwd: '/project', environment: {}, state: '/state', ...given }));

describe('a state folder', () => {
  it('of another user is refused', async () => {
    const disk = createMemoryDisk({ owner: 4242 });
    await disk.makeFolder('/state');
    await expect(
      open({ disk, processes: { ...systemProcesses, user: 1000 } }),
    ).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: 'The state folder /state belongs to another user.',
    });
    await expect(
      open({ disk, processes: { ...systemProcesses, user: 4242 } }),
    ).resolves.toMatchObject({
      root: '/state',
      project: '/project',
    });
  });

  it('that is a file is refused', async () => {
    const disk = createMemoryDisk();
    await (await disk.open('/state', 'create')).close();
    await expect(open({ disk })).rejects.toThrow('is a link or a file');
  });

  it('in a folder where this user may not look is refused', async () => {
    const disk = {
      ...createMemoryDisk(),
      status: () => Promise.reject(Object.assign(new Error(), { code: 'EACCES' })),
    };
    await expect(open({ disk })).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: 'The state folder /state lies where this user may not look.',
    });
  });

  it('is another one for each project', async () => {
    const [one = '', two = ''] = await Promise.all(
      ['/one', '/two'].map(
        async cwd =>
          (await open({ cwd, environment: { JURY_STATE: '/s' }, state: undefined })).root,
      ),
    );
    expect([path.dirname(one), path.dirname(two), one === two]).toEqual(['/s', '/s', false]);
  });
});
