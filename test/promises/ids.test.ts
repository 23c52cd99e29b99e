/** Every run that was begun is listed, `latest` is the answer just given, and every printed id can be used as it stands. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  goodAnswer,
  jury,
  juryJson,
  startJury,
  writePanel,
} from '../cli/jury.ts';
import { connect } from '../mcp/connect.ts';
import { runsOf, stateOf } from '../state-of.ts';

/** What is printed must need no quotes in a shell and be no comment there. */
const typable = /^[a-z0-9-]+(?:\/[A-Za-z0-9-]+)?$/;

function listRuns(sample: SampleRepository): string[] {
  const folder = runsOf(sample.root);
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !isSo(); tries++) await sleep(50);
  expect(isSo()).toBe(true);
}

/** The last word of each finding of a brief. */
function idsIn(brief: string): string[] {
  return brief
    .split('\n')
    .filter(line => line.startsWith('- [P'))
    .map(line => line.slice(line.lastIndexOf(' ') + 1));
}

function claimsOf(
  sample: SampleRepository,
  ...words: readonly string[]
): { readonly id: string; readonly text: string }[] {
  return juryJson(sample.root, ['report', ...words]).record.claims.map(({ id, text }) => ({
    id,
    text,
  }));
}

/** Answers while `marker` lies beside its program; before that it says that it was asked and waits until whoever asks is gone. */
function hesitant(folder: string): {
  readonly script: string;
  readonly asked: string;
  readonly allow: () => void;
} {
  const [asked, marker] = [path.join(folder, 'asked'), path.join(folder, 'go')];
  const script =
    `fs.writeFileSync(${JSON.stringify(asked)}, 'x');\nconst parent = process.ppid;\nsetInterval(() ` +
    `=> {\n  if (fs.existsSync(${JSON.stringify(marker)})) { ${goodAnswer} process.exit(0); }\n  if ` +
    `(process.ppid !== parent) process.exit(0);\n}, 30);`;
  return { script, asked, allow: () => writeFileSync(marker, 'x') };
}

describe('a run whose record cannot be read', () => {
  it.each([
    [
      'of another version',
      (text: string) => text.replace('"jury.run/1"', '"jury.run/9"'),
      'is of another version of Jury (jury.run/9), which this one cannot read.',
    ],
    ['that was cut off', (text: string) => text.slice(0, 700), 'is damaged'],
  ])('%s is listed, and is never called one to finish', (_, spoil, sentence) => {
    const sample = createChangedRepository();
    expect(jury(sample.root, ['review', 'HEAD~1..HEAD']).code).toBe(0);
    const [run = ''] = listRuns(sample);
    const file = path.join(runsOf(sample.root), run, 'report.json');
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));

    expect(jury(sample.root, ['runs']).stdout).toMatch(new RegExp(`${run} .*UNREADABLE`));
    for (const words of [
      ['show', run],
      ['report', run, '--format', 'sarif'],
      ['resume', run],
    ]) {
      const { code, stdout, stderr } = jury(sample.root, words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(stderr).toContain('report.md');
      expect(stderr).not.toContain('jury resume');
    }
  });
});

