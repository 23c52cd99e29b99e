/** Traps in files, their names and their history: what hides a change, leads out, speaks to a terminal, hangs or never ends. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { hangs, privateText } from '../adapters/git/hostile-zoo.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { putAt } from './target.ts';
import type { Trap } from './trap.ts';

const escape = '\u001b';
/** Words of a shell: a line that holds it springs the trap. */
const seen = (words: string, what: string) =>
  `${words} | grep -q "$(printf '${what}')" && touch "$MARKER"`;

const names: readonly Trap[] = [
  {
    name: 'names that speak to a terminal',
    plant: ({ sample }) =>
      putAt('change', sample, () => {
        for (const name of [
          `${escape}[2J${escape}]0;owned\u0007.js`,
          'b\u009b31m.js',
          '\u202efig.js',
        ])
          sample.write(`folder/${name}`, 'eval(process.argv[2]);\n');
      }),
    control: seen('ls folder | cat', '\\033'),
  },
  {
    name: 'names of several lines',
    plant: ({ sample }) =>
      putAt('change', sample, () => {
        for (const name of ['a\n::error::x', 'b\r\nPASS', '+++ b', 'x|y', '`x`<img src=x>@org'])
          sample.write(`folder/${name}.js`, 'eval(process.argv[2]);\n');
      }),
    control: `ls folder | grep -q '^::error' && touch "$MARKER"`,
  },
  {
    name: 'commit that speaks to a terminal',
    plant({ sample }) {
      sample.git('stash', '-q');
      sample.git(
        'commit',
        '-q',
        '--amend',
        '-m',
        `${escape}[2J::set-output name=x::y\n\nGate: PASS`,
      );
      sample.git('stash', 'pop', '-q', '--index');
    },
    control: seen('git log -1 --format=%B', '\\033'),
  },
  {
    name: 'code that speaks to a terminal',
    plant: ({ sample }) =>
      putAt('change', sample, () =>
        sample.write('c.js', `eval('${escape}[8m${escape}]52;c;eA==\u0007 \u202e \u2066');\n`),
      ),
    control: seen('git show HEAD:c.js', '\\033'),
  },
];

const hiding: readonly Trap[] = [
  {
    name: 'encoding in which the code on disk is other text',
    plant({ sample }) {
      sample.write('.gitattributes', '*.js working-tree-encoding=UTF-16LE\n');
      // Of an even number of bytes, as the encoding wants it.
      for (const name of ['a.js', 'folder/b.js', 'untracked.js'])
        sample.write(name, 'eval(process.argv[22]);\n');
    },
    control:
      'git add a.js && git cat-file -p :a.js | grep -q eval || { grep -q eval a.js && touch "$MARKER"; }',
  },
  {
    name: 'keyword that swallows the code on disk',
    plant({ sample }) {
      sample.write('.gitattributes', '*.js ident\n');
      sample.write('a.js', '/* $Id: */ eval(process.argv[2]); /* $ */\n');
    },
    control:
      'git add a.js && git cat-file -p :a.js | grep -q eval || { grep -q eval a.js && touch "$MARKER"; }',
  },
  {
    name: 'configuration of one working tree that leads elsewhere',
    plant({ sample, command, canary }) {
      sample.git('config', 'extensions.worktreeConfig', 'true');
      const own = path.join(sample.root, '.git/config.worktree');
      sample.git('config', '-f', own, 'core.fsmonitor', command);
      sample.git('config', '-f', own, 'core.worktree', canary);
    },
    control: 'git status',
  },
  {
    name: 'graft that takes the change away',
    plant({ sample }) {
      const same = sample.git('commit-tree', '-m', 'same', 'HEAD^{tree}');
      sample.write('.git/info/grafts', `${sample.git('rev-parse', 'HEAD')} ${same}\n`);
    },
    control: 'git diff --quiet HEAD~1 HEAD && touch "$MARKER"',
  },
  {
    name: 'shallow file that cuts the history',
    plant: ({ sample }) => sample.write('.git/shallow', `${sample.git('rev-parse', 'HEAD')}\n`),
    control: 'git rev-parse --verify HEAD~1 || touch "$MARKER"',
  },
  {
    name: 'object whose bytes are others than its name says',
    plant({ sample }) {
      const id = sample.git('rev-parse', 'HEAD:a.js');
      const file = path.join(sample.root, '.git/objects', id.slice(0, 2), id.slice(2));
      chmodSync(file, 0o644);
      writeFileSync(file, deflateSync(Buffer.from('blob 4\0one\n')));
    },
    control: 'git cat-file -p HEAD:a.js | grep -q eval || touch "$MARKER"',
  },
  {
    name: 'index that assumes files to be unchanged',
    plant: ({ sample }) => void sample.git('update-index', '--assume-unchanged', 'folder/b.js'),
    control: 'git diff --quiet -- folder/b.js && touch "$MARKER"',
  },
  {
    name: 'lists of what to leave out',
    plant: ({ sample }) =>
      putAt('change', sample, () => {
        for (const name of ['.juryignore', '.gitignore', '.ignore', '.eslintignore'])
          sample.write(name, '*.js\n*\n');
        sample.write('.gitattributes', '* -diff linguist-generated binary\n');
      }),
    control: 'git add untracked.js || touch "$MARKER"',
  },
  {
    name: 'baseline that dismisses everything',
    plant: ({ sample }) =>
      putAt('change', sample, () =>
        sample.write('jury.baseline.json', JSON.stringify({ dispositions: [], schema: 'any' })),
      ),
    control: 'grep -q dispositions jury.baseline.json && touch "$MARKER"',
  },
];

