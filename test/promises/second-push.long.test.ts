/**
 * A second review of a branch asks about what has changed since the first: what a reviewer read then and stands as it was is kept, with
 * the run it comes from. Nothing is fixed by the silence of somebody who was not asked.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { stateOf } from '../state-of.ts';
import { jury, juryJson, lastRun, startJury, writePanel } from '../cli/jury.ts';

interface Asked {
  readonly id: string;
  readonly shown: readonly string[];
  readonly prompt: string;
}

interface Branch {
  readonly sample: SampleRepository;
  readonly config: string;
  readonly review: (...words: readonly string[]) => ReturnType<typeof juryJson>;
  /** Who was asked since the last time, and about what. */
  readonly asked: () => readonly Asked[];
  readonly commit: (files: Readonly<Record<string, string>>) => void;
  /** A file in the folder of the panel: `<id>.fails` and `<id>.hangs` say what the reviewer does. */
  readonly note: (name: string, isThere?: boolean) => void;
}

/** Says of each added line with `bug` in it what stands behind that word. */
const script = (id: string, folder: string): string => `
const shown = [...prompt.matchAll(/^\\+\\+\\+ b\\/(.*)$/gm)].map(match => match[1]);
fs.appendFileSync(${JSON.stringify(path.join(folder, 'asked.jsonl'))}, JSON.stringify({ id: '${id}', shown, prompt }) + '\\n');
if (fs.existsSync(${JSON.stringify(path.join(folder, `${id}.fails`))})) process.exit(1);
if (fs.existsSync(${JSON.stringify(path.join(folder, `${id}.hangs`))})) setTimeout(() => {}, 60_000);
else {
  let [file, line] = ['', 0];
  const said = [];
  for (const text of prompt.split('\\n')) {
    const start = /^@@ -\\S+ \\+(\\d+)/.exec(text);
    if (text.startsWith('+++ b/')) file = text.slice(6);
    else if (start) line = Number(start[1]);
    else if (text.startsWith('+') || text.startsWith(' ')) {
      const bug = /^\\+.*bug (.*)/.exec(text);
      if (bug) said.push('IMPORTANT|' + file + ':' + line + '|' + bug[1]);
      line += 1;
    }
  }
  console.log(said.length === 0 ? 'None' : said.join('\\n'));
  console.log('VERDICT: ' + (said.length === 0 ? 'safe' : 'needs-changes'));
}`;

const long = (name: string, bug = ''): string =>
  Array.from({ length: 12 }, (_, at) => `export const ${name}${at} = ${at};\n`).join('') +
  (bug === '' ? '' : `export const wrong = null; // bug ${bug}\n`);

const leak = 'The handle of the log file is never closed when writing fails';
const race = 'Two callers can take the last ticket at the same time';

/** `main`, and from it a branch that adds three files; two have a bug. */
function open(
  panel: readonly string[] = ['alpha', 'beta'],
  settings = '',
  own: Readonly<Record<string, string>> = {},
): Branch {
  const sample = createSampleRepository();
  sample.write('src/old.js', long('old'));
  sample.write('.gitignore', '.jury/\n');
  sample.commit('base');
  sample.git('branch', '-M', 'main');
  sample.git('checkout', '-q', '-b', 'work');
  const commit: Branch['commit'] = files => {
    for (const [name, text] of Object.entries(files)) sample.write(name, text);
    sample.commit('more');
  };
  commit({ 'src/a.js': long('a', leak), 'src/b.js': long('b', race), 'src/c.js': long('c') });
  const folder = path.join(sample.root, '../panel');
  const config = writePanel(
    sample,
    panel.map(id => ({ id, script: script(id, folder), settings: own[id] ?? '' })),
    settings,
  );
  let seen = 0;
  return {
    sample,
    config,
    commit,
    review: (...words) =>
      juryJson(sample.root, ['review', 'main..work', '--config', config, ...words]),
    asked: () => {
      const file = path.join(folder, 'asked.jsonl');
      const all = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      const since = all.slice(seen).map(line => JSON.parse(line) as Asked);
      seen = all.length;
      return since.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    },
    note: (name, isThere = true) => {
      if (isThere) writeFileSync(path.join(folder, name), '');
      else rmSync(path.join(folder, name));
    },
  };
}

type Report = ReturnType<typeof juryJson>['record'];

const shownTo = (asked: readonly Asked[]): (readonly [string, string])[] =>
  asked.map(({ id, shown }) => [id, shown.join(' ')] as const);

const claimAbout = ({ claims }: Report, word: string) =>
  claims.find(({ text }) => text.includes(word));

