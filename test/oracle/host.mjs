/**
 * Runs the commands of one build, one after the other, in a process that stands: starting one takes longer than most commands do.
 * Each has its modules anew, so that clock and ids begin again; only their compiled code is kept.
 */
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { createMemoryStreams } from '../cli/memory-streams.mjs';

const compiled = new Map();
let fail = error => console.error(error);
process.on('uncaughtException', error => fail(error));
process.on('unhandledRejection', error => fail(error));
process.on('disconnect', () => process.exit());

process.on('message', command => void run(command));

async function run({ program, args, cwd, env }) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const { streams, printed } = createMemoryStreams();
  setMaxListeners(0, streams.interruption);
  const end = code => {
    fail = () => {};
    process.send({ exit: String(code), ...printed(), bytes: process.memoryUsage.rss() });
  };
  const { main, report } = load(program, new Map());
  fail = error => end(report(error, streams, env));
  end(await main(args, streams, env, cwd));
}

function load(file, loaded) {
  if (loaded.has(file)) return loaded.get(file).exports;
  const module = { exports: {} };
  loaded.set(file, module);
  if (!compiled.has(file)) compiled.set(file, compile(file));
  const requirePackage = createRequire(file);
  const require = id =>
    id.startsWith('.') ? load(path.resolve(path.dirname(file), id), loaded) : requirePackage(id);
  compiled.get(file).runInThisContext()(module.exports, require, module, file, path.dirname(file));
  return module.exports;
}

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  return new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
  });
}
