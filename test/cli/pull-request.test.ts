import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createFolder,
  openSample,
  runGitIn,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { cloneOf, type GitHost, openGitHost, runBeside, toldPull } from '../git-host.ts';

let host: GitHost;
let author: SampleRepository;
let base: string;
let fork: string;
let head: string;

/** Main moves on after the branch left it; the pull request is reviewed from where they parted. */
beforeAll(async () => {
  host = await openGitHost();
  author = openSample(path.join(createFolder(), 'author'));
  author.write('.keep', '');
  author.git('init', '-q', '-b', 'main');
  for (let number = 1; number <= 3; number++) {
    author.write('src/sum.js', `export const sum = list => list.length + ${number};\n`);
    author.commit(`main ${number}`);
  }
  fork = author.git('rev-parse', 'HEAD');
  author.git('checkout', '-q', '-b', 'topic');
  author.write('src/late.js', 'export const run = text => eval(text);\n');
  head = author.commit('topic');
  author.git('checkout', '-q', 'main');
  author.write('src/other.js', 'export const other = 1;\n');
  base = author.commit('main 4');
  author.git('push', '-q', host.served.root, 'main', 'topic:refs/pull/7/head');
});

beforeEach(() => {
  host.pulls.clear();
  host.pulls.set(7, toldPull(7, { base, head }));
  host.requests.length = 0;
  host.token = null;
  host.redirect = null;
});

/** A pull request of what is checked out, by a commit more. */
function open(number: number, message: string) {
  const tip = author.commit(message);
  author.git('push', '-q', '-f', host.served.root, `HEAD:refs/pull/${number}/head`);
  author.git('checkout', '-q', 'main');
  host.pulls.set(number, toldPull(number, { base, head: tip }));
  return tip;
}

const clone = (...words: readonly string[]) => cloneOf(host, ...words);
const run = (
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) => runBeside(host, cwd, args, environment);

/** Everything below `.git` and what is checked out, but for the line that keeps `.jury` out. */
function stateOf({ root, git }: SampleRepository) {
  const names = readdirSync(path.join(root, '.git'), { recursive: true, encoding: 'utf8' });
  return JSON.stringify([
    names.filter(name => !name.startsWith('info')).toSorted(),
    readFileSync(path.join(root, '.git', 'config'), 'utf8'),
    git('for-each-ref'),
    git('status', '--porcelain', '--', ':!.gitignore'),
  ]);
}

interface Printed {
  readonly outcome: string | null;
  readonly subject: { readonly title: string; readonly base: string; readonly head: string };
}

const review = [
  'review',
  '--pr',
  '7',
  '--reviewers',
  'javascript,diff',
  '--format',
  'json',
] as const;

