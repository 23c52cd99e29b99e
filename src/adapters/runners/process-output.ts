/** Buffers with a ceiling: what a child writes beyond it is counted and dropped, so that memory stays flat. */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How much of an output that passed its ceiling is kept as evidence; in bytes, or in characters of text. */
const evidenceLength = 65_536;

export interface DecodedText {
  readonly text: string;
  /** False when `text` holds U+FFFD for bytes that are not UTF-8. */
  readonly isUtf8: boolean;
}

export interface TextCapture {
  /** The chunk as text, with characters that come in two chunks in the second; null once the ceiling was passed. */
  add(chunk: Buffer): string | null;
  end(): DecodedText;
}

/** Characters of one output that stay in memory; what came before them waits on disk until the output has ended. */
const memoryLength = 262_144;

/**
 * Keeps everything up to `ceiling` bytes, beyond it only the beginning. `end` must be called. Decoding as it comes spares a
 * second copy of the bytes.
 */
export function captureText(ceiling: number): TextCapture {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const check = createCheck();
  const before = createSpill();
  let text = '';
  let size = 0;
  return {
    add(chunk) {
      if (size > ceiling) return null;
      size += chunk.length;
      check.add(chunk);
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      if (size > ceiling) {
        // Through bytes, because a plain slice would keep the whole text alive.
        text = Buffer.from(
          (before.take(evidenceLength * 3) + text).slice(0, evidenceLength),
        ).toString();
        return null;
      }
      if (text.length > memoryLength && before.add(text)) text = '';
      return piece;
    },
    end: () => ({
      text: size > ceiling ? text : before.take() + text + decoder.decode(),
      isUtf8: check.end(),
    }),
  };
}

/** A file without a name, made when it is first needed: gone when Jury is, and out of reach of what the output came from. */
function createSpill() {
  let file: number | null = null;
  let size = 0;
  return {
    /** False when the disk takes no more: then the text has to stay where it is. */
    add(text: string): boolean {
      try {
        file ??= openUnnamed();
        const bytes = Buffer.from(text);
        if (writeSync(file, bytes, 0, bytes.length, size) < bytes.length) return false;
        size += bytes.length;
        return true;
      } catch {
        return false;
      }
    },
    /** The beginning of it, at most so many bytes; nothing is left afterwards. */
    take(most = size): string {
      if (file === null) return '';
      const bytes = Buffer.alloc(Math.min(most, size));
      readSync(file, bytes, 0, bytes.length, 0);
      closeSync(file);
      file = null;
      size = 0;
      return bytes.toString();
    },
  };
}

function openUnnamed(): number {
  const name = join(tmpdir(), `jury-output-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return file;
}

/** Whether a stream of bytes is UTF-8. */
function createCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let valid = true;
  const decode = (chunk?: Buffer): void => {
    try {
      if (valid) decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      valid = false;
    }
  };
  return {
    add: (chunk: Buffer) => decode(chunk),
    end() {
      decode();
      return valid;
    },
  };
}

export interface TailCapture {
  /** False once the ceiling was passed; from then on nothing is kept. */
  add(chunk: Buffer): boolean;
  bytes(): Buffer;
}

/** Keeps the last 64 KiB; `ceiling` bounds the total. */
export function captureTail(ceiling: number): TailCapture {
  let tail = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let size = 0;
  const settle = (): Buffer => {
    const all = Buffer.concat([tail, ...pending]);
    tail = Buffer.from(all.subarray(Math.max(0, all.length - evidenceLength)));
    pending = [];
    pendingBytes = 0;
    return tail;
  };
  return {
    add(chunk) {
      if (size > ceiling) return false;
      size += chunk.length;
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes > evidenceLength) settle();
      return size <= ceiling;
    },
    bytes: settle,
  };
}

/** The text, with U+FFFD for what is not UTF-8. A byte order mark stays. */
export function decodeText(bytes: Buffer): DecodedText {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      isUtf8: true,
    };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false };
  }
}

/** A file that another process appends to: for clients that lose the end of their output in a pipe. */
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