const states = (record: Report): unknown =>
  record.claims.map(({ id, state, location }) => [id, state, location?.line]);

const ids = ({ claims }: Report): string[] => claims.map(({ id }) => id).toSorted();

const push = ({ commit }: Branch): void =>
  commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });

const planned = ({ sample, config }: Branch, ...words: readonly string[]) =>
  jury(sample.root, [...words, 'main..work', '--config', config]).stdout;

describe('a second push', () => {
  it('asks about the file that changed, and keeps the others with the run they were read in', () => {
    const { review, asked, commit, sample } = open();
    const first = review();
    expect(shownTo(asked())).toEqual([
      ['alpha', 'src/a.js src/b.js src/c.js'],
      ['beta', 'src/a.js src/b.js src/c.js'],
    ]);
    commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    const second = review();
    const questions = asked();
    expect(shownTo(questions)).toEqual([
      ['alpha', 'src/b.js'],
      ['beta', 'src/b.js'],
    ]);
    expect(second.record.carried).toEqual({
      run: first.record.run,
      files: 3,
      asked: 1,
      kept: 2,
      reviewers: [
        { reviewer: 'alpha', asked: 1, kept: 2 },
        { reviewer: 'beta', asked: 1, kept: 2 },
      ],
      whole: [],
    });
    expect(second.record.coverage.files.map(({ path, by, kept }) => [path, by, kept])).toEqual(
      ['src/a.js', 'src/b.js', 'src/c.js'].map(path => [
        path,
        ['alpha', 'beta'],
        path === 'src/b.js'
          ? undefined
          : ['alpha', 'beta'].map(reviewer => ({ reviewer, run: first.record.run })),
      ]),
    );
    expect(claimAbout(second.record, 'log file')).toMatchObject({
      id: claimAbout(first.record, 'log file')?.id,
      state: 'persisting',
      supporters: ['alpha', 'beta'],
    });
    expect(second.record.fixed.map(({ text }) => text)).toEqual([race]);
    // What it said of the file is told, and what it said of others is not.
    expect(questions[0]?.prompt).toContain(`src/b.js:13 (IMPORTANT): ${race}`);
    expect(questions[0]?.prompt).toContain('src/b.js: lines 13');
    expect(questions[0]?.prompt).not.toContain(leak);
    expect(jury(sample.root, ['show', 'latest']).stdout).toContain(
      `Second review: 1 of 3 files asked, 2 kept from run ${first.record.run}.`,
    );
    expect(jury(sample.root, ['report', 'latest', '--format', 'brief']).stdout).toContain(
      'Second review: 1 of 3 files asked, 2 kept from run',
    );
  });

  it('keeps a claim that still stands, and knows one again that comes back', () => {
    const { review, commit } = open(['alpha']);
    const first = review();
    const [a, b] = ['log file', 'last ticket'].map(word => claimAbout(first.record, word)?.id);
    // The bug stands two lines further down.
    commit({ 'src/b.js': `// one\n// two\n${long('b', race)}` });
    const moved = review().record;
    expect(states(moved)).toEqual([
      [a, 'persisting', 13],
      [b, 'persisting', 15],
    ]);
    commit({ 'src/b.js': long('b') });
    const mended = review().record;
    expect([states(mended), mended.fixed.map(({ id }) => id)]).toEqual([
      [[a, 'persisting', 13]],
      [b],
    ]);
    commit({ 'src/b.js': `${long('b')}\n${long('more', race)}` });
    expect(states(review().record)).toEqual([
      [a, 'persisting', 13],
      [b, 'reopened', 26],
    ]);
  });

  it('goes on from the push before, and says of each file when it was read', () => {
    const { review, asked, commit } = open(['alpha']);
    const runs = [review().record.run];
    commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    runs.push(review().record.run);
    asked();
    commit({ 'src/c.js': `${long('c')}export const right = 1;\n` });
    const third = review();
    expect(shownTo(asked())).toEqual([['alpha', 'src/c.js']]);
    expect(third.record.carried?.run).toBe(runs[1]);
    expect(third.record.coverage.files.map(({ kept }) => kept?.[0]?.run)).toEqual([
      runs[0],
      runs[1],
      undefined,
    ]);
    expect(third.record.claims[0]?.findings[0]?.from).toBe(runs[0]);
  });

  it('costs what is asked', () => {
    const { review, commit, sample } = open(['alpha']);
    const first = review().record;
    commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    const { usage } = review().record;
    expect(usage.calls).toBe(1);
    expect(usage.details.inputTokens).toBeLessThan(first.usage.details.inputTokens);
    // What was said once is counted once.
    const { reviewers } = JSON.parse(jury(sample.root, ['stats', '--json']).stdout) as {
      reviewers: readonly { findings: number; calls: number }[];
    };
    expect(reviewers.map(({ findings, calls }) => [findings, calls])).toEqual([[2, 2]]);
  });
});

