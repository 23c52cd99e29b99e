/**
 * Repositories that try to run a program, write a file, hang or hide a change when they are read. Each one is planted on
 * a copy of the same small repository: two commits, a staged, an unstaged and an untracked change.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ChangeRequest } from '../../../src/core/ports/repository.ts';
import {
  createFolder,
  createSampleRepository,
  openSample,
  runGitIn,
  type SampleRepository,
} from './sample-repository.ts';

export interface Plant {
  readonly sample: SampleRepository;
  /** Shell command that leaves a marker when somebody runs it. */
  readonly command: string;
  /** A folder outside of the repository, for links that lead out. */
  readonly canary: string;
}

export interface Fixture {
  readonly name: string;
  readonly plant: (plant: Plant) => void;
  /**
   * Words of a shell, run in the repository, that show the trap to be live with plain tools: it runs the planted program, or leaves
   * `$MARKER` itself where the harm is of another kind. `$CANARY` is a folder outside of the repository.
   */
  readonly control?: string;
  /** Sources that still show the change; the others may be refused by name. Default: every source. */
  readonly answers?: readonly ChangeRequest['source'][];
}

export function createBase(): SampleRepository {
  const sample = createSampleRepository();
  sample.write('a.js', 'one\n');
  sample.write('folder/b.js', 'one\n');
  sample.commit('first');
  sample.write('a.js', 'two\n');
  sample.write('folder/b.js', 'two\n');
  sample.commit('second');
  sample.write('a.js', 'staged\n');
  sample.git('add', 'a.js');
  sample.write('folder/b.js', 'on disk\n');
  sample.write('untracked.js', 'new\n');
  return sample;
}

export interface Planted {
  readonly sample: SampleRepository;
  /** The file that appears when the trap springs. */
  readonly marker: string;
  /** A folder that nobody has any business in. */
  readonly canary: string;
}

