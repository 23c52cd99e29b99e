import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, startJury, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

const answers: Readonly<Record<string, string>> = {
  document: '### Findings Index\\n- P2 | F1 | "Goals" | The goal is vague\\nVerdict: safe',
  research:
    '### Sources\\n- internal | S1 | Notes | docs/notes.md\\n### Findings\\n- F1 | It works | S1\\n- F2 | It is fast | S1\\n### Confidence\\nhigh\\n### Gaps\\nNone',
  brainstorm: '### Summary\\nTwo ways.\\n### Ideas\\n- I1 | One way\\n- I2 | Another way',
  gates: 'None\\nVERDICT: safe',
};

/** The first reviewer answers at once, the others when there is a file `go`: until then the run stands half way. */
function seatPanel(sample: SampleRepository, process: string) {
  const [log, go] = [path.join(sample.root, '../log'), path.join(sample.root, '../go')];
  const answer = answers[process] ?? '';
  const stages =
    process === 'brainstorm' ? 'processes:\n  brainstorm:\n    reviewers: [fast, slow]\n' : '';
  return writePanel(
    sample,
    [
      { id: 'fast', script: `fs.appendFileSync('${log}', 'fast\\n'); console.log('${answer}');` },
      {
        id: 'slow',
        script: `fs.appendFileSync('${log}', 'slow\\n'); if (fs.existsSync('${go}')) console.log('${answer}'); else setTimeout(() => process.exit(9), 15_000);`,
      },
    ],
    stages,
  );
}

const logOf = (sample: SampleRepository) => {
  const file = path.join(sample.root, '../log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

/** The journal holds the fast review before its verdict file is written. */
async function waitForHalf(sample: SampleRepository) {
  for (;;) {
    await wait(50);
    const folder = runsOf(sample.root);
    const [run] = existsSync(folder) ? readdirSync(folder) : [];
    if (
      run !== undefined &&
      existsSync(path.join(folder, run, 'verdicts/fast.json')) &&
      logOf(sample).includes('slow')
    )
      return run;
  }
}

describe('a process that is killed half way', () => {
  it.each([
    ['document', ['document', 'design.md']],
    ['research', ['research', 'Does it work?']],
    ['brainstorm', ['brainstorm', 'How to do it']],
    ['gates', ['gates', 'HEAD~1..HEAD']],
  ])('%s: goes on and pays nobody twice', async (process, args) => {
    const sample = createChangedRepository();
    sample.write('design.md', '# Goals\n\nFast.\n');
    const config = seatPanel(sample, process);
    const killed = startJury(sample.root, [
      ...args,
      '--config',
      config,
      ...(process === 'gates' ? ['--complexity', 'COMPLEX'] : []),
    ]);
    const run = await waitForHalf(sample);
    killed.kill('SIGKILL');
    await new Promise(resolve => killed.once('close', resolve));
    sample.write('../go', '');
    const { code, record } = juryJson(sample.root, ['resume', run]);
    expect([code, record.run, record.outcome, record.command]).toEqual([0, run, 'PASS', process]);
    expect(record.reviewers.map(({ id, status }) => [id, status])).toEqual([
      ['fast', 'complete'],
      ['slow', 'complete'],
    ]);
    expect(logOf(sample).toSorted()).toEqual(['fast', 'slow', 'slow']);
    expect(existsSync(path.join(runsOf(sample.root), run, 'reviews/synthesis.md'))).toBe(true);
  });

  it('asks again only about the part of a long document that was under way', async () => {
    const sample = createChangedRepository();
    sample.write(
      'design.md',
      `# One\n\n${'word '.repeat(3_000)}\n\n# Two\n\n${'word '.repeat(3_000)}\n`,
    );
    const [log, go] = [path.join(sample.root, '../log'), path.join(sample.root, '../go')];
    const config = writePanel(sample, [
      {
        id: 'alpha',
        script: `const part = prompt.includes('# Two') ? 'two' : 'one'; fs.appendFileSync('${log}', part + '\\n'); if (part === 'one' || fs.existsSync('${go}')) console.log('${answers.document ?? ''}'); else setTimeout(() => {}, 15_000);`,
        settings: 'maxPromptBytes: 24000',
      },
    ]);
    const killed = startJury(sample.root, ['document', 'design.md', '--config', config]);
    while (!logOf(sample).includes('two')) await wait(50);
    killed.kill('SIGKILL');
    await new Promise(resolve => killed.once('close', resolve));
    sample.write('../go', '');
    const { code } = juryJson(sample.root, ['resume', 'latest']);
    expect([code, logOf(sample)]).toEqual([0, ['one', 'two', 'two']]);
  });

  it('refuses to go on with a document that has changed since', async () => {
    const sample = createChangedRepository();
    sample.write('design.md', '# Goals\n\nFast.\n');
    const killed = startJury(sample.root, [
      'document',
      'design.md',
      '--config',
      seatPanel(sample, 'document'),
    ]);
    const run = await waitForHalf(sample);
    killed.kill('SIGKILL');
    await new Promise(resolve => killed.once('close', resolve));
    sample.write('design.md', '# Goals\n\nSlow.\n');
    expect(jury(sample.root, ['resume', run])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The document has moved since'),
    });
  });
});
