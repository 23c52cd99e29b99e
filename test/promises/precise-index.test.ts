/**
 * A compiler's index in a project makes names exact and never silently: what it tells is checked against the files, a file that is none
 * is named and left alone, nothing is read outside of the project, and whoever writes the change does not say what its names mean.
 */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeScip, marked } from '../adapters/precise/encode-scip.ts';
import {
  createFolder,
  createHistory,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from '../cli/jury.ts';

const files = {
  'src/files.ts':
    'export const files = {\n  «load=files.load().»: (name: string) => name.trim(),\n};\n',
  'src/cache.ts':
    'export const cache = {\n  «load=cache.load().»: (name: string) => name.length,\n};\n',
  'src/page.ts':
    'export function open(sources: any): unknown {\n  return sources.«load:cache.load().»("a");\n}\n',
};
const texts = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path, marked(path, text).text]),
);
const index = encodeScip(Object.entries(files).map(([path, text]) => marked(path, text).document));

function createProject(): SampleRepository {
  return createHistory(
    { ...texts, 'src/page.ts': 'export function open(sources: any): unknown {\n}\n' },
    { 'src/page.ts': texts['src/page.ts'] ?? '' },
  );
}

function pack({ root }: SampleRepository, ...words: readonly string[]) {
  const { code, stdout, stderr } = jury(root, ['context', ...words]);
  expect(code).toBe(0);
  return { stdout, stderr };
}

/** Both places are named where nobody knows which is meant. */
const isByWords = (text: string): boolean =>
  text.includes('src/cache.ts') && text.includes('src/files.ts');
const isExact = (text: string): boolean =>
  text.includes('src/cache.ts') && !text.includes('src/files.ts');

/** A configuration outside of the project. */
function configured(precise: unknown): string {
  const file = join(createFolder(), 'jury.config.json');
  writeFileSync(file, JSON.stringify({ packs: { precise } }));
  return file;
}

describe('a SCIP index at the top of a project', () => {
  it('settles a name that words leave open, and jury doctor tells of it', () => {
    const project = createProject();
    expect(isByWords(pack(project).stdout)).toBe(true);
    expect(jury(project.root, ['doctor']).stdout).toContain('precise index: none');
    project.write('index.scip', Buffer.from(index));
    expect(isExact(pack(project).stdout)).toBe(true);
    expect(jury(project.root, ['doctor']).stdout).toContain(
      '✓ precise index: index.scip by test-indexer 1.2.3, 3 files',
    );
  });

  it('of older files places nothing on a wrong line', () => {
    const project = createProject();
    project.write('index.scip', Buffer.from(index));
    project.write('src/cache.ts', `// one more line\n${texts['src/cache.ts'] ?? ''}`);
    project.git('add', 'src');
    project.git('commit', '-q', '--amend', '-m', 'after');
    expect(isByWords(pack(project).stdout)).toBe(true);
  });

  it.each([
    ['garbage', Buffer.from('{"documents": []}'), 'is no SCIP index, or a damaged one'],
    ['one that is cut off', Buffer.from(index.subarray(0, -4)), 'is cut off'],
  ])('that is %s is named, and names are resolved without it', (_, bytes, why) => {
    const project = createProject();
    project.write('index.scip', bytes);
    const { stdout, stderr } = pack(project);
    expect(isByWords(stdout)).toBe(true);
    expect(stderr).toContain(why);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(jury(project.root, ['doctor']).stdout).toContain(`! precise index: index.scip ${why}`);
  });

  it('is not read through a link, nor when the change brings it', () => {
    const project = createProject();
    const outside = join(createFolder(), 'outside.scip');
    writeFileSync(outside, index);
    symlinkSync(outside, join(project.root, 'index.scip'));
    expect(pack(project).stderr).toContain('it is a link, or lies behind one');
    rmSync(join(project.root, 'index.scip'));
    project.write('index.scip', Buffer.from(index));
    project.git('add', 'index.scip');
    project.git('commit', '-q', '--amend', '-m', 'after');
    const { stdout, stderr } = pack(project);
    expect(stderr).toContain('the change under review brings it');
    expect(isByWords(stdout)).toBe(true);
  });

  it('is named by the configuration inside of the project only, and switched off there', () => {
    const project = createProject();
    project.write('build/names.scip', Buffer.from(index));
    expect(isExact(pack(project, '--config', configured('build/names.scip')).stdout)).toBe(true);
    for (const place of ['../names.scip', join(project.root, 'build/names.scip')])
      expect(pack(project, '--config', configured(place)).stderr).toContain(
        'it lies outside of the project',
      );
    expect(pack(project, '--config', configured('none.scip')).stderr).toContain(
      'none.scip is not read: it is not there',
    );
    project.write('index.scip', Buffer.from('garbage'));
    expect(pack(project, '--config', configured(false)).stderr).toBe('');
  });
});
