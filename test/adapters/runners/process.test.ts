import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  runProcess,
  captureTail,
  captureText,
  decodeText,
} from '../../../src/adapters/runners/process.ts';
import type { ProcessRequest, ProcessResult } from '../../../src/core/ports/runner.ts';
import { freshFolder, neverAborted, processesWith, program } from './turns.ts';
import * as fc from 'fast-check';

interface Trial extends ProcessResult {
  readonly survivors: readonly number[];
}

/** Runs a shell, which starts ten times as fast as Node, and then looks for what it left behind. */
async function run(script: string, changes: Partial<ProcessRequest> = {}, signal = neverAborted()) {
  const marker = randomUUID();
  const environment = { PATH: process.env.PATH ?? '', JURY_ATTEMPT: marker };
  const deadlines = { firstOutputMs: 10_000, idleMs: 10_000, totalMs: 10_000 };
  const result = await runProcess(
    {
      file: '/bin/sh',
      args: ['-c', script],
      input: 'the prompt',
      environment,
      cwd: await freshFolder(),
      deadlines,
      ...changes,
    },
    signal,
  );
  return { ...result, survivors: await processesWith(marker) };
}

/** The same by a Node program. */
async function runNode(source: string, changes: Partial<ProcessRequest> = {}): Promise<Trial> {
  const [file, script] = await program(source);
  return run('', { file, args: [script], ...changes });
}

const forever = 'exec sleep 600';
const deaf = "trap '' TERM";

/** 50 MB on standard output (1) or standard error (2). */
const flood = (stream: 1 | 2) => `tr '\\0' a </dev/zero | head -c 52428800 >&${stream}`;

function failingReader(): never {
  throw new Error('a fault of the reader');
}

describe('a process that behaves', () => {
  it('gets the prompt on standard input and gives its output', async () => {
    const result = await run('cat; echo a remark >&2');
    expect(result).toMatchObject({
      exitCode: 0,
      signal: null,
      stdout: 'the prompt',
      stderr: 'a remark\n',
      stopped: null,
      spawnError: null,
      inputDelivered: true,
      stdoutIsUtf8: true,
      survivors: [],
    });
  });

  it('sees an end of its input even when the prompt is empty', async () =>
    expect(await run('cat; echo end', { input: '' })).toMatchObject({
      stdout: 'end\n',
      exitCode: 0,
    }));

  it('gets a prompt of several megabytes whole', async () => {
    const result = await runNode(
      "let n = 0; process.stdin.on('data', chunk => (n += chunk.length)).on('end', () => console.log(n));",
      { input: 'x'.repeat(5_000_000) },
    );
    expect(result).toMatchObject({ stdout: '5000000\n', inputDelivered: true });
  });

  it('keeps characters whole that arrive in two pieces', async () => {
    const chunks: string[] = [];
    const script = String.raw`printf '\342\202'; sleep 0.2; printf '\254'`;
    const result = await run(script, { onOutput: chunk => chunks.push(chunk) });
    expect(result.stdout).toBe('€');
    expect(chunks.join('')).toBe('€');
  });

  it('sees only the environment it is given', async () => {
    const { stdout } = await runNode('console.log(Object.keys(process.env).sort().join());');
    expect(stdout).toBe('JURY_ATTEMPT,PATH\n');
  });

  it('may write to a file instead of a pipe, which is read while it grows', async () => {
    const stdoutFile = join(await freshFolder(), 'out');
    const seen: string[] = [];
    const result = await run('echo one; sleep 0.3; echo two', {
      stdoutFile,
      onOutput: chunk => seen.push(chunk),
    });
    expect(result).toMatchObject({ stdout: 'one\ntwo\n', exitCode: 0 });
    expect(seen).toEqual(['one\n', 'two\n']);
    expect(await readFile(stdoutFile, 'utf8')).toBe('one\ntwo\n');
  });
});

describe('a process that cannot start is a value', () => {
  const cases: [string, Partial<ProcessRequest>, string][] = [
    ['a missing program', { file: '/no/such/program' }, 'ENOENT'],
    ['a missing working directory', { cwd: '/no/such/folder' }, 'ENOENT'],
    ['a file that is not executable', { file: '/etc/passwd' }, 'EACCES'],
    ['an argument above the limit of the system', { args: ['x'.repeat(200_000)] }, 'E2BIG'],
    ['an argument with a NUL', { args: ['a\0b'] }, 'ERR_INVALID_ARG_VALUE'],
    ['an output file that exists', { stdoutFile: '/etc/passwd' }, 'EEXIST'],
  ];
  it.each(cases)('%s', async (_title, changes, code) =>
    expect(await run('', changes)).toMatchObject({
      exitCode: null,
      stopped: null,
      spawnError: { code },
    }),
  );
});

