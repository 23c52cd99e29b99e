import { describe, expect, test } from 'vitest';
import { placeIn } from '../../../src/answers/place-in-text.ts';
import { placeFrom, placeOf } from '../../../src/core/words/stated.ts';

describe('places in running text', () => {
  test.each([
    ['see src/a.ts:10 and src/b.ts:3', 'src/a.ts', 10, null],
    ['(lib/x.py:7-9)', 'lib/x.py', 7, 9],
    ['in `app/[id]/page.tsx:12`', 'app/[id]/page.tsx', 12, null],
    ['[src/a.ts:3](src/a.ts)', 'src/a.ts', 3, null],
    ['call(src/a.ts:3)', 'src/a.ts', 3, null],
    ['.github/workflows/ci.yml:4 is odd', '.github/workflows/ci.yml', 4, null],
    ['docs/größe.md:2', 'docs/größe.md', 2, null],
    ['at 12:30 in main.go:5', 'main.go', 5, null],
    ['cmd/run:3', 'cmd/run', 3, null],
  ])('%s', (text, path, line, endLine) =>
    expect(placeIn(text)).toMatchObject({ path, line, endLine }),
  );

  test.each([
    'at 12:30',
    'http://localhost:8080/x',
    'example.com:443',
    '127.0.0.1:80',
    'localhost:3000',
    'a ratio of 3:2',
    'C:\\x.ts:3',
    'key: 3',
    '::1',
    'src/a.ts:',
    '',
  ])('%s names none', text => expect(placeIn(text)).toBeNull());
});

describe('a field that is a place', () => {
  test.each([
    ['src/a.ts:10', 'src/a.ts', 10, null],
    ['`src/a.ts`', 'src/a.ts', null, null],
    ['src/a.ts:10:4', 'src/a.ts', 10, null],
    ['src/a.ts:L10-L12', 'src/a.ts', 10, 12],
    ['my notes.md:3', 'my notes.md', 3, null],
    ['../../etc/passwd:1', '../../etc/passwd', 1, null],
    ['https://x.example/a.ts:3', 'https://x.example/a.ts', 3, null],
    ['LICENSE:1', 'LICENSE', 1, null],
  ])('%s', (field, path, line, endLine) =>
    expect(placeOf(field)).toMatchObject({ path, line, endLine }),
  );

  test.each(['security', 'a b', 'No check in the parser', '', 'example.com', '3'])(
    '%s is none',
    field => expect(placeOf(field)).toBeNull(),
  );

  test('a name under review is a place whatever it looks like', () => {
    expect(placeOf('LICENSE')).toBeNull();
    expect(placeOf('LICENSE', new Set(['LICENSE']))).toMatchObject({ path: 'LICENSE', line: null });
  });
});

test('a path and a line from separate fields are put right or detached, with a note', () => {
  expect(placeFrom('src/a.ts:9', null, null)).toMatchObject({
    path: 'src/a.ts',
    line: 9,
    notes: [],
  });
  expect(placeFrom('a', 5, 2)).toMatchObject({
    line: 2,
    endLine: 5,
    notes: ['The stated range ended before it began.'],
  });
  expect(placeFrom('a', 'L4', null)).toMatchObject({
    line: 4,
    notes: ['The line was stated as "L4".'],
  });
  expect(placeFrom('a', true, null).line).toBe(Number.MAX_SAFE_INTEGER);
});
