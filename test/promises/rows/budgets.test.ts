/** Adaptive budgets: the rows of the original that no other test of a promise holds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { jury, juryJson, writePanel } from '../../cli/jury.ts';
import { startIn } from '../../cli/motions-session.ts';
import { startModelServer } from '../../model-server.ts';
import { runsOf } from '../../state-of.ts';

const one = { 'src/a.js': 'export const a = 1;\n' };
const none = { status: 'answered', text: 'None\nVERDICT: safe', stop: 'end' };
const calm = `console.log('None\\nVERDICT: safe');`;
const seat = (
  id: string,
  script = calm,
  settings = '',
): Parameters<typeof writePanel>[1][number] => ({
  id,
  script,
  settings: `persona: ${id}-reviewer${settings}`,
});
/** So many tokens of the counter that ships. */
const tokens = (count: number): string => ' a'.repeat(count);
type PrintedRecord = ReturnType<typeof juryJson>['record'];

const read = ({ root }: SampleRepository, run: string, name: string): unknown =>
  JSON.parse(readFileSync(path.join(runsOf(root), run, name), 'utf8'));

const filesOf = (count: number, text: string): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`src/p${at}.js`, `// ${at}\n${text}`]),
  );

/** A review by recorded answers. */
function replay(
  sample: SampleRepository,
  ids: readonly string[],
  answerOf: (id: string) => object,
  settings = '',
): PrintedRecord {
  const seats = ids.map(
    id => `  - { id: ${id}, runner: replay, answers: ./${id}.json${settings} }\n`,
  );
  for (const id of ids) sample.write(`../${id}.json`, JSON.stringify(answerOf(id)));
  sample.write('../jury.config.yaml', `reviewers:\n${seats.join('')}`);
  return juryJson(sample.root, ['review']).record;
}

describe('a plan', () => {
  const six = ['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona', 'go'];
  const sizes = [3268, 4096, 16_384, 16_385, 44_800, 100_000];
  const sample = createHistory(
    { 'notes.txt': 'one\n' },
    {
      ...Object.fromEntries(sizes.map(size => [`${size}.txt`, tokens(size)])),
      'README.md': '# Cart\n',
      'package.json': '{"name":"cart"}\n',
      'src/auth/login.js': 'export const login = 1;\n',
      'src/main.go': 'package main\n',
    },
  );
  const config = writePanel(
    sample,
    six.map(id => seat(id)),
  );
  interface Plan {
    readonly budget: unknown;
    readonly panel: readonly { readonly id: string; readonly why: readonly string[] }[];
    readonly leftOut: unknown;
  }
  const planOf = (...words: readonly string[]): Plan =>
    JSON.parse(jury(sample.root, ['plan', '--config', config, '--json', ...words]).stdout) as Plan;

  it.each([
    [3268, 'STANDARD', 'shared', 9826, 7369, 4913],
    [4096, 'COMPLEX', 'shared', 15_360, 11_520, 7680],
    [16_384, 'STANDARD', 'shared', 16_384, 12_288, 8192],
    [16_385, 'STANDARD', 'branch', 16_384, 12_288, 8192],
    [44_800, 'STANDARD', 'branch', 30_592, 22_944, 15_296],
    [100_000, 'COMPLEX', 'branch', 49_152, 36_864, 24_576],
  ])(
    'a1 a2 gives budgets by the formula, to the digit: %i tokens, %s',
    (size, level, mode, ...budgets) => {
      const [security, quality, documentation] = budgets;
      expect(
        planOf(
          '--complexity',
          level,
          '--agents',
          'security,code-quality,documentation',
          '--',
          `${size}.txt`,
        ).budget,
      ).toMatchObject({
        total_tokens: size,
        scale: Math.min(4, 1 + size / 16_384),
        mode,
        budgets: { security, 'code-quality': quality, documentation },
      });
    },
  );

  it('a3 leaves go out without a file of Go, and seats whom the files force whatever the complexity', () => {
    const plain = planOf('--', 'README.md');
    expect([plain.panel.map(({ id }) => id), plain.leftOut]).toMatchObject([
      six.slice(0, 5),
      [{ id: 'go' }],
    ]);
    const forced = Object.fromEntries(
      planOf('--complexity', 'SIMPLE').panel.map(({ id, why }) => [id, why.join()]),
    );
    const by = {
      security: 'src/auth/login.js',
      vulnerability: 'package.json',
      documentation: 'README.md',
      go: 'src/main.go',
      'user-persona': 'src/auth/login.js',
    };
    expect(Object.keys(forced).toSorted()).toEqual(six.toSorted());
    for (const [id, file] of Object.entries(by)) expect(forced[id]).toContain(file);
  });
});

