import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { languageOf, namesIn } from '../../bench/context/code-files.mjs';
import { hunkTest, parsePatch } from '../../bench/context/commits.mjs';
import { definitionsOf, readTags } from '../../bench/context/definitions.mjs';
import { changedTogether } from '../../bench/context/history.mjs';
import { maskCode } from '../../bench/context/mask-code.mjs';
import { countHits } from '../../bench/context/measure-commit.mjs';
import { searchNames } from '../../bench/context/name-search.mjs';
import { isSomethingElse } from '../../bench/context/outside-names.mjs';
import { plotMeasures } from '../../bench/context/plot.mjs';
import { readPacks } from '../../bench/context/product.mjs';
import { buildGraph, drawMap, rankDefinitions } from '../../bench/context/reference-map.mjs';
import { measuresOf } from '../../bench/context/report.mjs';
import { byName, describeFile } from '../../bench/context/repository-state.mjs';
import { createShown } from '../../bench/context/shown.mjs';
import { truthOf } from '../../bench/context/truth.mjs';
import { filesByNearness, packWholeFiles } from '../../bench/context/whole-files.mjs';

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
  it('is the one definition of a name on an added line, and no name of another package', () => {
    expect(sampleTruth().definitions).toEqual([{ name: 'priceOf', path: 'src/price.ts', line: 2 }]);
  });

  it('is every call of a changed function outside of tests, comments and the change', () => {
    expect(sampleTruth().callers).toEqual([{ name: 'totalOf', path: 'src/till.ts', line: 4 }]);
  });

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

const truthIn = (files: Record<string, readonly string[]>) =>
  truthOf(change, sampleState({ ...sources, ...files }), hunkTest(change));

