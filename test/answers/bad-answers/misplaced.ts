/** D: places that do not exist, or exist elsewhere. */
import type { Location } from '../../../src/core/words/finding.ts';
import type { AnchorFile } from '../../../src/core/change/anchor.ts';
import { jsonWith, type Kinds } from './samples.ts';

function file(path: string, changes: Partial<AnchorFile> = {}): AnchorFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    newText: 'one\ntwo\nthree\nfour\nfive\n',
    oldText: 'one\ntwo\n2b\n2c\n2d\n2e\n2f\n',
    ...changes,
  };
}

/** The subject that all places of the table are looked up in. */
export const subject = {
  files: new Map(
    [
      file('src/a.ts'),
      file('src/b.ts'),
      file('docs/guide.md'),
      file('src/now.ts', { oldPath: 'src/before.ts', status: 'renamed' }),
      file('old/Kept.ts', { oldPath: 'old/Was.ts', status: 'renamed' }),
      file('lib/moved.ts', { oldPath: 'lib/first.ts', status: 'renamed' }),
      file('docs/cafe\u0301.md'),
      file('link', { newText: null, oldText: null }),
      file('vendor/module', { newText: null, oldText: null }),
      file('logo.png', { newText: null, oldText: null }),
    ].map(entry => [entry.path, entry]),
  ),
};

const text = 'The key is written to the log';

function places(
  anchoring: Location['anchoring'],
  stated: readonly Readonly<Record<string, unknown>>[],
  shown?: (path: string) => string,
) {
  return stated.map(changes => {
    const path = typeof changes['file'] === 'string' ? changes['file'] : 'src/a.ts';
    const line = typeof changes['line'] === 'number' ? changes['line'] : 3;
    const end =
      typeof changes['end_line'] === 'number' && changes['end_line'] > line
        ? `-${changes['end_line']}`
        : '';
    return {
      answer: jsonWith(changes),
      expected: {
        findings: [`critical ${shown === undefined ? path : shown(path)}:${line}${end} ${text}`],
        anchoring: [anchoring],
      },
    };
  });
}

function paths(...names: readonly string[]) {
  return places(
    'unanchored',
    names.map(name => ({ file: name })),
  );
}

export const misplaced: Kinds = {
  D1: [
    ...paths('../../etc/passwd', 'src/../../secret', '..\\..\\boot.ini'),
    {
      answer: 'CRITICAL|../../etc/passwd:3|it is read',
      expected: { findings: ['critical ../../etc/passwd:3 it is read'], anchoring: ['unanchored'] },
    },
  ],
  D2: [
    ...paths('/etc/passwd', '/src/a.ts', '~/.ssh/id_rsa'),
    {
      answer: 'CRITICAL|/etc/passwd:3|it is read',
      expected: { findings: ['critical /etc/passwd:3 it is read'], anchoring: ['unanchored'] },
    },
  ],
  D3: paths('C:\\x', '\\\\server\\share\\x', '\\??\\C:\\x'),
  D4: ['a/src/a.ts', 'b/src/a.ts', './src/a.ts', 'a/docs/guide.md'].flatMap(path =>
    places('exact', [{ file: path }]),
  ),
  D5: paths('%2e%2e%2fetc%2fpasswd', '..%2fsecret', 'src%2Fa.ts'),
  D6: paths('src/unknown.ts', 'README.md', 'src/a.tsx'),
  D7: places('unanchored', [{ line: 8 }, { line: 900 }, { line: 2_000_000_000 }]),
  D8: places('exact', [{ line: 6 }, { line: 7 }, { line: 6, file: 'src/b.ts' }]),
  D9: [
    [5, 2],
    [3, 1],
    [4, 3],
  ].map(([line, end]) => ({
    answer: jsonWith({ line, end_line: end }),
    expected: {
      findings: [`critical src/a.ts:${end}-${line} ${text}`],
      anchoring: ['exact'],
      note: 'ended before it began',
    },
  })),
  D10: places('exact', [
    { file: 'src/before.ts' },
    { file: 'old/Was.ts' },
    { file: 'lib/first.ts' },
  ]),
  D11: paths('SRC/a.ts', 'src/A.ts', 'docs/GUIDE.md'),
  D12: paths('docs/caf\u00E9.md', 'docs/café.md'.normalize('NFC'), 'docs/CAFÉ.md'),
  D13: places('exact', [{ file: 'link' }, { file: 'vendor/module' }, { file: 'logo.png' }]),
  D14: paths('src/*.ts', 'src/a.ts, src/b.ts', 'src/{a,b}.ts'),
  D15: [
    ...places(
      'unanchored',
      [
        { file: 'src/a\u0000.ts' },
        { file: 'src/a\n.ts' },
        { file: 'src/\u001B[31ma.ts' },
        { file: 'src/\u202Ea.ts' },
      ],
      path =>
        path.replace(
          /[\u0000\n\u001B\u202E]/g,
          character =>
            `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
        ),
    ),
  ],
  D16: places('unanchored', [{ quote: 'nine' }, { quote: 'Three' }, { quote: 'one\nthree' }]),
  D17: paths('https://example.com/src/a.ts', 'file:///etc/passwd', 'git://x/y'),
  D18: [4_096, 5_000, 100_000].map(length => ({
    answer: jsonWith({ file: 'p'.repeat(length) }),
    expected: {
      findings: [
        `critical ${length > 4_096 ? `${'p'.repeat(4_095)}…` : 'p'.repeat(length)}:3 ${text}`,
      ],
      anchoring: ['unanchored'],
    },
  })),
  D19: places('moved', [{ quote: 'four' }, { quote: 'one\ntwo' }, { quote: '2e', line: 1 }]),
};
