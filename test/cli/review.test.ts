import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

describe('a panel of which most members fail', () => {
  let sample: SampleRepository;
  let record: PrintedRecord;
  let code: number | null;

  beforeAll(() => {
    sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'good', script: goodAnswer },
      {
        id: 'second',
        script: `console.log(JSON.stringify({ findings: [{ severity: 'HIGH', file: 'src/sum.js', line: 2, issue: 'sum() throws on an empty list because the initial value is gone' }] }));`,
      },
      { id: 'slow', script: 'setTimeout(() => {}, 60_000);', settings: 'timeout: 1' },
      { id: 'silent', script: '' },
      {
        id: 'flood',
        script: `const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more();`,
      },
      { id: 'seven', script: 'process.exit(7);' },
      { id: 'echo', script: 'console.log(prompt);' },
      { id: 'refusing', script: `console.log("I'm sorry, but I can't help with that request.");` },
      { id: 'half', script: `console.log('{"findings": [{"severity": "HIGH", "issue": "cut of');` },
    ]);
    const text = `${readFileSync(config, 'utf8')}  - { id: absent, runner: command, command: [no-such-program-anywhere] }\n`;
    sample.write('../panel/jury.config.yaml', text);
    ({ code, record } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--fail-on',
      'never',
    ]));
  });

  it.each([
    ['good', '✓', null],
    ['second', '✓', null],
    ['slow', '✗ (timeout after 1s)', 'timeout'],
    ['silent', '✗ (empty answer)', 'empty'],
    ['flood', '✗ (unreadable answer)', 'unreadable'],
    ['seven', '✗ (error (exit 7))', 'error'],
    ['absent', '✗ (not installed)', 'not_installed'],
    ['echo', '✗ (unreadable answer)', 'unreadable'],
    ['refusing', '✗ (refused)', 'refused'],
    ['half', '✗ (unreadable answer)', 'unreadable'],
  ])('shows %s as %s', (id, display, reason) =>
    expect(record.reviewers.find(reviewer => reviewer.id === id)).toMatchObject({
      display,
      reason,
    }),
  );

  it('is INCOMPLETE, with exit code 2, and says why', () => {
    expect([code, record.outcome, record.exitCode]).toEqual([2, 'INCOMPLETE', 2]);
    expect(record.reasons.map(({ sentence }) => sentence)).toContain(
      '2 of 10 reviewers were heard; the quorum is 6.',
    );
  });

  it('keeps the claim the good ones agree on, in both wordings', () => {
    expect(record.claims).toHaveLength(1);
    expect(record.claims[0]).toMatchObject({
      severity: 'high',
      agreement: 'all',
      supporters: ['good', 'second'],
      electorate: 2,
      location: { path: 'src/sum.js', line: 2, anchoring: 'exact' },
    });
    expect(record.claims[0]?.findings.map(({ text }) => text)).toHaveLength(2);
  });

  it('leaves everything on disk', () => {
    const folder = path.join(runsOf(sample.root), record.run);
    expect(readFileSync(path.join(folder, 'raw/half.txt'), 'utf8')).toContain('cut of');
    expect(readdirSync(path.join(folder, 'verdicts'))).toHaveLength(10);
    expect(readFileSync(path.join(folder, 'reviews/slow.md'), 'utf8')).toContain('Verdict: error');
    for (const name of (
      'run.json plan.json subject.json claims.json report.json report.md journal.jsonl events.jsonl ' +
      'reviews/findings.json reviews/summary.txt'
    ).split(' ')) {
      expect(existsSync(path.join(folder, name)), name).toBe(true);
    }
    expect(existsSync(path.join(folder, 'context/good.md'))).toBe(true);
  });

  it('tabulates its verdicts', () => {
    const { stdout } = jury(sample.root, ['verdicts', '--counts']);
    expect(stdout.trim()).toBe('2 NEEDS_ATTENTION, 8 ERROR');
  });
});

