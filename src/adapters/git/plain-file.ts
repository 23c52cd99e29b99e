/** Reads files of a folder nobody trusts: regular files only, no links followed, never blocked by a pipe, never more than asked. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Null when the path is missing, no regular file (link, pipe, folder, device), unreadable or longer than `maxBytes`. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | null> {
  // Without O_NONBLOCK a planted FIFO would hold the open for ever; without O_NOFOLLOW a link would lead outside.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const status = await handle.stat();
    if (!status.isFile() || status.size > maxBytes) return null;
    const bytes = await handle.readFile();
    return bytes.length > maxBytes ? null : bytes;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

export async function readPlainText(path: string, maxBytes: number): Promise<string | null> {
  return (await readPlainFile(path, maxBytes))?.toString('utf8') ?? null;
}
