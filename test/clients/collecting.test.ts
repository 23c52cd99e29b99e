/** The genuine Claude Code whose own sub-agents write, and Jury collects: what reaches the one who started them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claude } from '../../src/adapters/runners/claude.ts';
import { findClient } from '../../src/adapters/runners/client-program.ts';
import { seatOf } from '../adapters/runners/turns.ts';
import { jury, program } from '../cli/jury.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import { installClients } from './install.ts';

const plugin = fileURLToPath(new URL('../../plugin', import.meta.url));
const agents = ['architecture-reviewer', 'correctness-reviewer', 'feasibility-reviewer'] as const;
type Agent = (typeof agents)[number];

let client = '';
let folder = '';
let project = '';
let server: ModelServer;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'jury-collecting-')));
  project = path.join(folder, 'project');
  mkdirSync(path.join(project, '.git'), { recursive: true });
  const executable = (await installClients()).get('claude');
  if (executable === undefined) return;
  const found = await findClient(claude, seatOf({ runner: 'claude', executable }), {
    environment: {},
    temporaryFolder: folder,
  });
  if (typeof found === 'string') client = found;
  server = await startModelServer();
  const line = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
  writeFileSync(path.join(folder, 'jury'), line, { mode: 0o755 });
  writeFileSync(path.join(project, 'design.md'), '# Design\n\n## Storage\n\nOne file holds all.\n');
});

beforeEach(context => {
  if (client === '' && process.env['JURY_REQUIRE_CLIENTS'] === '1')
    throw new Error('claude is not installed.');
  if (client === '') context.skip('claude is not installed');
});

afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Eight findings with some 1,200 characters of evidence each. */
function reportOf(agent: Agent) {
  const numbers = Array.from({ length: 8 }, (_, index) => index + 1);
  const titles = numbers.map(n => `The ${agent} sees that part ${n} of the storage cannot be kept`);
  return [
    '### Findings Index',
    ...titles.map(
      (title, index) =>
        `- P${index % 4} | ${agent[0]?.toUpperCase()}-${index + 1} | "Storage" | ${title}`,
    ),
    'Verdict: risky',
    '### Summary',
    'One file cannot hold all.',
    '### Issues Found',
    ...numbers.flatMap(n => [
      '',
      `${n}. **${agent[0]?.toUpperCase()}-${n}**: EVIDENCE ${agent} ${n}. ` +
        'A writer that dies between two steps leaves half a record behind. '.repeat(18),
      '   Recommendation: write beside it, then rename.',
    ]),
    '### Improvements',
    '1. Name the file.',
    '<!-- jury:complete -->',
    '',
  ].join('\n');
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

function messagesOf(body: unknown) {
  return (body as { messages?: Message[] }).messages ?? [];
}

/** What has come to whoever asks since the first question: results of tools, and the news of agents that ended. */
function toldIn(body: unknown) {
  const [, ...since] = messagesOf(body);
  return since
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    )
    .map(block => ({ isResult: block.type === 'tool_result', text: textOf(block) }));
}

function textOf({ text, content }: Block) {
  if (content === undefined) return text ?? '';
  return typeof content === 'string' ? content : content.map(part => part.text ?? '').join('');
}

function resultsIn(body: unknown) {
  return toldIn(body)
    .filter(({ isResult }) => isResult)
    .map(({ text }) => text);
}

/** Whatever it is wrapped in. */
function everythingIn(body: unknown) {
  return toldIn(body)
    .map(({ text }) => text)
    .join('\n');
}

/** The sub-agent that asks; null for the one who started it. */
function agentIn(body: unknown) {
  const [first] = messagesOf(body);
  const text = first === undefined ? '' : JSON.stringify(first.content);
  return agents.find(agent => text.includes(`You are sent as ${agent}.`)) ?? null;
}

type Way = 'inline' | 'collected';
const inbox = () => path.join(project, '.jury', 'inbox', 'design');

