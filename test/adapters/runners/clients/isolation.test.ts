/** What a client gets to see: exactly the flags, the variables and the files below, and nothing of the world around Jury. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientNames, type ClientName } from '../../../../src/core/words/runner.ts';
import {
  createFakeClient,
  expectNothingLeft,
  fakeKey,
  keyVariables,
  sha256,
  type FakeClient,
  type Notes,
} from './fakes.ts';
import { always } from '../turns.ts';

const instructions = 'You are the reviewer with the mark INSTRUCTIONS-1.';
const prompt = 'The change with the mark PROMPT-1.\n+const a = 1;\n';
const baseUrl = 'http://127.0.0.1:9';

/** What a coding agent sets for the programs it runs, Jury among them. */
const agentVariables = {
  CLAUDECODE: 'canary',
  CLAUDE_CODE_ENTRYPOINT: 'canary',
  CLAUDE_CODE_SSE_PORT: 'canary',
  CLAUDE_PROJECT_DIR: '/canary',
  CLAUDE_PLUGIN_ROOT: '/canary',
  CLAUDE_CONFIG_DIR: '/canary',
  CLAUDE_CODE_USE_BEDROCK: 'canary',
  ANTHROPIC_MODEL: 'canary',
  ANTHROPIC_CUSTOM_HEADERS: 'canary',
  ANTHROPIC_SMALL_FAST_MODEL: 'canary',
  AI_AGENT: 'canary',
  GEMINI_CLI: 'canary',
  GEMINI_CLI_HOME: '/canary',
  GEMINI_SYSTEM_MD: '/canary',
  GEMINI_MODEL: 'canary',
  CODEX_HOME: '/canary',
  CODEX_SANDBOX: 'canary',
  CODEX_SANDBOX_NETWORK_DISABLED: 'canary',
  CODEX_THREAD_ID: 'canary',
  OPENCODE: 'canary',
  OPENCODE_CONFIG: '/canary',
  OPENCODE_CONFIG_CONTENT: 'canary',
  OPENCODE_PERMISSION: 'canary',
  MCP_TIMEOUT: 'canary',
  MAX_THINKING_TOKENS: 'canary',
  BASH_ENV: '/canary',
};

/** What Jury itself may have around it, in a continuous integration job or on a developer's machine. */
const surroundings = {
  ...agentVariables,
  HOME: '/home/somebody',
  GITHUB_TOKEN: 'canary',
  GH_TOKEN: 'canary',
  ACTIONS_RUNTIME_TOKEN: 'canary',
  AWS_SECRET_ACCESS_KEY: 'canary',
  NPM_TOKEN: 'canary',
  SSH_AUTH_SOCK: '/run/canary',
  NODE_OPTIONS: '--no-warnings',
  LD_PRELOAD: '',
  DYLD_INSERT_LIBRARIES: '',
  npm_config_registry: 'canary',
  GIT_DIR: '/canary',
  ANTHROPIC_BASE_URL: 'http://canary',
  OPENAI_BASE_URL: 'http://canary',
  GOOGLE_GEMINI_BASE_URL: 'http://canary',
  HTTPS_PROXY: 'http://canary',
  ANTHROPIC_API_KEY: fakeKey,
  CODEX_API_KEY: fakeKey,
  GEMINI_API_KEY: fakeKey,
  OPENAI_API_KEY: fakeKey,
  GOOGLE_API_KEY: 'other',
  CLAUDE_CODE_OAUTH_TOKEN: 'other',
};

interface Expected {
  readonly args: (root: string) => readonly string[];
  readonly variables: (root: string) => Readonly<Record<string, string>>;
  /** Names below the attempt folder. */
  readonly files: readonly string[];
}

const flags = (name: string, values: readonly string[]) => values.flatMap(value => [name, value]);

