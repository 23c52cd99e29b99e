/** Context intelligence: the rows of the original that no other test of a promise holds. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { jury, type Ended } from '../../cli/jury.ts';
import { connect } from '../../mcp/connect.ts';
import { runsOf, stateOf } from '../../state-of.ts';

const first: Files = { 'README.md': '1\n' };

interface Pack {
  readonly scope_class: string;
  readonly anchors: readonly {
    readonly kind: string;
    readonly path?: string;
    readonly lines?: string;
    readonly rev?: string;
    readonly ref?: string;
  }[];
  readonly micro_summaries: readonly { readonly ref: string; readonly summary: string }[];
  readonly risk_notes: readonly string[];
  readonly open_questions: readonly string[];
  readonly next_actions: readonly string[];
}

const environment = { JURY_RUN_ID: 'run-1' };
const call = ({ root }: SampleRepository, ...words: readonly string[]): Ended =>
  jury(root, words, { environment });
/** The pack as a role gets it. */
const textOf = (sample: SampleRepository, ...words: readonly string[]): string =>
  call(sample, 'context', ...words).stdout;
const fileOf = ({ root }: SampleRepository, name: string): string =>
  path.join(runsOf(root), 'run-1/context', name);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const packIn = (sample: SampleRepository, role = 'Reviewer'): Pack =>
  read(fileOf(sample, `${role}.lcp.json`)) as Pack;
const sideIn = (sample: SampleRepository, role = 'Reviewer'): unknown =>
  read(fileOf(sample, `${role}.meta.json`));
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('');

/** By a recorded reviewer that finds nothing. */
function review(sample: SampleRepository): Ended {
  sample.write('../none.txt', 'None\nVERDICT: safe');
  sample.write(
    '../jury.config.yaml',
    'reviewers: [{ id: a, runner: replay, answers: ./none.txt }]\n',
  );
  return jury(sample.root, ['review']);
}

/** A function of 61 lines. */
const longBody = (word: string): string =>
  `export function f() {\n${lines(59, at => `  ${word}${at}();`)}}\n`;
const farUse = (value: string): string =>
  `export function f(given) {\n  const kept = ${value};\n${lines(80, at => `  step${at}();`)}  later(kept);\n}\n`;
const matching = (text: RegExp | string): unknown => expect.stringMatching(text);

const rates =
  '/** Rates by country. */\nexport function rateOf(country: string): number {\n  return 19;\n}\n';
const price = (parameters: string, rate: string): string =>
  `import { rateOf } from './rates.ts';\n\n/** The price with tax. */\nexport function priceOf(${parameters}): number {\n  const rate = ${rate};\n  return net * rate;\n}\n`;
const shop: Files = {
  'src/rates.ts': rates,
  'src/price.ts': price('net: number', '2'),
  'src/cart.ts':
    "import { priceOf } from './price.ts';\n\nexport const total = (nets: number[]): number[] => nets.map(net => priceOf(net));\n",
  'src/other.ts': 'export const other = 1;\n',
  'test/price.test.ts':
    "import { priceOf } from '../src/price.ts';\n\nit('has a price', () => {\n  expect(priceOf(1)).toBe(2);\n});\n",
};

