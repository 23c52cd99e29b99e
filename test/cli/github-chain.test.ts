/** From the event of a pull request to what stands in it, by the workflows that people copy: review, or pack and review, then publish. */
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  createFolder,
  openSample,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { cloneOf, type GitHost, openGitHost, repositoryName, toldPull } from '../git-host.ts';
import { type GithubServer, goodToken, startGithub } from '../github/github-server.ts';
import { fork, type Job, openJob, pullEventOf, runEventOf, runStep } from '../workflow-job.ts';

let host: GitHost;
let github: GithubServer;
let author: SampleRepository;
let base: string;

beforeAll(async () => {
  host = await openGitHost();
  author = openSample(path.join(createFolder(), 'author'));
  author.write(
    'jury.config.yaml',
    'checksOnly: true\nreviewers: [{ id: javascript, runner: builtin, analyser: javascript }]\n',
  );
  author.git('init', '-q', '-b', 'main');
  base = author.commit('main');
  author.git('push', '-q', host.served.root, 'main');
  github = await startGithub({ repository: repositoryName });
  return () => github.close();
});

/** The author pushes, and both halves of the host learn of it. */
function push(text: string) {
  author.git('checkout', '-q', '-B', 'topic', base);
  author.write('src/late.js', text);
  const head = author.commit('topic');
  author.git('push', '-q', '-f', host.served.root, 'topic:refs/pull/7/head');
  author.git('checkout', '-q', 'main');
  host.pulls.set(7, toldPull(7, { base, head, fork }));
  const patch = author.git('diff', base, head);
  Object.assign(github.host, { head, base });
  github.host.files = [
    { filename: 'src/late.js', status: 'added', patch: patch.slice(patch.indexOf('@@ ')) },
  ];
  github.host.texts.set(`${head}:src/late.js`, text);
  return head;
}

const publish = async (workflow: string, job: Job, head: string) => {
  const ended = await runStep(host, job, [workflow, 'publish', 'Publish'], {
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: goodToken,
    PULL: '7',
    HEAD: head,
  });
  expect(ended.code, ended.stderr).toBe(0);
  return ended.stdout;
};

const conclusions = () => github.host.checks.map(({ conclusion }) => conclusion);

it('a pull request of the same repository: one check and one comment at the line; after the fix a pass, nothing twice', async () => {
  const bad = push('export const run = text => eval(text);\n');
  const payload = pullEventOf(7, { base, head: bad });
  const job = openJob(host, { event: 'pull_request', payload, checkout: cloneOf(host) });
  const reviewed = await runStep(host, job, ['jury-review.yml', 'review', 'Review']);
  expect(reviewed.code, reviewed.stderr).toBe(0);
  expect(await publish('jury-review.yml', job, bad)).toContain('repeated 0');
  expect(conclusions()).toEqual(['failure']);
  expect(github.host.threads.map(({ path: file, line }) => [file, line])).toEqual([
    ['src/late.js', 1],
  ]);

  const good = push('export const run = text => text.length;\n');
  const next = openJob(host, {
    event: 'pull_request',
    payload: pullEventOf(7, { base, head: good }),
    checkout: cloneOf(host),
  });
  await runStep(host, next, ['jury-review.yml', 'review', 'Review']);
  expect(await publish('jury-review.yml', next, good)).toMatch(/^PASS[\s\S]*resolved 1/);
  expect(conclusions()).toEqual(['failure', 'success']);
  expect(github.host.comments).toHaveLength(1);
});

it('one of a fork: packed, reviewed from the default branch, published; a push in between publishes nothing', async () => {
  const bad = push('export const other = text => eval(text);\n');
  const checkout = cloneOf(host);
  checkout.git('fetch', '-q', author.root, bad);
  checkout.git('checkout', '-q', '--detach', bad);
  const event = pullEventOf(7, { base, head: bad, from: fork });
  const packing = openJob(host, { event: 'pull_request', payload: event, checkout });
  const packed = await runStep(host, packing, ['jury-pack.yml', 'pack', 'Pack']);
  expect(packed.code, packed.stderr).toBe(0);

  const payload = runEventOf({ head: bad });
  const job = openJob(host, { event: 'workflow_run', payload, checkout: cloneOf(host) });
  symlinkSync(path.join(packing.cwd, 'packed'), path.join(job.machine, 'packed'));
  const reviewed = await runStep(host, job, ['jury-fork.yml', 'review', 'Review']);
  expect(reviewed.code, reviewed.stderr).toBe(0);
  expect(readFileSync(path.join(job.folder, 'output'), 'utf8')).toContain('pull=7\n');
  const before = conclusions().length;
  await publish('jury-fork.yml', job, bad);
  expect(conclusions().slice(before)).toEqual(['failure']);

  const moved = push('export const third = 1;\n');
  const late = await runStep(host, job, ['jury-fork.yml', 'publish', 'Publish'], {
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: goodToken,
    PULL: '7',
    HEAD: bad,
  });
  expect([late.code, conclusions().length, moved === bad]).toEqual([2, before + 1, false]);
});
