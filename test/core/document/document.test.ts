import { describe, expect, it } from 'vitest';
import { readSections } from '../../../src/core/document/document.ts';

describe('the sections of a document', () => {
  it('are its headings of both kinds, with their lines', async () => {
    expect(
      await readSections('# Design\n\nText\n\nGoals\n-----\n\n### 1.1  Storage `x` ###\n'),
    ).toEqual([
      { title: 'Design', level: 1, line: 1 },
      { title: 'Goals', level: 2, line: 5 },
      { title: '1.1 Storage `x`', level: 3, line: 8 },
    ]);
  });

  it('do not begin in code, in lists, in quotations or in front matter', async () => {
    const text =
      '---\ntitle: a\nstatus: draft\n---\n# One\n```sh\n# comment\n```\n    # indented\n- ```\n  # in a list\n  ```\n> # quoted\n\n# Two\n';
    expect((await readSections(text))?.map(({ title, line }) => [title, line])).toEqual([
      ['One', 5],
      ['Two', 15],
    ]);
  });

  it('are none in a text without headings, in an empty one and in a single line', async () => {
    expect(await readSections('')).toEqual([]);
    expect(await readSections('no heading '.repeat(10_000))).toEqual([]);
    expect(await readSections('#\n# \n#no space\n')).toEqual([]);
  });

  it('are given up where there are too many for anybody to name', async () => {
    expect(await readSections('# a\n'.repeat(20_000))).toHaveLength(20_000);
    expect(await readSections('# a\n'.repeat(20_001))).toBeNull();
  });
});
