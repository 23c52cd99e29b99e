import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGithub } from '../../../src/adapters/github/code-host.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Clock } from '../../../src/core/ports/runner.ts';
import { describeCodeHost } from '../../contracts/code-host.ts';
import { type GithubServer, goodToken, startGithub } from '../../github/github-server.ts';
import { addComment, emptyHost, reply } from '../../github/hosted.ts';

let github: GithubServer;
let slept: number[];
const now = new Date();
const clock: Clock = {
  ...systemClock,
  now: () => now,
  sleep: ms => {
    slept.push(ms);
    return Promise.resolve();
  },
};

beforeAll(async () => {
  github = await startGithub();
});

afterAll(() => github.close());

beforeEach(() => {
  Object.assign(github.host, emptyHost(), {
    files: [
      { filename: 'a.ts', status: 'added', patch: '@@ -0,0 +1,9 @@\n+one' },
      { filename: 'b.ts', status: 'renamed', previous_filename: 'old.ts' },
    ],
    texts: new Map([[`${'a'.repeat(40)}:a.ts`, 'one\n']]),
  });
  github.fault = () => null;
  github.mostCreated = Infinity;
  github.forget();
  slept = [];
});

function open(parts: Partial<Parameters<typeof createGithub>[0]> = {}) {
  const { repository, number } = github.host;
  return createGithub({
    repository,
    pull: number,
    apiUrl: github.url,
    token: goodToken,
    clock,
    ...parts,
  });
}

describe('the contract', () => {
  describeCodeHost(async () => ({
    host: await open(),
    head: github.host.head,
    reply: (author, body) => reply(github.host, github.host.threads[0], author, body),
    writer: 'ada',
    reader: 'eve',
  }));
});

describe('lists of many pages', () => {
  it('has every file, comment, thread and reply', async () => {
    const { host } = github;
    host.files = Array.from({ length: 250 }, (_, index) => ({
      filename: `f${index}.ts`,
      status: 'added',
      patch: '@@ -0,0 +1 @@\n+x',
    }));
    for (let index = 0; index < 230; index += 1) addComment(host, `comment ${index}`);
    const github230 = await open();
    for (let index = 0; index < 120; index += 1)
      await github230.createInline(host.head, [
        { path: `f${index}.ts`, side: 'new', line: 1, endLine: 1, body: 'x' },
      ]);
    for (let index = 0; index < 140; index += 1)
      reply(host, host.threads[7], 'ada', `reply ${index}`);
    github.forget();
    const client = await open();
    expect(await client.listFiles()).toHaveLength(250);
    expect(github.asked).toHaveLength(3);
    const { comments, threads } = await client.readConversation();
    expect(comments.map(({ body }) => body)).toEqual(host.comments.map(({ body }) => body));
    expect(threads.map(({ id }) => id)).toEqual(host.threads.map(({ id }) => id));
    expect(threads[7]?.comments).toHaveLength(141);
  });

  it('reads a conversation whose comments are as long as they may be', async () => {
    const { host } = github;
    const long = '\u{1F600}'.repeat(32_768);
    for (let line = 1; line < 7; line += 1)
      await (
        await open()
      ).createInline(host.head, [{ path: 'a.ts', side: 'new', line, endLine: line, body: 'x' }]);
    for (let index = 0; index < 100; index += 1) addComment(host, long, 'eve');
    for (const thread of host.threads)
      for (let index = 0; index < 35; index += 1) reply(host, thread, 'eve', long);
    const { comments, threads } = await (await open()).readConversation();
    expect(comments).toHaveLength(100);
    expect(threads.map(({ comments: all }) => all.length)).toEqual([36, 36, 36, 36, 36, 36]);
  });

  it('asks for the texts of forty files at once', async () => {
    const paths = Array.from({ length: 90 }, (_, index) => `f${index}.ts`);
    github.host.texts = new Map(paths.map(path => [`${github.host.head}:${path}`, path]));
    expect((await (await open()).readTexts(github.host.head, paths)).size).toBe(90);
    expect(github.asked).toHaveLength(3);
  });
});

const said = (message: string, type?: string) => ({
  kind: 'text' as const,
  text: JSON.stringify({ data: null, errors: [{ ...(type && { type }), message }] }),
});

