import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGithub } from '../../../src/adapters/github/code-host.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createMatcher } from '../../../src/agreement/calibrated.ts';
import { type Handover } from '../../../src/core/github/parcel.ts';
import { outcomeOf } from '../../../src/core/verdict/outcome.ts';
import type { Reason } from '../../../src/core/verdict/record.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { publish, type Published } from '../../../src/engine/publish/publish.ts';
import { publicationTexts } from '../../../src/render/publish/comments.ts';
import { type GithubServer, goodToken, startGithub } from '../../github/github-server.ts';
import { emptyHost, reply } from '../../github/hosted.ts';
import { handoverOn } from '../../github/parcel.ts';
import { packer } from '../../packer.ts';
import { at, claim, finding, review, runOf } from '../../render/sample-run.ts';

let github: GithubServer;

beforeAll(async () => {
  github = await startGithub();
});

afterAll(() => github.close());

beforeEach(() => {
  Object.assign(github.host, emptyHost(), {
    files: [{ filename: 'a.ts', status: 'added', patch: '@@ -0,0 +1,300 @@\n+one' }],
    texts: new Map([
      [
        `${'a'.repeat(40)}:a.ts`,
        Array.from({ length: 300 }, (_, index) => `call(${index});`).join('\n'),
      ],
    ]),
  });
  github.fault = () => null;
  github.before = () => {};
  github.forget();
});

function claimsOf(amount: number): Claim[] {
  const words = 'pool cache query token lock file stream index'.split(' ');
  return Array.from({ length: amount }, (_, index) => {
    const text = `The ${words[index % 8]} of part ${index} is never closed`;
    return claim(index, [
      finding({ reviewer: 'alpha', text, location: at('a.ts', index * 2 + 1) }, index + 1),
    ]);
  });
}

let runs = 0;

function handoverOf(claims: readonly Claim[], reasons: Reason[]): Handover {
  const { host } = github;
  const blocking = reasons.filter(({ rule }) => rule === 'claim').map(({ subject }) => subject);
  const files = [{ path: 'a.ts', by: ['alpha'], partiallyBy: [], skippedBy: [] }];
  const run = runOf([review('alpha', [])], claims, {
    outcome: outcomeOf(reasons),
    reasons,
    blocking,
    coverage: { bytes: 1, accounted: 1, files, excluded: [] },
  });
  runs += 1;
  const record = {
    ...run.record,
    run: `run-${runs}`,
    subject: { ...run.record.subject, head: host.head },
  };
  return handoverOn(host, { ...run, record });
}

async function publishOn(handover: Handover): Promise<Published> {
  return publish({
    handover,
    packer,
    host: await createGithub({
      repository: github.host.repository,
      pull: 7,
      token: goodToken,
      apiUrl: github.url,
      clock: systemClock,
    }),
    matcher: createMatcher('calibrated'),
    texts: publicationTexts,
    uploadsSarif: true,
    isDry: false,
  });
}

const fails = (subject: string): Reason => ({
  rule: 'claim',
  effect: 'FAIL',
  subject,
  sentence: `${subject} is high.`,
});
const leavesOpen: Reason = {
  rule: 'quorum',
  effect: 'INCOMPLETE',
  subject: '',
  sentence: 'Only 1 of 3 completed.',
};

it('what is incomplete asks for somebody: never a success, never neutral', async () => {
  expect(await publishOn(handoverOf([], [leavesOpen]))).toMatchObject({ status: 'published' });
  expect(github.host.checks).toMatchObject([{ conclusion: 'action_required' }]);
  expect(github.host.comments[0]?.body).toContain('INCOMPLETE: Only 1 of 3 completed.');
});

it('a pass is a success, with nothing at any line', async () => {
  await publishOn(handoverOf([], []));
  expect(github.host.checks).toMatchObject([{ conclusion: 'success', annotations: [] }]);
  expect(github.host.threads).toEqual([]);
});

it('an older run takes nothing back, wherever the later one stands', async () => {
  const older = handoverOf([], []);
  const later = handoverOf([], [leavesOpen]);
  later.parcel.created = '2026-11-25T12:00:01.000Z';
  await publishOn(later);
  expect(await publishOn(later)).toMatchObject({ status: 'published', posted: 0 });
  for (const comments of [github.host.comments, []]) {
    github.host.comments = comments;
    expect(await publishOn(older)).toMatchObject({ why: 'older', calls: 5 });
  }
  // Of another pull request, and where nobody may look.
  Object.assign(github.host.checks[0] ?? {}, { external_id: 'jury/71@2027/run' });
  expect(await publishOn(older)).toMatchObject({ status: 'published', posted: 2 });
  github.fault = ({ method, path }) =>
    method === 'GET' && path.includes('/check-runs') ? { kind: 'status', status: 403 } : null;
  expect(await publishOn(older)).toMatchObject({ status: 'published', posted: 1 });
});

