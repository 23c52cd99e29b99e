import { describe, expect, it } from 'vitest';
import type { Files } from '../../adapters/git/sample-repository.ts';
import { createHistory, packLastCommit, sampleRequest } from './sample-context.ts';

interface Told {
  readonly notes: readonly string[];
  readonly actions: readonly string[];
}

async function risksOf(before: Files, after: Files, ...gone: string[]): Promise<Told> {
  const sample = createHistory(before, after);
  if (gone.length > 0) {
    for (const path of gone) sample.remove(path);
    sample.git('add', '-A');
    sample.git('commit', '-q', '--amend', '-m', 'after');
  }
  const { pack } = await packLastCommit(sample, { ...sampleRequest, budget: 6_000 });
  return { notes: pack.risk_notes, actions: pack.next_actions };
}

const update = (guard: string): string =>
  `const store = new Map();\n\nexport function updateDocument(document, user) {\n${guard}  store.set(document.id, user);\n  return document;\n}\n`;
const ownership = "  if (document.owner !== user.id) {\n    throw new Error('not yours');\n  }\n";
const saving =
  "import { updateDocument } from './update.js';\n\nexport const saveAll = (list, user) => list.map(one => updateDocument(one, user));\n";

describe('a guard that a change takes away', () => {
  it('is quoted with its place and the callers it stood before', async () => {
    const { notes, actions } = await risksOf(
      { 'src/update.js': update(ownership), 'src/save.js': saving },
      { 'src/update.js': update('') },
    );
    expect(notes).toEqual([
      "src/update.js:4 the condition that refuses is gone from updateDocument (was line 4): `if (document.owner !== user.id) { throw new Error('not yours');`",
    ]);
    expect(actions).toEqual(['Check the 1 caller of updateDocument: src/save.js:3']);
  });

  it.each([
    [
      'a condition of Python',
      'a.py',
      'def pay(user, sum):\n    if not user.active:\n        raise ValueError("no")\n    return sum + user.fee\n',
      'def pay(user, sum):\n    return sum + user.fee\n',
      'a.py:2 the condition that refuses is gone from pay (was line 2): `if not user.active: raise ValueError("no")`',
    ],
    [
      'an error of Go that is no longer passed on',
      'a.go',
      'package a\n\nfunc Read(name string) error {\n\tdata, err := load(name)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn use(data, err)\n}\n',
      'package a\n\nfunc Read(name string) error {\n\tdata, err := load(name)\n\treturn use(data, err)\n}\n',
      'a.go:5 the condition that refuses is gone from Read (was line 5): `if err != nil { return err`',
    ],
    [
      'a modifier of Ruby',
      'a.rb',
      'class Accounts\n  def close(account, user)\n    raise Forbidden unless user.admin?\n    account.close(user)\n  end\nend\n',
      'class Accounts\n  def close(account, user)\n    account.close(user)\n  end\nend\n',
      'a.rb:3 the condition that refuses is gone from close (was line 3): `raise Forbidden unless user.admin?`',
    ],
    [
      'a call that checks',
      'a.ts',
      'export function remove(request: Call) {\n  checkPermission(request.user);\n  drop(request.user);\n}\n',
      'export function remove(request: Call) {\n  drop(request.user);\n}\n',
      'a.ts:2 the check is gone from remove (was line 2): `checkPermission(request.user);`',
    ],
    [
      'an annotation that restricts',
      'A.java',
      'class A {\n  @PreAuthorize("admin")\n  void wipe(Store store) {\n    store.wipe();\n  }\n}\n',
      'class A {\n  void wipe(Store store) {\n    store.wipe();\n  }\n}\n',
      'A.java:2 the check is gone from wipe (was line 2): `@PreAuthorize("admin")`',
    ],
  ])('is told: %s', async (_, path, before, after, note) => {
    const { notes } = await risksOf({ [path]: before }, { [path]: after });
    expect(notes).toContain(note);
  });

  it.each([
    [
      'moved to another file',
      {
        'src/update.js': update(''),
        'src/check.js': `export function check(document, user) {\n${ownership}}\n`,
      },
    ],
    [
      'has another message',
      { 'src/update.js': update(ownership.replace('not yours', 'it belongs to another')) },
    ],
    [
      'asks in another way',
      { 'src/update.js': update("  if (user.id !== document.owner) throw new Error('mine');\n") },
    ],
    ['left with its function', { 'src/update.js': 'const store = new Map();\n' }],
  ])('is not told when it %s', async (_, after) => {
    const { notes } = await risksOf({ 'src/update.js': update(ownership) }, after);
    expect(notes.filter(note => note.includes('is gone from updateDocument'))).toEqual([]);
  });
});

