/**
 * What a first round leaves unread is read by going on: nothing that was read is asked about again, everything stands in one run, and
 * where no round could read more nobody is asked.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastRun } from '../cli/jury.ts';
import { createLargeChange, type LargeChange } from './large-change.ts';

type Printed = ReturnType<LargeChange['json']>['record'];

const unreadIn = ({ coverage }: Printed): number =>
  coverage.files.filter(({ by }) => by.length === 0).length;
const findingsOf = ({ claims }: Printed): string[] =>
  claims.flatMap(claim => claim.findings.map(({ id }) => id));

/** Goes on until nothing is unread; the records of all rounds. */
function readAll(change: LargeChange, first: Printed, words: readonly string[]): Printed[] {
  const rounds = [first];
  for (let last = first; unreadIn(last) > 0 && rounds.length < 9;) {
    last = change.json(...words).record;
    rounds.push(last);
  }
  return rounds;
}

const lines = (text: string, wanted: RegExp): number =>
  text.split('\n').filter(each => wanted.test(each)).length;
const asked = (change: LargeChange): string[] =>
  change.questions().flatMap(({ reviewer, files }) => files.map(file => `${reviewer} ${file}`));

describe.each([
  ['jury review --continue', ['review', '--continue', 'latest']],
  ['jury resume', ['resume', 'latest']],
])('%s', (_name, words) => {
  it('reads more every time until everything is read, asks about nothing twice and keeps one run', () => {
    const change = createLargeChange();
    const rounds = readAll(change, change.json('review', '--config', change.config).record, words);
    const counts = rounds.map(unreadIn);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => other - one));
    expect(counts.at(-1)).toBe(0);
    expect(asked(change).toSorted()).toEqual(change.files.map(file => `src ${file}`).toSorted());
    const last = rounds.at(-1);
    expect(new Set(rounds.map(({ run }) => run)).size).toBe(1);
    expect(last?.usage.calls).toBe(change.questions().length);
    expect(last?.claims).toHaveLength(10);
    for (const [index, round] of rounds.slice(1).entries())
      expect(findingsOf(round)).toEqual(expect.arrayContaining(findingsOf(rounds[index] ?? round)));
    expect(last?.outcome).toBe('PASS');
    const nobody = change.run(...words);
    expect([nobody.code, change.questions().length]).toEqual([0, last?.usage.calls]);
  }, 180_000);
});

describe('a report of a run with something unread', () => {
  const change = createLargeChange();
  const { record } = change.json('review', '--config', change.config);
  const short = record.run.slice(-6);
  const left = unreadIn(record);
  const line = new RegExp(
    String.raw`Unread: ${left} of 30 files \(src/part\d+\.js, src/part\d+\.js and ${left - 2} more\)`,
  );

  it.each(['terminal', 'markdown', 'brief'])('names it in one line: %s', format => {
    const stdout = change.run('report', 'latest', '--format', format).stdout.replace(/[\\`]/g, '');
    expect(lines(stdout, line)).toBe(1);
    expect(stdout).toContain(format === 'markdown' ? 'Unread' : `jury review --continue ${short}`);
    expect(lines(stdout, /Suggested|Gap:/)).toBe(0);
    expect(lines(stdout, /part\d+\.js.*part\d+\.js.*part\d+\.js.*part\d+\.js/)).toBe(0);
  });

  it('stays within fifteen lines for whoever called', () => {
    const { stdout } = change.run('report', 'latest', '--format', 'brief');
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  it('asks one question about it in the journal', () => {
    const journal = readFileSync(path.join(lastRun(change.sample), 'journal.md'), 'utf8');
    expect(lines(journal, /Nobody read/)).toBe(1);
    expect(journal).toMatch(new RegExp(`and ${left - 2} more right\\? Nobody read them in full`));
  });

  it('cuts the lists of the report in the project, whose table has every file', () => {
    const folder = path.join(change.sample.root, '.jury/reviews');
    const [name = ''] = readdirSync(folder);
    const text = readFileSync(path.join(folder, name), 'utf8');
    expect(lines(text, /UNCOVERED: /)).toBe(3);
    expect(text).toContain(`… and ${left - 3} more`);
    expect(text).toContain(`→ Consider: jury review --continue ${short}`);
    expect(lines(text, /^\| `src\/part/)).toBe(30);
  });

  it('leaves a command with the answer of each reviewer that reviews the same change', () => {
    const output = JSON.parse(
      readFileSync(path.join(lastRun(change.sample), 'raw/src.json'), 'utf8'),
    ) as { recommendation: string };
    expect(output.recommendation).toBe(`Re-run review with: jury review --continue ${short}`);
  });

  it('can be gone on with by the short name, and by nothing that would be another review', () => {
    for (const [words, what] of [
      [['--staged'], '--staged'],
      [['HEAD~1'], '"HEAD~1"'],
      [['--reviewers', 'src'], '--reviewers'],
      [['--', 'src/part01.js'], 'A path'],
    ] as const) {
      const { code, stderr } = change.run('review', '--continue', short, ...words);
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining(`${what} would make it another review`),
      ]);
    }
    const before = change.questions().length;
    expect(change.json('review', '--continue', short).record.run).toBe(record.run);
    expect(change.questions().length).toBeGreaterThan(before);
  });
});

