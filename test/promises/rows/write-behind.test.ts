/** Write-behind: the rows of the original that no other test of a promise holds. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, createHistory } from '../../adapters/git/sample-repository.ts';
import { jury, lastRun, writePanel, type Ended } from '../../cli/jury.ts';

const says = (...lines: readonly string[]): string =>
  `console.log(${JSON.stringify(lines.join('\n'))});`;
const readJson = (...file: readonly string[]): unknown =>
  JSON.parse(readFileSync(path.join(...file), 'utf8'));
const plan = { 'plan.md': '# Plan\n\nOne.\n' };

const research = (source: string, finding: string): string =>
  says(
    '### Sources',
    source,
    '### Findings',
    `- F1 | ${finding} | S1`,
    '### Confidence',
    'high',
    '### Gaps',
    'None',
  );

/** The folder of agents that hold these texts, in a project of one source file. */
function collect(files: Readonly<Record<string, string>>): Ended & { readonly root: string } {
  const { root, write } = createHistory(
    { 'src/users.js': 'export const a = 1;\nexport const b = 2;\n' },
    {},
  );
  for (const [name, text] of Object.entries(files)) write(`inbox/${name}.md`, text);
  return { root, ...jury(root, ['collect', 'inbox']) };
}

describe('a reviewer that writes its file', () => {
  const sample = createHistory(plan, {});
  const config = writePanel(sample, [
    {
      id: 'alpha',
      script: `const [, file] = /Write ALL findings to \`(.*)\`/.exec(prompt);
fs.writeFileSync(file, ${JSON.stringify('### Findings Index\n- P2 | W-1 | "Plan" | Written to the file\nVerdict: safe\n<!-- jury:complete -->\n')});
console.log('Findings written to ' + file);`,
    },
  ]);
  const { code, stdout } = jury(sample.root, ['document', 'plan.md', '--config', config]);
  const folder = lastRun(sample);

  it('b2 finds its folder made, is given the contract to the letter, and what stands in the file counts', () => {
    expect([code, stdout]).toEqual([0, expect.stringContaining('Written to the file')]);
    const prompt = readFileSync(path.join(folder, 'context/alpha.md'), 'utf8');
    const [, file = ''] = /Write ALL findings to `(.*)`/.exec(prompt) ?? [];
    for (const part of [
      `## Output Contract\n\nWrite ALL findings to \`${file}\`.\nDo NOT return findings in your response text.\nYour response text should be a single line: "Findings written to ${file}"\n`,
      '### Findings Index\n- SEVERITY | ID | "Section" | Title\nVerdict: safe|needs-changes|risky\n### Summary\n[3-5 lines]\n### Issues Found\n[numbered; ID, severity, evidence, file:line]\n### Improvements\n[numbered; one line each]\n',
    ])
      expect(prompt).toContain(part);
  });

  it('b15 costs its caller the tokens of the brief, which the run counts', () => {
    const { caller_tokens: tokens } = readJson(folder, 'run.json') as { caller_tokens: number };
    expect(Math.abs(tokens - stdout.length / 4)).toBeLessThan(tokens / 4);
  });

  it('b16 leaves nothing that git shows, however often it is asked', () => {
    jury(sample.root, ['document', 'plan.md', '--config', config, '--fresh']);
    expect(readdirSync(path.join(sample.root, '.jury/runs'))).toHaveLength(2);
    expect(sample.git('status', '--porcelain', '--', '.jury')).toBe('');
  });
});

it('b3 a verdict file is written whole, or not at all where an argument is wrong', () => {
  const root = createFolder();
  const write = (...words: readonly string[]): Ended =>
    jury(root, [
      'verdict',
      'write',
      '--agent',
      'a',
      '--status',
      'CLEAN',
      '--summary',
      's',
      ...words,
    ]);
  for (const flag of ['--tokens', '--findings']) {
    const { code, stderr } = write(`${flag}=1.5`);
    expect([code, stderr]).toEqual([3, expect.stringContaining(flag)]);
  }
  expect(existsSync(path.join(root, '.jury/verdicts'))).toBe(false);
  write('--tokens', '12', '--findings', '2', '--session', 'one');
  expect(readdirSync(path.join(root, '.jury/verdicts'))).toEqual(['a.json']);
  expect(readJson(root, '.jury/verdicts/a.json')).toEqual({
    type: 'verdict',
    status: 'CLEAN',
    model: '',
    tokens_spent: 12,
    files_changed: [],
    findings_count: 2,
    summary: 's',
    detail_path: null,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
    session_id: 'one',
  });
});

