/**
 * What budgets promise: the panel covers a large change, everybody is sure of its own, what was left out is said, and nobody is
 * asked in vain.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, writePanel } from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';

/** A file of about `tokens` tokens, unlike every other. */
function source(index: number, tokens: number): string {
  return `const part${index} = compute(first, second);\n`.repeat(Math.round(tokens / 9));
}

function createLarge(files: number, tokens: number, folder = 'src'): SampleRepository {
  const sample = createChangedRepository();
  for (let index = 1; index <= files; index++)
    sample.write(
      `${folder}/part${String(index).padStart(3, '0')}.js`,
      source(index, tokens * (0.7 + (index % 7) / 10)),
    );
  sample.commit('large');
  return sample;
}

const noting = `const files = [...prompt.matchAll(/^\\+\\+\\+ b\\/(.*)$/gm)].map(match => match[1]);
fs.appendFileSync(new URL('./asked.jsonl', import.meta.url), JSON.stringify({ reviewer: process.env.JURY_REVIEWER, files, bytes: prompt.length }) + '\\n');
console.log((files.length === 0 ? 'None' : 'IMPORTANT|' + files[0] + ':1|the value of ' + files[0].replace(/[^a-z0-9]/g, '') + ' is lost\\nSUGGESTION|' + files[0] + ':2|the name of ' + files[0].replace(/[^a-z0-9]/g, '') + ' says little') + '\\nVERDICT: safe');`;

interface Asked {
  readonly reviewer: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

function asked(sample: SampleRepository): Asked[] {
  const file = path.join(sample.root, '../panel/asked.jsonl');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Asked)
    : [];
}

const neutral = ['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona'];

function panelOf(names: readonly string[], settings = ''): Parameters<typeof writePanel>[1] {
  return names.map(name => ({
    id: name,
    script: noting,
    settings: `persona: ${name}-reviewer${settings}`,
  }));
}

interface Budget {
  readonly budgets: Readonly<Record<string, number>>;
  readonly granted: Readonly<Record<string, number>>;
  readonly cover: string;
}

interface Events {
  readonly type: string;
  readonly reviewer?: string;
  readonly mode?: string;
  readonly used?: number;
  readonly total?: number;
}

function readRun(sample: SampleRepository, run: string, name: string): string {
  return readFileSync(path.join(runsOf(sample.root), run, name), 'utf8');
}

describe('a reviewer that has nothing to read in a change', () => {
  it('is not asked, counts for nothing, and keeps no run from passing', () => {
    const sample = createChangedRepository();
    const config = writePanel(
      sample,
      [
        ...panelOf(['security']),
        { id: 'go', script: noting, settings: 'persona: go-reviewer, required: true' },
      ],
      'failOn: [never]\n',
    );
    const { record, stderr } = juryJson(sample.root, ['review', '--config', config]);
    expect(asked(sample).map(({ reviewer }) => reviewer)).toEqual(['security']);
    expect([record.outcome, record.quorum]).toEqual([
      'PASS',
      { required: 1, completed: 1, met: true },
    ]);
    expect(record.reviewers.map(({ id }) => id)).toEqual(['security']);
    expect(stderr).toContain('go is left out: no file of its language.');
  });

  it('lowers no quorum that somebody set: nobody is asked where it can never be met', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, panelOf(['security', 'go']), 'quorum: 2\n');
    const { code, stderr } = jury(sample.root, ['review', '--config', config]);
    expect([code, asked(sample)]).toEqual([2, []]);
    expect(stderr).toContain('The quorum is 2, and 1 of the 2 reviewers has a file of this change');
  });

  it('is no reason for a file that others did not read', () => {
    const sample = createLarge(50, 2_000);
    const config = writePanel(sample, panelOf(['security', 'go']), 'failOn: [never]\n');
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.outcome).toBe('INCOMPLETE');
    expect(JSON.stringify(record.reasons)).not.toContain('not in the domain');
    expect(record.reviewers.map(({ id }) => id)).toEqual(['security']);
  });

  it('is not asked when it is alone either, and then nothing was reviewed', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, panelOf(['go']));
    const { code, record } = juryJson(sample.root, ['review', '--config', config]);
    expect([code, record.outcome, asked(sample)]).toEqual([2, 'INCOMPLETE', []]);
  });
});

describe('fifty files of 39,000 tokens', () => {
  it('are all read in one run with the budgets of the formula', () => {
    const sample = createLarge(50, 700);
    const config = writePanel(sample, panelOf(neutral), 'failOn: [never]\n');
    const { record } = juryJson(sample.root, ['review', '--config', config]);
    expect(record.coverage.files.filter(({ by }) => by.length === 0)).toEqual([]);
    const { budgets, granted } = JSON.parse(readRun(sample, record.run, 'budget.json')) as Budget;
    expect(granted).toEqual(budgets);
  });
});

