/**
 * Runs one program to its end and owns the whole tree it starts: its own process group, the prompt on standard input
 * and always an end of it, three deadlines, bounded buffers. When the call settles, nothing it started is left.
 */
import { randomUUID } from 'node:crypto';
import { followFile } from './growing-file.ts';
import { startDeadlines } from './process-deadlines.ts';
import { signalGroup, sweepMarked, trackGroup, untrackGroup } from './process-group.ts';
import { writeInput } from './process-input.ts';
import { launch } from './process-launch.ts';
import type { Child } from './process-launch.ts';
import { attemptMarker } from './process-marks.ts';
import { captureTail, captureText, decodeText } from './process-output.ts';
import { failedStart } from './process-prefix.ts';
import type { ProcessRequest, ProcessResult, StopReason } from './process-request.ts';
import { startSlot } from './start-burst.ts';

export type { ProcessRequest, ProcessResult } from './process-request.ts';

const graceMs = 2_000;
const lingerMs = 2_000;

/** Settles within `graceMs` and a little of a deadline or of `signal`. Rejects only with what `onOutput` threw. */
export async function runProcess(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> {
  await startSlot();
  const startedAt = performance.now();
  const marker = request.environment[attemptMarker] ?? randomUUID();
  if (signal.aborted) return { ...nothing, stopped: 'cancelled' };
  const child = await launch(request, marker);
  if ('code' in child) return { ...nothing, spawnError: child, durationMs: Math.round(performance.now() - startedAt) };
  trackGroup(child.pid, marker);
  const result = await supervise(child, request, signal, marker);
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

const nothing: ProcessResult = {
  exitCode: null, signal: null, stdout: '', stdoutIsUtf8: true, stderr: '', stopped: null, spawnError: null, durationMs: 0, inputDelivered: false,
};

async function supervise(child: Child, request: ProcessRequest, signal: AbortSignal, marker: string): Promise<ProcessResult> {
  const stopper = createStopper(child);
  const cancel = (): void => stopper.stop('cancelled');
  const suffice = (): void => stopper.stop('enough');
  signal.addEventListener('abort', cancel, { once: true });
  request.enough?.addEventListener('abort', suffice, { once: true });
  if (signal.aborted) cancel();
  const deadlines = startDeadlines(request.deadlines, which => stopper.stop(which));
  child.once('exit', () => deadlines.clear());
  const output = collect(child, request, stopper, () => deadlines.sawOutput());
  let inputDelivered = false;
  void writeInput(child.stdin, request.input).then(taken => (inputDelivered = taken));

  await Promise.race([closed(child), stopper.killed]);
  deadlines.clear();
  signal.removeEventListener('abort', cancel);
  request.enough?.removeEventListener('abort', suffice);
  await clean(child, marker);
  stopper.clear();
  const { exitCode, signalCode } = child;
  const written = await output();
  const spawnError = failedStart(exitCode, written.stderr);
  return { ...nothing, ...(spawnError === null && { ...written, exitCode, signal: signalCode, inputDelivered }), stopped: stopper.reason(), spawnError };
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
function collect(child: Child, request: ProcessRequest, stopper: ReturnType<typeof createStopper>, sawOutput: () => void) {
  const stdout = captureText(request.limits?.stdoutBytes ?? 4_194_304);
  const stderr = captureTail(request.limits?.stderrBytes ?? 1_048_576);
  let fault: { readonly error: unknown } | null = null;
  const takeStdout = (chunk: Buffer): boolean => {
    sawOutput();
    const text = stdout.add(chunk);
    if (text === null) stopper.stop('flood');
    else if (stopper.reason() === null && request.onOutput !== undefined) {
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
    if (fault !== null) throw fault.error;
    const { text, isUtf8 } = stdout.end();
    return { stdout: text, stdoutIsUtf8: isUtf8, stderr: decodeText(stderr.bytes()).text };
  };
}

/** The pipes are closed, or the program has ended and somebody else has held them open for two seconds since. */
async function closed(child: Child): Promise<void> {
  let linger: NodeJS.Timeout | undefined;
  await new Promise<void>(resolve => {
    child.once('close', () => resolve());
    child.once('exit', () => (linger = setTimeout(resolve, lingerMs)));
  });
  clearTimeout(linger);
}

/** Leaves nothing behind, after a good end too. */
async function clean(child: Child, marker: string): Promise<void> {
  signalGroup(child.pid, 'SIGKILL');
  await exitWithin(child, 500);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  await sweepMarked(marker);
  untrackGroup(child.pid);
}

async function exitWithin(child: Child, ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>(resolve => {
    child.once('exit', () => resolve());
    timer = setTimeout(resolve, ms);
  });
  clearTimeout(timer);
}