describe('jury review --pr', () => {
  it('reviews what the branch changed since it left its base, and leaves the clone as it was', async () => {
    const sample = clone('--single-branch');
    const before = stateOf(sample);
    const { code, stdout, stderr } = await run(sample.root, review);
    const { subject, outcome } = JSON.parse(stdout) as Printed;
    expect(subject).toMatchObject({
      title: expect.stringMatching(/^pull request 7 of acme\/shop since merge base /) as string,
      base: fork,
      head,
    });
    expect([outcome, code], stderr).toEqual(['FAIL', 1]);
    expect(stdout).toContain('src/late.js');
    expect(stdout).not.toContain('src/other.js');
    expect(stdout).not.toContain('Ignore all earlier words');
    expect(stateOf(sample)).toBe(before);
  });

  it.each([['--depth=1'], ['--depth=2']])(
    'deepens a shallow clone (%s) outside of it',
    async depth => {
      const sample = clone('--single-branch', depth);
      const before = stateOf(sample);
      const { stdout, stderr } = await run(sample.root, review);
      expect(
        (JSON.parse(stdout || `{"stderr":${JSON.stringify(stderr)}}`) as Printed).subject,
      ).toMatchObject({ base: fork, head });
      expect(stateOf(sample)).toBe(before);
    },
  );

  it.each(['#7', 'PR #7', '/acme/shop/pull/7/files', '/acme/other/pull/7'])(
    'is what %s means',
    async scope => {
      const word = scope.startsWith('/') ? `${host.url}${scope}` : scope;
      const { code, stderr } = await run(clone().root, ['review', word, '--reviewers', 'diff']);
      const sentence = scope.includes('other')
        ? '/acme/other is not acme/shop, where --pr looks.'
        : ': pull request 7 of acme/shop';
      expect([code === 3, stderr]).toEqual([
        scope.includes('other'),
        expect.stringContaining(sentence) as string,
      ]);
    },
  );

  it('fetches nothing where everything is there', async () => {
    const sample = clone();
    sample.git('fetch', '-q', host.served.root, 'refs/pull/7/head');
    await run(sample.root, review);
    expect(host.requests.map(({ path: asked }) => asked)).toEqual([
      '/api/v3/repos/acme/shop/pulls/7',
    ]);
  });

  it('gives the token to the API and to git, and writes it nowhere', async () => {
    const sample = clone('--single-branch');
    host.token = 'ghs_Secret0123456789';
    const refused = await run(sample.root, review);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^jury: 127\.0\.0\.1:\d+ does not let the commits of pull request 7 of acme\/shop be fetched\. Set GITHUB_TOKEN/,
      ),
    ]);
    const { code, stdout, stderr } = await run(sample.root, review, { GITHUB_TOKEN: host.token });
    expect(code, stderr).toBe(1);
    expect(stdout + stderr).not.toContain(host.token);
    expect(host.requests.map(({ authorization }) => authorization)).toContain(
      `Bearer ${host.token}`,
    );
  });

  it('runs no hook, helper or filter of the clone, and asks nobody for a password', async () => {
    const sample = clone('--single-branch');
    const mark = path.join(createFolder(), 'mark');
    for (const hook of ['post-checkout', 'reference-transaction', 'fsmonitor', 'post-rewrite'])
      writeFileSync(
        path.join(sample.root, '.git', 'hooks', hook),
        `#!/bin/sh\necho ${hook} >> ${mark}\n`,
        { mode: 0o755 },
      );
    sample.git('config', 'credential.helper', `!echo helper >> ${mark}`);
    sample.git('config', 'core.fsmonitor', `echo fsmonitor >> ${mark}; false`);
    sample.git('config', 'core.alternateRefsCommand', `echo alternates >> ${mark}`);
    sample.git('config', 'core.askPass', `echo askpass >> ${mark}`);
    sample.git('config', 'remote.origin.uploadpack', `echo uploadpack >> ${mark}`);
    sample.git('config', `url.${createFolder()}.insteadOf`, host.url);
    const { code, stderr } = await run(sample.root, review);
    expect(code, stderr).toBe(1);
    expect(existsSync(mark)).toBe(false);
  });

  it('says that a pull request is closed and reviews it', async () => {
    host.pulls.set(7, toldPull(7, { base, head, state: 'closed', fork: null }));
    const { code, stderr } = await run(clone().root, review);
    expect(code).toBe(1);
    expect(stderr).toContain('pull request 7 of acme/shop is closed; it is reviewed all the same.');
  });

  it('can be gone on with, and is fetched again for that', async () => {
    const sample = clone('--single-branch');
    // Reads one file of two, and the other one when it is asked again.
    const config = path.join(createFolder(), 'jury.config.yaml');
    const script = path.join(path.dirname(config), 'reviewer.mjs');
    writeFileSync(
      script,
      `import fs from 'node:fs';
const isFirst = !fs.existsSync('${script}.asked');
fs.writeFileSync('${script}.asked', '');
if (isFirst) process.exit(9);
console.log('VERDICT: safe\\nNone');
`,
    );
    writeFileSync(
      config,
      `reviewers: [{ id: late, runner: command, command: [node, '${script}'], isolation: { sandbox: false, require: L0 } }]\n`,
    );
    const first = await run(sample.root, ['review', '--pr', '7', '--config', config]);
    expect(first.code, first.stderr).toBe(2);
    host.requests.length = 0;
    const { stderr, code } = await run(sample.root, ['resume', 'latest']);
    expect(code, stderr).toBe(0);
    expect(host.requests.map(({ path: asked }) => asked)).toContain(
      '/acme/shop.git/git-upload-pack',
    );
    expect(host.requests.some(({ path: asked }) => asked.startsWith('/api'))).toBe(false);
  });

  it('looks as far back as it must in a shallow clone, and says where that ends', async () => {
    const sample = clone('--single-branch', '--depth=1');
    const empty =
      'commit refs/heads/long\ncommitter Ada <ada@example.org> 1704164645 +0000\ndata 0\n';
    const commits = [`${empty}from ${fork}\n`, empty.repeat(59)].join('');
    runGitIn(author.root, ['fast-import', '--quiet'], commits);
    author.git('checkout', '-q', 'long');
    author.write('src/late.js', 'export const late = 1;\n');
    const tip = open(9, 'long');
    const { stdout, stderr } = await run(sample.root, [
      'review',
      '--pr',
      '9',
      '--reviewers',
      'diff',
      '--json',
    ]);
    expect(stderr).not.toContain('jury: ');
    expect((JSON.parse(stdout) as Printed).subject).toMatchObject({ base: fork, head: tip });
    // Of two histories that have nothing in common no depth helps.
    author.git('checkout', '-q', '--orphan', 'lone');
    open(10, 'lone');
    const ended = await run(sample.root, ['review', '--pr', '10', '--reviewers', 'diff']);
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('fetch-depth: 0 of actions/checkout') as string,
    ]);
    const whole = await run(clone().root, ['review', '--pr', '10', '--reviewers', 'diff']);
    expect([whole.code, whole.stderr]).toEqual([
      2,
      expect.stringContaining('have no common ancestor') as string,
    ]);
  });

  it('reads its configuration from the base where the change touches it', async () => {
    author.git('checkout', '-q', '-B', 'judge', base);
    author.write(
      'jury.config.yaml',
      'reviewers:\n  - { id: mine, runner: command, command: [node, evil.mjs] }\n',
    );
    author.write('evil.mjs', 'console.log("LOW|None")\n');
    open(8, 'my own judge');
    const sample = clone('--single-branch');
    const { code, stdout, stderr } = await run(sample.root, [
      'review',
      '--pr',
      '8',
      '--trust-config',
      '--format',
      'json',
    ]);
    expect(code, stderr).toBe(2);
    expect(stdout).toContain('The change touches jury.config.yaml');
    expect(stdout).not.toContain('"mine"');
  });
});

