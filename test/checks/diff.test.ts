import { describe, expect, it } from 'vitest';
import { askAnalyser, rulesSaid } from './ask-analyser.ts';

/** Path, text of a new file, rules expected in order of severity. */
type Case = readonly [what: string, path: string, text: string, rules: readonly string[]];

const guilty: readonly Case[] = [
  ['a focused JavaScript test', 'a.test.ts', "it.only('works', () => {});\n", ['focused-test']],
  [
    'a focused table of tests',
    'a.test.ts',
    'test.only.each([1])("x", () => {});\n',
    ['focused-test'],
  ],
  ['fdescribe', 'spec/a.spec.js', "fdescribe('x', () => {});\n", ['focused-test']],
  ['a focused Ruby test', 'spec/a_spec.rb', "it 'works', focus: true do\nend\n", ['focused-test']],
  ['a skipped JavaScript test', 'a.test.ts', "describe.skip('x', () => {});\n", ['skipped-test']],
  ['xit', 'test/a.js', "  xit('x', () => {});\n", ['skipped-test']],
  [
    'a skipped pytest',
    'tests/test_a.py',
    '@pytest.mark.skip(reason="flaky")\ndef test_a():\n    assert f()\n',
    ['skipped-test'],
  ],
  [
    'a skipped Go test',
    'a_test.go',
    'func TestA(t *testing.T) {\n\tt.Skip("broken")\n}\n',
    ['skipped-test'],
  ],
  [
    'a disabled JUnit test',
    'src/test/ATest.java',
    '@Disabled("later")\nvoid a() {}\n',
    ['skipped-test'],
  ],
  ['an ignored Rust test', 'src/a.rs', '#[test]\n#[ignore]\nfn a() {}\n', ['skipped-test']],
  [
    'a skipped xUnit test',
    'A.cs',
    '[Fact(Skip = "later")]\npublic void A() { x(); }\n',
    ['skipped-test'],
  ],
  [
    'a thrown "not implemented"',
    'src/a.ts',
    "export function a() {\n  throw new Error('not implemented yet');\n}\n",
    ['not-implemented'],
  ],
  [
    'the stub an editor writes',
    'src/a.ts',
    "class A {\n  b() {\n    throw new Error('Method not implemented.');\n  }\n}\n",
    ['not-implemented'],
  ],
  [
    'a named "not implemented"',
    'src/A.java',
    'throw new UnsupportedOperationException("Not implemented");\n',
    ['not-implemented'],
  ],
  [
    'NotImplementedException',
    'src/A.cs',
    'throw new NotImplementedException();\n',
    ['not-implemented'],
  ],
  [
    'a function that raises NotImplementedError',
    'a.py',
    'def load(path):\n    raise NotImplementedError\n',
    ['not-implemented'],
  ],
  ['todo!()', 'src/a.rs', 'fn a() -> u32 { todo!() }\n', ['not-implemented']],
  ['a Go panic', 'a.go', 'func A() {\n\tpanic("not implemented")\n}\n', ['not-implemented']],
  [
    'a TODO that asks for the implementation',
    'src/a.ts',
    '// TODO: implement the retry\nexport const a = 1;\n',
    ['placeholder-comment'],
  ],
  [
    'elided code',
    'src/a.py',
    'def a():\n    # ... rest of the code\n    return 1\n',
    ['elided-code'],
  ],
  ['FIXME', 'src/a.go', '// FIXME races with close\nvar a = 1\n', ['fixme']],
  ['debugger', 'src/a.ts', 'debugger;\n', ['breakpoint']],
  ['pdb', 'a.py', 'import pdb; pdb.set_trace()\n', ['breakpoint']],
  ['pry', 'app/a.rb', '  binding.pry\n', ['breakpoint']],
  ['console.log', 'src/lib/a.ts', "console.log('x', x);\n", ['debug-output']],
  [
    'a marked print',
    'app/a.py',
    'print("DEBUG", x)\nprint(f"{x=}")\n',
    ['debug-output', 'debug-output'],
  ],
  ['dbg!', 'src/a.rs', '    dbg!(x);\n', ['debug-output']],
  ['a marked Println', 'pkg/a.go', '\tfmt.Println("DEBUG", x)\n', ['debug-output']],
  ['var_dump', 'src/a.php', '<?php var_dump($x);\n', ['debug-output']],
  [
    'conflict markers',
    'src/a.unknown',
    '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n',
    ['conflict-marker', 'conflict-marker'],
  ],
];

const innocent: readonly (readonly [what: string, path: string, text: string])[] = [
  [
    'the word only elsewhere',
    'src/a.ts',
    'query.only("x"); const fit = fit2("a"); model.fit("x");\n',
  ],
  [
    'a conditional skip',
    'a_test.go',
    'func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("short")\n\t}\n}\n',
  ],
  [
    'a conditional pytest skip',
    'tests/test_a.py',
    '@pytest.mark.skipif(sys.platform == "win32", reason="posix")\ndef test_a(): assert f()\n',
  ],
  [
    'a conditional Playwright skip',
    'e2e/a.spec.ts',
    "test.skip(browserName === 'webkit', 'not there');\n",
  ],
  ['focus inside a string', 'src/a.ts', 'const help = "use it.only(\'x\') to focus";\n'],
  [
    'debugging in a comment',
    'src/a.ts',
    '// debugger; console.log(x)\n/* console.log(y) */\nconst a = `\n  debugger;\n`;\n',
  ],
  ['console.log in a command', 'src/cli/run.ts', "console.log('done');\n"],
  ['console.log in a script', 'scripts/build.mjs', "console.log('done');\n"],
  ['console.error', 'src/a.ts', "console.error('failed', error);\n"],
  [
    'an abstract method',
    'a.py',
    'class Base:\n    def load(self):\n        raise NotImplementedError\n',
  ],
  [
    'an unsupported case',
    'a.py',
    'def load(kind):\n    if kind == 1:\n        return 1\n    else:\n        raise NotImplementedError(kind)\n',
  ],
  ['an ordinary TODO', 'src/a.ts', '// TODO(anna): make it faster\nconst a = 1;\n'],
  [
    'an abstract method in JavaScript',
    'src/a.ts',
    "class Mark {\n  toMarkdown() {\n    throw new Error('toMarkdown not implemented');\n  }\n}\n",
  ],
  [
    'a message about a feature',
    'src/a.ts',
    "if (status === 501) log('server says: not implemented');\n",
  ],
  ['documentation', 'docs/a.md', '```\n<<<<<<< HEAD\nconsole.log(1)\nTODO: implement\n```\n'],
  ['a heading of reST', 'README.rst', 'Title\n=======\n'],
  [
    'a regular expression',
    'src/a.ts',
    'const quote = /["\']/; const b = a / 2; // it is fine\nconst c = "x";\n',
  ],
  ['an ordinary print', 'app/a.py', 'print("Hello", name)\n'],
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
  it.each(guilty)('reports %s', async (_, path, text, rules) =>
    expect(await rulesSaid('diff', { [path]: text })).toEqual(rules.map(rule => `diff/${rule}`)),
  );

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
