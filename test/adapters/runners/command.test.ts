import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../../src/adapters/runners/command.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import {
  freshFolder,
  freshWorld,
  neverAborted,
  program as nodeProgram,
  seatOf,
  turnOf,
} from './turns.ts';

/** Of a shell, which starts ten times as fast as Node. */
const program = (script: string) => ['sh', '-c', script];

async function ask(script: string, seat: Partial<Seat> = {}, changes: Partial<Turn> = {}) {
  return createCommandRunner(await freshWorld()).ask(
    turnOf({ command: program(script), ...seat }, changes),
    neverAborted(),
  );
}

const forever = 'exec sleep 600';

describe('a program as a reviewer', () => {
  it('reads the instructions and the prompt and answers by its own will', async () => {
    const answer = await ask('cat');
    expect(answer).toMatchObject({
      status: 'answered',
      text: 'You review.\n\nWhat is wrong with this change?',
      stop: 'end',
      model: null,
      coverage: null,
    });
  });

  it('is told who it is, and starts in an empty folder', async () => {
    const answer = await ask('cat >/dev/null; echo "$JURY_REVIEWER $(ls -A | wc -l)"', {
      id: 'gamma',
    });
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

  it('may write to standard error: it stands in the transcript, not in the answer', async () =>
    expect(await ask("cat >/dev/null; echo 'a warning' >&2; echo 'LOW|None'")).toMatchObject({
      text: 'LOW|None\n',
      transcript: 'LOW|None\n\n--- standard error ---\na warning\n',
    }));

  it('costs what the price says, by an estimate', async () => {
    const answer = await ask(`cat >/dev/null; echo ${'x'.repeat(3_999)}`, {
      price: { input: 1, output: 1_000 },
    });
    expect(answer.usage).toMatchObject({ calls: 1, outputTokens: 1_000, estimated: true });
    expect(answer.usage.cost).toBeCloseTo(1.000011, 6);
  });

  it('shows how far it is', async () => {
    const seen: number[] = [];
    const turn = turnOf({
      command: program('printf ab; sleep 0.2; printf cd'),
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
    const command = program('echo x >"$HOME/x"; echo y >"$TMPDIR/y"; echo ok');
    await createCommandRunner(world).ask(turnOf({ command }), neverAborted());
    expect(await readdir(world.temporaryFolder)).toEqual([]);
  });
});

describe('a program that is no reviewer', () => {
  const quick = { deadlines: { firstOutputMs: 300, idleMs: 300, totalMs: 5_000 } };
  const idle = { deadlines: { firstOutputMs: 5_000, idleMs: 300, totalMs: 8_000 } };
  const drip = { deadlines: { firstOutputMs: 5_000, idleMs: 5_000, totalMs: 700 } };
  const cases: [string, string, string, Partial<Turn>?][] = [
    ['says nothing', 'cat >/dev/null', 'empty'],
    ['says only blanks', "cat >/dev/null; printf '  \\n\\n'", 'empty'],
    ['answers on standard error only', "cat >/dev/null; echo 'LOW|None' >&2", 'empty'],
    ['ends with a code after a good answer', "cat >/dev/null; echo 'LOW|None'; exit 7", 'exit'],
    ['is killed', 'cat >/dev/null; kill -9 $$', 'killed'],
    ['ends with the code of a kill', 'cat >/dev/null; exit 137', 'killed'],
    ['never starts to speak', forever, 'first-output', quick],
    ['stops speaking', `echo a; ${forever}`, 'idle', idle],
    ['never stops speaking', 'while :; do echo a; sleep 0.02; done', 'deadline', drip],
    ['writes bytes that are no text', String.raw`cat >/dev/null; printf 'a\377'`, 'encoding'],
    ['writes without end', 'exec yes', 'flood'],
    [
      'closes its input before it has read a large prompt',
      "exec <&-; sleep 0.3; echo 'LOW|None'",
      'unread',
      { prompt: 'x'.repeat(3_000_000) },
    ],
  ];
  it.each(cases)('%s', async (_title, source, cause, changes) =>
    expect(await ask(source, {}, changes)).toMatchObject({ status: 'failed', failure: { cause } }),
  );

  it('is named with its code and its last words', async () =>
    expect(await ask("cat >/dev/null; echo 'no such model' >&2; exit 7")).toMatchObject({
      failure: {
        cause: 'exit',
        exitCode: 7,
        message: expect.stringMatching(/Ended with code 7: no such model$/) as string,
      },
    }));

  it('keeps what it had said', async () =>
    expect(await ask("echo 'CRITICAL|x'; exit 1")).toMatchObject({
      transcript: 'CRITICAL|x\n',
      usage: { calls: 1 },
    }));

  it('is not there', async () => {
    expect(await ask('', { command: ['no-such-program-anywhere'] })).toMatchObject({
      failure: { cause: 'not-found' },
      usage: { calls: 0 },
    });
    expect(await ask('', { command: ['./nowhere'] })).toMatchObject({
      failure: { cause: 'not-found' },
    });
  });

  it('may leave a short prompt unread', async () =>
    expect(await ask("exec <&-; sleep 0.1; echo 'LOW|None'")).toMatchObject({
      status: 'answered',
    }));
});

describe('the fingerprint of a program', () => {
  it('changes with the script, the arguments and the variables it sees', async () => {
    const [node, script] = await nodeProgram('// one');
    const fingerprint = async (seat: Partial<Seat>, environment: Record<string, string> = {}) =>
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
