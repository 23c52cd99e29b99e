/**
 * Runs one program to its end and owns the whole tree it starts: its own process group, the prompt on standard input
 * and always an end of it, three deadlines, bounded buffers. When the call settles, nothing it started is left.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants as fileFlags } from 'node:fs';
import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import type { ProcessRequest, ProcessResult, Turn } from '../../core/ports/runner.ts';
import { piecesOf } from '../../core/text.ts';
import {
  type Child,
  attemptMarker,
  failedStart,
  launch,
  signalGroup,
  startSlot,
  sweepMarked,
  trackGroup,
  untrackGroup,
} from './process-tree.ts';
import type { RunnerWorld } from './executable.ts';

type StopReason = NonNullable<ProcessResult['stopped']>;

const graceMs = 2_000;
const lingerMs = 2_000;

/** As the world of the runners starts programs; by default on this machine. */
export function runIn(
  { run = runProcess }: Pick<RunnerWorld, 'run'>,
  request: ProcessRequest,
  signal: AbortSignal,
) {
  return run(request, signal);
}

/** Settles within `graceMs` and a little of a deadline or of `signal`. Rejects only with what `onOutput` threw. */
export async function runProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<ProcessResult> {
  await startSlot();
  const startedAt = performance.now();
  const marker = request.environment[attemptMarker] ?? randomUUID();
  if (signal.aborted) return { ...nothing, stopped: 'cancelled' };
  const child = await launch(request, marker);
  if ('code' in child)
    return { ...nothing, spawnError: child, durationMs: Math.round(performance.now() - startedAt) };
  trackGroup(child.pid, marker);
  const result = await supervise(child, request, signal, marker);
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

const nothing: ProcessResult = {
  exitCode: null,
  signal: null,
  stdout: '',
  stdoutIsUtf8: true,
  stderr: '',
  stopped: null,
  spawnError: null,
  durationMs: 0,
  inputDelivered: false,
};

async function supervise(
  child: Child,
  request: ProcessRequest,
  signal: AbortSignal,
  marker: string,
): Promise<ProcessResult> {
  const stopper = createStopper(child);
  const watch = watchCall(request, signal, why => stopper.stop(why));
  child.once('exit', () => watch.clear());
  const output = collect(child, request, stopper, () => watch.sawOutput());
  let inputDelivered = false;
  void writeInput(child.stdin, request.input).then(taken => (inputDelivered = taken));

  await Promise.race([closed(child), stopper.killed]);
  watch.clear();
  // Leaves nothing behind, after a good end too.
  signalGroup(child.pid, 'SIGKILL');
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(500) }).catch(() => {});
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  if (!hasEndedItsNamespace(child, request, stopper.reason())) await sweepMarked(marker);
  untrackGroup(child.pid);
  stopper.clear();
  const end = endOf(child, request.within);
  const written = await output();
  // What Jury stopped while its sandbox was still being made ended for that reason.
  const spawnError = stopper.reason() === null ? failedStart(end.exitCode, written.stderr) : null;
  return {
    ...nothing,
    ...(!spawnError && { ...written, ...end, inputDelivered }),
    stopped: stopper.reason(),
    spawnError,
  };
}

/** Of the signals that end a program. Above it, 128 and a number is what is left of a code that some clients end with: 401, 403. */
const lastSignal = constants.signals.SIGTERM;

/** What encloses a program tells by its exit code which signal ended it, as a shell does. */
function endOf({ exitCode, signalCode }: Child, within: ProcessRequest['within']) {
  const number = !within || exitCode === null ? 0 : exitCode - 128;
  const [signal] =
    number > lastSignal
      ? []
      : (Object.entries(constants.signals).find(([, each]) => each === number) ?? []);
  return signal === undefined ? { exitCode, signal: signalCode } : { exitCode: null, signal };
}

