import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../bench/context/code-files.mjs';
import { hunkTest, parsePatch } from '../../bench/context/commits.mjs';
import { definitionsOf } from '../../bench/context/definitions.mjs';
import { changedTogether } from '../../bench/context/history.mjs';
import { countHits } from '../../bench/context/measure-commit.mjs';
import { readPacks } from '../../bench/context/product.mjs';
import { measuresOf } from '../../bench/context/report.mjs';
import { byName, describeFile } from '../../bench/context/repository-state.mjs';
import { createShown } from '../../bench/context/shown.mjs';
import { truthOf } from '../../bench/context/truth.mjs';

const sources = {
  'src/cart.ts': [
    "import { readFile } from 'node:fs/promises';",
    "import { priceOf } from './price.js';",
    '',
    'export async function totalOf(items: readonly string[]) {',
    '  // roundUp would be wrong here',
    "  const prices = items.map(item => priceOf(item, 'roundUp'));",
    "  await readFile('list');",
    '  return prices.length;',
    '}',
  ],
  'src/price.ts': [
    '/** What one thing costs. */',
    'export function priceOf(item: string): number {',
    '  return roundUp(item.length);',
    '}',
    '',
    'function roundUp(amount: number): number {',
    '  return amount;',
    '}',
    'export class Disk {',
    '  readFile() {}',
    '}',
  ],
  'src/till.ts': [
    "import { totalOf } from './cart.js';",
    '',
    '// totalOf(nothing)',
    "totalOf(['pear']);",
  ],
  'test/cart.test.ts': ["import { totalOf } from '../src/cart.js';", "totalOf(['apple']);"],
};

const patch = [
  'diff --git a/src/cart.ts b/src/cart.ts',
  '--- a/src/cart.ts',
  '+++ b/src/cart.ts',
  '@@ -3,5 +3,6 @@ import',
  ' ',
  ' export async function totalOf(items: readonly string[]) {',
  '   // roundUp would be wrong here',
  '-  const prices = items;',
  "+  const prices = items.map(item => priceOf(item, 'roundUp'));",
  "+  await readFile('list');",
  '   return prices.length;',
  ' }',
].join('\n');

function sampleState(files: Record<string, readonly string[]> = sources) {
  const read = Object.entries(files).flatMap(([path, lines]) => {
    const language = languageOf(path);
    return language === null ? [] : [{ path, text: lines.join('\n'), language }];
  });
  const tags = definitionsOf(read, '.');
  const described = new Map(
    read.map(({ path, text, language }) => [
      path,
      describeFile({
        text,
        language,
        tags: tags.get(path) ?? [],
        isTest: path.startsWith('test/'),
      }),
    ]),
  );
  return { files: described, definitions: byName(described), packageNames: [] };
}

const change = { commit: 'c', files: parsePatch(patch) };
const sampleTruth = () => truthOf(change, sampleState(), hunkTest(change));

function showing(...places: (readonly [path: string, line: number])[]) {
  const shown = createShown();
  for (const [path, line] of places) shown.addLine(path, line);
  return shown;
}

describe('what a reviewer would want', () => {
  it('is the one definition of a name on an added line, and no name of another package', () =>
    expect(sampleTruth().definitions).toEqual([
      { name: 'priceOf', path: 'src/price.ts', line: 2 },
    ]));

  it('is every call of a changed function outside of tests, comments and the change', () =>
    expect(sampleTruth().callers).toEqual([{ name: 'totalOf', path: 'src/till.ts', line: 4 }]));

  it('is the test that names a changed function, unless the change has touched it', () => {
    expect(sampleTruth().tests).toEqual(['test/cart.test.ts']);
    const touching = `${patch}\n${patch.replaceAll('src/cart.ts', 'test/cart.test.ts')}`;
    const both = { commit: 'c', files: parsePatch(touching) };
    expect(truthOf(both, sampleState(), hunkTest(both)).tests).toEqual([]);
  });

  it('is no name that two places define', () => {
    const state = sampleState({
      ...sources,
      'src/other.ts': ['export function priceOf() {', '}'],
    });
    expect(truthOf(change, state, hunkTest(change)).definitions).toEqual([]);
  });

  it('is no member that anybody could have, on an object of which nothing is known', () => {
    const state = sampleState({
      ...sources,
      'src/world.ts': ['export class World {', '  map() {', '  }', '}'],
    });
    expect(truthOf(change, state, hunkTest(change)).definitions.map(one => one.name)).toEqual([
      'priceOf',
    ]);
  });
});

