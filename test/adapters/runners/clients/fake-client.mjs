#!/usr/bin/env node
// Stands in for a client: replays what one printed, and writes down how it was started. The scenario and the notes lie
// beside it, because a client's own environment and arguments are what is under test.
import { createHash } from 'node:crypto';
import {
  fstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const scenario = JSON.parse(readFileSync(`${process.argv[1]}.json`, 'utf8'));
if (process.argv[2] === '--version') {
  console.log(scenario.version);
  process.exit(0);
}

const attempt = dirname(process.cwd());
const filesBelow = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name));
const modeOf = path => (statSync(path).mode & 0o777).toString(8);
const notes = {
  args: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  entries: readdirSync(process.cwd()),
  files: Object.fromEntries(
    filesBelow(attempt)
      // What a sandbox was put together from is no file of a client.
      .filter(path => !path.endsWith('out.jsonl') && !path.includes('/sandbox-'))
      .map(path => [
        path.slice(attempt.length + 1),
        { mode: modeOf(path), text: readFileSync(path, 'utf8') },
      ]),
  ),
  attemptMode: modeOf(attempt),
  stdoutIsFile: fstatSync(1).isFile(),
  // 0 to 2 are the three streams; what Node itself holds open is no file by path.
  openFiles: readdirSync('/proc/self/fd')
    .filter(fd => Number(fd) > 2)
    .flatMap(fd => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    })
    .filter(
      path => path.startsWith('/') && !path.startsWith('/proc/') && !path.startsWith('/dev/'),
    ),
  stdin: '',
};

for (const signal of ['SIGTERM', 'SIGINT']) {
  if (scenario.exitOnSignal !== undefined)
    process.on(signal, () => process.exit(scenario.exitOnSignal));
  if (scenario.ignoresSignals) process.on(signal, () => {});
}

if (scenario.readsPrompt !== false) {
  const hash = createHash('sha256');
  for await (const chunk of process.stdin) hash.update(chunk);
  notes.stdin = hash.digest('hex');
}
writeFileSync(`${process.argv[1]}.notes`, JSON.stringify(notes));

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const write = (stream, text) => new Promise(resolve => stream.write(text, resolve));
for (const line of scenario.lines) {
  await write(process.stdout, `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  if (scenario.pauseMs) await pause(scenario.pauseMs);
}
await write(process.stderr, scenario.stderr ?? '');
if (scenario.hangs) setInterval(() => {}, 1_000);
else if (scenario.signal) process.kill(process.pid, scenario.signal);
else process.exit(scenario.exitCode ?? 0);
