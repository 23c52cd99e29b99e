import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, ChangedFile } from '../../../src/core/change.ts';
import { ReviewerConfig, type Seat } from '../../../src/core/config.ts';
import { selectFiles } from '../../../src/core/context/pack.ts';

function file(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return { path, oldPath: null, status: 'modified', oldMode: '100644', newMode: '100644', oldId: 'a'.repeat(40), newId: 'b'.repeat(40), content: 'text', additions: 1, deletions: 0, hunks: [], ...changes };
}

const changeOf = (...files: ChangedFile[]): Change => ({ kind: 'change', source: 'range', base: null, head: null, title: 'x', files, warnings: [] });

function seat(maxPromptBytes: number, globs: string[] = []): Seat {
  const persona = { name: 'go-reviewer', role: 'language', focus: 'x', veto: false, budget: 1, capability: 'review', files: globs, instructions: '' } as const;
  return { ...ReviewerConfig.parse({ id: 'alpha', runner: 'replay', answers: 'x' }), persona, home: '/', timeout: 1, maxPromptBytes };
}

describe('choosing what a reviewer sees', () => {
  it('shows everything that fits, in the order of the change', () => {
    const { shown, readings } = selectFiles(changeOf(file('b'), file('a')), seat(100), () => 10);
    expect(shown.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(readings.map(({ extent }) => extent)).toEqual(['full', 'full']);
  });

  it('takes small files before large ones and lists what does not fit', () => {
    const { shown, readings } = selectFiles(changeOf(file('large'), file('small')), seat(100), ({ path }) => (path === 'large' ? 95 : 10));
    expect(shown.map(({ path }) => path)).toEqual(['small']);
    expect(readings[0]).toEqual({ path: 'large', extent: 'skipped', why: 'does not fit the prompt' });
  });

  it('leaves out what is not in the domain of the persona, without calling it skipped', () => {
    const { shown, readings } = selectFiles(changeOf(file('a.go'), file('deep/b.go'), file('c.ts')), seat(100, ['**/*.go']), () => 1);
    expect(shown.map(({ path }) => path)).toEqual(['a.go', 'deep/b.go']);
    expect(readings[2]).toMatchObject({ extent: 'outside' });
  });

  it.each([
    ['a binary file', { content: 'binary' }, 'partial'],
    ['a file too large to show', { content: 'too-large' }, 'skipped'],
    ['a deleted binary file', { content: 'binary', status: 'deleted' }, 'full'],
    ['a binary file that was only renamed', { content: 'binary', newId: 'a'.repeat(40) }, 'full'],
    ['a submodule', { content: 'submodule' }, 'full'],
  ] as const)('counts %s as read %s', (_what, changes, extent) => {
    expect(selectFiles(changeOf(file('x', changes)), seat(100), () => 1).readings[0]?.extent).toBe(extent);
  });

  it('never exceeds the limit and accounts for every file', () => {
    fc.assert(fc.property(fc.array(fc.nat(50)), fc.nat(200), (sizes, limit) => {
      const files = sizes.map((_, index) => file(`f${index}`));
      const { shown, readings } = selectFiles(changeOf(...files), seat(Math.max(limit, 1)), ({ path }) => sizes[Number(path.slice(1))] ?? 0);
      const total = shown.reduce((sum, { path }) => sum + (sizes[Number(path.slice(1))] ?? 0), 0);
      expect(total).toBeLessThanOrEqual(Math.max(limit, 1));
      expect(readings).toHaveLength(files.length);
      expect(readings.filter(({ extent }) => extent === 'full')).toHaveLength(shown.length);
    }));
  });
});