describe('a function whose signature changes', () => {
  const roles = {
    Planner: 1500,
    Thinker: 1000,
    Implementer: 1166,
    Verifier: 833,
    Reviewer: 833,
    Critical: 666,
    Supervisor: 666,
  };
  let sample: SampleRepository;
  let text: string;

  beforeAll(() => {
    sample = createHistory(shop, {
      'src/price.ts': price('net: number', '3'),
      'src/other.ts': 'export const other = 2;\n',
    });
    sample.write('src/price.ts', price('net: number, country: string', 'rateOf(country)'));
    sample.commit('rates by country');
    for (const role of Object.keys(roles)) text = textOf(sample, '--agent', role, '--task', 't');
  }, 60_000);

  it('d1 d2 gives a pack and a budget to each of seven roles, at an address that agents can read', async () => {
    for (const [role, budget] of Object.entries(roles)) {
      const uri = `resources://runs/run-1/context/${role}.lcp.json`;
      expect(packIn(sample, role)).toMatchObject({
        agent: role,
        task_id: 't',
        scope_class: 'Tiny',
        bloat_checks: { dedup_ok: true, within_budget: true, no_large_blobs: true },
      });
      expect(sideIn(sample, role)).toMatchObject({ pack_uri: uri, budget });
    }
    const client = await connect('2.x as of 2026', { cwd: sample.root });
    expect(await client.read('resources://runs/run-1/context/Supervisor.lcp.json')).toContain(
      '"agent": "Supervisor"',
    );
    await client.close();
  });

  it('d3 tells later roles where the packs of earlier ones are', () => {
    expect(read(path.join(stateOf(sample.root), 'run-memory/t.json'))).toMatchObject({
      't/planner/context_pack_uri': { uri: 'resources://runs/run-1/context/Planner.lcp.json' },
    });
    const refs = packIn(sample, 'Supervisor').anchors.map(({ ref }) => ref);
    expect(refs).toContain('resources://runs/run-1/context/Planner.lcp.json');
  });

  it('d4 d5 d6 d14 shows the changed lines in their function, the definition, the caller and the test of what changed, and what changed with it', () => {
    for (const part of [
      'export function priceOf(net: number, country: string): number {',
      'const rate = rateOf(country);',
      'export function rateOf(country: string): number {',
      'src/other.ts',
    ])
      expect(text).toContain(part);
    expect(packIn(sample).anchors).toMatchObject(
      expect.arrayContaining(
        [
          { kind: 'code', path: 'src/cart.ts' },
          { kind: 'test', path: 'test/price.test.ts' },
        ].map(anchor => expect.objectContaining(anchor) as object),
      ),
    );
  });

  it('d15 d16 says what is declared, what is at risk, and what to do about it', () => {
    const { micro_summaries: said, risk_notes: risks, next_actions: actions } = packIn(sample);
    expect(said.map(({ summary }) => summary).join('\n')).toMatch(
      /priceOf\(net: number, country: string\): number; The price with tax[^]*has a price/,
    );
    for (const notes of [risks, actions])
      expect(notes.join('\n')).toMatch(/priceOf.*src\/cart\.ts:3/);
  });

  it('d13 passes its check, and not without the hash of its lines', () => {
    const uri = 'resources://runs/run-1/context/Reviewer.lcp.json';
    expect(call(sample, 'context', 'check', uri).code).toBe(0);
    const pack = packIn(sample);
    const keys =
      'agent task_id goal acceptance_criteria constraints scope_class model_capability anchors micro_summaries risk_notes open_questions next_actions token_estimate bloat_checks';
    expect(Object.keys(pack).toSorted()).toEqual(keys.split(' ').toSorted());
    writeFileSync(
      path.join(sample.root, 'pack.json'),
      JSON.stringify({
        ...pack,
        anchors: pack.anchors.map(anchor => ({ ...anchor, rev: undefined })),
      }),
    );
    expect(call(sample, 'context', 'check', 'pack.json').code).toBe(1);
  });

  it.each([
    ['fast_code', 1200],
    ['reasoning_ultra', 1800],
    ['long_context', 2100],
    ['cheap_batch', 1050],
  ])('d2 d32 gives a planner of %s %i tokens', (capability, budget) => {
    jury(sample.root, ['context', '--agent', 'Planner', '--capability', capability], {
      environment: { JURY_RUN_ID: capability },
    });
    expect(
      read(path.join(runsOf(sample.root), capability, 'context/Planner.meta.json')),
    ).toMatchObject({ budget });
  });

  // "Three packs, for before, during and after a change" will mend it.
  it.fails('d1 gives a planner other things than a supervisor', () => {
    const [planner, supervisor] = ['Planner', 'Supervisor'].map(role =>
      packIn(sample, role).anchors.filter(({ kind }) => kind !== 'artifact'),
    );
    expect(planner).not.toEqual(supervisor);
  });

  // "New lines are marked" will mend it.
  it.fails('d4 marks which lines are new', () => {
    const [added, kept] = [/^(.*)const rate =/m, /^(.*)return net/m].map(
      line => line.exec(text)?.[1],
    );
    expect(added).not.toBe(kept);
  });
});

