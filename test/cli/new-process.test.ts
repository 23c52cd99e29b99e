/** What a process costs: a row and the file of a persona. A copy of Jury gets both and nothing else. */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { writeBundle } from '../../scripts/parts.mjs';
import { connect } from '../mcp/connect.ts';
import { jury, juryJson, writePanel } from './jury.ts';

const row = `  premortem: {
    ...answering,
    request: BrainstormRequest.extend({ months: z.int().positive().default(12).describe('Months to look ahead').meta({ value: 'N' }) }),
    personas: ['pessimist'],
    seats: 1,
    contract: 'ideas',
    returned: 'ideas',
    entry: {
      summary: 'Ask one reviewer how a plan will have failed',
      aliases: ['post-mortem'],
      epilogue: 'Examples:\\n  jury premortem "Move everything at once"',
      subject: { noun: 'the plan', told: 'the plan' },
    },
  },
`;

const persona = `---
name: pessimist
role: general
focus: how a plan will have failed
veto: false
budget: 8192
capability: research
---
The plan has failed. Tell how.
`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program of a copy whose table has one more row: bundled as the build does it. */
async function copyWithRow() {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-copy-'));
  for (const name of ['personas', 'package.json', 'rules', 'rosters', 'schema'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'personas/pessimist.md'), persona);
  const cli = path.join(folder, 'dist/cli');
  await writeBundle({
    input: {
      'program-main': path.join(root, 'src/cli/main.ts'),
      launch: path.join(root, 'src/cli/launch.ts'),
    },
    output: {
      dir: cli,
      format: 'cjs',
      dynamicImportInCjs: false,
      chunkFileNames: 'parts/[name]-[hash].js',
    },
    plugins: [{ name: 'one more row', transform: addRow }],
  });
  for (const name of ['main.js', 'package.json'])
    cpSync(path.join(root, 'dist/cli', name), path.join(cli, name));
  return path.join(cli, 'main.js');
}

function addRow(text: string, id: string) {
  if (id !== path.join(root, 'src/core/process.ts')) return null;
  expect(text).toContain(lastRow);
  return text.replace(lastRow, `${row}${lastRow}`);
}

const lastRow = "  'multi-consensus': {\n";

/** Says so when it was not asked as the new persona about the plan. */
const script = `const answer = ['### Summary', 'It was too much at once.', '### Ideas', '- F1 | Nobody could go back | no way back', '### Open Questions', 'None'].join('\\n');
console.log(/The plan has failed/.test(prompt) && /Move everything/.test(prompt) ? answer : 'I was asked something else.');`;

describe('a process that is a row and a persona', () => {
  let program: string;
  let sample: SampleRepository;

  beforeAll(async () => {
    program = await copyWithRow();
    sample = createSampleRepository();
    const config = writePanel(
      sample,
      [
        { id: 'other', script: "console.log('None');" },
        { id: 'alpha', script },
      ],
      'processes: { premortem: { reviewers: [alpha] } }\n',
    );
    sample.write('../jury.config.yaml', readFileSync(config, 'utf8').replaceAll('./', './panel/'));
  });

  it('is a command with help, examples and flags of its own', () => {
    expect(jury(sample.root, ['--help', '--all'], { program }).stdout).toContain('premortem  ');
    const { code, stdout } = jury(sample.root, ['post-mortem', '--help'], { program });
    expect(code).toBe(0);
    for (const text of [
      'jury premortem',
      'Ask one reviewer how a plan will have failed.',
      '--months <N>',
      'Months to look ahead',
      '--dry-run',
      '--format',
      'jury premortem "Move everything at once"',
    ])
      expect(stdout).toContain(text);
  });

  it('runs in the terminal with the reviewers that the configuration gives it', () => {
    expect(
      jury(sample.root, ['premortem', 'Move everything at once', '--dry-run'], { program }).stdout,
    ).toContain('persona pessimist');
    const { code, record } = juryJson(
      sample.root,
      ['premortem', 'Move everything at once', '--months', '3'],
      { program },
    );
    expect([code, record.command, record.reviewers.map(({ id, status }) => [id, status])]).toEqual([
      0,
      'premortem',
      [['alpha', 'complete']],
    ]);
    expect(jury(sample.root, ['resume', 'latest'], { program }).code).toBe(0);
  });

  it.each([
    [['premortem', ' '], 'TOPIC: the plan is empty.'],
    [['premortem', 'x', '--months', '0'], '--months: '],
    [['premortem', 'x', '--month', '1'], 'Did you mean --months?'],
  ])('refuses %j', (args, sentence) => {
    const { code, stderr } = jury(sample.root, args, { program });
    expect([code, stderr]).toEqual([3, expect.stringContaining(sentence)]);
  });

  it('is started by agents', async () => {
    const client = await connect('2.x as of 2026', { cwd: sample.root, program });
    try {
      expect(JSON.stringify(await client.listTools())).toContain('premortem: the plan');
      expect((await client.call('start', { process: 'premortem' })).text).toContain(
        'subject: the plan is missing.',
      );
      const { answer, text } = await client.call('start', {
        process: 'premortem',
        subject: 'Move everything at once',
        fresh: true,
      });
      expect(answer, text).toMatchObject({
        status: 'ended',
        outcome: 'PASS',
        untrusted_text: expect.stringContaining('Nobody could go back'),
      });
    } finally {
      await client.close();
    }
  });
});
