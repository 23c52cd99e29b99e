/** Together the reviewers read as much of a large change as their budgets allow, and whoever goes on goes on with what is unread. */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, juryJson, juryProcess, writePanel } from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';

/** A file of about `tokens` tokens. */
function source(tokens: number): string {
  return 'const value = compute(first, second);\n'.repeat(Math.round(tokens / 8));
}

function createLarge(
  files: number,
  tokens = 1_000,
  others: Readonly<Record<string, string>> = {},
): SampleRepository {
  const sample = createChangedRepository();
  for (let index = 1; index <= files; index++)
    sample.write(`src/part${String(index).padStart(3, '0')}.js`, source(tokens));
  for (const [name, text] of Object.entries(others)) sample.write(name, text);
  sample.commit('large');
  return sample;
}

/** Notes which files each question showed, and finds fault with the first of them. */
const noting = `const files = [...prompt.matchAll(/^\\+\\+\\+ b\\/(.*)$/gm)].map(match => match[1]);
fs.appendFileSync(new URL('./asked.jsonl', import.meta.url), JSON.stringify({ reviewer: process.env.JURY_REVIEWER, files }) + '\\n');
const answer = (label = 'SUGGESTION') => console.log(label + '|' + files[0] + ':1|the name in ' + files[0].replace(/[^a-z0-9]/g, '') + ' says nothing\\nVERDICT: needs-changes');`;

interface Question {
  readonly reviewer: string;
  readonly files: readonly string[];
}

function questions(sample: SampleRepository): Question[] {
  const file = path.join(sample.root, '../panel/asked.jsonl');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Question)
    : [];
}

/** How often each reviewer was shown each file: `alpha src/a.js` → 2. */
function readings(asked: readonly Question[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reviewer, files } of asked)
    for (const file of files)
      counts.set(`${reviewer} ${file}`, (counts.get(`${reviewer} ${file}`) ?? 0) + 1);
  return counts;
}

function filesShown(asked: readonly Question[]): Set<string> {
  return new Set(asked.flatMap(({ files }) => files));
}

function byReviewer(asked: readonly Question[]): number[] {
  return [...new Set(asked.map(({ reviewer }) => reviewer))].map(
    name => filesShown(asked.filter(({ reviewer }) => reviewer === name)).size,
  );
}

const three = ['alpha', 'beta', 'gamma'];
const files = 45;