it.each<[string, number, Files]>([
  ['Tiny', 833, { 'src/m/a.txt': lines(40, String), 'src/m/b.txt': lines(40, String) }],
  ['Small', 1600, { 'src/m/a.txt': lines(40, String), 'src/m/b.txt': lines(41, String) }],
  [
    'Medium',
    2880,
    Object.fromEntries(
      ['m', 'm', 'n', 'n'].map((module, at) => [`src/${module}/${at}.txt`, '1\n']),
    ),
  ],
  [
    'Medium',
    2880,
    Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`src/m/${at}.txt`, '1\n'])),
  ],
  [
    'Large',
    5400,
    Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`src/m${at}/a.txt`, '1\n'])),
  ],
  [
    'Large',
    5400,
    Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`src/m/${at}.txt`, '1\n'])),
  ],
])('d12 a change is %s, with %i tokens for its reviewer (%#)', (scope, budget, files) => {
  const sample = createHistory({ 'README.md': '1\n' }, files);
  textOf(sample);
  expect([packIn(sample).scope_class, sideIn(sample)]).toEqual([
    scope,
    expect.objectContaining({ budget }),
  ]);
});

it('d5 finds definitions in TypeScript, Python and Go', () => {
  const definitions = [
    'export function rateOf(country: string): number {',
    'def rate_of(country):',
    'func RateOf(country string) int {',
  ];
  const sample = createHistory(
    {
      'src/rates.ts': `${definitions[0]}\n  return 19;\n}\n`,
      'src/rates.py': `${definitions[1]}\n    return 19\n`,
      'src/rates.go': `package src\n\n${definitions[2]}\n\treturn 19\n}\n`,
    },
    {
      'src/p.ts': "import { rateOf } from './rates.ts';\n\nexport const p = rateOf('de');\n",
      'src/p.py': 'from rates import rate_of\n\np = rate_of("de")\n',
      'src/p.go': 'package src\n\nvar P = RateOf("de")\n',
    },
  );
  const text = textOf(sample);
  for (const definition of definitions) expect(text).toContain(definition);
  expect(sideIn(sample)).toMatchObject({ rung_reached: 2, stop_reason: 'satisfied' });
});

it('d7 d8 d9 d10 d17 d22 climbs for a name that is nowhere, in the order of kinds, and asks about it', () => {
  const sample = createHistory(
    {
      'resources/kb/style.md': '# Style\n\nWhole words only.\n',
      'stubs/gateway.ts': 'export interface Gateway {\n  pay(amount: number): void;\n}\n',
    },
    { 'src/q.ts': 'export const x = nowhere(1);\n' },
  );
  review(sample);
  textOf(sample, '--agent', 'Planner');
  expect(sideIn(sample, 'Planner')).toMatchObject({
    rung_reached: 6,
    stop_reason: 'exhausted',
    unresolved: [{ symbol: 'nowhere' }],
  });
  const { anchors, open_questions: questions } = packIn(sample, 'Planner');
  expect(questions.join()).toContain('nowhere');
  expect(anchors).toMatchObject([
    { kind: 'code', path: 'src/q.ts' },
    { kind: 'code', path: 'stubs/gateway.ts' },
    { kind: 'kb', ref: 'resources://kb/style.md' },
    { kind: 'decision', ref: expect.stringMatching(/journal\.md$/) as string },
  ]);
});

it('d10 stops at once where a change calls only what stands in it', () => {
  const sample = createHistory(
    { 'a.js': '1;\n' },
    { 'a.js': 'const twice = n => Math.max(n, 2);\nexport const four = twice(2);\n' },
  );
  textOf(sample);
  expect(sideIn(sample)).toMatchObject({
    rung_reached: 1,
    stop_reason: 'satisfied',
    unresolved: [],
  });
});

it('d22 cuts a function of 61 changed lines in two', () => {
  const sample = createHistory({ 'a.js': longBody('one') }, { 'a.js': longBody('two') });
  textOf(sample, '--agent', 'Planner');
  expect(
    packIn(sample, 'Planner')
      .anchors.slice(0, 2)
      .map(({ lines: range }) => range),
  ).toEqual(['1-60', '61-61']);
});

