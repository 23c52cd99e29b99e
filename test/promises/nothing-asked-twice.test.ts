/**
 * The gates of a commit after a review of the very same change ask nobody again, and say whose answers they judge. Whatever differs
 * asks, and a review that did not happen is none that could be used again.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, lastRun, writePanel } from '../cli/jury.ts';

const body = 'export const total = list => {\n  return list.reduce((a, b) => a + b);\n};\n';

interface Scene {
  readonly sample: SampleRepository;
  /** Runs a command with the panel. */
  readonly run: (...words: readonly string[]) => ReturnType<typeof jury>;
  /** How often anybody was asked since the last time. */
  readonly calls: () => number;
}

const answers = {
  good: "console.log('IMPORTANT|src/total.js:2|The sum of an empty list throws since the initial value is gone\\nVERDICT: needs-changes');",
  none: "console.log('None\\nVERDICT: safe');",
  fails: 'process.exit(1);',
} as const;

/** A staged file and a panel that counts its calls. */
function stage(
  panel: Readonly<Record<string, string>> = { alpha: answers.good, beta: answers.good },
  text = body,
  settings = '',
): Scene {
  const sample = createChangedRepository();
  sample.write('src/total.js', text);
  sample.git('add', '.');
  const asked = path.join(sample.root, '../panel/asked');
  const config = writePanel(
    sample,
    Object.entries(panel).map(([id, script]) => ({
      id,
      script: `fs.appendFileSync(${JSON.stringify(asked)}, 'x'); ${script}`,
    })),
    settings,
  );
  let seen = 0;
  return {
    sample,
    run: (...words) => jury(sample.root, [...words, '--config', config]),
    calls: () => {
      const now = existsSync(asked) ? readFileSync(asked, 'utf8').length : 0;
      const since = now - seen;
      seen = now;
      return since;
    },
  };
}

const runOf = (text: string): string => /^Run: (\S+)/m.exec(text)?.[1] ?? 'no run';
const large =
  body + Array.from({ length: 60 }, (_, at) => `export const n${at} = ${at};\n`).join('');

describe('the gates after a review of the same change', () => {
  it.each([
    ['small', body],
    ['large', large],
  ])('ask nobody again, and say so: a %s change', (_size, text) => {
    const { run, calls, sample } = stage(undefined, text);
    const review = run('review', '--staged');
    expect([review.code, calls()]).toEqual([1, 2]);
    const gates = run('gates');
    expect([gates.code, calls()]).toEqual([1, 0]);
    expect(gates.stdout).toContain(
      `Answers: those of run ${runOf(review.stdout)}, which asked the same; nobody was asked again`,
    );
    expect(gates.stdout).toContain('src/total.js:2');
    expect(gates.stdout).toMatch(/^Run: \S+ \(gates\)$/m);
    expect(runOf(gates.stdout)).not.toBe(runOf(review.stdout));
    expect(readFileSync(path.join(lastRun(sample), 'input.diff'), 'utf8')).toContain('total.js');
    expect(readFileSync(path.join(lastRun(sample), 'reviews/alpha.md'), 'utf8')).toContain(
      'What the reviewer said',
    );
    expect(jury(sample.root, ['show', 'latest']).stdout).toContain(
      `Not asked again, since run ${runOf(review.stdout)} asked the same: alpha, beta.`,
    );
    expect(jury(sample.root, ['verdicts', '--run', 'latest', '--counts']).stdout).toBe(
      '2 NEEDS_ATTENTION\n',
    );
  });

  it('hold the other way round, and a third time', () => {
    const { run, calls } = stage(undefined, large);
    run('gates');
    expect(calls()).toBe(2);
    run('review', '--staged');
    run('gates');
    const again = run('review', '--staged');
    expect(calls()).toBe(0);
    expect(again.stdout).toContain('Answers: given before; nothing has changed since');
  });

  it('judge by their own rules: what a review lets pass may close a gate', () => {
    const { run, calls } = stage({ alpha: answers.none }, large);
    const disputed = stage({ alpha: answers.good, beta: answers.none, gamma: answers.none }, large);
    expect([run('review', '--staged').code, run('gates').code, calls()]).toEqual([0, 0, 1]);
    expect(disputed.run('review', '--staged').code).toBe(0);
    const closed = disputed.run('gates');
    expect([closed.code, disputed.calls()]).toEqual([1, 3]);
    expect(closed.stdout).toContain('is high and supported by 1 of 3');
  });

  it('say who was asked where only some had answered', () => {
    const { run, calls } = stage(
      { alpha: answers.none, beta: answers.fails, gamma: answers.none },
      large,
    );
    expect(run('review', '--staged').code).toBe(0);
    const before = calls();
    const gates = run('gates');
    // Who failed is asked again, and fails again: it never counts as a review.
    expect(calls()).toBeGreaterThan(0);
    expect(calls()).toBeLessThan(before);
    expect(gates.stdout).toMatch(
      /^Answers: those of run \S+, which asked the same, for alpha, gamma; the others were asked$/m,
    );
    expect(gates.stdout).toContain('Validation: 2/3 agents valid, 1 failed');
  });

  it('resume with the answers they began with', () => {
    const { run, sample } = stage({ alpha: answers.none, beta: answers.fails }, large);
    run('review', '--staged');
    expect(run('gates').code).toBe(2);
    const { record } = juryJson(sample.root, ['resume', 'latest']);
    expect(record.adopted?.reviewers).toEqual(['alpha']);
  });
});