describe('a reviewer whose tokens run short', () => {
  it('passes the band from 80 to 95 %, is forced to return at 95 % only, and what it left out is counted', () => {
    const sample = createLarge(110, 500);
    const config = writePanel(sample, panelOf(neutral), 'failOn: [never]\n');
    const { record } = juryJson(sample.root, ['review', '--config', config, '--cover', 'risk']);
    const modes = readRun(sample, record.run, 'events.jsonl')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Events)
      .filter(({ type }) => type === 'mode');
    const shares = (wanted: string): number[] =>
      modes
        .filter(({ mode }) => mode === wanted)
        .map(({ used = 0, total = 1 }) => (100 * used) / total);
    expect(shares('high_severity_only').length).toBeGreaterThanOrEqual(4);
    for (const share of shares('high_severity_only')) expect(share).toBeLessThan(86);
    for (const share of shares('force_return')) expect(share).toBeGreaterThanOrEqual(95);
    const short = record.reviewers.filter(({ status }) => status === 'partial');
    expect(short.length).toBeGreaterThanOrEqual(4);
    for (const { id, cause } of short) {
      const forced = modes.some(({ mode, reviewer }) => mode === 'force_return' && reviewer === id);
      expect([id, cause]).toEqual([id, forced ? 'budget' : 'room']);
      const output = JSON.parse(readRun(sample, record.run, `raw/${id}.json`)) as {
        cutoff_reason: string;
      };
      expect(output.cutoff_reason).toBe('budget');
    }
    const low = record.reviewers.reduce((sum, { skipped }) => sum + (skipped?.low_count ?? 0), 0);
    expect(low).toBeGreaterThan(0);
    const said = `Left out: ${low} milder finding`;
    for (const format of ['brief', 'markdown', 'terminal'])
      expect(
        jury(sample.root, ['report', 'latest', '--format', format]).stdout.replaceAll(/\s+/g, ' '),
        format,
      ).toContain(said);
  });
});

describe('budgets of reviewers whose windows are known', () => {
  it('grow until two have read everything, or as many as are asked for, and no question outgrows the window', () => {
    const sample = createLarge(120, 1_000);
    const window = 20_000;
    const panel = panelOf(['security', 'code-quality', 'vulnerability'], `, context: ${window}`);
    const config = writePanel(sample, panel, 'failOn: [never]\n');
    const once = juryJson(sample.root, ['review', '--config', config]).record;
    expect(once.coverage.files.filter(({ by }) => by.length !== 2)).toEqual([]);
    expect(once.outcome).toBe('PASS');
    const { budgets, granted, cover } = JSON.parse(
      readRun(sample, once.run, 'budget.json'),
    ) as Budget;
    expect(cover).toBe('dealt');
    expect(Object.keys(budgets).some(id => (granted[id] ?? 0) > (budgets[id] ?? 0))).toBe(true);
    const plan = JSON.parse(
      jury(sample.root, ['plan', '--config', config, '--cover', 'all', '--json']).stdout,
    ) as { budget: Budget; unread: string[]; calls: { expected: number } };
    expect([plan.budget.cover, plan.unread]).toEqual(['all', []]);
    const all = juryJson(sample.root, ['review', '--config', config, '--cover', 'all']).record;
    expect(all.coverage.files.filter(({ by }) => by.length < 3)).toEqual([]);
    expect(all.outcome).toBe('PASS');
    // A token of this text is more than two bytes; a fifth of the window is left for the answer.
    for (const { bytes } of asked(sample)) expect(bytes / 5).toBeLessThan(window * 0.8);
    expect(asked(sample).every(({ files }) => files.length > 0)).toBe(true);
  }, 120_000);

  it('stay as they are where nobody knows the window, or where the formula is asked for', () => {
    const sample = createLarge(60, 2_000);
    for (const [settings, flags] of [
      ['', ['--cover', 'all']],
      [', context: 200000', ['--cover', 'risk']],
    ] as const) {
      const config = writePanel(sample, panelOf(['security'], settings));
      const { stdout } = jury(sample.root, ['plan', '--config', config, '--json', ...flags]);
      const { budget, unread } = JSON.parse(stdout) as { budget: Budget; unread: string[] };
      expect(budget.granted).toEqual(budget.budgets);
      expect(unread.length).toBeGreaterThan(20);
    }
    expect(asked(sample)).toEqual([]);
  });

  it('cover everything by every reader where a window holds it, and never go over a ceiling', () => {
    const sample = createLarge(60, 2_000);
    const config = writePanel(sample, panelOf(['security', 'code-quality'], ', context: 200000'));
    const planWith = (
      ...flags: string[]
    ): { budget: Budget; unread: string[]; ceiling: { tokens: number } } =>
      JSON.parse(jury(sample.root, ['plan', '--config', config, '--json', ...flags]).stdout) as {
        budget: Budget;
        unread: string[];
        ceiling: { tokens: number };
      };
    expect(planWith().budget.cover).toBe('all');
    expect(planWith('--max-tokens', '2000000').budget.cover).toBe('all');
    const tight = planWith('--max-tokens', '60000');
    expect([tight.budget.cover, tight.ceiling.tokens]).toEqual(['once', 60_000]);
    expect(tight.unread.length).toBeGreaterThan(20);
    const { record } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--cover',
      'all',
      '--max-tokens',
      '60000',
    ]);
    // What an answer costs is known when it is there.
    expect(record.usage.tokens).toBeLessThan(60_500);
    expect(record.outcome).toBe('INCOMPLETE');
  }, 240_000);
});