/** TERM to the group, and two seconds later the end of waiting. The first reason stands. */
function createStopper(child: Child) {
  let reason: StopReason | null = null;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let giveUp: (() => void) | undefined;
  const killed = new Promise<void>(resolve => (giveUp = resolve));
  return {
    killed,
    reason: () => reason,
    clear() {
      ended = true;
      clearTimeout(timer);
    },
    stop(why: StopReason) {
      if (reason !== null) return;
      reason = why;
      if (ended) return;
      if (why === 'flood') child.stdout?.destroy();
      signalGroup(child.pid, 'SIGTERM');
      timer = setTimeout(() => giveUp?.(), graceMs);
    },
  };
}

/** Starts collecting; the function that comes back ends it. Throws what `onOutput` threw. */
function collect(
  child: Child,
  request: ProcessRequest,
  stopper: ReturnType<typeof createStopper>,
  sawOutput: () => void,
) {
  const stdout = captureText(request.limits?.stdoutBytes ?? 4_194_304);
  const stderr = captureTail(request.limits?.stderrBytes ?? 1_048_576);
  let fault: { error: unknown } | null = null;
  const takeStdout = (chunk: Buffer) => {
    sawOutput();
    const text = stdout.add(chunk);
    if (text === null) stopper.stop('flood');
    else if (stopper.reason() === null && request.onOutput) {
      try {
        request.onOutput(text, () => stopper.stop('capped'));
      } catch (error) {
        fault ??= { error };
        stopper.stop('capped');
      }
    }
    return text !== null;
  };
  child.stdout?.on('data', takeStdout);
  child.stderr.on('data', (chunk: Buffer) => {
    sawOutput();
    if (!stderr.add(chunk)) stopper.stop('flood');
  });
  const file = request.stdoutFile === undefined ? null : followFile(request.stdoutFile, takeStdout);
  return async () => {
    await file?.close();
    const { text, isUtf8 } = stdout.end(stopper.reason() !== null);
    if (fault) throw fault.error;
    return { stdout: text, stdoutIsUtf8: isUtf8, stderr: decodeText(stderr.bytes()).text };
  };
}

/** The pipes are closed, or the program has ended and somebody else has held them open for two seconds since. */
async function closed(child: Child) {
  let linger: NodeJS.Timeout | undefined;
  await new Promise<void>(resolve => {
    child.once('close', () => resolve());
    child.once('exit', () => (linger = setTimeout(resolve, lingerMs)));
  });
  clearTimeout(linger);
}

/** Where Jury or a signal ended what encloses the program, the kernel may still be at the rest: a look at all processes makes sure. */
function hasEndedItsNamespace(
  { exitCode }: Child,
  { within }: ProcessRequest,
  stopped: StopReason | null,
) {
  return within?.outlastsAll === true && exitCode !== null && stopped === null;
}

/** Piece by piece, so that a hundred waiting prompts are not copied all at once. */
const pieceLength = 65_536;

/** Writes the text and always ends the stream. False when the child closed it before it had taken everything. Never rejects. */
async function writeInput(stdin: Writable, text: string) {
  try {
    // Each piece is encoded on its own.
    for (const piece of piecesOf(text, pieceLength)) await writePiece(stdin, piece);
    return true;
  } catch {
    return false;
  } finally {
    stdin.end();
  }
}

/** Resolves once the system has taken the bytes; that the child reads them is another matter. */
function writePiece(stdin: Writable, piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(piece, error => (error ? reject(error) : resolve()));
  });
}

// What ends a call before its own end: the run, its tokens, a deadline (first output, silence, total). Node's timers run on the
// monotonic clock.

export type PassedDeadline = 'first-output' | 'idle' | 'deadline';

