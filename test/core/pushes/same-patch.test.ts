import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  samePaths,
  sayRanges,
  shownLineNow,
} from '../../../src/core/pushes/same-patch.ts';
import type { ChangedFile, Hunk } from '../../../src/core/words/change.ts';
import { makeStates, type Made } from '../../promises/proof/branches.ts';
import { sampleChange, sampleFile } from '../sample.ts';

function hunk(newStart: number, lines: readonly string[], more: Partial<Hunk> = {}) {
  const without = (mark: string) => lines.filter(line => !line.startsWith(mark)).length;
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

/** Texts of the old sides by id; whoever has none is gone. */
const isSame = async (
  one: ChangedFile,
  other: ChangedFile,
  texts: Readonly<Record<string, readonly string[]>> = {},
) => {
  const [before, after] = [one, other].map(file => sampleChange({ files: [file] }));
  if (before === undefined || after === undefined) throw new Error('There are two.');
  const same = await samePaths(before, after, ({ oldId }) =>
    Promise.resolve(texts[oldId]?.join('\n') ?? null),
  );
  return same.has(other.path);
};

describe('a file is the same', () => {
  const [one, other] = ['3'.repeat(40), '4'.repeat(40)];
  const place = (oldStart: number, id: string) => ({
    ...then,
    oldId: id,
    newId: `9${id.slice(1)}`,
    hunks: [hunk(oldStart, [' a', '+b', ' c'])],
  });
  const block = ['function read()', ...'123456'.split(''), 'a', 'c', ''];
  const before = ['use x', ...block, ...block];

  it.each<readonly [string, readonly string[], number, number, boolean]>([
    ['when nothing above its place has changed', [...before, 'more'], 9, 9, true],
    ['when lines were put above all that heads it', ['use w', ...before], 9, 10, true],
    ['in the second of two blocks', ['use x', 'use y', ...before.slice(1)], 19, 20, true],
    ['but not in another block', ['use w', ...before], 9, 20, false],
    [
      'but not where the base has one block more',
      ['use x', ...block, ...block, ...block],
      9,
      19,
      false,
    ],
    ['but not below what was taken out', before.slice(1), 9, 8, false],
    ['but not below its heading', before.toSpliced(3, 0, 'new'), 9, 10, false],
    ['but not between two changes', ['use w', ...before.slice(1), 'more'], 9, 9, false],
  ])('%s', async (_, after, was, is, same) => {
    const texts = { [one]: before, [other]: after };
    expect(await isSame(place(was, one), place(is, other), texts)).toBe(same);
  });

  it('and not where nobody has the base any more', async () => {
    expect(await isSame(place(9, one), place(9, other))).toBe(false);
    const unknown = '0'.repeat(40);
    expect(await isSame(place(9, unknown), place(25, unknown))).toBe(false);
  });

  it.each<readonly [string, Partial<ChangedFile>]>([
    ['an added line', { hunks: [hunk(10, [' a', '+B', ' c'])] }],
    ['a line around the change', { hunks: [hunk(10, [' a', '+b', ' C'])] }],
    ['what it stands in', { hunks: [hunk(10, [' a', '+b', ' c'], { heading: 'class Other' })] }],
    ['its mode', { newMode: '100755' }],
    ['where it comes from', { oldPath: 'src/old.ts', status: 'renamed' }],
    ['a further place', { hunks: [...then.hunks, hunk(90, ['+x'])] }],
    ['another place in the same text', { hunks: [hunk(25, [' a', '+b', ' c'])] }],
  ])('and not when it differs by %s', async (_what, change) => {
    expect(await isSame(then, then)).toBe(true);
    expect(await isSame(then, { ...then, ...change })).toBe(false);
  });

  it('by its contents alone when no lines of it are shown', async () => {
    const binary = sampleFile({ content: 'binary', hunks: [] });
    expect(await isSame(binary, { ...binary })).toBe(true);
    expect(await isSame(binary, { ...binary, newId: other })).toBe(false);
  });
});

/** As git shows it. */
function fileOf({ base, lines, at }: Made, oldId: string) {
  const first = Math.max(0, at - 3);
  const heading = base.slice(0, first).findLast(line => /^[A-Za-z_$]/.test(line)) ?? '';
  const above = base.slice(first, at).map(line => ` ${line}`);
  const below = base.slice(at, at + 3).map(line => ` ${line}`);
  const hunks = [hunk(first + 1, [...above, `+${lines[at] ?? ''}`, ...below], { heading })];
  return { ...then, oldId, newId: `9${oldId.slice(1)}`, hunks };
}

describe('of made branches of blocks that are alike', () => {
  it('none is the same in a block of another name', async () => {
    let same = 0;
    for (let seed = 0; seed < 1_500; seed++) {
      const [before, after] = makeStates(seed, 2);
      if (before === undefined || after === undefined) throw new Error('There are two.');
      const [one, other] = ['3'.repeat(40), '4'.repeat(40)];
      const texts = { [one]: before.base, [other]: after.base };
      if (!(await isSame(fileOf(before, one), fileOf(after, other), texts))) continue;
      same += 1;
      expect([seed, after.name]).toEqual([seed, before.name]);
    }
    expect(same).toBeGreaterThan(100);
  });
});

describe('a line that was shown', () => {
  const now = { ...then, hunks: [hunk(25, [' a', '+b', ' c'])] };

  it('moves with what stands around it', () => {
    expect(shownLineNow(then, now, { line: 11, side: 'new' })).toBe(26);
    expect(shownLineNow(then, now, { line: 11, side: 'old' })).toBe(26);
  });

  it('is not known where no patch shows it', () =>
    expect(shownLineNow(then, now, { line: 13, side: 'new' })).toBeNull());
});

describe('what is new since', () => {
  it('are lines that the patch did not add then', () => {
    const now = { ...then, hunks: [hunk(10, [' a', '+b', '+d', '+e', ' c', '+b'])] };
    expect(differenceOf(then, now).lines).toEqual([12, 13, 15]);
    expect(sayRanges(differenceOf(then, now).lines)).toBe('12-13, 15');
  });

  it('are the lines between which others were taken back', () => {
    const more = { ...then, hunks: [...then.hunks, hunk(40, [' x', '+y', '+z', ' w'])] };
    const less = { ...then, hunks: [...then.hunks, hunk(40, [' x', '+y', ' w'])] };
    const { lines, places, gone } = differenceOf(more, less);
    expect([lines, places, gone]).toEqual([[], [41, 42], ['z']]);
  });

  it('are those that are removed in a second place, though the same one was removed before', () => {
    const once = { ...then, hunks: [hunk(10, [' a', '-run() {', ' c'])] };
    const twice = { ...then, hunks: [...once.hunks, hunk(90, [' x', '-run() {', ' z'])] };
    expect(differenceOf(once, twice).gone).toEqual(['run() {']);
    expect(differenceOf(once, once).gone).toEqual([]);
  });

  it('is told in a few ranges', () =>
    expect(sayRanges(Array.from({ length: 30 }, (_, index) => 2 * index + 1))).toBe(
      '1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, …',
    ));
});
