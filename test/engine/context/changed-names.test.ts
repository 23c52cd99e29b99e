import { describe, expect, it } from 'vitest';
import type { ChangedName } from '../../../src/core/context/changed-names.ts';
import { openSources } from '../../../src/engine/context/context-texts.ts';
import { createHistory, type Files } from '../../adapters/git/sample-repository.ts';
import { amend, withContext } from './sample-context.ts';

async function changedNames(before: Files, after: Files, ...gone: string[]) {
  const sample = createHistory(before, after);
  if (gone.length > 0) amend(sample, ...gone);
  return withContext(sample, async (context, change) => {
    const { names } = await openSources(context).before(change.files);
    return names.map(told);
  });
}

function told({ name, change, before, after, users }: ChangedName) {
  const at = users.map(({ path, line }) => `${path}:${line}`).join(' ');
  return `${change} ${name}: ${before}${after === null ? '' : ` -> ${after}`} | ${at}`;
}

const parse = 'export function parse(text: string): number {\n  return Number(text);\n}\n';
const user = "import { parse } from './parse.ts';\n\nexport const read = () => parse('1');\n";

describe('names on the old side of a change', () => {
  it('are told when they are removed, with the uses that are left', async () =>
    expect(
      await changedNames(
        { 'src/parse.ts': `export const base = 10;\n${parse}`, 'src/user.ts': user },
        { 'src/parse.ts': 'export const base = 10;\n' },
      ),
    ).toEqual(['removed parse: export function parse(text: string): number | src/user.ts:3']));

  it('are told when their file is deleted, although no import leads there any more', async () =>
    expect(
      await changedNames(
        {
          'src/parse.ts': parse,
          'src/other.ts': 'export function parse() {}\n',
          'src/user.ts': user,
          'src/stranger.ts': "import { parse } from './other.ts';\nparse();\n",
        },
        {},
        'src/parse.ts',
      ),
    ).toEqual(['removed parse: export function parse(text: string): number | src/user.ts:3']));

  it('are told with both signatures, and not when only the body has changed', async () =>
    expect(
      await changedNames(
        {
          'src/parse.ts': `${parse}\nexport const twice = (n: number) => n + n;\n`,
          'src/user.ts': user,
        },
        {
          'src/parse.ts': `${parse.replace('text: string', 'text: string, base: number')}\nexport const twice = (n: number) => n * 2;\n`,
        },
      ),
    ).toEqual([
      'signature parse: export function parse(text: string): number -> export function parse(text: ' +
        'string, base: number): number | src/user.ts:3',
    ]));

  it('are not told when they only moved and everybody followed', async () =>
    expect(
      await changedNames(
        { 'src/parse.ts': `${parse}export const base = 10;\n`, 'src/user.ts': user },
        {
          'src/parse.ts': 'export const base = 10;\n',
          'src/new.ts': parse,
          'src/user.ts': user.replace('./parse.ts', './new.ts'),
        },
      ),
    ).toEqual([]));

  it('are told when they moved and somebody still looks for them at the old place', async () =>
    expect(
      await changedNames(
        { 'src/parse.ts': `${parse}export const base = 10;\n`, 'src/user.ts': user },
        { 'src/parse.ts': 'export const base = 10;\n', 'src/new.ts': parse },
      ),
    ).toEqual(['removed parse: export function parse(text: string): number | src/user.ts:3']));

  it('are told by the name of the class for a constructor, and by their own in Python, Go and Java', async () =>
    expect(
      await changedNames(
        {
          'a.py': 'class Note:\n    def __init__(self, text):\n        self.text = text\n',
          'b.py': 'from a import Note\n\nnote = Note("x")\n',
          'c.go': 'package c\n\nfunc Open(name string) error {\n\treturn nil\n}\n',
          'd.go': 'package c\n\nfunc use() error {\n\treturn Open("x")\n}\n',
          'E.java': 'class E {\n  int sum(int a) {\n    return a;\n  }\n}\n',
          'F.java': 'class F {\n  int use(E e) {\n    return e.sum(1);\n  }\n}\n',
        },
        {
          'a.py': 'class Note:\n    def __init__(self, text, owner):\n        self.text = text\n',
          'c.go': 'package c\n\nfunc Open(name string, mode int) error {\n\treturn nil\n}\n',
          'E.java': 'class E {\n  long add(int a) {\n    return a;\n  }\n}\n',
        },
      ),
    ).toEqual([
      'removed sum: int sum(int a) | F.java:3',
      'signature Note: def __init__(self, text) -> def __init__(self, text, owner) | b.py:3',
      'signature Open: func Open(name string) error -> func Open(name string, mode int) error | d.go:4',
    ]));
});
