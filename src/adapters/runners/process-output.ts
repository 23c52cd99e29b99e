/** Buffers with a ceiling: what a child writes beyond it is counted and dropped, so that memory stays flat. */

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

/** Keeps everything up to `ceiling` bytes, beyond it only the beginning. Decoding as it comes spares a second copy of the bytes. */
export function captureText(ceiling: number): TextCapture {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const check = createCheck();
  let text = '';
  let size = 0;
  return {
    add(chunk) {
      if (size > ceiling) return null;
      size += chunk.length;
      check.add(chunk);
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      if (size <= ceiling) return piece;
      // Through bytes, because a plain slice would keep the whole text alive.
      text = Buffer.from(text.slice(0, evidenceLength)).toString();
      return null;
    },
    end: () => ({ text: size > ceiling ? text : text + decoder.decode(), isUtf8: check.end() }),
  };
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
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isUtf8: false };
  }
}