it('fifty annotations, the most important first, and how many are left out', async () => {
  const claims = claimsOf(130);
  await publishOn(handoverOf(claims, [fails(claims[0]?.id ?? '')]));
  expect(github.host.checks[0]?.annotations).toHaveLength(50);
  expect(github.host.checks[0]?.annotations[0]).toMatchObject({ start_line: 1 });
  expect(github.host.checks[0]?.summary).toContain('80 more annotations are left out');
});

it('twenty comments a time, the next twenty with the next publication', async () => {
  const claims = claimsOf(50);
  const checked = handoverOf(claims, [fails(claims[0]?.id ?? '')]);
  const counts = [];
  for (let time = 0; time < 4; time += 1) {
    const { beyond } = await publishOn(checked);
    counts.push([github.host.threads.length, beyond]);
  }
  expect(counts).toEqual([
    [20, 30],
    [40, 10],
    [50, 0],
    [50, 0],
  ]);
  expect(github.host.comments).toHaveLength(1);
});

it('of a hundred comments those that somebody deletes stay deleted', async () => {
  const words =
    'It reads as long as what a reviewer says, in four sentences of several words. '.repeat(4);
  const claims = claimsOf(100).map(one => ({
    ...one,
    text: `${one.text}. ${words}`,
    findings: one.findings.map(said => ({ ...said, text: `${one.text}. ${words}` })),
  }));
  for (let time = 0; time < 5; time += 1) await publishOn(handoverOf(claims, []));
  expect(github.host.threads).toHaveLength(100);
  github.host.threads = github.host.threads.filter((_, index) => index % 10 !== 0);
  expect(await publishOn(handoverOf(claims, []))).toMatchObject({ deleted: 10, kept: 90 });
  expect(github.host.threads).toHaveLength(90);
});

it('a dismissal takes its own reason away, and no other one', async () => {
  const claims = claimsOf(2);
  const [one, other] = claims.map(({ id }) => id) as [string, string];
  const veto: Reason = {
    rule: 'veto',
    effect: 'FAIL',
    subject: 'alpha',
    sentence: 'alpha vetoes the change.',
  };
  const dismiss = (id: string): void =>
    reply(
      github.host,
      github.host.threads.find(({ comments }) => comments[0]?.body.includes(id)),
      'ada',
      '/jury dismiss no',
    );
  await publishOn(handoverOf(claims, [fails(one), fails(other), veto]));
  dismiss(one);
  expect(
    (await publishOn(handoverOf(claims, [fails(one), fails(other), veto]))).record?.reasons,
  ).toEqual([fails(other), veto]);
  dismiss(other);
  const { record } = await publishOn(handoverOf(claims, [fails(one), fails(other), veto]));
  expect(record).toMatchObject({ outcome: 'FAIL', blocking: [], reasons: [veto] });
  const { record: open } = await publishOn(
    handoverOf(claims, [fails(one), fails(other), leavesOpen]),
  );
  expect(open).toMatchObject({ outcome: 'INCOMPLETE', reasons: [leavesOpen] });
  expect(github.host.checks.at(-1)).toMatchObject({ conclusion: 'action_required' });
});

const dismissAs = (login: string) => (): void =>
  reply(github.host, github.host.threads[0], login, '/jury dismiss no');

describe('a dismissal that counts for nothing', () => {
  const [told] = claimsOf(1) as [Claim];
  const dismissedAfter = async (before: () => void): Promise<string | undefined> => {
    await publishOn(handoverOf([told], [fails(told.id)]));
    before();
    const { record } = await publishOn(handoverOf([told], [fails(told.id)]));
    return record?.claims[0]?.state;
  };
  it('counts, to begin with', async () =>
    expect(await dismissedAfter(dismissAs('ada'))).toBe('dismissed'));

  it('is of an App that is called as somebody who may write', async () =>
    expect(await dismissedAfter(dismissAs('ada[bot]'))).toBe('persisting'));

  it('is of somebody who may write no more', async () =>
    expect(
      await dismissedAfter(() => {
        dismissAs('ada')();
        github.host.people.set('ada', 'read');
      }),
    ).toBe('persisting'));

  it('is about code that stands there no more, however often that is looked at', async () => {
    const change = (): void => {
      dismissAs('ada')();
      github.host.texts.set(`${github.host.head}:a.ts`, 'other(0);\nmore(1);\n');
    };
    expect(await dismissedAfter(change)).toBe('persisting');
    for (let time = 0; time < 2; time += 1) {
      const { record } = await publishOn(handoverOf([told], [fails(told.id)]));
      expect(record).toMatchObject({ outcome: 'FAIL', claims: [{ state: 'persisting' }] });
    }
    dismissAs('ada')();
    expect((await publishOn(handoverOf([told], [fails(told.id)]))).record?.outcome).toBe('PASS');
  });

  it('is about code that the token may not look at', async () => {
    github.host.texts.clear();
    await publishOn(handoverOf([told], [fails(told.id)]));
    dismissAs('ada')();
    const { record, notes } = await publishOn(handoverOf([told], [fails(told.id)]));
    expect(record?.claims[0]?.state).toBe('persisting');
    expect(notes).toEqual([expect.stringContaining('A dismissal does not hold')]);
  });
});

