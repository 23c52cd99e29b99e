import path from 'node:path';
import { expect, it } from 'vitest';
import { gitPlaces } from '../../../src/adapters/git/git-process.ts';

it('git is looked for in absolute folders alone, by the words of the system', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    const { folders, program, searchPath } = gitPlaces(platform);
    expect(folders.filter(folder => !path.posix.isAbsolute(folder))).toEqual([]);
    expect([program, searchPath.split(':')]).toEqual(['git', folders]);
  }
  const { folders, program, searchPath } = gitPlaces('win32', 'C:\\Users\\ada');
  expect(folders.filter(folder => !path.win32.isAbsolute(folder))).toEqual([]);
  expect([program, searchPath.split(';')]).toEqual(['git.exe', folders]);
  expect(folders).toContain('C:\\Program Files\\Git\\cmd');
  expect(folders).toContain('C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\cmd');
});