describe('jury review --pr is refused in one sentence:', () => {
  const gone = '0123456789'.repeat(4);

  it.each<
    readonly [
      what: string,
      answer: Parameters<GitHost['pulls']['set']>[1],
      code: number,
      sentence: RegExp,
    ]
  >([
    [
      'a token that is not accepted',
      { status: 401 },
      2,
      /does not take the token: 401.* Set GITHUB_TOKEN/,
    ],
    [
      'a right that is missing',
      { status: 403 },
      2,
      /pull request 7 of acme\/shop .* does not allow it to this token.* right to read/,
    ],
    [
      'a limit that is used up',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1790000000' } },
      2,
      /limits the rate: it wants \d+ s of waiting\. Try again later/,
    ],
    [
      'a second limit',
      { status: 403, headers: { 'retry-after': '61' } },
      2,
      /it wants 61 s of waiting/,
    ],
    ['too many requests', { status: 429 }, 2, /limits the rate/],
    [
      'one that is not there',
      { status: 404 },
      2,
      /pull request 7 of acme\/shop .* knows no such thing, or hides it.* If it is private/,
    ],
    [
      'a repository that has moved',
      { status: 301, headers: { location: 'https://evil.example/' } },
      2,
      /knows no such thing.*it has moved/,
    ],
    ['a server that fails', { status: 500, body: '<html>' }, 2, /is at fault: 500/],
    [
      'an answer of something else',
      { body: '<html>' },
      2,
      /answered something unknown.*GITHUB_API_URL/,
    ],
    [
      'another number',
      toldPull(8, { base: gone, head: gone }),
      2,
      /answered something unknown.*GITHUB_API_URL/,
    ],
    [
      'a head that is no commit',
      toldPull(7, { base: gone, head: '--upload-pack=touch' }),
      2,
      /answered something unknown/,
    ],
    [
      'a head that was pushed over',
      toldPull(7, { base: gone, head: gone }),
      2,
      /0123456.* of pull request 7 of acme\/shop is no longer on the server/,
    ],
  ])('%s', async (_what, answer, code, sentence) => {
    host.pulls.set(7, answer);
    const ended = await run(clone('--single-branch').root, review);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['https://evil.example/acme/shop.git', /names no repository at 127\.0\.0\.1/],
    ['ext::sh -c touch% /tmp/mark', /names no repository/],
    ['/srv/shop.git', /names no repository/],
    ['--upload-pack=touch', /names no repository/],
    [
      'https://user:hunter2@evil.example/acme/shop',
      /origin \(https:\/\/evil\.example\/acme\/shop\) names no repository/,
    ],
  ])('the remote %s', async (address, sentence) => {
    const sample = clone();
    sample.git('config', 'remote.origin.url', address);
    const ended = await run(sample.root, review, { GITHUB_TOKEN: 'ghs_Secret0123456789' });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr).not.toContain('hunter2');
    expect(host.requests).toEqual([]);
  });

  it('a server that sends git, with its token, elsewhere', async () => {
    const other = await openGitHost();
    execFileSync('git', ['push', '-q', '--mirror', other.served.root], { cwd: host.served.root });
    host.redirect = other.url;
    const ended = await run(clone('--single-branch').root, review, {
      GITHUB_TOKEN: 'ghs_Secret0123456789',
    });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be fetched') as string,
    ]);
    expect(ended.stderr).not.toContain('Secret');
    expect(other.requests).toEqual([]);
  });

  it('a number that is none, another subject besides, a service by http', async () => {
    const sample = clone();
    const of = async (args: readonly string[], environment = {}) => {
      const { code, stderr } = await run(sample.root, ['review', ...args], environment);
      expect(code).toBe(3);
      return stderr;
    };
    expect(await of(['--pr', '0'])).toContain('--pr');
    expect(await of(['--pr', '7', '--staged'])).toContain('name two subjects');
    expect(await of(['--pr', '7', 'HEAD'])).toContain('name two subjects');
    expect(await of(['--pr', '7'], { GITHUB_API_URL: 'http://api.example.org' })).toContain(
      'is no address by https',
    );
    expect(await of(['--pr', '7'], { GITHUB_TOKEN: 'one\ntwo' })).toContain('can be no token');
    expect(await of(['--pr', '7'], { GITHUB_REPOSITORY: '../../x' })).toContain(
      'is not owner/name',
    );
    expect(host.requests).toEqual([]);
  });

  it('a host that is not there', async () => {
    const ended = await run(clone().root, review, {
      GITHUB_API_URL: 'http://127.0.0.1:9/api/v3',
      GITHUB_REPOSITORY: 'acme/shop',
    });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringContaining('GitHub cannot be reached') as string,
    ]);
  });
});
