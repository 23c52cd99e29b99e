import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createHistory,
  type Files,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury, juryJson, lastRun, startJury, writePanel } from '../cli/jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

/** Keeps scanners from taking this file for one with secrets. */
const githubToken = ['gh', 'p_', 'aB3dE5fG7hJ9kL2mN4pQ', '6rS8tU0vW1xYzA2b'].join('');
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const workflow = '.github/workflows/ci.yml';

const createChange = (after: Files, before: Files = {}): SampleRepository =>
  createHistory({ 'README.md': 'A shop.\n', ...before }, after);

const asked = ({ root }: SampleRepository): number => {
  const file = path.join(root, '../asked');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
};

const seat = (sample: SampleRepository, script?: string, settings?: string): string =>
  writePanel(
    sample,
    [
      {
        id: 'reader',
        script:
          `fs.appendFileSync(${JSON.stringify(path.join(sample.root, '../asked'))}, ` +
          `'.');\n${script ?? "console.log('No issues found.\\nVERDICT: safe');"}`,
      },
    ],
    settings,
  );

const review = (sample: SampleRepository, config: string, ...flags: readonly string[]) =>
  juryJson(sample.root, ['review', '--config', config, ...flags]);

const approve = (sample: SampleRepository, ...words: readonly string[]) =>
  jury(sample.root, ['approve', ...words]);

const approvals = (sample: SampleRepository): readonly string[] => {
  const folder = path.join(stateOf(sample.root), 'approvals');
  return existsSync(folder) ? readdirSync(folder).map(name => path.join(folder, name)) : [];
};

