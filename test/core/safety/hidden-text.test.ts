import { describe, expect, it } from 'vitest';
import { foundIn } from './found-in.ts';

const codesIn = (text: string) => text.match(/U\+[0-9A-F]+/g) ?? [];

/** Codes of the hidden characters that are found in a line. */
function hiddenIn(path: string, line: string) {
  const first = foundIn(path, line).find(({ rule }) => rule === 'hidden-text');
  return codesIn(first?.text.split(' hide what it says: ')[1] ?? '');
}

const said = 'a\u202Bb\u202C c\u200Bd \u200F \u{E0061}';
const media = {
  code: ['U+202B', 'U+202C', 'U+200B', 'U+200F', 'U+E0061'],
  data: ['U+202B', 'U+202C', 'U+E0061'],
  prose: ['U+E0061'],
};

describe('the medium of a file', () => {
  it.each([
    ['src/a.ts', 'code'],
    ['Makefile', 'code'],
    ['.github/workflows/ci.yml', 'code'],
    ['requirements-dev.txt', 'code'],
    ['CMakeLists.txt', 'code'],
    ['src/readme.py', 'code'],
    ['data/a.json', 'data'],
    ['web/index.html', 'data'],
    ['a.mdx', 'data'],
    ['docs/a.md', 'prose'],
    ['LICENSE', 'prose'],
    ['notes.txt', 'prose'],
    ['locale/fa.po', 'prose'],
  ] as const)('%s is %s', (path, medium) => expect(hiddenIn(path, said)).toEqual(media[medium]));
});

describe('hidden characters', () => {
  it.each([
    ['an override', 'a\u202Eb', 'U+202E'],
    ['an isolate', "'\u2066b\u2069'", 'U+2066,U+2069'],
    ['a mark inside a name', 'is\u200FAdmin', 'U+200F'],
    ['nothing wide', 'user\u200Bname', 'U+200B'],
    ['a joiner between Latin letters', 'a\u200Db', 'U+200D'],
    ['a joiner behind a name, on a line with Persian', "a\u200C = 'نیم\u200Cشب'", 'U+200C'],
    ['a filler that is a letter', '{ \u3164 }', 'U+3164'],
    ['a byte order mark', 'x\uFEFF', 'U+FEFF'],
    ['a form of no character', 'x\uFE0Fy', 'U+FE0F'],
    ['a run of forms', 'x\u{E0101}\u{E0102}', 'U+E0101,U+E0102'],
    ['tags without a flag', 'x\u{E0061}', 'U+E0061'],
  ])('are found in code: %s', (_, text, codes) =>
    expect(hiddenIn('a.ts', text).join(',')).toBe(codes),
  );

  it.each([
    ['joined emoji', '👩🏽\u200D🚀 👁\uFE0F\u200D🗨\uFE0F 1\uFE0F\u20E3'],
    ['the flag of Wales', '🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}'],
    ['a form of a Chinese character', '葛\u{E0100}'],
    ['Persian', "'\u200Cنیمه\u200Cشب'"],
    ['Hindi', "'क्\u200Dष'"],
    ['Khmer', "'\u200Bពេលកណ្ដាល'"],
    ['a mark in Hebrew text', "'שלום\u200F (API)'"],
    ['a soft hyphen', "'Donau\u00ADdampf'"],
    ['plain text', 'const a = "ä";'],
  ])('are at home in code: %s', (_, text) => expect(hiddenIn('a.ts', text)).toEqual([]));
});

describe('look-alikes', () => {
  it.each([
    ['const \u0430dmin = 1', '\u0430dmin', 'U+0430'],
    ['is\u0410dmin()', 'is\u0410dmin', 'U+0410'],
    ['sc\u03BFpe', 'sc\u03BFpe', 'U+03BF'],
    ['u\u03BDar', 'u\u03BDar', 'U+03BD'],
    ["'\u0440\u0430ypal.com'", '\u0440\u0430ypal', 'U+0440,U+0430'],
  ])('are found: %s', (text, name, letters) => {
    const [first] = foundIn('a.ts', text);
    expect(first).toMatchObject({ rule: 'look-alike', text: expect.stringContaining(`"${name}"`) });
    expect(codesIn(first?.text ?? '')).toEqual(letters.split(','));
  });

  it.each([
    'Δx = ρ_max * ν',
    'dρdt',
    'μs',
    '// PDFка и URLы',
    '// из JSONа',
    'пользовательId',
    'сервер',
    'café',
    'naïve_α',
  ])('are not found in %s', text => expect(foundIn('a.ts', text)).toEqual([]));
});