describe('nobody is asked', () => {
  it('after a rebase that moves lines, and claims move along', () => {
    const { review, asked, sample } = open();
    sample.write('src/old.js', `${long('old')}// bug ${race}, from here\n`);
    sample.commit('end of an older file');
    const first = review();
    asked();
    sample.git('checkout', '-q', 'main');
    sample.write('src/old.js', `// one\n// two\n${long('old')}`);
    sample.write('src/other.js', long('other'));
    sample.commit('main goes on');
    sample.git('checkout', '-q', 'work');
    sample.git('rebase', '-q', 'main');
    const second = review();
    expect([asked(), second.record.usage.calls]).toEqual([[], 0]);
    expect(second.record.carried).toMatchObject({ run: first.record.run, asked: 0, kept: 4 });
    expect(ids(second.record)).toEqual(ids(first.record));
    const old = claimAbout(second.record, 'from here');
    expect([old?.state, old?.location?.line]).toEqual(['persisting', 15]);
    expect(second.record.outcome).toBe(first.record.outcome);
  });

  it('after a force-push of the same work', () => {
    const { review, asked, sample } = open();
    review();
    asked();
    sample.git('checkout', '-q', '--orphan', 'again');
    sample.git('reset', '-q', '--hard', 'main');
    sample.git('checkout', '-q', 'work', '--', 'src/a.js', 'src/b.js', 'src/c.js');
    sample.commit('one commit');
    sample.git('branch', '-q', '-M', 'work');
    expect(review().record.reused).toBe(true);
    expect(asked()).toEqual([]);
    sample.remove('src/c.js');
    sample.git('add', '-A');
    sample.git('commit', '-q', '--amend', '-m', 'one file less');
    const { record } = review();
    expect([record.usage.calls, record.carried?.kept, asked()]).toEqual([0, 2, []]);
  });
});

