/** Buffers with a ceiling: what a child writes beyond it is dropped. */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** How much of an output that passed its ceiling is kept as evidence; in bytes, or in characters of text. */
const evidenceLength = 65_536;

/** Keeps everything up to `ceiling` bytes, beyond it only the beginning. */
export function captureText(ceiling: number) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk: Buffer) {
      if (size > ceiling) return null;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= ceiling) return decoder.decode(chunk, { stream: true });
      // No character of text takes more bytes; what is kept is a copy, which keeps none of the chunks alive.
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(0, 3 * evidenceLength))];
      return null;
    },
    end() {
      const { text, isUtf8 } = decodeText(Buffer.concat(chunks));
      return {
        text: size > ceiling ? Buffer.from(text.slice(0, evidenceLength)).toString() : text,
        isUtf8,
      };
    },
  };
}

/** Keeps the last 64 KiB; `ceiling` bounds the total. */
export function captureTail(ceiling: number) {
  let tail = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let size = 0;
  const bytes = (): Buffer => {
    const all = Buffer.concat([tail, ...pending]);
    tail = Buffer.from(all.subarray(Math.max(0, all.length - evidenceLength)));
    pending = [];
    return tail;
  };
  return {
    add(chunk: Buffer) {
      if (size > ceiling) return false;
      size += chunk.length;
      pending.push(chunk);
      if (pending.length > 64) bytes();
      return size <= ceiling;
    },
    bytes,
  };
}

/** The text, with U+FFFD for what is not UTF-8: then `isUtf8` is false. A byte order mark stays. */
export function decodeText(bytes: Buffer) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, isUtf8: isUtf8(bytes) };
}

const pollMs = 50;

/** `onChunk` returns false when it wants no more. */
export function followFile(path: string, onChunk: (chunk: Buffer) => boolean) {
  let position = 0;
  let wanted = true;
  const drain = async () => {
    // A reviewer that may write there must not have Jury read another file in its place.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      while (wanted) {
        const { bytesRead, buffer } = await file.read(
          Buffer.allocUnsafe(65_536),
          0,
          65_536,
          position,
        );
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
