/** Files that used to change together, ranked by the history before a change. */
import { describe, expect, it } from 'vitest';
import { rankCoChanged } from '../../../../src/core/context/packing/pointers.ts';

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
