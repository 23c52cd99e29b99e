/** Buffers with a ceiling: what a child writes beyond it is counted and dropped, so that memory stays flat. */

export interface Capture {
  /** False once the ceiling was passed; from then on nothing is kept. */
  add(chunk: Buffer): boolean;
  /** What was kept. */
  bytes(): Buffer;
}

/** How much of an output that passed its ceiling is kept as evidence. */
const evidenceBytes = 65_536;

/** Keeps everything up to `ceiling` bytes; beyond it only the beginning, as evidence. */
export function captureHead(ceiling: number): Capture {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      if (size > ceiling) return false;
      size += chunk.length;
      chunks.push(chunk);
      if (size <= ceiling) return true;
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(0, evidenceBytes))];
      return false;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

/** Keeps the last 64 KiB; `ceiling` bounds the total. */
export function captureTail(ceiling: number): Capture {
  let tail = Buffer.alloc(0);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let size = 0;
  const settle = (): Buffer => {
    const all = Buffer.concat([tail, ...pending]);
    tail = Buffer.from(all.subarray(Math.max(0, all.length - evidenceBytes)));
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
      if (pendingBytes > evidenceBytes) settle();
      return size <= ceiling;
    },
    bytes: settle,
  };
}

/** The text, with U+FFFD for what is not UTF-8. A byte order mark stays. */
export function decodeText(bytes: Buffer): { readonly text: string; readonly isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false };
  }
}
