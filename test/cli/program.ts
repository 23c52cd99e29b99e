/**
 * Runs the built programs in a thread of this process: what a test of a command wants is its exit code and what it prints. Tests
 * of what only a process has (signals, pipes, exit codes at faults, the environment it inherits) start one.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramCall {
  /** `dist/cli/main.js`, or the other program beside it. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input: string;
  /** Whole: nothing is added to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Longer than any test may take. */
const mostMs = 120_000;

/** Ends when the program does, and nothing of the test happens meanwhile. */
export function runProgram(call: ProgramCall): Ended {
  const { port, isDone } = start(call);
  if (Atomics.wait(isDone, 0, 0, mostMs) === 'timed-out') {
    thread = undefined;
    throw new Error(`jury ${call.args.join(' ')} did not end`);
  }
  return (receiveMessageOnPort(port) as { readonly message: Ended }).message;
}

/** The same beside a test that answers what the program asks of it. */
export function runProgramBeside(call: ProgramCall): Promise<Ended> {
  const { port } = start(call);
  return new Promise(resolve =>
    port.once('message', (ended: Ended) => {
      port.close();
      resolve(ended);
    }),
  );
}

let thread: Worker | undefined;

function start({ program, ...call }: ProgramCall): {
  readonly port: MessagePort;
  readonly isDone: Int32Array;
} {
  thread ??= startThread();
  const { port1, port2 } = new MessageChannel();
  const isDone = new Int32Array(new SharedArrayBuffer(4));
  const bundle = path.join(path.dirname(program), `program-${path.basename(program)}`);
  thread.postMessage({ ...call, program: bundle, port: port2, isDone }, [port2]);
  return { port: port1, isDone };
}

function startThread(): Worker {
  const worker = new Worker(fileURLToPath(new URL('./program-thread.mjs', import.meta.url)));
  worker.unref();
  return worker;
}
