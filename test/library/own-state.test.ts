import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../src/adapters/system/processes.ts';
import { openState } from '../../src/library/own-state.ts';
import { createMemoryDisk } from '../simulation/memory-disk.ts';

describe('a state folder', () => {
  it('of another user is refused', async () => {
    const disk = createMemoryDisk({ owner: 4242 });
    await disk.makeFolder('/state');
    const call = { cwd: '/project', environment: {}, state: '/state', disk };
    const processes = { ...systemProcesses, user: 1000 };
    await expect(openState(null, { ...call, processes })).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: 'The state folder /state belongs to another user.',
    });
    await expect(
      openState(null, { ...call, processes: { ...processes, user: 4242 } }),
    ).resolves.toMatchObject({ root: '/state', project: '/project' });
  });

  it('that is a file is refused', async () => {
    const disk = createMemoryDisk();
    await (await disk.open('/state', 'create')).close();
    await expect(
      openState(null, { cwd: '/project', environment: {}, state: '/state', disk }),
    ).rejects.toThrow('is a link or a file');
  });

  it('in a folder where this user may not look is refused', async () => {
    const disk = {
      ...createMemoryDisk(),
      status: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })),
    };
    await expect(
      openState(null, { cwd: '/project', environment: {}, state: '/state', disk }),
    ).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: 'The state folder /state lies where this user may not look.',
    });
  });

  it('is another one for each project', async () => {
    const roots = ['/one', '/two'].map(
      async cwd => (await openState(null, { cwd, environment: { JURY_STATE: '/s' } })).root,
    );
    const [one = '', two = ''] = await Promise.all(roots);
    expect([path.dirname(one), path.dirname(two), one === two]).toEqual(['/s', '/s', false]);
  });
});