describe('what only a person can decide', () => {
  it('keeps a run from passing until a person approves it; then that run passes, and so does every later review of the same change', () => {
    const sample = createChange({ [workflow]: 'on: push\n' });
    const config = seat(sample);
    const before = review(sample, config);
    expect([
      before.code,
      before.record.reasons.map(({ rule, subject }) => [rule, subject]),
    ]).toEqual([2, [['require-human', workflow]]]);
    const { run } = before.record;
    const command = `jury approve require-human --run ${run} --reason TEXT`;
    for (const format of ['terminal', 'brief'])
      expect(
        jury(sample.root, ['report', run, '--format', format]).stdout.replaceAll(/\s+/g, ' '),
      ).toContain(command);

    const answer = approve(sample, 'require-human', '--run', run, '--reason', 'only a trigger');
    expect([answer.code, answer.stdout]).toEqual([0, expect.stringMatching(/now PASS/)]);

    const judged = juryJson(sample.root, ['report', run]);
    const later = review(sample, config);
    const fresh = review(sample, config, '--description', 'the same change, asked otherwise');
    for (const { code, record } of [judged, later, fresh]) {
      expect([code, record.outcome, record.reasons]).toEqual([0, 'PASS', []]);
      expect(record.approvals).toEqual([
        expect.objectContaining({
          rule: 'require-human',
          subjects: [workflow],
          by: userInfo().username,
          reason: 'only a trigger',
        }),
      ]);
      expect(Date.parse(record.approvals?.[0]?.at ?? '')).toBeGreaterThan(0);
    }
    expect(later.record.run).toBe(run);
    // Once for the run, once for the review that says something else to the reviewer.
    expect(asked(sample)).toBe(2);
    for (const format of ['terminal', 'brief', 'markdown']) {
      const shown = jury(sample.root, ['report', run, '--format', format]).stdout;
      expect([
        format,
        shown.includes('only a trigger'),
        shown.includes(userInfo().username),
      ]).toEqual([format, true, true]);
      expect(shown).not.toContain('jury approve');
    }
  });

  it('is asked again when anything of the change has moved', () => {
    const sample = createChange({ '.npmrc': 'fund=false\n', 'a.txt': 'one\n' });
    const config = seat(sample);
    const amend = (text: string): void => {
      sample.write('a.txt', text);
      sample.git('commit', '-qa', '--amend', '--no-edit');
    };
    review(sample, config);
    approve(sample, 'require-human', '--run', 'latest', '--reason', 'harmless');
    expect(review(sample, config).code).toBe(0);
    amend('two\n');
    const { code, record } = review(sample, config);
    expect(code).toBe(2);
    amend('three\n');
    const late = approve(sample, 'require-human', '--run', record.run, '--reason', 'harmless');
    expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(/has moved/)]);
    expect(review(sample, config).code).toBe(2);
    expect(approvals(sample)).toHaveLength(1);
    amend('one\n');
    expect(review(sample, config).code).toBe(0);
  });

  it('is asked again when what is left out of the review moves', () => {
    const sample = createChange({
      '.npmrc': 'fund=false\n',
      'left/a.txt': 'one\n',
      'b.txt': 'b\n',
    });
    const config = seat(sample, undefined, 'exclude: ["left/**"]\n');
    review(sample, config);
    approve(sample, 'require-human', '--run', 'latest', '--reason', 'harmless');
    expect(review(sample, config).code).toBe(0);
    sample.write('left/a.txt', 'two\n');
    sample.git('commit', '-qa', '--amend', '--no-edit');
    expect(juryJson(sample.root, ['review', '--config', config, '--description', 'x']).code).toBe(
      2,
    );
  });

  it('is one thing where one is named', () => {
    const sample = createChange({ '.npmrc': 'fund=false\n', 'AGENTS.md': 'Be kind.\n' });
    const config = seat(sample);
    review(sample, config);
    const one = approve(
      sample,
      'require-human',
      '--run',
      'latest',
      '--path',
      '.npmrc',
      '--reason',
      'one',
      '--json',
    );
    expect(JSON.parse(one.stdout)).toMatchObject({
      schema: 'jury.approval/1',
      rule: 'require-human',
      things: [{ subject: '.npmrc', object: null }],
      outcome: 'INCOMPLETE',
      exitCode: 2,
      reasons: [{ subject: 'AGENTS.md' }],
    });
    approve(sample, 'require-human', '--run', 'latest', '--reason', 'two');
    const { code, record } = review(sample, config);
    expect([code, record.approvals?.map(({ subjects }) => subjects)]).toEqual([
      0,
      [['.npmrc'], ['AGENTS.md']],
    ]);
  });

  it("covers a change of Jury's own configuration, which is judged by its base all the same", () => {
    const strict = 'reviewers:\n  - { id: own, runner: builtin, analyser: secrets }\n';
    const sample = createChange(
      { 'jury.config.yaml': `${strict}failOn: [never]\n`, 'a.txt': `${githubToken}\n` },
      { 'jury.config.yaml': strict },
    );
    const first = juryJson(sample.root, ['review']);
    expect([first.code, first.record.reviewers.map(({ id }) => id)]).toEqual([1, ['own']]);
    sample.write('a.txt', 'nothing\n');
    sample.git('commit', '-qa', '--amend', '--no-edit');
    const second = juryJson(sample.root, ['review']);
    expect([second.code, second.record.reasons.map(({ rule }) => rule)]).toEqual([
      2,
      ['require-human'],
    ]);
    expect(approve(sample, 'require-human', '--run', 'latest', '--reason', 'agreed').code).toBe(0);
    expect(juryJson(sample.root, ['review']).code).toBe(0);
  });
});