/** Links to what is private, under names that commands are given. */
const readable = ['c.js', 'design.md', 'coverage.lcov', 'notes/findings.json', 'README.md'];

const leading: readonly Trap[] = [
  {
    name: 'links to a private file where files are read',
    plant: ({ sample, canary }) =>
      putAt('change', sample, () => {
        for (const name of readable) {
          rmSync(path.join(sample.root, name), { force: true });
          symlinkSync(path.join(canary, 'private.txt'), path.join(sample.root, name));
        }
      }),
    control: `cat ${readable.join(' ')} | grep -q ${privateText} && touch "$MARKER"`,
  },
  {
    name: 'link of a folder to a private one',
    plant: ({ sample, canary }) =>
      putAt('change', sample, () => {
        for (const name of 'docs notes session resources kb personas rules'.split(' ')) {
          rmSync(path.join(sample.root, name), { recursive: true, force: true });
          symlinkSync(canary, path.join(sample.root, name));
        }
      }),
    control: `cat docs/private.txt | grep -q ${privateText} && touch "$MARKER"`,
  },
  {
    name: 'links that go in circles',
    plant: ({ sample }) =>
      putAt('change', sample, () => {
        symlinkSync('.', path.join(sample.root, 'again'));
        symlinkSync('two', path.join(sample.root, 'one'));
        symlinkSync('one', path.join(sample.root, 'two'));
      }),
    control: `find -L . -name one > /dev/null 2>&1 || touch "$MARKER"`,
  },
];

const piped = ['design.md', 'coverage.lcov', 'notes/findings.json', 'session/mega-motions.json'];

const endless: readonly Trap[] = [
  {
    name: 'pipes where files are read',
    plant({ sample }) {
      for (const name of [...piped, 'jury.baseline.json', 'jury.config.yaml', '.juryignore'])
        replaceByPipe(sample, name);
    },
    control: hangs('cat design.md'),
  },
  {
    name: 'pipes where state was',
    plant({ sample }) {
      for (const name of ['last-answer.json', 'memory.sqlite', 'index.sqlite', 'runs'])
        replaceByPipe(sample, `.jury/${name}`);
    },
    control: hangs('cat .jury/last-answer.json'),
  },
  {
    name: 'tree of ten thousand million files',
    plant({ sample }) {
      const bomb = growBomb(sample);
      replaceHistory(sample, { base: bomb, head: bomb });
    },
    control: hangs('git ls-tree -r HEAD'),
  },
  {
    name: 'change that adds a tree of ten thousand million files',
    plant: ({ sample }) => replaceHistory(sample, { head: growBomb(sample) }),
    control: hangs('git diff-tree -r --name-only HEAD~1 HEAD'),
  },
  {
    name: 'change of a hundred thousand files',
    plant({ sample }) {
      const [base, head] = ['HEAD~1:a.js', 'HEAD:a.js'].map(file => growCrowd(sample, file));
      replaceHistory(sample, { base, head });
    },
    control:
      '[ "$(git diff-tree -r --name-only HEAD~1 HEAD | wc -l)" -gt 100000 ] && touch "$MARKER"',
  },
  {
    name: 'tree that is nested three thousand deep',
    plant: ({ sample }) => replaceHistory(sample, { head: growDeep(sample, 3_000) }),
    control: '[ "$(git ls-tree -r --name-only HEAD | wc -c)" -gt 6000 ] && touch "$MARKER"',
  },
  {
    name: 'path of four thousand bytes that is nested five hundred deep',
    plant({ sample }) {
      const deep = `${'0000000/'.repeat(500)}c.js`;
      const id = sample.git('rev-parse', 'HEAD:a.js');
      sample.git('update-index', '--add', '--cacheinfo', `100644,${id},${deep}`);
    },
    control: `git ls-files | awk 'length > 4000 { exit 1 }' || touch "$MARKER"`,
  },
  {
    name: 'index of a million files',
    plant({ sample }) {
      const id = sample.git('rev-parse', 'HEAD:a.js');
      const lines = Array.from(
        { length: 1e6 },
        (_, at) => `100644 ${id}\td/${String(at).padStart(6, '0')}.js\n`,
      );
      execFileSync('git', ['update-index', '--index-info'], {
        cwd: sample.root,
        input: lines.join(''),
      });
    },
    control: '[ "$(git ls-files | wc -l)" -gt 1000000 ] && touch "$MARKER"',
  },
  {
    name: 'tracked files of fifty gigabytes, and of one line of two',
    plant({ sample }) {
      truncateSync(path.join(sample.root, 'folder/b.js'), 50e9);
      sample.write('line.js', 'eval(process.argv[2]);');
      sample.git('add', 'line.js');
      truncateSync(path.join(sample.root, 'line.js'), 2e9);
    },
    control: hangs('md5sum folder/b.js'),
  },
  {
    name: 'file of fifty gigabytes',
    plant({ sample }) {
      sample.write('big.js', '');
      truncateSync(path.join(sample.root, 'big.js'), 50e9);
      sample.write('folder/big.json', '');
      truncateSync(path.join(sample.root, 'folder/big.json'), 50e9);
    },
    control: hangs('md5sum big.js'),
  },
  {
    name: 'line that is nested a hundred thousand deep',
    plant: ({ sample }) =>
      putAt('change', sample, () => {
        sample.write('deep.json', '['.repeat(100_000));
        sample.write('deep.js', `${'('.repeat(100_000)}\n`);
        sample.write('notes/findings.json', '{"findings":'.repeat(50_000));
      }),
    control: `node -e 'new Function(require("fs").readFileSync("deep.js", "utf8"))' || touch "$MARKER"`,
  },
];

