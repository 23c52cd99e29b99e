import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type AnchorFile,
  createDocumentLocator,
  resolveLocation,
} from '../../../src/core/change/anchor.ts';
import { impossibleLine } from '../../../src/core/words/stated.ts';
import type { Location } from '../../../src/core/words/finding.ts';

function file(path: string, changes: Partial<AnchorFile> = {}): AnchorFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    newText: 'one\ntwo\nthree\n',
    oldText: 'one\nthree\n',
    ...changes,
  };
}

const files = [
  file('src/a.ts', {
    newText: 'import x\n\nfunction f() {\n  go();\n}\n\nfunction g() {\n  go();\n}\n',
    oldText: 'import x\nconst gone = 1;\nx();\ny();\nz();\nlast();\nmore();\n8\n9\n10\n11\n12\n',
  }),
  file('src/deep/only.ts'),
  file('src/deep/twice.ts'),
  file('lib/twice.ts'),
  file('src/new-name.ts', { oldPath: 'src/old-name.ts', status: 'renamed' }),
  file('src/removed.ts', { status: 'deleted', newText: null, oldText: 'a\nb\n' }),
  file('logo.png', { newText: null, oldText: null, status: 'added' }),
  file('Caf\u00E9.md'),
  file('a/nested.ts'),
];
const tree = { files: new Map(files.map(entry => [entry.path, entry])) };

function locate(place: Partial<Parameters<typeof resolveLocation>[0]>): Location | null {
  return resolveLocation({ path: null, line: null, endLine: null, quote: null, ...place }, tree);
}

describe('a place without a quote', () => {
  test('a finding that names no path has no place', () => expect(locate({ line: 3 })).toBeNull());

  test('a line that exists is exact and unchecked', () =>
    expect(locate({ path: 'src/a.ts', line: 3, endLine: 5 })).toEqual({
      path: 'src/a.ts',
      line: 3,
      endLine: 5,
      side: 'new',
      anchoring: 'exact',
      checked: false,
      note: null,
    }));

  test('a path alone is the file as a whole', () =>
    expect(locate({ path: 'src/a.ts' })).toMatchObject({
      line: null,
      anchoring: 'exact',
      checked: false,
    }));

  test('a range that runs out of the file ends with it', () =>
    expect(locate({ path: 'src/deep/only.ts', line: 2, endLine: 99 })).toMatchObject({
      line: 2,
      endLine: 3,
    }));

  test('a line past the end of both sides is not anchored, and the file stays known', () =>
    expect(locate({ path: 'src/a.ts', line: 13 })).toMatchObject({
      path: 'src/a.ts',
      line: null,
      anchoring: 'unanchored',
      note: expect.stringContaining('past the end') as string,
    }));

  test('a line that only the old side has is on the old side', () => {
    expect(locate({ path: 'src/a.ts', line: 12 })).toMatchObject({
      line: 12,
      side: 'old',
      anchoring: 'exact',
    });
    expect(locate({ path: 'src/removed.ts', line: 2 })).toMatchObject({
      line: 2,
      side: 'old',
      anchoring: 'exact',
    });
  });

  test('a line that cannot exist is never shown', () => {
    expect(locate({ path: 'src/a.ts', line: impossibleLine })).toMatchObject({
      line: null,
      anchoring: 'unanchored',
    });
    expect(locate({ path: 'nowhere.ts', line: impossibleLine })).toMatchObject({
      line: null,
      anchoring: 'unanchored',
    });
  });

  test('a file that is no text is named as a whole', () =>
    expect(locate({ path: 'logo.png', line: 4, quote: 'x' })).toMatchObject({
      path: 'logo.png',
      line: null,
      anchoring: 'exact',
      checked: false,
    }));
});

describe('a place with a quote', () => {
  test('the quote at the stated line is exact and checked', () =>
    expect(locate({ path: 'src/a.ts', line: 4, quote: '  go();   \r' })).toMatchObject({
      line: 4,
      anchoring: 'exact',
      checked: true,
    }));

  test('the quote at one other line moves the place there and says so', () => {
    expect(locate({ path: 'src/a.ts', line: 1, quote: 'function g() {' })).toMatchObject({
      line: 7,
      anchoring: 'moved',
      checked: true,
      note: 'Line 1 was stated; the quote stands at line 7.',
    });
    expect(
      locate({ path: 'src/a.ts', line: 900, quote: '\nfunction g() {\n  go();\n}\n\n' }),
    ).toMatchObject({ line: 7, endLine: 9, anchoring: 'moved' });
  });

  test('the quote at several lines, none of them stated, is ambiguous and lists them', () =>
    expect(locate({ path: 'src/a.ts', line: 1, quote: '  go();' })).toMatchObject({
      line: null,
      anchoring: 'ambiguous',
      note: 'The quoted text stands at 2 places: lines 4, 8.',
    }));

  test('a quote that stands nowhere is not anchored, however near it comes', () => {
    for (const quote of ['go();', '  go()', '  GO();', 'nothing like it'])
      expect(locate({ path: 'src/a.ts', line: 4, quote })).toMatchObject({
        line: null,
        anchoring: 'unanchored',
      });
  });

  test('a quote of a removed line is on the old side', () =>
    expect(locate({ path: 'src/a.ts', line: 2, quote: 'const gone = 1;' })).toMatchObject({
      line: 2,
      side: 'old',
      anchoring: 'exact',
      checked: true,
    }));

  test('a blank quote is none', () =>
    expect(locate({ path: 'src/a.ts', line: 2, quote: ' \n ' })).toMatchObject({
      line: 2,
      anchoring: 'exact',
      checked: false,
    }));
});

