import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { createSampleRepository } from './sample-repository.ts';

describe('a range of commits', () => {
  it("is read as the files between base and head, with git's own hunks", async () => {
    const sample = createSampleRepository();
    sample.write('src/a.ts', 'export function one() {\n  return 1;\n}\n');
    const base = sample.commit('first');
    sample.write('src/a.ts', 'export function one() {\n  return 2;\n}\n');
    sample.write('b.md', 'new');
    const head = sample.commit('second');

    const repository = await openRepository(sample.root);
    const change = await repository.change({
      source: 'range',
      base: 'HEAD~1',
      head: 'HEAD',
      title: 'HEAD~1..HEAD',
    });
    expect(change).toMatchObject({
      kind: 'change',
      source: 'range',
      base,
      head,
      title: 'HEAD~1..HEAD',
      warnings: [],
    });
    expect(
      change.files.map(file => [
        file.path,
        file.status,
        file.content,
        file.additions,
        file.deletions,
      ]),
    ).toEqual([
      ['b.md', 'added', 'text', 1, 0],
      ['src/a.ts', 'modified', 'text', 1, 1],
    ]);
    expect(change.files[0]?.hunks).toEqual([
      {
        oldStart: 0,
        oldLines: 0,
        newStart: 1,
        newLines: 1,
        heading: '',
        lines: ['+new', '\\ No newline at end of file'],
      },
    ]);
    expect(change.files[1]?.hunks).toEqual([
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        heading: '',
        lines: [' export function one() {', '-  return 1;', '+  return 2;', ' }'],
      },
    ]);
    await repository.close();
  });
});
