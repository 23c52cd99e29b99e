/** What can go wrong between the program and the host: nothing is told twice, nothing is told as done that is not, no token is told at all. */
import { symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Asked, type Fault, goodToken } from './github-server.ts';
import { emptyHost, type Right } from './hosted.ts';
import { createProject, type Ended, figuresOf, type Project } from './project.ts';

let project: Project;
let folder: string;
const table: string[] = ['failure | exit | posted | updated | repeated | calls | says'];

beforeAll(async () => {
  project = await createProject();
  project.say('alpha', [
    'CRITICAL|src/cart.js:10|SQL injection: the name is concatenated into the query',
    'IMPORTANT|src/cart.js:15|The cache size grows although the key may exist already',
  ]);
  ({ folder } = await project.review());
});

afterAll(async () => {
  console.log(table.join('\n'));
  await project.github.close();
});

beforeEach(() => {
  const { github } = project;
  const { comments, threads, checks, uploads, people } = emptyHost();
  Object.assign(github.host, {
    comments,
    threads,
    checks,
    uploads,
    people,
    state: 'open',
    branch: 'main',
    behind: 0,
  });
  github.fault = () => null;
  github.before = () => {};
  github.rights = new Set<Right>(['checks', 'pull-requests', 'contents', 'security-events']);
  github.mostCreated = Infinity;
  github.forget();
  project.push();
});

async function publish(name: string, ...flags: string[]): Promise<Ended> {
  const ended = await project.publish(folder, ...flags);
  const figures = ended.stdout === '' ? null : figuresOf(ended);
  const says =
    `${ended.stdout.split('\n').at(figures === null ? 0 : -2) ?? ''} ${ended.stderr.trim()}`.trim();
  table.push(
    [
      name,
      ended.code,
      figures?.posted,
      figures?.updated,
      figures?.repeated,
      project.github.asked.length,
      says.slice(0, 160),
    ].join(' | '),
  );
  expect(ended.stdout + ended.stderr).not.toContain(goodToken);
  expect(ended.stdout.split('\n').length).toBeLessThanOrEqual(16);
  return ended;
}

/** One check, one summary, two claims: each once. */
function expectWhole(): void {
  const { host } = project.github;
  expect(host.threads.map(({ line }) => line)).toEqual([10, 15]);
  expect(host.comments).toHaveLength(1);
  expect(host.checks).toHaveLength(1);
}

function expectNothing(): void {
  expect(project.github.host).toMatchObject({ comments: [], threads: [], checks: [], uploads: [] });
}

const once = (is: (asked: Asked) => boolean, fault: Fault): ((asked: Asked) => Fault | null) => {
  let done = false;
  return asked => {
    if (done || !is(asked)) return null;
    done = true;
    return fault;
  };
};

const posts =
  (end: string) =>
  ({ method, path: asked }: Asked): boolean =>
    method === 'POST' && asked.endsWith(end);

it('without a failure', async () => {
  expect(await publish('none', '--sarif')).toMatchObject({ code: 0 });
  expectWhole();
  expect(project.github.host.uploads).toMatchObject([
    { ref: 'refs/pull/7/head', commit_sha: project.github.host.head },
  ]);
});

it('401: the token is no good', async () => {
  project.github.fault = () => ({
    kind: 'status',
    status: 401,
    message: `Bad credentials ${goodToken}`,
  });
  const { code, stderr } = await publish('401');
  expect([code, stderr]).toEqual([2, expect.stringContaining('does not take the token')]);
  expectNothing();
});

it('403 with retry-after: it waits and goes on', async () => {
  project.github.mostCreated = 2;
  expect(await publish('403, retry-after: 2')).toMatchObject({ code: 0 });
  expectWhole();
});

it('429 with an hour to wait: it says so and ends', async () => {
  project.github.fault = ({ method }) =>
    method === 'POST' ? { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } : null;
  const { code, stderr } = await publish('429, an hour');
  expect([code, stderr]).toEqual([2, expect.stringContaining('limits the rate')]);
  expectNothing();
});

it('404: another repository, or one that the token may not see', async () => {
  project.github.fault = () => ({ kind: 'status', status: 404, message: 'Not Found' });
  expect(await publish('404')).toMatchObject({ code: 2 });
});

