// oxlint-disable unicorn/consistent-function-scoping -- the texts of a sample are read beside what is asserted of them
/** What a pack does with its budget: pointers, lines that are gone, names that are gone, and several packs for one change. */
import { describe, expect, it } from 'vitest';
import { isLinePointer } from '../../../src/core/context/packing/line-range.ts';
import {
  assembleParts,
  packReviewContext,
} from '../../../src/engine/context/pack-review-context.ts';
import { openSources } from '../../../src/engine/context/context-texts.ts';
import { createHistory } from '../../adapters/git/sample-repository.ts';
import { lines, packLastCommit, sampleRequest, withContext } from './sample-context.ts';

const pointersOf = ({ pack }: Awaited<ReturnType<typeof packLastCommit>>) =>
  pack.anchors.filter(isLinePointer).map(({ ref, name }) => `${ref ?? ''} ${name ?? ''}`);

const store = {
  'src/store.ts':
    'export function load(id: string) {\n  return id;\n}\n\nexport function drop(id: string) {\n  return id;\n}\n',
  'src/one.ts':
    "import { drop, load } from './store.ts';\n\nexport function handle(id: string) {\n  return load(id) + drop(id);\n}\n",
  'src/two.ts':
    "import { load } from './store.ts';\n\nexport const two = load('2');\nexport const three = load('3');\n",
  'test/store.test.ts':
    "import { load } from '../src/store.ts';\n\nit('loads by its id', () => {\n  expect(load('1')).toBe('1');\n});\n",
};
const resigned = 'export function load(id: string, owner: string) {\n  return id + owner;\n}\n';

describe('a commit that deletes one function and signs another one anew', () => {
  it('tells who still uses them: callers, a test, and a note with the places', async () => {
    const assembled = await packLastCommit(createHistory(store, { 'src/store.ts': resigned }));
    const told = assembled.pack.anchors.map(({ path, lines: range }) => `${path}:${range}`);
    const shows = (path: string, line: number) =>
      assembled.pack.anchors.some(anchor => {
        const [start = 0, end = 0] = (anchor.lines ?? '').split('-').map(Number);
        return anchor.path === path && start <= line && line <= end;
      });
    expect(
      [
        shows('src/one.ts', 4),
        shows('src/two.ts', 3),
        shows('src/two.ts', 4),
        shows('test/store.test.ts', 4),
      ],
      told.join(' '),
    ).toEqual([true, true, true, true]);
    const notes = assembled.pack.risk_notes.join('\n');
    expect(notes).toMatch(/drop .*src\/one\.ts:4/);
    expect(notes).toMatch(/load .*src\/one\.ts:4.*src\/two\.ts:3/);
    expect(assembled.pack.token_estimate).toBeLessThanOrEqual(assembled.side.budget);
  });

  it('is not satisfied while such a place is not shown', async () => {
    const assembled = await packLastCommit(
      createHistory(
        {
          ...store,
          ...Object.fromEntries(
            Array.from({ length: 90 }, (_, index) => [
              `src/user${index}.ts`,
              `import { drop } from './store.ts';\n\nexport const used${index} = drop('${index}');\n`,
            ]),
          ),
        },
        { 'src/store.ts': resigned },
      ),
      { budget: 600 },
    );
    expect(assembled.side.stop_reason).not.toBe('satisfied');
    expect(assembled.pack.open_questions.join('\n')).toMatch(/drop .*\d+ of 91 places/);
  });
});

