import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  listAgents,
  readAgentFile,
  writeAgentFile,
} from '../../../src/adapters/store/agent-folder.ts';
import { makeTemporary } from './temporary.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';

const signal = '<!-- jury:complete -->';

describe('the file of an agent', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporary>>;
  let folder: string;
  beforeEach(async () => {
    temporary = await makeTemporary();
    folder = temporary.folder;
  });
  afterEach(() => temporary.remove());

  it('is finished in one step and never overwritten', async () => {
    expect(await writeAgentFile(systemStorage, folder, 'alpha', 'text')).toBe(true);
    expect(await writeAgentFile(systemStorage, folder, 'alpha', 'other')).toBe(false);
    expect(await readdir(folder)).toEqual(['alpha.md']);
    expect(await readAgentFile(systemDisk, folder, 'alpha')).toEqual({
      state: 'complete',
      text: `text\n${signal}\n`,
      warning: null,
    });
  });

  it.each(['<!-- flux-drive:complete -->', '<!-- flux-research:complete -->', `${signal}\n\n`])(
    'counts as finished with the signal %j',
    async text => {
      await writeFile(join(folder, 'alpha.md'), `index\n${text}`);
      expect(await readAgentFile(systemDisk, folder, 'alpha')).toMatchObject({
        state: 'complete',
        warning: null,
      });
    },
  );

  it('is complete without a signal, with a warning', async () => {
    await writeFile(join(folder, 'alpha.md'), `index\n${signal}\nand more`);
    expect(await readAgentFile(systemDisk, folder, 'alpha')).toMatchObject({
      state: 'complete',
      warning: 'no-completion-signal',
    });
  });

  it('is renamed on reading where a crash prevented that', async () => {
    await writeFile(join(folder, 'alpha.md.partial'), `index\n${signal}\n`);
    expect(await readAgentFile(systemDisk, folder, 'alpha')).toEqual({
      state: 'complete',
      text: `index\n${signal}\n`,
      warning: null,
    });
    expect(await readdir(folder)).toEqual(['alpha.md']);
  });

  it('is partial while the signal is missing', async () => {
    await writeFile(join(folder, 'alpha.md.partial'), 'index');
    expect(await readAgentFile(systemDisk, folder, 'alpha')).toEqual({
      state: 'partial',
      text: 'index',
    });
    expect(await readFile(join(folder, 'alpha.md.partial'), 'utf8')).toBe('index');
  });

  it('is an error when nothing was written', async () => {
    await writeFile(join(folder, 'alpha.md.partial'), ' \n');
    expect(await readAgentFile(systemDisk, folder, 'alpha')).toEqual({ state: 'error' });
    expect(await readAgentFile(systemDisk, folder, 'beta')).toEqual({ state: 'error' });
  });

  it('has no name that is a path', async () => {
    await expect(writeAgentFile(systemStorage, folder, '../alpha', 'text')).rejects.toThrow(
      'must start with a letter or digit',
    );
    await expect(readAgentFile(systemDisk, folder, 'a/b')).rejects.toThrow(
      'must start with a letter or digit',
    );
  });

  it('is told from what stands beside it', async () => {
    for (const name of [
      'beta.md',
      'alpha.md.partial',
      'alpha.md',
      'synthesis.md',
      'summary.md',
      'findings.md',
      'beta.reactions.md',
      'beta.reactions.error.md',
      'findings.json',
      '.hidden.md',
    ])
      await writeFile(join(folder, name), '');
    expect(await listAgents(systemDisk, folder)).toEqual(['alpha', 'beta']);
  });
});