it('a redirect is not followed: the token would go along', async () => {
  project.github.fault = () => ({
    kind: 'status',
    status: 301,
    headers: { location: 'http://127.0.0.1:9/' },
  });
  expect(await publish('301')).toMatchObject({ code: 2 });
  expect(project.github.asked).toHaveLength(1);
});

it('422: one line is outside of the diff by now, and the others are told all the same', async () => {
  const { github } = project;
  github.before = ({ method, path: asked }) => {
    if (method === 'POST' && asked.endsWith('/reviews'))
      github.host.files = [
        { filename: 'src/cart.js', status: 'added', patch: '@@ -0,0 +1,12 @@\n+x' },
      ];
  };
  const { code, stdout } = await publish('422, one line moved');
  expect(code).toBe(0);
  expect(stdout).toContain('1 of the comments at lines was refused by the host');
  expect(github.host.threads.map(({ line }) => line)).toEqual([10]);
  expect(github.host.comments[0]?.body).toContain('The cache size grows');
});

it.each(['/reviews', '/check-runs', '/comments', '/graphql'])(
  '500 once, at %s: what may have been done is looked for, what was not is done',
  async end => {
    project.github.fault = once(posts(end), { kind: 'status', status: 500 });
    expect(await publish(`500 once at ${end}`)).toMatchObject({ code: 0 });
    expectWhole();
  },
);

it('500 for good: nothing, and said', async () => {
  project.github.fault = () => ({ kind: 'status', status: 502, message: 'Bad gateway' });
  const { code, stderr } = await publish('502 for good');
  expect([code, stderr]).toEqual([2, expect.stringContaining('at fault')]);
});

it.each(['/reviews', '/check-runs', '/comments'])(
  'an answer that is lost, at %s: done once',
  async end => {
    project.github.fault = once(posts(end), { kind: 'lose' });
    expect(await publish(`done and lost at ${end}`)).toMatchObject({ code: 0 });
    expectWhole();
  },
);

it.each(['/reviews', '/check-runs', '/comments'])(
  'a connection that drops before, at %s: done once',
  async end => {
    project.github.fault = once(posts(end), { kind: 'drop' });
    expect(await publish(`dropped at ${end}`)).toMatchObject({ code: 0 });
    expectWhole();
  },
);

