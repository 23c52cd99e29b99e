import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../../src/core/languages/file-kinds.ts';
import { orderFiles } from '../../../src/core/context/file-order.ts';

const file = (path: string, sensitive = false) => ({ path, sensitive, changedLines: [] });
const kinds = (path: string, ...changedLines: string[]) => [...kindsOf({ path, changedLines })];

describe('the order of files', () => {
  it('is sensitive, entry points, logic, utilities, tests, and by path within each', () => {
    const wanted = ['lib/vault.ts', 'src/a/main.go', 'src/routes/x.ts', 'src/order.ts', 'src/price.ts', 'src/utils/text.ts', 'src/order.test.ts', 'test/main.ts'];
    const files = wanted.map(path => file(path, path === 'lib/vault.ts'));
    expect(orderFiles(files.toReversed()).map(({ path }) => path)).toEqual(wanted);
  });

  it('loses no file and depends on no order', () => {
    const paths = fc.uniqueArray(fc.constantFrom('a.ts', 'main.ts', 'utils/a.ts', 'test/a.ts', 'handlers/b.ts', 'z.go', 'b.md'));
    fc.assert(fc.property(paths, chosen => {
      const ordered = orderFiles(chosen.map(path => file(path))).map(({ path }) => path);
      expect(ordered.toSorted()).toEqual(chosen.toSorted());
      expect(orderFiles(chosen.toReversed().map(path => file(path))).map(({ path }) => path)).toEqual(ordered);
    }));
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