describe('lines that a change took away', () => {
  it('are told where they stood, with the callers of what lost its check', async () => {
    const guarded = (check: string) =>
      `export function read(id: string, user: string) {\n${check}  return id + user;\n}\n`;
    const assembled = await packLastCommit(
      createHistory(
        {
          'src/notes.ts': guarded("  if (id !== user)\n    throw new Error('not yours');\n"),
          'src/page.ts':
            "import { read } from './notes.ts';\n\nexport function page(id: string) {\n  return read(id, 'x');\n}\n",
        },
        { 'src/notes.ts': guarded('') },
      ),
    );
    expect(assembled.rendered).toContain(
      "2:   if (id !== user)\n2:     throw new Error('not yours');",
    );
    expect(pointersOf(assembled)).toContain('src/page.ts:4 calls read in page()');
  });

  it('are told without their secrets', async () => {
    const key = ['AKIA', 'QWERTYUIOPASDFGH'].join('');
    const { rendered } = await packLastCommit(
      createHistory(
        { 'a.py': `x = 1\naws_access_key_id = "${key}"\ny = 2\n` },
        { 'a.py': 'x = 1\ny = 2\n' },
      ),
    );
    expect([rendered.includes('aws_access_key_id'), rendered.includes(key)]).toEqual([true, false]);
  });
});

describe('the order of a pack', () => {
  it('is code, then what people read, then tests, which are called so', async () => {
    const files = (word: string) => ({
      'History.md': `# ${word}\n`,
      'lib/request.js': `exports.word = '${word}';\n`,
      'test/request.js': `it('${word}', function () {});\n`,
    });
    const { pack } = await packLastCommit(createHistory(files('before'), files('after')));
    expect(pack.anchors.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'code lib/request.js',
      'code History.md',
      'test test/request.js',
    ]);
  });
});

describe('what uses a name that changed', () => {
  it('is told of a class with whoever takes it, and of a member that is gone with calls on anything', async () => {
    const base = (limit: number) => `class Base:\n    limit = ${limit}\n`;
    const files = {
      'base.py': base(1),
      'page.py': 'from base import Base\n\n\nclass Page(Base):\n    pass\n',
      'lib/answer.js': 'exports.Answer = class Answer {\n  status() {}\n};\n',
      'examples/a.js': 'module.exports = answer => {\n  answer.status(404);\n};\n',
    };
    const after = { 'base.py': base(2), 'lib/answer.js': 'exports.Answer = class Answer {};\n' };
    const told = pointersOf(await packLastCommit(createHistory(files, after)));
    expect(told).toContain('page.py:4 uses Base in Page()');
    expect(told).toContain('examples/a.js:2 may use status in exports()');
  });

  it('is told with the lines that import a name which is gone', async () => {
    const assembled = await packLastCommit(createHistory(store, { 'src/store.ts': resigned }));
    expect(assembled.rendered).toMatch(/^src\/one\.ts:1 uses drop which is removed$/m);
  });

  it('comes before what only shares a word with something that is gone', async () => {
    const shelf = (members: string, total: string) =>
      `export class Shelf {\n${members}}\n\nexport function countShelves(all: Shelf[]) {\n  return ${total};\n}\n`;
    const users = Array.from({ length: 12 }, (_, index) => [
      `src/map${index}.ts`,
      `import { Shelf } from './shelf.ts';\n\nexport const held${index} = new Map<string, Shelf>().get('${index}');\n`,
    ]);
    const assembled = await packLastCommit(
      createHistory(
        {
          'src/shelf.ts': shelf('  get(id: string) {\n    return id;\n  }\n', 'all.length'),
          'src/till.ts':
            "import { countShelves } from './shelf.ts';\n\nexport const count = countShelves([]);\n",
          ...Object.fromEntries(users),
        },
        { 'src/shelf.ts': shelf('', 'all.length + 1') },
      ),
      { budget: 2_000 },
    );
    const told = pointersOf(assembled);
    const caller = told.findIndex(line => line.startsWith('src/till.ts:3 '));
    const word = told.findIndex(line => line.includes('uses get'));
    expect(caller, told.join('\n')).toBeGreaterThan(-1);
    expect(word === -1 || caller < word, told.join('\n')).toBe(true);
  });
});

describe('what used to change together', () => {
  it('is pointed at from the history before the change, and never from the change itself', async () => {
    const sample = createHistory({ 'a.ts': '1;\n', 'b.ts': '1;\n', 'c.ts': '1;\n' }, {});
    for (const number of [2, 3]) {
      sample.write('a.ts', `${number};\n`);
      sample.write('b.ts', `${number};\n`);
      sample.git('add', '-A');
      sample.git('commit', '-q', '-m', `both ${number}`);
    }
    sample.write('a.ts', '4;\n');
    sample.git('add', '-A');
    sample.git('commit', '-q', '-m', 'alone');
    expect(pointersOf(await packLastCommit(sample))).toEqual([
      'b.ts:1 changed with this in 2 of 2 commits',
    ]);
  });
});

