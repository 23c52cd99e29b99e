import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryJson,
  lastRun,
  writePanel,
  type ScriptedReviewer,
} from './jury.ts';

const calm = `console.log('None\\nVERDICT: safe');`;
const quality: ScriptedReviewer = { id: 'quality', script: calm };
const guard: ScriptedReviewer = {
  id: 'guard',
  script: calm,
  settings: 'persona: security-reviewer',
};
const docs: ScriptedReviewer = {
  id: 'docs',
  script: calm,
  settings: 'persona: documentation-reviewer',
};
const manyLines = (what: string) =>
  Array.from({ length: 30 }, (_, index) => `export const ${what}${index} = ${index};`).join('\n');

/** Committed, then changed: 30 lines in one plain file. */
function createWork(files: Readonly<Record<string, string>> = { 'src/sum.js': manyLines('a') }) {
  const sample = createChangedRepository();
  sample.write('.gitignore', '.jury/\n');
  sample.write('src/auth/login.js', 'export const login = 1;\n');
  sample.commit('three');
  for (const [name, text] of Object.entries(files)) sample.write(name, text);
  return sample;
}

const gates = (sample: SampleRepository, panel: readonly ScriptedReviewer[], settings = '') =>
  jury(sample.root, ['gates', '--config', writePanel(sample, panel, settings)]);
const again = (sample: SampleRepository) => jury(sample.root, ['gates', '--run', 'latest']);