describe('paths', () => {
  test.each([
    ['./src/a.ts', 'src/a.ts'],
    ['a/src/a.ts', 'src/a.ts'],
    ['b/src/a.ts', 'src/a.ts'],
    ['a/nested.ts', 'a/nested.ts'],
    ['src/old-name.ts', 'src/new-name.ts'],
    ['a/src/old-name.ts', 'src/new-name.ts'],
    ['only.ts', 'src/deep/only.ts'],
    ['deep/twice.ts', 'src/deep/twice.ts'],
  ])('%s is %s', (stated, path) =>
    expect(locate({ path: stated, line: 1 })).toMatchObject({ path, line: 1, anchoring: 'exact' }),
  );

  test.each([
    ['../../etc/passwd', 'leads out'],
    ['src/../../x', 'leads out'],
    ['..\\x', 'leads out'],
    ['%2e%2e%2fsrc', 'leads out'],
    ['/etc/passwd', 'absolute'],
    ['C:\\x\\y.ts', 'absolute'],
    ['\\\\server\\share', 'absolute'],
    ['~/x', 'absolute'],
    ['https://example.com/src/a.ts', 'address'],
    ['SRC/A.ts', 'upper and lower case'],
    ['Cafe\u0301.md', 'composed'],
    ['twice.ts', 'outside'],
    ['src/*.ts', 'outside'],
    ['src/a.ts, lib/twice.ts', 'outside'],
    ['unknown.ts', 'outside'],
    ['x'.repeat(5_000), 'too long'],
    ['src', 'outside'],
    ['__proto__', 'outside'],
  ])('%s is not anchored', (stated, note) =>
    expect(locate({ path: stated, line: 1 })).toMatchObject({
      anchoring: 'unanchored',
      checked: false,
      note: expect.stringContaining(note) as string,
    }),
  );

  test('whatever is stated, an anchored path is one of the subject', () => {
    const part = fc.constantFrom(
      'src',
      'a',
      'b',
      '..',
      '.',
      'a.ts',
      'deep',
      'only.ts',
      '',
      'C:',
      'twice.ts',
      '%2e%2e',
    );
    const path = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 6 }).map(parts => parts.join('/')),
    );
    const isKnown = fc.property(
      path,
      fc.option(fc.integer({ min: 1, max: 20 })),
      fc.option(fc.string()),
      (stated, line, quote) => {
        const location = locate({ path: stated, line, quote });
        return (
          location === null || location.anchoring === 'unanchored' || tree.files.has(location.path)
        );
      },
    );
    expect(fc.check(isKnown).failed).toBe(false);
  });

  test('a quote taken from a file is found where it stands', () => {
    const content = fc.array(fc.stringMatching(/^[a-c ]{0,3}x$/), { minLength: 1, maxLength: 12 });
    const isFound = fc.property(
      content,
      fc.nat(11),
      fc.integer({ min: 1, max: 3 }),
      (lines, from, length) => {
        const start = from % lines.length;
        const quote = lines.slice(start, start + length).join('\n');
        const subject = {
          files: new Map([['f', file('f', { newText: `${lines.join('\n')}\n`, oldText: null })]]),
        };
        const location = resolveLocation(
          { path: 'f', line: start + 1, endLine: null, quote },
          subject,
        );
        return location?.line === start + 1 && location.anchoring === 'exact' && location.checked;
      },
    );
    expect(fc.check(isFound).failed).toBe(false);
  });
});

const text = '# Design\n\n## 1. Goals\n\n## 2.1 Data flow\n\nTokens live for ever.\n';
const locateInDocument = createDocumentLocator({
  files: [
    {
      path: 'design.md',
      text,
      bytes: text.length,
      sections: [
        { title: 'Design', line: 1 },
        { title: '1. Goals', line: 3 },
        { title: '2.1 Data flow', line: 5 },
      ],
    },
    {
      path: 'plan.md',
      text: '# Steps\n\n## Goals again\n',
      bytes: 24,
      sections: [
        { title: 'Steps', line: 1 },
        { title: 'Goals again', line: 3 },
      ],
    },
  ],
});
const stated = { path: null, line: null, endLine: null, quote: null, section: null };

describe('a place in a document', () => {
  it.each([
    ['Goals', 'design.md', 3],
    ['1. Goals', 'design.md', 3],
    ['§2.1 Data Flow', 'design.md', 5],
    ['data flow', 'design.md', 5],
    ['Section 2.1: Data flow', 'design.md', 5],
    ['Design § Data flow', 'design.md', 5],
    ['Steps', 'plan.md', 1],
  ])('is the heading that "%s" means', (section, path, line) =>
    expect(locateInDocument({ ...stated, section })).toMatchObject({
      path,
      line,
      anchoring: 'exact',
    }),
  );

  it('is unknown for a section nobody wrote, and for a file the document only talks about', () => {
    expect(locateInDocument({ ...stated, section: 'Rollback' })).toBeNull();
    expect(locateInDocument({ ...stated, path: 'src/auth.ts', line: 12 })).toBeNull();
    expect(locateInDocument(stated)).toBeNull();
  });

  it('is the line of a quote, and one that is wrong stays visible as such', () => {
    expect(
      locateInDocument({
        ...stated,
        path: 'design.md',
        quote: 'Tokens live for ever.',
        section: 'Goals',
      }),
    ).toMatchObject({ line: 7, checked: true });
    expect(
      locateInDocument({ ...stated, path: 'design.md', quote: 'Nobody wrote this.' }),
    ).toMatchObject({
      path: 'design.md',
      anchoring: 'unanchored',
    });
    expect(locateInDocument({ ...stated, path: 'design.md', section: 'Data flow' })).toMatchObject({
      path: 'design.md',
      line: 5,
    });
  });
});
