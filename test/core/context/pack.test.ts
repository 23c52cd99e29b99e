import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Dealer,
  dealFiles,
  type DealtFile,
  orderFiles,
  selectFiles,
  type StepCandidate,
  takeStep,
} from '../../../src/core/context/pack.ts';
import { kindsOf } from '../../../src/core/languages/path-kinds.ts';
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';
import type { Persona } from '../../../src/core/words/persona.ts';

function file(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    oldMode: '100644',
    newMode: '100644',
    oldId: 'a'.repeat(40),
    newId: 'b'.repeat(40),
    content: 'text',
    additions: 1,
    deletions: 0,
    hunks: [],
    ...changes,
  };
}

const changeOf = (...files: ChangedFile[]): Change => ({
  kind: 'change',
  source: 'range',
  base: null,
  head: null,
  title: 'x',
  files,
  warnings: [],
});

function persona(globs: string[] = []): Persona {
  return {
    name: 'go-reviewer',
    role: 'language',
    focus: 'x',
    veto: false,
    budget: 1,
    capability: 'review',
    files: globs,
    instructions: '',
  };
}

describe('choosing what a reviewer is to read', () => {
  it('takes everything that has a text, in the order of the change', () => {
    const { readable, readings } = selectFiles(changeOf(file('b'), file('a')), persona());
    expect(readable.map(({ path }) => path)).toEqual(['b', 'a']);
    expect(readings.map(({ extent }) => extent)).toEqual(['full', 'full']);
  });

  it('leaves out what is not in the domain of the persona, without calling it skipped', () => {
    const { readable, readings } = selectFiles(
      changeOf(file('a.go'), file('deep/b.go'), file('c.ts')),
      persona(['**/*.go']),
    );
    expect(readable.map(({ path }) => path)).toEqual(['a.go', 'deep/b.go']);
    expect(readings[2]).toMatchObject({ extent: 'outside' });
  });

  it.each([
    ['a binary file', { content: 'binary' }, 'partial'],
    ['a file too large to show', { content: 'too-large' }, 'skipped'],
    ['a deleted binary file', { content: 'binary', status: 'deleted' }, 'full'],
    ['a binary file that was only renamed', { content: 'binary', newId: 'a'.repeat(40) }, 'full'],
    ['a submodule', { content: 'submodule' }, 'full'],
  ] as const)('counts %s as read %s', (_what, changes, extent) => {
    expect(selectFiles(changeOf(file('x', changes)), persona()).readings[0]?.extent).toBe(extent);
  });
});

const scopeFile = (path: string, sensitive = false) => ({ path, sensitive, changedLines: [] });
const kinds = (path: string, ...changedLines: string[]) => [...kindsOf({ path, changedLines })];

describe('the order of files', () => {
  it('is sensitive, entry points, logic, utilities, tests, and by path within each', () => {
    const wanted = [
      'lib/vault.ts',
      'src/a/main.go',
      'src/routes/x.ts',
      'src/order.ts',
      'src/price.ts',
      'src/utils/text.ts',
      'src/order.test.ts',
      'test/main.ts',
    ];
    const files = wanted.map(path => scopeFile(path, path === 'lib/vault.ts'));
    expect(orderFiles(files.toReversed()).map(({ path }) => path)).toEqual(wanted);
  });

  it('loses no file and depends on no order', () => {
    const paths = fc.uniqueArray(
      fc.constantFrom(
        'a.ts',
        'main.ts',
        'utils/a.ts',
        'test/a.ts',
        'handlers/b.ts',
        'z.go',
        'b.md',
      ),
    );
    fc.assert(
      fc.property(paths, chosen => {
        const ordered = orderFiles(chosen.map(path => scopeFile(path))).map(({ path }) => path);
        expect(ordered.toSorted()).toEqual(chosen.toSorted());
        expect(
          orderFiles(chosen.toReversed().map(path => scopeFile(path))).map(({ path }) => path),
        ).toEqual(ordered);
      }),
    );
  });
});

describe('kinds of files', () => {
  it.each([
    ['README.md', ['documentation']],
    ['docs/logo.svg', ['documentation']],
    ['go.sum', ['manifest']],
    ['deep/yarn.lock', ['manifest']],
    ['package.json', ['manifest', 'configuration']],
    ['src/cli/run.ts', ['code', 'command-line']],
    ['src/index.ts', ['code', 'public-api']],
    ['cmd/main.go', ['code', 'entry-point', 'command-line']],
    ['test/index.ts', ['test', 'code']],
    ['logo.png', []],
  ])('%s: %j', (path, wanted) => {
    expect(kinds(path)).toEqual(wanted);
  });

  it('are told by changed lines as well, but not in tests', () => {
    expect(kinds('src/a.ts', 'export function sum() {')).toEqual(['code', 'public-api']);
    expect(kinds('a.py', '    parser.add_argument("--all")')).toEqual(['code', 'command-line']);
    expect(kinds('a.go', 'func (s *Server) Close() {')).toContain('public-api');
    expect(kinds('a.go', 'func close() {')).toEqual(['code']);
    expect(kinds('a.test.ts', 'export function sum() {')).toEqual(['test', 'code']);
  });
});

