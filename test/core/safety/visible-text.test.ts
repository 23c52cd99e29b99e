import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hidesText,
  makeVisible,
  code,
  quoteBlock,
  readable,
  tableOf,
  words,
  escapeXml,
  withoutCommands,
} from '../../../src/core/safety/visible-text.ts';

describe('text made visible', () => {
  it.each([
    ['a\u202Eb', 'a⟦U+202E⟧b', 'bidi'],
    ['a\u2066b\u2069', 'a⟦U+2066⟧b⟦U+2069⟧', 'bidi isolate'],
    ['a\u200Bb\uFEFF', 'a⟦U+200B⟧b⟦U+FEFF⟧', 'zero-width'],
    ['\u001B]8;;x\u0007', '⟦U+001B⟧]8;;x⟦U+0007⟧', 'C0'],
    ['\u009B31m\u007F', '⟦U+009B⟧31m⟦U+007F⟧', 'C1 and DEL'],
    ['a\u{E0041}\u{E007F}', 'a⟦U+E0041⟧⟦U+E007F⟧', 'tag characters'],
    ['a\u00ADb\u3164', 'a⟦U+00AD⟧b⟦U+3164⟧', 'soft hyphen and filler'],
    ['a\uFE01\u{E0101}', 'a⟦U+FE01⟧⟦U+E0101⟧', 'variation selectors'],
    ['a\rb', 'a⟦U+000D⟧b', 'a carriage return alone'],
    ['\uD800x', '⟦U+D800⟧x', 'a lone surrogate'],
    ['\u2028', '⟦U+2028⟧', 'a line separator'],
  ])('%j is shown as %s (%s)', (text, shown) => {
    expect(makeVisible(text)).toBe(shown);
    expect(hidesText(text)).toBe(true);
  });

  it.each(['tab\tand\nline\r\nends', 'Ünïcode 漢字 العربية', '❤️ 🎉', ''])(
    '%j is left alone',
    text => {
      expect(makeVisible(text)).toBe(text);
      expect(hidesText(text)).toBe(false);
    },
  );

  it('holds nothing hidden any more, and nothing else changed', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(hidesText(makeVisible(text))).toBe(false);
        const back = makeVisible(text).replace(/⟦U\+([0-9A-F]{4,6})⟧/g, (_, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        );
        expect(back).toBe(text);
      }),
    ));
});

describe('words of the world', () => {
  it.each([
    [
      'The value is joined to the statement, unchecked.',
      'The value is joined to the statement, unchecked.',
    ],
    [
      'Calling `.toLowerCase()` on it (again) throws',
      'Calling `.toLowerCase()` on it (again) throws',
    ],
    ['see req.query.id + x now', 'see `req.query.id +` x now'],
    ['fixes #1 by @team', 'fixes `#1` by `@team`'],
    ['1. first', '`1.` first'],
    ['GH-7fixes deadbeef1-x facade', '`GH-7fixes deadbeef1-x` facade'],
    ['see www.… there', 'see `www.…` there'],
    ['<b>bold</b>', '`<b>bold</b>`'],
    ['', '–'],
  ])('%j are written %j', (text, written) => expect(words(text)).toBe(written));
});

describe('a code span', () => {
  it.each([
    ['plain', '`plain`'],
    ['a ` b', '``a ` b``'],
    ['`', '`` ` ``'],
    ['``` x ``', '```` ``` x `` ````'],
    ['', '–'],
    ['two\nlines', '`two lines`'],
  ])('of %j is %j', (text, span) => expect(code(text)).toBe(span));

  it('has its bars escaped in a table cell, also behind a backslash', () =>
    expect(tableOf(['A'], [[code('a|b \\| c')]]).at(-1)).toBe('| `a\\|b \\\\\\| c` |'));
});

describe('a quoted block', () => {
  it('has a fence longer than any run of backticks in it', () =>
    expect(quoteBlock('````\n::error::x')).toEqual([
      '> `````',
      '> ````',
      '> ::error::x',
      '> `````',
    ]));
});

describe('words in files that programs read back', () => {
  it.each([
    ['src/a_b.ts:3 calls run() in F-12', 'src/a_b.ts:3 calls run() in F-12'],
    ['#1 and GH-1 at deadbeef1', '`#1` and `GH-1` at `deadbeef1`'],
    ['www.evil.example', '`www.evil.example`'],
    ['', '–'],
    ['- a - b', '`-` a - b'],
  ])('%j are written %j', (text, written) => expect(readable(text)).toBe(written));
});

describe.each([
  ['the log of a workflow', withoutCommands],
  ['XML', escapeXml],
])('%s', (_, escape) => {
  it.each(['::error::x', ' \t::error::x', 'a\n::error::x', 'a\n\n  ::error::x', '##[error]x'])(
    'holds no command: %j',
    text => expect(escape(text)).not.toMatch(/^\s*::|##\[/m),
  );
});