/** What the one who asks does next; null: it says what it has to say, and is told when an agent has ended. */
function nextCall(body: unknown, way: Way) {
  const done = resultsIn(body).length;
  const agent = agentIn(body);
  if (agent !== null)
    return way === 'inline' || done > 0
      ? null
      : {
          name: 'Write',
          input: { file_path: path.join(inbox(), `${agent}.md`), content: reportOf(agent) },
        };
  const started = [
    ...(way === 'inline' ? [] : [bash('jury collect --prepare design')]),
    ...agents.map(name => task(name, way)),
  ];
  if (done < started.length) return started[done] ?? null;
  const collecting = `jury collect .jury/inbox/design --expect ${agents.join(',')} --subject design.md`;
  // Agents of which it was told that they ended.
  const ended = everythingIn(body).split('<task-notification>').length - 1;
  return way === 'inline' || done > started.length || ended < agents.length
    ? null
    : bash(collecting);
}

function bash(command: string) {
  return { name: 'Bash', input: { command, description: 'Ask Jury' } };
}

function task(agent: Agent, way: Way) {
  const place = way === 'inline' ? 'Return all you find.' : `OUTPUT_DIR: ${inbox()}`;
  return {
    name: 'Task',
    input: {
      subagent_type: `jury:${agent}`,
      description: 'Review the design',
      prompt: `You are sent as ${agent}. Review design.md. ${place}`,
    },
  };
}

/** The last request of the one who started the agents. */
async function runSession(way: Way) {
  const isCall = (body: string) => nextCall(JSON.parse(body), way) !== null;
  server.set({
    plan: body => (body.includes('"tools"') && isCall(body) ? 'tool' : 'ok'),
    tool: ({ body }) => nextCall(body, way) ?? bash('true'),
    text: ({ body }) => {
      const agent = agentIn(body);
      if (agent === null) return 'Done.';
      return way === 'inline'
        ? reportOf(agent)
        : `Findings written to ${path.join(inbox(), `${agent}.md`)}`;
    },
  });
  await new Promise<void>((resolve, reject) => {
    const child = execFile(
      client,
      [
        '-p',
        'Have design.md reviewed.',
        '--plugin-dir',
        plugin,
        '--output-format',
        'json',
        '--model',
        'claude-sonnet-4-5',
        '--setting-sources',
        '',
        '--allowed-tools',
        'Task,Write,Bash(jury:*)',
        '--permission-mode',
        'acceptEdits',
        '--max-turns',
        '12',
      ],
      {
        cwd: project,
        timeout: 200_000,
        maxBuffer: 64 << 20,
        env: {
          PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}`,
          HOME: folder,
          TMPDIR: tmpdir(),
          JURY_STATE: path.join(folder, 'state'),
          LANG: 'C.UTF-8',
          CLAUDE_CONFIG_DIR: path.join(folder, 'claude'),
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: 'fake-key-0123456789abcdef',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_MAX_RETRIES: '0',
        },
      },
      (error, out, err) =>
        error && out === '' ? reject(new Error(`${error.message}\n${err}`)) : resolve(),
    );
    child.stdin?.end();
  });
  const own = server
    .modelCalls()
    .filter(({ body }) => agentIn(body) === null && resultsIn(body).length > 0);
  const last = own.at(-1);
  if (last === undefined) throw new Error('Nothing was called.');
  return last;
}

describe('sub-agents of the genuine claude', () => {
  test('write files that are collected: little reaches the one who sent them, and all of it can be had', async () => {
    const inline = everythingIn((await runSession('inline')).body);
    for (const agent of agents) expect(inline).toContain(`EVIDENCE ${agent} 8`);

    const { body } = await runSession('collected');
    const collected = everythingIn(body);
    const brief = /Protocol: .*Report: [^\n]*/s.exec(resultsIn(body).at(-1) ?? '')?.[0] ?? '';
    process.stdout.write(
      `To the caller: ${inline.length} characters inline, ${collected.length} collected, ${brief.length} of them the brief.\n`,
    );
    expect(readdirSync(inbox()).toSorted()).toEqual(agents.map(agent => `${agent}.md`));
    expect(collected).not.toContain('EVIDENCE');
    expect(brief).toContain('Validation: 3/3 agents valid');
    expect(brief.split('\n').length).toBeLessThanOrEqual(15);
    expect(collected.length).toBeLessThan(inline.length / 3);

    const environment = { JURY_STATE: path.join(folder, 'state') };
    for (const agent of agents)
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const id = `${agent}/${agent[0]?.toUpperCase()}-${n}`;
        const { stdout } = jury(project, ['show', 'latest', id], { environment });
        expect(stdout).toContain(`EVIDENCE ${agent} ${n}.`);
      }
  });
});
