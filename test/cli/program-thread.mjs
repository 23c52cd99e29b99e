// Runs the built programs in this thread, one call of `main` for each message, so that a test starts no process for it.
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { countProcesses } from '../process-count.mjs';
import { createMemoryStreams } from './memory-streams.mjs';

// Before anything takes `node:child_process` apart.
countProcesses();

const require = createRequire(import.meta.url);

/** Calls under way: what is thrown where no caller waits ends them all, as it would end the process. */
const open = new Map();

parentPort.on('message', call => void run(call));

async function run({ program, args, cwd, environment, input, port, isDone }) {
  const { streams, printed } = createMemoryStreams(input);
  setMaxListeners(0, streams.interruption);
  const end = code => {
    if (!open.delete(port)) return;
    port.postMessage({ code, ...printed() });
    Atomics.store(isDone, 0, 1);
    Atomics.notify(isDone, 0);
  };
  open.set(port, error => {
    console.error(error);
    end(null);
  });
  const { main, report } = require(program);
  open.set(port, error => end(report(error, streams, environment)));
  end(await main(args, streams, environment, cwd));
}

function endAll(error) {
  for (const end of open.values()) end(error);
}
process.on('uncaughtException', endAll);
process.on('unhandledRejection', endAll);
