/**
 * Reads what a person names, or what lies in a project. Nothing here waits for what may never come or never end: a path
 * leads to a regular file or is refused. Pipes are read where they are open already, and only until the caller stops.
 */
import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

const mostBytes = 256 << 20;

// Without O_NONBLOCK the open itself would wait until somebody writes to a named pipe.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Links are followed. Throws what `whyUnreadable` puts into words. */
export async function readRegularBytes(file: string): Promise<Buffer> {
  const handle = await open(file, flags);
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new Error('it is a folder');
    // The one device that is a file for everybody: an empty one.
    if (status.isCharacterDevice() && status.rdev === (await stat('/dev/null')).rdev)
      return Buffer.alloc(0);
    if (!status.isFile()) throw new Error('it is no regular file');
    if (status.size > mostBytes) throw tooLarge();
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export async function readRegularFile(file: string): Promise<string> {
  return (await readRegularBytes(file)).toString('utf8');
}

/**
 * A regular file, or a pipe the caller was started with: `<(git diff)` of a shell is `/dev/fd/63`. Aborting ends the wait with
 * the signal's reason.
 */
export async function readGivenFile(file: string, signal?: AbortSignal): Promise<string> {
  const isOpenPipe = /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(file) && (await stat(file)).isFIFO();
  return isOpenPipe
    ? collect(new Socket({ fd: openSync(file, flags), writable: false }), signal)
    : readRegularFile(file);
}

/** Everything on standard input. Aborting ends the wait with the signal's reason. */
export function readStandardInput(signal?: AbortSignal): Promise<string> {
  return collect(process.stdin, signal);
}

/** Why a file cannot be read, to stand behind a colon. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENXIO: 'it is no regular file',
  };
  return words[code ?? ''] ?? code ?? message;
}

async function collect(stream: Readable, signal: AbortSignal | undefined): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of signal === undefined ? stream : addAbortSignal(signal, stream)) {
      pieces.push(Buffer.from(piece as Uint8Array));
      size += (piece as Uint8Array).length;
      if (size > mostBytes) throw tooLarge();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

function tooLarge(): Error {
  return new Error(`it is larger than ${mostBytes >> 20} MiB`);
}