it('a check is told in as many bytes as it may have, in whatever writing', async () => {
  const claims = claimsOf(200).map(one => ({ ...one, text: `${one.text} ${'関数'.repeat(150)}` }));
  const told = claims.map(one => ({
    ...one,
    findings: one.findings.map(said => ({ ...said, text: one.text })),
  }));
  expect(await publishOn(handoverOf(told, []))).toMatchObject({
    status: 'published',
    troubles: [],
  });
  const summary = github.host.checks[0]?.summary ?? '';
  expect(Buffer.byteLength(summary)).toBeGreaterThan(40_000);
  expect(summary).toContain('less important than these');
});

it('a comment, and the summary, that somebody deletes while it is published', async () => {
  await publishOn(handoverOf(claimsOf(3), []));
  github.before = ({ method, path }) => {
    if (method === 'PATCH' && path.includes('/pulls/comments/'))
      github.host.threads = github.host.threads.slice(-2);
    if (method === 'PATCH' && path.includes('/issues/comments/')) github.host.comments = [];
  };
  const { status, updated, notes } = await publishOn(handoverOf([], []));
  expect([status, updated]).toEqual(['published', 2]);
  expect(notes).toEqual(['1 comment was deleted while this was published.']);
  expect(github.host.comments).toHaveLength(1);
});

const fileOf = (name: string): string =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name } }, results: [] }] });

it('uploads no SARIF file that is called after another tool', async () => {
  for (const [sarif, uploads] of [
    [fileOf('CodeQL'), 0],
    ['{}', 0],
    ['<xml/>', 0],
    [fileOf('Jury'), 1],
  ] as const) {
    const { notes } = await publishOn({ ...handoverOf([], []), sarif });
    expect(github.host.uploads).toHaveLength(uploads);
    expect(notes).toHaveLength(1 - uploads);
  }
});

it('a comment that the host does not change leaves the others to be told', async () => {
  await publishOn(handoverOf(claimsOf(3), []));
  const first = github.host.threads[0]?.comments[0]?.id;
  github.fault = ({ method, path }) =>
    method === 'PATCH' && path.endsWith(`/pulls/comments/${first}`)
      ? { kind: 'status', status: 422 }
      : null;
  const { status, updated, troubles } = await publishOn(handoverOf([], []));
  expect([status, updated]).toEqual(['partly', 3]);
  expect(troubles).toEqual([expect.stringContaining('1 comment could not be changed')]);
});

it('an incomplete run resolves nothing: nobody has looked', async () => {
  await publishOn(handoverOf(claimsOf(2), []));
  expect(await publishOn(handoverOf([], [leavesOpen]))).toMatchObject({ resolved: 0, kept: 2 });
  expect(github.host.threads.map(({ isResolved }) => isResolved)).toEqual([false, false]);
  // The code stands as it did: that its reviewer has read it again decides.
  expect(await publishOn(handoverOf([], []))).toMatchObject({ resolved: 2 });
});

it('a file that the pull request leaves alone again takes its threads along, once that is decided', async () => {
  await publishOn(handoverOf(claimsOf(2), []));
  const file = { filename: 'b.ts', status: 'added', patch: '@@ -0,0 +1 @@\n+x' } as const;
  const unread = handoverOf([], []);
  unread.record.coverage.files = [];
  // What stands beyond the end of the list was not seen.
  for (const length of [0, 3_000]) {
    github.host.files = Array.from({ length }, () => file);
    expect(await publishOn(unread)).toMatchObject({ resolved: 0 });
  }
  github.host.files = [file];
  expect(await publishOn(handoverOf([], [leavesOpen]))).toMatchObject({ resolved: 0 });
  expect(await publishOn(handoverOf([], []))).toMatchObject({ resolved: 2 });
  expect(github.host.threads[0]?.comments[0]?.body).toContain('does not touch its file any more');
});

it.each([
  ['/graphql', 'itself'],
  ['/pulls/comments/', 'itself'],
  ['/graphql', 'another run'],
  ['/pulls/comments/', 'another run'],
])(
  'a thread that could not be resolved or told of, at %s, is the next time, by %s',
  async (where, which) => {
    await publishOn(handoverOf(claimsOf(2), []));
    const next = handoverOf([], []);
    github.fault = ({ method, path, body }) =>
      path.includes(where) && (method === 'PATCH' || String(body.query).startsWith('mutation'))
        ? { kind: 'status', status: 500 }
        : null;
    expect(await publishOn(next)).toMatchObject({ status: 'partly' });
    github.fault = () => null;
    expect(await publishOn(which === 'itself' ? next : handoverOf([], []))).toMatchObject({
      status: 'published',
    });
    expect(github.host.threads.map(({ isResolved }) => isResolved)).toEqual([true, true]);
    for (const { comments } of github.host.threads)
      expect(comments[0]?.body).toMatch(/fixed as of|An earlier run/);
  },
);