describe('deadlines', () => {
  it('end a process without a first output', async () => {
    const result = await run(forever, {
      deadlines: { firstOutputMs: 300, idleMs: 5_000, totalMs: 5_000 },
    });
    expect(result).toMatchObject({ stopped: 'first-output', survivors: [] });
  });

  it('end a process that falls silent', async () => {
    const result = await run(`echo a; ${forever}`, {
      deadlines: { firstOutputMs: 5_000, idleMs: 300, totalMs: 5_000 },
    });
    expect(result).toMatchObject({ stopped: 'idle', stdout: 'a\n', survivors: [] });
  });

  it('do not call a slow drip silence, but the total still ends it', async () => {
    const result = await run('while :; do printf .; sleep 0.05; done', {
      deadlines: { firstOutputMs: 5_000, idleMs: 600, totalMs: 1_500 },
    });
    expect(result.stopped).toBe('deadline');
    expect(result.stdout.length).toBeGreaterThan(10);
  });

  it('beyond the range of a timer do not fire at once', async () => {
    const endless = { firstOutputMs: 2 ** 40, idleMs: 2 ** 40, totalMs: 2 ** 40 };
    expect(await run('sleep 0.2; echo done', { deadlines: endless })).toMatchObject({
      stopped: null,
      stdout: 'done\n',
    });
  });

  it('hold for a process that ignores TERM', async () => {
    const result = await run(`${deaf}; echo up; ${forever}`, {
      deadlines: { firstOutputMs: 5_000, idleMs: 300, totalMs: 5_000 },
    });
    expect(result).toMatchObject({ stopped: 'idle', signal: 'SIGKILL', survivors: [] });
  });
});

describe('cancelling', () => {
  it('ends a deaf process and its deaf children', async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const script = `${deaf}; (${forever}) & echo up; wait`;
    const result = await run(script, { onOutput }, controller.signal);
    expect(result).toMatchObject({ stopped: 'cancelled', survivors: [] });
  });

  it('before the start starts nothing', async () =>
    expect(await run('echo ran', {}, AbortSignal.abort())).toMatchObject({
      stopped: 'cancelled',
      stdout: '',
      exitCode: null,
    }));

  it('by the reader of the output is its own reason', async () => {
    const result = await run(`echo enough; ${forever}`, {
      onOutput: (_chunk, stop) => stop(),
    });
    expect(result).toMatchObject({ stopped: 'capped', stdout: 'enough\n', survivors: [] });
  });

  it('happens when the reader of the output throws, and the error comes out', () =>
    expect(run(`echo a; ${forever}`, { onOutput: failingReader })).rejects.toThrow(
      'a fault of the reader',
    ));
});

describe('what a process leaves behind', () => {
  it('a child that holds the pipe delays the end and then dies', async () => {
    const result = await run(`(${forever}) & echo answer`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'answer\n', stopped: null, survivors: [] });
  });

  it('a child that left the group dies too', async () => {
    const source =
      `import { spawn } from 'node:child_process'; spawn(process.execPath, ['-e', "process.on('SIGTERM', () => ` +
      `{}); setInterval(() => {}, 1000);"], { stdio: 'ignore', detached: true }).unref(); setTimeout(() => ` +
      `console.log('answer'), 300);`;
    expect(await runNode(source)).toMatchObject({ exitCode: 0, stdout: 'answer\n', survivors: [] });
  });
});

describe('too much output', () => {
  it('of 50 MB on standard output is a flood, with its beginning kept', async () => {
    const result = await run(flood(1));
    expect(result).toMatchObject({ stopped: 'flood', survivors: [] });
    expect(result.stdout).toBe('a'.repeat(65_536));
  });

  it('on standard error is one as well', async () => {
    const result = await run(flood(2));
    expect(result.stopped).toBe('flood');
    expect(result.stderr.length).toBe(65_536);
  });

  it('in a file is one as well', async () =>
    expect(await run(flood(1), { stdoutFile: join(await freshFolder(), 'out') })).toMatchObject({
      stopped: 'flood',
    }));

  it('below the limit is none, and the end of standard error is kept', async () => {
    const result = await runNode(
      "process.stderr.write('x'.repeat(200_000) + 'the end'); process.stdout.write('y'.repeat(300_000));",
    );
    expect(result).toMatchObject({ stopped: null, stdout: 'y'.repeat(300_000) });
    expect(result.stderr.length).toBe(65_536);
    expect(result.stderr.endsWith('the end')).toBe(true);
  });

  it('of 50 MB from 32 processes at once leaves the memory flat', async () => {
    const before = process.memoryUsage().rss;
    let highest = 0;
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
    const request = {
      file: '/bin/sh',
      args: ['-c', flood(1)],
      input: '',
      environment: {},
      cwd: await freshFolder(),
      deadlines: { firstOutputMs: 25_000, idleMs: 25_000, totalMs: 25_000 },
    };
    const results = await Promise.all(
      Array.from({ length: 32 }, () => runProcess(request, neverAborted())),
    );
    clearInterval(watch);
    expect(results.every(({ stopped }) => stopped === 'flood')).toBe(true);
    expect((highest - before) / 1e6).toBeLessThan(200);
  });
});

