/** What `--help` prints fits a terminal of 80 columns, and no word is broken by its edge. */
import { expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';

it.each([['--help'], ['consensus', '--help'], ['ground', '--help'], ['motions', '--help']])(
  'of %s %s',
  (...words) => {
    const { code, stdout } = jury(createFolder(), words.filter(Boolean));
    expect(code).toBe(0);
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([]);
  },
);

it('a summary goes on below itself', () => {
  expect(jury(createFolder(), ['--help']).stdout).toMatch(
    /\n {2}verify {6}Check what needs no opinion: .+\n {14}[a-z]/,
  );
});
