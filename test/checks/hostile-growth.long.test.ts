/** Texts that nobody wrote to be read: the work grows with them and no faster, nothing is thrown, and what is not read is said. */
import { describe, expect, it } from 'vitest';
import { growingFiles } from '../../bench/growth/hostile-texts.mjs';
import { analyserNames } from '../../src/core/words/runner.ts';
import { superlinear } from '../growth.ts';
import { askAnalyser } from './ask-analyser.ts';

const line = (text: string, times: number) => text.repeat(times);
describe('the work of an analyser', () => {
  for (const analyser of ['secrets', 'diff', 'patterns'] as const)
    it.each(Object.entries(growingFiles))(
      `${analyser} grows with %s and no faster`,
      async (_, write) => {
        const ask = (n: number) => askAnalyser({ analyser, files: write(n) });
        expect(await superlinear(3, ask)).toEqual([]);
      },
    );
});

const hostile: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'a line of a million characters': ['src/a.ts', `const a = "${line('x', 1_000_000)}";\n`],
  '200,000 lines': ['src/a.php', `<?php\n${line('$a = 1;\n', 200_000)}`],
  'nesting without end': [
    'src/A.java',
    `class A { int a = ${line('(', 20_000)}1${line(')', 20_000)}; }`,
  ],
  'NULs alone': ['src/a.c', line('\u0000', 100_000)],
  'half of a character': ['src/a.rs', line('\uD83D', 50_000)],
  'ends of lines alone': ['src/a.py', line('\r\n\r\r\n\n', 50_000)],
  'keys without an end': ['a.pem', line('-----BEGIN PRIVATE KEY-----\n', 20_000)],
  'a minified line of 2 MB': [
    'dist2/a.js',
    line('function a(b){if(b){return b+"x"}else{eval(c)}};', 42_000),
  ],
  'deep brackets': ['src/a.ts', `${line('[', 30_000)}${line(']', 30_000)}`],
  'deep blocks': ['src/a.js', `${line('if(a){', 30_000)}${line('}', 30_000)}`],
  'deep Python': [
    'a.py',
    Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}if a:\n`).join(''),
  ],
  'text that looks binary': ['src/a.go', line('\u0001\uFFFD\u0000\u202E x \r', 30_000)],
  'invalid syntax': ['src/a.rs', line('fn ((({{{ "\'` ?? ', 15_000)],
  'open strings': ['src/a.py', line('"""\'\'\'"\n', 20_000)],
  slashes: ['src/b.ts', line('=/[', 60_000)],
  '10,000 added lines': [
    'src/c.ts',
    Array.from(
      { length: 10_000 },
      (_, index) => `export function f${index}(a: number) { return a + ${index}; }\n`,
    ).join(''),
  ],
};

describe('a hostile text', () => {
  it.each(Object.entries(hostile))(
    'is answered with one reading, and a reason where it was not read: %s',
    { timeout: 120_000 },
    async (_, [path, text]) => {
      for (const analyser of analyserNames) {
        const { answer } = await askAnalyser({ analyser, files: { [path]: text } });
        expect(answer.coverage).toHaveLength(1);
        for (const { extent, why } of answer.coverage ?? [])
          expect(extent === 'full' ? why : typeof why).toBe(extent === 'full' ? null : 'string');
      }
    },
  );
});
