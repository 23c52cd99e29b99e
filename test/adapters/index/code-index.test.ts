import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCodeIndex } from '../../../src/adapters/index/code-index.ts';
import { loadTokenCounter } from '../../../src/adapters/tokens/token-counter.ts';
import type { Definition } from '../../../src/core/words/code-index.ts';
import { createFolder, createSampleRepository } from '../git/sample-repository.ts';
import { languageSamples } from './language-samples.ts';
import { indexSample, type SampleIndex } from './open-sample-index.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';
import { stateIn } from '../store/temporary.ts';

const brief = ({ kind, name, startLine, endLine }: Definition) =>
  `${kind} ${name} ${startLine}-${endLine}`;

describe.each(languageSamples)(
  'a file of $language',
  ({ path, language, text, definitions, calls, imports }) => {
    it('has its definitions, calls and imports found', async () => {
      const sample = createSampleRepository();
      sample.write(path, text);
      const index = await indexSample(sample.root);
      expect(index.files()).toMatchObject([
        { path, language, bytes: Buffer.byteLength(text), lines: text.split('\n').length - 1 },
      ]);
      expect(index.definitionsIn(path).map(brief)).toEqual(definitions);
      const found = calls
        .map(call => call.split(':')[0] ?? '')
        .flatMap(name =>
          index
            .referencesTo(name)
            .filter(({ kind }) => kind === 'call')
            .map(({ line }) => `${name}:${line}`),
        );
      expect(found).toEqual(calls);
      expect(index.importsOf(path).map(({ specifier }) => specifier)).toEqual(imports);
    });
  },
);

