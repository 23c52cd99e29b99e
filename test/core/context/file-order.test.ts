import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Dealer,
  dealFiles,
  type DealtFile,
  orderFiles,
} from '../../../src/core/context/file-order.ts';
import { kindsOf } from '../../../src/core/languages/file-kinds.ts';

const file = (path: string, sensitive = false) => ({ path, sensitive, changedLines: [] });
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
    const files = wanted.map(path => file(path, path === 'lib/vault.ts'));
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
        const ordered = orderFiles(chosen.map(path => file(path))).map(({ path }) => path);
        expect(ordered.toSorted()).toEqual(chosen.toSorted());
        expect(
          orderFiles(chosen.toReversed().map(path => file(path))).map(({ path }) => path),
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
