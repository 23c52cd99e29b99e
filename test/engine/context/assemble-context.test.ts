import { describe, expect, it } from 'vitest';
import { isLinePointer } from '../../../src/core/context/packing/line-range.ts';
import { LocalPack } from '../../../src/core/context/packing/local-pack.ts';
import { loadTokenCounter } from '../../../src/adapters/tokens/token-counter.ts';
import { candidateOf } from '../../../src/core/context/packing/fit.ts';
import { createHistory } from '../../adapters/git/sample-repository.ts';
import { amend, lines, packLastCommit } from './sample-context.ts';

const places = ({ pack }: Awaited<ReturnType<typeof packLastCommit>>) =>
  pack.anchors.map(({ path, lines: range, ref }) =>
    path === undefined ? (ref ?? '') : `${path}:${range}`,
  );

const rates =
  '/** Rates by country. */\nexport function rateOf(country: string): number {\n  return country === "de" ? 19 : 20;\n}\n';

const body = (line: string) =>
  `import { rateOf } from './rates.ts';\n\nexport function priceOf(net: number, country: string): number {\n  ${line}\n}\n`;

describe('a pack', () => {
  it('shows where a function from another file is defined: rung 2, satisfied', async () => {
    const assembled = await packLastCommit(
      createHistory(
        { 'src/rates.ts': rates, 'src/price.ts': body('return net;') },
        { 'src/price.ts': body('return net * rateOf(country);') },
      ),
    );
    expect(assembled.side).toMatchObject({
      rung_reached: 2,
      stop_reason: 'satisfied',
      unresolved: [],
      external: [],
    });
    expect(places(assembled)).toContain('src/rates.ts:2-2');
    expect(assembled.pack.micro_summaries).toContainEqual({
      ref: 'src/rates.ts:2-2',
      summary:
        'export function rateOf(country: string): number; Rates by country; 1 call-site, 0 tests',
    });
  });

  it('stops at rung 1 for a change that calls what is built in and its own helpers only', async () => {
    const assembled = await packLastCommit(
      createHistory(
        { 'a.ts': 'export {};\n' },
        {
          'a.ts':
            'const half = (value: number): number => Math.round(value / 2);\nexport const shown = ' +
            'half(3).toFixed(1);\nconsole.log(shown);\n',
        },
      ),
    );
    expect(assembled.side).toMatchObject({
      rung_reached: 1,
      stop_reason: 'satisfied',
      external: ['Math', 'console', 'log', 'round', 'toFixed'],
    });
  });

  it('asks about a name that nobody defines or imports', async () => {
    const assembled = await packLastCommit(
      createHistory(
        { 'a.ts': 'export const one = 1;\n' },
        { 'a.ts': 'export const one = conjure(1);\n' },
      ),
    );
    expect(assembled.side).toMatchObject({
      rung_reached: 6,
      stop_reason: 'exhausted',
      unresolved: [{ symbol: 'conjure', at: 'a.ts:1' }],
    });
    expect(assembled.pack.open_questions).toEqual([
      'conjure (a.ts:1): no definition and no import of it was found (line 1)',
    ]);
  });

  it('cuts a function of 61 changed lines into 60 and 1', async () => {
    const text = `export function long() {\n${lines(59, number => `  step(${number});`)}}\n`;
    const assembled = await packLastCommit(
      createHistory(
        { 'a.ts': 'const step = (value: number) => value;\n' },
        { 'a.ts': `const step = (value: number) => value;\n${text}` },
      ),
      { budget: 4000 },
    );
    expect(places(assembled).filter(place => place.startsWith('a.ts'))).toEqual([
      'a.ts:2-61',
      'a.ts:62-62',
    ]);
  });

  it('quotes 24 of 30 places, names those that are farthest away, and shows these by their signatures', async () => {
    const helpers = Object.fromEntries(
      Array.from({ length: 29 }, (_, index) => [
        `src/helper${index}.ts`,
        `export function helper${index}() {\n  return ${index};\n}\n`,
      ]),
    );
    const imports = lines(
      29,
      number => `import { helper${number - 1} } from './helper${number - 1}.ts';`,
    );
    const assembled = await packLastCommit(
      createHistory(
        { ...helpers, 'src/all.ts': `${imports}\nexport const all = [];\n` },
        {
          'src/all.ts': `${imports}\nexport const all = [${Array.from({ length: 29 }, (_, index) => `helper${index}()`).join(', ')}];\n`,
        },
      ),
      { budget: 6000 },
    );
    const pointers = assembled.pack.anchors.filter(isLinePointer);
    expect(assembled.pack.anchors.length - pointers.length).toBe(24);
    const gone = assembled.side.evicted.filter(({ distance }) => distance === 2);
    expect(new Set(pointers.map(({ path }) => path))).toEqual(
      new Set(gone.map(({ anchor }) => anchor.replace(/:.*/, ''))),
    );
    expect(assembled.rendered).toContain(
      `\n${pointers[0]?.ref ?? ''} ${pointers[0]?.name ?? ''}\n`,
    );
    expect(pointers[0]?.name).toMatch(/^export function helper\d+\(\)$/);
    expect(assembled.side.evicted.map(({ distance }) => distance)).toEqual([3, 2, 2, 2, 2, 2, 2]);
    expect(assembled.side).toMatchObject({ stop_reason: 'satisfied', unresolved: [] });
  });

  it('gives up a pointer to the knowledge base before a test of what changed', async () => {
    const before = {
      'src/sum.ts': 'export function sumAll(list: number[]) {\n  return list.length;\n}\n',
      'test/sum.test.ts':
        "import { sumAll } from '../src/sum.ts';\n\nit('adds up', () => {\n  expect(sumAll([1])).toBe(1);\n});\n",
    };
    const sample = createHistory(before, {
      'src/sum.ts':
        'export function sumAll(list: number[]) {\n  return list.length + missing();\n}\n',
    });
    const withPointer = {
      history: () => Promise.resolve([]),
      pointers: (rung: number) =>
        Promise.resolve(
          rung === 4
            ? [
                candidateOf({
                  kind: 'kb',
                  ref: 'resources://kb/style.md',
                  distance: 5,
                  rev: '0123456789ab',
                  summary: 'Style; how code must look and why it has to look exactly so',
                }),
              ]
            : [],
        ),
    };
    expect((await packLastCommit(sample)).pack.micro_summaries.at(-1)?.summary).toBe(
      '2024-01-02; before',
    );
    const roomy = await packLastCommit(sample, {}, withPointer);
    expect(roomy.pack.anchors.map(({ kind }) => kind)).toEqual(['code', 'test', 'kb']);
    const tight = await packLastCommit(
      sample,
      { budget: roomy.pack.token_estimate - 10 },
      withPointer,
    );
    expect(tight.pack.anchors.map(({ kind }) => kind)).toEqual(['code', 'test']);
    expect(tight.side.evicted).toMatchObject([{ anchor: 'resources://kb/style.md', distance: 5 }]);
  });

  it('is what its schema says, and its estimate is the count of the text the role receives', async () => {
    const assembled = await packLastCommit(
      createHistory(
        { 'a.py': 'import os\n\ndef run(path):\n    return path\n' },
        { 'a.py': 'import os\n\ndef run(path):\n    return os.path.join(path, "x")\n' },
      ),
    );
    expect(LocalPack.parse(assembled.pack)).toEqual(assembled.pack);
    const counter = await loadTokenCounter();
    expect(assembled.pack.token_estimate).toBe(counter.count(assembled.rendered));
    expect(assembled.pack.token_estimate).toBeLessThan(assembled.side.budget);
    expect(assembled.pack.bloat_checks).toEqual({
      dedup_ok: true,
      within_budget: true,
      no_large_blobs: true,
    });
    expect(assembled.side.external).toEqual(['join', 'os']);
  });

  it('shows no secret and counts those that stood in its lines', async () => {
    const key = ['AKIA', 'QWERTYUIOPASDFGH'].join('');
    const assembled = await packLastCommit(
      createHistory({ 'a.py': 'x = 1\n' }, { 'a.py': `x = 1\naws_access_key_id = "${key}"\n` }),
    );
    expect(assembled.rendered).toContain('[REDACTED]');
    expect(assembled.rendered).not.toContain(key);
    expect(assembled.side.redactions).toBe(1);
  });

  it('is not made when the scanner for secrets cannot run', async () => {
    const packing = packLastCommit(
      createHistory({ 'a.py': 'x = 1\n' }, { 'a.py': 'x = 2\n' }),
      {},
      { secrets: { scan: () => Promise.reject(new Error('gone')) } },
    );
    await expect(packing).rejects.toThrow('The scanner for secrets could not run');
  });

  it('names binaries, deletions and generated files among the risks and quotes none of them', async () => {
    const sample = createHistory(
      { 'old.txt': 'x\n', 'package-lock.json': '{}\n', 'a.txt': 'x\n' },
      { 'package-lock.json': '{"a": 1}\n', 'a.txt': 'y\n' },
    );
    sample.write('picture.png', Buffer.from([137, 80, 0, 1]));
    sample.remove('old.txt');
    amend(sample);
    const assembled = await packLastCommit(sample);
    expect(assembled.pack.risk_notes).toEqual([
      'old.txt is deleted',
      'package-lock.json is not shown: generated, 2 changed lines',
      'picture.png is not shown: binary',
    ]);
    expect(places(assembled)).toEqual(['a.txt:1-1']);
  });
});
