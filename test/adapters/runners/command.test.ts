import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../../src/adapters/runners/command.ts';
import type { Answer, Turn } from '../../../src/core/ports/runner.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import { freshFolder, freshWorld, neverAborted, program, seatOf, turnOf } from './turns.ts';

async function ask(
  source: string,
  seat: Partial<Seat> = {},
  changes: Partial<Turn> = {},
): Promise<Answer> {
  return createCommandRunner(await freshWorld()).ask(
    turnOf({ command: await program(source), ...seat }, changes),
    neverAborted(),
  );
}

const forever = 'setInterval(() => {}, 1000);';

describe('a program as a reviewer', () => {
  it('reads the instructions and the prompt and answers by its own will', async () => {
    const answer = await ask('process.stdin.pipe(process.stdout);');
    expect(answer).toMatchObject({
      status: 'answered',
      text: 'You review.\n\nWhat is wrong with this change?',
      stop: 'end',
      model: null,
      coverage: null,
    });
  });

  it('is told who it is, and starts in an empty folder', async () => {
    const answer = await ask(
      "import { readdirSync } from 'node:fs'; console.log(process.env.JURY_REVIEWER, readdirSync('.').length);",
      { id: 'gamma' },
    );
    expect(answer).toMatchObject({ status: 'answered', text: 'gamma 0\n' });
  });

  it('is found relative to the configuration, also as an argument', async () => {
    const home = await freshFolder();
    await writeFile(join(home, 'reviewer.mjs'), "console.log('LOW|None');");
    expect(await ask('', { home, command: ['node', './reviewer.mjs'] })).toMatchObject({
      status: 'answered',
      text: 'LOW|None\n',
    });
  });

  it('may write to standard error: it stands in the transcript, not in the answer', async () => {
    expect(await ask("console.error('a warning'); console.log('LOW|None');")).toMatchObject({
      text: 'LOW|None\n',
      transcript: 'LOW|None\n\n--- standard error ---\na warning\n',
    });
  });

  it('costs what the price says, by an estimate', async () => {
    const answer = await ask("console.log('x'.repeat(3_999));", {
      price: { input: 1, output: 1_000 },
    });
    expect(answer.usage).toMatchObject({ calls: 1, outputTokens: 1_000, estimated: true });
    expect(answer.usage.cost).toBeCloseTo(1.000011, 6);
  });

  it('shows how far it is', async () => {
    const seen: number[] = [];
    const turn = turnOf({
      command: await program(
        "process.stdout.write('ab'); setTimeout(() => process.stdout.write('cd'), 200);",
      ),
    });
    await createCommandRunner(await freshWorld()).ask(
      turn,
      neverAborted(),
      ({ bytes = 0 }) => void seen.push(bytes),
    );
    expect(seen).toEqual([2, 4]);
  });

  it('leaves nothing in the temporary folder', async () => {
    const world = await freshWorld();
    const command = await program(
      "import { writeFileSync } from 'node:fs'; writeFileSync(process.env.HOME + '/x', 'x'); " +
        "writeFileSync(process.env.TMPDIR + '/y', 'y'); console.log('ok');",
    );
    await createCommandRunner(world).ask(turnOf({ command }), neverAborted());
    expect(await readdir(world.temporaryFolder)).toEqual([]);
  });
});

describe('a program that is no reviewer', () => {
  const quick = { deadlines: { firstOutputMs: 300, idleMs: 300, totalMs: 5_000 } };
  const idle = { deadlines: { firstOutputMs: 5_000, idleMs: 300, totalMs: 8_000 } };
  const drip = { deadlines: { firstOutputMs: 5_000, idleMs: 5_000, totalMs: 700 } };
  const cases: [string, string, string, Partial<Turn>?][] = [
    ['says nothing', '', 'empty'],
    ['says only blanks', "console.log('  \\n');", 'empty'],
    ['answers on standard error only', "console.error('LOW|None');", 'empty'],
    [
      'ends with a code after a good answer',
      "console.log('LOW|None'); process.exitCode = 7;",
      'exit',
    ],
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'killed'],
    ['ends with the code of a kill', 'process.exit(137);', 'killed'],
    ['never starts to speak', forever, 'first-output', quick],
    ['stops speaking', `console.log('a'); ${forever}`, 'idle', idle],
    ['never stops speaking', "setInterval(() => console.log('a'), 20);", 'deadline', drip],
    [
      'writes bytes that are no text',
      'process.stdout.write(Buffer.from([0x61, 0xff]));',
      'encoding',
    ],
    [
      'writes without end',
      "import { writeSync } from 'node:fs'; const block = Buffer.alloc(65536, 97); for (;;) writeSync(1, block);",
      'flood',
    ],
    [
      'closes its input before it has read a large prompt',
      "process.stdin.destroy(); setTimeout(() => console.log('LOW|None'), 300);",
      'unread',
      { prompt: 'x'.repeat(3_000_000) },
    ],
  ];
  it.each(cases)('%s', async (_title, source, cause, changes) => {
    expect(await ask(source, {}, changes)).toMatchObject({ status: 'failed', failure: { cause } });
  });

  it('is named with its code and its last words', async () => {
    expect(await ask("console.error('no such model'); process.exit(7);")).toMatchObject({
      failure: {
        cause: 'exit',
        exitCode: 7,
        message: expect.stringMatching(/Ended with code 7: no such model$/) as string,
      },
    });
  });

  it('keeps what it had said', async () => {
    expect(await ask("console.log('CRITICAL|x'); process.exitCode = 1;")).toMatchObject({
      transcript: 'CRITICAL|x\n',
      usage: { calls: 1 },
    });
  });

  it('is not there', async () => {
    expect(await ask('', { command: ['no-such-program-anywhere'] })).toMatchObject({
      failure: { cause: 'not-found' },
      usage: { calls: 0 },
    });
    expect(await ask('', { command: ['./nowhere'] })).toMatchObject({
      failure: { cause: 'not-found' },
    });
  });

  it('may leave a short prompt unread', async () => {
    expect(
      await ask("process.stdin.destroy(); setTimeout(() => console.log('LOW|None'), 100);"),
    ).toMatchObject({ status: 'answered' });
  });
});

describe('the fingerprint of a program', () => {
  it('changes with the script, the arguments and the variables it sees', async () => {
    const [node, script] = await program('// one');
    const fingerprint = async (
      seat: Partial<Seat>,
      environment: Record<string, string> = {},
    ): Promise<string | null> =>
      createCommandRunner(await freshWorld(environment)).fingerprint(
        seatOf({ command: [node, script], ...seat }),
      );
    const first = await fingerprint({});
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprint({})).toBe(first);
    expect(await fingerprint({ command: [node, script, '--strict'] })).not.toBe(first);
    expect(await fingerprint({ environment: ['SEED'] }, { SEED: '1' })).not.toBe(
      await fingerprint({ environment: ['SEED'] }, { SEED: '2' }),
    );
    await writeFile(script, '// two');
    expect(await fingerprint({})).not.toBe(first);
    expect(await fingerprint({ command: ['/no/such/program'] })).toBeNull();
  });
});
