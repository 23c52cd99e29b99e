/** The change that a person means, read once and held to the end; and what an earlier reading of it is still worth, by place. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createFolder,
  createSampleRepository,
  copySample,
  openSample,
  runGitIn,
  type SampleRepository,
} from '../../adapters/git/sample-repository.ts';
import { byHand, jury, juryJson, writePanel } from '../../cli/jury.ts';
import { comparePushes } from './pushes-by-place.ts';

const checks = ['--reviewers', 'diff,secrets'];

interface Reviewed {
  readonly code: number | null;
  readonly files: string;
  readonly title: string;
  readonly error: string;
}

function review({ root }: SampleRepository, ...words: readonly string[]): Reviewed {
  const { code, stdout, stderr } = jury(root, ['review', ...words, ...checks, '--format', 'json'], {
    environment: byHand,
  });
  if (stdout === '') return { code, files: '', title: '', error: stderr };
  const { coverage, subject } = JSON.parse(stdout) as ReturnType<typeof juryJson>['record'];
  const files = coverage.files.map(each => each.path).join(' ');
  return { code, files, title: subject.title, error: stderr };
}

/** `main` has gone on by two files since `feat` left it with one; `feat` is checked out. */
let parted: SampleRepository;
beforeAll(() => {
  parted = createSampleRepository();
  parted.write('base.txt', 'one\n');
  parted.commit('base');
  parted.git('checkout', '-q', '-b', 'feat');
  parted.write('feat.js', 'export const x = 1;\n');
  parted.commit('feat');
  parted.git('checkout', '-q', 'main');
  parted.write('up/one.txt', 'u\n');
  parted.write('up/two.txt', 'u\n');
  parted.commit('up');
  parted.git('tag', '-a', '-m', 'tagged', 'v1');
  parted.git('checkout', '-q', 'feat');
});