const letters = Array.from('abcdefgh');

function dealtFile(path: string, changes: Partial<DealtFile> = {}): DealtFile {
  return { path, tokens: 10, isSensitive: false, readings: 0, ...changes };
}

function reader(id: string, paths: string, changes: Partial<Dealer> = {}): Dealer {
  return { id, budget: 100, isSecurity: false, files: new Set(paths), ...changes };
}

function deal(files: readonly DealtFile[], readers: readonly Dealer[]): Record<string, string> {
  return Object.fromEntries(
    [...dealFiles(files, readers)].map(([id, paths]) => [id, paths.join('')]),
  );
}

describe('the deal of the files of a change', () => {
  it('gives every file once before any is given twice, in the order of the files', () => {
    expect(
      deal(
        letters.slice(0, 4).map(path => dealtFile(path)),
        [reader('one', 'abcd'), reader('two', 'abcd')],
      ),
    ).toEqual({ one: 'acbd', two: 'bdac' });
  });

  it('goes by what is left of each budget', () => {
    expect(
      deal(
        [dealtFile('a', { tokens: 60 }), dealtFile('b'), dealtFile('c')],
        [reader('one', 'abc'), reader('two', 'abc', { budget: 90 })],
      ),
    ).toEqual({ one: 'abc', two: 'bca' });
  });

  it('gives nobody what lies outside of its domain', () => {
    expect(
      deal(
        letters.slice(0, 3).map(path => dealtFile(path)),
        [reader('one', 'c'), reader('two', 'ab')],
      ),
    ).toEqual({ one: 'c', two: 'ab' });
  });

  it('gives a sensitive file to a security reviewer, while it has room', () => {
    const files = [
      dealtFile('a', { isSensitive: true, tokens: 20 }),
      dealtFile('b', { isSensitive: true, tokens: 20 }),
      dealtFile('c'),
    ];
    expect(
      deal(files, [reader('one', 'abc'), reader('two', 'abc', { isSecurity: true, budget: 30 })]),
    ).toEqual({ one: 'bca', two: 'abc' });
  });

  it('puts what nobody has read before what somebody has', () => {
    expect(deal([dealtFile('a', { readings: 1 }), dealtFile('b')], [reader('one', 'ab')])).toEqual({
      one: 'ba',
    });
  });

  it('deals each reader all that it may be asked about, each file once', () => {
    const paths = fc.subarray(letters);
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ tokens: fc.nat(100), isSensitive: fc.boolean(), readings: fc.nat(3) }),
          { minLength: 8, maxLength: 8 },
        ),
        fc.array(fc.record({ paths, budget: fc.nat(200), isSecurity: fc.boolean() }), {
          maxLength: 5,
        }),
        (changes, hands) => {
          const readers = hands.map(({ paths: own, ...rest }, index) =>
            reader(`r${index}`, own.join(''), rest),
          );
          const dealt = deal(
            letters.map((path, index) => dealtFile(path, changes[index])),
            readers,
          );
          for (const { id, files } of readers)
            expect((dealt[id] ?? '').split('').toSorted()).toEqual([...files].toSorted());
        },
      ),
    );
  });
});

function candidate(path: string, tokens: number, reduced: number | null = null): StepCandidate {
  return {
    path,
    tokens,
    bytes: tokens * 4,
    reduced: reduced === null ? null : { tokens: reduced, bytes: reduced * 4 },
  };
}

const room = { tokens: 100, left: 150, bytes: 10_000 };

describe('the next step of a review', () => {
  it('takes files in their order until the next does not fit', () => {
    const step = takeStep([candidate('a', 60), candidate('b', 40), candidate('c', 1)], room);
    expect(step.files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(step.pending.map(({ path }) => path)).toEqual(['c']);
  });

  it('gives a large file all that is left, alone', () => {
    expect(takeStep([candidate('large', 150), candidate('b', 1)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: false }],
      pending: [{ path: 'b' }],
    });
  });

  it('offers a file that is larger than what is left as its changed lines', () => {
    expect(takeStep([candidate('large', 151, 149)], room)).toMatchObject({
      files: [{ path: 'large', isReduced: true }],
      skipped: [],
    });
  });

  it('skips what fits in no way, says why, and goes on', () => {
    const step = takeStep(
      [candidate('huge', 200, 160), candidate('wide', 3_000), candidate('b', 5)],
      { ...room, bytes: 2_000 },
    );
    expect(step.skipped).toEqual([
      { path: 'huge', why: 'does not fit what is left of the budget' },
      { path: 'wide', why: 'does not fit the prompt' },
    ]);
    expect(step.files).toEqual([{ path: 'b', isReduced: false }]);
  });

  it('accounts for every file, one way or the other, and never takes more than is left', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200)), sizes => {
        const candidates = sizes.map((tokens, index) => candidate(`f${index}`, tokens));
        const { files, skipped, pending } = takeStep(candidates, room);
        expect(files.length + skipped.length + pending.length).toBe(sizes.length);
        expect(
          files.reduce((sum, { path }) => sum + (sizes[Number(path.slice(1))] ?? 0), 0),
        ).toBeLessThanOrEqual(room.left);
      }),
    );
  });
});
