import { describe, expect, it } from 'vitest';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';

const innocent: readonly (readonly [what: string, path: string, text: string])[] = [
  [
    'a regular expression',
    'src/a.ts',
    'const quote = /["\']/; const b = a / 2; // it is fine\nconst c = "x";\n',
  ],
  ['a handler that does nothing', 'src/a.ts', 'function onClose() {}\nconst noop = () => {};\n'],
  [
    'an idle function of a null object',
    'src/null-store.ts',
    'class NullStore {\n  saveOrder(order: Order) {}\n}\n',
  ],
  [
    'a constructor',
    'src/a.ts',
    'class A {\n  constructor(private readonly a: string) {}\n  validate(x: string) {\n    return x.length > 3;\n  }\n}\n',
  ],
  [
    'an interface in Java',
    'src/A.java',
    'interface Validator {\n  boolean validate(String a);\n}\n',
  ],
  [
    'a default method of an interface',
    'src/A.java',
    'interface Hook {\n  default void notifyAll(String a) {}\n}\n',
  ],
  ['a lifetime in Rust', 'src/a.rs', "fn a<'a>(x: &'a str) -> &'a str { x }\n"],
];

describe('the diff reviewer', () => {
  it.each(innocent)('is silent about %s', async (_, path, text) =>
    expect(await rulesSaid('diff', { [path]: text })).toEqual([]),
  );

  it('quotes the line it means and stays on added lines', async () => {
    const old = "it.only('a', f);\nconst a = 1;\n";
    const { findings } = await askAnalyser({
      analyser: 'diff',
      files: { 'a.test.ts': { old, new: `${old}  it.only('b', f);\n` } },
    });
    expect(findings.map(({ line, quote }) => [line, quote])).toEqual([[3, "  it.only('b', f);"]]);
  });

  it('reports a deleted test file whose subject stays, and not one that leaves with its subject', async () => {
    const tests = "it('a', () => {\n  expect(a()).toBe(1);\n});\n";
    expect(await rulesSaid('diff', { 'test/a.test.ts': { old: tests, new: null } })).toEqual([
      'diff/deleted-tests',
    ]);
    expect(
      await rulesSaid('diff', {
        'test/a.test.ts': { old: tests, new: null },
        'src/a.ts': { old: 'x\n', new: null },
      }),
    ).toEqual([]);
  });

  it('reports assertions removed in bulk, and not those that moved to another test file', async () => {
    const asserts = Array.from(
      { length: 8 },
      (_, index) => `  assert a(${index}) == ${index}\n`,
    ).join('');
    const files = {
      'tests/test_a.py': {
        old: `def test_a():\n${asserts}  assert b\n`,
        new: 'def test_a():\n  assert b\n',
      },
    };
    expect(await rulesSaid('diff', files)).toEqual(['diff/removed-assertions']);
    expect(
      await rulesSaid('diff', { ...files, 'tests/test_b.py': `def test_b():\n${asserts}` }),
    ).toEqual([]);
  });

  it('is content with the hunks of a bare patch', async () => {
    const { answer, said } = await askAnalyser({
      analyser: 'diff',
      readable: false,
      files: { 'src/a.ts': { old: 'a\n'.repeat(30), new: `${'a\n'.repeat(30)}debugger;\n` } },
    });
    expect(said).toEqual(['diff/breakpoint:31']);
    expect(answer.coverage).toEqual([{ path: 'src/a.ts', extent: 'full', why: null }]);
  });
});
