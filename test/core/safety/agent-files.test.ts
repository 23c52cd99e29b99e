import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentFileRules, reasonsToAsk, type Asked } from '../../../src/core/safety/agent-files.ts';
import type { Change, ChangedFile } from '../../../src/core/words/change.ts';
import { sampleChange, sampleFile, sampleHunk } from '../sample.ts';

const agentFiles = AgentFileRules.parse(
  JSON.parse(readFileSync(new URL('../../../rules/agent-files.json', import.meta.url), 'utf8')),
);
const nothing: Asked = {
  agentFiles,
  settled: new Set(),
  manifests: new Map(),
  names: new Map(),
  by: 'others',
};

const id = (digit: string) => digit.repeat(40);

function changed(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return sampleFile({ path, oldId: id('a'), newId: id('b'), ...changes });
}

function asked(
  files: readonly ChangedFile[],
  { source = 'range', ...given }: Partial<Asked> & { readonly source?: Change['source'] } = {},
): readonly (readonly [rule: string, subject: string])[] {
  const change: Change = sampleChange({
    source,
    base: null,
    head: null,
    title: 'a change',
    files: [...files],
  });
  return reasonsToAsk(change, { ...nothing, ...given }).reasons.map(({ rule, effect, subject }) => {
    expect(effect).toBe('INCOMPLETE');
    return [rule, subject];
  });
}

describe('a file that programs obey unasked', () => {
  it.each(
    (
      '.claude/settings.json .claude/hooks/stop.sh packages/a/.claude/agents/x.md CLAUDE.md ' +
      'CLAUDE.local.md src/AGENTS.md agents.md docs/agents.md .claude/commands/docs/agents.md ' +
      'examples/.envrc AGENT.md WARP.md .junie/guidelines.md .zed/settings.json .pnp.cjs conftest.py ' +
      '.tool-versions .gdbinit GEMINI.md .codex/config.toml .gemini/settings.json .cursor/rules/a.mdc ' +
      '.cursorrules .mcp.json .github/copilot-instructions.md .github/prompts/a.prompt.md opencode.json ' +
      '.windsurfrules .npmrc packages/a/.npmrc .yarnrc.yml .yarn/plugins/x.cjs .pnpmfile.cjs ' +
      '.vscode/tasks.json .devcontainer/devcontainer.json .env .env.production .envrc .gitattributes ' +
      '.gitmodules .cargo/config.toml .husky/pre-commit .githooks/post-merge .git-hooks/pre-push ' +
      'scripts/pre-commit tools/commit-msg.sh .pre-commit-config.yaml lefthook.yml ' +
      '.github/workflows/ci.yml .github/actions/build/index.js action.yml .gitlab-ci.yml ' +
      '.circleci/config.yml Jenkinsfile Jenkinsfile.release azure-pipelines.yml .ci/run ' +
      '.forgejo/workflows/a.yaml setup.py native/binding.gyp build.rs jury.config.yaml jury.baseline.json ' +
      '.CLAUDE/settings.json .Husky/pre-commit .npmrc. .npm\u200Brc'
    ).split(' '),
  )('asks for a person: %s', path =>
    expect(asked([changed(path)])).toEqual([['require-human', path]]),
  );

  it.each(
    (
      'src/a.ts README.md src/agents/index.ts src/claude-client.ts src/copilot-x.ts docs/claude-code.md .gitignore ' +
      '.gitkeep .editorconfig .env.example .env.sample src/plugins/pre-commit/index.ts docs/pre-commit.md ' +
      'src/hooks/useState.ts packages/a/fixtures/.github/workflows/ci.yml .github/workflows/snapshots/a.txt ' +
      '.github/ISSUE_TEMPLATE/bug.yml src/setup.ts tests/test_setup.py package-lock.json package.json'
    ).split(' '),
  )('is not every file: %s', path => expect(asked([changed(path)])).toEqual([]));

  it('is asked about when it goes, moves there or moves away, and gets another mode', () =>
    expect(
      asked([
        changed('.github/workflows/guard.yml', { status: 'deleted' }),
        changed('.husky/pre-push', { status: 'renamed', oldPath: 'hooks.txt' }),
        changed('old/hook.txt', { status: 'renamed', oldPath: '.githooks/pre-rebase' }),
        changed('copy.txt', { status: 'copied', oldPath: '.npmrc' }),
        changed('scripts/post-merge', { status: 'mode-changed', newMode: '100755' }),
        changed('setup.py', { status: 'deleted' }),
      ]),
    ).toEqual([
      ['require-human', '.github/workflows/guard.yml'],
      ['require-human', '.husky/pre-push'],
      ['require-human', 'old/hook.txt'],
      ['require-human', 'scripts/post-merge'],
    ]));

  it('is not asked about twice, nor where somebody has allowed it as it stands, nor where nothing changed', () => {
    const files = [changed('jury.config.yaml'), changed('.npmrc')];
    expect(asked(files, { settled: new Set(['jury.config.yaml']) })).toEqual([
      ['require-human', '.npmrc'],
    ]);
    expect(asked(files, { source: 'files' })).toEqual([]);
  });
});

