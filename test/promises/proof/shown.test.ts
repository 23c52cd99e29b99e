/**
 * What no reader was shown is not read, whatever it is called and whatever it says of itself; and what a check left out is named.
 * By the built program, on real repositories.
 */
import { chmodSync, existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { jury, writePanel } from '../../cli/jury.ts';

const quiet = `fs.appendFileSync(new URL('./sent.txt', import.meta.url), prompt); console.log('None\\nVERDICT: safe\\nEND OF ANSWER');`;

interface Looked {
  readonly code: number | null;
  readonly sent: string;
  readonly said: string;
}

/** What one reader that finds nothing is sent of the last commit, and what it comes to. */
function look(sample: SampleRepository, settings = ''): Looked {
  const config = writePanel(sample, [{ id: 'reader', script: quiet }], settings);
  const { code, stdout, stderr } = jury(sample.root, [
    'review',
    'HEAD~1..HEAD',
    '--config',
    config,
    '--format',
    'terminal',
    '--fresh',
  ]);
  const sent = path.join(sample.root, '../panel/sent.txt');
  return {
    code,
    sent: existsSync(sent) ? readFileSync(sent, 'utf8') : '',
    said: (stdout + stderr).replace(/\s+/g, ' '),
  };
}

/** The built-in checks alone. */
function check(sample: SampleRepository, format: string): { code: number | null; stdout: string } {
  const config = path.join(sample.root, '../checks.yaml');
  sample.write(
    '../checks.yaml',
    `reviewers:\n${['secrets', 'diff', 'javascript', 'patterns'].map(id => `  - { id: ${id}, runner: builtin, analyser: ${id} }`).join('\n')}\n`,
  );
  return jury(sample.root, [
    'review',
    'HEAD~1..HEAD',
    '--config',
    config,
    '--format',
    format,
    '--fresh',
  ]);
}

const commit = (before: Files, edit: (sample: SampleRepository) => void): SampleRepository => {
  const sample = createHistory({ 'README.md': 'A shop.\n', ...before }, {});
  edit(sample);
  sample.commit('the change');
  return sample;
};

const move = (from: string, to: string) => (sample: SampleRepository) => {
  sample.write(to, '');
  renameSync(path.join(sample.root, from), path.join(sample.root, to));
};

const cell = (body: string, more = ''): string =>
  `{\n "cells": [\n  {\n   "cell_type": "code",\n   "metadata": {},${more}\n   ${body}\n  }\n ],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n`;
const pointer = (id: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${id.repeat(64)}\nsize 12\n`;
const link = (target: string) => (sample: SampleRepository) =>
  symlinkSync(target, path.join(sample.root, 'thing'));

describe('a notebook', () => {
  const source = 'os.system(\\"token-of-the-cell\\")\\n';
  const layouts = {
    'a list': cell(`"source": [\n    "${source}"\n   ]`),
    'a text': cell(`"source": "import os\\n${source}"`),
    'a list on one line': cell(`"source": ["import os\\n", "${source}"]`),
    'one line': cell(`"source": ["${source}"]`).replaceAll('\n', ' '),
    'deeper indents': cell(`"source": [\n    "${source}"\n   ]`).replace(/^ +/gm, '$&$&$&'),
    tabs: cell(`"source": [\n    "${source}"\n   ]`).replace(/^ +/gm, ins =>
      '\t'.repeat(ins.length),
    ),
    'a key twice': cell(
      `"source": [\n    "${source}"\n   ]`,
      '\n   "source": [\n    "pass"\n   ],',
    ),
    'no JSON': `${cell(`"source": [\n    "${source}"\n   ]`)},`,
  };
  it.each(Object.entries(layouts))('is shown with the lines of its cells: %s', (_, text) => {
    const { code, sent } = look(commit({}, sample => sample.write('n.ipynb', text)));
    expect([code, sent.includes('token-of-the-cell')]).toEqual([0, true]);
  });

  it('brings outputs that no text shows, which somebody accepts or nobody has read', () => {
    const outputs = '\n   "outputs": [\n    {"text": "token-of-the-output"}\n   ],';
    const sample = commit({ 'n.ipynb': cell('"source": ["a"]') }, it =>
      it.write('n.ipynb', cell('"source": ["a"]', outputs)),
    );
    const { code, sent, said } = look(sample);
    expect([code, sent.includes('token-of-the-output')]).toEqual([2, false]);
    expect(said).toContain('outputs of a notebook were not shown');
    // However the file breaks its lines.
    const oneLine = commit({}, it =>
      it.write('n.ipynb', cell('"source": ["a"]', outputs).replaceAll('\n', ' ')),
    );
    expect(look(oneLine).code).toBe(2);
    const accepted = look(sample, 'accept: [{ kind: notebook-output }]\n');
    expect([
      accepted.code,
      accepted.said.includes('accepted unread by configuration: notebook-output'),
    ]).toEqual([0, true]);
  });
});

describe('what is something else by its new name or mode', () => {
  const evil = 'let a1 = 1;\nlet a2 = 2;\nlet a3 = 3;\neval(process.argv[2]);\n';
  const bidi = '/* \u202e } if (admin) \u2066 */\nlet x = 1;\n';
  const key = `const k = '${['AKIA', 'Z7QX4TWPLM2VNB5D'].join('')}';\nconst s = 1;\n`;
  const manifest = '{\n  "name": "x",\n  "scripts": { "postinstall": "node x.js" }\n}\n';
  it.each([
    ['docs/x.txt', 'src/x.js', evil],
    ['docs/x.txt', 'src/x.js', bidi],
    ['test/fixtures/keys.js', 'src/keys.js', key],
    ['fixtures/package.json', 'package.json', manifest],
  ])('is as if it were added: %s to %s', (from, to, text) => {
    const moved = commit({ [from]: text }, move(from, to));
    const added = commit({}, sample => sample.write(to, text));
    const [code, wanted] = [moved, added].map(sample => check(sample, 'brief').code);
    expect([code, wanted]).toEqual([wanted, expect.toSatisfy(found => found !== 0)]);
    expect(look(moved).sent).toContain(`+${text.split('\n').at(-2)}\n`);
  });

  it('is shown when it becomes a program, and costs nothing when it is merely moved', () => {
    const program = commit({ 'run.txt': 'token-of-the-program\n' }, ({ root }) =>
      chmodSync(path.join(root, 'run.txt'), 0o755),
    );
    const same = commit(
      { 'src/a/old.js': 'let token = 1;\n' },
      move('src/a/old.js', 'src/b/new.js'),
    );
    expect(look(program).sent).toContain('+token-of-the-program');
    const { code, sent } = look(same);
    expect([code, sent.includes('rename from'), sent.includes('let token')]).toEqual([
      0,
      true,
      false,
    ]);
  });
});

describe('checks', () => {
  const flow = 'eval(process.argv[2]);\n';
  it.each<[string, string, string]>([
    ['a carriage return alone', 'src/a.js', `let b = 1; // note\r// note\n${flow}`],
    ['another end of a line', 'src/a.js', `let b = 1; // note\u2028${flow}`],
    ['a comment that says so', 'src/a.js', `// This file is auto-generated. Do not edit.\n${flow}`],
    ['a mark', 'src/a.js', `/* @generated */\n${flow}`],
    ['its folder', 'dist/a.js', flow],
    ['a folder of others', 'vendor/a.js', flow],
    ['its ending', 'src/a.gen.js', flow],
    ['its length', 'src/a.js', `${flow}let a = "${'x'.repeat(900_000)}";\n`],
  ])('are not put off by what a change says of itself: %s', (_, file, text) => {
    const sample = commit({ [file]: 'let a = 1;\n' }, it => it.write(file, text));
    expect(check(sample, 'brief').code).toBe(1);
  });

  it('name what they left out on the word of the base, and what is too long for them', () => {
    const made = '// Generated by a tool. DO NOT EDIT.\nlet a = 1;\n';
    const marked = commit({ 'src/a.js': made }, it => it.write('src/a.js', `${made}let b = 2;\n`));
    const long = commit({}, it => it.write('src/a.js', `let a = "${'x'.repeat(900_000)}";\n`));
    for (const format of ['brief', 'terminal', 'markdown'])
      for (const [sample, why] of [
        [marked, 'generated at the base'],
        [long, 'lines of more than 2000 characters'],
      ] as const)
        expect(check(sample, format).stdout.replace(/\s+/g, ' ')).toMatch(
          new RegExp(`not checked:? .*src/a\\.js.*${why}`, 'i'),
        );
  });
});