describe('what nobody can read', () => {
  it('is approved by path and content', () => {
    const sample = createChange({ 'logo.png': picture, 'other.png': picture, 'a.txt': 'a\n' });
    const config = seat(sample);
    const { code, record } = review(sample, config);
    expect([code, record.reasons.map(({ rule, subject }) => [rule, subject])]).toEqual([
      2,
      [
        ['unread', 'logo.png'],
        ['unread', 'other.png'],
      ],
    ]);
    const unnamed = approve(sample, 'unread', '--run', 'latest', '--reason', 'opened it');
    expect([unnamed.code, unnamed.stderr]).toEqual([3, expect.stringMatching(/--path.*logo\.png/)]);
    const words = ['unread', '--run', 'latest', '--reason', 'opened it', '--path'];
    expect(approve(sample, ...words, 'a.txt').code).toBe(3);
    expect(approve(sample, ...words, 'logo.png').stdout).toMatch(/INCOMPLETE[^]*other\.png/);
    expect(approve(sample, ...words, 'other.png').stdout).toMatch(/now PASS/);
    const kept = approvals(sample).map(
      file => (JSON.parse(readFileSync(file, 'utf8')) as { things: unknown }).things,
    );
    const blob = sample.git('rev-parse', 'HEAD:logo.png');
    expect(kept).toContainEqual([{ subject: 'logo.png', object: blob }]);
    expect(review(sample, config).code).toBe(0);
    sample.write('logo.png', Buffer.concat([picture, picture]));
    sample.git('commit', '-qa', '--amend', '--no-edit');
    expect(review(sample, config).code).toBe(2);
  });

  it('is the pointer of a submodule, until it moves on', () => {
    const sample = createChange({ 'a.txt': 'a\n' });
    const point = (commit: string): void => {
      sample.git('update-index', '--add', '--cacheinfo', `160000,${commit},vendor/lib`);
      sample.git('commit', '-q', '-m', 'point');
    };
    const config = seat(sample);
    const [one, two] = [sample.git('rev-parse', 'HEAD'), sample.git('rev-parse', 'HEAD~1')];
    point(one);
    const { code, record } = review(sample, config);
    expect([code, record.reasons.map(({ rule, subject }) => [rule, subject])]).toEqual([
      2,
      [['unread', 'vendor/lib']],
    ]);
    approve(
      sample,
      'unread',
      '--run',
      'latest',
      '--path',
      'vendor/lib',
      '--reason',
      'ours',
      '--json',
    );
    expect(review(sample, config).code).toBe(0);
    expect(jury(sample.root, ['gates', 'HEAD', '--config', config]).code).toBe(0);
    point(two);
    expect(review(sample, config).code).toBe(2);
  });

  it('is no text that a reviewer left out', () => {
    const sample = createChange({ 'a.txt': 'a\n', 'b.txt': 'x'.repeat(3_000_000) });
    const config = seat(sample);
    const { code, record } = review(sample, config);
    expect([code, record.reasons.some(({ subject }) => subject === 'b.txt')]).toEqual([2, true]);
    const words = ['--run', 'latest', '--path', 'b.txt', '--reason', 'it is long'];
    expect(approve(sample, 'unread', ...words).code).toBe(3);
    expect(review(sample, config).code).toBe(2);
  });
});

