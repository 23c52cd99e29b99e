import { describe, expect, it } from 'vitest';
import {
  isSamePatch,
  linesSince,
  placesSince,
  sayRanges,
  shownLineNow,
} from '../../../src/core/pushes/same-patch.ts';
import type { ChangedFile, Hunk } from '../../../src/core/words/change.ts';
import { sampleFile } from '../sample.ts';

function hunk(newStart: number, lines: readonly string[], more: Partial<Hunk> = {}): Hunk {
  const without = (mark: string): number => lines.filter(line => !line.startsWith(mark)).length;
  return {
    oldStart: newStart,
    oldLines: without('+'),
    newStart,
    newLines: without('-'),
    heading: 'function read()',
    lines: [...lines],
    ...more,
  };
}

const then = sampleFile({ hunks: [hunk(10, [' a', '+b', ' c'])] });

describe('a file is the same', () => {
  it('when its lines have moved and its ids are others', () => {
    expect(
      isSamePatch(then, {
        ...then,
        oldId: '3'.repeat(40),
        newId: '4'.repeat(40),
        hunks: [hunk(25, [' a', '+b', ' c'])],
      }),
    ).toBe(true);
  });

  it.each<readonly [string, Partial<ChangedFile>]>([
    ['an added line', { hunks: [hunk(10, [' a', '+B', ' c'])] }],
    ['a line around the change', { hunks: [hunk(10, [' a', '+b', ' C'])] }],
    ['what it stands in', { hunks: [hunk(10, [' a', '+b', ' c'], { heading: 'class Other' })] }],
    ['its mode', { newMode: '100755' }],
    ['where it comes from', { oldPath: 'src/old.ts', status: 'renamed' }],
    ['a further place', { hunks: [...then.hunks, hunk(90, ['+x'])] }],
  ])('and not when it differs by %s', (_what, change) => {
    expect(isSamePatch(then, { ...then, ...change })).toBe(false);
  });

  it('and not when the same lines were changed elsewhere in the same text', () => {
    const elsewhere = { ...then, newId: '4'.repeat(40), hunks: [hunk(25, [' a', '+b', ' c'])] };
    expect(isSamePatch(then, elsewhere)).toBe(false);
    const unknown = '0'.repeat(40);
    expect(isSamePatch({ ...then, oldId: unknown }, { ...elsewhere, oldId: unknown })).toBe(true);
  });

  it('by its contents alone when no lines of it are shown', () => {
    const binary = sampleFile({ content: 'binary' });
    expect([
      isSamePatch(binary, { ...binary }),
      isSamePatch(binary, { ...binary, newId: '9'.repeat(40) }),
    ]).toEqual([true, false]);
  });
});

describe('a line that was shown', () => {
  const now = { ...then, hunks: [hunk(25, [' a', '+b', ' c'])] };

  it('moves with what stands around it', () => {
    expect(shownLineNow(then, now, { line: 11, side: 'new' })).toBe(26);
    expect(shownLineNow(then, now, { line: 11, side: 'old' })).toBe(26);
  });

  it('is not known where no patch shows it', () => {
    expect(shownLineNow(then, now, { line: 13, side: 'new' })).toBeNull();
  });
});

describe('what is new since', () => {
  it('are lines that the patch did not add then', () => {
    const now = { ...then, hunks: [hunk(10, [' a', '+b', '+d', '+e', ' c', '+b'])] };
    expect(linesSince(then, now)).toEqual([12, 13, 15]);
    expect(sayRanges(linesSince(then, now))).toBe('12-13, 15');
  });

  it('are the lines between which others were taken back', () => {
    const more = { ...then, hunks: [...then.hunks, hunk(40, [' x', '+y', '+z', ' w'])] };
    const less = { ...then, hunks: [...then.hunks, hunk(40, [' x', '+y', ' w'])] };
    expect([linesSince(more, less), placesSince(more, less)]).toEqual([[], [41, 42]]);
  });

  it('is told in a few ranges', () => {
    expect(sayRanges(Array.from({ length: 30 }, (_, index) => 2 * index + 1))).toBe(
      '1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, …',
    );
  });
});