describe('a change that is too large for the budgets', () => {
  it('is read by the panel together about as far as all budgets reach, and each file by somebody in the end', () => {
    const sample = createLarge(files, 2_000);
    const config = writePanel(
      sample,
      three.map(id => ({ id, script: `${noting}\nanswer();` })),
    );
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    const began = questions(sample);
    const alone = Math.max(...byReviewer(began));
    expect(alone).toBeLessThan(files / 2);
    expect(filesShown(began).size).toBeGreaterThan(2.5 * alone);
    // Not one file has a second reading while another has none.
    expect(filesShown(began).size).toBeLessThan(files);
    expect(began.flatMap(question => question.files)).toHaveLength(filesShown(began).size);
    expect(first.outcome).toBe('INCOMPLETE');
    expect(first.coverage.files.filter(({ by }) => by.length > 0)).toHaveLength(
      filesShown(began).size,
    );
    const [early] = first.claims.flatMap(({ findings }) => findings);

    let record = first;
    let rounds = 0;
    for (; record.outcome === 'INCOMPLETE' && rounds < 8; rounds++) {
      const before = questions(sample).length;
      record = juryJson(sample.root, ['resume', 'latest']).record;
      expect(record.run).toBe(first.run);
      expect(questions(sample).length).toBeGreaterThan(before);
    }
    const asked = questions(sample);
    // Nothing is shown twice to one reviewer, and everything was shown to one of them.
    expect(Math.max(...readings(asked).values())).toBe(1);
    expect(filesShown(asked).size).toBe(files);
    expect(record.outcome).toBe('PASS');
    expect(record.reviewers.map(({ status, filesReviewed }) => [status, filesReviewed])).toEqual(
      byReviewer(asked).map(count => ['complete', count]),
    );
    expect(rounds).toBeLessThanOrEqual(5);
    // What was found in every round is there, under ids that stay, and every call is paid for once and counted.
    const found = record.claims.flatMap(({ findings }) => findings);
    expect(new Set(found.map(({ id }) => id)).size).toBe(asked.length);
    expect(found.find(({ id }) => id === early?.id)?.text).toBe(early?.text);
    expect(record.usage.calls).toBe(asked.length);
    const spoken = readFileSync(
      path.join(runsOf(sample.root), record.run, 'raw/alpha.txt'),
      'utf8',
    );
    for (const question of asked)
      if (question.reviewer === 'alpha') expect(spoken).toContain(`${question.files[0] ?? ''}:1|`);
  }, 240_000);

  it('has its sensitive files read by security first, and nobody is dealt what lies outside of its domain', () => {
    const sample = createLarge(17, 1_000, {
      'src/zz/login.js': source(400),
      'src/zz/session.js': source(400),
      'docs/guide.md': 'A guide.\n'.repeat(200),
    });
    const config = writePanel(
      sample,
      [
        ['plain', 'code-quality-reviewer'],
        ['secure', 'security-reviewer'],
        ['words', 'go-reviewer'],
      ].map(([id = '', persona = '']) => ({
        id,
        script: `${noting}\nif (files.length > 0) answer(); else console.log('None\\nVERDICT: safe');`,
        settings: `persona: ${persona}`,
      })),
    );
    juryJson(sample.root, ['review', '--config', config, '--fail-on', 'never']);
    const asked = questions(sample);
    const first = asked.find(({ reviewer }) => reviewer === 'secure');
    expect(first?.files).toEqual(expect.arrayContaining(['src/zz/login.js', 'src/zz/session.js']));
    expect(filesShown(asked.filter(({ reviewer }) => reviewer === 'words'))).toEqual(new Set());
    expect(filesShown(asked).size).toBe(20);
    expect(Math.max(...byReviewer(asked))).toBeLessThan(20);
  });
});

function createAlone(
  amount: number,
  script = 'answer();',
  isolation?: string,
): { readonly sample: SampleRepository; readonly config: string } {
  const sample = createLarge(amount, 2_000);
  const alpha = { id: 'alpha', script: `${noting}\n${script}`, ...(isolation && { isolation }) };
  return { sample, config: writePanel(sample, [alpha]) };
}

/** Goes on with a failed run until its reviewer has read everything; how many rounds that takes is a matter of the prompt's length. */
function resumeToTheEnd(sample: SampleRepository): ReturnType<typeof juryJson>['record'] {
  for (let rounds = 0; rounds < 4; rounds++) {
    const { code, record } = juryJson(sample.root, ['resume', 'latest']);
    expect([code, record.outcome]).toEqual([1, 'FAIL']);
    if (record.reviewers[0]?.status === 'complete') return record;
  }
  throw new Error('after four rounds the reviewer has not read everything');
}

