import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChangedRepository, jury, program, writePanel, goodAnswer } from '../cli/jury.ts';
import { runsOf } from '../state-of.ts';

interface Line {
  readonly id?: unknown;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Wire {
  readonly lines: readonly Line[];
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  readonly send: (message: object) => void;
  /** Of a tool. */
  readonly call: (id: unknown, name: unknown, given: unknown) => void;
  readonly answerTo: (id: unknown) => Promise<Line>;
}

/** The protocol spoken by hand, for what a proper client would not say. */
function speak(cwd: string): Wire {
  const child = spawn(process.execPath, [program, 'mcp'], { cwd });
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', line => lines.push(JSON.parse(line) as Line));
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'hand', version: '1' },
    },
  });
  send({ method: 'notifications/initialized' });
  return {
    lines,
    child,
    send,
    call: (id, name, given) =>
      send({ id, method: 'tools/call', params: { name, arguments: given } }),
    ended: new Promise(resolve => child.once('close', resolve)),
    async answerTo(id) {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const line = lines.find(candidate => candidate.id === id);
        if (line) return line;
        await sleep(20);
      }
      throw new Error(`no answer to ${JSON.stringify(id)}`);
    },
  };
}

async function untilReviewed(root: string, reviewer: string): Promise<void> {
  const runs = runsOf(root);
  const isThere = (): boolean =>
    existsSync(runs) &&
    readdirSync(runs).some(run => existsSync(path.join(runs, run, `reviews/${reviewer}.md`)));
  for (let waited = 0; waited < 15_000 && !isThere(); waited += 50) await sleep(50);
}

const open: Wire[] = [];
const connect = (cwd: string): Wire => {
  const wire = speak(cwd);
  open.push(wire);
  return wire;
};
afterEach(async () => {
  for (const wire of open.splice(0)) {
    wire.child.kill('SIGKILL');
    await wire.ended;
  }
});

/** In Node, since its file is replaced by another program of Node. */
const answering = `void 0; ${goodAnswer}`;

/** A review that one of two reviewers has answered, and how it goes on at another server. */
async function reviewHalf(subject: string) {
  const sample = createChangedRepository();
  const config = writePanel(sample, [
    { id: 'good', script: answering },
    { id: 'slow', script: 'setTimeout(() => {}, 60_000);' },
  ]);
  const seats = ['good', 'slow'].map(
    id =>
      `  - { id: ${id}, runner: command, command: [node, ${path.join(path.dirname(config), `${id}.mjs`)}] }\n`,
  );
  sample.write('jury.config.yaml', `reviewers:\n${seats.join('')}`);
  const wire = connect(sample.root);
  wire.call('run', 'start', { process: 'review', subject });
  await untilReviewed(sample.root, 'good');
  const goOn = async (): Promise<string | undefined> => {
    writePanel(sample, [
      // It had said it all and is not asked again: its program would fail now.
      { id: 'good', script: 'process.exit(9);' },
      { id: 'slow', script: answering },
    ]);
    const next = connect(sample.root);
    next.call('resume', 'start', { process: 'resume', subject: 'latest' });
    return (await next.answerTo('resume')).result?.content?.[0]?.text;
  };
  return { sample, wire, goOn };
}

