import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepTokenObservations, readTokenObservations } from '../../../src/adapters/store/runs.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from './temporary.ts';

const one = { family: 'anthropic', counted: 1000, reported: 1200 };
const other = { family: 'openai', counted: 500, reported: 510 };

describe('the token counts of a project', () => {
  let root: string;
  beforeEach(() => {
    root = createFolder();
  });
  const file = () => join(root, 'token-counts.json');

  it('are added to, and are none before', async () => {
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [other]);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one, other]);
  });

  it('of another encoding are none', async () => {
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readTokenObservations(stateIn(root), 'another')).toEqual([]);
  });

  it.each([
    '{"schema":',
    '[]',
    '{"schema":"jury.token-counts/1","counter":"o200k_base","observations":[{"family":"anthropic","counted":0,"reported":1}]}',
    ' '.repeat(1_048_577),
  ])('in a file that cannot be used start anew', async text => {
    await writeFile(file(), text);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one]);
  });

  it('behind a link are neither read nor written there', async () => {
    await writeFile(join(root, 'elsewhere'), 'untouched');
    await symlink(join(root, 'elsewhere'), file());
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readFile(join(root, 'elsewhere'), 'utf8')).toBe('untouched');
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one]);
  });
});
