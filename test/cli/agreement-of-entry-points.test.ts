/** One outcome, whoever asks: what a run comes to is the same on the screen, on disk, as an exit code and for an agent. */
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { outcomeWord, reread } from '../doors.ts';
import { connect } from '../mcp/connect.ts';
import {
  createChangedRepository,
  jury,
  startJury,
  writePanel,
  type ScriptedReviewer,
} from './jury.ts';

interface PrintedRun {
  readonly run: string;
  readonly outcome: string;
  readonly exitCode: number;
  readonly reasons: readonly { readonly rule: string }[];
}

const parse = (text: string) => JSON.parse(text) as PrintedRun;

/** The process that held the run, then every later look at it. */
async function surfaces(sample: SampleRepository, printed: string, code: number | null) {
  const record = parse(printed);
  const again = await reread(sample);
  const rules = [...new Set(record.reasons.map(({ rule }) => rule))];
  return { ...again, outcome: record.outcome, rules, exitCode: record.exitCode, process: code };
}

function agreed(
  outcome: 'FAIL' | 'INCOMPLETE',
  rules: readonly string[],
  process = { FAIL: 1, INCOMPLETE: 2 }[outcome],
) {
  const code = { FAIL: 1, INCOMPLETE: 2 }[outcome];
  return {
    outcome,
    rules,
    process,
    exitCode: process,
    screen: [outcome, outcome],
    disk: [outcome, code],
    report: code,
    mcp: [outcome, code],
  };
}

async function held(
  panel: readonly ScriptedReviewer[],
  args: readonly string[],
  { settings = '', sample = createChangedRepository() } = {},
) {
  const config = writePanel(sample, panel, settings);
  const { code, stdout } = jury(sample.root, [...args, '--config', config, '--format', 'json']);
  return surfaces(sample, stdout, code);
}

const says = (answer: string, settings = '') => ({
  id: 'alpha',
  script: `console.log(${JSON.stringify(answer)});`,
  settings,
});
const verify = ['ask', '1. X is there', '--mode', 'verification'];