describe('a change too large for one pack', () => {
  it('becomes packs that tell one another and show every changed line', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `src/part${index}.ts`);
    const text = (word: string) =>
      lines(30, number => `export const ${word}${number} = 'a text for number ${number}';`);
    const sample = createHistory(
      Object.fromEntries(names.map(name => [name, text('old')])),
      Object.fromEntries(names.map(name => [name, text('fresh')])),
    );
    const { parts, unshown } = await withContext(sample, (context, change) =>
      assembleParts({
        request: { ...sampleRequest, files: change.files },
        world: context,
        sources: openSources(context),
        keepsHunks: true,
      }),
    );
    expect([parts.length > 1, unshown]).toEqual([true, 0]);
    const whole = parts.map(({ context }) => context.rendered).join('\n');
    for (const [index, { context, pieces }] of parts.entries()) {
      expect(context.pack.token_estimate).toBeLessThanOrEqual(context.side.budget);
      expect(context.side.part).toEqual({ number: index + 1, of: parts.length });
      for (const name of names)
        if (!pieces.some(({ path }) => path === name))
          expect(context.pack.risk_notes[0]).toContain(name);
    }
    expect(whole.match(/export const fresh\d+ = 'a text/g)?.length).toBeGreaterThanOrEqual(180);
  });

  it('shows every one of a thousand changed lines of one file', async () => {
    const text = (word: string) =>
      lines(9_000, number => (number % 9 === 4 ? `${word} ${number} changed` : `line ${number}`));
    const sample = createHistory({ 'notes.txt': text('before') }, { 'notes.txt': text('after') });
    const { parts, unshown } = await withContext(sample, (context, change) =>
      assembleParts({
        request: {
          ...sampleRequest,
          sizes: [{ scope_class: 'Large', budget: 5400 }],
          files: change.files,
        },
        world: context,
        sources: openSources(context),
        keepsHunks: true,
      }),
    );
    expect(unshown).toBe(0);
    const shown = new Set(
      parts.flatMap(({ context }) => context.rendered.match(/^after \d+ changed$/gm) ?? []),
    );
    expect(shown.size).toBe(1000);
  });
});

describe('what stands around a change, in the prompt of a review', () => {
  it('is not shut out by one piece that is too large for the room, and ends with pointers', async () => {
    const wide = lines(8, number => `  part${number}: '${'very wide '.repeat(30)}';`);
    const sample = createHistory(
      {
        'src/able.ts': `export interface Alpha {\n${wide}}\n`,
        'src/last.ts': 'export function zeta(value: string) {\n  return value;\n}\n',
        'src/use.ts': 'export function use(): string {\n  return "";\n}\n',
        'test/use.test.ts':
          "import { use } from '../src/use.ts';\n\nit('is used', () => {\n  expect(use()).toBe('');\n});\n",
      },
      {
        'src/use.ts':
          "import type { Alpha } from './able.ts';\nimport { zeta } from './last.ts';\n\nexport function " +
          'use(): string {\n  return zeta(String({} as Alpha));\n}\n',
      },
    );
    const around = await withContext(sample, (context, change) =>
      packReviewContext(
        change,
        { taskId: 'run-1', goal: 'Review', capability: 'long_context', caps: {} },
        {
          ...context,
          clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: () => Promise.resolve() },
          store: {
            runId: 'run-1',
            folder: sample.root,
            copies: null,
            write: () => Promise.resolve(),
            append: () => Promise.resolve(),
            read: () => Promise.resolve(null),
            list: () => Promise.resolve([]),
          },
        },
      ),
    );
    const text = around.around(new Set(['src/use.ts']), 900) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900);
    expect(text).toContain('function zeta');
    expect(text).not.toContain('very wide');
    expect(text).toContain('test/use.test.ts:3 tests use in "is used"');
  });
});
