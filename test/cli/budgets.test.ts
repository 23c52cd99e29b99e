import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BudgetFile, modeAt } from '../../src/core/context/budget.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryJson,
  juryProcess,
  program,
  writePanel,
} from './jury.ts';
import { runsOf } from '../state-of.ts';

/** Files of about `tokens` tokens. */
function createLarge(files: number, tokens: number, folder = 'src') {
  const sample = createChangedRepository();
  for (let index = 1; index <= files; index++)
    sample.write(
      `${folder}/part${String(index).padStart(2, '0')}.js`,
      'const value = compute(first, second);\n'.repeat(Math.round(tokens / 8)),
    );
  sample.commit('large');
  return sample;
}

const answer =
  'IMPORTANT|the first is used before it is set\nSUGGESTION|the name says nothing\nVERDICT: needs-changes';

/** Reviewers whose recorded answers report what they cost. */
function writeMetered(
  sample: SampleRepository,
  reviewers: readonly {
    readonly id: string;
    readonly tokens: number;
    readonly settings?: string;
  }[],
  settings = '',
) {
  const folder = path.join(sample.root, '../panel');
  mkdirSync(folder, { recursive: true });
  for (const { id, tokens } of reviewers) {
    writeFileSync(
      path.join(folder, `${id}.json`),
      JSON.stringify({
        status: 'answered',
        text: answer,
        usage: { inputTokens: tokens - 50, outputTokens: 50, cachedTokens: 0 },
      }),
    );
  }
  const lines = reviewers.map(
    ({ id, settings: own }) =>
      `  - { id: ${id}, runner: replay, answers: ./${id}.json, persona: ${id}${own === undefined ? '' : `, ${own}`} }`,
  );
  const file = path.join(folder, 'jury.config.yaml');
  writeFileSync(file, `${settings}reviewers:\n${lines.join('\n')}\n`);
  return file;
}

function folderOf(sample: SampleRepository, { run }: RunRecord) {
  return path.join(runsOf(sample.root), run);
}

function readJson(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
}

function budgetOf(folder: string) {
  return readJson(folder, 'budget.json') as BudgetFile;
}

function outputOf(folder: string, reviewer: string) {
  return readJson(folder, `raw/${reviewer}.json`) as Output;
}

interface Output {
  readonly partial: boolean;
  readonly cutoff_reason: string | null;
  readonly mode: string;
  readonly files_reviewed: number;
  readonly files_skipped: number;
  readonly skipped_files: readonly string[];
  readonly skipped: { readonly medium_count: number; readonly low_count: number };
  readonly summary: Record<string, number>;
  readonly recommendation?: string;
  readonly spending: { readonly used: number; readonly total: number; readonly own: number };
  readonly coverage: readonly { readonly path: string; readonly extent: string }[];
}

function eventsOf(
  folder: string,
): { readonly type: string; readonly mode?: string; readonly ledger?: string }[] {
  return readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string });
}

function numberOf(question: string) {
  return Number(/\.(\d+)\.md$/.exec(question)?.[1] ?? 1);
}

/** Which questions of a reviewer asked for grave things only, in their order. */
function severeQuestions(folder: string, reviewer: string) {
  const names = readdirSync(path.join(folder, 'context')).filter(
    name => name.startsWith(`${reviewer}.`) && name.endsWith('.md'),
  );
  return names
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .map(name =>
      readFileSync(path.join(folder, 'context', name), 'utf8').includes('CRITICAL and HIGH only'),
    );
}

