import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange, takeLines } from '../../../src/core/tools/excerpt.ts';

const numbered = { isNumbered: true };

describe('an excerpt', () => {
  it('begins each line with its number', () => {
    expect(takeLines('a\nb\nc\n', { from: 2, to: 3 }, numbered)).toEqual({ lines: '2-3', text: '2\tb\n3\tc', cut: null });
  });

  it('ends with the text', () => {
    expect(takeLines('a\r\nb', { from: 1, to: 99 }, { isNumbered: false })).toEqual({ lines: '1-2', text: 'a\nb', cut: null });
    expect(takeLines('a\n', { from: 2, to: 3 }, numbered)).toBeNull();
  });

  it('is short, whatever it is taken from, and names the lines that are missing', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.constant('x'.repeat(3_000))), { minLength: 1, maxLength: 600 }), fc.nat(700), fc.nat(700), (lines, from, length) => {
      const text = lines.map(line => line.replace(/[\r\n]/g, '')).join('\n');
      const excerpt = takeLines(text, { from, to: from + length }, numbered);
      if (excerpt === null) return;
      const [first = 0, last = 0] = excerpt.lines.split('-').map(Number);
      expect(excerpt.text.length).toBeLessThan(17_000);
      expect(excerpt.text.split('\n')).toHaveLength(last - first + 1);
      const end = Math.min(from + length, text.replace(/\n$/, '').split('\n').length);
      if (last < end) expect(excerpt.cut).toContain(`lines ${last + 1}-${end} are not shown`);
    }));
  });
});

it.each([['10', { from: 10, to: 10 }], ['10-40', { from: 10, to: 40 }], ['40-10', { from: 10, to: 40 }], ['0', null], ['0-3', { from: 1, to: 3 }], ['a', null], ['1-', null], ['9999999999', null]])('the range %s', (text, range) => {
  expect(parseRange(text)).toEqual(range);
});