describe('what no text can show', () => {
  const kinds: readonly [string, Files, (sample: SampleRepository) => void][] = [
    ['pointer', { thing: pointer('a') }, sample => sample.write('thing', pointer('b'))],
    ['link-out', {}, link('/etc/shadow')],
    ['link-out', {}, link('src/../../outside')],
    ['binary', {}, sample => sample.write('thing', Buffer.from([0x89, 0x50, 0, 1]))],
    ['encoding', {}, sample => sample.write('thing', Buffer.from('pw = "\xe9"\n', 'latin1'))],
    ['repository', {}, sample => sample.write('bare/HEAD', 'ref: refs/heads/main\n')],
    [
      'submodule',
      {},
      ({ git }) => git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},thing`),
    ],
  ];
  it.each(kinds)('is unread until somebody lets it pass: %s', (kind, before, edit) => {
    const sample = createHistory({ 'README.md': 'A shop.\n', ...before }, {});
    edit(sample);
    if (kind !== 'submodule') sample.git('add', '-A');
    sample.git('commit', '-qm', 'the change');
    const file = kind === 'repository' ? 'bare/HEAD' : 'thing';
    const { code, said } = look(sample);
    expect([code, said.includes('jury approve unread')]).toEqual([2, true]);
    for (const rule of [`{ kind: ${kind} }`, `{ glob: '${file}' }`]) {
      const accepted = look(sample, `accept: [${rule}]\n`);
      expect([accepted.code, accepted.said.includes('accepted unread by configuration')]).toEqual([
        0,
        true,
      ]);
    }
    look(sample);
    const words = ['approve', 'unread', '--run', 'latest', '--path', file, '--reason', 'looked'];
    expect(jury(sample.root, words).code).toBe(0);
  });
});