describe('an approval', () => {
  let sample: SampleRepository;
  let config: string;
  beforeAll(() => {
    sample = createChange({
      '.npmrc': 'fund=false\n',
      'src/pay.js': `export const token = '${githubToken}';\n`,
    });
    config = seat(sample, "console.log('CRITICAL|src/pay.js:1|Pays twice\\nVERDICT: risky');");
    review(sample, config);
  });

  it.each([
    'claim',
    'veto',
    'secret',
    'security',
    'engine',
    'quorum',
    'required',
    'verification',
    'ungrounded',
    'changed',
    'interrupted',
    'vote',
    'unread',
    'everything',
    '',
  ])('of "%s" is refused in one sentence that names what can be approved', rule => {
    const { code, stdout, stderr } = approve(sample, rule, '--run', 'latest', '--reason', 'please');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/require-human/);
    expect(approvals(sample)).toEqual([]);
  });

  it('of what a person was asked for lets nothing else pass', () => {
    const answer = approve(sample, 'require-human', '--run', 'latest', '--reason', 'harmless');
    expect([answer.code, answer.stdout]).toEqual([0, expect.stringMatching(/now FAIL/)]);
    const { code, record } = review(sample, config);
    expect([code, record.outcome]).toEqual([1, 'FAIL']);
    expect(record.reasons.map(({ rule }) => rule)).toEqual(['engine', 'claim']);
  });

  it('does not stand in for a reviewer that failed, and asks it nothing', () => {
    const broken = createChange({ '.npmrc': 'fund=false\n' });
    const panel = seat(broken, 'process.exit(1);');
    review(broken, panel);
    const times = asked(broken);
    const answer = approve(broken, 'require-human', '--run', 'latest', '--reason', 'harmless');
    expect([answer.code, answer.stdout]).toEqual([0, expect.stringMatching(/now INCOMPLETE/)]);
    expect(asked(broken)).toBe(times);
    expect(juryJson(broken.root, ['report']).record.reasons.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['quorum', 'unread']),
    );
  });

  it.each([
    ['no reason', ['require-human', '--run', 'latest'], 3, /--reason/],
    ['a blank reason', ['require-human', '--run', 'latest', '--reason', ' '], 3, /--reason/],
    ['no run', ['require-human', '--reason', 'x'], 3, /--run/],
    ['an unknown run', ['require-human', '--run', 'nope', '--reason', 'x'], 2, /no run "nope"/],
    ['no rule', ['--run', 'latest', '--reason', 'x'], 3, /RULE/],
  ] as const)('needs %s no less than the others', (_, words, code, sentence) => {
    const ended = approve(sample, ...words);
    expect([ended.code, ended.stdout, ended.stderr.trim().split('\n')]).toEqual([
      code,
      '',
      [expect.stringMatching(sentence)],
    ]);
  });

  it('is given for a change that was reviewed to its end: no question, no run that was killed or stopped', async () => {
    const other = createChange({ '.npmrc': 'fund=false\n' });
    const slow = seat(other, 'setTimeout(() => {}, 60_000);');
    jury(other.root, ['ask', 'Why?', '--config', seat(other)]);
    const question = approve(other, 'require-human', '--run', 'latest', '--reason', 'x');
    expect([question.code, question.stderr]).toEqual([3, expect.stringMatching(/can be approved/)]);
    for (const [signal, sentence] of [
      ['SIGKILL', /has not ended/],
      ['SIGINT', /was interrupted/],
    ] as const) {
      seat(other, 'setTimeout(() => {}, 60_000);');
      const [before, earlier] = [asked(other), new Set(readdirSync(runsOf(other.root)))];
      const running = startJury(other.root, ['review', '--config', slow]);
      while (asked(other) === before) await wait(50);
      const run = readdirSync(runsOf(other.root)).find(name => !earlier.has(name)) ?? '';
      running.kill(signal);
      await new Promise(resolve => running.once('close', resolve));
      const ended = approve(other, 'require-human', '--run', run, '--reason', 'x');
      expect([signal, ended.code, ended.stderr]).toEqual([
        signal,
        2,
        expect.stringMatching(sentence),
      ]);
    }
    expect(approvals(other)).toEqual([]);
  });

  it('is kept outside of the repository, for this user alone, and is believed only so', () => {
    const other = createChange({ '.npmrc': 'fund=false\n' });
    const panel = seat(other);
    review(other, panel);
    approve(other, 'require-human', '--run', 'latest', '--reason', 'harmless');
    const [file = ''] = approvals(other);
    const text = readFileSync(file, 'utf8');
    expect([file.startsWith(other.root), statSync(file).mode & 0o777]).toEqual([false, 0o600]);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    chmodSync(file, 0o644);
    const open = jury(other.root, ['review', '--config', panel]);
    expect([open.code, open.stderr]).toEqual([2, expect.stringMatching(/by others/)]);
    chmodSync(file, 0o600);
    expect(review(other, panel).code).toBe(0);
    rmSync(file);
    expect(review(other, panel).code).toBe(2);
    const brought = ['.jury/approvals', 'approvals'].map(
      place => `${place}/${path.basename(file)}`,
    );
    const copy = createChange(
      { '.npmrc': 'fund=false\n' },
      Object.fromEntries(brought.map(name => [name, text])),
    );
    expect(review(copy, seat(copy)).code).toBe(2);
  });

  it('changes nothing of what the reviewers said', () => {
    const other = createChange({ '.npmrc': 'fund=false\n', 'src/sum.js': 'export {};\n' });
    const panel = seat(other, "console.log('SUGGESTION|src/sum.js:1|Say why\\nVERDICT: safe');");
    const before = review(other, panel).record;
    const raw = (): unknown =>
      JSON.parse(readFileSync(path.join(lastRun(other), 'raw/reader.json'), 'utf8'));
    const said = raw();
    approve(other, 'require-human', '--run', 'latest', '--reason', 'harmless');
    const after = juryJson(other.root, ['report']).record;
    expect(raw()).toEqual(said);
    expect(asked(other)).toBe(1);
    expect(after).toMatchObject({
      claims: before.claims,
      reviewers: before.reviewers,
      coverage: before.coverage,
      usage: before.usage,
    });
  });
});
