import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellQuote } from '../../../src/core/context/shell-quote.ts';

describe('a path as a word of the shell', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['a b', "'a b'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(id)', "'$(id)'"],
    ['', "''"],
    ['-rf', './-rf'],
    ['a\nb', String.raw`$'a\u000ab'`],
  ])('%j becomes %s', (path, word) => {
    expect(shellQuote(path)).toBe(word);
  });

  it('means the path again to a real shell', () => {
    const paths = fc.sample(
      fc.string({
        unit: fc.constantFrom(...Array.from('ab \'"$`\\!*?\n\t;&|<>(){}[]#~é')),
        minLength: 1,
      }),
      200,
    );
    const script = `printf '%s\\0' ${paths.map(path => shellQuote(path)).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(stdout.split('\0').slice(0, -1)).toEqual(paths);
  });
});