it('an answer that is no JSON, and one of another form', async () => {
  for (const text of ['<html>a proxy</html>', '{"state":"open"}', '[]', '', 'null']) {
    project.github.fault = () => ({ kind: 'text', text });
    const { code, stderr } = await publish(`answers ${text.slice(0, 12)}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('something unknown')]);
  }
});

it('a token without rights: each part that is missing is named', async () => {
  project.github.rights = new Set();
  const { code, stdout } = await publish('no rights', '--sarif');
  expect(code).toBe(2);
  for (const words of [
    'The comments at lines:',
    'The check:',
    'The summary:',
    'The SARIF file was not uploaded:',
  ])
    expect(stdout).toContain(words);
  expectNothing();

  project.github.rights = new Set<Right>(['checks', 'pull-requests']);
  const { code: other, stdout: said } = await publish('no right to upload', '--sarif');
  expect([other, said]).toEqual([0, expect.stringContaining('The SARIF file was not uploaded:')]);
  for (const what of ['rewound was not', 'No code was'])
    expect(said).toContain(`${what} looked at`);
  expectWhole();
});

it('a closed pull request: nothing, and no failure', async () => {
  project.github.host.state = 'closed';
  const { code, stdout } = await publish('closed');
  expect([code, stdout]).toEqual([0, expect.stringContaining('pull request 7 is closed')]);
  expectNothing();
});

it('a force-push before, and in between: nothing is published', async () => {
  const { github } = project;
  const other = 'c'.repeat(40);
  let looks = 0;
  github.before = ({ method, path: asked }) => {
    if (method === 'GET' && asked.endsWith('/pulls/7') && ++looks === 2) github.host.head = other;
  };
  const { code, stdout } = await publish('force-push in between');
  expect([code, stdout]).toEqual([2, expect.stringContaining(`is ${other} by now`)]);
  expectNothing();

  github.before = () => {};
  const { code: refused, stderr } = await publish('handover of another head');
  expect([refused, stderr]).toEqual([2, expect.stringContaining(`not of ${other}`)]);
  expectNothing();
});

it('another branch that it asks for, before and in between: nothing is published', async () => {
  const { github } = project;
  let looks = 0;
  github.before = ({ method, path: asked }) => {
    if (method === 'GET' && asked.endsWith('/pulls/7') && ++looks === 2)
      github.host.branch = 'release';
  };
  for (const name of ['another branch in between', 'another branch']) {
    const { code, stdout } = await publish(name);
    expect([code, stdout]).toEqual([2, expect.stringContaining('another branch by now')]);
    expectNothing();
  }
});

it.each([{ behind: 1 }, { base: 'd'.repeat(40) }])(
  'a branch that was rewound behind what was reviewed, %o: nothing is published',
  async way => {
    Object.assign(project.github.host, way);
    const { code, stdout } = await publish(`rewound ${JSON.stringify(way)}`);
    expect([code, stdout]).toEqual([2, expect.stringContaining('was rewound')]);
    expectNothing();
  },
);

it('two at once leave what one would', async () => {
  // Neither posts before the other is about to: each has looked, and found nothing.
  const arrived: Asked[] = [];
  project.github.before = async request => {
    if (request.method !== 'POST' || !request.path.endsWith('/reviews')) return;
    arrived.push(request);
    while (arrived.length < 2) await setTimeout(10);
  };
  const [one, other] = await Promise.all([
    publish('two at once, one'),
    publish('two at once, other'),
  ]);
  expect([one.code, other.code, arrived.length]).toEqual([0, 0, 2]);
  const { host } = project.github;
  expect(host.threads.map(({ line }) => line).toSorted((left, right) => left - right)).toEqual([
    10, 15,
  ]);
  expect(host.comments).toHaveLength(1);
  expect(new Set(host.checks.map(({ external_id }) => external_id)).size).toBe(1);
});

it.each([5, 6, 7, 8, 9, 10])(
  'killed at request %i: the next one does the rest, and nothing twice',
  async number => {
    const { github } = project;
    expect(await project.publishAndKill(folder, number)).toMatchObject({ code: null });
    expect(github.asked.length).toBe(number);
    github.before = () => {};
    expect(await publish(`killed at request ${number}, again`)).toMatchObject({ code: 0 });
    expectWhole();
  },
);

it('a summary that somebody deletes is written again, the comments at lines are not', async () => {
  await publish('first');
  project.github.host.comments = [];
  const ended = await publish('summary deleted by hand');
  expect(figuresOf(ended)).toMatchObject({ posted: 1, kept: 2 });
  expectWhole();
});

it('the marker in the words of somebody else is a text', async () => {
  await publish('first');
  const { host } = project.github;
  const stolen = host.threads[0]?.comments[0]?.body ?? '';
  host.threads = host.threads.slice(1);
  host.threads.push({
    id: 'T',
    path: 'src/cart.js',
    line: 1,
    side: 'RIGHT',
    commit: host.head,
    isResolved: false,
    comments: [{ id: 5, body: stolen, author: 'eve', createdAt: '2026-11-25T12:00:00Z' }],
  });
  host.comments = host.comments.map(comment => ({ ...comment, author: 'eve' }));
  const ended = await publish('markers of a stranger');
  expect(figuresOf(ended)).toMatchObject({ posted: 2, updated: 0, kept: 1 });
});

it('a later run of the same commit is not taken back by an older one', async () => {
  const { folder: later } = await project.review();
  expect(await project.publish(later)).toMatchObject({ code: 0 });
  const { code, stdout } = await publish('older than what stands there');
  expect([code, stdout]).toEqual([2, expect.stringContaining('a later run of this commit')]);
});

it('a handover that was tampered with, is a link, or is none', async () => {
  const [{ folder: other }] = [await project.review()];
  writeFileSync(path.join(other, 'report.sarif'), '{}');
  const wrong = (where: string): Promise<Ended> => project.publish(where);
  expect(await wrong(other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not the file') as string,
  });
  unlinkSync(path.join(other, 'report.sarif'));
  symlinkSync('/etc/passwd', path.join(other, 'report.sarif'));
  expect(await wrong(other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is missing, no plain file') as string,
  });
  expect(await wrong(path.join(other, 'none'))).toMatchObject({ code: 2 });
  expectNothing();
});