/** Starts now. `stop` may be called more than once: after one reason the others still stand. */
export function watchCall(
  { deadlines, enough }: Pick<Turn, 'deadlines' | 'enough'>,
  signal: AbortSignal,
  stop: (why: PassedDeadline | 'cancelled' | 'enough') => void,
) {
  const over = new AbortController();
  for (const [source, why] of [
    [signal, 'cancelled'],
    [enough, 'enough'],
  ] as const) {
    source?.addEventListener('abort', () => stop(why), { signal: over.signal });
    if (source?.aborted) stop(why);
  }
  const total = timer(deadlines.totalMs, () => stop('deadline'));
  const firstOutput = timer(deadlines.firstOutputMs, () => stop('first-output'));
  let idle: NodeJS.Timeout | undefined;
  return {
    sawOutput() {
      if (over.signal.aborted) return;
      clearTimeout(firstOutput);
      if (!idle) idle = timer(deadlines.idleMs, () => stop('idle'));
      else idle.refresh();
    },
    clear() {
      over.abort();
      for (const each of [total, firstOutput, idle]) clearTimeout(each);
    },
  };
}

/** A longer delay would be over at once. */
const longestTimerMs = 2_147_483_647;

function timer(ms: number, callback: () => void) {
  return setTimeout(callback, Math.min(Math.max(0, ms), longestTimerMs));
}

// Buffers with a ceiling: what a child writes beyond it is dropped.

/** How much of an output that passed its ceiling is kept as evidence; in bytes, or in characters of text. */
const evidenceLength = 65_536;

/** Keeps everything up to `ceiling` bytes, beyond it only the beginning. */
export function captureText(ceiling: number) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk: Buffer) {
      if (size > ceiling) return null;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= ceiling) return decoder.decode(chunk, { stream: true });
      // No character of text takes more bytes; what is kept is a copy, which keeps none of the chunks alive.
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(0, 3 * evidenceLength))];
      return null;
    },
    /** `isCut`: it was stopped while it wrote, maybe within a character, which is left out. */
    end(isCut = false) {
      const { text, isUtf8 } = decodeText(Buffer.concat(chunks), isCut);
      return {
        text: size > ceiling ? Buffer.from(text.slice(0, evidenceLength)).toString() : text,
        isUtf8,
      };
    },
  };
}

/** Keeps the last 64 KiB; `ceiling` bounds the total. */
export function captureTail(ceiling: number) {
  let tail = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let size = 0;
  const bytes = (): Buffer => {
    const all = Buffer.concat([tail, ...pending]);
    tail = Buffer.from(all.subarray(Math.max(0, all.length - evidenceLength)));
    pending = [];
    return tail;
  };
  return {
    add(chunk: Buffer) {
      if (size > ceiling) return false;
      size += chunk.length;
      pending.push(chunk);
      if (pending.length > 64) bytes();
      return size <= ceiling;
    },
    bytes,
  };
}

/**
 * The text, with U+FFFD for what is not UTF-8: then `isUtf8` is false. A byte order mark stays; of bytes that are cut the beginning
 * of a character does not.
 */
export function decodeText(bytes: Buffer, isCut = false) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
  // What is not UTF-8 is no shorter in the text.
  return { text, isUtf8: isUtf8(bytes.subarray(0, Buffer.byteLength(text))) };
}

const pollMs = 50;

/** `onChunk` returns false when it wants no more. */
function followFile(path: string, onChunk: (chunk: Buffer) => boolean) {
  let position = 0;
  let wanted = true;
  const drain = async () => {
    // A reviewer that may write there must not have Jury read another file in its place.
    const file = await open(path, fileFlags.O_RDONLY | fileFlags.O_NOFOLLOW | fileFlags.O_NONBLOCK);
    try {
      while (wanted) {
        const { bytesRead, buffer } = await file.read(
          Buffer.allocUnsafe(65_536),
          0,
          65_536,
          position,
        );
        if (bytesRead === 0) return;
        position += bytesRead;
        wanted = onChunk(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  };
  let last: Promise<void> = Promise.resolve();
  const next = () => void (last = last.then(drain).catch(() => {}));
  const poll = setInterval(next, pollMs);
  return {
    async close() {
      clearInterval(poll);
      next();
      await last;
    },
  };
}