describe('jury gates', () => {
  it('passes a clean change, staged and not, and keeps the diff it judged', () => {
    const sample = createWork();
    sample.write('src/more.js', manyLines('b'));
    sample.git('add', 'src/more.js');
    const { code, stdout } = gates(sample, [quality, guard]);
    expect([code, stdout.split('\n').slice(2, 5)]).toEqual([
      0,
      ['Validation: 2/2 agents valid', 'Verdict: safe', 'Gate: PASS'],
    ]);
    const diff = readFileSync(path.join(lastRun(sample), 'input.diff'), 'utf8');
    expect([diff.includes('+export const a29'), diff.includes('+export const b29')]).toEqual([
      true,
      true,
    ]);
    expect(again(sample).code).toBe(0);
    sample.write('src/more.js', '');
    expect(gates(sample, [quality]).stdout).toContain('so not reviewed: src/more.js');
  });

  it('asks the quality reviewer alone about a small change, and whoever the file forces', () => {
    const small = createWork({ 'src/sum.js': 'export const sum = 1;\n' });
    const panel = [quality, guard, docs];
    const idsOf = (sample: SampleRepository) =>
      juryJson(sample.root, [
        'quality-gates',
        '--config',
        writePanel(sample, panel),
      ]).record.reviewers.map(({ id }) => id);
    expect(idsOf(small)).toEqual(['quality']);
    expect(idsOf(createWork({ 'src/auth/login.js': 'export const login = 2;\n' }))).toEqual([
      'quality',
      'guard',
    ]);
    expect(idsOf(createWork())).toEqual(['quality', 'guard', 'docs']);
  });

  it('fails on a P1 that was found, with exit code 1', () => {
    const found = {
      id: 'quality',
      script: `console.log('IMPORTANT|src/sum.js:2|The sum of an empty list throws\\nVERDICT: needs-changes');`,
    };
    const { code, stdout } = gates(createWork(), [found]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('is high and supported by 1 of 1.'),
    ]);
  });

  it.each<[string, readonly ScriptedReviewer[], string, string]>([
    [
      'a required reviewer that failed',
      [
        quality,
        {
          ...guard,
          script: 'process.exit(1)',
          settings: `${guard.settings ?? ''}, required: true`,
        },
      ],
      '',
      'Required reviewer guard did not complete: exit.',
    ],
    [
      'a quorum that is not met',
      [quality, { ...guard, script: 'process.exit(1)' }],
      'quorum: 2\n',
      '1 of 2 reviewers were heard; the quorum is 2.',
    ],
  ])('is closed by %s, with exit code 2', (_what, panel, settings, sentence) =>
    expect(gates(createWork(), panel, settings)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`Gate: INCOMPLETE\nReason: ${sentence}`),
    }),
  );

  it('is closed when a sensitive file has no security review, until a person says why not, on the record', () => {
    const sample = createWork({ 'src/auth/login.js': manyLines('login') });
    const config = writePanel(sample, [
      quality,
      { ...quality, id: 'other' },
      { ...guard, script: 'process.exit(1)' },
    ]);
    expect(jury(sample.root, ['gates', '--config', config])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(
        'Reason: src/auth/login.js was not reviewed by security-reviewer',
      ),
    });
    const lifted = jury(sample.root, ['gates', '--config', config, '--fresh'], {
      environment: { JURY_SKIP_SECURITY: 'constants only' },
    });
    expect(lifted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        'Override: security-coverage lifted by JURY_SKIP_SECURITY: constants only',
      ),
    });
    expect(
      JSON.parse(readFileSync(path.join(lastRun(sample), 'reviews/findings.json'), 'utf8')),
    ).toMatchObject({
      gate: { result: 'PASS' },
      overrides: [{ rule: 'security-coverage', reason: 'constants only' }],
    });
    expect(readFileSync(path.join(lastRun(sample), 'reviews/synthesis.md'), 'utf8')).toContain(
      'constants only',
    );
  });

  it('is closed when the change has moved since the review', () => {
    const sample = createWork();
    expect(gates(sample, [quality]).code).toBe(0);
    sample.write('src/sum.js', manyLines('c'));
    expect(again(sample)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Reason: The input has changed since the review.'),
    });
  });

  it.each([
    ['findings.json', 'reviews/findings.json', 'findings.json is missing or cannot be read.'],
    ['synthesis.md', 'reviews/synthesis.md', 'synthesis.md is missing or cannot be read.'],
    ['the verdict files', 'verdicts', '0 of 1 reviewers were heard; the quorum is 1.'],
  ])('is closed without %s, and stays closed', (_what, name, sentence) => {
    const sample = createWork();
    expect(gates(sample, [quality]).code).toBe(0);
    rmSync(path.join(lastRun(sample), name), { recursive: true });
    for (const _time of [1, 2])
      expect(again(sample)).toMatchObject({
        code: 2,
        stdout: expect.stringContaining(`Reason: ${sentence}`),
      });
  });

  it('is closed by findings nobody wrote, and a half-written verdict file is no review', () => {
    const sample = createWork();
    expect(gates(sample, [{ ...quality, settings: 'required: true' }]).code).toBe(0);
    const merged = path.join(lastRun(sample), 'reviews/findings.json');
    const text = readFileSync(merged, 'utf8');
    writeFileSync(
      merged,
      JSON.stringify({ ...(JSON.parse(text) as object), findings: [{ id: 'F9', severity: 'P1' }] }),
    );
    expect(again(sample)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(
        'Reason: 1 of 1 merged findings trace to nothing a reviewer wrote: P1|F9.',
      ),
    });
    writeFileSync(merged, text);
    writeFileSync(path.join(lastRun(sample), 'verdicts/quality.json'), '{"status": "CLE');
    expect(again(sample)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Required reviewer quality did not complete: failed.'),
    });
  });

  it('judges a run again by what people have decided by now', () => {
    const sample = createWork();
    const says = `console.log('IMPORTANT|src/sum.js:2|it deletes every order\\nVERDICT: risky');`;
    expect(gates(sample, [{ ...quality, script: says }]).code).toBe(1);
    for (const [decided, code] of [
      [['dismiss', '1', '--reason', 'meant'], 0],
      [['accept', '1'], 1],
    ] as const) {
      expect(jury(sample.root, decided).code).toBe(0);
      expect(again(sample).code).toBe(code);
    }
  });

  it('is closed by a secret in the name of a new file', () => {
    const key = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
    const sample = createWork({ [`src/${key}.js`]: 'export const q = 1;\n' });
    expect(gates(sample, [quality])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has a name that holds a secret'),
    });
  });

  it('judges a range, and says what it does not understand', () => {
    const sample = createWork({});
    const config = writePanel(sample, [quality, guard, docs]);
    expect(jury(sample.root, ['gates', 'HEAD~1..HEAD', '--config', config]).code).toBe(0);
    expect(jury(sample.root, ['gates', 'HEAD', '--patch', 'x.patch']).code).toBe(3);
    expect(jury(sample.root, ['gates', '--run', 'nope']).code).toBe(2);
    expect(jury(sample.root, ['gates', '--config', config])).toMatchObject({ code: 2, stdout: '' });
  });
});
