/**
 * A verification that decides nothing is no pass, and one that fails is no pass either: on the screen, in the record, in the
 * report and for an agent, and the exit code says the same.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson } from '../cli/jury.ts';
import { connect } from '../mcp/connect.ts';

type Outcome = 'PASS' | 'FAIL' | 'INCOMPLETE';

const exitCodes: Readonly<Record<Outcome, number>> = { PASS: 0, FAIL: 1, INCOMPLETE: 2 };

/** One recorded reviewer for each answer: r1, r2, … */
function createPanel(answers: readonly string[], settings = ''): SampleRepository {
  const sample = createChangedRepository();
  const seats = answers.map((answer, index) => {
    sample.write(`../r${index + 1}.txt`, `${answer}\n`);
    return `  - { id: r${index + 1}, runner: replay, answers: ./r${index + 1}.txt }\n`;
  });
  sample.write('../jury.config.yaml', `${settings}reviewers:\n${seats.join('')}`);
  return sample;
}

const parse = (text: string): Readonly<Record<string, unknown>> =>
  JSON.parse(text) as Readonly<Record<string, unknown>>;

/** One verification, and every place that tells what it came to. */
async function surfacesOf(
  sample: SampleRepository,
  prompt: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { code, record } = juryJson(sample.root, ['ask', prompt, '--mode', 'verification']);
  const reports = ['brief', 'terminal', 'markdown', 'json'].map(format =>
    jury(sample.root, ['report', 'latest', '--format', format]),
  );
  const [brief = '', terminal = '', markdown = '', json = ''] = reports.map(({ stdout }) => stdout);
  const reported = parse(json);
  const folder = path.dirname(/^Report: (.+)$/m.exec(brief)?.[1] ?? '');
  const onDisk = parse(readFileSync(path.join(folder, 'report.json'), 'utf8'));
  const client = await connect('2.x as of 2025', { cwd: sample.root });
  try {
    const { answer } = await client.call('wait', { run: record.run });
    return {
      process: code,
      record: [record.outcome, record.exitCode],
      disk: [onDisk.outcome, onDisk.exitCode],
      reportExits: reports.map(report => report.code),
      reportJson: [reported.outcome, reported.exitCode],
      brief: /^Gate: (\w+)/m.exec(brief)?.[1],
      briefLines: brief.trimEnd().split('\n').length <= 15,
      terminal: [0, -1].map(
        line =>
          /\b(?:PASS|FAIL|INCOMPLETE)\b/.exec(terminal.trimEnd().split('\n').at(line) ?? '')?.[0],
      ),
      markdown: [
        /^# Jury report: (\w+)/.exec(markdown)?.[1],
        /^- Outcome: (\w+), exit code (\d)/m.exec(markdown)?.slice(1, 3).join(' '),
      ],
      agent: [
        answer.outcome,
        answer.exit_code,
        /^Gate: (\w+)/m.exec(String(answer.untrusted_text))?.[1],
      ],
    };
  } finally {
    await client.close();
  }
}

function everywhere(outcome: Outcome): Readonly<Record<string, unknown>> {
  const exit = exitCodes[outcome];
  return {
    process: exit,
    record: [outcome, exit],
    disk: [outcome, exit],
    reportExits: [exit, exit, exit, exit],
    reportJson: [outcome, exit],
    brief: outcome,
    briefLines: true,
    terminal: [outcome, outcome],
    markdown: [outcome, `${outcome} ${exit}`],
    agent: [outcome, exit, outcome],
  };
}

const two = '1. X is there\n2. Y is there';