describe('odd ends', () => {
  it('an exit code is told', async () =>
    expect(await run('echo x; exit 7')).toMatchObject({
      exitCode: 7,
      stdout: 'x\n',
      stopped: null,
    }));

  it('a signal from elsewhere is told', async () =>
    expect(await run('kill -9 $$')).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      stopped: null,
    }));

  it('a closed standard input is no crash, and the prompt counts as not taken', async () => {
    const result = await run('exec <&-; sleep 0.3; echo answer', {
      input: 'x'.repeat(3_000_000),
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'answer\n', inputDelivered: false });
  });

  it('bytes that are not UTF-8 are told', async () =>
    expect(await run(String.raw`printf 'a\377\376b'`)).toMatchObject({
      stdoutIsUtf8: false,
      stdout: 'a\uFFFD\uFFFDb',
    }));
});

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)));

describe('captured text', () => {
  it('is the same however the bytes were cut', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(60)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const capture = captureText(1_000_000);
        let at = 0;
        let seen = '';
        for (const length of [...cuts, bytes.length]) {
          seen += capture.add(bytes.subarray(at, at + length)) ?? '';
          at += length;
        }
        expect(capture.end()).toEqual({ text: bytes.toString(), isUtf8: true });
        expect(seen).toBe(bytes.toString());
      }),
    ));

  it('knows of any bytes whether they are text, as a look at the whole does', () =>
    fc.assert(
      fc.property(chunks, parts => {
        const capture = captureText(1_000_000);
        for (const part of parts) capture.add(part);
        expect(capture.end()).toEqual(decodeText(Buffer.concat(parts)));
      }),
    ));

  it('of an output that ends inside a character is not valid', () => {
    const capture = captureText(10);
    capture.add(Buffer.from([0xe2, 0x82]));
    expect(capture.end()).toEqual({ text: '\uFFFD', isUtf8: false });
  });

  it('of an output that Jury cut is valid wherever it was cut, unless it was not before', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
        const whole = Buffer.from(text);
        const cut = whole.subarray(0, at % (whole.length + 1));
        const capture = captureText(1_000_000);
        capture.add(cut);
        const { text: kept, isUtf8 } = capture.end(true);
        expect(isUtf8 && text.startsWith(kept)).toBe(true);
        expect(cut.length - Buffer.byteLength(kept)).toBeLessThan(4);
        capture.add(Buffer.from([0xff, 0x61, 0xe2, 0x82]));
        expect(capture.end(true).isUtf8).toBe(false);
      }),
    ));

  it('beyond its ceiling keeps the beginning and takes no more', () => {
    const capture = captureText(100_000);
    expect(capture.add(Buffer.alloc(100_000, 97))).toHaveLength(100_000);
    expect(capture.add(Buffer.from('b'))).toBeNull();
    expect(capture.add(Buffer.from('c'))).toBeNull();
    expect(capture.end().text).toBe('a'.repeat(65_536));
  });

  it('beyond its ceiling keeps the beginning also where characters take several bytes', () => {
    const text = 'é😀'.repeat(400_000);
    const [bytes, capture] = [Buffer.from(text), captureText(2_000_000)];
    for (let at = 0; at < bytes.length; at += 65_536) capture.add(bytes.subarray(at, at + 65_536));
    expect(capture.end().text === Buffer.from(text.slice(0, 65_536)).toString()).toBe(true);
  });
});

describe('a captured tail', () => {
  it('is the end of the output, up to 64 KiB', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(50_000), { maxLength: 12 }), lengths => {
        const parts = lengths.map((length, index) => Buffer.alloc(length, 97 + index));
        const tail = captureTail(10_000_000);
        for (const part of parts) tail.add(part);
        expect(tail.bytes().equals(Buffer.concat(parts).subarray(-65_536))).toBe(true);
      }),
    ));

  it('tells when the total passes its ceiling', () => {
    const tail = captureTail(10);
    expect([
      tail.add(Buffer.alloc(10)),
      tail.add(Buffer.alloc(1)),
      tail.add(Buffer.alloc(1)),
    ]).toEqual([true, false, false]);
  });
});
