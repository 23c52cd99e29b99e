import { describe, expect, it } from 'vitest';
import { amend, packLastCommit, sampleRequest } from './sample-context.ts';
import { createHistory, type Files } from '../../adapters/git/sample-repository.ts';

async function summariesOf(before: Files, after: Files) {
  const { pack } = await packLastCommit(createHistory(before, after), {
    ...sampleRequest,
    budget: 6_000,
    // What nobody finds: the climb goes on to the last rung.
    acceptanceCriteria: ['`neverWritten()`'],
  });
  return Object.fromEntries(pack.micro_summaries.map(({ ref, summary }) => [ref, summary]));
}

const only = (value: number) => `export function onlyOne() {\n  return ${value};\n}\n`;

const method = (value: number) => `  build() {\n    return ${value};\n  }\n`;

const text = (value: number) =>
  [
    'function one() {',
    `  return ${value};`,
    '}',
    '',
    'function two() {',
    '  return one();',
    '}',
    '',
  ].join('\r\n');

const notebook = (call: string) =>
  `{\n "cells": [\n  {\n   "cell_type": "code",\n   "outputs": [\n    {\n     "text": [\n      ` +
  `"printed"\n     ]\n    }\n   ],\n   "source": [\n    "def area(side):\\n",\n    "    return ` +
  `${call}(side)"\n   ]\n  }\n ],\n "metadata": {}\n}\n`;

describe('the summary of a place', () => {
  it('tells the signature behind annotations', async () => {
    const fields = Array.from({ length: 12 }, (_, at) => `  int f${at} = ${at};\n`).join('');
    const java = (value: number) =>
      `class Box extends Shape {\n${fields}\n  @Override\n  @Deprecated(since = "2")\n  public int ` +
      `sideLength() {\n    int one = ${value};\n    int two = one + one;\n    return two;\n  }\n}\n`;
    const told = Object.values(await summariesOf({ 'Box.java': java(1) }, { 'Box.java': java(2) }));
    expect(told.join('\n')).toContain('public int sideLength()');
    expect(told.join('\n')).not.toMatch(/changes (?:in )?@/);
  });

  it('counts calls only where the name says which definition is meant, and tests without their imports', async () => {
    const box = (value: number) =>
      `export class Box {\n${'  // more\n'.repeat(12)}${method(value)}}\n`;
    const told = await summariesOf(
      {
        'src/one.js': only(1),
        'src/box.js': box(1),
        'src/two.js': `export class Two {\n${method(1)}}\n`,
        'src/use.js':
          "import { onlyOne } from './one.js';\n\nexport const all = [onlyOne()].map(one => one.build());\n",
        'test/one.test.js':
          "import { onlyOne } from '../src/one.js';\n\nit('is one', () => {\n  expect(onlyOne()).toBe(1);\n});\n",
      },
      { 'src/one.js': only(2), 'src/box.js': box(2) },
    );
    const of = (path: string) =>
      Object.entries(told)
        .filter(([ref]) => ref.startsWith(path))
        .map(([, text]) => text)
        .join('\n');
    expect(of('src/one.js')).toContain('1 call-site, 1 test');
    expect(of('src/box.js')).toContain('changes build()');
    expect(of('src/box.js')).not.toMatch(/build\(\).*call-site/);
  });
});

describe('an odd file', () => {
  it('in latin-1 is named and counted, and the rest of the change is shown', async () => {
    const sample = createHistory({ 'a.js': 'let one = 1;\n' }, { 'a.js': 'let one = 2;\n' });
    sample.write('old.js', Buffer.from('// caf\xe9\nlet two = 2;\n', 'latin1'));
    amend(sample);
    const { pack, parts } = await packLastCommit(sample);
    expect(pack.risk_notes.filter(note => note.startsWith('old.js'))).toEqual([
      expect.stringMatching(/^old\.js is not shown: (?:not UTF-8|binary)/),
    ]);
    expect(parts.map(({ anchor: { path } }) => path)).toEqual(['a.js']);
  });

  it('with CRLF has the lines of its parts where they are', async () => {
    const { parts } = await packLastCommit(createHistory({ 'a.js': text(1) }, { 'a.js': text(2) }));
    const own = parts.find(({ distance }) => distance === 0);
    expect([own?.anchor.lines, own?.text]).toEqual(['1-3', 'function one() {\n  return 2;\n}']);
  });

  it('that is a notebook shows the code of its cells at the lines of the file', async () => {
    const { parts, pack } = await packLastCommit(
      createHistory(
        { 'a.ipynb': notebook('one'), 'shape.py': 'def measure(side):\n    return side\n' },
        { 'a.ipynb': notebook('measure') },
      ),
    );
    expect(parts[0]?.text).toBe('def area(side):\n    return measure(side)');
    expect(pack.anchors[0]).toMatchObject({ path: 'a.ipynb', lines: '13-14' });
  });
});