describe('a run whose reviewers ran out of tokens', () => {
  it('is gone on with by asking for the same review again', () => {
    const { sample, config } = createAlone(14);
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    const second = juryJson(sample.root, ['review', '--config', config]).record;
    expect(second.run).not.toBe(first.run);
    expect(Math.max(...readings(questions(sample)).values())).toBe(1);
    expect(second.coverage.files.filter(({ by }) => by.length > 0).length).toBeGreaterThan(
      first.coverage.files.filter(({ by }) => by.length > 0).length,
    );
    expect(second.usage.calls).toBe(questions(sample).length);
    rmSync(path.join(sample.root, '../panel/asked.jsonl'));
    juryJson(sample.root, ['review', '--config', config, '--fresh']);
    expect(filesShown(questions(sample)).size).toBe(
      first.coverage.files.filter(({ by }) => by.length > 0).length,
    );
  });

  it('reads on though it failed already, and stays failed', () => {
    const { sample, config } = createAlone(9, `answer('CRITICAL');`);
    expect(juryJson(sample.root, ['review', '--config', config])).toMatchObject({
      code: 1,
      record: { outcome: 'FAIL' },
    });
    const before = filesShown(questions(sample)).size;
    expect(before).toBeLessThan(9);
    const record = resumeToTheEnd(sample);
    expect(filesShown(questions(sample)).size).toBe(9);
    expect(Math.max(...readings(questions(sample)).values())).toBe(1);
    expect(record.reviewers[0]?.status).toBe('complete');
    const paid = questions(sample).length;
    expect(juryJson(sample.root, ['resume', record.run]).record.run).toBe(record.run);
    expect(questions(sample)).toHaveLength(paid);
  });

  it('killed while it reads on asks only the question again that was cut off', () => {
    const { sample, config } = createAlone(
      22,
      `const marker = new URL('./kill', import.meta.url);\nif (fs.existsSync(marker)) { const left = ` +
        `Number(fs.readFileSync(marker, 'utf8')) - 1; fs.writeFileSync(marker, String(left)); if (left ` +
        `=== 0) process.kill(process.ppid, 'SIGKILL'); }\nanswer();`,
      'sandbox: false',
    );
    juryJson(sample.root, ['review', '--config', config]);
    const before = questions(sample).length;
    const marker = path.join(sample.root, '../panel/kill');
    writeFileSync(marker, '2');
    expect(juryProcess(sample.root, ['resume', 'latest']).code).toBeNull();
    expect(questions(sample)).toHaveLength(before + 2);
    const cut = questions(sample).at(-1)?.files ?? [];
    rmSync(marker);
    const { record } = juryJson(sample.root, ['resume', 'latest']);
    const again = [...readings(questions(sample))].filter(([, count]) => count > 1);
    expect(again.map(([name]) => name.slice('alpha '.length)).toSorted()).toEqual(cut.toSorted());
    expect(readdirSync(runsOf(sample.root))).toEqual([record.run]);
  }, 240_000);

  it('asks nobody when nothing that is unread can ever fit, and keeps what it knows', () => {
    const sample = createLarge(3, 1_000, { 'data/huge.txt': source(60_000) });
    const config = writePanel(sample, [{ id: 'alpha', script: `${noting}\nanswer();` }]);
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    const asked = questions(sample).length;
    expect(filesShown(questions(sample))).toEqual(
      new Set(['src/part001.js', 'src/part002.js', 'src/part003.js']),
    );
    const again = juryJson(sample.root, ['resume', 'latest']);
    expect([again.code, again.record.outcome]).toEqual([2, 'INCOMPLETE']);
    expect(questions(sample)).toHaveLength(asked);
    expect(again.record.claims.map(({ id }) => id)).toEqual(first.claims.map(({ id }) => id));
    expect(again.record.coverage.files).toEqual(first.coverage.files);
    expect(again.record.usage.calls).toBe(asked);
  });

  it('loses nothing over a reviewer that fails while it reads on', () => {
    const { sample, config } = createAlone(
      14,
      `if (fs.existsSync(new URL('./broken', import.meta.url))) process.exit(1);\nanswer();`,
    );
    const first = juryJson(sample.root, ['review', '--config', config]).record;
    writeFileSync(path.join(sample.root, '../panel/broken'), '');
    const broken = juryJson(sample.root, ['resume', 'latest']).record;
    expect(broken.outcome).toBe('INCOMPLETE');
    expect(broken.coverage.files.filter(({ by }) => by.length > 0)).toEqual(
      first.coverage.files.filter(({ by }) => by.length > 0),
    );
    expect(broken.claims.map(({ id }) => id)).toEqual(first.claims.map(({ id }) => id));
    rmSync(path.join(sample.root, '../panel/broken'));
    const read = new Set(
      first.coverage.files.filter(({ by }) => by.length > 0).map(file => file.path),
    );
    const before = questions(sample).length;
    juryJson(sample.root, ['resume', 'latest']);
    expect([...filesShown(questions(sample).slice(before))].filter(file => read.has(file))).toEqual(
      [],
    );
  });
});
