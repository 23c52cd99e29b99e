/** The jobs of a workflow, one after the other as GitHub would start them: pack, review; what another job left is hostile. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { openHandover } from '../../src/core/github/parcel.ts';
import {
  createFolder,
  openSample,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { cloneOf, type GitHost, openGitHost, repositoryName, toldPull } from '../git-host.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import {
  fork,
  openJob,
  type PullEvent,
  pullEventOf,
  type RunEvent,
  runEventOf,
} from '../workflow-job.ts';
import { markAskedFor } from '../promises/obedient-model.ts';

let host: GitHost;
let author: SampleRepository;
let model: ModelServer;
/** Written by a reviewer that is a program, wherever it was started. */
let mark: string;
let base: string;
let head: string;

beforeAll(async () => {
  host = await openGitHost();
  model = await startModelServer({ text: ({ body }) => obey(body) });
  mark = path.join(createFolder(), 'mark');
  author = openSample(path.join(createFolder(), 'author'));
  author.write('jury.config.yaml', configuration());
  author.git('init', '-q', '-b', 'main');
  author.write('.github/workflows/ci.yml', 'on: push\n');
  author.write('src/sum.js', 'export const sum = list => list.length;\n');
  base = author.commit('main');
  head = change('topic', { 'src/late.js': 'export const run = text => eval(text);\n' });
  author.git('push', '-q', host.served.root, 'main', 'topic:refs/pull/7/head');
  return () => model.close();
});

/** Finds nothing, and gives the evidence of its work that it is asked for. */
function obey(body: unknown) {
  const { messages } = body as { messages: readonly { content: unknown }[] };
  const prompt = messages
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
  const nonce = /"nonce": "([0-9a-f]{32})"/.exec(prompt)?.[1];
  if (nonce === undefined) return `VERDICT: safe\nNone\n${markAskedFor(prompt) ?? ''}`;
  return JSON.stringify({
    nonce,
    files_reviewed: ['src/late.js'],
    findings: [],
    findings_count: 0,
    verdict: 'safe',
  });
}

function configuration() {
  const program = path.join(createFolder(), 'program.mjs');
  writeFileSync(
    program,
    `import fs from 'node:fs';\nfs.appendFileSync(${JSON.stringify(mark)}, 'asked\\n');\nconsole.log('VERDICT: safe\\nNone');\n`,
  );
  return `quorum: 1
reviewers:
  - { id: javascript, runner: builtin, analyser: javascript }
  - { id: model, runner: api, model: openai-compatible/scripted, baseUrl: '${model.url}/v1' }
  - id: program
    runner: command
    command: [node, ${JSON.stringify(program)}]
    isolation: { sandbox: false, require: L0 }
`;
}

/** A branch from main with these files; its head. */
function change(branch: string, files: Readonly<Record<string, string>>) {
  author.git('checkout', '-q', '-B', branch, base);
  for (const [name, text] of Object.entries(files)) author.write(name, text);
  const id = author.commit(branch);
  author.git('checkout', '-q', 'main');
  return id;
}

beforeEach(() => {
  host.pulls.clear();
  host.requests.length = 0;
  rmSync(mark, { force: true });
});

const pullEvent = (number: number, changes: Partial<PullEvent> = {}) =>
  pullEventOf(number, { base, head, ...changes });
const runEvent = (changes: Partial<RunEvent> = {}) => runEventOf({ head, ...changes });
const job = (event: string, payload: unknown, checkout: SampleRepository) =>
  openJob(host, { event, payload, checkout });

/** What a fork's machine has: its own head, checked out. */
function forkCheckout(at: string) {
  const checkout = cloneOf(host);
  checkout.git('fetch', '-q', author.root, at);
  checkout.git('checkout', '-q', '--detach', at);
  return checkout;
}

async function packOf(at: string, number = 7) {
  const packing = job(
    'pull_request',
    pullEvent(number, { from: fork, head: at }),
    forkCheckout(at),
  );
  const packed = path.join(packing.folder, 'packed');
  const ended = await packing.run(['pack', '--out', packed]);
  expect(ended.code, ended.stderr).toBe(0);
  return packed;
}

function readHandover(folder: string, expected: { readonly pull: number; readonly head: string }) {
  const names = readdirSync(folder);
  const files = new Map(names.map(name => [name, readFileSync(path.join(folder, name))]));
  return openHandover({ names, files }, { repository: repositoryName, ...expected });
}