describe('a reviewer is asked about all of it', () => {
  const all = 'src/a.js src/b.js src/c.js';
  it('when it had failed: what it did not read is nobody’s to keep', () => {
    const branch = open(['alpha', 'beta', 'gamma'], 'quorum: 2\n');
    const { review, asked, note } = branch;
    note('beta.fails');
    review();
    note('beta.fails', false);
    asked();
    push(branch);
    const { record } = review();
    expect(shownTo(asked())).toEqual([
      ['alpha', 'src/b.js'],
      ['beta', all],
      ['gamma', 'src/b.js'],
    ]);
    expect(record.carried?.whole).toEqual([{ reviewer: 'beta', why: 'it had not completed' }]);
  });

  it('and others are not, when the run came to no decision', () => {
    const branch = open(['alpha', 'beta'], 'quorum: 2\n');
    const { review, asked, note } = branch;
    note('beta.fails');
    expect(review().record.outcome).toBe('INCOMPLETE');
    note('beta.fails', false);
    asked();
    push(branch);
    review();
    expect(shownTo(asked())).toEqual([
      ['alpha', 'src/b.js'],
      ['beta', all],
    ]);
  });

  it.each<readonly [string, (branch: Branch) => readonly string[]]>([
    [
      'when it is another persona',
      ({ config }) => {
        writeFileSync(
          config,
          readFileSync(config, 'utf8').replace(
            'id: alpha, ',
            'id: alpha, persona: security-reviewer, ',
          ),
        );
        return [];
      },
    ],
    [
      'when its program has changed',
      ({ config }) => {
        appendFileSync(path.join(path.dirname(config), 'alpha.mjs'), '\n// mended\n');
        return [];
      },
    ],
  ])('%s', (_when, alter) => {
    const branch = open();
    branch.review();
    branch.asked();
    push(branch);
    const { record } = branch.review(...alter(branch));
    expect(shownTo(branch.asked())).toEqual([
      ['alpha', all],
      ['beta', 'src/b.js'],
    ]);
    expect(record.carried?.whole).toEqual([
      { reviewer: 'alpha', why: 'it is asked in another way' },
    ]);
  });

  it('when what is kept of its run is damaged', () => {
    const branch = open(['alpha']);
    branch.review();
    branch.asked();
    const file = path.join(lastRun(branch.sample), 'raw/alpha.json');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
    push(branch);
    branch.review();
    expect(shownTo(branch.asked())).toEqual([['alpha', all]]);
  });

  it.each<readonly [string, readonly string[]]>([
    ['when that is wanted', ['--fresh']],
    ['when another intention is stated', ['--description', 'Adds three modules']],
  ])('with everybody else, %s', (_when, words) => {
    const branch = open();
    branch.review();
    branch.asked();
    push(branch);
    const { record } = branch.review(...words);
    expect(shownTo(branch.asked())).toEqual([
      ['alpha', all],
      ['beta', all],
    ]);
    expect(record.carried).toBeUndefined();
    // Who is asked and does not repeat a thing has said that it is gone.
    expect(record.claims.map(({ state }) => state)).toEqual(['persisting']);
  });

  it('and not when it fails now: what it read then is still read', () => {
    const branch = open(['alpha'], 'failOn: [critical]\n');
    branch.review();
    push(branch);
    branch.note('alpha.fails');
    const { record } = branch.review();
    expect([record.outcome, record.fixed]).toEqual(['INCOMPLETE', []]);
    expect(record.coverage.files.map(({ path, by }) => [path, by])).toEqual([
      ['src/a.js', ['alpha']],
      ['src/b.js', []],
      ['src/c.js', ['alpha']],
    ]);
    branch.note('alpha.fails', false);
    branch.asked();
    const mended = juryJson(branch.sample.root, ['resume', 'latest']).record;
    expect(shownTo(branch.asked())).toEqual([['alpha', 'src/b.js']]);
    expect([mended.outcome, mended.fixed.map(({ text }) => text)]).toEqual(['PASS', [race]]);
  });

  it('and what it said of a file stands until it has read it again', () => {
    const branch = open(['alpha', 'beta'], 'quorum: 1\nfailOn: [high]\n');
    branch.commit({ 'src/a.js': long('a') });
    const { review, note, commit } = branch;
    writeFileSync(
      path.join(path.dirname(branch.config), 'beta.mjs'),
      "console.log('None\\nVERDICT: safe');\n",
    );
    const first = review().record;
    note('alpha.fails');
    commit({ 'src/b.js': `// one\n${long('b', race)}` });
    const second = review().record;
    expect([first.outcome, second.outcome, second.fixed]).toEqual(['FAIL', 'FAIL', []]);
    expect(states(second)).toEqual([[ids(first)[0], 'persisting', 14]]);
    expect(second.claims[0]?.findings[0]?.from).toBe(first.run);
    note('alpha.fails', false);
    const third = juryJson(branch.sample.root, ['review', '--continue', second.run]).record;
    expect([third.outcome, third.claims.map(({ findings }) => findings.length)]).toEqual([
      'FAIL',
      [1],
    ]);
    expect(third.claims[0]?.findings[0]?.from).toBeUndefined();
  });

  it('when the lines around its change are others than it was shown', () => {
    const { review, asked, sample } = open(['alpha']);
    sample.write('src/old.js', `${long('old')}// a note\n`);
    sample.commit('end of an older file');
    review();
    asked();
    sample.git('checkout', '-q', 'main');
    sample.write('src/old.js', long('old').replace('old10', 'older10'));
    sample.commit('main goes on');
    sample.git('checkout', '-q', 'work');
    sample.git('rebase', '-q', 'main');
    review();
    expect(shownTo(asked())).toEqual([['alpha', 'src/old.js']]);
  });
});

describe('before anybody is asked', () => {
  it('the plan and the dry run say what is asked and what is kept', () => {
    const branch = open(['alpha']);
    const { run } = branch.review().record;
    branch.commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    branch.asked();
    const second = `1 of 3 files asked, 2 kept from run ${run}`;
    expect(planned(branch, 'plan')).toContain(`Second:    ${second}`);
    const dry = planned(branch, 'review', '--dry-run');
    expect(dry).toContain(`Second review: ${second}`);
    expect(dry.match(/^ {4}(?:not )?sent: .*$/gm)).toEqual(['    sent: src/b.js']);
    const whole = planned(branch, 'review', '--dry-run', '--fresh');
    expect(whole.match(/^ {4}(?:not )?sent: .*$/gm)).toHaveLength(3);
    expect(branch.asked()).toEqual([]);
  });

  it('they say so where nobody will be', () => {
    const branch = open(['alpha']);
    branch.review();
    branch.sample.git('rm', '-q', 'src/c.js');
    branch.sample.commit('one file less');
    const plan = JSON.parse(planned(branch, 'plan', '--json')) as {
      calls: { expected: number };
      unread: readonly string[];
      carried: { kept: number };
    };
    expect([plan.calls.expected, plan.unread, plan.carried.kept]).toEqual([0, [], 2]);
    expect(planned(branch, 'review', '--dry-run')).toContain('nothing it reads has changed since');
  });
});

