import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectedAnswerOf, createReplayRunner } from '../../../src/adapters/runners/replay.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import { freshFolder, neverAborted, seatOf, turnOf } from './turns.ts';

const runner = createReplayRunner();

function ask(answers: string, changes: Partial<Turn> = {}) {
  return runner.ask(turnOf({ runner: 'replay', answers }, changes), neverAborted());
}

async function recorded(files: Record<string, string | Buffer>) {
  const folder = await freshFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

async function record(value: object) {
  return join(await recorded({ 'a.json': JSON.stringify(value) }), 'a.json');
}

function fingerprintOf(answers: string) {
  return runner.fingerprint(seatOf({ answers }));
}

describe('a recorded answer', () => {
  it('in a file answers every attempt', async () => {
    const file = join(await recorded({ 'a.txt': 'LOW|None\n' }), 'a.txt');
    for (const attempt of [1, 2])
      expect(await ask(file, { attempt })).toMatchObject({
        status: 'answered',
        text: 'LOW|None\n',
        stop: 'end',
      });
  });

  it('in a folder answers one attempt, in the order of the names', async () => {
    const folder = await recorded({ '10.md': 'ten', '2.md': 'two', '.hidden': 'no' });
    expect(await ask(folder, { attempt: 1 })).toMatchObject({ text: 'two' });
    expect(await ask(folder, { attempt: 2 })).toMatchObject({ text: 'ten' });
  });

  it('that is not there is a failed review, never the last one again', async () => {
    const folder = await recorded({ '1.md': 'one' });
    expect(await ask(folder, { attempt: 2 })).toMatchObject({
      status: 'failed',
      failure: { cause: 'not-found' },
    });
    expect(await ask(join(folder, 'nowhere'))).toMatchObject({
      status: 'failed',
      failure: { cause: 'not-found' },
    });
  });

  it('is found relative to the configuration', async () => {
    const home = await recorded({ 'a.txt': 'here' });
    expect(
      await runner.ask(turnOf({ runner: 'replay', answers: './a.txt', home }), neverAborted()),
    ).toMatchObject({ text: 'here' });
  });

  it('is judged like a live one', async () => {
    const folder = await recorded({
      '1': ' \n',
      '2': Buffer.from([0xff]),
      '3': 'x'.repeat(4_194_305),
    });
    for (const [attempt, cause] of [
      [1, 'empty'],
      [2, 'encoding'],
      [3, 'flood'],
    ] as const) {
      expect(await ask(folder, { attempt })).toMatchObject({
        status: 'failed',
        failure: { cause },
      });
    }
  });

  it('in JSON of another shape is the answer itself', async () => {
    const text = '{"findings":[],"status":"done"}';
    expect(await ask(join(await recorded({ 'a.json': text }), 'a.json'))).toMatchObject({
      status: 'answered',
      text,
    });
  });
});

describe('a record', () => {
  it('may hold usage, model and how the answer ended', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const file = await record({
      status: 'answered',
      text: 'half of it',
      stop: 'cut',
      model: 'm-1',
      usage,
    });
    const answer = await runner.ask(
      turnOf({ answers: file, price: { input: 3, output: 15 } }),
      neverAborted(),
    );
    expect(answer).toMatchObject({
      status: 'answered',
      stop: 'cut',
      model: 'm-1',
      usage: { calls: 1, inputTokens: 1_000_000, cost: 3 },
    });
  });

  it('may hold a failure', async () => {
    const file = await record({
      status: 'failed',
      cause: 'rate-limited',
      httpStatus: 429,
      retryAfterMs: 1_000,
      text: 'so far',
    });
    expect(await ask(file)).toMatchObject({
      status: 'failed',
      failure: { cause: 'rate-limited', httpStatus: 429, exitCode: null },
      retryAfterMs: 1_000,
      transcript: 'so far',
    });
  });

  it('with a mistake is refused by name', async () =>
    expect(await ask(await record({ status: 'failed', cause: 'tired' }))).toMatchObject({
      status: 'failed',
      failure: { cause: 'protocol', message: expect.stringContaining('cause') },
    }));

  it('takes its time, under the deadlines and until it is cancelled', async () => {
    const file = await record({ status: 'answered', text: 'late', delayMs: 300 });
    const deadlines = { firstOutputMs: 100, idleMs: 100, totalMs: 100 };
    expect(await ask(file)).toMatchObject({ text: 'late' });
    expect(await ask(file, { deadlines })).toMatchObject({ failure: { cause: 'deadline' } });
    expect(await ask(file, { deadlines: { ...deadlines, totalMs: 10_000 } })).toMatchObject({
      failure: { cause: 'first-output' },
    });
    expect(await runner.ask(turnOf({ answers: file }), AbortSignal.timeout(50))).toMatchObject({
      failure: { cause: 'cancelled' },
    });
  });
});

it.each([
  ['LOW|a.ts:1|x\nLOW|b.ts:2|naming is te', 'cut'],
  ['1. Fine.\n2. ', 'cut'],
  ['None\n', 'end'],
  ['None\n**Verdict:** safe', 'end'],
  ['{"findings":[]}', 'end'],
])('a collected file %j tells by its last characters whether it is whole', (text, stop) => {
  const file = { agent: 'a', name: 'a.md', bytes: Buffer.from(text), why: null, isPartial: false };
  expect(collectedAnswerOf(file)).toMatchObject({ stop });
});

describe('the fingerprint of a recording', () => {
  it('is that of its content', async () => {
    const [one, same, other] = [
      await recorded({ a: 'x' }),
      await recorded({ b: 'x' }),
      await recorded({ a: 'y' }),
    ];
    expect(await fingerprintOf(one)).toBe(await fingerprintOf(same));
    expect(await fingerprintOf(one)).not.toBe(await fingerprintOf(other));
    expect(await fingerprintOf(join(one, 'nowhere'))).toBeNull();
  });
});