function createProject() {
  const sample = createSampleRepository();
  sample.write(
    'src/sum.ts',
    '/** Adds. */\nexport function sumAll(list: number[]) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  );
  sample.write(
    'src/app.ts',
    "import { sumAll } from './sum.ts';\n\nexport class App {\n  total() {\n    const inner = () => " +
      'sumAll([1]);\n    return inner();\n  }\n}\n',
  );
  sample.write(
    'test/sum.test.ts',
    "import { sumAll } from '../src/sum.ts';\n\ndescribe('sums', () => {\n  it('adds up', () => {\n   " +
      " expect(sumAll([1, 2])).toBe(3);\n  });\n\n  it('is quiet', () => {});\n});\n",
  );
  sample.write('README.md', 'Adds numbers.\n');
  sample.commit('one');
  return sample;
}

describe('an indexed project', () => {
  let index: SampleIndex;
  beforeAll(async () => {
    const { root } = createProject();
    await indexSample(root);
    // What is asked about was kept and is read again.
    index = await indexSample(root);
  });

  it('tells where a name is defined, with its first line', () => {
    expect(index.definitionsOf('sumAll')).toEqual([
      {
        path: 'src/sum.ts',
        name: 'sumAll',
        kind: 'function',
        startLine: 2,
        endLine: 4,
        nameLine: 2,
        signature: 'export function sumAll(list: number[]) {',
      },
    ]);
  });

  it('tells the line of the name behind annotations', async () => {
    const annotated = createSampleRepository();
    annotated.write('A.java', 'class A {\n  @Override\n  @Deprecated\n  public void run() {}\n}\n');
    expect((await indexSample(annotated.root)).definitionsOf('run')).toMatchObject([
      { startLine: 2, nameLine: 4, signature: 'public void run() {}' },
    ]);
  });

  it('tells who uses a name, calls first, and not that it is defined', () => {
    expect(
      index.referencesTo('sumAll').map(({ path, line, kind }) => `${kind} ${path}:${line}`),
    ).toEqual([
      'call src/app.ts:5',
      'call test/sum.test.ts:5',
      'use src/app.ts:1',
      'use test/sum.test.ts:1',
    ]);
  });

  it('follows imports in both directions', () => {
    expect(index.importsOf('src/app.ts')).toEqual([
      {
        path: 'src/app.ts',
        specifier: './sum.ts',
        line: 1,
        startLine: 1,
        endLine: 1,
        targets: ['src/sum.ts'],
      },
    ]);
    expect(index.importersOf('src/sum.ts').map(({ path }) => path)).toEqual([
      'src/app.ts',
      'test/sum.test.ts',
    ]);
  });

  it('counts tokens as the counter does', async () => {
    const counter = await loadTokenCounter();
    expect(index.files().find(({ path }) => path === 'README.md')?.tokens).toBe(
      counter.count('Adds numbers.\n'),
    );
    const { tokens, files, counter: named } = index.statistics();
    expect({ tokens, files }).toEqual({
      tokens: index.files().reduce((sum, file) => sum + file.tokens, 0),
      files: 4,
    });
    expect(named).toEqual({ name: 'o200k_base', version: '1.0.6', estimated: false });
  });

  it.each(['sumAll', 'sum_all', 'sum all', 'SUM', 'reduce'])(
    'finds its definition by "%s"',
    async query => {
      expect(index.search(query, 10).map(({ path }) => path)).toContain('src/sum.ts');
    },
  );

  it('puts the passage that defines a name first, and takes no more than asked for', () => {
    expect(index.search('sumAll', 1)).toMatchObject([
      { path: 'src/sum.ts', startLine: 1, endLine: 4 },
    ]);
  });

  it.each(['"', 'zz" OR "yy', 'NEAR(', 'body:*', '---', '', 'NOT', 'x'.repeat(100_000)])(
    'takes the operators of a query language as text: %.20s',
    async query => {
      expect(index.search(query, 10)).toEqual([]);
    },
  );
});

describe('a second look', () => {
  it('reads what has changed and nothing else', async () => {
    const sample = createProject();
    expect((await indexSample(sample.root)).refreshed).toEqual({ indexed: 4, reused: 0 });
    expect((await indexSample(sample.root)).refreshed).toEqual({ indexed: 0, reused: 4 });
    expect(statSync(join(sample.root, '../state/index.sqlite')).mode & 0o777).toBe(0o600);
    sample.write('src/sum.ts', 'export const sumAll = 1;\n');
    sample.git('mv', 'README.md', 'README2.md');
    const index = await indexSample(sample.root);
    expect(index.refreshed).toEqual({ indexed: 1, reused: 3 });
    expect(index.definitionsOf('sumAll').map(brief)).toEqual(['constant sumAll 1-1']);
    expect(index.files().map(({ path }) => path)).toEqual([
      'README2.md',
      'src/app.ts',
      'src/sum.ts',
      'test/sum.test.ts',
    ]);
  });

  it('on another branch answers about that branch, and going back reads nothing', async () => {
    const sample = createProject();
    await indexSample(sample.root);
    sample.git('checkout', '-q', '-b', 'topic');
    sample.write('src/new.ts', 'export const fresh = 1;\n');
    sample.commit('two');
    const topic = await indexSample(sample.root);
    expect([topic.refreshed, topic.statistics().branch]).toEqual([
      { indexed: 1, reused: 4 },
      'topic',
    ]);
    sample.git('checkout', '-q', 'main');
    const main = await indexSample(sample.root);
    expect([main.refreshed, main.statistics().branch, main.definitionsOf('fresh')]).toEqual([
      { indexed: 0, reused: 4 },
      'main',
      [],
    ]);
    expect(
      (await indexSample(sample.root, { revision: 'topic' })).definitionsOf('fresh'),
    ).toHaveLength(1);
  });

  it('reads the same content again under another language', async () => {
    const sample = createSampleRepository();
    sample.write('a.js', 'function f() {}\n');
    sample.write('a.txt', 'function f() {}\n');
    const index = await indexSample(sample.root);
    expect(index.files().map(({ language }) => language)).toEqual(['javascript', 'text']);
    expect(index.definitionsOf('f').map(({ path }) => path)).toEqual(['a.js']);
  });

  it('forgets contents that no tree of late holds', async () => {
    const state = stateIn(createFolder());
    const look = async (round: number) => {
      const files = [{ path: 'a.ts', mode: '100644', id: `blob${round}`, size: 9 }];
      const { index, refreshed } = await openCodeIndex(state, {
        tree: { id: `tree${round}`, branch: 'main', files },
        read: async () => Buffer.from(`let x${round} = 1;\n`),
      });
      index.close();
      return refreshed;
    };
    for (let round = 0; round < 19; round += 1) await look(round);
    expect(await look(17)).toEqual({ indexed: 0, reused: 1 });
    expect(await look(0)).toEqual({ indexed: 1, reused: 0 });
  });
});

describe('what is no text of a person', () => {
  it('is skipped and named with its reason', async () => {
    const sample = createSampleRepository();
    sample.write('.gitignore', 'ignored/\n');
    sample.write('ignored/a.ts', 'export const hidden = 1;\n');
    sample.write('bin.dat', Buffer.from([1, 0, 2]));
    sample.write('latin.txt', Buffer.from([0x63, 0xe9, 0x0a]));
    sample.write('empty.ts', '');
    sample.write('big.json', 'x'.repeat(1_048_577));
    sample.write('line.js', `var a=1;${'a=a+1;'.repeat(800_000)}`);
    sample.write('small.js', `var a=1;${'a=a+1;'.repeat(2_000)}`);
    sample.write('node_modules/x/index.js', 'x\n');
    sample.write('gen.go', '// Code generated by protoc. DO NOT EDIT.\npackage a\n');
    sample.write('package-lock.json', '{}\n');
    symlinkSync('/etc/passwd', join(sample.root, 'link'));
    const index = await indexSample(sample.root);
    expect(index.files().map(({ path }) => path)).toEqual(['.gitignore']);
    expect(Object.fromEntries(index.skipped().map(({ path, reason }) => [path, reason]))).toEqual({
      'bin.dat': 'binary',
      'latin.txt': 'not UTF-8',
      'empty.ts': 'empty',
      'big.json': 'too large',
      'line.js': 'too large',
      'small.js': 'minified',
      'node_modules/x/index.js': 'vendored',
      'gen.go': 'generated',
      'package-lock.json': 'generated',
      link: 'link',
    });
  });
});

describe('bad input', () => {
  it('a file with errors still gives what stands around them', async () => {
    const sample = createSampleRepository();
    sample.write(
      'a.ts',
      'export function before() {}\nconst = = ;;; (((\nexport function after() {}\n',
    );
    expect(
      (await indexSample(sample.root)).definitionsIn('a.ts').map(({ name }) => name),
    ).toContain('before');
  });

  it.each([
    ['a damaged file', 'not a database at all, '.repeat(500)],
    ['a file cut short', null],
  ])('builds the index anew over %s and says so', async (_, content) => {
    const sample = createProject();
    await indexSample(sample.root).then(index => index.close());
    writeFileSync(join(sample.root, '../state/index.sqlite'), content ?? 'SQLite format 3\0');
    const notes: string[] = [];
    expect(
      (await indexSample(sample.root, { onNote: note => notes.push(note) })).refreshed.indexed,
    ).toBe(4);
    expect(notes).toEqual(['The code index was damaged and is built anew.']);
  });

  it('builds the index of another version anew and says so', async () => {
    const sample = createProject();
    await indexSample(sample.root);
    const { openDatabase } = await import('../../../src/adapters/store/sqlite.ts');
    const database = await openDatabase(systemDisk, join(sample.root, '../state/index.sqlite'));
    database.exec('PRAGMA user_version=9999');
    database.close();
    const notes: string[] = [];
    expect(
      (await indexSample(sample.root, { onNote: note => notes.push(note) })).refreshed.indexed,
    ).toBe(4);
    expect(notes).toEqual([
      'The code index was written by another version of Jury and is built anew.',
    ]);
  });

  it('runs nothing of the repository', async () => {
    const sample = createProject();
    const trap = join(createFolder(), 'trap');
    sample.git('config', 'core.fsmonitor', `touch ${trap}`);
    sample.git('config', 'filter.x.clean', `touch ${trap}`);
    sample.write('.gitattributes', '*.ts filter=x\n');
    await indexSample(sample.root);
    expect(existsSync(trap)).toBe(false);
  });
});