describe('limits and failures', () => {
  it('waits as long as it is told, then sends the same again', async () => {
    github.fault = ({ number }) =>
      number === 1
        ? {
            kind: 'status',
            status: 403,
            message: 'You have exceeded a secondary rate limit.',
            headers: { 'retry-after': '7' },
          }
        : null;
    await (await open()).createComment('one');
    expect(slept).toEqual([7_000]);
    expect(github.host.comments).toHaveLength(1);
  });

  it('waits until the hour of the primary limit, and a minute where nothing is told', async () => {
    const reset = now.getTime() / 1_000 + 30;
    github.fault = ({ number }) =>
      number === 1
        ? {
            kind: 'status',
            status: 403,
            headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
          }
        : number === 2
          ? { kind: 'status', status: 429 }
          : null;
    await (await open()).readPull();
    expect(slept.map(Math.round)).toEqual([30_000, 60_000]);
  });

  it('waits for a limit of GraphQL, which comes with 200', async () => {
    github.fault = ({ number }) =>
      number === 1
        ? said('You have exceeded a secondary rate limit. Please wait a few minutes.')
        : number === 2
          ? said('enough for this hour', 'RATE_LIMITED')
          : null;
    await (await open()).readConversation();
    expect(slept).toEqual([60_000, 60_000]);
  });

  it('asks again after a fault of GraphQL, which comes with 200 as well', async () => {
    const fault = {
      kind: 'text' as const,
      text: JSON.stringify({
        errors: [{ message: 'Something went wrong while executing your query.' }],
      }),
    };
    github.fault = ({ number }) => (number === 1 ? fault : null);
    await (await open()).readConversation();
    expect(github.asked).toHaveLength(2);
    github.fault = () => fault;
    await expect((await open()).readConversation()).rejects.toMatchObject({ code: 'provider' });
  });

  it.each([
    ['40', 100_000, [40_000, 40_000]],
    ['0', 2_500, [1_000, 1_000]],
  ])(
    'does not wait beyond the bound, however the waits are portioned (%s s)',
    async (after, mostWaitMs, waits) => {
      github.fault = () => ({ kind: 'status', status: 429, headers: { 'retry-after': after } });
      await expect((await open({ mostWaitMs })).readPull()).rejects.toMatchObject({
        code: 'rate-limited',
      });
      expect(slept).toEqual(waits);
    },
  );

  it('a wrong 403 is no limit: nothing is waited for', async () => {
    github.fault = () => ({
      kind: 'status',
      status: 403,
      message: 'Resource not accessible by integration',
    });
    await expect((await open()).readPull()).rejects.toMatchObject({ code: 'forbidden' });
    expect(slept).toEqual([]);
  });

  it('a host that never answers: what may be done twice is tried three times, the rest once', async () => {
    github.fault = () => ({ kind: 'hang' });
    await expect((await open({ timeoutMs: 50 })).readPull()).rejects.toMatchObject({
      code: 'unreachable',
      mayBeDone: false,
    });
    expect(github.asked).toHaveLength(3);
    github.forget();
    await expect((await open({ timeoutMs: 50 })).createComment('x')).rejects.toMatchObject({
      code: 'unreachable',
      mayBeDone: true,
    });
    expect(github.asked).toHaveLength(1);
    expect(github.host.comments).toHaveLength(1);
  });

  it('nobody listens there', async () =>
    await expect((await open({ apiUrl: 'http://127.0.0.1:9' })).readPull()).rejects.toMatchObject({
      code: 'unreachable',
    }));

  it('names what the status means, and quotes no token', async () => {
    const codes = {
      401: 'auth',
      403: 'forbidden',
      404: 'missing',
      410: 'missing',
      302: 'missing',
      422: 'refused',
      500: 'provider',
      503: 'provider',
    };
    for (const [status, code] of Object.entries(codes)) {
      github.fault = () => ({
        kind: 'status',
        status: Number(status),
        message: `no ${goodToken}\u001B[31m`,
      });
      const error: unknown = await (await open()).readPull().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code });
      expect(String(error)).not.toContain(goodToken);
      expect(String(error)).not.toContain('\u001B');
    }
  });

  it('takes nothing for written but what GitHub answers to it', async () => {
    const client = await open();
    const comment = { kind: 'issues', id: 1, body: '', isOwn: true, author: null, at: '' } as const;
    const unread = { code: 'unreadable', mayBeDone: false };
    for (const text of ['<html>', '{"id": 1', '[]', '{"data":{}}', 'null', '']) {
      github.fault = () => ({ kind: 'text', text });
      await expect(client.createComment('x')).rejects.toMatchObject({ ...unread, mayBeDone: true });
      await expect(client.updateComment(comment, 'x')).rejects.toMatchObject(unread);
      await expect(client.setResolved('x', true)).rejects.toMatchObject(unread);
    }
    await client.deleteComment(comment);
  });

  it('ends when it is told to', async () => {
    const controller = new AbortController();
    github.fault = () => ({ kind: 'hang' });
    const reading = (await open({ signal: controller.signal })).readPull();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
  });

  it('sends SARIF as it is, packed', async () => {
    await (await open()).uploadSarif(github.host.head, '{"runs":[]}');
    expect(gunzipSync(Buffer.from(github.host.uploads[0]?.sarif ?? '', 'base64')).toString()).toBe(
      '{"runs":[]}',
    );
  });
});
