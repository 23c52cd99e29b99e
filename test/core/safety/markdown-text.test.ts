import { describe, expect, it } from 'vitest';
import {
  code,
  quoteBlock,
  readable,
  tableOf,
  words,
} from '../../../src/core/safety/visible-text.ts';

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
