/** The genuine clients with Jury's own tools, against a scripted server that asks for them: acceptance of the reviewer tools. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClientRunner } from '../../src/adapters/runners/client-runner.ts';
import { mostRounds } from '../../src/adapters/runners/client.ts';
import { type ClientName, clientNames } from '../../src/core/words/runner.ts';
import type { RunnerWorld } from '../../src/adapters/runners/executable.ts';
import type { ReviewerTools } from '../../src/core/ports/runner.ts';
import { toolNames } from '../../src/core/tools/offers.ts';
import { turnOf } from '../adapters/runners/clients/turn.ts';
import { seatOf } from '../adapters/runners/turns.ts';
import type { Seat } from '../../src/core/words/config.ts';
import { createJury } from '../../src/index.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { openToolBench } from '../engine/tools/tool-bench.ts';
import {
  scriptedText,
  startModelServer,
  type Behaviour,
  type ModelServer,
  type ToolCall,
} from '../model-server.ts';
import { installClients } from './install.ts';
import { offeredTools, survivors } from './observed.ts';

interface ToolFacts {
  readonly keyVariable: string;
  /** What the model must call a tool of ours. */
  readonly call: (name: string, input: unknown) => ToolCall;
  /** Tools of the client's own that it does not give up. */
  readonly others: readonly string[];
  /** How the names stand in the request; null when the client shows them only after a search of its own. */
  readonly offered: ((name: string) => string) | null;
}

const key = 'fake-key-0123456789abcdef';

const facts: Record<ClientName, ToolFacts> = {
  claude: {
    keyVariable: 'ANTHROPIC_API_KEY',
    call: (name, input) => ({ name: `mcp__jury__${name}`, input }),
    others: [],
    offered: name => `mcp__jury__${name}`,
  },
  codex: {
    keyVariable: 'OPENAI_API_KEY',
    call: (name, input) => ({ name, input, namespace: 'mcp__jury' }),
    others: [
      'apply_patch',
      'list_mcp_resource_templates',
      'list_mcp_resources',
      'read_mcp_resource',
      'request_user_input',
      'tool_search',
    ],
    offered: null,
  },
  gemini: {
    keyVariable: 'GEMINI_API_KEY',
    call: (name, input) => ({ name: `mcp_jury_${name}`, input }),
    others: [],
    offered: name => `mcp_jury_${name}`,
  },
  opencode: {
    keyVariable: 'OPENAI_API_KEY',
    call: (name, input) => ({ name: `jury_${name}`, input }),
    others: [],
    offered: name => `jury_${name}`,
  },
};

let programs: ReadonlyMap<ClientName, string> = new Map();

beforeAll(async () => {
  programs = await installClients();
});

