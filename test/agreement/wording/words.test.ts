import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areDifferentFiles,
  fileOfFinding,
  findCommon,
  overlapOfWords,
  words,
  wordsOfWording,
  hashOf,
  wordsIn,
} from '../../../src/agreement/wording/words.ts';
import { findingOf } from '../sample.ts';

const fileOf = (text: string) => fileOfFinding(findingOf('Alpha', text));
const overlap = (one: string, other: string) => overlapOfWords(words(one), words(other));

describe('words', () => {
  it('are runs of letters, digits and underscores in lower case, without the 34 stop words', () => {
    expect([...words('The user_id MUST be set, é1 (and Ünïcode)!')]).toEqual([
      'user_id',
      'set',
      'é1',
      'ünïcode',
    ]);
    expect(
      words(
        'the a an and or but in on at to for of with is are was were be been being have has had do does did will would should could may might must can',
      ).size,
    ).toBe(0);
  });
});

describe('overlap', () => {
  it.each([
    ['missing error handling in main function', 'no error handling in main function', 80, 80],
    ['Missing validation in src/foo.js', 'Missing validation', 40, 100],
    ['Missing validation in src/foo.js', 'Missing validation in src/bar.js', 80, 80],
    ['SQL injection', 'SQL injection in the user search endpoint allows arbitrary reads', 100, 25],
    ['user_id missing', 'user id missing', 50, 33],
    ['lock order is NOT kept', 'lock order kept', 75, 100],
    ['the and or', 'the and or', 0, 0],
    ['', 'x', 0, 0],
    ['a b c', 'a b d', 50, 50],
  ])('of %j and %j is %i one way and %i the other', (one, other, forward, back) =>
    expect([overlap(one, other), overlap(other, one)]).toEqual([forward, back]),
  );

  it('is 100 of a text with itself, if it has words, and never outside 0 to 100', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(overlap(one, one)).toBe(words(one).size === 0 ? 0 : 100);
        expect(overlap(one, other)).toBeGreaterThanOrEqual(0);
        expect(overlap(one, other)).toBeLessThanOrEqual(100);
      }),
    ));
});

describe('the file a text names', () => {
  it.each([
    ['Crash in ./lib/parse.js line 3', 'lib/parse.js'],
    ['Crash in lib/parse.js:3', 'lib/parse.js'],
    ['/opt/app/main.py', 'opt/app/main.py'],
    ['app.test.js and other.test.js', 'test.js'],
    ['view.tsx', ''],
    ['settings.json', ''],
    ['Dockerfile', ''],
    ['compare b.py with a.go', 'b.py'],
    ['core/my-part.rs', 'core/my-part.rs'],
    ['D:\\a\\b.ts', 'b.ts'],
    ['../over/there.md', 'over/there.md'],
    ['-.js then /--/x.js', 'x.js'],
    ['a.mdx b.javac c.java', 'c.java'],
  ])('in %j is %j', (text, file) => expect(fileOf(text)).toBe(file));

  it('is what the expression of the specification finds, whatever the text', () => {
    const pieces = fc.constantFrom(
      'a',
      '/',
      '-',
      '.',
      '_',
      '.js',
      '.md',
      ' ',
      'é',
      ':',
      '.java',
      'x',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), list => {
        const text = list.join('');
        expect(fileOf(text)).toBe(
          /\b[a-zA-Z0-9_/-]+\.(sh|py|js|ts|md|go|rs|java)\b/.exec(text)?.[0] ?? '',
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is looked for in a long text', () => expect(fileOf(`${'-a'.repeat(200_000)}.x`)).toBe(''));

  it('gives way to the place the finding was given, without a leading ./', () => {
    expect(fileOfFinding(findingOf('Alpha', 'wrong in b.js', { path: './src/a.js' }))).toBe(
      'src/a.js',
    );
    expect(fileOfFinding(findingOf('Alpha', 'wrong in b.js'))).toBe('b.js');
  });
});

describe('two files', () => {
  it.each([
    ['src/a.js', 'src/b.js', true],
    ['src/a.js', 'a.js', false],
    ['a.js', 'src/a.js', false],
    ['src/ba.js', 'a.js', true],
    ['', 'a.js', false],
    ['a.js', 'a.js', false],
  ])('%j and %j differ: %j', (one, other, different) =>
    expect(areDifferentFiles(one, other)).toBe(different),
  );
});

describe('a wording', () => {
  it('leaves places out, and keeps names with dots', () => {
    expect(wordsOfWording('in `src/a.ts:10` and (b.py), lines 3-7')).toEqual([]);
    expect(wordsOfWording('cache.get').map(({ lower }) => lower)).toEqual(['cache', 'get']);
  });

  it('knows its numbers, but not those of lines and names', () => {
    const numbers = wordsOfWording('status 404 at a.ts:12, line 7, sha256');
    expect(numbers.filter(({ isNumber }) => isNumber).map(({ lower }) => lower)).toEqual(['404']);
  });
});

describe('what two wordings have in common', () => {
  it('is told in words as the first has them, not in stems, and names of code apart', () => {
    expect(
      findCommon(
        'SQL injection through concatenated queries',
        'The query is concatenated: injection into SQL',
      ).words,
    ).toEqual(['concatenated', 'injection', 'queries', 'sql']);
    expect(findCommon('getUserName() is null', '`getUserName` may be null')).toEqual({
      names: ['getUserName'],
      words: ['null'],
    });
  });

  it('names what all reviews speak of last', () =>
    expect(findCommon('Missing check of the session', 'No check, session missing').words[0]).toBe(
      'session',
    ));
});

describe('a written word', () => {
  it.each([
    ['checks', 'check', ['check'], ['check']],
    ['Checks', 'check', ['check'], ['check']],
    ['404', '404', ['404'], ['404']],
    ['sha256', '#sha256', ['sha256'], ['sha256']],
    ['256sha', '256sha', ['256sha'], ['256sha']],
    ['userId', '#userid', ['user', 'id'], ['userid']],
    ['user_ids', '#userids', ['user', 'id'], ['user', 'id']],
    ['V2', '#v2', ['v2'], ['v2']],
    ['naïve', 'naïv', ['naïv'], ['naïv']],
    ['is_the_id', '#istheid', ['id'], ['is', 'the', 'id']],
  ])('%j has the key %j, the stems %j and the pieces %j', (run, key, stems, pieces) =>
    expect(wordsIn(run).words).toMatchObject([{ run, key, stems: stems.map(hashOf), pieces }]),
  );
});
