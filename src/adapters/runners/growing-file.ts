/** Reads a file while another process appends to it: for clients that lose the end of their output in a pipe. */
import { open } from 'node:fs/promises';

export interface GrowingFile {
  /** Reads what is left and stops following. */
  close(): Promise<void>;
}

const pollMs = 50;

/** `onChunk` returns false when it wants no more. */
export function followFile(path: string, onChunk: (chunk: Buffer) => boolean): GrowingFile {
  let position = 0;
  let wanted = true;
  const drain = async (): Promise<void> => {
    const file = await open(path, 'r');
    try {
      while (wanted) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(65_536), 0, 65_536, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        wanted = onChunk(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  };
  let last: Promise<void> = Promise.resolve();
  const next = (): void => void (last = last.then(drain).catch(() => {}));
  const poll = setInterval(next, pollMs);
  return {
    async close() {
      clearInterval(poll);
      next();
      await last;
    },
  };
}