describe('a file is read again', () => {
  const price = 'export function priceOf(item) {\n  return item.price;\n}\n';
  const cart =
    "import { priceOf } from './price.js';\nexport const sum = list => list.map(priceOf);\n";
  const both = { 'src/price.js': price, 'src/cart.js': cart };

  it.each<readonly [string, string]>([
    ['whose lines use what is new in another', ''],
    ['also where what stands around a change is shown', 'packs: { programs: true }\n'],
  ])('%s', (_when, settings) => {
    const { review, asked, commit } = open(['alpha'], settings);
    commit(both);
    review();
    asked();
    commit({ 'src/price.js': price.replace('item.price', 'item.price ?? 0') });
    const { record } = review();
    const questions = asked();
    expect(shownTo(questions)).toEqual([['alpha', 'src/cart.js src/price.js']]);
    expect(questions[0]?.prompt).toContain('src/cart.js: uses what is new in src/price.js');
    expect(record.carried).toMatchObject({ asked: 2, kept: 3 });
  });

  it.each<readonly [string, string, (branch: Branch) => void]>([
    [
      'has another name',
      'src/cart.js src/price.js',
      ({ commit }) => commit({ 'src/price.js': price.replace('priceOf', 'costOf') }),
    ],
    [
      'is gone with its file',
      'src/cart.js',
      ({ sample }) => {
        sample.remove('src/price.js');
        sample.commit('no price');
      },
    ],
  ])('whose lines use what %s', (_what, shown, alter) => {
    const branch = open(['alpha']);
    branch.commit(both);
    branch.review();
    branch.asked();
    alter(branch);
    branch.review();
    expect(shownTo(branch.asked())).toEqual([['alpha', shown]]);
  });

  it('with all others where no index tells who uses what, unless nothing has changed', () => {
    const { review, asked, commit, sample } = open(['alpha']);
    review();
    asked();
    const index = path.join(stateOf(sample.root), 'index.sqlite');
    for (const end of ['', '-wal', '-shm']) rmSync(`${index}${end}`, { force: true });
    mkdirSync(index);
    sample.git('checkout', '-q', 'main');
    commit({ 'src/new.js': long('new') });
    sample.git('checkout', '-q', 'work');
    sample.git('rebase', '-q', 'main');
    review();
    expect(shownTo(asked())).toEqual([]);
    commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    const { record } = review();
    expect(shownTo(asked())).toEqual([['alpha', 'src/a.js src/b.js src/c.js']]);
    expect(record.carried).toBeUndefined();
  });

  it('where the very same lines were changed in another place of the same text', () => {
    const { review, asked, sample, commit } = open(['alpha']);
    const block = 'host:\n  user: x\n  port: 1\n  path: /\n  wait: 9\n  keep: 0\n  more: y\n';
    sample.git('checkout', '-q', 'main');
    commit({ 'hosts.txt': block.repeat(6) });
    sample.git('checkout', '-q', 'work');
    sample.git('rebase', '-q', 'main');
    const at = (number: number): string =>
      [0, 1, 2, 3, 4, 5]
        .map(each => (each === number ? block.replace('/\n', '/\n  open: 1\n') : block))
        .join('');
    commit({ 'hosts.txt': at(3) });
    review();
    asked();
    commit({ 'hosts.txt': at(4) });
    review();
    expect(shownTo(asked())).toEqual([['alpha', 'hosts.txt']]);
  });
});

describe('a second review that is killed', () => {
  it('goes on with what it had kept', async () => {
    const { review, asked, commit, note, sample, config } = open(['alpha']);
    const first = review();
    asked();
    commit({ 'src/b.js': `${long('b')}export const right = 1;\n` });
    note('alpha.hangs');
    const process = startJury(sample.root, ['review', 'main..work', '--config', config]);
    await expect.poll(() => asked().length, { timeout: 20_000, interval: 50 }).toBe(1);
    const ended = new Promise(resolve => process.once('exit', resolve));
    process.kill('SIGKILL');
    await ended;
    note('alpha.hangs', false);
    const { record } = juryJson(sample.root, ['resume', 'latest']);
    const questions = asked();
    expect(shownTo(questions)).toEqual([['alpha', 'src/b.js']]);
    expect(questions[0]?.prompt).toContain(race);
    expect(record.carried).toMatchObject({ run: first.record.run, asked: 1, kept: 2 });
    expect(record.claims.map(({ state }) => state)).toEqual(['persisting']);
  });
});
