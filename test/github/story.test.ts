/** A pull request from its opening on, published by the built program at each step: what is posted, and that nothing comes twice. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Baseline } from '../../src/core/words/run.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { cart } from '../cart.ts';
import { createProject, figuresOf, type Project } from './project.ts';
import { reply } from './hosted.ts';

const injection = 'CRITICAL|src/cart.js:10|SQL injection: the name is concatenated into the query';
const size = 'IMPORTANT|src/cart.js:15|The cache size grows although the key may exist already';

describe('a pull request from open to dismissed', () => {
  let project: Project;
  /** As docs/github.md shows it. */
  const table: string[] = [
    '| step | outcome | calls | comments posted | updated | resolved | reopened | repeated |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
  ];

  beforeAll(async () => {
    project = await createProject();
  });

  afterAll(async () => {
    console.log(table.join('\n'));
    await project.github.close();
  });

  const threads = () => project.github.host.threads;
  const bodies = () => threads().map(({ comments }) => comments[0]?.body ?? '');
  const summary = () => project.github.host.comments[0]?.body ?? '';
  const threadAbout = (words: string) =>
    threads().find(({ comments }) => comments[0]?.body.includes(words));

  async function publish(name: string, folder: string, ...flags: string[]) {
    const before = new Set(commentIds());
    const ended = await project.publish(folder, ...flags);
    const figures = figuresOf(ended);
    const { calls, updated, resolved, reopened } = figures;
    const posted = commentIds().filter(id => !before.has(id)).length;
    const outcome = ended.stdout.split('.')[0] ?? '';
    const row = [name, outcome, calls, posted, updated, resolved, reopened, repeated()];
    table.push(`| ${row.join(' | ')} |`);
    return { ...ended, figures };
  }

  const commentIds = () => [
    ...project.github.host.comments.map(({ id }) => id),
    ...threads().flatMap(({ comments }) => comments.map(({ id }) => id)),
  ];

  /** Summaries, and threads about one claim, beyond the first: counted at the host, whatever the program says. */
  const repeated = () => {
    const claims = bodies().map(body => /jury:claim (c-\w+)/.exec(body)?.[1]);
    return (
      claims.length - new Set(claims).size + Math.max(0, project.github.host.comments.length - 1)
    );
  };

  async function step(name: string) {
    return publish(name, (await project.review()).folder);
  }

  /** The branch with its code moved and rewritten by the author. */
  function commit(message: string, code: string) {
    project.sample.write('src/cart.js', code);
    project.sample.commit(message);
    project.push();
  }

  it('opens: a check, a summary and each claim at its line', async () => {
    project.say('alpha', [injection, size]);
    project.say('beta', [injection]);
    const { folder } = await project.review();
    expect((await publish('dry run', folder, '--dry-run')).figures).toMatchObject({ posted: 2 });
    expect(project.github.host).toMatchObject({ comments: [], threads: [], checks: [] });

    const { code, figures } = await publish('open', folder);
    expect(code).toBe(0);
    expect(figures).toMatchObject({ posted: 4, updated: 0, repeated: 0 });
    expect(threads().map(({ path: file, line }) => [file, line])).toEqual([
      ['src/cart.js', 10],
      ['src/cart.js', 15],
    ]);
    expect(bodies()[0]).toContain(
      'Said by alpha, beta (2 of 3 who could have). Read and not said by gamma.',
    );
    // Fewer than a hundred judged claims are like it: a word, and no figure.
    expect(bodies()[0]).toContain('Confidence: likely.');
    expect(bodies()[0]).not.toMatch(/\d\s?%/);
    expect(summary()).toContain('### Jury: FAIL');
    expect(project.github.host.checks).toMatchObject([
      { conclusion: 'failure', head_sha: project.github.host.head },
    ]);

    expect((await publish('the same again', folder)).figures).toMatchObject({
      posted: 0,
      updated: 0,
      kept: 2,
    });
  });

  it('push: a claim in other words stays in its thread, a new one gets its own', async () => {
    const before = threads().map(({ id }) => id);
    commit('more', `${cart}\nexport function drop(cache, key) {\n  delete cache.items[key];\n}\n`);
    project.say('alpha', [
      'CRITICAL|src/cart.js:10|The query concatenates the name: an SQL injection',
      'IMPORTANT|src/cart.js:19|The cache size is not reduced when an item is deleted',
    ]);
    project.say('beta', [size]);
    const { figures } = await step('push');
    expect(figures).toMatchObject({ posted: 2, updated: 1, resolved: 0, kept: 2 });
    expect(
      threads()
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(before);
    expect(threads()).toHaveLength(3);
  });

  it('rebase: the commits are others, the comments are not', async () => {
    const { sample } = project;
    sample.git('checkout', '-q', 'main');
    sample.write('src/other.js', 'export const other = 1;\n');
    sample.commit('other');
    sample.git('checkout', '-q', 'feature');
    sample.git('rebase', '-q', 'main');
    commit(
      'moved',
      `// A cart.\n\n${cart}\nexport function drop(cache, key) {\n  delete cache.items[key];\n}\n`,
    );
    project.say('alpha', [
      'CRITICAL|src/cart.js:12|SQL is built by concatenating the name, which allows an injection',
      'IMPORTANT|src/cart.js:21|The cache size is not reduced when an item is deleted',
    ]);
    project.say('beta', [
      'IMPORTANT|src/cart.js:17|The cache size grows although the key may exist already',
    ]);
    const { figures } = await step('rebase');
    expect(figures).toMatchObject({ posted: 1, updated: 1, resolved: 0, kept: 3 });
    expect(threads()).toHaveLength(3);
  });

  it('fix: the thread says so and is resolved, once everybody who said it has looked again', async () => {
    const fixed = cart.replace(
      `"SELECT * FROM item WHERE name = '" + name + "'"`,
      `'SELECT * FROM item WHERE name = ?', [name]`,
    );
    commit(
      'fix',
      `// A cart.\n\n${fixed}\nexport function drop(cache, key) {\n  delete cache.items[key];\n}\n`,
    );
    project.say('alpha', [
      'IMPORTANT|src/cart.js:21|The cache size is not reduced when an item is deleted',
    ]);
    const { figures } = await step('fix');
    expect(figures).toMatchObject({ posted: 1, updated: 2, resolved: 1, kept: 2 });
    expect(threadAbout('injection')).toMatchObject({ isResolved: true });
    expect(bodies()[0]).toContain('> **Jury:** fixed as of');
    expect(project.github.host.checks.at(-1)).toMatchObject({ conclusion: 'success' });
    expect(summary()).toContain('**Fixed** (1)');
  });

  it('comes back: the same thread is opened again', async () => {
    commit(
      'revert',
      `// A cart.\n\n${cart}\nexport function drop(cache, key) {\n  delete cache.items[key];\n}\n`,
    );
    project.say('gamma', [
      'CRITICAL|src/cart.js:12|SQL injection: the name is concatenated into the query',
    ]);
    const { figures } = await step('it comes back');
    expect(figures).toMatchObject({ posted: 1, updated: 2, reopened: 1, kept: 2 });
    expect(threadAbout('injection')).toMatchObject({ isResolved: false });
    expect(bodies()[0]).not.toContain('> **Jury:**');
    expect(threads()).toHaveLength(3);
  });

  it('dismiss: a reply counts of whoever may write, and the check follows it', async () => {
    const { host } = project.github;
    reply(host, threadAbout('injection'), 'eve', '/jury dismiss I say so');
    reply(host, threadAbout('injection'), 'nobody', '/jury dismiss I say so');
    reply(host, threadAbout('injection'), 'ada', 'Somebody should /jury dismiss this');
    reply(host, threadAbout('injection'), 'ada', '/jury dismiss');
    const strangers = await step('strangers dismiss');
    expect(strangers.figures).toMatchObject({ updated: 1, resolved: 0 });
    expect(host.checks.at(-1)).toMatchObject({ conclusion: 'failure' });

    reply(
      host,
      threadAbout('injection'),
      'ada',
      '/jury dismiss the names are `constants` fixes #1 @ada',
    );
    const { folder } = await project.review();
    const file = path.join(createFolder(), 'decisions.json');
    const { figures } = await publish('dismiss', folder, '--decisions', file);
    expect(figures).toMatchObject({ posted: 1, updated: 2, resolved: 1, kept: 2 });
    expect(bodies()[0]).toContain('> **Jury:** Dismissed');
    expect(bodies()[0]).toContain('fixes `#1 @ada` (ada)');
    expect(host.checks.at(-1)).toMatchObject({ conclusion: 'success' });
    const { dispositions } = Baseline.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(dispositions).toMatchObject([
      {
        verdict: 'rejected',
        path: 'src/cart.js',
        reason: expect.stringContaining('(ada)') as string,
      },
    ]);
    expect((await publish('dismiss again', folder)).figures).toMatchObject({
      posted: 0,
      updated: 0,
      resolved: 0,
    });
  });

  it('a dismissal ends with the code that it was given for', async () => {
    commit(
      'other query',
      `// A cart.\n\n${cart.replace('SELECT *', 'SELECT name')}\nexport function drop(cache, key) {\n  delete cache.items[key];\n}\n`,
    );
    const { figures } = await step('code changes');
    expect(figures).toMatchObject({ posted: 1, updated: 2 });
    expect(threadAbout('injection')).toMatchObject({ isResolved: false });
    expect(project.github.host.checks.at(-1)).toMatchObject({ conclusion: 'failure' });

    // The reply still stands there; what it was about does not.
    const again = await step('the same code again');
    expect(again.figures).toMatchObject({ resolved: 0 });
    expect(threadAbout('injection')).toMatchObject({ isResolved: false });
    expect(project.github.host.checks.at(-1)).toMatchObject({ conclusion: 'failure' });
  });

  it('accept: it ends a dismissal', async () => {
    const { host } = project.github;
    reply(host, threadAbout('injection'), 'ada', '/jury dismiss still constants');
    await step('dismissed anew');
    expect(threadAbout('injection')).toMatchObject({ isResolved: true });
    reply(host, threadAbout('injection'), 'ada', '/jury accept');
    expect((await step('accept')).figures).toMatchObject({ updated: 2 });
    expect(threadAbout('injection')).toMatchObject({ isResolved: false });
  });

  it('a comment that somebody deletes stays deleted', async () => {
    const { host } = project.github;
    host.threads = host.threads.filter(thread => thread !== threadAbout('reduced'));
    const { stdout, figures } = await step('deleted by hand');
    expect(figures).toMatchObject({ posted: 1, kept: 2, repeated: 0 });
    expect(stdout).toContain('1 whose comment somebody deleted: not posted again.');
    expect(threads()).toHaveLength(2);
    expect(summary()).toContain('somebody deleted');
  });

  it('fork: with a token that may not resolve, the comment says it all the same', async () => {
    project.github.rights = new Set(['checks', 'pull-requests', 'contents: read']);
    commit('done', 'export const empty = [];\n');
    for (const id of ['alpha', 'beta', 'gamma']) project.say(id, []);
    const { code, stdout, figures } = await step('fork, fewer rights');
    expect(code).toBe(0);
    expect(figures).toMatchObject({ updated: 3, resolved: 0 });
    expect(stdout).toContain('contents: write');
    for (const body of bodies()) expect(body).toContain('> **Jury:** fixed as of');
    expect(threads().every(({ isResolved }) => !isResolved)).toBe(true);
  });

  it('has told every claim at one place only, from the beginning to the end', () => {
    const claims = bodies().map(body => /jury:claim (c-\w+)/.exec(body)?.[1]);
    expect(new Set(claims).size).toBe(claims.length);
    expect(project.github.host.comments).toHaveLength(1);
  });

  it('is told in the documentation as it went', () => {
    const page = readFileSync(new URL('../../docs/github.md', import.meta.url), 'utf8');
    expect(page).toContain(`\n${table.join('\n')}\n`);
  });
});
