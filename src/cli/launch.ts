/**
 * Starts a bundled program with the machine code V8 made of it the last time: compiling takes longer than all else at the start.
 * The code lies in this user's cache folder, never in the package or a project. It is used only where this user alone could have
 * written it, whole, and for exactly this text; whatever is missing or does not fit is compiled as ever. Set
 * `NODE_DISABLE_COMPILE_CACHE=1`, as for Node's own cache, to go without.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import type { EntryPoint } from './entry-point.ts';
import { Console } from 'node:console';
import { interruption, unprinted } from '../core/errors.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { setMaxListeners } from 'node:events';
import { isatty } from 'node:tty';

/** Runs as this process the program that `file`, a CommonJS bundle, exports; parts are loaded from below its folder. */
export function launch(file: string) {
  // A long pattern takes five times as long to become bytecode as machine code, and bytecode comes first unless V8 is told.
  setFlagsFromString('--no-regexp-tier-up');
  const folder = cacheFolder();
  // Each command needs other functions of the same parts.
  const command = /^[a-z][a-z-]{1,30}$/.exec(process.argv[2] ?? '')?.[0] ?? 'none';
  const cache =
    folder === null
      ? null
      : path.join(
          folder,
          `${digestOf(`${file}\0${process.version}\0${process.arch}`).slice(0, 16)}-${command}`,
        );
  const kept = cache === null ? new Map<string, Buffer>() : readKept(cache);
  const scripts = new Map<string, Script>();
  const loaded = new Map<string, { exports: unknown }>();
  let compiledLength = 0;

  const load = (wanted: string) => {
    const known = loaded.get(wanted);
    if (known) return known.exports;
    const source = readFileSync(wanted, 'utf8');
    const digest = digestOf(source);
    const cachedData = kept.get(digest);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${source.replace(/^#!.*/, '')}\n})`,
      { filename: wanted, ...(cachedData && { cachedData }) },
    );
    if (!cachedData || script.cachedDataRejected === true) compiledLength += source.length;
    scripts.set(digest, script);
    const module = { exports: {} };
    loaded.set(wanted, module);
    const requirePackage = createRequire(wanted);
    const requirePart = (id: string) =>
      id.startsWith('.') ? load(path.resolve(path.dirname(wanted), id)) : requirePackage(id);
    const run = script.runInThisContext() as (...parts: readonly unknown[]) => void;
    run(module.exports, requirePart, module, wanted, path.dirname(wanted));
    return module.exports;
  };

  process.on('exit', () => {
    if (cache !== null && compiledLength > worthKeeping) keep(cache, scripts);
  });
  runAsProcess(load(file) as EntryPoint);
}

/** Characters of program text below which compiling costs less than keeping what it came to. */
const worthKeeping = 50_000;

function digestOf(text: string | Buffer) {
  return createHash('sha256').update(text).digest('hex');
}

/** Null where there is no place for it. A relative path in the environment would lead into a project. */
function cacheFolder() {
  const {
    NODE_DISABLE_COMPILE_CACHE: disabled,
    XDG_CACHE_HOME: named,
    LOCALAPPDATA: local,
  } = process.env;
  if (disabled) return null;
  const home = homeFolder();
  const places: Partial<Record<NodeJS.Platform, string>> = {
    win32: local ?? path.join(home, 'AppData', 'Local'),
    darwin: path.join(home, 'Library', 'Caches'),
  };
  const place = named ?? places[process.platform] ?? path.join(home, '.cache');
  return path.isAbsolute(place) ? path.join(place, 'jury', 'code') : null;
}

function homeFolder() {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** A file is the digest of the rest, and the pieces by the digests of their texts as V8 writes a map. */
function readKept(file: string) {
  try {
    const bytes = readOwn(file);
    const rest = bytes.subarray(64);
    if (bytes.toString('latin1', 0, 64) === digestOf(rest))
      return deserialize(rest) as ReadonlyMap<string, Buffer>;
  } catch {
    // None yet, or none that can be used.
  }
  return new Map<string, Buffer>();
}

/** Throws when anybody else may have written it. */
function readOwn(file: string) {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { uid, mode } = fstatSync(descriptor);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0))
      throw new Error('not written by this user alone');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** At the end, when V8 has compiled what the command really uses. A cache that cannot be written is no fault. */
function keep(file: string, scripts: ReadonlyMap<string, Script>) {
  try {
    const rest = serialize(
      new Map([...scripts].map(([digest, script]) => [digest, script.createCachedData()])),
    );
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    forgetOld(folder);
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([Buffer.from(digestOf(rest), 'latin1'), rest]), {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(temporary, file);
  } catch {
    // The next start compiles again.
  }
}

const monthMs = 30 * 24 * 60 * 60 * 1000;

/** What programs left behind that are no longer there. One that is still used is written again. */
function forgetOld(folder: string) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > monthMs) rmSync(file, { force: true });
  }
}

// What the process of a program is for: its streams, its signals, its exit code. Nothing else touches them.

/** Runs a program as this process. To be called once, before anything is printed. */
function runAsProcess({ main, report }: EntryPoint) {
  const { stdout, stderr, env } = process;
  outliveReaders();
  // Standard output carries reports, or the protocol of agents, and nothing that a library finds worth printing.
  globalThis.console = new Console(stderr, stderr);
  const streams = {
    // Node opens it when it is first looked at.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    interruption: interruptSignal(),
  };
  const end = (error: unknown) => process.exit(report(error, streams, env));
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  // Should everything come to rest with the work undone, that is no pass.
  process.exitCode = programExits.fault;
  void main(process.argv.slice(2), streams, env, process.cwd()).then(
    code => (process.exitCode = code),
  );
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, so that a run is saved and ends in order; the second one ends the process. */
function interruptSignal() {
  const controller = new AbortController();
  // Every call under way listens: Node would take more than ten for a leak.
  setMaxListeners(0, controller.signal);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(programExits.interrupted);
      controller.abort(Object.assign(new Error(`Interrupted by ${name}.`), { name: interruption }));
    });
  }
  return controller.signal;
}

/**
 * A reader that goes away (`jury … | head`, a terminal that is closed) ends neither a run nor a command: the work goes on to its
 * end and the exit code is its own. Whatever else happens to the streams, a full disk above all, ends it as a fault does.
 */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that hung up answers with EIO; of a file that is an error of the disk.
      if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)) return;
      const message = `What is printed cannot be written: ${error.message}.`;
      throw Object.assign(new Error(message, { cause: error }), { name: unprinted });
    });
  }
  leaveLostTerminals();
}

/** At its end Node sets the terminal back as it found it, and aborts where there is none any more: unless the descriptor is closed. */
function leaveLostTerminals() {
  const terminals = [0, 1, 2].filter(isatty);
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}