describe('a run that was begun and did not end', () => {
  it('is listed while it goes on and after it was killed, with what finishes it', async () => {
    const sample = createChangedRepository();
    const panel = path.join(sample.root, '../panel');
    const slow = hesitant(panel);
    const config = writePanel(sample, [
      { id: 'alpha', script: slow.script, isolation: 'sandbox: false' },
    ]);
    const child = startJury(sample.root, ['review', '--config', config]);
    await until(() => existsSync(slow.asked));
    const [id = ''] = listRuns(sample);
    const list = (): { run: string; state?: string; resume?: string | null }[] =>
      JSON.parse(jury(sample.root, ['runs', '--json']).stdout) as { run: string }[];
    expect(list()).toMatchObject([{ run: id, state: 'running', resume: null }]);
    child.kill('SIGKILL');
    await until(() => child.signalCode !== null);
    expect(list()).toMatchObject([{ run: id, state: 'unfinished', resume: `jury resume ${id}` }]);
    const { stdout } = jury(sample.root, ['runs']);
    expect(stdout).toContain(id);
    expect(stdout).toContain(`jury resume ${id}`);
    slow.allow();
    expect(juryJson(sample.root, ['resume', id])).toMatchObject({
      record: { run: id, reviewers: [{ status: 'complete' }] },
    });
    expect(list()).toMatchObject([{ schema: 'jury.run/1', run: id }]);
  });

  it('does not stand in the way of the last answer, and is what resume goes on with', async () => {
    const sample = createChangedRepository();
    const slow = hesitant(path.join(sample.root, '../panel'));
    const config = writePanel(sample, [{ id: 'alpha', script: goodAnswer }]);
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    writePanel(sample, [{ id: 'alpha', script: slow.script, isolation: 'sandbox: false' }]);
    const child = startJury(sample.root, ['review', '--config', config, '--fresh']);
    await until(() => existsSync(slow.asked));
    child.kill('SIGKILL');
    await until(() => child.signalCode !== null);
    const killed = listRuns(sample).find(id => id !== first.run) ?? '';
    expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(first.run);
    slow.allow();
    expect(juryJson(sample.root, ['resume', 'latest']).record.run).toBe(killed);
    expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(killed);
  });
});

/** Two runs; the answer given last is that of the first. */
function answeredAgain(): {
  readonly sample: SampleRepository;
  readonly config: string;
  readonly first: string;
  readonly second: string;
  readonly claim: string;
} {
  const sample = createChangedRepository();
  const config = writePanel(sample, [
    {
      id: 'alpha',
      script:
        `console.log(prompt.includes('export function sum') ? 'IMPORTANT|src/sum.js:2|The sum of an empty ` +
        `list throws\\nVERDICT: needs-changes' : 'IMPORTANT|src/other.js:1|The other file is never ` +
        `used\\nVERDICT: needs-changes');`,
    },
  ]);
  const first = juryJson(sample.root, ['review', '--config', config]).record;
  sample.write('src/other.js', 'export const other = 1;\n');
  sample.commit('three');
  const second = juryJson(sample.root, ['review', '--config', config]).record;
  expect(juryJson(sample.root, ['review', 'HEAD~1', '--config', config]).record).toMatchObject({
    run: first.run,
    reused: true,
  });
  return { sample, config, first: first.run, second: second.run, claim: first.claims[0]?.id ?? '' };
}

describe('the latest run', () => {
  it('is the one just answered, also when the answer is that of an earlier run', () => {
    const { sample, first, claim } = answeredAgain();
    expect(jury(sample.root, ['show', 'latest', claim]).stdout).toContain(
      'The sum of an empty list throws',
    );
    expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(first);
    expect(juryJson(sample.root, ['report']).record.run).toBe(first);
    expect(jury(sample.root, ['show', claim])).toMatchObject({ code: 0 });
    expect(jury(sample.root, ['explain', claim, '--run', 'latest'])).toMatchObject({ code: 0 });
    expect(
      jury(sample.root, ['dismiss', 'alpha/1', '--reason', 'the list is never empty', '--json'])
        .stdout,
    ).toContain(claim);
  });

  it('is the one just answered for agents too, whichever door the answer went through', async () => {
    const { sample, first, second, claim } = answeredAgain();
    sample.write(
      '../jury.config.yaml',
      readFileSync(path.join(sample.root, '../panel/jury.config.yaml'), 'utf8').replaceAll(
        './',
        './panel/',
      ),
    );
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      expect((await client.call('show', { run: 'latest', id: claim })).answer).toMatchObject({
        run: first,
      });
      // The panel of the configuration that is found is another one: this is asked anew.
      const { answer } = await client.call('start', { process: 'review', subject: 'HEAD' });
      expect([first, second]).not.toContain(answer.run);
      const back = await client.call('start', { process: 'review', subject: 'HEAD', fresh: false });
      expect(back.answer).toMatchObject({ run: answer.run });
      expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(answer.run);
      expect((await client.call('show', { run: 'latest', id: 'alpha/1' })).answer).toMatchObject({
        run: answer.run,
      });
      expect((await client.call('show', { run: 'latest', id: claim })).isError).toBe(true);
    } finally {
      await client.close();
    }
  });

  it('is the one begun last where nobody can tell which answered last', () => {
    const { sample, first, second } = answeredAgain();
    const notes = readdirSync(stateOf(sample.root))
      .filter(name => name.endsWith('.json'))
      .map(name => path.join(stateOf(sample.root), name));
    for (const text of [
      '',
      '{"half',
      '{"schema":"jury.last-answer/1","run":"20010101T000000Z-000000"}',
      '{"schema":"jury.last-answer/1","run":"../../elsewhere"}',
      `["${first}"]`,
    ]) {
      for (const file of notes) writeFileSync(file, text);
      expect(juryJson(sample.root, ['report', 'latest']).record.run, text).toBe(second);
    }
    for (const file of notes) rmSync(file);
    expect(juryJson(sample.root, ['report', 'latest']).record.run).toBe(second);
  });
});