describe('a pull request of the same repository', () => {
  it('is reviewed by the whole panel of the base and handed over, with outputs and a summary', async () => {
    const review = job('pull_request', pullEvent(7), cloneOf(host, '--depth=1'));
    const out = path.join(review.folder, 'handover');
    const ended = await review.run(['review', '--out', out, '--trust-config']);
    expect(ended.code, ended.stderr).toBe(1);
    const { parcel, record } = readHandover(out, { pull: 7, head });
    expect(parcel).toMatchObject({ pull: 7, head, base, isFork: false });
    expect(record.outcome).toBe('FAIL');
    expect(record.reviewers.map(({ id, status }) => [id, status])).toEqual([
      ['javascript', 'complete'],
      ['model', 'complete'],
      ['program', 'complete'],
    ]);
    expect(existsSync(mark)).toBe(true);
    expect(readFileSync(path.join(review.folder, 'output'), 'utf8')).toBe(
      `pull=7\nhead=${head}\noutcome=FAIL\nrun=${record.run}\n`,
    );
    expect(readFileSync(path.join(review.folder, 'summary.md'), 'utf8')).toContain('src/late.js');
    // What the event tells is not asked for: the job needs no right to read pull requests.
    expect(host.requests.filter(({ path: asked }) => asked.startsWith('/api'))).toEqual([]);
  });

  it('lets the job go on with --exit-zero, and is refused where the folder holds something', async () => {
    const review = job('pull_request', pullEvent(7), cloneOf(host));
    const out = path.join(review.folder, 'handover');
    const words = ['review', '--out', out, '--reviewers', 'javascript', '--exit-zero'];
    expect((await review.run(words)).code).toBe(0);
    expect(readHandover(out, { pull: 7, head }).record.outcome).toBe('FAIL');
    const again = await review.run(words);
    expect([again.code, again.stderr]).toEqual([
      3,
      expect.stringContaining('is not empty') as string,
    ]);
  });

  it('asks nobody whom nobody has allowed', async () => {
    const review = job('pull_request', pullEvent(7), cloneOf(host));
    const ended = await review.run(['review', '--out', 'handover', '--exit-zero'], {
      JURY_TRUST_CONFIG: '',
    });
    expect([ended.code, ended.stderr]).toEqual([
      3,
      expect.stringContaining('which nobody has allowed') as string,
    ]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('a pull request of a fork', () => {
  it('is packed without keys, reviewed from the pack by models and built-in checks alone, and handed over', async () => {
    const packed = await packOf(head);
    expect(readdirSync(packed).toSorted()).toEqual(['change.pack', 'pack.json']);
    host.pulls.set(7, toldPull(7, { base, head, fork }));
    host.requests.length = 0;
    const review = job('workflow_run', runEvent(), cloneOf(host));
    const out = path.join(review.folder, 'handover');
    const ended = await review.run([
      'review',
      '--packed',
      packed,
      '--out',
      out,
      '--trust-config',
      '--exit-zero',
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const { parcel, record } = readHandover(out, { pull: 7, head });
    expect(parcel).toMatchObject({ isFork: true, head, base });
    expect(record.subject).toMatchObject({ base, head });
    expect(record.reviewers.map(({ id, status, cause }) => [id, status, cause ?? null])).toEqual([
      ['javascript', 'complete', null],
      ['model', 'complete', null],
      ['program', 'failed', 'isolation'],
    ]);
    expect(existsSync(mark)).toBe(false);
    expect(ended.stdout).toContain('FAIL');
    expect(host.requests.map(({ path: asked }) => asked)).toEqual([
      '/api/v3/repos/acme/shop/pulls/7',
    ]);
  });

  it('that brings its own judge, and its own workflow, is judged by those of the base and asks for a person', async () => {
    const at = change('judge', {
      'jury.config.yaml': 'failOn: [never]\nreviewers:\n  - { id: mine, runner: builtin }\n',
      '.github/workflows/ci.yml': 'on: pull_request_target\n',
      'src/late.js': 'export const run = text => eval(text);\n',
    });
    const packed = await packOf(at);
    host.pulls.set(7, toldPull(7, { base, head: at, fork }));
    const review = job('workflow_run', runEvent({ head: at }), cloneOf(host));
    const out = path.join(review.folder, 'handover');
    await review.run(['review', '--packed', packed, '--out', out, '--trust-config']);
    const { record } = readHandover(out, { pull: 7, head: at });
    expect(record.outcome).toBe('FAIL');
    expect(record.reviewers.map(({ id }) => id)).toEqual(['javascript', 'model', 'program']);
    expect(record.reasons.map(({ sentence }) => sentence).join('\n')).toMatch(
      /The change touches jury\.config\.yaml/,
    );
    expect(record.reasons.map(({ subject }) => subject).join('\n')).toContain(
      '.github/workflows/ci.yml',
    );
    expect(existsSync(mark)).toBe(false);
  });

  it('that was closed is reviewed, and its fork may be gone', async () => {
    const packed = await packOf(head);
    host.pulls.set(7, toldPull(7, { base, head, fork: null, state: 'closed' }));
    const review = job('workflow_run', runEvent(), cloneOf(host));
    const ended = await review.run([
      'review',
      '--packed',
      packed,
      '--out',
      'handover',
      '--reviewers',
      'javascript',
    ]);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('is closed') as string]);
  });
});

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'pack.json'), 'utf8')) as Record<string, unknown>;
const rewrite = (folder: string, changes: object) =>
  writeFileSync(
    path.join(folder, 'pack.json'),
    JSON.stringify({ ...manifestOf(folder), ...changes }),
  );
const replaceContent = (folder: string, bytes: Buffer) => {
  writeFileSync(path.join(folder, 'change.pack'), bytes);
  rewrite(folder, { files: [{ name: 'change.pack', bytes: bytes.length, sha256: sha256(bytes) }] });
};

function packBytes(at: string, ...words: readonly string[]) {
  const list = words.includes('--one')
    ? at
    : author
        .git('rev-list', '--objects', at, `^${base}`)
        .split('\n')
        .map(line => line.slice(0, 40))
        .join('\n');
  const file = path.join(createFolder(), 'objects');
  writeFileSync(file, `${list}\n`);
  const name = author.git(
    '-c',
    'alias.packed=!git pack-objects --quiet ' + file + '.p < ' + file,
    'packed',
  );
  return readFileSync(`${file}.p-${name}.pack`);
}

describe('what is packed is refused:', () => {
  let sound: string;
  let other: string;
  beforeAll(async () => {
    sound = await packOf(head);
    other = change('other', { 'src/other.js': 'export const other = 1;\n' });
  });

  it.each<readonly [what: string, harm: (folder: string) => void, sentence: RegExp]>([
    [
      'another hash',
      folder => writeFileSync(path.join(folder, 'change.pack'), 'PACK'),
      /change\.pack is not the file that it was made with/,
    ],
    [
      'a byte that was changed',
      folder => {
        const file = path.join(folder, 'change.pack');
        const bytes = readFileSync(file);
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      /change\.pack is not the file that it was made with/,
    ],
    [
      'a name that leads out',
      folder =>
        rewrite(folder, { files: [{ name: '../event.json', bytes: 1, sha256: sha256('') }] }),
      /pack\.json is not what this version of Jury writes/,
    ],
    [
      'a file more',
      folder => writeFileSync(path.join(folder, 'jury.config.yaml'), ''),
      /holds files that are no part of one/,
    ],
    [
      'a folder more',
      folder => mkdirSync(path.join(folder, 'objects')),
      /holds files that are no part of one/,
    ],
    [
      'a link',
      folder => {
        rmSync(path.join(folder, 'change.pack'));
        symlinkSync('/etc/passwd', path.join(folder, 'change.pack'));
      },
      /change\.pack is missing, no plain file/,
    ],
    [
      '300 MB',
      folder => truncateSync(path.join(folder, 'change.pack'), 300_000_000),
      /longer than 67108864 bytes/,
    ],
    [
      '300 MB of manifest',
      folder => truncateSync(path.join(folder, 'pack.json'), 300_000_000),
      /pack\.json is missing, no plain file, or longer/,
    ],
    ['no manifest', folder => rmSync(path.join(folder, 'pack.json')), /pack\.json is missing/],
    [
      'another repository',
      folder => rewrite(folder, { repository: 'evil/shop' }),
      /it is of evil\/shop/,
    ],
    [
      'another head',
      folder => rewrite(folder, { head: 'a'.repeat(40) }),
      /it is of commit a{40}, not of/,
    ],
    [
      'another version',
      folder => rewrite(folder, { schema: 'jury.pack/2' }),
      /is not what this version of Jury writes/,
    ],
    [
      'an option for git',
      folder => rewrite(folder, { base: '--upload-pack=x' }),
      /is not what this version of Jury writes/,
    ],
    [
      'bytes that are no pack',
      folder => replaceContent(folder, Buffer.from('PACK\0\0\0\x02\0\0\0\x01rubbish')),
      /is no sound pack of git/,
    ],
    [
      'a pack of another commit',
      folder => replaceContent(folder, packBytes(other)),
      /does not hold its head/,
    ],
    [
      'a pack without what it stands on',
      folder => replaceContent(folder, packBytes(head, '--one')),
      /is no sound pack|cannot be read|not in this clone/,
    ],
  ])('%s', async (_what, harm, sentence) => {
    const folder = path.join(createFolder(), 'packed');
    cpSync(sound, folder, { recursive: true });
    harm(folder);
    host.pulls.set(7, toldPull(7, { base, head, fork }));
    const review = job('workflow_run', runEvent(), cloneOf(host));
    const ended = await review.run([
      'review',
      '--packed',
      folder,
      '--out',
      'handover',
      '--trust-config',
      '--exit-zero',
    ]);
    expect([ended.code, ended.stdout], ended.stderr).toEqual([2, '']);
    expect(ended.stderr).toMatch(sentence);
    expect(readdirSync(path.join(review.cwd, 'handover'))).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it.each<readonly [what: string, answer: ReturnType<typeof toldPull>, sentence: RegExp]>([
    ['a number that is not there', { status: 404 }, /knows no such thing/],
    [
      'a push in between',
      toldPull(7, { base: '1'.repeat(40), head: '2'.repeat(40), fork }),
      /pull request 7 stands at 2{40}, and the event is of/,
    ],
    [
      'the number of a pull request of another fork',
      toldPull(7, { base: '1'.repeat(40), head: 'HEAD', fork: 'alice/shop' }),
      /comes from alice\/shop, and the event from mallory\/shop/,
    ],
  ])('%s', async (_what, answer, sentence) => {
    const told = JSON.parse(
      JSON.stringify(answer).replace('"HEAD"', JSON.stringify(head)),
    ) as typeof answer;
    host.pulls.set(7, told);
    const review = job('workflow_run', runEvent(), cloneOf(host));
    const ended = await review.run([
      'review',
      '--packed',
      sound,
      '--out',
      'handover',
      '--trust-config',
    ]);
    expect([ended.code, ended.stdout], ended.stderr).toEqual([2, '']);
    expect(ended.stderr).toMatch(sentence);
  });
});

describe('an event is refused:', () => {
  it.each<readonly [name: string, payload: () => unknown, code: number, sentence: RegExp]>([
    ['push', () => ({}), 3, /The event "push" is none that a pull request is reviewed for/],
    ['', () => ({}), 3, /No event of a workflow is known.*jury review --pr N/],
    ['pull_request_target', () => pullEvent(7), 3, /rights of the base over what anybody wrote/],
    ['pull_request', () => '{', 2, /is no event "pull_request" of GitHub/],
    [
      'pull_request',
      () => ({ ...(pullEvent(7) as object), repository: { full_name: 'evil/shop' } }),
      2,
      /is no event/,
    ],
    [
      'pull_request',
      () => JSON.stringify(pullEvent(7)).replaceAll('acme/shop', 'evil/shop'),
      2,
      /The event is of evil\/shop, and GITHUB_REPOSITORY is acme\/shop/,
    ],
    ['pull_request', () => pullEvent(7, { head: '--upload-pack=x' }), 2, /is no event/],
    ['pull_request', () => pullEvent(0), 2, /is no event/],
    [
      'workflow_run',
      () => runEvent({ event: 'push' }),
      2,
      /ran for the event "push", not for a pull request/,
    ],
    [
      'workflow_run',
      () => runEvent(),
      3,
      /does not say which pull request it is about.*--packed DIR/,
    ],
  ])('%s: %#', async (name, payload, code, sentence) => {
    const review = job(name, payload(), cloneOf(host));
    const ended = await review.run(['review', '--out', 'handover', '--exit-zero']);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toMatch(sentence);
  });

  it('for packing: that of another workflow; for --packed: that of the pull request', async () => {
    const packing = await job('workflow_run', runEvent(), cloneOf(host)).run([
      'pack',
      '--out',
      'packed',
    ]);
    expect([packing.code, packing.stderr]).toEqual([
      3,
      expect.stringContaining('for the event pull_request') as string,
    ]);
    const review = await job('pull_request', pullEvent(7), cloneOf(host)).run([
      'review',
      '--packed',
      '.',
      '--out',
      'handover',
    ]);
    expect([review.code, review.stderr]).toEqual([
      3,
      expect.stringContaining('goes with the event workflow_run') as string,
    ]);
  });
});