describe('screen, report.json, exit code, "jury report" and the answer for an agent agree about', () => {
  it('a verification in which nothing is decided', async () =>
    expect(await held([says('None')], verify)).toEqual(agreed('INCOMPLETE', ['verification'])));

  it('a criterion of the context that nobody judged', async () => {
    const sample = createChangedRepository();
    sample.write('criteria.md', '1. X is there\n2. Y is there\n');
    const args = ['ask', 'Judge them.', '--mode', 'verification', '--context-file', 'criteria.md'];
    expect(await held([says('PASS|1')], args, { sample })).toEqual(
      agreed('INCOMPLETE', ['verification']),
    );
  });

  it('one criterion that is not met, where no finding may fail the run', async () =>
    expect(
      await held([says('FAIL|1 X is missing')], verify, {
        settings: 'failOn: [never]\n',
      }),
    ).toEqual(agreed('FAIL', ['verification'])));

  it('a reviewer that was cut off', async () => {
    const cut = `console.log('{"findings": [{"severity": "HIGH", "issue": "cut of');`;
    expect(await held([{ id: 'alpha', script: cut }], ['review'])).toEqual(
      agreed('INCOMPLETE', ['quorum', 'unread']),
    );
  });

  it('a veto', async () => {
    const answer = JSON.stringify({
      findings: [
        {
          severity: 'HIGH',
          file: 'src/sum.js',
          line: 2,
          issue: 'sum of an empty list throws',
          exploit_path: true,
        },
      ],
    });
    expect(await held([says(answer, 'persona: security-reviewer')], ['review'])).toEqual(
      agreed('FAIL', ['claim', 'veto']),
    );
  });

  it('a finding without ground: its place is not there', async () =>
    expect(
      await held([says('CRITICAL|src/none.js:99|It is broken there\nVERDICT: risky')], ['review']),
    ).toEqual(agreed('INCOMPLETE', ['ungrounded'])));

  it('an input that changed while it was reviewed', async () => {
    const sample = createChangedRepository();
    sample.write('.gitignore', '.jury/\n');
    sample.commit('three');
    sample.write('src/sum.js', 'export const sum = 1;\n');
    const meddle = `fs.writeFileSync(${JSON.stringify(path.join(sample.root, 'src/sum.js'))}, 'export const sum = 2;\\n'); console.log('None\\nVERDICT: safe');`;
    expect(await held([{ id: 'alpha', script: meddle }], ['gates'], { sample })).toEqual(
      agreed('INCOMPLETE', ['changed']),
    );
  });

  it('a patch that another took the place of while it was reviewed', async () => {
    const sample = createChangedRepository();
    const file = path.join(sample.root, '../fix.patch');
    writeFileSync(file, '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n');
    const meddle = `fs.appendFileSync(${JSON.stringify(file)}, '--- a/y\\n+++ b/y\\n@@ -1 +1 @@\\n-a\\n+b\\n'); console.log('None\\nVERDICT: safe');`;
    expect(
      await held([{ id: 'alpha', script: meddle }], ['review', '--patch', file], { sample }),
    ).toEqual(agreed('INCOMPLETE', ['changed']));
  });

  it('Ctrl-C, but that the process says it was interrupted', async () => {
    const sample = createChangedRepository();
    const up = path.join(sample.root, '../up');
    const config = writePanel(
      sample,
      [
        says('None\nVERDICT: safe'),
        {
          id: 'slow',
          script: `fs.writeFileSync(${JSON.stringify(up)}, ''); setTimeout(() => {}, 60_000);`,
        },
      ],
      'quorum: 1\n',
    );
    const child = startJury(sample.root, ['review', '--config', config, '--format', 'json']);
    let printed = '';
    child.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    await expect.poll(() => existsSync(up), { timeout: 30_000 }).toBe(true);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    // How far the other reviewer came is a matter of chance.
    expect(await surfaces(sample, printed, code)).toEqual({
      ...agreed('INCOMPLETE', [], 130),
      rules: expect.arrayContaining(['interrupted']) as string[],
    });
  });

  it('a vote on motions that lacks answers, which has a report of its own kind', async () => {
    const sample = createChangedRepository();
    const motion = {
      mega_motion_id: 'm-0',
      title: 'Motion 0',
      theme: 'Care',
      consolidated_text: 'The members shall act with care.',
      source_motion_ids: [],
      supporting_archons: [],
      unique_archon_count: 0,
      consensus_tier: 'low',
    };
    mkdirSync(path.join(sample.root, 'session'));
    writeFileSync(path.join(sample.root, 'session/mega-motions.json'), JSON.stringify([motion]));
    writeFileSync(
      path.join(sample.root, 'session/roster.json'),
      JSON.stringify(['Ada', 'Ben', 'Cleo']),
    );
    writeFileSync(
      path.join(sample.root, 'member.mjs'),
      `let prompt = '';
process.stdin.setEncoding('utf8').on('data', text => (prompt += text)).on('end', () => {
  if (!prompt.includes('You are Ada')) process.exit(1);
  console.log(JSON.stringify([{ motion_id: 'm-0', stance: 'ENDORSE', reasoning: 'Weighed.', confidence: 0.8 }]));
});
`,
    );
    writeFileSync(
      path.join(sample.root, 'jury.config.json'),
      JSON.stringify({
        motions: {
          reviewer: { runner: 'command', command: ['node', './member.mjs'], timeout: 20 },
        },
      }),
    );
    const { code, stdout } = jury(sample.root, ['motions', 'session', '--real-agent']);
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      const { answer } = await client.call('start', {
        process: 'motions',
        subject: 'session',
        confirm: true,
      });
      const report = jury(sample.root, ['report', 'latest']).code;
      const listed = outcomeWord.exec(jury(sample.root, ['runs']).stdout)?.[0];
      expect([
        code,
        /1 incomplete/.test(stdout),
        listed,
        report,
        answer.exit_code,
        outcomeWord.exec(String(answer.outcome))?.[0],
      ]).toEqual([2, true, 'INCOMPLETE', 2, 2, 'INCOMPLETE']);
    } finally {
      await client.close();
    }
  });
});