describe('a review that goes on with another cover', () => {
  it.each([
    ['all', 1],
    ['once', 1],
    ['risk', 2],
  ] as const)(
    'grows budgets from then on as "%s" says, and asks about nothing twice',
    (cover, least) => {
      const change = createLargeChange({ context: 200_000 });
      const { record } = change.json('review', '--config', change.config, '--cover', 'risk');
      const begun = unreadIn(record);
      expect(begun).toBeGreaterThan(0);
      const words = ['review', '--continue', 'latest'];
      const second = change.json(...words, '--cover', cover);
      expect(unreadIn(second.record)).toBeLessThan(begun);
      expect(second.stderr.includes('cover ')).toBe(cover !== 'risk');
      // What was said once holds for the rounds that follow.
      const rounds = readAll(change, second.record, words);
      expect(rounds.length).toBeGreaterThanOrEqual(least);
      if (cover !== 'risk') expect(rounds).toHaveLength(1);
      const last = rounds.at(-1);
      expect([last?.run, last?.outcome, unreadIn(last ?? record)]).toEqual([record.run, 'PASS', 0]);
      expect(asked(change).toSorted()).toEqual(change.files.map(file => `src ${file}`).toSorted());
      const { spending } = JSON.parse(
        readFileSync(path.join(lastRun(change.sample), 'plan.json'), 'utf8'),
      ) as { spending: { cover: string } };
      expect(spending.cover).toBe(cover);
    },
  );

  it('asks nobody where its panel is another now', () => {
    const change = createLargeChange({ context: 200_000 });
    change.json('review', '--config', change.config, '--cover', 'risk');
    const before = change.questions().length;
    const config = readFileSync(change.config, 'utf8');
    writeFileSync(change.config, config.replace('context: 200000', 'context: 100000'));
    const other = change.run('review', '--continue', 'latest', '--cover', 'all');
    expect([other.code, other.stdout]).toEqual([3, '']);
    expect(other.stderr).toContain('reviewer src was another when it began (context)');
    writeFileSync(change.config, config.replace('id: src', 'id: second'));
    const second = change.run('review', '--continue', 'latest', '--cover', 'all');
    expect([second.code, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain('reviewer src is not on the panel');
    expect(change.questions()).toHaveLength(before);
  });
});

describe('a review that goes on', () => {
  it('keeps what was read before a question failed', () => {
    const change = createLargeChange({
      tokens: 400,
      before: "if (count === 1) { console.error('no'); process.exit(7); }",
    });
    const { record } = change.json('review', '--config', change.config);
    const read = new Set(
      change.questions().flatMap(({ files, isAnswered }) => (isAnswered ? files : [])),
    );
    expect(read.size).toBeGreaterThan(0);
    expect(unreadIn(record)).toBe(30 - read.size);
    const rounds = readAll(change, record, ['review', '--continue', 'latest']);
    expect(unreadIn(rounds.at(-1) ?? record)).toBe(0);
    const answered = change
      .questions()
      .flatMap(({ files, isAnswered }) => (isAnswered ? files : []));
    expect(answered.filter(file => read.has(file))).toHaveLength(read.size);
    expect(rounds.at(-1)?.claims).toHaveLength(10);
  });

  it('stops at its ceiling, says so without spending, and goes on under a higher one', () => {
    const change = createLargeChange();
    const first = change.json('review', '--config', change.config, '--max-calls', '1').record;
    expect(change.questions()).toHaveLength(1);
    const still = change.run('review', '--continue', 'latest', '--format', 'brief');
    expect(change.questions()).toHaveLength(1);
    expect(still.stdout).toContain('Nobody was asked: The ceiling of 1 calls is reached');
    const on = change.json('review', '--continue', 'latest', '--max-calls', '2').record;
    expect(change.questions()).toHaveLength(2);
    expect(unreadIn(on)).toBeLessThan(unreadIn(first));
    expect(on.usage.calls).toBe(2);
  });

  it('asks nobody about what no round can read, and says what it is', () => {
    const change = createLargeChange({ folders: { src: 2 } });
    change.sample.write('src/huge9.js', 'const value = compute(first, second);\n'.repeat(3_000));
    change.sample.commit('huge');
    const { record } = change.json('review', '--config', change.config);
    expect(unreadIn(record)).toBe(1);
    const before = change.questions().length;
    const { stdout } = change.run('review', '--continue', 'latest', '--format', 'brief');
    expect(change.questions()).toHaveLength(before);
    expect(stdout).toMatch(/Nobody was asked: src\/huge9\.js cannot be read in any round/);
    expect(stdout).not.toContain('jury review --continue');
  });

  it('is over when its change has moved, and says what to do', () => {
    const change = createLargeChange();
    change.sample.git('reset', '--soft', 'HEAD~1');
    const first = change.json('review', '--staged', '--config', change.config).record;
    expect(unreadIn(first)).toBeGreaterThan(0);
    change.sample.write('src/part01.js', 'const value = 2;\n');
    change.sample.git('add', '.');
    const before = change.questions().length;
    const { code, stderr } = change.run('review', '--continue', 'latest');
    expect([code, change.questions().length]).toEqual([2, before]);
    expect(stderr).toMatch(/The change has moved since run .* began\. Start a new review/s);
  });
});