describe('what is no use of a changed function, though it has its name', () => {
  it('is what a file imports from another package', () => {
    const files = {
      'src/other.ts': ["import { totalOf } from 'sums';", 'totalOf([]);'],
      'test/other.test.ts': ["import { totalOf } from 'sums';", 'totalOf([]);'],
    };
    expect([truthIn(files).callers, truthIn(files).tests]).toEqual([
      [{ name: 'totalOf', path: 'src/till.ts', line: 4 }],
      ['test/cart.test.ts'],
    ]);
  });

  it('is a bare name where a method needs its receiver', () => {
    const place = { name: 'open', path: 'a.py', line: 1, needsReceiver: true };
    const state = sampleState({ 'b.py': ['with open(name) as file:', 'shop.open(name)'] });
    const isElse = (code: string) => isSomethingElse(place, { path: 'b.py', code }, state);
    expect([isElse('with open(name) as file:'), isElse('shop.open(name)')]).toEqual([true, false]);
  });

  it('is another method of Ruby, whose name ends with a sign', () => {
    const names = [...namesIn('post! if post?(a) && post != b', { name: 'Ruby' })];
    expect(names.map(([word]) => word)).toEqual(['post!', 'if', 'post?', 'a', 'post', 'b']);
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

  it('is counted together where a commit has several', () => {
    const two = readPacks(`${text}\n\n${text}`, known);
    expect(two.packs).toBe(2);
    expect(two.tokens).toBe(2 * readPacks(text, known).tokens);
  });
});

describe('comments and strings', () => {
  it.each([
    ['a.ts', "call('name'); // name\n/* name\nname */ x(/[/]name/);", 'call(      );'],
    ['a.py', 'x = """name\nname"""  # name\ny = "name"', 'x = '],
    ['a.go', 'x := `name\nname` // name\ny := "na\\"me"', 'x := '],
    [
      'a.rs',
      "fn name<'a>(x: &'a str) -> char { 'n' } // name",
      "fn name<'a>(x: &'a str) -> char {",
    ],
  ])('are blanked out of %s, lines and columns stay', (path, text, start) => {
    const language = languageOf(path);
    const masked = language === null ? '' : maskCode(text, language);
    expect(masked.length).toBe(text.length);
    expect(masked.split('\n').length).toBe(text.split('\n').length);
    expect(masked.startsWith(start)).toBe(true);
    expect(masked.replace('fn name', '')).not.toContain('name');
  });
});

describe('the baselines', () => {
  const state = sampleState();
  const tokens = 200;

  it('map: what the changed files use comes first, names of the change before others', () => {
    const graph = buildGraph(state);
    const rank = (...words: string[]) =>
      rankDefinitions(graph, { changed: ['src/cart.ts'], words: new Set(words) });
    const scoreOf = (word: string, ranked: ReturnType<typeof rank>) =>
      ranked.find(({ path, word: other }) => path === 'src/price.ts' && other === word)?.score ?? 0;
    expect(rank()[0]?.path).toBe('src/price.ts');
    expect(scoreOf('readFile', rank())).toBeGreaterThan(scoreOf('priceOf', rank()));
    expect(scoreOf('priceOf', rank('priceOf'))).toBeGreaterThan(3 * scoreOf('priceOf', rank()));
    const files = state.files;
    expect(drawMap({ ranked: rank(), files, tokens }).hasLine('src/price.ts', 2)).toBe(true);
    expect(drawMap({ ranked: rank(), files, tokens: 5 }).paths()).toEqual([]);
  });

  it('whole files: the changed ones first, cut where the tokens end', () => {
    const order = filesByNearness(['src/price.ts'], state.files);
    expect(order[0]).toBe('src/price.ts');
    const shown = packWholeFiles({ order, files: state.files, tokens: 30 });
    expect(shown.hasLine('src/price.ts', 1)).toBe(true);
    expect(shown.hasLine('src/price.ts', 7)).toBe(false);
  });

  it('text search: every call by path, comments included, as a search finds them', () => {
    const shown = searchNames({ words: ['totalOf'], files: state.files, tokens, isCall: true });
    expect(shown.hasLine('src/till.ts', 3)).toBe(true);
    expect(shown.hasLine('src/till.ts', 4)).toBe(true);
    expect(shown.hasLine('src/till.ts', 1)).toBe(false);
  });

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

function tag(language: string, kind: string, more: object = {}): string {
  const printed = { name: 'it', path: 'a', language, line: 3, kind, ...more };
  return `{"_type": "tag", ${JSON.stringify(printed).slice(1)}`;
}

describe('what Universal Ctags says', () => {
  it.each([
    ['Python', 'member', { scope: 'Cart', end: 9 }, 'callable'],
    ['Python', 'variable', { scope: 'Cart', scopeKind: 'class' }, 'field'],
    ['Python', 'unknown', {}, undefined],
    ['Go', 'func', {}, 'callable'],
    ['Go', 'member', { scope: 'Cart' }, 'field'],
    ['Rust', 'implementation', {}, undefined],
    ['Rust', 'method', { scope: 'Cart' }, 'callable'],
    ['Ruby', 'module', {}, 'type'],
    ['PHP', 'alias', {}, undefined],
    ['Java', 'package', {}, undefined],
    ['C', 'macro', {}, 'value'],
    ['C#', 'interface', {}, 'type'],
  ])('of a %s %s %j is %s', (language, kind, more, expected) => {
    expect(readTags(tag(language, kind, more))[0]?.[1]).toEqual(
      expected === undefined
        ? undefined
        : expect.objectContaining({ name: 'it', kind: expected, line: 3 }),
    );
  });

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

it('a plot has a bar for each method that was measured', () => {
  const rows = [
    { measure: 'callers', cap: 3000, of: 4, shares: { jury: 0.5, files: 0.25, repomix: null } },
  ];
  const svg = plotMeasures(rows, { jury: 'Jury', files: 'whole files', repomix: 'Repomix' });
  expect(svg.match(/<title>/g)).toHaveLength(2);
  expect(svg).toContain('Jury: 50 % of 4');
});