describe('the protocol', () => {
  let wire: Wire;
  beforeAll(() => {
    wire = speak(createChangedRepository().root);
  });
  afterAll(() => void wire.child.kill('SIGKILL'));

  it('answers odd ids, the same id twice and wrong shapes, prints nothing but JSON-RPC, and goes on', async () => {
    await wire.answerTo(0);
    wire.child.stdin.write('not json\n[]\n{"jsonrpc":"1.0","id":5,"method":"tools/list"}\n');
    for (const id of [-7, 'x'.repeat(100_000), '../../etc', 'same', 'same'])
      wire.send({ id, method: 'tools/list' });
    wire.call('shape', 'start', [1, 2]);
    wire.send({ id: 'nameless', method: 'tools/call', params: {} });
    wire.send({ id: 'unknown', method: 'no/such/method' });
    wire.call('proto', '__proto__', {});
    for (const id of [-7, 'x'.repeat(100_000), '../../etc', 'same'])
      expect((await wire.answerTo(id)).result).toBeDefined();
    for (const id of ['shape', 'nameless', 'unknown', 'proto'])
      expect((await wire.answerTo(id)).error?.code, id).toBeLessThan(0);
    expect(wire.lines.filter(({ id }) => id === 'same')).toHaveLength(2);
    expect(wire.lines.find(({ id }) => id === null)?.error?.code).toBe(-32_700);
    wire.send({ id: 'last', method: 'tools/list' });
    expect((await wire.answerTo('last')).result).toBeDefined();
  });

  it('takes ten megabytes in one string and goes on', async () => {
    wire.call('big', 'x'.repeat(10_000_000), {});
    expect((await wire.answerTo('big')).error?.message.length).toBeLessThan(200);
    wire.call('after', 'search', { query: 'sum' });
    expect((await wire.answerTo('after')).result?.content?.[0]?.text).toContain('src/sum.js');
  });

  it('goes on with a run whose request was taken back, and ends it with its state saved when the client closes', async () => {
    const { sample, wire, goOn } = await reviewHalf('HEAD~1..HEAD');
    wire.send({ method: 'notifications/cancelled', params: { requestId: 'run' } });
    wire.call('poll', 'wait', { run: 'latest', seconds: 0 });
    expect((await wire.answerTo('poll')).result?.content?.[0]?.text).toContain(
      '"status":"running"',
    );
    wire.child.stdin.end();
    expect(await wire.ended).toBe(0);
    const { code, stdout } = jury(sample.root, ['show', 'latest']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('The run was interrupted.')]);
    expect(wire.lines.some(({ id }) => id === 'run')).toBe(false);
    expect(await goOn()).toContain('Validation: 2/2 agents valid');
  });

  it('resumes a run whose server was killed, and asks nobody twice', async () => {
    const { wire, goOn } = await reviewHalf('HEAD');
    wire.child.kill('SIGKILL');
    await wire.ended;
    expect(await goOn()).toContain('Validation: 2/2 agents valid');
  });

  it('refuses whatever is no call of a tool, and goes on', async () => {
    wire.child.stdin.write(
      '[{"jsonrpc":"2.0","id":"b1","method":"tools/list"},{"jsonrpc":"2.0","id":"b2","method":"tools/list"}]\n',
    );
    const names = ['start', 'wait', 'stop', 'show', 'search', 'verdicts'];
    const wrong = fc.sample(
      fc.oneof(
        fc.jsonValue(),
        fc.record({
          process: fc.jsonValue(),
          run: fc.jsonValue(),
          query: fc.constant(1),
          seconds: fc.constant(-1),
        }),
      ),
      { numRuns: 120, seed: 7 },
    );
    wrong.forEach((given, index) => wire.call(index + 1, names[index % names.length], given));
    for (const [index] of wrong.entries()) {
      const { result, error } = await wire.answerTo(index + 1);
      expect(result?.isError ?? error !== undefined, JSON.stringify(wrong[index])).toBe(true);
    }
    wire.send({ id: 'very last', method: 'tools/list' });
    expect((await wire.answerTo('very last')).result).toBeDefined();
  });
});

it('ends in order on SIGTERM', async () => {
  const wire = connect(createChangedRepository().root);
  await wire.answerTo(0);
  wire.child.kill('SIGTERM');
  expect(await wire.ended).toBe(0);
});

describe('inside a reviewer', () => {
  it.each([
    ['ask', 'x'],
    ['show', 'latest'],
    ['dismiss', 'c-1', '--reason', 'x'],
  ])('jury %s is refused with one sentence and exit 3', (...args) => {
    const { code, stdout, stderr } = jury(createChangedRepository().root, args, {
      environment: { JURY_REVIEWER: 'alpha' },
    });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      'jury: A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).\n',
    );
  });
});
