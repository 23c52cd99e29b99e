/** Appends lines to a file one after another, each durable before the promise resolves, and mends a tail torn by a crash. */
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders, syncFolder, writeAtomically } from './atomic-write.ts';

/**
 * One appender for a file and process; lines land in the order of the calls. `prepare` yields the path and is asked before
 * the first line. A torn last line, left by a crash, is then copied to `quarantine/` beside the file and cut; a line that
 * cannot be written whole is cut again.
 */
export function createAppender(prepare: () => Promise<string>): (line: string) => Promise<void> {
  let path: string | null = null;
  let last = Promise.resolve();
  const append = async (line: string): Promise<void> => {
    if (path === null) {
      const prepared = await prepare();
      await mendTail(prepared);
      path = prepared;
    }
    await appendLine(path, line);
  };
  return line => {
    if (line.includes('\n')) throw new Error('A line to append must not hold a line break.');
    const next = last.then(() => append(line));
    // The queue goes on after a failure; who appended that line has been told.
    last = next.catch(() => undefined);
    return next;
  };
}

async function appendLine(path: string, line: string): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    const { size } = await handle.stat();
    try {
      await handle.writeFile(`${line}\n`);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
    if (size === 0) await syncFolder(dirname(path));
  } finally {
    await handle.close();
  }
}

async function mendTail(path: string): Promise<void> {
  const handle = await open(path, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    if (size === 0 || (await byteAt(handle, size - 1)) === 0x0a) return;
    const bytes = await handle.readFile();
    const end = bytes.lastIndexOf(0x0a) + 1;
    await makeFolders(dirname(path), ['quarantine']);
    await writeAtomically(join(dirname(path), 'quarantine', `${basename(path)}-${end}`), bytes.subarray(end));
    await handle.truncate(end);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function byteAt(handle: FileHandle, position: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, position);
  return bytesRead === 1 ? buffer[0] : undefined;
}
