/** Texts that nobody wrote to be read: the work grows with them and no faster, nothing is thrown, and what is not read is said. */
import { describe, expect, it } from 'vitest';
import { analyserNames } from '../../../src/core/words/config.ts';
import { growthOfAsync, linearAtMost } from '../../growth.ts';
import { askAnalyser } from './ask-analyser.ts';
import type { Files } from './build-change.ts';

const line = (text: string, times: number): string => text.repeat(times);
const key = (index: number): string =>
  `-----BEGIN PRIVATE KEY-----\n${line('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n', 3)}${index}\n-----END PRIVATE KEY-----\n`;

/** `n` is about a thousand characters, or a hundred things to look at. */
const growing: Readonly<Record<string, (n: number) => Files>> = {
  'one long line': n => ({ 'src/a.js': line('a(b)+c;', n * 140) }),
  'many lines': n => ({ 'src/a.py': line('a = b + 1\n', n * 100) }),
  'lines that end in CR LF': n => ({ 'src/a.cs': line('int a = 1;\r\n', n * 90) }),
  NULs: n => ({ 'src/a.go': line('\u0000x\n', n * 300) }),
  'bytes that are no text': n => ({ 'src/a.rb': line('\uFFFD\uD800 \uFFFD\n', n * 200) }),
  'blank lines before a FIXME': n => ({ 'src/a.go': `${line('\n', n * 900)}// FIXME late\n` }),
  'blank lines in a program': n => ({ 'src/a.js': `${line('\n', n * 900)}console.log(a);\n` }),
  'empty catches': n => ({
    'src/a.js': line('try { a(); if (b) { return; } } catch (e) {}\n', n * 20),
  }),
  'shell commands': n => ({ 'src/a.js': line('execSync(`ls ${a}`);\n', n * 40) }),
  'tests of Rust': n => ({
    'src/a.rs': `#[cfg(test)]\nmod tests {\n${line('    dbg!(a);\n', n * 60)}}\n`,
  }),
  'keys of tests': n => ({
    'tests/a.key': Array.from({ length: n * 4 }, (_, index) => key(index)).join(''),
    'tests/b.pem': 'a\n',
  }),
  'words of many scripts': n => ({
    'src/a.json': line('{"userToken": "Τοκλειδίτου-2024"}\n', n * 30),
  }),
  'numbers of Go': n => ({
    'src/a.go': `package a\n\nfunc f(m []string) {\n${line('\tn, _ := strconv.Atoi(m[1])\n\tlog.Print(n)\n', n * 15)}}\n`,
  }),
  'records of Go': n => ({
    'src/a.go': `package a\n\nfunc f(a A) {\n${line('\tdata, _ := json.Marshal(a)\n', n * 30)}}\n`,
  }),
  'copies of C': n => ({
    'src/a.c': `void f(struct a *a) {\n${line('  strcpy(b, a->name);\n', n * 40)}}\n`,
  }),
  'tests that are put aside': n => ({
    'tests/a.py': `class A(B):\n${line("  @unittest.skip('later')\n  def test_a(self):\n    pass\n", n * 15)}`,
  }),
  'texts that explain': n => ({
    'src/a.py': line('"""\ndb://scott:tg7Kq2Lx@rows\n"""\n', n * 20),
  }),
  'FIXMEs that move': n => {
    const text = Array.from(
      { length: n * 20 },
      (_, index) => `// FIXME number ${index} is told too late\nvar a${index} = ${index}\n`,
    ).join('');
    return { 'src/a.go': { old: text, new: 'var a = 1\n' }, 'src/b.go': text };
  },
  'random marks': n => ({
    'src/a.js': line('function f() { const token = Math.random(); g(token); }\n', n * 15),
  }),
};

describe('the work of an analyser', () => {
  for (const analyser of ['secrets', 'diff', 'patterns'] as const)
    it.each(Object.entries(growing))(
      `${analyser} grows with %s and no faster`,
      { timeout: 120_000 },
      async (_, write) => {
        const growth = await growthOfAsync(
          12,
          async n => {
            await askAnalyser({ analyser, files: write(n) });
          },
          1,
        );
        expect(growth).toBeLessThan(linearAtMost);
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