describe('anybody is asked again', () => {
  const cases: readonly (readonly [string, (scene: Scene) => readonly string[]])[] = [
    [
      'when the change differs by one character',
      ({ sample }) => {
        appendFileSync(path.join(sample.root, 'src/total.js'), ' ');
        return [];
      },
    ],
    [
      'when a file has come with it',
      ({ sample }) => {
        sample.write('src/more.js', 'export {};\n');
        sample.git('add', '.');
        return [];
      },
    ],
    ['when another intention is stated', () => ['--description', 'Adds a total']],
    ['when it is asked for', () => ['--fresh']],
    ['when the fail rules differ', () => ['--fail-on', 'low']],
    ['when the quorum differs', () => ['--quorum', '1']],
    ['when everybody has to answer', () => ['--require', 'alpha', '--require', 'beta']],
    ['when a ceiling differs', () => ['--max-calls', '9']],
    ['when the time differs', () => ['--timeout', '77']],
    [
      'when the program of a reviewer has changed',
      ({ sample }) => {
        for (const id of ['alpha', 'beta'])
          appendFileSync(path.join(sample.root, `../panel/${id}.mjs`), '\n// mended\n');
        return [];
      },
    ],
    [
      'when the configuration of the panel has changed',
      ({ sample }) => {
        const file = path.join(sample.root, '../panel/jury.config.yaml');
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replaceAll(
            'runner: command',
            'runner: command, persona: security-reviewer',
          ),
        );
        return [];
      },
    ],
  ];

  it.each(cases)('%s', (_when, alter) => {
    const scene = stage(undefined, large);
    scene.run('review', '--staged');
    scene.calls();
    const gates = scene.run('gates', ...alter(scene));
    expect(scene.calls()).toBe(2);
    expect(gates.stdout).not.toContain('Answers:');
  });

  it('alone whose question differs, and the text tells who', () => {
    const { run, calls } = stage(undefined, large);
    run('review', '--staged');
    calls();
    const gates = run('gates', '--require', 'alpha');
    expect(calls()).toBe(1);
    expect(gates.stdout).toMatch(/^Answers: .* for beta; the others were asked$/m);
  });

  it('when the run that asked is gone', () => {
    const { run, calls, sample } = stage(undefined, large);
    run('review', '--staged');
    calls();
    expect(jury(sample.root, ['clean']).code).toBe(0);
    run('gates');
    expect(calls()).toBe(2);
  });
});