/** A copy with the trap planted. */
export function plantFixture(base: SampleRepository, { plant }: Fixture): Planted {
  const folder = createFolder();
  const [marker, canary] = [join(folder, 'marker'), join(folder, 'canary')];
  mkdirSync(canary);
  writeFileSync(join(canary, 'private.txt'), `${privateText}\n`);
  cpSync(base.root, join(folder, 'repository'), {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  });
  const sample = openSample(join(folder, 'repository'));
  const script = join(folder, 'trap.sh');
  writeFileSync(script, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  plant({ sample, command: script, canary });
  return { sample, marker, canary };
}

/** What stands in the canary folder: nobody may print it, nor keep it. */
export const privateText = 'nobody-was-asked-for-this';

/** Does the control of the trap spring it? */
export function springs(
  { sample, marker, canary }: Planted,
  control: string,
  environment: Readonly<Record<string, string>> = {},
): boolean {
  spawnSync('sh', ['-c', control], {
    cwd: sample.root,
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      EMAIL: 'ada@example.org',
      ...environment,
      MARKER: marker,
      CANARY: canary,
    },
    stdio: 'ignore',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return existsSync(marker);
}

/** Sets configuration by writing the file: git itself might act on it. */
function configure(sample: SampleRepository, text: string): void {
  appendFileSync(join(sample.root, '.git/config'), `${text}\n`);
}

function config(name: string, text: (command: string) => string, control?: string): Fixture {
  return {
    name: `config ${name}`,
    plant: ({ sample, command }) => configure(sample, text(command)),
    ...(control !== undefined && { control }),
  };
}

function attribute(line: string, driver: (command: string) => string, control?: string): Fixture {
  return {
    name: `attribute ${line}`,
    plant({ sample, command }) {
      sample.write('.gitattributes', `${line}\n`);
      sample.write('.git/info/attributes', `${line}\n`);
      configure(sample, driver(command));
    },
    ...(control !== undefined && { control }),
  };
}

function pipe(path: string, answers?: Fixture['answers']): Fixture {
  return {
    name: `pipe at ${path}`,
    plant({ sample }) {
      rmSync(join(sample.root, path), { recursive: true, force: true });
      mkdirSync(join(sample.root, path, '..'), { recursive: true });
      execFileSync('mkfifo', [join(sample.root, path)]);
    },
    control: hangs(`cat '${path}'`),
    ...(answers && { answers }),
  };
}

/** Words that leave the marker when the command has not ended after a moment. */
export function hangs(command: string): string {
  return `timeout -s KILL 0.3 ${command} > /dev/null 2>&1; [ $? -ge 124 ] && touch "$MARKER"`;
}

/** Words that leave the marker when git no longer shows what the last commit did to a file. */
const hidden = 'git log -p -1 | grep -q \'^+\' || touch "$MARKER"';

function reference(name: string, control?: string): Fixture {
  return {
    name: `reference ${name}`,
    plant: ({ sample }) =>
      sample.write(`.git/refs/heads/${name}`, `${sample.git('rev-parse', 'HEAD')}\n`),
    ...(control !== undefined && { control }),
  };
}

const hookNames =
  'post-index-change pre-commit post-checkout reference-transaction pre-auto-gc fsmonitor-watchman post-rewrite update pre-receive'.split(
    ' ',
  );

function writeHooks(folder: string, command: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of hookNames) cpSync(command, join(folder, name));
}

/** Replaces one id by another in a binary file of git's and makes its trailing checksum good. */
function swapId(path: string, from: string, to: string): void {
  const script =
    'import sys,hashlib;p=sys.argv[1];d=open(p,"rb").read()[:-20].replace(bytes.fromhex(sys.argv[2]),bytes.fromhex(sys.argv[3]));open(p,"wb").write(d+hashlib.sha1(d).digest())';
  chmodSync(path, 0o644);
  execFileSync('python3', ['-c', script, path, from, to]);
}

const configurations: readonly Fixture[] = [
  config('core.fsmonitor', command => `[core]\nfsmonitor = ${command}`, 'git status'),
  {
    name: 'config core.hooksPath',
    plant({ sample, command }) {
      writeHooks(join(sample.root, '.git/own-hooks'), command);
      configure(sample, '[core]\nhooksPath = .git/own-hooks');
    },
    control: 'git add untracked.js',
  },
  {
    name: 'hooks',
    plant: ({ sample, command }) => writeHooks(join(sample.root, '.git/hooks'), command),
    control: 'git add untracked.js',
  },
  config(
    'core.pager',
    command =>
      `[core]\npager = ${command}\n[pager]\ndiff = ${command}\ndiff-tree = ${command}\nlog = true`,
    `script -qec 'git log' /dev/null`,
  ),
  config(
    'core.editor',
    command => `[core]\neditor = ${command}\n[sequence]\neditor = ${command}`,
    'git commit --allow-empty',
  ),
  config(
    'core.sshCommand',
    command => `[core]\nsshCommand = ${command}\n[remote "origin"]\nurl = ssh://localhost/x`,
    'git fetch',
  ),
  config(
    'core.askPass',
    command => `[core]\naskPass = ${command}\n[credential]\nhelper = "!${command}"`,
    `printf 'protocol=https\\nhost=x\\n\\n' | git credential fill`,
  ),
  config(
    'core.worktree',
    () => '[core]\nworktree = /',
    '[ "$(git rev-parse --show-toplevel)" = / ] && touch "$MARKER"',
  ),
  config('core.attributesFile', () => '[core]\nattributesFile = .git/other'),
  config(
    'core.excludesFile',
    () => '[core]\nexcludesFile = .git/all\n[core]\nbare = true',
    'git status || touch "$MARKER"',
  ),
  config('core.alternateRefsCommand', command => `[core]\nalternateRefsCommand = ${command}`),
  config(
    'core.gitProxy',
    command => `[core]\ngitProxy = ${command}`,
    'git ls-remote git://localhost/x',
  ),
  config('diff.external', command => `[diff]\nexternal = ${command}`, 'git diff'),
  config(
    'diff.orderFile',
    () =>
      '[diff]\norderFile = .git/pipe\nnoprefix = true\nrenames = false\nignoreSubmodules = all\nrelative = true',
    `git diff HEAD~1 HEAD | grep -q '^--- a/' || touch "$MARKER"`,
  ),
  config('interactive.diffFilter', command => `[interactive]\ndiffFilter = ${command}`),
  config(
    'alias',
    command => `[alias]\ndiff-tree = "!${command}"\ncat-file = "!${command}"\nlast = "!${command}"`,
    'git last',
  ),
  {
    name: 'config include.path',
    plant({ sample, command }) {
      sample.write('.git/more', `[core]\nfsmonitor = ${command}\n`);
      configure(sample, '[include]\npath = more\n[includeIf "gitdir:**"]\npath = more');
    },
    control: 'git status',
  },
  {
    name: 'config of the worktree',
    plant({ sample, command }) {
      sample.write('.git/config.worktree', `[core]\nfsmonitor = ${command}\n`);
      configure(sample, '[extensions]\nworktreeConfig = true\n[core]\nrepositoryformatversion = 1');
    },
    control: 'git status',
  },
  config(
    'gpg.program',
    command => `[gpg]\nprogram = ${command}\n[log]\nshowSignature = true\n[commit]\ngpgSign = true`,
    'git commit --allow-empty -m x',
  ),
  config('uploadpack.packObjectsHook', command => `[uploadpack]\npackObjectsHook = ${command}`),
  config(
    'submodule.update',
    command => `[submodule "x"]\npath = folder\nurl = x\nupdate = "!${command}"\nactive = true`,
  ),
  config(
    'remote ext',
    command =>
      `[protocol "ext"]\nallow = always\n[remote "origin"]\nurl = "ext::${command}"\npromisor = ` +
      `true\npartialclonefilter = blob:none\n[extensions]\npartialClone = origin`,
    'git fetch',
  ),
  config('that is broken', () => '[core\n = = ]]]\n\u0000', 'git status || touch "$MARKER"'),
  config(
    'feature.manyFiles',
    command =>
      `[feature]\nmanyFiles = true\n[core]\nuntrackedCache = true\nsplitIndex = true\nfsmonitor = ${command}\n[index]\nversion = 4`,
    'git status',
  ),
  config(
    'trailer and notes',
    command =>
      `[trailer "x"]\ncommand = ${command}\ncmd = ${command}\n[core]\nnotesRef = refs/notes/x\n[notes]\ndisplayRef = *`,
    'echo x | git interpret-trailers --trailer x=1',
  ),
];

const attributes: readonly Fixture[] = [
  attribute('*.js diff=evil', command => `[diff "evil"]\ncommand = ${command}`, 'git diff'),
  attribute(
    '*.js diff=evil textconv',
    command => `[diff "evil"]\ntextconv = ${command}`,
    'git diff',
  ),
  attribute(
    '* filter=evil',
    command => `[filter "evil"]\nclean = ${command}\nsmudge = ${command}\nrequired = true`,
    'git add -A',
  ),
  attribute(
    '* filter=evil process',
    command => `[filter "evil"]\nprocess = ${command}\nrequired = true`,
    'git add -A',
  ),
  attribute(
    '* merge=evil',
    command => `[merge "evil"]\ndriver = ${command}`,
    'git checkout -qf -b other HEAD~1 && echo z > a.js && git commit -qam z && git merge main',
  ),
  attribute(
    '*.js -diff binary export-ignore',
    () => '',
    `git diff HEAD~1 HEAD -- a.js | grep -q '^+' || touch "$MARKER"`,
  ),
  attribute(
    '*.js diff=evil xfuncname',
    () => '[diff "evil"]\nbinary = true\nxfuncname = "("\nwordRegex = "("',
    `git diff HEAD~1 HEAD -- a.js | grep -q '^+' || touch "$MARKER"`,
  ),
];

const references: readonly Fixture[] = [
  reference(
    '--output=marker',
    `git log -p "$(git for-each-ref --format='%(refname:short)' refs/heads | grep output)"; [ -e marker ] && touch "$MARKER"`,
  ),
  reference(
    '$(touch${IFS}marker)',
    `sh -c "echo $(git for-each-ref --format='%(refname:short)' refs/heads | grep IFS)"; [ -e marker ] && touch "$MARKER"`,
  ),
  reference('-Omarker'),
  reference('--upload-pack=x'),
  reference('a;id'),
  reference('$(id)'),
  reference('\u202eniam'),
  reference('a..b'),
  reference('HEAD'),
  {
    name: 'reference that replaces the change',
    plant: ({ sample }) => {
      sample.git(
        'replace',
        sample.git('rev-parse', 'HEAD'),
        sample.git('commit-tree', '-p', 'HEAD~1', '-m', 'nothing', 'HEAD~1^{tree}'),
      );
    },
    control: hidden,
  },
  {
    name: 'reference links',
    plant({ sample }) {
      symlinkSync('/etc/passwd', join(sample.root, '.git/refs/heads/link'));
      symlinkSync('..', join(sample.root, '.git/refs/heads/up'));
      sample.write('.git/refs/heads/loop', 'ref: refs/heads/loop\n');
    },
  },
  {
    name: 'packed references that are rubbish',
    plant: ({ sample }) =>
      sample.write(
        '.git/packed-refs',
        `# pack-refs with: sorted\nrubbish\n${'0'.repeat(40)} refs/../../x\n^^^\n${'f'.repeat(40)} refs/heads/-x\n`,
      ),
  },
  pipe('.git/refs/heads/pipe'),
  pipe('.git/packed-refs'),
  pipe('.git/info/exclude'),
  pipe('.git/shallow'),
  pipe('.git/ORIG_HEAD'),
  pipe('.git/info/attributes'),
  pipe('.git/HEAD', ['files', 'patch']),
  pipe('.git/objects/info/alternates', ['patch']),
];

const trees: readonly Fixture[] = [
  pipe('pipe'),
  pipe('folder/pipe'),
  pipe('.gitignore', ['revision', 'staged', 'patch']),
  pipe('folder/.gitattributes', ['revision', 'staged', 'patch']),
  {
    name: 'commit-graph that shows no change',
    plant({ sample }) {
      sample.git('commit-graph', 'write', '--reachable');
      swapId(
        join(sample.root, '.git/objects/info/commit-graph'),
        sample.git('rev-parse', 'HEAD^{tree}'),
        sample.git('rev-parse', 'HEAD~1^{tree}'),
      );
    },
    control: hidden,
  },
  {
    name: 'commit-graph and pack index that are rubbish',
    plant({ sample }) {
      for (const path of ['info/commit-graph', 'pack/multi-pack-index'])
        sample.write(`.git/objects/${path}`, 'rubbish');
    },
  },
  {
    name: 'nested repository with a monitor',
    plant({ sample, command }) {
      const inner = openSample(join(sample.root, 'nested'));
      inner.write('x', 'x');
      runGitIn(inner.root, ['init', '-q']);
      inner.commit('inner');
      appendFileSync(join(inner.root, '.git/config'), `[core]\nfsmonitor = ${command}\n`);
    },
    control: 'git -C nested status',
  },
  {
    name: 'submodule with a monitor and a filter',
    plant({ sample, command }) {
      const inner = openSample(join(sample.root, 'nested'));
      inner.write('x', 'x');
      runGitIn(inner.root, ['init', '-q']);
      sample.git('update-index', '--add', '--cacheinfo', `160000,${inner.commit('inner')},nested`);
      sample.write('.gitmodules', '[submodule "nested"]\npath = nested\nurl = -u./evil\n');
      inner.write('x', 'y');
      inner.write('.git/info/attributes', '* filter=evil\n');
      appendFileSync(
        join(inner.root, '.git/config'),
        `[core]\nfsmonitor = ${command}\n[filter "evil"]\nclean = ${command}\n`,
      );
    },
    control: 'git status',
  },
  {
    name: 'bare repository among the tracked files',
    plant({ sample, command }) {
      runGitIn(sample.root, ['init', '-q', '--bare', 'folder/inner']);
      appendFileSync(
        join(sample.root, 'folder/inner/config'),
        `[core]\nbare = false\nworktree = .\nfsmonitor = ${command}\n`,
      );
    },
    control: 'git -C folder/inner status',
  },
  {
    name: 'links that lead outside',
    plant({ sample }) {
      symlinkSync('/', join(sample.root, 'root'));
      symlinkSync('/dev/zero', join(sample.root, 'zero'));
      rmSync(join(sample.root, 'folder'), { recursive: true });
      symlinkSync('/etc', join(sample.root, 'folder'));
    },
    control: 'cat folder/passwd && touch "$MARKER"',
  },
  {
    name: 'names that look like options and headers',
    plant({ sample }) {
      for (const name of [
        '--output=marker',
        '-h',
        '+++ b',
        'diff --git a b',
        'a\nb',
        '\u001b[2J',
        ':(top)',
        '$(touch marker)',
        '`id`',
      ])
        sample.write(name, 'x\n');
    },
    control: `find . -maxdepth 1 -name '[$]*' -exec sh -c 'echo {}' ';'; [ -e marker ] && touch "$MARKER"`,
  },
  {
    name: 'index that is rubbish',
    plant: ({ sample }) => writeFileSync(join(sample.root, '.git/index'), 'DIRC rubbish'),
    control: 'git status || touch "$MARKER"',
    answers: ['revision', 'patch'],
  },
  {
    name: 'modules that name a command',
    plant: ({ sample }) =>
      sample.write(
        '.gitmodules',
        '[submodule "folder"]\npath = folder\nurl = ext::touch marker\nupdate = !touch marker\nignore = all\n',
      ),
  },
  {
    name: 'object folder with pipes beside the packs',
    plant({ sample }) {
      mkdirSync(join(sample.root, '.git/objects/pack'), { recursive: true });
      execFileSync('mkfifo', [join(sample.root, '.git/objects/pack/tmp_pack_x')]);
    },
  },
  {
    name: 'environment files and agents',
    plant({ sample }) {
      for (const name of ['.env', '.mcp.json', '.claude/settings.json', '.git-blame-ignore-revs'])
        sample.write(name, '{"hooks": "touch marker"}\n');
    },
  },
];

export const zoo: readonly Fixture[] = [...configurations, ...attributes, ...references, ...trees];

/** Every entry below a folder with its kind and content; of what is large, its size and the time of its last change. */
export function takeListing(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map(entry => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? contentOf(path) : kindOf(entry)}`;
    })
    .toSorted();
}

function contentOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return size > 1_000_000 ? `${size} ${mtimeMs}` : readFileSync(path).toString('base64');
}

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return `link ${readlinkSync(join(entry.parentPath, entry.name))}`;
  return entry.isDirectory() ? 'folder' : 'other';
}