describe('what a verification comes to is said the same everywhere', () => {
  it('nothing decided: INCOMPLETE', async () => {
    expect(await surfacesOf(createPanel(['None']), '1. X is there')).toEqual(
      everywhere('INCOMPLETE'),
    );
  });

  it('a failed criterion, though no finding may fail the gate: FAIL', async () => {
    expect(
      await surfacesOf(createPanel(['FAIL|1 X is missing'], 'failOn: [never]\n'), '1. X is there'),
    ).toEqual(everywhere('FAIL'));
  });

  it('reviewers of two minds: INCOMPLETE, whatever the FAIL is as a finding', async () => {
    expect(
      await surfacesOf(createPanel(['FAIL|1 X is missing', 'PASS|1']), '1. X is there'),
    ).toEqual(everywhere('INCOMPLETE'));
  });

  it('a second criterion that nobody answered: INCOMPLETE', async () => {
    expect(await surfacesOf(createPanel(['PASS|1', 'PASS|1']), two)).toEqual(
      everywhere('INCOMPLETE'),
    );
  });

  it('every criterion met by everybody: PASS', async () => {
    expect(await surfacesOf(createPanel(['PASS|1\nPASS|2', 'PASS|1\nPASS|2']), two)).toEqual(
      everywhere('PASS'),
    );
  });
});

describe('a verification is', () => {
  const pass = 'PASS|1\nPASS|2';
  it.each<
    [title: string, answers: readonly string[], prompt: string, settings: string, outcome: Outcome]
  >([
    [
      'FAIL when more than half fail one criterion, whoever passes it',
      [pass, 'PASS|1\nFAIL|2 it is not', 'PASS|1\nFAIL|2 no'],
      two,
      'failOn: [never]\n',
      'FAIL',
    ],
    [
      'INCOMPLETE when fewer than half fail one criterion and nobody may fail the gate',
      [pass, pass, 'PASS|1\nFAIL|2 no'],
      two,
      'failOn: [never]\n',
      'INCOMPLETE',
    ],
    [
      'INCOMPLETE when a criterion on the same line as the first is answered by nobody',
      ['PASS|1'],
      '1. X is there 2. Y is there',
      '',
      'INCOMPLETE',
    ],
    [
      'INCOMPLETE when a reviewer leaves one criterion out',
      [pass, 'PASS|1'],
      two,
      '',
      'INCOMPLETE',
    ],
    [
      'INCOMPLETE when too few reviewers answer, though those pass everything',
      [pass, '', ''],
      two,
      '',
      'INCOMPLETE',
    ],
    ['FAIL when a FAIL names no criterion', ['FAIL| X is missing'], '1. X is there', '', 'FAIL'],
    [
      'not PASS when a FAIL names no criterion and no finding may fail the gate',
      ['PASS|1\nFAIL|but it is broken'],
      '1. X is there',
      'failOn: [never]\n',
      'INCOMPLETE',
    ],
    [
      'PASS when the quorum passes everything and one reviewer says nothing',
      [pass, pass, ''],
      two,
      '',
      'PASS',
    ],
  ])('%s', (_title, answers, prompt, settings, outcome) => {
    const { code, record } = juryJson(createPanel(answers, settings).root, [
      'ask',
      prompt,
      '--mode',
      'verification',
    ]);
    expect([code, record.outcome, record.exitCode]).toEqual([
      exitCodes[outcome],
      outcome,
      exitCodes[outcome],
    ]);
  });
});

describe('the report of a run ends as the run did', () => {
  it.each<[outcome: Outcome, answer: string]>([
    ['FAIL', 'CRITICAL|src/sum.js:2|The sum of an empty list throws\nVERDICT: risky'],
    ['INCOMPLETE', ''],
    ['PASS', 'SUGGESTION|src/sum.js:2|A shorter name would do\nVERDICT: safe'],
  ])('a review that is %s', (outcome, answer) => {
    const sample = createPanel([answer]);
    const review = jury(sample.root, ['review']);
    expect([
      review.code,
      jury(sample.root, ['report', 'latest']).code,
      jury(sample.root, ['report', 'latest', '--out', '../report.md']).code,
      // A file that was written is a success.
    ]).toEqual([exitCodes[outcome], exitCodes[outcome], 0]);
  });
});

describe('an undecided verification that is resumed', () => {
  it('stays INCOMPLETE for the agent that resumes it', async () => {
    const sample = createPanel(['FAIL|1 X is missing', 'PASS|1']);
    const { record } = juryJson(sample.root, ['ask', '1. X is there', '--mode', 'verification']);
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      expect(
        (await client.call('start', { process: 'resume', subject: record.run })).answer,
      ).toMatchObject({ status: 'ended', outcome: 'INCOMPLETE', exit_code: 2 });
    } finally {
      await client.close();
    }
  });
});
