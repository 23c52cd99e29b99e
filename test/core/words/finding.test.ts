import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nameApart, nameFindings, sayAs } from '../../../src/core/words/finding.ts';
import { stateFinding, placeFrom, placeOf } from '../../../src/core/words/stated.ts';
import { placeIn } from '../../../src/answers/place-in-text.ts';

const ids = fc.array(
  fc.oneof(
    fc.constantFrom('A', 'A#2', '#1', '#2', '#3', '1', '2', ''),
    fc.string({ maxLength: 4 }),
  ),
  { maxLength: 30 },
);

const say = (originalId: string) =>
  sayAs(stateFinding({ originalId, label: 'LOW', severity: 'low', text: 'x', raw: 'x' }, null), {
    reviewer: 'alpha',
    location: null,
    isImprovement: false,
  });

describe('findings of one reviewer', () => {
  it('keep what was stated, but for the place, which is the one that was looked up', () => {
    const stated = stateFinding(
      { originalId: 'A-1', label: 'HIGH', severity: 'high', text: 'x', raw: 'x', quote: 'q' },
      { path: 'a.ts', line: 3, endLine: null, notes: ['corrected'] },
    );
    expect(stated).toMatchObject({
      path: 'a.ts',
      line: 3,
      quote: 'q',
      notes: ['corrected'],
      section: null,
    });
    const { path: _path, line: _line, endLine: _endLine, quote: _quote, ...kept } = stated;
    expect(sayAs(stated, { reviewer: 'alpha', location: null, isImprovement: false })).toEqual({
      ...kept,
      id: 'alpha/A-1',
      reviewer: 'alpha',
      location: null,
      isImprovement: false,
    });
  });

  it('have unique names in any number of answers, and naming them again changes nothing', () =>
    fc.assert(
      fc.property(ids, stated => {
        const once = nameApart(stated.map(originalId => ({ originalId })));
        expect(new Set(once.map(({ originalId }) => originalId)).size).toBe(stated.length);
        expect(nameApart(once)).toEqual(once);
      }),
    ));

  it('are named in linear time', () => {
    const named = nameApart(Array.from({ length: 20_000 }, () => ({ originalId: 'A' })));
    expect(named.at(-1)).toEqual({ originalId: 'A#20000' });
  });

  it('are called by their reviewer and their name', () =>
    expect(nameFindings([say('A'), say('A'), say('#1'), say('#1')]).map(({ id }) => id)).toEqual([
      'alpha/A',
      'alpha/A#2',
      'alpha/#1',
      'alpha/#2',
    ]));
});

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

  test.each(
    String.raw`at 12:30
http://localhost:8080/x
example.com:443
127.0.0.1:80
localhost:3000
a ratio of 3:2
C:\x.ts:3
key: 3
::1
src/a.ts:
`.split('\n'),
  )('%s names none', text => expect(placeIn(text)).toBeNull());
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
