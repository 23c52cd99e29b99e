import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, startJury } from './jury.ts';
import { stateOf } from '../state-of.ts';

interface Built {
  readonly branch: string;
  readonly total_tokens: number;
  readonly indexed: number;
  readonly reused: number;
  readonly files: readonly { readonly path: string; readonly tokens: number }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

function createProject(files: number) {
  const sample = createSampleRepository();
  for (let index = 0; index < files; index += 1)
    sample.write(
      `src/part${index}.ts`,
      `export function makePart${index}() {\n  return joinParts(${index});\n}\n`,
    );
  sample.write('empty.txt', '');
  sample.commit('one');
  return sample;
}

function index(sample: SampleRepository) {
  const { code, stdout, stderr } = jury(sample.root, ['index', '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Built;
}

it('jury index tells what it read, and reads only what has changed', () => {
  const sample = createProject(3);
  const first = index(sample);
  expect(first).toMatchObject({
    schema: 1,
    branch: 'main',
    indexed: 3,
    reused: 0,
    counter: { name: 'o200k_base', estimated: false },
    skipped: [{ path: 'empty.txt', reason: 'empty' }],
  });
  expect(first.total_tokens).toBe(first.files.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(existsSync(join(sample.root, '.gitignore'))).toBe(false);
  sample.write('src/part1.ts', 'export const changed = 1;\n');
  expect(index(sample)).toMatchObject({ indexed: 1, reused: 2 });
});

it('jury index --stats counts by language and reason', () => {
  const { code, stdout } = jury(createProject(3).root, ['index', '--stats']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^main {2}3 files/);
  expect(stdout).toMatch(/typescript\s+3/);
  expect(stdout).toMatch(/empty\s+1/);
});

it('jury search shows passages with their lines, the definition first', () => {
  const sample = createProject(3);
  const { code, stdout } = jury(sample.root, ['search', 'makePart2']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^src\/part2\.ts:1-3\n\s+1 {2}export function makePart2\(\) \{/);
  expect(
    JSON.parse(jury(sample.root, ['search', 'join parts', '--limit', '2', '--json']).stdout),
  ).toHaveLength(2);
});

it('jury search says so when nothing matches', () =>
  expect(jury(createProject(1).root, ['search', 'zebra'])).toMatchObject({
    code: 0,
    stdout: 'Nothing matches zebra.\n',
  }));

it.each([
  [['search']],
  [['search', '---', '--json']],
  [['search', 'x', '--limit', '0']],
  [['index', 'x']],
  [['index', '--revision', '-x']],
])('%j is refused as usage', words =>
  expect(jury(createProject(1).root, words)).toMatchObject({ code: 3, stdout: '' }),
);

it('a commit is searched without the working tree', () => {
  const sample = createProject(1);
  sample.write('src/part0.ts', 'export const changed = 1;\n');
  expect(
    jury(sample.root, ['search', 'joinParts', '--revision', 'HEAD', '--json']).stdout,
  ).toContain('src/part0.ts');
  expect(JSON.parse(jury(sample.root, ['search', 'joinParts', '--json']).stdout)).toEqual([]);
});

it('two processes at once leave one whole index', async () => {
  const sample = createProject(300);
  const both = [startJury(sample.root, ['index']), startJury(sample.root, ['index'])];
  expect(
    await Promise.all(both.map(async child => (await once(child, 'close'))[0] as number)),
  ).toEqual([0, 0]);
  const built = index(sample);
  expect(built).toMatchObject({ indexed: 0 });
  expect(new Set(built.files.map(({ path }) => path)).size).toBe(built.files.length);
  expect(
    JSON.parse(jury(sample.root, ['search', 'makePart7', '--limit', '1', '--json']).stdout),
  ).toMatchObject([{ path: 'src/part7.ts' }]);
}, 60_000);

it('after a kill in the middle the next index is whole', async () => {
  const sample = createProject(600);
  const child = startJury(sample.root, ['index']);
  while (!existsSync(join(stateOf(sample.root), 'index.sqlite-journal')) && child.exitCode === null)
    await new Promise(resolve => setTimeout(resolve, 2));
  child.kill('SIGKILL');
  await once(child, 'close');
  const built = index(sample);
  expect(built.indexed + built.reused).toBe(600);
  expect(built.files).toHaveLength(600);
}, 60_000);