describe('verify', () => {
  it.each([
    [8, true, 0.8],
    [7, false, 0.7],
  ])('d25 of ten changed lines %i are covered', (covered, ok, ratio) => {
    const sample = createHistory({ 'a.js': '1;\n' }, { 'a.js': lines(10, at => `step${at}();`) });
    sample.write(
      'lcov.info',
      `SF:a.js\n${lines(10, at => `DA:${at},${at <= covered ? 1 : 0}`)}end_of_record\n`,
    );
    expect(
      JSON.parse(call(sample, 'verify', '--coverage', 'lcov.info', '--json').stdout),
    ).toMatchObject({ changed_lines: { total: 10, executable: 10, covered, ratio, min: 0.8, ok } });
  });

  const planted: Files = {
    'src/a.js':
      'export const a = 1; // TODO\nexport function b() {\n  throw new Error("not implemented");\n}\n',
    'src/a.py': 'def c():\n    pass\n',
    'test/a.test.js':
      "it.skip('a', () => {\n  expect(a).toBe(1);\n});\nit('b', () => {\n  a();\n});\nit('c', () => {\n  expect(1).toBe(1);\n});\n",
    'test/test_a.py': '@pytest.mark.skip\ndef test_c():\n    assert c()\n',
  };
  it('d26 names tests that are switched off, places that are held for code, and what proves nothing', () => {
    const sample = createHistory(first, planted);
    expect(JSON.parse(call(sample, 'verify', '--json').stdout)).toMatchObject({
      skipped_tests: ['test/a.test.js:1 .skip(', 'test/test_a.py:1 @pytest.mark.skip'],
      placeholders: ['src/a.js:1 TODO', /^src\/a\.js:2 /, /^src\/a\.py:1 /].map(matching),
      no_ops: [/^test\/a\.test\.js:4 /, /^test\/a\.test\.js:8 /].map(matching),
      ok: false,
    });
  });

  // The next four do not work yet.
  it.fails('d26 takes no words in a text for a test that is switched off', () => {
    const sample = createHistory(first, { 'a.js': 'export const said = "it.skip(1)";\n' });
    expect(JSON.parse(call(sample, 'verify', '--json').stdout)).toMatchObject({
      skipped_tests: [],
    });
  });

  it.fails('d26 names an assertion that compares a call with itself', () => {
    const sample = createHistory(first, {
      'test/a.test.js': "it('adds', () => {\n  expect(add(1)).toBe(add(1));\n});\n",
    });
    expect(JSON.parse(call(sample, 'verify', '--json').stdout)).not.toMatchObject({ no_ops: [] });
  });

  it.fails('d24 takes one file for no proof of four things', () => {
    const sample = createHistory(first, { 'a.js': '2;\n' });
    sample.write('lcov.info', 'SF:a.js\nDA:1,1\nend_of_record\n');
    const artifacts = ['failing_run', 'fix', 'passing_run', 'coverage'].map(kind => ({
      kind,
      ref: 'lcov.info',
    }));
    sample.write('e.json', JSON.stringify([{ recommendation_id: 'r', text: 'Guard', artifacts }]));
    expect(
      JSON.parse(call(sample, 'verify', '--evidence', 'e.json', '--json').stdout),
    ).toMatchObject({
      evidence: { recommendations: [{ state: 'unproven' }] },
    });
  });

  it.fails('d28 leaves what it found in the run', () => {
    const sample = createHistory(first, { 'a.js': '2;\n' });
    call(sample, 'verify');
    expect(existsSync(path.join(runsOf(sample.root), 'run-1/integrity.json'))).toBe(true);
  });
});