function said(lines: readonly string[]): string {
  return `console.log(${JSON.stringify([...lines, 'VERDICT: needs-changes'].join('\n'))});`;
}

describe('an id that was printed', () => {
  const panel = [
    {
      id: 'alpha',
      script: said([
        'IMPORTANT|src/sum.js:2|The sum of an empty list throws',
        'IMPORTANT|src/sum.js:1|The export is no constant any more',
      ]),
    },
    { id: 'beta', script: said(['SUGGESTION|src/sum.js:3|A comment would help the reader']) },
  ];

  function gates(sample: SampleRepository): string {
    sample.write(
      'src/sum.js',
      'export function sum(list) {\n  return list.reduce((a, b) => a - b);\n}\n',
    );
    return jury(sample.root, ['gates', '--config', writePanel(sample, panel)]).stdout;
  }

  it('by the gates works in show, explain, dismiss and accept', () => {
    const sample = createChangedRepository();
    const ids = idsIn(gates(sample));
    expect(ids).toHaveLength(3);
    for (const id of ids) {
      expect(id).toMatch(typable);
      expect(jury(sample.root, ['show', 'latest', id]), id).toMatchObject({ code: 0 });
      expect(jury(sample.root, ['show', id]), id).toMatchObject({ code: 0 });
      expect(jury(sample.root, ['explain', id]), id).toMatchObject({ code: 0 });
      expect(jury(sample.root, ['dismiss', id, '--reason', 'known']), id).toMatchObject({
        code: 0,
      });
      expect(jury(sample.root, ['accept', id]), id).toMatchObject({ code: 0 });
    }
  });

  it('by the report, on a screen and in Markdown, is one that can be typed', () => {
    const sample = createChangedRepository();
    gates(sample);
    const shown = jury(sample.root, ['show', 'latest', 'alpha']).stdout;
    const markdown = jury(sample.root, ['report', '--format', 'markdown']).stdout;
    for (const text of [shown, markdown]) {
      const ids = [...text.matchAll(/\balpha\/[^\s`,]+/g)].map(([id]) => id);
      expect(ids.length).toBeGreaterThan(1);
      for (const id of ids) {
        expect(id).toMatch(typable);
        expect(jury(sample.root, ['show', id]).code, id).toBe(0);
      }
    }
  });

  it('keeps working in the forms that were printed before', () => {
    const sample = createChangedRepository();
    gates(sample);
    for (const id of ['alpha/#2', 'alpha:#2', 'alpha/2', '#2']) {
      expect(jury(sample.root, ['show', 'latest', id]).stdout, id).toContain(
        'The export is no constant any more',
      );
      expect(jury(sample.root, ['explain', id]).stdout, id).toContain(
        'The export is no constant any more',
      );
    }
  });

  it('works for agents', async () => {
    const sample = createChangedRepository();
    const ids = idsIn(gates(sample));
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      for (const id of ids)
        expect(await client.call('show', { run: 'latest', id }), id).toMatchObject({
          isError: false,
        });
    } finally {
      await client.close();
    }
  });

  it('means the claim of its finding only; what could mean several is refused, and nothing is written', () => {
    const sample = createChangedRepository();
    gates(sample);
    const [throws, help] = [
      'The sum of an empty list throws',
      'A comment would help the reader',
    ].map(text => claimsOf(sample).find(claim => claim.text === text)?.id ?? '');
    // Both reviewers have a first finding.
    for (const words of [
      ['explain', '#1'],
      ['dismiss', '#1', '--reason', 'x'],
      ['accept', '#1'],
      ['show', 'latest', '#1'],
    ]) {
      const { code, stderr } = jury(sample.root, words);
      expect(code, words.join(' ')).toBe(2);
      for (const other of words[0] === 'show' ? ['alpha/1', 'beta/1'] : [throws ?? '', help ?? ''])
        expect(stderr, words.join(' ')).toContain(other);
    }
    expect(
      juryJson(sample.root, [
        'review',
        '--worktree',
        '--config',
        path.join(sample.root, '../panel/jury.config.yaml'),
      ]).record.claims.filter(({ state }) => state === 'dismissed'),
    ).toEqual([]);
    expect(jury(sample.root, ['dismiss', 'beta/1', '--reason', 'x', '--json']).stdout).toContain(
      help,
    );
  });

  it('that looks like the beginning of the id of another claim does not decide about that one', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [panel[0] ?? { id: 'alpha', script: '' }]);
    const [victim] = juryJson(sample.root, ['review', '--config', config]).record.claims;
    const start = victim?.id.slice(2, 6) ?? '';
    const own = {
      agent: 'beta',
      findings: [
        {
          id: start,
          severity: 'LOW',
          file: 'src/sum.js',
          line: 3,
          issue: 'A comment would help the reader',
          evidence: 'there is none',
        },
      ],
      verdict: 'WARN',
      files_reviewed: ['src/sum.js'],
    };
    writePanel(sample, [
      panel[0] ?? { id: 'alpha', script: '' },
      { id: 'beta', script: `console.log(${JSON.stringify(JSON.stringify(own))});` },
    ]);
    const { claims } = juryJson(sample.root, ['review', '--config', config]).record;
    const meant =
      claims.find(({ text }) => text === 'A comment would help the reader')?.id ?? 'none';
    expect(claims.map(({ id }) => id)).toContain(victim?.id);
    expect(jury(sample.root, ['dismiss', start, '--reason', 'x'])).toMatchObject({
      code: 2,
      stdout: '',
    });
    expect(
      jury(sample.root, ['dismiss', `beta/${start}`, '--reason', 'x', '--json']).stdout,
    ).toContain(meant);
  });

  it('of an old answer is not taken for one of the last', () => {
    const sample = createChangedRepository();
    gates(sample);
    expect(jury(sample.root, ['show', 'c-ffffffffff']).code).toBe(2);
    expect(jury(sample.root, ['show', 'alpha/99']).code).toBe(2);
    expect(jury(sample.root, ['dismiss', 'alpha/99', '--reason', 'x']).code).toBe(2);
  });
});

describe('a brief', () => {
  it('names the place of a finding whose words do not', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'alpha', script: goodAnswer }]);
    expect(jury(sample.root, ['review', '--config', config]).stdout).toContain('src/sum.js:2');
  });
});

function document(script: string): {
  readonly sample: SampleRepository;
  readonly ids: readonly string[];
} {
  const sample = createSampleRepository();
  sample.write(
    'design.md',
    '# Design\n\n## 1. Goals\n\nFast.\n\n## 2. Storage\n\nTokens are kept.\n',
  );
  const { stdout } = jury(sample.root, [
    'document',
    'design.md',
    '--config',
    writePanel(sample, [{ id: 'delta', script }]),
  ]);
  return { sample, ids: idsIn(stdout) };
}

describe('what a reviewer wrote behind an id of its index', () => {
  const file = [
    '### Findings Index',
    '- P1 | D-1 | "Storage" | Tokens never expire',
    '- P2 | D-2 | "Goals" | The goal cannot be measured',
    '- P3 | D-3 | "Goals" | The title is short',
    'Verdict: needs-changes',
    '### Summary',
    'Two things.',
    '### Issues Found',
    '1. **D-1** (P1): EVIDENCE-ONE design.md:9 says "tokens are kept" and nothing else.',
    '   The same holds for refresh tokens EVIDENCE-MORE. Recommendation: ADVICE-ONE name a lifetime.',
    '',
    '2. **D-2** (P2): EVIDENCE-TWO fast is no figure.',
    '',
    '   - Recommendation: ADVICE-TWO give a latency.',
    '   - Impact: IMPACT-TWO nobody can test it.',
    '### Improvements',
    '1. Add a diagram',
  ].join('\n');

  const ways = [
    ['answered', `console.log(${JSON.stringify(file)});`],
    [
      'written into its file',
      `const file = /Write ALL findings to \`([^\`]+)\`/.exec(prompt)[1];\nfs.mkdirSync(file.slice(0, ` +
        `file.lastIndexOf('/')), { recursive: true });\nfs.writeFileSync(file, ` +
        `${JSON.stringify(file)});\nconsole.log('Findings written to ' + file);`,
    ],
  ] as const;

  it.each(ways)('is shown with the finding, %s', async (_, script) => {
    const { sample, ids } = document(script);
    expect(ids).toHaveLength(3);
    for (const words of [
      ['show', 'latest', 'D-1'],
      ['show', 'D-1'],
      ['show', 'latest', 'delta/D-1', '--full'],
      ['show', 'latest', 'delta'],
      ['show', ids[0] ?? ''],
    ]) {
      const { stdout } = jury(sample.root, words);
      for (const part of ['EVIDENCE-ONE', 'EVIDENCE-MORE', 'ADVICE-ONE'])
        expect(stdout, words.join(' ')).toContain(part);
    }
    const two = jury(sample.root, ['show', 'latest', 'D-2']).stdout;
    for (const part of ['EVIDENCE-TWO', 'ADVICE-TWO', 'IMPACT-TWO']) expect(two).toContain(part);
    expect(two).not.toContain('EVIDENCE-ONE');
    expect(jury(sample.root, ['show', 'latest', 'D-3']).stdout).not.toMatch(/EVIDENCE|ADVICE/);
    const client = await connect('2.x as of 2025', { cwd: sample.root });
    try {
      const { text } = await client.call('show', { run: 'latest', id: 'D-1' });
      for (const part of ['EVIDENCE-ONE', 'ADVICE-ONE']) expect(text).toContain(part);
    } finally {
      await client.close();
    }
  });

  it('stands apart as evidence and advice in the record, the report and the file of the review', () => {
    const { sample } = document(ways[0][1]);
    const { record } = juryJson(sample.root, ['report', 'latest']);
    const finding = record.claims
      .flatMap(({ findings }) => findings)
      .find(({ originalId }) => originalId === 'D-1');
    expect(finding?.evidence).toMatch(/EVIDENCE-ONE[^]*EVIDENCE-MORE/);
    expect(finding?.evidence).not.toContain('ADVICE-ONE');
    expect(finding?.recommendation).toContain('ADVICE-ONE');
    const [rewritten = ''] = readFileSync(
      path.join(runsOf(sample.root), record.run, 'reviews/delta.md'),
      'utf8',
    ).split('### What the reviewer said');
    const report = readFileSync(path.join(runsOf(sample.root), record.run, 'report.md'), 'utf8');
    for (const text of [rewritten, report])
      for (const part of ['EVIDENCE-ONE', 'ADVICE-ONE', 'EVIDENCE-TWO', 'ADVICE-TWO'])
        expect(text).toContain(part);
  });
});
