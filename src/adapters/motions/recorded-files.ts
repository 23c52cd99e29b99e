/**
 * Reads the results of a vote that anybody may have written: bounded in size and depth, element by element where a file is a
 * list, and only files that are files.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/vote/session-input.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';

/** Bytes of one list, and of one of its rows. What is one object is bounded as every file that is read whole. */
const longestList = 512 << 20;
const longestRow = 64 << 20;
/** Lists and objects within one another; results go six deep. */
const deepest = 64;

/** Names below the folder, with slashes and sorted; false for what is no file: a link can lead to another content tomorrow. */
export async function listFiles(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter(entry => !entry.isDirectory())
      .map(entry => {
        const file = path.relative(folder, path.join(entry.parentPath, entry.name));
        return [file.split(path.sep).join('/'), entry.isFile()] as const;
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  const { size } = await stat(file);
  if (size <= chunkSize) hash.update(await readFile(file));
  else await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Null when there is no such file. Throws `UserError` (kind `input`). */
export async function readResultText(file: string): Promise<string | null> {
  return readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unreadable(file, error);
  });
}

/** Undefined when there is no such file. Throws `UserError` (kind `input`) with line and column. */
export async function readResultJson(file: string): Promise<unknown> {
  const text = await readResultText(file);
  if (text === null) return undefined;
  if (isDeeperThan(text, deepest)) throw tooDeep(path.basename(file));
  return parseSessionJson(path.basename(file), text);
}

/** The elements of a file that is one array. Throws `UserError` (kind `input`), after those that can be read. */
export async function* readRows(file: string): AsyncGenerator {
  const name = path.basename(file);
  const rows = splitRows(name);
  for await (const chunk of chunksOf(file, name)) yield* rows.take(chunk);
  if (!rows.isAtEnd()) throw faulty(name, 'is not valid JSON: the array has no end');
}

/** What is small is read at once: opening a stream takes longer. */
async function* chunksOf(file: string, name: string): AsyncGenerator<Buffer> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  if (size > longestList) throw faulty(name, `is larger than ${longestList >> 20} MiB`);
  if (size <= chunkSize) yield readFile(file);
  else yield* createReadStream(file, { highWaterMark: chunkSize }) as AsyncIterable<Buffer>;
}

const chunkSize = 1 << 20;

const [quote, backslash, open, close, brace, unbrace, comma] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c,
];

interface RowSplitter {
  /** The elements that end in this chunk. */
  take(chunk: Buffer): Generator;
  isAtEnd(): boolean;
}

/** Texts are no structure, whatever brackets they hold: they are jumped over. */
function splitRows(name: string): RowSplitter {
  let [depth, count, length] = [0, 0, 0];
  let [isBegun, isEnded, inText, isEscaped] = [false, false, false, false];
  let parts: Buffer[] = [];
  /** Where the text ends; the length of the chunk when it does not. */
  const endOfText = (bytes: Buffer, from: number): number => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        inText = false;
        return at;
      }
    }
    return bytes.length;
  };
  const finish = (last: Buffer): unknown => {
    const row = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    [parts, length] = [[], 0];
    count += 1;
    try {
      return JSON.parse(row.toString('utf8'));
    } catch (error) {
      throw faulty(name, `element ${count - 1} is not valid JSON`, error);
    }
  };
  const keep = (rest: Buffer): void => {
    length += rest.length;
    if (length > longestRow)
      throw faulty(name, `element ${count} is larger than ${longestRow >> 20} MiB`);
    // The buffer of a stream is used again.
    if (rest.length > 0) parts.push(Buffer.from(rest));
  };
  return {
    isAtEnd: () => isEnded,
    *take(bytes) {
      let start = 0;
      for (let at = 0; at < bytes.length; at++) {
        if (inText) {
          at = endOfText(bytes, at);
          continue;
        }
        const byte = bytes[at] ?? 0;
        if (!isBegun || isEnded) {
          if (isBlank(byte)) continue;
          if (isEnded || byte !== open) throw faulty(name, 'must be one array');
          [isBegun, depth, start] = [true, 1, at + 1];
        } else if (byte === quote) inText = true;
        else if (byte === open || byte === brace) {
          if ((depth += 1) > deepest) throw tooDeep(name);
        } else if (byte === close || byte === unbrace) {
          if ((depth -= 1) > 0) continue;
          if (byte !== close) throw faulty(name, 'is not valid JSON');
          isEnded = true;
          const last = bytes.subarray(start, at);
          // `[]` has no element, and `[ ]` neither.
          if (count === 0 && [...parts, last].every(part => part.every(isBlank))) continue;
          yield finish(last);
        } else if (byte === comma && depth === 1) {
          yield finish(bytes.subarray(start, at));
          start = at + 1;
        }
      }
      if (isBegun && !isEnded) keep(bytes.subarray(start));
    },
  };
}

/** No expression: those give up on texts of many megabytes. */
function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === backslash) at += 1;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    else if (code === open || code === brace) depth += 1;
    else if (code === close || code === unbrace) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function tooDeep(name: string): UserError {
  return faulty(name, `holds lists and objects more than ${deepest} deep`);
}

function faulty(name: string, reason: string, cause?: unknown): UserError {
  return new UserError(`Error: ${name} ${reason}`, { kind: 'input', cause });
}

function unreadable(file: string, error: NodeJS.ErrnoException): UserError {
  return new UserError(`Error: ${file} cannot be read: ${whyUnreadable(error)}`, {
    kind: 'input',
    cause: error,
  });
}