const expected: Readonly<Record<ClientName, Expected>> = {
  claude: {
    args: () => [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--include-partial-messages',
      '--model',
      'claude-sonnet-4-5',
      '--bare',
      '--tools',
      '',
      '--strict-mcp-config',
      '--setting-sources',
      '',
      '--disable-slash-commands',
      '--no-session-persistence',
      '--max-turns',
      '1',
      '--system-prompt',
      instructions,
    ],
    variables: root => ({
      CLAUDE_CONFIG_DIR: `${root}/home/claude`,
      ANTHROPIC_BASE_URL: baseUrl,
      ANTHROPIC_API_KEY: fakeKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_MAX_RETRIES: '2',
      API_TIMEOUT_MS: '120000',
      CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '60000',
    }),
    files: [],
  },
  codex: {
    args: root => [
      'exec',
      '--json',
      '--ephemeral',
      '--strict-config',
      '--ignore-user-config',
      '--ignore-rules',
      '--skip-git-repo-check',
      '-s',
      'read-only',
      '-C',
      `${root}/cwd`,
      '-m',
      'gpt-5.5',
      ...flags('--disable', [
        'plugins',
        'unbounded_connection_retries',
        'shell_tool',
        'shell_snapshot',
        'multi_agent',
        'goals',
        'hooks',
        'apps',
        'view_image',
      ]),
      ...flags('-c', [
        'analytics.enabled=false',
        'project_doc_max_bytes=0',
        'web_search="disabled"',
        'skills.include_instructions=false',
        'include_environment_context=false',
        `model_instructions_file="${root}/system.md"`,
        'model_provider="jury"',
        `model_providers.jury={name="jury",base_url="${baseUrl}/v1",env_key="JURY_KEY",wire_api="responses",request_max_retries=2,stream_max_retries=1,stream_idle_timeout_ms=60000}`,
      ]),
      '-',
    ],
    variables: root => ({ CODEX_HOME: `${root}/home`, JURY_KEY: fakeKey }),
    files: ['system.md'],
  },
  gemini: {
    args: () =>
      '-m gemini-2.5-pro -o stream-json --approval-mode default -e none --skip-trust'.split(' '),
    variables: root => ({
      GEMINI_CLI_HOME: `${root}/home`,
      GEMINI_API_KEY: fakeKey,
      GOOGLE_GEMINI_BASE_URL: baseUrl,
      GEMINI_SYSTEM_MD: `${root}/system.md`,
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    files: ['home/.gemini/settings.json', 'system.md'],
  },
  opencode: {
    args: () =>
      'run --pure --format json -m jury/gpt-5.5 --agent reviewer --title review'.split(' '),
    variables: root => ({
      XDG_DATA_HOME: `${root}/home/data`,
      XDG_CONFIG_HOME: `${root}/home/config`,
      XDG_CACHE_HOME: `${root}/home/cache`,
      XDG_STATE_HOME: `${root}/home/state`,
      JURY_KEY: fakeKey,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_CLAUDE_CODE: '1',
    }),
    files: [],
  },
};

const opencodeConfig = {
  autoupdate: false,
  share: 'disabled',
  model: 'jury/gpt-5.5',
  small_model: 'jury/gpt-5.5',
  permission: { '*': 'deny' },
  agent: { reviewer: { mode: 'primary', prompt: instructions, permission: { '*': 'deny' } } },
  provider: {
    jury: {
      npm: '@ai-sdk/openai-compatible',
      name: 'jury',
      options: { baseURL: `${baseUrl}/v1`, apiKey: '{env:JURY_KEY}', timeout: 30_000 },
      models: { 'gpt-5.5': { name: 'gpt-5.5', limit: { context: 200_000, output: 8_192 } } },
    },
  },
};

describe.each(clientNames)('%s is started', client => {
  let fake: FakeClient;
  let notes: Notes;
  let root: string;

  beforeAll(async () => {
    fake = await createFakeClient(client);
    await fake.play({ lines: [] });
    await fake.ask({ prompt, instructions, seat: { baseUrl }, environment: surroundings });
    const found = await fake.notes();
    if (found === null) throw new Error('nothing was started');
    notes = found;
    root = dirname(notes.cwd);
  });

  test('with exactly the flags of a review without tools', () =>
    expect(notes.args).toEqual(expected[client].args(root)));

  test('with the prompt on standard input, and nowhere in the arguments or the environment', () => {
    expect(notes.stdin).toBe(sha256(prompt));
    expect(JSON.stringify([notes.args, notes.environment])).not.toContain('PROMPT-1');
  });

  test('with exactly the variables of the allow-list and its own switches', () => {
    const own = expected[client].variables(root);
    expect(Object.keys(notes.environment).toSorted()).toEqual(
      [...new Set([...always, ...Object.keys(own)])].toSorted(),
    );
    expect(notes.environment).toMatchObject(own);
    expect(JSON.stringify(notes.environment)).not.toContain('canary');
  });

  test('with one credential, which is in no argument and in no file', () => {
    expect(Object.values(notes.environment).filter(value => value.includes(fakeKey))).toEqual([
      fakeKey,
    ]);
    expect(JSON.stringify([notes.args, notes.files])).not.toContain(fakeKey);
  });

  test('in an empty folder outside every repository, with a fresh home and nothing open', () => {
    expect(notes.entries).toEqual([]);
    for (let folder = notes.cwd; dirname(folder) !== folder; folder = dirname(folder))
      expect(existsSync(join(folder, '.git'))).toBe(false);
    expect(notes.environment).toMatchObject({
      HOME: join(root, 'home'),
      TMPDIR: join(root, 'temp'),
    });
    expect(notes.openFiles).toEqual([]);
  });

  test('with its own files only, readable by nobody else', () => {
    expect(Object.keys(notes.files).toSorted()).toEqual(expected[client].files);
    expect(Object.values(notes.files).map(file => file.mode)).toEqual(
      expected[client].files.map(() => '600'),
    );
    expect(notes.attemptMode).toBe('700');
    expect(notes.files['system.md']?.text).toBe(
      expected[client].files.includes('system.md') ? instructions : undefined,
    );
  });

  test(`with standard output in a ${client === 'gemini' ? 'file' : 'pipe'}`, () =>
    expect(notes.stdoutIsFile).toBe(client === 'gemini'));

  test('in a folder that is gone afterwards', async () => {
    expect(existsSync(root)).toBe(false);
    await expectNothingLeft(fake);
  });
});

test('gemini gets no tools, no second turn worth mentioning, and no loop detector', async () => {
  const fake = await createFakeClient('gemini');
  await fake.play({ lines: [] });
  await fake.ask();
  const settings: unknown = JSON.parse(
    (await fake.notes())?.files['home/.gemini/settings.json']?.text ?? 'null',
  );
  expect(settings).toEqual({
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    tools: { core: ['none'] },
    model: { maxSessionTurns: 2, disableLoopDetection: true },
    context: { includeDirectoryTree: false },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
    advanced: { ignoreLocalEnv: true },
  });
});

test('a client that looks like a variable of another account still gets the configured key only', async () => {
  const fake = await createFakeClient('claude');
  await fake.play({ lines: [] });
  await fake.ask({
    seat: { apiKeyEnv: 'TEAM_KEY' },
    environment: { ...surroundings, TEAM_KEY: 'team-key-0123456789' },
  });
  const environment = (await fake.notes())?.environment;
  expect(environment).toMatchObject({ ANTHROPIC_API_KEY: 'team-key-0123456789' });
  expect(Object.keys(environment ?? {})).not.toContain('TEAM_KEY');
  expect(Object.values(keyVariables).filter(name => name in (environment ?? {}))).toEqual([
    'ANTHROPIC_API_KEY',
  ]);
});

test('a turn with a schema hands it to the clients that take one', async () => {
  const schema = { type: 'object', properties: {} };
  for (const [client, flag] of [
    ['claude', '--json-schema'],
    ['codex', '--output-schema'],
    ['gemini', null],
    ['opencode', null],
  ] as const) {
    const fake = await createFakeClient(client);
    await fake.play({ lines: [] });
    await fake.ask({ schema });
    const { args = [], files = {} } = (await fake.notes()) ?? {};
    const given = flag === null ? undefined : args[args.indexOf(flag) + 1];
    expect([
      client,
      given === undefined ? null : JSON.parse(files['schema.json']?.text ?? given),
    ]).toEqual([client, flag === null ? null : schema]);
    expect(JSON.stringify([args, files]).includes('schema')).toBe(flag !== null);
  }
});