it('a4 the index counts text, gives the branch and a reason for every file that it does not count; vendored files are read', () => {
  const sample = createHistory(
    { 'notes.txt': 'one\n' },
    {
      'src/b.js': tokens(70),
      'src/empty.js': '',
      'src/x.bin': Buffer.of(0, 1),
      'src/big.js': `${'a'.repeat(99)}\n`.repeat(11_000),
      'vendor/lib/v.js': 'export const v = 1;\n',
    },
  );
  sample.git('branch', '-M', 'trunk');
  const config = writePanel(sample, [seat('security')]);
  const { record } = juryJson(sample.root, ['review', '--config', config]);
  expect(read(sample, record.run, 'index.json')).toMatchObject({
    branch: 'trunk',
    total_tokens: 70,
    counter: { estimated: false },
    files: [{ path: 'src/b.js', tokens: 70, bytes: 140 }],
    skipped: [
      { path: 'src/big.js', reason: 'over 1 MB' },
      { path: 'src/empty.js', reason: 'empty' },
      { path: 'src/x.bin', reason: expect.stringContaining('binary') as string },
      { path: 'vendor/lib/v.js', reason: 'vendored folder' },
    ],
  });
  const readBy = Object.fromEntries(record.coverage.files.map(file => [file.path, file.by]));
  expect([readBy['vendor/lib/v.js'], readBy['src/big.js']]).toEqual([['security'], []]);
  expect(jury(sample.root, ['report', 'latest', '--format', 'brief']).stdout).toContain(
    'src/big.js',
  );
});

it('a5 a reviewer with tools searches, and opens branches with the caps and errors of the contract', async () => {
  const calls = [
    { name: 'semantic_search', input: { query: 'sum' } },
    { name: 'branch_create', input: { session_id: 's', description: 'd', budget: 60_000 } },
    { name: 'branch_create', input: { session_id: ' ', description: 'd' } },
    { name: 'branch_return', input: { branch_id: 'br_00000000' } },
    { name: 'branch_status', input: { session_id: 'other' } },
  ];
  let asked = 0;
  const model = await startModelServer({
    plan: ['tool', 'tool', 'tool', 'tool', 'tool', 'ok'],
    tool: () => calls[asked++] ?? { name: 'none', input: {} },
    text: 'None\nVERDICT: safe',
    usage: { input: 500, output: 9, cached: 0 },
  });
  const sample = createHistory({ 'src/sum.js': '1;\n' }, { 'src/sum.js': 'const sum = 2;\n' });
  sample.write(
    '../jury.config.yaml',
    `reviewers:\n  - { id: alpha, runner: api, model: openai-compatible/m, baseUrl: '${model.url}/v1', tools: true }\n`,
  );
  const { code } = await startIn(sample.root, ['review']).ended;
  const { messages } = (model.modelCalls().at(-1)?.body ?? { messages: [] }) as {
    messages: { role: string; content: string }[];
  };
  await model.close();
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect([code, told]).toEqual([
    0,
    [
      '"path":"src/sum.js".*"source":"semantic"',
      '"branch_id":"br_[0-9a-f]{8}","budget_requested":60000,"budget_allocated":49152,"capped":true.*"depth":0',
      '^\\[FOLD015\\]',
      '^\\[FOLD001\\].*branch_id=br_00000000',
      '"status":"none"',
    ].map(part => expect.stringMatching(part) as string),
  ]);
});

it('a7 a partial review is marked, its coverage is in percent, and its voice weighs half', () => {
  const sample = createHistory(one, { 'src/a.js': 'export const a = 2;\n' });
  const text =
    'IMPORTANT|src/a.js:1|The value two is wrong for every caller\nVERDICT: needs-changes';
  const record = replay(sample, ['end', 'cut'], stop => ({ status: 'answered', text, stop }));
  expect(read(sample, record.run, 'raw/cut.json')).toMatchObject({
    partial: true,
    cutoff_reason: 'error',
    files_reviewed: 0,
    skipped_files: ['src/a.js'],
  });
  expect(record.consensusReview).toMatchObject({
    agents: [{ coverage: '100%' }, { coverage: '0% ⚠️', partial: true }],
    support: { [record.claims[0]?.id ?? '']: 0.75 },
  });
});

it('a11 three hundred files are all read in one run by a reviewer whose window is known', () => {
  const sample = createHistory(one, filesOf(300, tokens(150)));
  const { coverage, usage } = replay(sample, ['alpha'], () => none, ', context: 200000');
  expect(coverage.files).toHaveLength(300);
  expect(coverage.files.filter(({ by }) => by.length === 0)).toEqual([]);
  expect(usage.calls).toBeLessThanOrEqual(29);
});

it('a13 nine files of eight thousand tokens that hold nothing pass before three readers', () => {
  const line = 'const value = compute(first, second);\n';
  const sample = createHistory(one, filesOf(9, line.repeat(110)));
  expect(replay(sample, ['r1', 'r2', 'r3'], () => none, ', context: 200000').outcome).toBe('PASS');
});

it('a15 without a flag, a sensitive file that the security reviewer failed on does not pass', () => {
  const sample = createHistory(one, { 'src/auth.js': 'export const a = 2;\n' });
  const config = writePanel(sample, [
    seat('security', 'process.exit(1);'),
    ...['code-quality', 'vulnerability'].map(id => seat(id)),
  ]);
  expect(jury(sample.root, ['review', '--config', config]).code).toBe(2);
});