describe('the risks of a change', () => {
  it('tell who still uses what is gone or called in another way', async () => {
    const { notes, actions } = await risksOf(
      {
        'src/parse.ts':
          'export function parseText(text: string): number {\n  return Number(text);\n}\n\nexport function readAll(list: string[]): number {\n  return list.length;\n}\n',
        'src/user.ts':
          "import { parseText, readAll } from './parse.ts';\n\nexport const one = () => parseText('1');\nexport const all = () => readAll(['1']);\n",
      },
      {
        'src/parse.ts':
          'export function readAll(list: string[], most: number): number {\n  return list.length + most;\n}\n',
      },
    );
    expect(notes).toEqual([
      'parseText is gone from src/parse.ts (was line 1); it was public; 1 use outside of the change remains: src/user.ts:3',
      'src/parse.ts:1 readAll takes `most: number` in addition; it is public; 1 call outside of the change remains: src/user.ts:4',
    ]);
    expect(actions).toEqual([
      'Check the 1 use of parseText: src/user.ts:3',
      'Check the 1 caller of readAll: src/user.ts:4',
    ]);
  });

  it('say nothing of types of Python and of what a caller may leave out', async () => {
    const { notes } = await risksOf(
      {
        'a.py':
          'def parse_text(text: str):\n    return text\n\n\ndef read_all(paths):\n    return paths\n',
        'b.py': 'from a import parse_text, read_all\n\nparse_text(1)\nread_all([])\n',
      },
      {
        'a.py':
          'def parse_text(text: str | bytes) -> str:\n    return text\n\n\ndef read_all(paths, most=None):\n    return paths\n',
      },
    );
    expect(notes).toEqual([]);
  });

  it('name the tests of what changes while no test does, without the lines that import', async () => {
    const test =
      "import { sumAll } from '../src/sum.ts';\n\nit('adds', () => {\n  expect(sumAll([1])).toBe(1);\n});\n";
    const [before, after] = ['0', '1'].map(
      start =>
        `export function sumAll(list: number[]): number {\n  return list.reduce((one, other) => one + other, ${start});\n}\n`,
    );
    const files = { 'src/sum.ts': before ?? '', 'test/sum.test.ts': test };
    expect(await risksOf(files, { 'src/sum.ts': after ?? '' })).toEqual({
      notes: ['src/sum.ts:1 sumAll is changed and no test is; 1 line of 1 test file uses it'],
      actions: ['Check whether the tests of sumAll would see the change: test/sum.test.ts:4'],
    });
    const both = await risksOf(files, {
      'src/sum.ts': after ?? '',
      'test/sum.test.ts': `${test}// more\n`,
    });
    expect(both.notes).toEqual([]);
  });

  it('count the assertions that a test loses, and pass over those that were written anew', async () => {
    const checks = (...lines: string[]): Files => ({
      'test/a.test.js': `it('works', () => {\n${lines.map(line => `  ${line}\n`).join('')}});\n`,
    });
    const two = ['expect(one()).toBe(1);', 'expect(other()).toBe(2);'];
    const less = await risksOf(checks(...two), checks('one();'));
    expect(less.notes).toEqual([
      'test/a.test.js:2 loses 2 assertions, first (was line 2): `expect(one()).toBe(1);`',
    ]);
    const anew = await risksOf(
      checks(...two),
      checks('expect(one()).toBe(3);', 'expect(both()).toBe(2);'),
    );
    expect(anew.notes).toEqual([]);
  });

  it('name secrets, migrations, dependencies, generated and sensitive files, the gravest first', async () => {
    const key = ['AKIA', 'Q3EGXMPLTESTKEY7'].join('');
    const manifest = (version: string): string =>
      `{\n  "version": "1.0.0",\n  "dependencies": {\n    "left": "${version}"\n  }\n}\n`;
    const { notes } = await risksOf(
      {
        'package.json': manifest('^1.0.0'),
        'package-lock.json': '{}\n',
        'src/wire.pb.go':
          '// Code generated by protoc. DO NOT EDIT.\npackage wire\n\nvar One = 1\n',
        'src/login.js': 'export const tries = 3;\n',
      },
      {
        'package.json': manifest('^2.0.0'),
        'src/login.js': `export const tries = 30;\nconst access = '${key}';\n`,
        'db/migrate/20240101120000_drop_email.rb':
          'class DropEmail < Migration\n  def change\n    remove_column :users, :email\n  end\nend\n',
      },
    );
    expect(notes.join('\n')).not.toContain(key);
    expect(notes).toEqual([
      expect.stringMatching(/^src\/login\.js:2 adds a secret$/),
      'db/migrate/20240101120000_drop_email.rb:3 takes data away: `remove_column :users, :email`',
      expect.stringMatching(
        /^src\/login\.js:1 is security-sensitive, its path segment "login\.js" contains "login": `export const tries = 30;`/,
      ),
      'package.json:4 `"left": "^1.0.0"` is now `"left": "^2.0.0"`; package-lock.json is not changed with it',
    ]);
  });

  it('tell a file written by a program that changes alone, and not with what it is made of', async () => {
    const wire = (value: number): string =>
      `// Code generated by protoc. DO NOT EDIT.\npackage wire\n\nvar One = ${value}\n`;
    const before = { 'src/wire.pb.go': wire(1), 'src/wire.proto': 'message One {}\n' };
    const alone = await risksOf(before, { 'src/wire.pb.go': wire(2) });
    expect(alone.notes[0]).toMatch(
      /^src\/wire\.pb\.go:\d is changed and nothing it is generated from is$/,
    );
    const both = await risksOf(before, {
      'src/wire.pb.go': wire(2),
      'src/wire.proto': 'message Two {}\n',
    });
    expect(both.notes.filter(note => note.includes('nothing it is'))).toEqual([]);
  });

  it('tell a large deletion with who still imports the file', async () => {
    const lines = Array.from({ length: 120 }, (_, at) => `export const value${at} = ${at};`);
    const { notes } = await risksOf(
      { 'src/table.js': `${lines.join('\n')}\n`, 'src/other.js': 'export const other = 1;\n' },
      {},
      'src/table.js',
    );
    expect(notes).toContain('src/table.js loses 120 lines of code with the file');
  });

  it('are few however much a change holds', async () => {
    const files = Array.from({ length: 30 }, (_, at) => at);
    const before = Object.fromEntries(
      files.map(at => [
        `src/auth${at}.js`,
        update(ownership).replaceAll('updateDocument', `update${at}`),
      ]),
    );
    const after = Object.fromEntries(
      files.map(at => [`src/auth${at}.js`, update('').replaceAll('updateDocument', `update${at}`)]),
    );
    const { notes, actions } = await risksOf(before, after);
    expect(notes.length).toBeLessThanOrEqual(8);
    expect(actions.length).toBeLessThanOrEqual(5);
    expect(notes[0]).toContain('the condition that refuses is gone from update0');
  });
});
