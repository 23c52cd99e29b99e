/** The genuine Claude Code with our plugin: a command, a skill, and a panel on which the same client sits. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../src/adapters/runners/claude.ts';
import { findClient } from '../../src/adapters/runners/client-program.ts';
import { seatOf } from '../adapters/runners/turns.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, program } from '../cli/jury.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import { installClients } from './install.ts';

const key = 'fake-key-0123456789abcdef';
const root = fileURLToPath(new URL('../..', import.meta.url));
const plugin = path.join(root, 'plugin');
const finding =
  'IMPORTANT|src/sum.js:2|The sum of an empty list throws since the initial value is gone\nVERDICT: needs-changes';

let client = '';
let folder = '';
let agent: ModelServer;
let reviewer: ModelServer;
let sample: SampleRepository;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'jury-plugin-')));
  const executable = (await installClients()).get('claude');
  if (executable === undefined) return;
  const found = await findClient(claude, seatOf({ runner: 'claude', executable }), {
    environment: {},
    temporaryFolder: folder,
  });
  if (typeof found === 'string') client = found;
  writeFileSync(
    path.join(folder, 'jury'),
    `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`,
    { mode: 0o755 },
  );
  agent = await startModelServer();
  reviewer = await startModelServer({ text: finding });
  sample = createChangedRepository();
  sample.write(
    'jury.config.yaml',
    `reviewers:\n  - { id: inner, runner: claude, executable: ${client}, baseUrl: ${reviewer.url} }\n`,
  );
});

beforeEach(context => {
  if (client === '' && process.env.JURY_REQUIRE_CLIENTS === '1')
    throw new Error('claude is not installed.');
  if (client === '') context.skip('claude is not installed');
});

afterAll(async () => {
  await agent?.close();
  await reviewer?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly result: { readonly is_error: boolean; readonly result: string };
  /** What the agent's model was sent, one text for each request. */
  readonly sent: readonly string[];
  readonly stderr: string;
}

/** One session of the client in the sample repository, with the plugin and nothing else of ours. */
async function runAgent(prompt: string, script: Parameters<ModelServer['set']>[0]) {
  agent.set(script);
  const environment = {
    PATH: `${folder}${path.delimiter}${process.env.PATH ?? ''}`,
    HOME: folder,
    TMPDIR: tmpdir(),
    // What the configuration of the sample seats is allowed by whoever starts the agent.
    JURY_TRUST_CONFIG: '1',
    LANG: 'C.UTF-8',
    CLAUDE_CONFIG_DIR: path.join(folder, 'claude'),
    ANTHROPIC_BASE_URL: agent.url,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    // A scripted model does not look for tools that come later, as a real one is told to.
    MCP_CONNECTION_NONBLOCKING: 'false',
  };
  const args = [
    '-p',
    prompt,
    '--plugin-dir',
    plugin,
    '--output-format',
    'json',
    '--model',
    'claude-sonnet-4-5',
    '--setting-sources',
    '',
    '--allowed-tools',
    'mcp__plugin_jury_jury,Skill,Bash(jury:*)',
    '--max-turns',
    '6',
  ];
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>(
    (resolve, reject) => {
      const child = execFile(
        client,
        args,
        { cwd: sample.root, env: environment, maxBuffer: 64 << 20, timeout: 200_000 },
        (error, out, err) =>
          error && out === ''
            ? reject(new Error(`${error.message}\n${err}`))
            : resolve({ stdout: out, stderr: err }),
      );
      child.stdin?.end();
    },
  );
  return {
    result: JSON.parse(stdout) as Ended['result'],
    sent: agent.modelCalls().map(({ text }) => text),
    stderr,
  };
}

async function runClient(
  name: 'claude' | 'codex' | 'gemini',
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const executable = name === 'claude' ? client : ((await installClients()).get(name) ?? '');
  const { stdout, stderr } = await promisify(execFile)(executable, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: folder, LANG: 'C.UTF-8', ...environment },
  });
  return stdout + stderr;
}

describe('the genuine claude with the plugin', () => {
  test('runs a command, whose review it then sits on itself', async () => {
    reviewer.set({ text: finding });
    const { result, sent } = await runAgent('/jury:review HEAD~1..HEAD', {
      plan: ['tool', 'ok'],
      tool: {
        name: 'mcp__plugin_jury_jury__start',
        input: { process: 'review', subject: 'HEAD~1..HEAD' },
      },
      text: 'The gate says FAIL.',
    });
    expect(result).toMatchObject({ is_error: false, result: 'The gate says FAIL.' });
    expect(sent[0]).toContain('Put a change before the panel: HEAD~1..HEAD.');
    expect(sent[0]).toContain('mcp__plugin_jury_jury__show');
    expect(sent.at(-1)).toContain('Validation: 1/1 agents valid');
    expect(sent.at(-1)).toContain(
      'The sum of an empty list throws since the initial value is gone',
    );
    const [asked] = reviewer.modelCalls();
    expect(reviewer.modelCalls()).toHaveLength(1);
    expect(asked?.text).toContain('src/sum.js');
    expect(asked?.text).not.toContain('mcp__plugin_jury_jury');
  });

  test('runs the same from its shell, briefly', async () => {
    const { sent } = await runAgent('/jury:review', {
      plan: ['tool', 'ok'],
      tool: {
        name: 'Bash',
        input: { command: 'jury review --fresh', description: 'Review the last commit' },
      },
      text: 'Done.',
    });
    expect(sent.at(-1)).toContain('Protocol: 1.0');
    expect(sent.at(-1)).toContain('inner (1/1)');
  });

  test('runs a skill', async () => {
    const { result, sent } = await runAgent('Is this change good?', {
      plan: ['tool', 'ok'],
      tool: { name: 'Skill', input: { skill: 'jury:reviewing-code' } },
      text: 'I will ask the panel.',
    });
    expect(result).toMatchObject({ is_error: false, result: 'I will ask the panel.' });
    for (const name of [
      'jury:reading-a-verdict',
      'jury:security-reviewer',
      'mcp__plugin_jury_jury__start',
    ])
      expect(sent[0]).toContain(name);
    expect(sent.at(-1)).toContain('Do not tell reviewers what you think of the change');
  });
});

describe('the counterparts', () => {
  test('are valid in the eyes of claude, and their commands, skills and agents are found', async () => {
    expect(await runClient('claude', ['plugin', 'validate', 'plugin'])).toContain(
      'Validation passed',
    );
    expect(await runClient('claude', ['plugin', 'validate', '.'])).toContain('Validation passed');
  });

  test('are valid in the eyes of gemini', async () =>
    expect(
      await runClient('gemini', ['extensions', 'validate', 'plugin/gemini'], {
        GEMINI_CLI_NO_RELAUNCH: 'true',
      }),
    ).toContain('successfully validated'));

  test('are installed by codex from the market place of the repository', async () => {
    const home = path.join(folder, 'codex');
    mkdirSync(home);
    expect(
      await runClient('codex', ['plugin', 'marketplace', 'add', root], { CODEX_HOME: home }),
    ).toContain('Added marketplace `jury`');
    expect(
      await runClient('codex', ['plugin', 'add', 'jury@jury'], { CODEX_HOME: home }),
    ).toContain('Added plugin `jury`');
    const installed = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(installed.some(file => file.endsWith('skills/jury-review/SKILL.md'))).toBe(true);
  });
});
