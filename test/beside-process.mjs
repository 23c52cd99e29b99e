// Calls `main` of the built programs, once for each message, and starts other commands.
import { spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { createMemoryStreams } from './cli/memory-streams.mjs';
import { countProcesses } from './process-count.mjs';

// Before anything takes `node:child_process` apart.
countProcesses(process.argv[2]);

const require = createRequire(import.meta.url);

/** Calls under way: what is thrown where no caller waits ends them all, as it would end the process. */
const open = new Map();

process.on('message', call => void ('command' in call ? runCommand(call) : run(call)));
process.on('disconnect', () => process.exit());

function answer(id, ended) {
  process.send({ id, bytes: process.memoryUsage.rss(), ...ended });
}

async function run({ id, program, args, cwd, environment, input, socket }) {
  const { streams, printed } = createMemoryStreams(input);
  if (socket !== undefined) streams.stdin = streams.stdout = connect(socket);
  setMaxListeners(0, streams.interruption);
  const end = code => {
    if (open.delete(id)) answer(id, { code, ...printed() });
  };
  open.set(id, error => {
    console.error(error);
    end(null);
  });
  const { main, report } = require(program);
  open.set(id, error => end(report(error, streams, environment)));
  const code = await main(args, streams, environment, cwd);
  if (socket !== undefined) streams.stdout.end();
  end(code);
}

function endAll(error) {
  for (const end of open.values()) end(error);
}
process.on('uncaughtException', endAll);
process.on('unhandledRejection', endAll);

function runCommand({ id, command, args, cwd, environment, input }) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: environment,
    input,
    encoding: 'utf8',
    timeout: 240_000,
    maxBuffer: 64 << 20,
  });
  answer(id, { code: status, stdout: stdout ?? '', stderr: error?.message ?? stderr });
}