describe('an unchanged review', () => {
  it('is answered from the earlier run until something changes or --fresh is given', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'good', script: `fs.appendFileSync('${sample.root}/../calls', 'x');\n${goodAnswer}` },
    ]);
    const calls = () => readFileSync(path.join(sample.root, '../calls'), 'utf8').length;
    const first = juryJson(sample.root, ['review', '--config', config]);
    const again = juryJson(sample.root, ['review', '--config', config]);
    expect([calls(), again.record.run, again.record.reused, again.code]).toEqual([
      1,
      first.record.run,
      true,
      first.code,
    ]);
    juryJson(sample.root, ['review', '--config', config, '--fresh']);
    expect(calls()).toBe(2);
    sample.write(
      '../panel/good.mjs',
      `${readFileSync(path.join(sample.root, '../panel/good.mjs'), 'utf8')}// edited\n`,
    );
    juryJson(sample.root, ['review', '--config', config]);
    expect(calls()).toBe(3);
  });

  it.each([
    ['a module of the program', ['node', './first.mjs']],
    ['a script that a shell starts', ['sh', '-c', 'exec node FOLDER/answer.mjs']],
    ['a program behind a wrapper', ['./wrapper.sh']],
    ['a file inside of a word', ['node', './reading.mjs', '--answer=FOLDER/answer.mjs']],
  ] as const)('is asked again when %s has changed', (_, command) => {
    const sample = createChangedRepository();
    const folder = path.join(sample.root, '../panel');
    const answers = (text: string) =>
      sample.write(
        '../panel/answer.mjs',
        `process.stdin.resume().on('end', () => console.log(${JSON.stringify(text)}));`,
      );
    sample.write('../panel/first.mjs', "import './answer.mjs';");
    sample.write(
      '../panel/reading.mjs',
      "import fs from 'node:fs';\neval(fs.readFileSync(process.argv[2].split('=')[1], 'utf8'));",
    );
    sample.write('../panel/wrapper.sh', `#!/bin/sh\nexec node ${folder}/answer.mjs\n`);
    chmodSync(path.join(folder, 'wrapper.sh'), 0o755);
    const words = command.map(word => word.replace('FOLDER', folder));
    const config = path.join(folder, 'jury.config.yaml');
    sample.write(
      '../panel/jury.config.yaml',
      `reviewers: [{ id: a, runner: command, command: ${JSON.stringify(words)}, isolation: { read: [.] } }]\n`,
    );
    answers('None\nVERDICT: safe');
    const first = juryJson(sample.root, ['review', '--config', config]);
    const same = juryJson(sample.root, ['review', '--config', config]);
    answers('CRITICAL|src/sum.js:1|it deletes every order\nVERDICT: risky');
    expect(
      [first, same, juryJson(sample.root, ['review', '--config', config])].map(
        ({ code, record }) => [code, record.reused],
      ),
    ).toEqual([
      [0, false],
      [0, true],
      [1, false],
    ]);
  });
});

describe('a review of which everything is left out', () => {
  it('is incomplete, and asks nobody', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'good', script: `fs.appendFileSync('${sample.root}/../calls', 'x');\n${goodAnswer}` },
    ]);
    const { code, record } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--exclude',
      '**',
    ]);
    expect([code, record.outcome]).toEqual([2, 'INCOMPLETE']);
    expect(existsSync(path.join(sample.root, '../calls'))).toBe(false);
  });
});

describe('the brief answer', () => {
  it('stays within fifteen lines while every finding can be shown', () => {
    const sample = createChangedRepository();
    const script = `for (let n = 1; n <= 50; n++) console.log('IMPORTANT|src/sum.js:' + (n % 3 + 1) + '|' + process.env.JURY_REVIEWER + ' found problem number ' + n + ' ' + 'of a long story '.repeat(10)); console.log('VERDICT: needs-changes');`;
    const config = writePanel(
      sample,
      Array.from({ length: 4 }, (_, index) => ({ id: `r${index + 1}`, script })),
    );
    const { code, stdout } = jury(sample.root, ['review', '--config', config, '--fail-on', 'high']);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines[0]).toBe('Protocol: 1.0');
    const shown = jury(sample.root, ['show', 'latest', 'r4/#50']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('problem number 50');
    const whole = jury(sample.root, ['report', 'latest', '--json']);
    expect(
      (JSON.parse(whole.stdout) as PrintedRecord).claims.flatMap(claim => claim.findings),
    ).toHaveLength(200);
  });
});

describe('the embedded panel', () => {
  it('passes a change that is outside the domain of most of its members, without a gap', () => {
    const sample = createChangedRepository();
    sample.write('notes.txt', 'nothing to see\n');
    sample.commit('notes');
    const { code, record } = juryJson(sample.root, ['review']);
    expect(record.reviewers.map(({ id, status }) => [id, status])).toEqual([
      ['secrets', 'complete'],
      ['javascript', 'complete'],
      ['patterns', 'complete'],
      ['diff', 'complete'],
    ]);
    expect([code, record.reasons]).toEqual([0, []]);
    expect(record.coverage.files).toMatchObject([{ path: 'notes.txt', by: ['secrets', 'diff'] }]);
  });

  it('reads a binary file for secrets, and a renamed, a deleted and an executable one too', () => {
    const sample = createChangedRepository();
    sample.write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    sample.write('old name.js', 'export const a = 1;\n');
    sample.write('tool.sh', 'echo hello\n');
    sample.commit('files');
    sample.git('mv', 'old name.js', 'näme "quoted".js');
    sample.git('update-index', '--chmod=+x', 'tool.sh');
    sample.git('rm', '-q', 'logo.png');
    sample.git('commit', '-q', '-m', 'moves');
    const { code, record } = juryJson(sample.root, ['review', 'HEAD']);
    expect([code, record.reasons]).toEqual([0, []]);
    expect(record.coverage.files.map(({ path }) => path).toSorted()).toEqual([
      'logo.png',
      'näme "quoted".js',
      'tool.sh',
    ]);
  });
});