describe('what a pack does not do yet', () => {
  it.fails('d5 shows the uses of a changed local in the same function', () => {
    expect(
      textOf(createHistory({ 'a.js': farUse('given') }, { 'a.js': farUse('given.slice()') })),
    ).toContain('later(kept)');
  });

  it.fails('d10 is not satisfied while a removed line is hidden', () => {
    const old = lines(
      70,
      at => `export const removed${at} = 'a text of some length, number ${at}';`,
    );
    const sample = createHistory({ 'a.js': old }, { 'a.js': 'export {};\n' });
    const text = textOf(sample);
    const { stop_reason: stopped } = sideIn(sample) as { stop_reason: string };
    expect(stopped !== 'satisfied' || old.split('\n').every(line => text.includes(line))).toBe(
      true,
    );
  });

  it.fails('d22 gives up excerpts of other files before a removed line', () => {
    const old = lines(
      70,
      at => `export const removed${at} = 'a text of some length, number ${at}';`,
    );
    const user = "import { removed1 } from './a.js';\n\nexport const kept = removed1;\n";
    const text = textOf(
      createHistory({ 'a.js': old, 'user.js': user }, { 'a.js': 'export {};\n' }),
    );
    expect(
      !text.includes('export const kept') || old.split('\n').every(line => text.includes(line)),
    ).toBe(true);
  });

  it('d15 says of a page what it is about', () => {
    const before = '# Guide\n\n#### **Note:**\n\nOne.\n';
    const sample = createHistory(
      { 'docs/guide.md': before },
      { 'docs/guide.md': before.replace('One', 'Two') },
    );
    textOf(sample);
    expect(
      packIn(sample)
        .micro_summaries.map(({ summary }) => summary)
        .join(),
    ).not.toContain('#### **Note:**');
  });

  it('d16 tells that an error is caught no more', () => {
    const old =
      'def read(name):\n    try:\n        return open(name)\n    except OSError as error:\n        raise ValueError(name) from error\n';
    const sample = createHistory(
      { 'a.py': old },
      { 'a.py': 'def read(name):\n    return open(name)\n' },
    );
    textOf(sample);
    expect(packIn(sample).risk_notes).not.toEqual([]);
  });

  it('d17 asks nothing about a name that is defined', () => {
    const types = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `src/${at}.ts`,
        `export class A${at} {\n  json(): void {}\n}\n`,
      ]),
    );
    const sample = createHistory(
      { 'README.md': '1\n', ...types },
      { 'a.ts': 'export const send = (reply: any) => reply.json();\n' },
    );
    textOf(sample);
    expect(packIn(sample).open_questions).toEqual([]);
  });

  it.fails('d23 shows a hundred lines of a log, around its error', () => {
    const log = lines(301, at => (at === 150 ? 'ERROR: it broke' : `line ${at} of the log`));
    const text = textOf(createHistory(first, { 'ci.log': log }));
    expect([
      text.includes('ERROR: it broke'),
      (text.match(/of the log/g)?.length ?? 0) <= 100,
    ]).toEqual([true, true]);
  });

  it.fails(
    'd33 gives the most capable model the words of earlier decisions where names are open',
    () => {
      const sample = createHistory(
        first,
        Object.fromEntries(
          Array.from({ length: 7 }, (_, at) => [`src/m/${at}.js`, `nowhere${at}(1);\n`]),
        ),
      );
      review(sample);
      expect(textOf(sample, '--agent', 'Planner', '--capability', 'reasoning_ultra')).toContain(
        'Team Panel',
      );
    },
  );

  it.fails('d34 is about its goal and criteria before there is a change', () => {
    const sample = createHistory({ 'src/price.ts': price('net: number', '2') }, { VERSION: '2\n' });
    textOf(
      sample,
      '--worktree',
      '--agent',
      'Planner',
      '--goal',
      'Taxes',
      '--accept',
      'priceOf takes a country',
    );
    expect(packIn(sample, 'Planner').anchors).toMatchObject([{ path: 'src/price.ts' }]);
  });

  it.fails('d35 is of a file that is named', () => {
    const sample = createHistory({ 'src/rates.ts': rates }, { VERSION: '2\n' });
    textOf(sample, 'src/rates.ts');
    expect(packIn(sample).anchors).toMatchObject([{ path: 'src/rates.ts' }]);
  });
});

// What is hard to undo will be INCOMPLETE `require-human`.
it.fails.each<[string, string, string]>([
  ['a table is dropped', 'migrations/2.sql', 'DROP TABLE users;\n'],
  ['every user becomes an administrator', 'src/user.js', 'export const isAdmin = user => true;\n'],
  ['the licence becomes another', 'LICENSE', 'GNU GENERAL PUBLIC LICENSE\nVersion 3\n'],
])('d29 asks a person where %s', (_, name, after) => {
  const before = {
    'src/user.js': 'export const isAdmin = user => user.isRoot;\n',
    LICENSE: 'MIT License\n',
  };
  expect(review(createHistory(before, { [name]: after })).code).toBe(2);
});
