/**
 * Changes that are no plain edits of plain files: each is shown as what it is, or named with what to do about it, in the pack and
 * before a reviewer alike; nothing of them is left out silently.
 */
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson, writePanel } from '../cli/jury.ts';

const math = (sum: string): string =>
  `export function add(a, b) {\n  return ${sum};\n}\nexport function sub(a, b) {\n  return a - b;\n}\n`;

const cell = (body: string, count: number, said: string): string =>
  JSON.stringify(
    {
      cells: [
        {
          cell_type: 'code',
          execution_count: count,
          metadata: {},
          outputs: [{ name: 'stdout', output_type: 'stream', text: [`${said}\n`, `${said}\n`] }],
          source: ['def area(r):\n', `    return ${body}`],
        },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 5,
    },
    null,
    1,
  );

interface Shown {
  readonly code: number | null;
  readonly pack: string;
  readonly prompt: string;
  readonly reasons: string;
}

/** What the last commit looks like in a pack and before a reviewer, and what the review came to. */
function show(sample: SampleRepository): Shown {
  const config = writePanel(
    sample,
    [
      {
        id: 'alpha',
        script: `fs.writeFileSync(new URL('./prompt.txt', import.meta.url), prompt); console.log('None\\nVERDICT: safe');`,
      },
    ],
    'failOn: [never]\n',
  );
  const { code, record } = juryJson(sample.root, ['review', '--config', config]);
  const prompt = path.join(sample.root, '../panel/prompt.txt');
  const context = jury(sample.root, ['context']);
  expect(context.code, context.stderr).toBe(0);
  return {
    code,
    pack: context.stdout,
    prompt: existsSync(prompt) ? readFileSync(prompt, 'utf8') : '',
    reasons: record.reasons.map(({ sentence }) => sentence).join('\n'),
  };
}

function create(files: Readonly<Record<string, string | Uint8Array>>): SampleRepository {
  const sample = createSampleRepository();
  for (const [name, text] of Object.entries(files)) sample.write(name, Buffer.from(text));
  sample.commit('one');
  return sample;
}

type Edit = (sample: SampleRepository) => void;

const begun = { 'src/math.js': math('a + b'), 'nb.ipynb': cell('r * r', 1, 'BEFORE') };
const write =
  (name: string, text: string | Uint8Array): Edit =>
  sample =>
    sample.write(name, Buffer.from(text));

describe('a change that is', () => {
  it.each<[string, Edit, { code?: number; pack?: RegExp; prompt?: RegExp; reasons?: RegExp }]>([
    [
      'a rename with edits',
      sample => {
        renameSync(path.join(sample.root, 'src/math.js'), path.join(sample.root, 'src/sums.js'));
        sample.write('src/sums.js', math('b + a'));
      },
      { pack: /src\/sums\.js was src\/math\.js/, prompt: /rename from src\/math\.js/ },
    ],
    [
      'a mode alone',
      sample => chmodSync(path.join(sample.root, 'src/math.js'), 0o755),
      { pack: /src\/math\.js has mode 100755 and had 100644/, prompt: /new mode 100755/ },
    ],
    [
      'a link',
      sample => symlinkSync('/etc/passwd', path.join(sample.root, 'link')),
      {
        code: 2,
        pack: /link is not shown: a link/,
        prompt: /\+\/etc\/passwd/,
        reasons: /a link out/,
      },
    ],
    [
      'a deletion',
      sample => rmSync(path.join(sample.root, 'src/math.js')),
      { pack: /src\/math\.js is deleted/, prompt: /deleted file mode/ },
    ],
    [
      'in latin-1',
      write('old.py', Buffer.from('x = "caf\xe9"\n', 'latin1')),
      {
        code: 2,
        pack: /old\.py is not shown: not UTF-8/,
        prompt: /\+x = "caf/,
        reasons: /old\.py was read in full by no reviewer \(not UTF-8/,
      },
    ],
    [
      'in UTF-16',
      write('wide.js', Buffer.from(math('a'), 'utf16le')),
      {
        code: 2,
        pack: /wide\.js is not shown: binary/,
        prompt: /wide\.js/,
        reasons: /wide\.js was read in full by no reviewer \(binary/,
      },
    ],
    [
      'without a line end at the end, and with those of Windows',
      write('src/math.js', math('b + a').replaceAll('\n', '\r\n').trimEnd()),
      { pack: /return b \+ a/, prompt: /\\ No newline at end of file/ },
    ],
    [
      'of odd names',
      sample => {
        for (const name of ['a b.js', 'q"q.js', "s's.js", 'new\nline.js', '-dash.js', 'ümlaut.js'])
          sample.write(`src/${name}`, math('b'));
      },
      {
        pack: /src\/a b\.js[^]*src\/new⟦U\+000A⟧line\.js[^]*src\/ümlaut\.js/,
        prompt: /\+\+\+ "b\/src\/new\\nline\.js"/,
      },
    ],
    [
      'a lockfile and a source',
      sample => {
        sample.write('uv.lock', 'name = "x"\n'.repeat(200));
        sample.write('src/math.js', math('b + a'));
      },
      { pack: /uv\.lock is not shown: generated/, prompt: /uv\.lock/ },
    ],
    [
      'larger than what is read',
      write('big.js', 'export const value = compute(first);\n'.repeat(60_000)),
      {
        code: 2,
        pack: /big\.js is not shown: too large, split it/,
        prompt: /big\.js/,
        reasons: /big\.js was read in full by no reviewer \(too large to show; split it, or/,
      },
    ],
  ])('%s', (_, edit, { code = 0, pack, prompt, reasons }) => {
    const sample = create(begun);
    edit(sample);
    sample.commit('two');
    const shown = show(sample);
    expect([shown.code, shown.reasons]).toEqual([
      code,
      reasons === undefined ? '' : expect.stringMatching(reasons),
    ]);
    if (pack !== undefined) expect(shown.pack).toMatch(pack);
    if (prompt !== undefined) expect(shown.prompt).toMatch(prompt);
  });

  it('a notebook is its lines but for outputs, which nobody has read', () => {
    const sample = create(begun);
    sample.write('nb.ipynb', cell('3 * r * r', 2, 'AFTER'));
    sample.commit('two');
    const { code, pack, prompt } = show(sample);
    const line = cell('3 * r * r', 2, 'AFTER')
      .split('\n')
      .findIndex(each => each.includes('3 * r'));
    expect(code).toBe(2);
    expect(prompt).toContain(
      `     "def area(r):\\n",\n-    "    return r * r"\n+    "    return 3 * r * r"\n`,
    );
    expect(prompt).toContain('Not shown: 4 changed lines of outputs of this notebook.\n');
    expect(prompt).not.toMatch(/BEFORE|AFTER/);
    expect(pack).toContain(`## code nb.ipynb:${line}-${line + 1}`);
    expect(pack).not.toMatch(/BEFORE|AFTER/);
  });

  it('a merge is what it brings to the branch, and a root commit is all there is', () => {
    const sample = create({ 'src/math.js': math('a + b') });
    expect(show(sample)).toMatchObject({ code: 0, prompt: expect.stringContaining('math.js') });
    sample.git('checkout', '-qb', 'side');
    sample.write('src/side.js', 'export const side = 1;\n');
    sample.commit('side');
    sample.git('checkout', '-q', '-');
    sample.write('src/math.js', math('b + a'));
    sample.commit('main');
    sample.git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    const { code, pack, prompt } = show(sample);
    expect([code, prompt.includes('src/side.js'), prompt.includes('+  return b + a')]).toEqual([
      0,
      true,
      false,
    ]);
    expect(pack).toContain('## code src/side.js:1-1');
  });

  it('not all there is in a shallow clone is refused with the command that mends it', () => {
    const sample = create(begun);
    sample.write('src/math.js', math('b + a'));
    sample.commit('two');
    const clone = path.join(sample.root, '../shallow');
    sample.git('clone', '-q', '--depth', '1', `file://${sample.root}`, clone);
    for (const words of [['context'], ['plan'], ['review']]) {
      const { code, stdout, stderr } = jury(clone, words);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^jury: The parent .* is not in this clone\. .*fetch --unshallow.*\n$/,
      );
    }
  });
});