describe.each(clientNames)('the genuine %s with tools', name => {
  const { keyVariable, call, others, offered } = facts[name];
  let server: ModelServer;
  let temporaryFolder: string;

  beforeEach(async context => {
    const isMissing = !programs.has(name);
    if (isMissing && process.env.JURY_REQUIRE_CLIENTS === '1')
      throw new Error(`${name} is not installed.`);
    if (isMissing) context.skip(`${name} is not installed`);
    server = await startModelServer();
    temporaryFolder = await mkdtemp(join(tmpdir(), 'jury-tools-'));
  });

  afterEach(async () => {
    await server?.close();
    if (temporaryFolder !== undefined) await rm(temporaryFolder, { recursive: true, force: true });
  });

  async function ask(
    tools: ReviewerTools | null,
    plan: readonly [Behaviour, ...Behaviour[]],
    calls: readonly ToolCall[],
    world: Partial<RunnerWorld> = {},
    changes: Partial<Seat> = {},
  ) {
    let number = 0;
    server.set({
      plan,
      tool: () => calls[Math.min(number++, calls.length - 1)] ?? { name: 'none', input: {} },
    });
    const runner = createClientRunner(name, {
      environment: { PATH: process.env.PATH, [keyVariable]: key },
      temporaryFolder,
      ...world,
    });
    const seat = seatOf({
      runner: name,
      executable: programs.get(name) ?? '',
      baseUrl: server.url,
      tools: true,
      ...changes,
    });
    const answer = await runner.ask(
      { ...turnOf(seat, { totalMs: 90_000 }), tools },
      new AbortController().signal,
    );
    expect(await survivors(temporaryFolder)).toEqual([]);
    expect(await readdir(temporaryFolder)).toEqual([]);
    return answer;
  }

  test('reads, reports and answers; its findings are recorded and its ledger is charged', async () => {
    const { tools, ledger } = await openToolBench();
    const answer = await ask(
      tools,
      ['tool', 'tool', 'tool', 'ok'],
      [
        call('semantic_search', { query: 'sumAll', limit: 3 }),
        call('read_anchor', { path: 'src/sum.ts', lines: '2-4' }),
        call('report_finding', {
          severity: 'HIGH',
          text: 'The sum of nothing throws',
          file: 'src/sum.ts',
          line: 3,
        }),
      ],
    );
    expect(answer).toMatchObject({ status: 'answered', text: scriptedText });
    expect(answer.usage).toMatchObject({ calls: 4, estimated: false });
    expect(server.modelCalls()).toHaveLength(4);
    expect(tools.reported()).toMatchObject([{ severity: 'high', path: 'src/sum.ts', line: 3 }]);
    expect(ledger.standing().used).toBeGreaterThan(100);
    const last = server.modelCalls().at(-1)?.text ?? '';
    expect(last).toContain('export function sumAll(list: number[])');
    expect(last).toContain('recorded');
  });

  test('is offered our tools and none besides that it can be kept from', async () => {
    const { tools } = await openToolBench();
    expect(await ask(tools, ['ok'], [])).toMatchObject({ status: 'answered', text: scriptedText });
    const [request] = server.modelCalls();
    expect(offeredTools(request).toSorted()).toEqual(
      [...others, ...(offered === null ? [] : toolNames.map(offered))].toSorted(),
    );
    expect(request?.text).not.toContain(key);
  });

  test('stays within its ledger when the model goes on asking for ever, and is ended', async () => {
    const { tools, ledger } = await openToolBench({ total: 600 });
    const answer = await ask(tools, ['tool'], [call('read_anchor', { path: 'src/sum.ts' })]);
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'budget' } });
    expect(ledger.standing().used).toBeLessThanOrEqual(600);
    expect(server.modelCalls().length).toBeLessThanOrEqual(mostRounds + 2);
    expect(
      server
        .modelCalls()
        .map(({ text }) => text)
        .some(text => text.includes('FOLD008')),
    ).toBe(true);
  });

  test('stays within the ledger of its run when it loops: what its provider counts included', async () => {
    const sample = createChangedRepository();
    let number = 0;
    const calls = [
      call('report_finding', {
        severity: 'CRITICAL',
        text: 'The sum of nothing throws',
        file: 'src/sum.js',
        line: 2,
      }),
      call('read_anchor', { path: 'src/sum.js' }),
    ];
    server.set({
      plan: ['tool'],
      usage: { input: 900, output: 20, cached: 0 },
      tool: () => calls[Math.min(number++, 1)] ?? { name: 'none', input: {} },
    });
    const config = join(sample.root, '../jury.config.yaml');
    await writeFile(
      config,
      `reviewers:\n  - { id: alpha, runner: ${name}, tools: true, executable: ` +
        `'${programs.get(name) ?? ''}', baseUrl: '${server.url}', timeout: 90 }\n`,
    );
    const {
      reviews: [review],
    } = await createJury({
      cwd: sample.root,
      environment: { PATH: process.env.PATH, TMPDIR: temporaryFolder, [keyVariable]: key },
    }).run({ process: 'review', config });
    expect(review).toMatchObject({
      status: 'partial',
      failure: { cause: 'budget' },
      findings: [{ id: 'alpha/R1', location: { path: 'src/sum.js', line: 2 } }],
    });
    expect(review?.spending?.total).toBeGreaterThan(6_000);
    // What a client prints of its requests comes late, on a busy machine by two of them.
    expect((server.modelCalls().length - 2) * 920).toBeLessThanOrEqual(
      review?.spending?.total ?? 0,
    );
  });

  test('keeps what was reported before it was ended', async () => {
    const { tools } = await openToolBench({ total: 2_000 });
    const calls = [
      call('report_finding', { severity: 'CRITICAL', text: 'The first thing' }),
      call('read_anchor', { path: 'src/sum.ts' }),
    ];
    expect(await ask(tools, ['tool'], calls)).toMatchObject({
      status: 'failed',
      failure: { cause: 'budget' },
    });
    expect(tools.reported().map(({ text }) => text)).toEqual(['The first thing']);
  });

  test('fails when the program with the tools does not come up, whatever it answers', async () => {
    const { tools } = await openToolBench();
    expect(
      await ask(tools, ['ok'], [], { toolProgram: join(temporaryFolder, 'nothing.mjs') }),
    ).toMatchObject({ status: 'failed', failure: { cause: 'tools-missing' } });
  });

  test('hands no key on to the program with the tools', async () => {
    const { tools } = await openToolBench();
    const folder = await mkdtemp(join(tmpdir(), 'jury-tools-'));
    const [toolProgram, seen] = [join(folder, 'note.mjs'), join(folder, 'seen.json')];
    await writeFile(
      toolProgram,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));\n`,
    );
    // It writes down what it sees outside of its own folder.
    await ask(
      tools,
      ['ok'],
      [],
      { toolProgram },
      { isolation: { sandbox: false, network: false, read: [], write: [] } },
    );
    const environment = await readFile(seen, 'utf8');
    await rm(folder, { recursive: true });
    expect(environment).toContain('JURY_TOOLS_TOKEN');
    expect(environment).not.toContain(key);
  });

  test('is told of a wrong input, and goes on', async () => {
    const { tools } = await openToolBench();
    expect(
      await ask(tools, ['tool', 'ok'], [call('read_anchor', { path: '../../etc/passwd' })]),
    ).toMatchObject({ status: 'answered' });
    expect(server.modelCalls().at(-1)?.text).toContain('outside of the repository');
  });
});