describe('a large scope, with a ledger for each reviewer', () => {
  let sample: SampleRepository;
  let folder: string;
  let record: RunRecord;
  let output: Output;

  beforeAll(() => {
    sample = createLarge(60, 1000);
    // 80 % of 32,768 tokens is passed by the fourth call, all of them by the fifth.
    const config = writeMetered(sample, [{ id: 'security-reviewer', tokens: 6_600 }]);
    ({ record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']));
    folder = folderOf(sample, record);
    output = outputOf(folder, 'security-reviewer');
  });

  it('isolates the reviewers by itself and gives them the budgets of the scale', () =>
    expect(budgetOf(folder)).toMatchObject({
      mode: 'branch',
      scale: 4,
      budgets: { 'security-reviewer': 32_768 },
    }));

  it('asks for grave things only from the call after 80 %, and stops at 95 %', () => {
    expect(severeQuestions(folder, 'security-reviewer')).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(
      eventsOf(folder)
        .filter(({ type }) => ['warning', 'exhausted', 'mode'].includes(type))
        .map(({ type, mode }) => mode ?? type),
    ).toEqual(['warning', 'high_severity_only', 'exhausted', 'force_return']);
  });

  it('removes what is milder from that answer, counts it, and keeps what was found before', () => {
    expect(output).toMatchObject({
      skipped: { medium_count: 0, low_count: 1 },
      summary: { critical: 0, high: 5, medium: 0, low: 4 },
    });
    expect(new Set(record.claims.flatMap(claim => claim.findings.map(({ id }) => id))).size).toBe(
      9,
    );
  });

  it('is partial, with the files it read and skipped counted and named', () => {
    expect(output).toMatchObject({ partial: true, cutoff_reason: 'budget', mode: 'force_return' });
    expect(output.files_reviewed + output.files_skipped).toBe(60);
    expect(output.skipped_files).toHaveLength(output.files_skipped);
    expect(output.recommendation).toBe(
      `Re-run review with: jury review --continue ${record.run.slice(-6)}`,
    );
    expect(record.consensusReview?.partial).toEqual([
      `⚠️  Partial results: security-reviewer hit budget limit (${output.files_reviewed}/60 files)`,
    ]);
  });

  it('says so in the brief, within fifteen lines', () => {
    const { stdout } = jury(sample.root, ['report', 'latest', '--format', 'brief']);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    expect(stdout).toContain('hit budget limit');
  });

  it('prints a command that, when it is run, reads on in the same run', () => {
    const words = record.consensusReview?.follow_up?.replace(/^→ Consider: jury /, '') ?? '';
    const stdout = execFileSync('/bin/sh', ['-c', `"$NODE" "$JURY" ${words} --json || true`], {
      cwd: sample.root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, NODE: process.execPath, JURY: program },
    });
    const again = JSON.parse(stdout) as RunRecord;
    expect(again.run).toBe(record.run);
    expect(again.coverage.files.map(file => file.path)).toEqual(
      record.coverage.files.map(file => file.path),
    );
    const { files_reviewed: read } = outputOf(folder, 'security-reviewer');
    expect(read).toBeGreaterThan(output.files_reviewed);
    expect(again.usage.calls).toBeGreaterThan(record.usage.calls);
  });
  it('files a report for the scope', () => {
    const report = record.consensusReview?.report ?? '';
    expect(report).toMatch(/^\.jury\/reviews\/commit-[0-9a-f]{7}\.md$/);
    expect(readFileSync(path.join(sample.root, report), 'utf8')).toContain('## Coverage');
  });
});

describe('a small scope, with one ledger for all', () => {
  it('sets the mode of every question by what its reviewer may spend: its own budget, and what was left by who has finished', () => {
    const sample = createLarge(8, 400);
    const cost = 2_400;
    // Prompts of so few bytes take two files each.
    const config = writeMetered(
      sample,
      ['security-reviewer', 'code-quality-reviewer'].map(id => ({
        id,
        tokens: cost,
        settings: 'maxPromptBytes: 4200',
      })),
      'concurrency: 1\n',
    );
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    const folder = folderOf(sample, record);
    const { mode, budgets } = budgetOf(folder);
    const total = Object.values(budgets).reduce((sum, budget) => sum + budget, 0);
    expect(mode).toBe('shared');
    const [first, second] = ['security-reviewer', 'code-quality-reviewer'].map(reviewer => ({
      asked: severeQuestions(folder, reviewer),
      output: outputOf(folder, reviewer),
    }));
    // While the other has not begun, nobody lends anything.
    expect(first?.output.spending.total).toBe(budgets['security-reviewer']);
    expect(second?.output.spending.total).toBe(total - (first?.output.spending.own ?? 0));
    for (const { asked, output } of [first, second].filter(each => each !== undefined)) {
      expect(asked.length).toBeGreaterThan(2);
      expect(output.spending.own).toBe(asked.length * cost);
      expect(asked).toEqual(
        asked.map(
          (_, index) => modeAt({ used: index * cost, total: output.spending.total }) !== 'full',
        ),
      );
    }
  });

  it('leaves each reviewer its own budget, however dear another one turned out', () => {
    const sample = createLarge(8, 400);
    const readBy = (others: number) => {
      const config = writeMetered(
        sample,
        [
          { id: 'security-reviewer', tokens: others },
          { id: 'code-quality-reviewer', tokens: 2_400 },
        ].map(each => ({ ...each, settings: 'maxPromptBytes: 4200' })),
        'concurrency: 1\n',
      );
      const { record } = juryJson(sample.root, ['review', '--config', config, '--fresh']);
      return outputOf(folderOf(sample, record), 'code-quality-reviewer')
        .coverage.filter(({ extent }) => extent === 'full')
        .map(file => file.path);
    };
    const cheap = readBy(2_400);
    expect(cheap.length).toBeGreaterThan(2);
    expect(readBy(40_000)).toEqual(cheap);
  });

  it('asks whoever fits in one question, whatever the others have cost', () => {
    const sample = createChangedRepository();
    const config = writeMetered(sample, [
      { id: 'security-reviewer', tokens: 500_000 },
      { id: 'code-quality-reviewer', tokens: 500_000 },
    ]);
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    expect(record.reviewers.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(record.consensusReview?.partial).toEqual([]);
  });

  it('gives each a ledger of its own when told to', () => {
    const sample = createChangedRepository();
    const config = writeMetered(sample, [{ id: 'security-reviewer', tokens: 500 }]);
    const { record } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--isolation',
      'branch',
      '--fail-on',
      'never',
    ]);
    expect(budgetOf(folderOf(sample, record)).mode).toBe('branch');
  });
});