describe('what counts as shown', () => {
  const truth = {
    definitions: [{ name: 'priceOf', path: 'src/price.ts', line: 2 }],
    callers: [{ name: 'totalOf', path: 'src/till.ts', line: 4 }],
    tests: ['test/cart.test.ts'],
  };

  it('is the line of the definition: another line of the file hits the file alone', () => {
    expect(countHits(truth, { jury: showing(['src/price.ts', 6]) })).toMatchObject({
      definitions: { of: 1, jury: 0 },
      'definition files': { of: 1, jury: 1 },
    });
    expect(countHits(truth, { jury: showing(['src/price.ts', 2]) })).toMatchObject({
      definitions: { of: 1, jury: 1 },
    });
  });

  it('is nothing where the pack was refused, and what was wanted still counts', () => {
    expect(countHits(truth, { jury: createShown() })).toEqual({
      definitions: { of: 1, jury: 0 },
      'definition files': { of: 1, jury: 0 },
      callers: { of: 1, jury: 0 },
      tests: { of: 1, jury: 0 },
      together: { of: 3, jury: 0 },
    });
    const hits = countHits(truth, { jury: createShown() });
    const rows = measuresOf([
      { kind: 'commit', commit: 'refused', cap: 3000, refusal: 'cannot fit', hits },
      {
        kind: 'commit',
        commit: 'made',
        cap: 3000,
        refusal: null,
        hits: countHits(truth, { jury: showing(['src/price.ts', 2]) }),
      },
    ]);
    expect(rows[0]).toMatchObject({ measure: 'definitions', of: 2, shares: { jury: 0.5 } });
  });

  it('is not measured where a baseline could not be had', () => {
    const hits = countHits(truth, { jury: createShown(), repomix: null });
    const [row] = measuresOf([{ kind: 'commit', commit: 'c', cap: 3000, refusal: null, hits }]);
    expect(row?.shares['repomix']).toBeNull();
    expect(row?.shares['jury']).toBe(0);
  });
});

describe('the text of a pack', () => {
  const known = new Set([
    'src/cart.ts',
    'src/price.ts',
    'src/till.ts',
    'test/cart.test.ts',
    'a.md',
  ]);
  const text = [
    'Planner · Small · reasoning_high · 80 of 3000 tokens (o200k_base)',
    '# Context pack for Planner',
    'risk_notes:',
    '- totalOf is gone; src/till.ts:4 still uses it',
    'open_questions: none',
    '',
    '## code src/cart.ts:3-8 rev 0123456789ab',
    'changes totalOf',
    '```',
    'six lines, one of them about src/price.ts:9',
    '```',
    '',
    '## code src/price.ts:2-2 rev 0123456789ab (priceOf)',
    '',
    '## worth a look',
    'test/cart.test.ts:2 totalOf(',
    'src/price.ts:6, 8 roundUp',
    'a.md:1-400 a pointer to everything',
    '',
    'Left out:',
    '  src/till.ts:1-3 (distance 3, 77 tokens)',
  ].join('\n');

  it('shows its excerpts and its pointers, each by its own lines', () => {
    const { shown, packs, stated, risks } = readPacks(text, known);
    const lines = (path: string) =>
      Array.from({ length: 12 }, (_, index) => index + 1).filter(line => shown.hasLine(path, line));
    expect(packs).toBe(1);
    expect(stated).toBe(80);
    expect(lines('src/cart.ts')).toEqual([3, 4, 5, 6, 7, 8]);
    expect(lines('src/price.ts')).toEqual([2, 6, 8]);
    expect(lines('test/cart.test.ts')).toEqual([2]);
    expect(risks).toContain('totalOf is gone');
  });

  it('shows neither what was left out nor what a range without text would stretch over', () => {
    const { shown } = readPacks(text, known);
    expect(shown.hasLine('src/till.ts', 1)).toBe(false);
    expect(shown.hasLine('src/till.ts', 4)).toBe(true);
    expect(shown.hasLine('a.md', 3)).toBe(true);
    expect(shown.hasLine('a.md', 4)).toBe(false);
  });
});

describe('the baselines', () => {
  it('history: what changed together before the commit, not with it or after it', () => {
    const history = [
      { id: 'later', paths: ['a', 'late'] },
      { id: 'measured', paths: ['a', 'hidden'] },
      { id: 'one', paths: ['a', 'b', 'gone'] },
      { id: 'two', paths: ['a', 'b', 'c'] },
    ];
    const left = { before: 'measured', paths: ['a'], exists: (path: string) => path !== 'gone' };
    expect(changedTogether({ history, ...left })).toEqual(['b', 'c']);
  });
});

describe('what Universal Ctags says', () => {
  it('is needed: without it the benchmark ends at once with one sentence', () => {
    const ran = spawnSync(process.execPath, ['bench/context/main.mjs', '--repo', '.'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      encoding: 'utf8',
      env: { PATH: '/nowhere' },
    });
    expect(ran.status).toBe(2);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expect(ran.stderr).toContain('universal-ctags');
  });
});