describe('a range is what its end adds', () => {
  it.each([
    ['A..B', ['main..HEAD']],
    ['A...B', ['main...HEAD']],
    ['--base alone', ['--base', 'main']],
    ['--base and --head', ['--base', 'main', '--head', 'feat']],
    ['an annotated tag', ['v1..feat']],
  ])('%s, since the merge base, which the title names with both counts', (_, words) => {
    const { files, title } = review(parted, ...words);
    const base = parted.git('merge-base', 'main', 'feat').slice(0, 8);
    expect(files).toBe('feat.js');
    expect(title).toContain(`since merge base ${base} (1 file; `);
    expect(title).toMatch(/ moved on by 2 files\)$/);
  });

  it('and on a screen and in the brief too', () => {
    for (const format of ['terminal', 'brief', 'markdown']) {
      const { stdout } = jury(parted.root, ['review', 'main..HEAD', ...checks, '--format', format]);
      expect(stdout.split('\n').slice(0, 12).join('\n')).toMatch(/since merge base `?\w{8}/);
    }
  });

  it('with --exact the difference of the two trees', () => {
    expect(review(parted, 'main..HEAD', '--exact').files).toBe('feat.js up/one.txt up/two.txt');
    expect(review(parted, '--base', 'main', '--exact').title).toBe('main..HEAD');
    expect(review(parted, 'HEAD', '--exact').code).toBe(3);
  });

  it('the same where nothing moved on, and nothing where it adds nothing', () => {
    expect(review(parted, 'feat~1..feat')).toMatchObject({
      files: 'feat.js',
      title: 'feat~1..feat',
    });
    const { code, error } = review(parted, 'feat..feat~1');
    expect([code, error]).toEqual([
      2,
      expect.stringContaining('feat~1 has nothing that feat lacks'),
    ]);
  });

  it('says what to do where there is no merge base', () => {
    const sample = copySample(parted);
    sample.git('checkout', '-q', '--orphan', 'alone');
    sample.commit('alone');
    const { code, error } = review(sample, 'main..alone');
    expect([code, error]).toEqual([2, expect.stringContaining('--exact')]);
    expect(review(sample, 'main..alone', '--exact').code).toBe(0);
  });

  it('says what to do in a shallow clone', () => {
    const folder = createFolder();
    const from = `file://${parted.root}`;
    runGitIn(folder, ['clone', '-q', '--depth', '1', '--no-single-branch', from, 'clone']);
    const clone = openSample(path.join(folder, 'clone'));
    const { code, error } = review(clone, 'origin/main..origin/feat');
    expect(code).toBe(2);
    expect(error).toMatch(/git fetch --unshallow.*fetch-depth: 0/s);
  });

  it('from the merge base that git chooses where there are several', () => {
    const sample = copySample(parted);
    sample.git('merge', '-q', '-m', 'one', 'main');
    sample.git('checkout', '-q', 'main');
    sample.git('merge', '-q', '-m', 'other', 'feat~1');
    sample.write('late.txt', 'l\n');
    sample.commit('late');
    const all = sample.git('merge-base', '--all', 'main', 'feat').split('\n');
    const { title } = review(sample, 'main..feat');
    expect(all).toHaveLength(2);
    expect(title).toContain(`${all[0]?.slice(0, 8)}, one of 2`);
  });

  it('whatever lies in between: an octopus, and a rename of five hundred files', () => {
    const sample = copySample(parted);
    for (const name of ['one', 'two', 'three']) {
      sample.git('checkout', '-q', '-b', name, 'feat~1');
      sample.write(`${name}.txt`, name);
      sample.commit(name);
    }
    sample.git('checkout', '-q', 'feat');
    sample.git('merge', '-q', '-m', 'octopus', 'one', 'two', 'three');
    expect(review(sample, 'main..feat').files).toBe('feat.js one.txt three.txt two.txt');
    expect(review(sample, 'HEAD').files).toBe('one.txt three.txt two.txt');
    for (let at = 0; at < 500; at++) sample.write(`from/${at}.txt`, `${at}\nsame\nlines\n`);
    sample.commit('many');
    sample.git('mv', 'from', 'to');
    sample.commit('moved');
    expect(review(sample, 'HEAD').files.split(' ')).toHaveLength(500);
  });
});

describe('without a name it is', () => {
  it('what the branch adds, where everything is committed', () => {
    const { files, title } = review(parted);
    expect(files).toBe('feat.js');
    expect(title).toMatch(/^this branch, main\.\.feat since merge base/);
  });

  it.each([
    ['of a branch that adds nothing', ['checkout', '-q', 'feat~1', '-B', 'same']],
    ['of no branch', ['checkout', '-q', '--detach']],
    ['of the default branch', ['checkout', '-q', 'main']],
  ])('the last commit %s', (_, words) => {
    const sample = copySample(parted);
    sample.git(...words);
    expect(review(sample).title).toMatch(/^last commit /);
  });

  it('what is not committed first, with new files; some are named and not sent', () => {
    const sample = copySample(parted);
    sample.write('new.js', 'export const y = 2;\n');
    sample.write('.env.local', 'TOKEN=1\n');
    sample.write('deploy.pem', 'x\n');
    sample.write('rows.csv', 'a,b\n');
    sample.write('photo.png', Buffer.from([137, 80, 0, 1]));
    sample.write('long.js', `// ${'x'.repeat(300 * 1024)}\n`);
    for (const command of [['review'], ['review', '--worktree'], ['gates']]) {
      const { record } = juryJson(sample.root, [...command, ...checks, '--fresh'], {
        environment: byHand,
      });
      expect(record.coverage.files.map(each => each.path)).toEqual(['new.js']);
      expect(record.subject.usual?.notes.join()).toBe(
        'Untracked, so not reviewed: .env.local (its name looks secret), deploy.pem (its name looks secret), ' +
          'long.js (over 256 kB), photo.png (data), rows.csv (data).',
      );
    }
    const { stdout } = jury(sample.root, ['review', '--no-untracked', ...checks], {
      environment: byHand,
    });
    expect(stdout).toMatch(/Subject: this branch.*Untracked, so not reviewed: .*new\.js/);
    expect(review(sample, 'main..HEAD', '--no-untracked').code).toBe(3);
  });

  it('what is there in a repository without a commit', () => {
    const sample = createSampleRepository();
    sample.write('first.js', 'export const a = 1;\n');
    expect(review(sample)).toMatchObject({ files: 'first.js', title: 'uncommitted changes' });
  });
});

it('no file of the project is written, and no copy is seen by git', () => {
  const sample = copySample(parted);
  sample.write('.gitignore', 'build/\n');
  sample.commit('ignore');
  review(sample);
  jury(sample.root, ['collect', '--prepare', 'design']);
  expect(sample.git('status', '--porcelain', '--ignored')).toBe('!! .jury/');
  expect(readFileSync(path.join(sample.root, '.gitignore'), 'utf8')).toBe('build/\n');
});

describe('what is under review is looked at again at the end', () => {
  it.each([
    ['--worktree', ['--worktree'], 'src/a.js'],
    ['--staged', ['--staged'], '.git/index'],
    ['HEAD', ['HEAD'], '.git/refs/heads/main'],
    ['main~1..HEAD', ['main~1..HEAD'], '.git/refs/heads/main'],
  ])('%s', (_, words, name) => {
    const sample = createSampleRepository();
    for (const at of [1, 2, 3]) {
      sample.write('src/a.js', `export const a = ${at};\n`);
      sample.commit(`${at}`);
    }
    const other = {
      '.git/index': readFileSync(path.join(sample.root, '.git/index')),
      '.git/refs/heads/main': `${sample.git('rev-parse', 'main~1')}\n`,
      'src/a.js': 'export const a = process.env.TOKEN;\n',
    }[name];
    sample.write('src/a.js', 'export const a = 1 + 3;\n');
    sample.git('add', '-A');
    writeFileSync(path.join(sample.root, '../other'), other ?? '');
    const file = path.join(sample.root, name);
    const replace = `fs.copyFileSync(${JSON.stringify(path.join(sample.root, '../other'))}, ${JSON.stringify(file)});`;
    const says = "console.log('None\\nVERDICT: safe\\nEND OF ANSWER');";
    const config = writePanel(sample, [{ id: 'm', script: `${replace}${says}` }]);
    const { code, record } = juryJson(sample.root, ['review', ...words, '--config', config]);
    expect([code, record.outcome]).toEqual([2, 'INCOMPLETE']);
    expect(record.reasons.map(({ rule }) => rule)).toEqual(['changed']);
    sample.git('add', '-A');
    const calm = writePanel(sample, [{ id: 'm', script: says }]);
    expect(jury(sample.root, ['review', ...words, '--config', calm, '--fresh']).code).toBe(0);
  });
});

const said = (place: string): string =>
  `### Findings Index\n- P0 | A-1 | "Users" | Anybody can cancel any order | ${place}\nVerdict: risky\n### Summary\nOne.\n` +
  `### Issues Found\n1. **A-1** (P0): Anybody can cancel any order, in ${place}.\n<!-- jury:complete -->\n`;

const collect = (sample: SampleRepository, place: string, ...words: readonly string[]) => {
  mkdirSync(path.join(sample.root, 'inbox'), { recursive: true });
  writeFileSync(path.join(sample.root, 'inbox/a.md'), said(place));
  return jury(sample.root, ['collect', 'inbox', ...words]);
};

describe('collect looks places up', () => {
  it.each<readonly [string, string, readonly string[], number]>([
    ['in the working tree', 'feat.js:1', [], 1],
    ['in the paths', 'feat.js:1', ['--subject', 'feat.js'], 1],
    ['in the range', 'feat.js:1', ['--subject', 'main..HEAD'], 1],
    ['and not in what the range has not', 'up/one.txt:1', ['--subject', 'main..HEAD'], 2],
    ['and not in what is not there', 'gone.js:1', [], 2],
  ])('%s', (_, place, words, code) => {
    const sample = copySample(parted);
    const ended = collect(sample, place, ...words);
    expect(ended.code).toBe(code);
    expect(ended.stdout.includes('place not found')).toBe(code === 2);
  });

  it('and refuses what is neither a range nor a path', () => {
    expect(collect(copySample(parted), 'feat.js:1', '--subject', 'nonsense').code).toBe(2);
  });
});

const block = (name: string): string =>
  `  "${name}": {\n${Array.from({ length: 9 }, (_, at) => `    "k${at}": ${at},\n`).join('')}    "end": 0\n  },\n`;
const base = `{\n${block('dev')}${block('prod')}  "z": 0\n}\n`;
const hot = (text: string, which: number): string => {
  const lines = text.split('\n');
  const places = lines.flatMap((line, at) => (line.includes('"k4"') ? [at] : []));
  return lines.toSpliced((places[which] ?? 0) + 1, 0, '    "hot": true,').join('\n');
};

describe('a second push, by place', () => {
  /** Finds fault with what stands in the second half of the file. */
  const script = `let line = 0;
const said = [];
for (const text of prompt.split('\\n')) {
  const start = /^@@ -\\S+ \\+(\\d+)/.exec(text);
  if (start) line = Number(start[1]);
  else if (/^[+ ]/.test(text)) {
    if (text.startsWith('+') && text.includes('hot') && line > 13) said.push('CRITICAL|a.json:' + line + '|Production is hot');
    line += 1;
  }
}
console.log((said.join('\\n') || 'None') + '\\nVERDICT: ' + (said.length ? 'risky' : 'safe') + '\\nEND OF ANSWER');`;

  it.each([
    ['is asked about again where it moved to an equal block', 1, 1, 'FAIL'],
    ['is kept where it moved with its block', 0, 0, 'PASS'],
  ])('a hunk %s', (_, which, calls, outcome) => {
    const sample = createSampleRepository();
    const put = (text: string, message: string): void => {
      sample.write('a.json', text);
      sample.commit(message);
    };
    put(base, 'base');
    sample.git('checkout', '-q', '-b', 'work');
    put(hot(base, 0), 'hot');
    const config = writePanel(sample, [{ id: 'm', script }]);
    const run = (...words: readonly string[]) =>
      juryJson(sample.root, ['review', 'main..work', '--config', config, ...words]).record;
    expect(run().outcome).toBe('PASS');
    sample.git('checkout', '-q', 'main');
    put(`\n${base}`, 'a line');
    sample.git('checkout', '-q', '-B', 'work');
    put(hot(`\n${base}`, which), 'hot');
    const second = run();
    expect([second.usage.calls, second.outcome]).toEqual([calls, outcome]);
    expect(run('--fresh').outcome).toBe(outcome);
  });
});

it.each([14, 19, 28])('pushes of made branch %i come to what fresh reviews come to', seed => {
  expect(comparePushes(seed, 3).differences).toEqual([]);
});
