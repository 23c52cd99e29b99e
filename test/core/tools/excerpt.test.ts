import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  faultOfPath,
  grepTexts,
  readAnchorName,
  takeLines,
  stateReported,
  withoutRepeated,
} from '../../../src/core/tools/offers.ts';

const numbered = { isNumbered: true };

describe('an excerpt', () => {
  it('begins each line with its number', () =>
    expect(takeLines('a\nb\nc\n', { from: 2, to: 3 }, numbered)).toEqual({
      lines: '2-3',
      text: '2\tb\n3\tc',
      cut: null,
    }));

  it('ends with the text', () => {
    expect(takeLines('a\r\nb', { from: 1, to: 99 }, { isNumbered: false })).toEqual({
      lines: '1-2',
      text: 'a\nb',
      cut: null,
    });
    expect(takeLines('a\n', { from: 2, to: 3 }, numbered)).toBeNull();
  });

  it('is short, whatever it is taken from, and names the lines that are missing', () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constant('x'.repeat(3_000))), {
          minLength: 1,
          maxLength: 600,
        }),
        fc.nat(700),
        fc.nat(700),
        (lines, from, length) => {
          const text = lines.map(line => line.replace(/[\r\n]/g, '')).join('\n');
          const excerpt = takeLines(text, { from, to: from + length }, numbered);
          if (excerpt === null) return;
          const [first = 0, last = 0] = excerpt.lines.split('-').map(Number);
          expect(excerpt.text.length).toBeLessThan(17_000);
          expect(excerpt.text.split('\n')).toHaveLength(last - first + 1);
          const end = Math.min(from + length, text.replace(/\n$/, '').split('\n').length);
          if (last < end) expect(excerpt.cut).toContain(`lines ${last + 1}-${end} are not shown`);
        },
      ),
    ));
});

it.each([
  ['10', { from: 10, to: 10 }],
  ['10-40', { from: 10, to: 40 }],
  ['40-10', { from: 10, to: 40 }],
  ['0', null],
  ['0-3', { from: 1, to: 3 }],
  ['a', null],
  ['1-', null],
  ['9999999999', null],
])('the range %s', (text, range) => expect(readAnchorName(`a.ts:${text}`).range).toEqual(range));

it('a path without a fault stays inside the tree, whatever it is made of', () => {
  const piece = fc.oneof(
    fc.constantFrom('..', '.', '', '/', '\\', '~', 'C:', '.git', 'src', '%2e%2e'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.constantFrom('/', '\\', ''),
      (pieces, separator) => {
        const name = pieces.join(separator);
        if (faultOfPath(name) !== null) return;
        expect(path.posix.join('/tree', name).startsWith('/tree/')).toBe(true);
        expect(path.win32.join('C:\\tree', name).startsWith('C:\\tree\\')).toBe(true);
      },
    ),
  );
});

it.each([
  ['src/a.ts:10-40', { path: 'src/a.ts', range: { from: 10, to: 40 } }],
  ['src/a.ts:7', { path: 'src/a.ts', range: { from: 7, to: 7 } }],
  ['src/a.ts', { path: 'src/a.ts', range: null }],
  ['a:b.ts', { path: 'a:b.ts', range: null }],
])('the anchor %s', (anchor, place) => expect(readAnchorName(anchor)).toEqual(place));

describe('plain search', () => {
  const files = [
    { path: 'a.ts', text: 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n' },
    { path: 'b.ts', text: 'Seven of nine\n' },
  ];

  it('puts the places with most of the words first, in whatever letter case', () =>
    expect(grepTexts(files, 'SEVEN nine', 9)).toEqual([
      { path: 'b.ts', startLine: 1, endLine: 2 },
      { path: 'a.ts', startLine: 5, endLine: 10 },
    ]));

  it('joins places that touch and keeps those apart that do not', () =>
    expect(grepTexts(files.slice(0, 1), 'one nine', 9)).toEqual([
      { path: 'a.ts', startLine: 1, endLine: 3 },
      { path: 'a.ts', startLine: 7, endLine: 10 },
    ]));

  it('takes no pattern for more than its words, and no more places than were asked for', () => {
    expect(grepTexts(files, '.*', 9)).toEqual([]);
    expect(grepTexts(files, 'one nine seven', 1)).toHaveLength(1);
  });
});

const scale = new Map([
  ['BLOCKER', 'critical'],
  ['NOTE', 'low'],
] as const);
const input = { severity: 'blocker', text: 'It throws', file: 'src/a.ts', line: 3 };

function stated(changes: Partial<typeof input> = {}, number = 1) {
  const finding = stateReported({ ...input, ...changes }, scale, number);
  if (finding === null) throw new Error('refused');
  return finding;
}

describe('a reported finding', () => {
  it('is read like one of an answer: by the labels asked for, its place apart, on one line', () => {
    expect(stated({ text: 'It\nthrows\u001B[31m\u202E' })).toMatchObject({
      originalId: 'R1',
      label: 'blocker',
      severity: 'critical',
      text: 'It throws⟦U+202E⟧',
      path: 'src/a.ts',
      line: 3,
    });
    expect(stated({ file: 'src/a.ts:7-9', line: undefined as never })).toMatchObject({
      path: 'src/a.ts',
      line: 7,
      endLine: 9,
    });
    expect(stated({ file: ' ' })).toMatchObject({ path: null, line: null });
  });

  it('is refused with a label that nobody declared, and without words', () => {
    expect(stateReported({ ...input, severity: 'terrible' }, scale, 1)).toBeNull();
    expect(stateReported({ ...input, text: '\u001B[0m \t' }, scale, 1)).toBeNull();
  });

  it('is one statement with the same words about the same place, said again', () => {
    const again = stated({ text: 'IT THROWS' }, 2);
    expect(withoutRepeated([again], [stated()])).toEqual([]);
    expect(withoutRepeated([stated(), again], [])).toHaveLength(1);
    expect(
      withoutRepeated(
        [stated({ line: 4 }), stated({ severity: 'note' }), stated({ text: 'It leaks' })],
        [stated()],
      ),
    ).toHaveLength(3);
  });
});
