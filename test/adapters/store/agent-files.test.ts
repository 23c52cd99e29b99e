import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  readAgentFolder,
  takeAgentFile,
  writeAgentFile,
} from '../../../src/adapters/store/agent-folder.ts';
import { createFolder } from '../git/sample-repository.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';

const signal = '<!-- jury:complete -->';

describe('the file of an agent', () => {
  let folder: string;
  beforeEach(() => {
    folder = createFolder();
  });

  it('is finished in one step and never overwritten', async () => {
    expect(await writeAgentFile(systemStorage, folder, 'alpha', 'text')).toBe(true);
    expect(await writeAgentFile(systemStorage, folder, 'alpha', 'other')).toBe(false);
    expect(await readdir(folder)).toEqual(['alpha.md']);
    expect(await takeAgentFile(systemDisk, folder, 'alpha')).toBe(`text\n${signal}\n`);
  });

  it('is taken away with its text, finished or cut off, and with nothing where it holds none', async () => {
    await writeFile(join(folder, 'alpha.md.partial'), 'index');
    await writeFile(join(folder, 'beta.md.partial'), ' \n');
    const texts = [];
    for (const agent of ['alpha', 'beta', 'gamma'])
      texts.push(await takeAgentFile(systemDisk, folder, agent));
    expect([texts, await readdir(folder)]).toEqual([['index', null, null], []]);
  });

  it('has no name that is a path', async () => {
    await expect(writeAgentFile(systemStorage, folder, '../alpha', 'text')).rejects.toThrow(
      'must start with a letter or digit',
    );
    await expect(takeAgentFile(systemDisk, folder, 'a/b')).rejects.toThrow(
      'must start with a letter or digit',
    );
  });

  it('is told from what stands beside it', async () => {
    for (const name of 'beta.md alpha.md.partial alpha.md synthesis.md summary.md findings.md beta.reactions.md beta.reactions.error.md findings.json .hidden.md'.split(
      ' ',
    ))
      await writeFile(join(folder, name), '');
    const { agents } = await readAgentFolder(systemDisk, folder, null);
    expect(agents.map(({ agent }) => agent)).toEqual(['alpha', 'beta']);
  });
});