describe('verdicts of a folder', () => {
  const root = createFolder();
  const statuses = ['CLEAN', 'NEEDS_ATTENTION', 'ERROR', 'PARTIAL', 'FAILED', 'MYSTERY'];
  for (const [at, status] of statuses.entries())
    writeFileSync(
      path.join(root, `${at}.json`),
      JSON.stringify({
        status,
        summary: 'two\nlines',
        tokens_spent: [10, 1.5][at],
        findings_count: at,
      }),
    );
  writeFileSync(path.join(root, 'x.json'), '{');

  it.each([
    [
      'table',
      `${statuses.map((status, at) => `${status}\t${at}\ttwo\\nlines\n`).join('')}MALFORMED\tx\tnot valid JSON\n`,
      '',
    ],
    [
      'counts',
      '1 CLEAN, 1 NEEDS_ATTENTION, 1 ERROR, 1 PARTIAL, 1 FAILED, 1 UNKNOWN, 1 MALFORMED\n',
      '0 verdicts\n',
    ],
    ['attention', '1\t1\t-\n2\t2\t-\n3\t3\t-\n4\t4\t-\n5\t5\t-\nx\t-\tx.json\n', ''],
    ['tokens', '12\n', '0\n'],
  ])('b4 are printed to the letter, also where there are none: --%s', (view, some, none) => {
    const shown = (folder: string): Ended => jury(root, ['verdicts', '--dir', folder, `--${view}`]);
    expect(shown('.')).toMatchObject({ code: 0, stdout: some });
    expect(shown('gone')).toMatchObject({
      code: 0,
      stdout: none,
      stderr: expect.stringContaining('gone') as string,
    });
  });
});

it('b9 research prefers the source of higher rank where sources contradict, and names the conflict, in ten lines', () => {
  const sample = createHistory(plan, {});
  const config = writePanel(sample, [
    {
      id: 'ra',
      script: research(
        '- official | S1 | Manual | https://m.example/',
        'The queue keeps messages after a restart',
      ),
    },
    {
      id: 'rb',
      script: research(
        '- internal | S1 | Decision 7 | docs/7.md',
        'The queue does not keep messages after a restart',
      ),
    },
  ]);
  const { code, stdout } = jury(sample.root, [
    'research',
    'Does the queue keep messages?',
    '--config',
    config,
  ]);
  expect([code, stdout.trimEnd().split('\n').length <= 10]).toEqual([0, true]);
  expect(stdout).toMatch(/^Status: COMPLETE$/m);
  expect(stdout).toMatch(/^Sources: 2 \(1 internal, 1 official\)/m);
  expect(stdout).toMatch(/^Conflicts: 1; .*(c-\w+) is preferred.*internal/m);
});

const indexOf = (level: string, verdict: string, issues: string): string =>
  `### Findings Index\n- ${level} | A-1 | "Users" | The name is short\nVerdict: ${verdict}\n### Issues Found\n1. **A-1** (${level}): ${issues}\n<!-- jury:complete -->\n`;

it('b13 what an agent claims stands beside what its findings come to, and never replaces it', () => {
  const { root, code } = collect({
    low: indexOf('P1', 'safe', 'short'),
    high: indexOf('P3', 'risky', 'short'),
  });
  const [run = ''] = readdirSync(path.join(root, '.jury/runs'));
  const verdictOf = (name: string): unknown =>
    readJson(root, '.jury/runs', run, `verdicts/${name}.json`);
  expect(code).toBe(1);
  expect(verdictOf('low')).toMatchObject({
    status: 'NEEDS_ATTENTION',
    claimed_verdict: 'safe',
    computed_verdict: 'needs-changes',
    claim: 'lower',
  });
  expect(verdictOf('high')).toMatchObject({
    claimed_verdict: 'risky',
    computed_verdict: 'safe',
    claim: 'higher',
    deviations: [],
  });
});

// "`risky` stated and nothing at high or above read" makes the review `unaccounted`.
it('b13 a stated risky without a finding of that weight does not pass', () => {
  const sample = createHistory(plan, {});
  const config = writePanel(sample, [
    { id: 'alpha', script: says(indexOf('P3', 'risky', 'short')) },
  ]);
  expect(jury(sample.root, ['document', 'plan.md', '--config', config]).code).toBe(2);
});

it('b6 a place in the working tree is found', () => {
  const { stdout } = collect({ a: indexOf('P1', 'needs-changes', 'src/users.js:2 is short') });
  expect(stdout).toMatch(/src\/users\.js:2 The name is short/);
});

// A line that names a severity as a label starts a finding of its own.
it('b6 a P0 that stands in the prose alone does not pass', () => {
  expect(
    collect({ a: indexOf('P3', 'risky', 'short\n2. **P0**: every password is lost') }).code,
  ).toBe(1);
});
