import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSampleRepository } from '../adapters/git/sample-repository.ts';
import { jury, juryJson, lastRun, writePanel } from './jury.ts';

const say = (text: string) => `console.log(${JSON.stringify(text)});`;
const good = say(
  '### Sources\n- community | C1 | A blog | https://blog.example.org/x\n- internal | S1 | Decision 12 | docs/decisions/12.md\n### Findings\n- F1 | Renames need an expand and a contract step | S1\n- F2 | A rename locks the table | C1\n### Confidence\nhigh: it was tried here\n### Gaps\n- Nothing about version 5',
);
const partial = say(
  '### Sources\n- https://docs.example.com/reference/rename\n### Findings\n- Renames need an expand and a contract step [S1]',
);
const sourceless = say(
  '### Sources\nNone\n### Findings\n- F1 | It is well known\n### Confidence\nhigh\n### Gaps\nNone',
);

describe('jury research', () => {
  it('returns sources by rank, confidence, agents, answer and gaps in at most ten lines', () => {
    const sample = createSampleRepository();
    const config = writePanel(sample, [
      { id: 'ra', script: good },
      { id: 'rb', script: good },
      { id: 'rc', script: partial },
    ]);
    const { code, stdout } = jury(sample.root, [
      'research',
      'How to rename a column?',
      '--config',
      config,
    ]);
    const folder = lastRun(sample);
    expect([code, stdout.trimEnd().split('\n')]).toEqual([
      0,
      [
        `Run: ${path.basename(folder)} (research)`,
        'Status: COMPLETE',
        'Sources: 3 (1 internal, 1 official, 1 community); best: Decision 12, docs/decisions/12.md',
        'Confidence: high',
        'Agents: 2/3 complete, 1 partial',
        expect.stringMatching(
          /^Answer: Renames need an expand and a contract step \(3\/3\) c-\w+ · A rename locks the table \(2\/2\) c-\w+$/,
        ),
        'Gaps: 1; Nothing about version 5',
        `Report: ${path.join(sample.root, '.jury/runs', path.basename(folder))}/reviews/synthesis.md`,
      ],
    ]);
    expect(jury(sample.root, ['verdicts', '--counts']).stdout).toBe('2 COMPLETE, 1 PARTIAL\n');
    expect(jury(sample.root, ['show', 'latest', 'ra/F2']).stdout).toContain(
      'A rename locks the table',
    );
    expect(readFileSync(path.join(folder, 'reviews/ra.md'), 'utf8')).toMatch(
      /### Sources\n- internal \| S1[\s\S]*- community \| C1[\s\S]*### Confidence\nhigh[\s\S]*### Gaps/,
    );
  });

  it('is PARTIAL where no answer is whole, and FAILED where none names a source; neither is a success', () => {
    const sample = createSampleRepository();
    const half = jury(sample.root, [
      'research',
      'Q',
      '--config',
      writePanel(sample, [{ id: 'ra', script: partial }]),
    ]);
    expect([half.code, half.stdout]).toEqual([2, expect.stringContaining('Status: PARTIAL')]);
    const none = jury(sample.root, [
      'research',
      'Q',
      '--config',
      writePanel(sample, [{ id: 'ra', script: sourceless }]),
    ]);
    expect([none.code, none.stdout]).toEqual([
      2,
      expect.stringMatching(
        / – INCOMPLETE\nStatus: FAILED.*\n[\s\S]*Sources: none[\s\S]*Answer: none/m,
      ),
    ]);
    expect(jury(sample.root, ['verdicts', '--counts']).stdout).toBe('1 FAILED\n');
  });

  it('hands on a question of 200 KB whole', () => {
    const sample = createSampleRepository();
    const question = `What now?\n${'word '.repeat(40_000)}THE END`;
    const script = `if (!prompt.includes('THE END') || prompt.length < 200000) process.exit(5); ${good}`;
    expect(
      jury(sample.root, ['research', '-', '--config', writePanel(sample, [{ id: 'ra', script }])], {
        input: question,
      }).code,
    ).toBe(0);
  });

  it('refuses an empty question', () => {
    const sample = createSampleRepository();
    expect(
      jury(sample.root, [
        'research',
        ' ',
        '--config',
        writePanel(sample, [{ id: 'ra', script: good }]),
      ]),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('QUESTION: the question is empty.'),
    });
  });
});

describe('jury brainstorm', () => {
  const short =
    '### Summary\nKeep it local.\n### Ideas\n- I1 | A file | plain\n- I2 | A server | shared\n### Open Questions\n- Who reads it?';
  const long = `### Summary\nKeep it local first.\n### Ideas\n${Array.from({ length: 40 }, (_, index) => `- I${index} | Approach ${index}: ${'it has reasons. '.repeat(12)}`).join('\n')}`;

  it('asks one researcher and gives a short answer whole', () => {
    const sample = createSampleRepository();
    const config = writePanel(sample, [
      { id: 'ra', script: say(short) },
      { id: 'rb', script: say(short) },
    ]);
    const { code, stdout } = jury(sample.root, [
      'brainstorm',
      'Where to keep state',
      '--config',
      config,
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('> - I2 | A server | shared')]);
    expect(
      juryJson(sample.root, [
        'brainstorm',
        'Where to keep state',
        '--config',
        config,
      ]).record.reviewers.map(({ id }) => id),
    ).toEqual(['ra']);
    expect(jury(sample.root, ['show', 'latest', 'ra/I1']).stdout).toContain('A file');
  });

  it('gives the summary of a long one and says where the rest is', () => {
    const sample = createSampleRepository();
    const { code, stdout } = jury(sample.root, [
      'brainstorm',
      'State',
      '--config',
      writePanel(sample, [{ id: 'ra', script: say(long) }]),
    ]);
    expect([code, stdout.trimEnd().split('\n').slice(1)]).toEqual([
      0,
      [
        'Status: COMPLETE — 40 ideas; this is the summary',
        '> Keep it local first.',
        expect.stringMatching(/^Report: .*reviews\/ra\.md$/),
      ],
    ]);
  });

  it.each([
    ['cut', '', 2, 'Status: PARTIAL — the answer was cut off'],
    ['unknown', '', 2, 'Status: PARTIAL — the answer was cut off'],
    ['unknown', '\nEND OF ANSWER', 0, 'Status: COMPLETE'],
  ])('is whole only where that is proven: %s%s', (stop, ending, exit, status) => {
    const sample = createSampleRepository();
    sample.write(
      '../panel/ra.json',
      JSON.stringify({ status: 'answered', text: short + ending, stop }),
    );
    sample.write(
      '../panel/jury.config.yaml',
      'reviewers:\n  - { id: ra, runner: replay, answers: ./ra.json }\n',
    );
    const config = path.join(sample.root, '../panel/jury.config.yaml');
    const { code, stdout } = jury(sample.root, ['brainstorm', 'State', '--config', config]);
    expect([code, stdout.split('\n')[1]]).toEqual([exit, status]);
    expect(stdout).toContain('> - I2 | A server | shared');
    expect(stdout).not.toContain('END OF ANSWER');
  });

  it('fails when the researcher refuses', () => {
    const sample = createSampleRepository();
    const { code, stdout } = jury(sample.root, [
      'brainstorm',
      'State',
      '--config',
      writePanel(sample, [{ id: 'ra', script: say("I'm sorry, but I can't help with that.") }]),
    ]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/ – INCOMPLETE\nStatus: FAILED.*$/m)]);
  });
});
