import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createHistory,
  createFolder,
  createSampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { amend, packLastCommit } from './sample-context.ts';

const code = { 'a.ts': 'export const one = 1;\n' };
const before = { 'a.ts': 'const none = 0;\n' };
const places = ({ pack }: Awaited<ReturnType<typeof packLastCommit>>) =>
  pack.anchors.flatMap(({ path, lines }) => (path === undefined ? [] : [`${path}:${lines}`]));

describe('a pack over bad input', () => {
  it.each([
    ['a text of 50 MB', 'a line of text\n'.repeat(3_500_000)],
    ['one line of 5 MB', 'a b '.repeat(1_310_720)],
  ])(
    'names %s among the risks, in the change and in the tree, and shows the rest',
    async (_, text) => {
      const assembled = await packLastCommit(
        createHistory({ ...before, 'old.txt': text }, { ...code, 'new.txt': `${text}more\n` }),
      );
      expect(assembled.pack.risk_notes).toEqual([
        'new.txt is not shown: too large, split it or read it by hand',
      ]);
      expect([places(assembled), assembled.side.stop_reason]).toEqual([['a.ts:1-1'], 'satisfied']);
    },
  );

  it('cuts the longest line that is read, and says so', async () => {
    const assembled = await packLastCommit(
      createHistory(before, { ...code, 'line.md': 'a b '.repeat(250_000) }),
    );
    expect(places(assembled)).toEqual(['a.ts:1-1', 'line.md:1-1']);
    expect(assembled.rendered).toContain('a b … [cut]');
    expect(assembled.rendered.length).toBeLessThan(2_000);
  });

  it('shows 20,000 equal characters as one cut line of a text, and names them as minified in code', async () => {
    const same = 'a'.repeat(20_000);
    const assembled = await packLastCommit(
      createHistory(
        { ...before, 'b.ts': 'x\n' },
        { ...code, 'b.ts': `export const b = '${same}';\n`, 'b.md': same },
      ),
    );
    expect(places(assembled)).toEqual(['a.ts:1-1', 'b.md:1-1']);
    expect(assembled.rendered).toContain(`${'a'.repeat(500)}… [cut]`);
    expect(assembled.pack.risk_notes).toEqual(['b.ts is not shown: minified, 2 changed lines']);
  });

  it('quotes a control token of a model as the text it is', async () => {
    const [marked, plain] = await Promise.all(
      ['<|endoftext|>', 'x'].map(word =>
        packLastCommit(createHistory(before, { 'a.ts': `export const mark = '${word}';\n` })),
      ),
    );
    expect(marked?.rendered).toContain("export const mark = '<|endoftext|>';");
    // It stands there twice, as a line and in its summary, and is several tokens each time.
    expect(marked?.pack.token_estimate).toBeGreaterThan((plain?.pack.token_estimate ?? 0) + 4);
  });

  it('follows no link out of the tree', async () => {
    const outside = createFolder();
    writeFileSync(join(outside, 'words.ts'), 'export const outsideWord = 1;\n');
    const sample = createHistory(before, { 'a.ts': 'export const one = outsideWord();\n' });
    symlinkSync(join(outside, 'words.ts'), join(sample.root, 'link.ts'));
    symlinkSync(outside, join(sample.root, 'folder'));
    const assembled = await packLastCommit(amend(sample));
    expect(assembled.pack.risk_notes).toEqual([
      'folder is not shown: a link',
      'link.ts is not shown: a link',
    ]);
    expect(assembled.side.unresolved.map(({ symbol }) => symbol)).toEqual(['outsideWord']);
    expect(assembled.rendered).not.toContain('outsideWord = 1');
  });

  it('names a submodule and looks into none', async () => {
    const inner = createSampleRepository();
    inner.write('inside.ts', 'export const insideWord = 1;\n');
    inner.commit('inner');
    const sample = createHistory(before, { 'a.ts': 'export const one = insideWord();\n' });
    sample.git('submodule', 'add', '-q', inner.root, 'inner');
    const assembled = await packLastCommit(amend(sample));
    expect(assembled.pack.risk_notes).toEqual(['inner is not shown: submodule']);
    expect(places(assembled)).toEqual(['.gitmodules:1-3', 'a.ts:1-1']);
    expect(assembled.side.unresolved.map(({ symbol }) => symbol)).toEqual(['insideWord']);
  });

  // Written into git itself: the disk of some machines holds only one of them.
  it('keeps files apart whose names differ in case only', async () => {
    const sample = createHistory(
      { 'use.ts': 'export const sum = 0;\n' },
      {
        'use.ts':
          "import { one } from './Part.ts';\nimport { two } from './part.ts';\n\nexport const sum = one() + two();\n",
      },
    );
    for (const [name, text] of [
      ['Part.ts', 'export function one() {\n  return 1;\n}\n'],
      ['part.ts', 'export function two() {\n  return 2;\n}\n'],
    ] as const) {
      sample.write('../blob', text);
      sample.git(
        'update-index',
        '--add',
        '--cacheinfo',
        `100644,${sample.git('hash-object', '-w', '../blob')},${name}`,
      );
    }
    sample.git('commit', '-q', '--amend', '-m', 'after');
    const assembled = await packLastCommit(sample);
    expect(places(assembled)).toEqual(['Part.ts:1-3', 'part.ts:1-3', 'use.ts:1-4']);
    expect(assembled.side).toMatchObject({ stop_reason: 'satisfied', unresolved: [] });
    expect(assembled.parts.map(({ text }) => text?.split('\n')[0])).toEqual([
      'export function one() {',
      'export function two() {',
      "import { one } from './Part.ts';",
    ]);
  });
});
