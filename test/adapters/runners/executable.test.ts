import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findExecutable,
  withoutShell,
  textAnswer,
} from '../../../src/adapters/runners/executable.ts';
import { freshFolder, neverAborted, turnOf } from './turns.ts';
import { guardRunner } from '../../../src/adapters/runners/function.ts';
import { noUsage } from '../../../src/core/words/review.ts';

async function folderWith(name: string, mode = 0o755) {
  const folder = await freshFolder();
  await writeFile(join(folder, name), '#!/bin/sh\n', { mode });
  return folder;
}

function worldOf(path: string, checkout: string | null = null) {
  return { environment: { PATH: path }, temporaryFolder: '/tmp', checkout };
}

describe('a program is found', () => {
  it('by its name, in the first folder that has it, as an absolute path', async () => {
    const [one, other] = [await folderWith('reviewer'), await folderWith('reviewer')];
    expect(await findExecutable('reviewer', worldOf(`/no/such/folder:${one}:${other}`))).toBe(
      join(one, 'reviewer'),
    );
  });

  it('by an absolute path', async () => {
    const folder = await folderWith('reviewer');
    expect(await findExecutable(join(folder, 'reviewer'), worldOf(''))).toBe(
      join(folder, 'reviewer'),
    );
  });

  it('by a path relative to the configuration', async () => {
    const folder = await folderWith('reviewer');
    expect(await findExecutable('./reviewer', worldOf(''), folder)).toBe(join(folder, 'reviewer'));
  });
});

describe('a program is not found', () => {
  it('when no folder has it', async () => {
    const found = await findExecutable('reviewer', worldOf(await freshFolder()));
    expect(found).toMatchObject({
      failure: { cause: 'not-found', message: 'No program "reviewer" on PATH.' },
    });
  });

  it('when it is a folder or cannot be executed', async () => {
    const folder = await folderWith('reviewer', 0o644);
    await mkdir(join(folder, 'other'));
    const world = worldOf(folder);
    expect(await findExecutable('reviewer', world)).toMatchObject({ status: 'failed' });
    expect(await findExecutable('other', world)).toMatchObject({ status: 'failed' });
  });

  it('through a relative or an empty entry', async () => {
    const found = await findExecutable('reviewer', worldOf('bin:'));
    expect(found).toMatchObject({
      failure: {
        message:
          'No program "reviewer" on PATH. The PATH entry "bin" is relative. The PATH entry "" is empty.',
      },
    });
  });

  it('in a folder that everybody can write, sticky or not', async () => {
    const folder = await folderWith('reviewer');
    for (const mode of [0o777, 0o1777]) {
      await chmod(folder, mode);
      expect(await findExecutable('reviewer', worldOf(folder))).toMatchObject({
        failure: { message: expect.stringContaining('writable by everybody') },
      });
    }
  });

  it('inside the checkout, also through a link from outside', async () => {
    const checkout = await freshFolder();
    const bin = join(checkout, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'reviewer'), '#!/bin/sh\n', { mode: 0o755 });
    const link = join(await freshFolder(), 'link');
    await symlink(bin, link);
    for (const entry of [bin, link]) {
      expect(await findExecutable('reviewer', worldOf(entry, checkout))).toMatchObject({
        failure: { message: expect.stringContaining('inside the checkout') },
      });
    }
  });

  it('by a relative path without a leading dot, which nobody has written down on purpose', async () => {
    const folder = await folderWith('reviewer');
    expect(await findExecutable('sub/reviewer', worldOf(folder), folder)).toMatchObject({
      status: 'failed',
    });
  });
});

describe('on Windows', () => {
  it('a name is a program with one of the endings that the system starts, before a script of it', async () => {
    const folder = await folderWith('reviewer');
    expect(await findExecutable('reviewer', worldOf(folder), null, 'win32')).toMatchObject({
      status: 'failed',
    });
    for (const ending of ['.cmd', '.exe']) {
      await writeFile(join(folder, `reviewer${ending}`), '', { mode: 0o755 });
      expect(await findExecutable('reviewer', worldOf(folder), null, 'win32')).toBe(
        join(folder, `reviewer${ending}`),
      );
    }
  });

  it('a script that only a shell could start is refused, with what to name instead', () => {
    const script = 'C:\\Tools\\npx.cmd';
    expect(withoutShell(script, 'win32')).toMatchObject({
      failure: {
        cause: 'not-found',
        message: expect.stringContaining('name the program behind it') as string,
      },
    });
    const program = 'C:\\Tools\\node.exe';
    expect(withoutShell(program, 'win32')).toBe(program);
    expect(withoutShell(script, 'linux')).toBe(script);
  });
});

it('a word for its end that nobody knows, and a fingerprint that throws, come to no pass', async () => {
  const own = guardRunner({
    name: 'own',
    ask: () =>
      Promise.resolve({ ...textAnswer({ text: 'None' }, {}), stop: 'max_tokens' as 'end' }),
    fingerprint: () => Promise.reject(new Error('broken')),
  });
  const turn = turnOf({ runner: 'own' });
  expect((await own.ask(turn, neverAborted())).status).toBe('failed');
  expect(await own.fingerprint(turn.seat)).toBe(null);
});

/** A caller's own runner is held to the contract where money hangs on it. */
it.each([
  ['less than no token', { inputTokens: -5 }],
  ['half a token', { outputTokens: 0.5 }],
  ['a cost below nothing', { cost: -3 }],
  ['a cost that is no number', { cost: Number.NaN }],
  ['a cost without end', { cost: Number.POSITIVE_INFINITY }],
])('what it says of %s is estimated instead', async (_what, wrong) => {
  const own = guardRunner({
    name: 'own',
    ask: () =>
      Promise.resolve(
        textAnswer(
          { text: 'None\n\nVERDICT: safe', isUtf8: true },
          { stop: 'end', model: null, usage: { ...noUsage, calls: 1, ...wrong } },
        ),
      ),
    fingerprint: () => Promise.resolve(null),
  });
  const { status, usage } = await own.ask(
    turnOf({ runner: 'own', price: { input: 1, output: 1 } }),
    neverAborted(),
  );
  expect([status, usage.calls, usage.estimated]).toEqual(['answered', 1, true]);
  expect(usage.cost).toBeGreaterThan(0);
});