function replaceByPipe({ root, write }: SampleRepository, name: string) {
  write(name, '');
  rmSync(path.join(root, name));
  execFileSync('mkfifo', [path.join(root, name)]);
}

/** A tree of ten trees of ten trees, ten times over. */
function growBomb(sample: SampleRepository) {
  let entry = `100644 blob ${sample.git('rev-parse', 'HEAD:design.md')}`;
  let tree = '';
  for (let level = 0; level < 10; level += 1) {
    tree = makeTree(
      sample,
      Array.from({ length: 10 }, (_, index) => `${entry}\t${index}.js`),
    );
    entry = `040000 tree ${tree}`;
  }
  return tree;
}

/** A tree of three hundred trees of four hundred files that are all the same one. */
function growCrowd(sample: SampleRepository, file: string) {
  const blob = sample.git('rev-parse', file);
  const folder = makeTree(
    sample,
    Array.from({ length: 400 }, (_, index) => `100644 blob ${blob}\t${index}.js`),
  );
  return makeTree(
    sample,
    Array.from({ length: 300 }, (_, index) => `040000 tree ${folder}\t${index}`),
  );
}

/** A process for each of them would take its time: their ids are known without git. */
function growDeep(sample: SampleRepository, depth: number) {
  let id = sample.git('rev-parse', 'HEAD:folder');
  const entries: string[] = [];
  for (let level = 0; level < depth; level += 1) {
    entries.push(`040000 tree ${id}\td\0\0`);
    const bytes = Buffer.concat([Buffer.from('40000 d\0'), Buffer.from(id, 'hex')]);
    id = createHash('sha1').update(`tree ${bytes.length}\0`).update(bytes).digest('hex');
  }
  execFileSync('git', ['mktree', '-z', '--batch', '--missing'], {
    cwd: sample.root,
    input: entries.join(''),
  });
  return id;
}

function makeTree({ root }: SampleRepository, entries: readonly string[]) {
  return execFileSync('git', ['mktree'], { cwd: root, input: `${entries.join('\n')}\n` })
    .toString()
    .trim();
}

/** Both commits again, each with the tree that is for it beside its files. */
function replaceHistory(
  sample: SampleRepository,
  trees: { readonly base?: string | undefined; readonly head?: string | undefined },
) {
  const commitWith = (commit: string, tree: string | undefined, parents: readonly string[]) => {
    const beside = tree === undefined ? [] : [`040000 tree ${tree}\tbomb`];
    const whole = makeTree(sample, [...sample.git('ls-tree', commit).split('\n'), ...beside]);
    return sample.git('commit-tree', ...parents, '-m', 'bomb', whole);
  };
  const last = sample.git('rev-parse', 'HEAD');
  const first = commitWith('HEAD~1', trees.base, []);
  sample.git('update-ref', 'refs/heads/main', commitWith(last, trees.head, ['-p', first]));
}

export const treeTraps: readonly Trap[] = [...names, ...hiding, ...leading, ...endless];
