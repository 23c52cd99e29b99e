/** The Action: its inputs become words, and what it starts is what it installed, outside of the checkout. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readInputs } from '../../action/main.mjs';
import {
  createFolder,
  openSample,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { cloneOf, type GitHost, openGitHost } from '../git-host.ts';
import { openJob, pullEventOf, startIn } from '../workflow-job.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let host: GitHost;
let author: SampleRepository;
let base: string;
let head: string;

beforeAll(async () => {
  host = await openGitHost();
  author = openSample(path.join(createFolder(), 'author'));
  author.write(
    'jury.config.yaml',
    'reviewers: [{ id: javascript, runner: builtin, analyser: javascript }]\n',
  );
  author.git('init', '-q', '-b', 'main');
  base = author.commit('main');
  author.git('checkout', '-q', '-b', 'topic');
  author.write('src/late.js', 'export const run = text => eval(text);\n');
  head = author.commit('topic');
  author.git('push', '-q', host.served.root, 'main', 'topic', 'topic:refs/pull/7/head');
});

/** The words that the Action makes of its inputs. */
const read = (given: Readonly<Record<string, string>>) =>
  readInputs({
    GITHUB_REPOSITORY: 'acme/shop',
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`JURY_INPUT_${name}`, value]),
    ),
  }).words;

describe('the Action', () => {
  const main = path.join(root, 'action', 'main.mjs');

  it('starts what it installed, with its inputs as words', async () => {
    const folder = createFolder();
    mkdirSync(path.join(folder, 'jury', 'node_modules'), { recursive: true });
    symlinkSync(root, path.join(folder, 'jury', 'node_modules', 'jury'));
    const job = openJob(host, {
      event: 'pull_request',
      payload: pullEventOf(7, { base, head }),
      checkout: cloneOf(host),
    });
    const environment = {
      RUNNER_TEMP: folder,
      JURY_INPUT_MODE: 'review',
      JURY_INPUT_OUT: 'handover',
      JURY_INPUT_PACKAGE: 'https://files.example/jury-1.2.3.tgz',
    };
    const ended = await startIn(host, job, [process.execPath, main], {
      ...environment,
      JURY_INPUT_EXIT_ZERO: 'true',
    });
    expect(ended.code, ended.stderr).toBe(0);
    const strict = await startIn(host, job, [process.execPath, main], {
      ...environment,
      JURY_INPUT_OUT: 'again',
      JURY_INPUT_EXIT_ZERO: 'false',
    });
    expect(strict.code, strict.stderr).toBe(1);
  });

  it('asks npm outside of the checkout for exactly one tarball, and runs no script of it', async () => {
    const folder = createFolder();
    writeFileSync(path.join(folder, 'npm'), '#!/bin/sh\npwd\necho "$@"\nexit 7\n', { mode: 0o755 });
    const job = openJob(host, { event: 'pull_request', payload: {}, checkout: cloneOf(host) });
    const ended = await startIn(host, job, [process.execPath, main], {
      RUNNER_TEMP: folder,
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      JURY_INPUT_MODE: 'pack',
      JURY_INPUT_OUT: 'packed',
      JURY_INPUT_PACKAGE: 'https://files.example/jury-1.2.3.tgz',
    });
    expect([ended.code, ended.stdout]).toEqual([
      3,
      `${path.join(folder, 'jury')}\ninstall --ignore-scripts --no-audit --no-fund https://files.example/jury-1.2.3.tgz\n`,
    ]);
    expect(ended.stderr).toBe(
      '::error title=Jury::https://files.example/jury-1.2.3.tgz cannot be installed with npm.\n',
    );
  });

  it('makes words of its inputs, those of the mode alone', () => {
    expect(
      read({
        MODE: 'review',
        OUT: 'out',
        REVIEWERS: 'one,two',
        TRUST_CONFIG: 'true',
        EXIT_ZERO: 'true',
        SARIF: 'false',
      }),
    ).toEqual('github review --out out --reviewers one,two --trust-config --exit-zero'.split(' '));
    expect(read({ MODE: 'pack', OUT: 'out', EXIT_ZERO: 'true' })).toEqual([
      'github',
      'pack',
      '--out',
      'out',
    ]);
    expect(
      read({ MODE: 'publish', HANDOVER: 'in', PULL: '7', SHA: 'a'.repeat(40), SARIF: 'true' }),
    ).toEqual([
      'github',
      'publish',
      '--handover',
      'in',
      '--pull',
      '7',
      '--sha',
      'a'.repeat(40),
      '--sarif',
      '--repository',
      'acme/shop',
    ]);
  });

  it.each([
    [{ MODE: 'review; id' }, 'mode must be'],
    [{ MODE: '' }, 'mode must be'],
    [{ MODE: 'review' }, 'needs the input out'],
    [{ MODE: 'publish', HANDOVER: 'x', PULL: '7' }, 'needs the input sha'],
    [{ MODE: 'review', OUT: '--config=/etc/passwd' }, 'input out has a value'],
    [{ MODE: 'review', OUT: 'x\ny' }, 'input out has a value'],
    [{ MODE: 'review', OUT: 'x', REVIEWERS: '$(id)' }, 'input reviewers has a value'],
    [{ MODE: 'review', OUT: 'x', MAX_COST: '1e9' }, 'input max-cost has a value'],
    [{ MODE: 'review', OUT: 'x', TRUST_CONFIG: 'yes' }, 'input trust-config has a value'],
    [{ MODE: 'review', OUT: 'x', PACKAGE: 'jury@1.0.0' }, 'input package has a value'],
    [{ MODE: 'review', OUT: 'x', PACKAGE: 'npm:evil@1.0.0' }, 'input package has a value'],
    [
      { MODE: 'publish', HANDOVER: 'x', PULL: '7 --sarif', SHA: 'a'.repeat(40) },
      'input pull has a value',
    ],
    [{ MODE: 'pack', OUT: 'x', PACKED: 'y' }, 'goes with mode review'],
  ])('refuses %j', (given, sentence) => expect(() => read(given)).toThrow(sentence));
});
