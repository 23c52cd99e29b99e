import { describe, expect, it, beforeAll } from 'vitest';
import {
  piecesOf,
  isLinePointer,
  renderLinePointers,
} from '../../../../src/core/context/packing/line-range.ts';
import { createModules, rankCoChanged } from '../../../../src/core/context/packing/pointers.ts';
import { sampleFile } from '../../sample.ts';
import { createCodeView } from '../../../../src/core/context/packing/code-view.ts';
import { resolveSymbol, symbolsUsed } from '../../../../src/core/context/packing/resolve.ts';
import { openCodeIndex } from '../../../../src/adapters/index/code-index.ts';
import { openRepository } from '../../../../src/adapters/git/repository.ts';
import { atFileEnd } from '../../../file-end.ts';
import { createFolder, createSampleRepository } from '../../../adapters/git/sample-repository.ts';
import { stateIn } from '../../../adapters/store/temporary.ts';
import { moreProjects } from './more-projects.ts';
import { projects, type Project } from './projects.ts';

describe('the module of a file', () => {
  const moduleOf = createModules([
    'src/billing/rates/a.ts',
    'src/users/b.ts',
    'packages/web/package.json',
    'packages/web/lib/c.ts',
    'docs/x.md',
  ]);
  it.each([
    ['src/billing/rates/a.ts', 'src/billing/rates'],
    ['src/users/b.ts', 'src/users'],
    ['packages/web/lib/deep/c.ts', 'packages/web'],
    ['docs/x.md', 'docs'],
    ['test/users/b.test.ts', 'src/users'],
    ['packages/web/test/c.test.ts', 'packages/web'],
  ])('of %s is %s', (path, name) => {
    expect(moduleOf(path)).toBe(name);
  });
});

const file = (lines: readonly string[], newLines: number) =>
  sampleFile({
    path: 'a',
    hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines, heading: '', lines: [...lines] }],
  });

describe('changed lines', () => {
  it('are the added ones, and the neighbours of a gap where lines were only taken away', () => {
    expect(piecesOf(file([' a', '-b', '+c', ' d', '-e', ' f'], 4))).toEqual([
      {
        path: 'a',
        changed: [{ start: 2, end: 4 }],
        added: [2],
        removed: [
          { at: 2, isBehind: false, old: { start: 2, end: 2 } },
          { at: 4, isBehind: false, old: { start: 4, end: 4 } },
        ],
        hunk: { start: 1, end: 4 },
      },
    ]);
  });
});

/** Lines worth a look: what they cost decides how many of them a pack has room for. */
const pointer = (path: string, line: number, name: string) => ({
  kind: 'code',
  path,
  lines: `${line}-${line}`,
  ref: `${path}:${line}`,
  name,
});

describe('pointers of a pack', () => {
  it('are one line each', () => {
    expect(
      renderLinePointers([
        pointer('src/a.ts', 4, 'calls load in handle()'),
        pointer('src/a.ts', 12, 'defines drop'),
      ]),
    ).toEqual(['src/a.ts:4 calls load in handle()', 'src/a.ts:12 defines drop']);
  });

  it('stay anchors of their own, called by their line', () => {
    const one = pointer('src/a.ts', 4, 'calls load in handle()');
    expect(one).toMatchObject({ lines: '4-4', ref: 'src/a.ts:4', name: 'calls load in handle()' });
    expect([isLinePointer(one), isLinePointer({ ...one, ref: 'git:1234' })]).toEqual([true, false]);
  });

  it('cannot break their line, whatever a file is called', () => {
    expect(renderLinePointers([pointer('src/a\n## code b.ts', 1, 'calls x')])).toEqual([
      expect.not.stringContaining('\n'),
    ]);
  });
});

/** Files that used to change together, ranked by the history before a change. */
const rank = (past: readonly (readonly string[])[], ...changed: string[]) =>
  rankCoChanged(
    past.map(files => ({ files })),
    new Set(changed),
    () => true,
  ).map(({ path }) => path);

describe('files that used to change with those of a change', () => {
  it('are code before what changes with everything', () => {
    const past = [
      ['src/a.ts', 'CHANGELOG.md', 'package-lock.json', 'src/b.ts'],
      ['src/a.ts', 'CHANGELOG.md', 'package-lock.json'],
      ['src/a.ts', 'CHANGELOG.md', 'package-lock.json'],
    ];
    expect(rank(past, 'src/a.ts')[0]).toBe('src/b.ts');
  });

  it('are those of small commits before those of large ones', () => {
    const large = Array.from({ length: 20 }, (_, index) => `other/${index}.ts`);
    const past = [
      ['src/a.ts', ...large],
      ['src/a.ts', ...large],
      ['src/a.ts', 'far/b.ts'],
    ];
    expect(rank(past, 'src/a.ts')[0]).toBe('far/b.ts');
  });

  it('are those called alike before others, and late ones before early ones', () => {
    const past = [
      ['src/a.ts', 'far/late.ts', 'test/a.test.ts'],
      ...Array.from({ length: 80 }, () => ['src/a.ts']),
      ['src/a.ts', 'far/early.ts', 'far/other.ts'],
    ];
    expect(rank(past, 'src/a.ts').slice(0, 3)).toEqual([
      'test/a.test.ts',
      'far/late.ts',
      'far/early.ts',
    ]);
  });

  it('are ten at most, and none of the change itself', () => {
    const past = [
      ['src/a.ts', 'src/b.ts', ...Array.from({ length: 30 }, (_, index) => `x${index}.ts`)],
    ];
    const ranked = rank(past, 'src/a.ts', 'src/b.ts');
    expect([ranked.length, ranked.includes('src/b.ts')]).toEqual([10, false]);
  });
});

/** What the names on a changed line lead to, in small projects of each language, through the real index. */
type Resolve = (path: string, line: string, name: string) => string[];

/** Answers `path: text of the line`, or the kind of what is no definition; nothing for what is no use. */
async function openProject({ files }: Project): Promise<Resolve> {
  const sample = createSampleRepository();
  for (const [path, text] of Object.entries(files)) sample.write(path, text);
  const repository = await openRepository(sample.root);
  const { index } = await openCodeIndex(stateIn(createFolder()), {
    tree: await repository.tree(null),
    read: id => repository.content(id, 1 << 20),
  });
  atFileEnd(() => index.close());
  await repository.close();
  const view = createCodeView(index);
  const linesOf = (path: string): readonly string[] => (files[path] ?? '').split('\n');
  return (path, text, name) => {
    const line = linesOf(path).findIndex(one => one.trim() === text) + 1;
    if (line === 0) throw new Error(`${path} has no line ${text}`);
    const range = { start: line, end: line };
    const piece = { path, changed: [range], added: [line], removed: [], hunk: range };
    return symbolsUsed([piece], view, linesOf)
      .filter(use => use.name === name)
      .map(use => {
        const found = resolveSymbol(use, view, linesOf(path));
        return found.at
          ? `${found.at.path}: ${(linesOf(found.at.path)[found.at.startLine - 1] ?? '').trim()}`
          : found.kind;
      });
  };
}

describe.each(Object.entries({ ...projects, ...moreProjects }))('in %s', (_, project) => {
  let resolve: Resolve;
  beforeAll(async () => {
    resolve = await openProject(project);
  });

  it.each(project.rows)('%s', (_what, path, line, name, ...expected) => {
    expect(resolve(path, line, name)).toEqual(expected);
  });
});
