// Passes calls of the tests on to the process beside them, and what they came to back.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { countFileOf } from './process-count.mjs';

/** Bytes; a process that holds more is slow at starting others, and another takes its place. */
const most = 400 * 2 ** 20;

/** @type {import('node:child_process').ChildProcess | undefined} */
let host;
/** Calls under way, by number. */
const open = new Map();
let calls = 0;

parentPort.on('message', ({ call, port, isDone }) => {
  host ??= start();
  const id = ++calls;
  const { pid } = host;
  open.set(id, {
    pid,
    end(ended) {
      open.delete(id);
      port.postMessage(ended);
      Atomics.store(isDone, 0, 1);
      Atomics.notify(isDone, 0);
    },
  });
  host.send({ id, ...call });
});

function start() {
  const child = fork(
    fileURLToPath(new URL('./beside-process.mjs', import.meta.url)),
    [countFileOf(process.ppid)],
    // What runs here runs a few times: to make fast code of it takes longer than it runs. The less memory, the faster it starts git.
    { serialization: 'advanced', execArgv: ['--no-opt', '--max-semi-space-size=2'] },
  );
  child.on('message', ({ id, bytes, ...ended }) => {
    open.get(id)?.end(ended);
    if (bytes < most || isBusy(child)) return;
    if (host === child) host = undefined;
    child.disconnect();
  });
  child.on('exit', code => {
    if (host === child) host = undefined;
    for (const { pid, end } of open.values())
      if (pid === child.pid) end({ code: null, stdout: '', stderr: `The process beside: ${code}` });
  });
  return child;
}

function isBusy({ pid }) {
  return [...open.values()].some(call => call.pid === pid);
}