describe('fifty files before six reviewers', () => {
  it('are all accounted for, and no ledger is overdrawn', () => {
    const sample = createLarge(50, 500);
    const personas = [
      'security',
      'vulnerability',
      'code-quality',
      'documentation',
      'user-persona',
      'go',
    ];
    const script = `const files = [...prompt.matchAll(/^\\+\\+\\+ b\\/(.*)$/gm)].map(match => match[1]);\nconsole.log(files.length === 0 ? 'None' : 'SUGGESTION|' + files[0] + ':1|the name says nothing');\nconsole.log('VERDICT: safe');`;
    const config = writePanel(
      sample,
      personas.map(name => ({
        id: `${name}-reviewer`,
        script,
        settings: `persona: ${name}-reviewer`,
      })),
    );
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    const folder = folderOf(sample, record);
    expect(budgetOf(folder).mode).toBe('branch');
    for (const name of personas.filter(persona => persona !== 'go')) {
      const output = outputOf(folder, `${name}-reviewer`);
      expect(output.spending.used, name).toBeLessThanOrEqual(output.spending.total);
      const read = output.coverage.filter(({ extent }) => extent === 'full').map(file => file.path);
      expect(output.skipped_files, name).toEqual([]);
      expect(read.length, name).toBe(output.files_reviewed);
      expect(output.files_reviewed, name).toBeGreaterThan(0);
    }
    expect(record.coverage.files.every(({ by }) => by.length > 0)).toBe(true);
  });
});

describe('a reviewer whose tokens run out while it writes', () => {
  it('is stopped, and what it had written counts', () => {
    const sample = createChangedRepository();
    const script = `let n = 0; setInterval(() => console.log('IMPORTANT|src/sum.js:1|problem ' + ++n + ' ' + 'told at length '.repeat(40)), 20);`;
    const config = writePanel(sample, [{ id: 'endless', script, settings: 'timeout: 100' }]);
    const { record } = juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    expect(record.reviewers[0]).toMatchObject({ status: 'partial', cause: 'budget' });
    expect(record.reviewers[0]?.findings).toBeGreaterThan(20);
    expect(outputOf(folderOf(sample, record), 'endless')).toMatchObject({
      partial: true,
      cutoff_reason: 'budget',
      skipped_files: ['src/sum.js'],
    });
  });
});

describe('a reviewer that is stopped in the middle of a character', () => {
  it('loses that character and nothing it had said before', () => {
    const sample = createChangedRepository();
    // Each piece ends one byte into a character of three, and no text comes twice.
    const script = `
      let seed = 7;
      const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648);
      const more = () => Buffer.from(Array.from({ length: 1_300 }, () => String.fromCodePoint(0x4e00 + (next() >> 12) % 5_000)).join(''));
      let begun = Buffer.from('CRITICAL|src/sum.js:1|it deletes every order\\n');
      setInterval(() => {
        const text = more();
        process.stdout.write(Buffer.concat([begun, text.subarray(0, 1)]));
        begun = text.subarray(1);
      }, 20);`;
    const config = writePanel(sample, [{ id: 'endless', script, settings: 'timeout: 100' }]);
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.reviewers[0]).toMatchObject({ status: 'partial', cause: 'budget', findings: 1 });
    expect(record.outcome).toBe('FAIL');
  });
});

describe('a run that is killed between two questions', () => {
  it('does not ask the finished one again', () => {
    const sample = createLarge(60, 1000);
    const calls = path.join(sample.root, '../calls');
    const script = `fs.appendFileSync(${JSON.stringify(calls)}, 'x');\nif (fs.readFileSync(${JSON.stringify(calls)}).length === 2) process.kill(process.ppid, 'SIGKILL');\nconsole.log('None\\nVERDICT: safe');`;
    const config = writePanel(sample, [
      {
        id: 'security-reviewer',
        script,
        settings: 'persona: security-reviewer',
        isolation: 'sandbox: false',
      },
    ]);
    juryProcess(sample.root, ['review', '--config', config]);
    expect(readFileSync(calls, 'utf8')).toBe('xx');
    jury(sample.root, ['resume', 'latest']);
    const folder = path.join(runsOf(sample.root), readdirSync(runsOf(sample.root))[0] ?? '');
    const questions = severeQuestions(folder, 'security-reviewer').length;
    expect(existsSync(path.join(folder, 'report.json'))).toBe(true);
    // The second question was cut off by the kill and is asked once more.
    expect(readFileSync(calls, 'utf8')).toHaveLength(questions + 1);
  });
});
