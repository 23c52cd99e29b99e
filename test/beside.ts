/**
 * Runs the built programs, and git, in one process beside that of the tests. What a test of a command wants is its exit code and
 * what it prints, so `main` is called in a process that stands already; and it is a small one, because starting git takes the longer
 * the more memory the process holds that starts it: at 500 MB six times as long as at 100. Tests of what only a process has
 * (signals, pipes, exit codes at faults, the environment it inherits) start one.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input: string;
  /** Whole: nothing is added to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ProgramCall extends Call {
  /** `dist/cli/main.js`, or the other program beside it. */
  readonly program: string;
  /** Set: where its standard input comes from, and its standard output goes to. */
  readonly socket?: string;
}

export interface CommandCall extends Call {
  readonly command: string;
}

/** Longer than any test may take. */
const mostMs = 120_000;

/** Ends when the program does, and nothing of the test happens meanwhile. */
export function runProgram(call: ProgramCall): Ended {
  return waitFor(loadable(call));
}

/** A command that is no program of Jury. */
export function runCommand(call: CommandCall): Ended {
  return waitFor(call);
}

/** The same as `runProgram` beside a test that answers what the program asks of it. */
export function runProgramBeside(call: ProgramCall): Promise<Ended> {
  const { port } = start(loadable(call));
  return new Promise(resolve =>
    port.once('message', (ended: Ended) => {
      port.close();
      resolve(ended);
    }),
  );
}

function loadable({ program, ...call }: ProgramCall) {
  return {
    ...call,
    program: path.join(path.dirname(program), `program-${path.basename(program)}`),
  };
}

function waitFor(call: ProgramCall | CommandCall) {
  const { port, isDone } = start(call);
  if (Atomics.wait(isDone, 0, 0, mostMs) === 'timed-out') {
    thread = undefined;
    throw new Error(`${call.args.join(' ')} did not end`);
  }
  return (receiveMessageOnPort(port) as { readonly message: Ended }).message;
}

let thread: Worker | undefined;

function start(call: ProgramCall | CommandCall) {
  thread ??= startThread();
  const { port1, port2 } = new MessageChannel();
  const isDone = new Int32Array(new SharedArrayBuffer(4));
  thread.postMessage({ call, port: port2, isDone }, [port2]);
  return { port: port1, isDone };
}

/** This thread may have to wait, so another one speaks with the process. */
function startThread() {
  const worker = new Worker(fileURLToPath(new URL('./beside-thread.mjs', import.meta.url)));
  worker.unref();
  return worker;
}