const scriptsOf = (scripts: object) => JSON.stringify({ name: 'a', scripts });
const manifestsOf = (before: string | null, after: string | null) =>
  new Map([['a/package.json', { before, after }]]);
const hunk = (lines: string[]) => sampleHunk([1, 1], [1, 2], lines);

const lines = (...text: string[]): Partial<ChangedFile> => ({
  status: 'modified',
  hunks: [hunk(text)],
});

const told = (file: ChangedFile, by: Asked['by']) => {
  const change = { kind: 'change', source: 'range', base: null, head: null, title: '' } as const;
  const { reasons, told: notes } = reasonsToAsk(
    { ...change, files: [file], warnings: [] },
    { ...nothing, by },
  );
  return [reasons.length, notes.length];
};

describe('a line that is told and not asked about', () => {
  const bump = changed(
    '.github/workflows/ci.yml',
    lines(
      '       - uses: actions/checkout@v4',
      '-  - uses: a/b@v1 # v1.0',
      '+  - uses: a/b@0123abc # v2',
    ),
  );
  it.each<[string, ChangedFile, Asked['by'], readonly number[]]>([
    ['a workflow of its own author', changed('.github/workflows/ci.yml'), 'own', [0, 1]],
    ['a workflow of somebody else', changed('.github/workflows/ci.yml'), 'others', [1, 0]],
    ['a configuration of Jury', changed('jury.config.yaml'), 'own', [1, 0]],
    ['a raised action', bump, 'update', [0, 1]],
    ['a raised action of somebody else', bump, 'others', [1, 0]],
    [
      'a raised hook',
      changed('.pre-commit-config.yaml', lines('-    rev: v1', '+    rev: v2')),
      'update',
      [0, 1],
    ],
    [
      'another action',
      changed('.github/workflows/ci.yml', lines('- uses: a/b@v1', '+ uses: a/c@v1')),
      'update',
      [1, 0],
    ],
    [
      'a line besides',
      changed('.github/workflows/ci.yml', lines('- uses: a/b@v1', '+ uses: a/b@v2', '+ run: x')),
      'update',
      [1, 0],
    ],
    ['what an agent obeys', changed('AGENTS.md'), 'update', [1, 0]],
  ])('%s', (_, file, by, expected) => expect(told(file, by)).toEqual(expected));
});

describe('a manifest', () => {
  const file = changed('a/package.json');

  it.each([
    ['adds one', scriptsOf({ test: 'x' }), scriptsOf({ test: 'x', postinstall: 'y' })],
    ['is new', null, scriptsOf({ prepare: 'y' })],
    ['changes one', scriptsOf({ install: 'x' }), scriptsOf({ install: 'y' })],
    ['hides its name', scriptsOf({}), '{"scripts":{"post\\u0069nstall":"y"}}'],
    ['says it twice', '{"scripts":{"install":"x"}}', '{"scripts":{"install":"x","install":"y"}}'],
    ['runs one after every installation', scriptsOf({}), scriptsOf({ dependencies: 'y' })],
    ['begins with a mark', scriptsOf({}), `\uFEFF${scriptsOf({ preinstall: 'y' })}`],
  ])('with an install script asks for a person when it %s', (_, before, after) =>
    expect(asked([file], { manifests: manifestsOf(before, after) })).toEqual([
      ['require-human', 'a/package.json'],
    ]),
  );

  it.each([
    ['changes other scripts', scriptsOf({ test: 'x' }), scriptsOf({ test: 'y' })],
    ['keeps it', scriptsOf({ install: 'x' }), scriptsOf({ install: 'x', test: 'y' })],
    ['loses it', scriptsOf({ install: 'x' }), scriptsOf({})],
    ['depends on something of that name', scriptsOf({}), '{"dependencies":{"install":"1.0.0"}}'],
    ['has no scripts', '{}', '{"scripts":[]}'],
  ])('does not when it %s', (_, before, after) =>
    expect(asked([file], { manifests: manifestsOf(before, after) })).toEqual([]),
  );

  it('of which only the patch is at hand is judged by its added lines', () => {
    const added = { ...file, hunks: [hunk([' {', '+  "postinstall": "node x",'])] };
    const kept = { ...file, hunks: [hunk(['   "postinstall": "node x",', '+  "test": "y"'])] };
    for (const manifests of [new Map(), manifestsOf(null, null), manifestsOf('{', '{')]) {
      expect(asked([added], { manifests })).toEqual([['require-human', 'a/package.json']]);
      expect(asked([kept], { manifests })).toEqual([]);
    }
  });
});
