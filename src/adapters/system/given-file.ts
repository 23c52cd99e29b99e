/**
 * Reads what a person names, or what lies in a project. Nothing here waits for what may never come or never end: a path
 * leads to a regular file or is refused. Pipes are read where they are open already, and only until the caller stops.
 */
import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { type Readable, addAbortSignal } from 'node:stream';
import type { YAMLError } from 'yaml';
import type { z } from 'zod';
import { didYouMean, usageError } from '../../core/errors.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';

const mostBytes = 256 << 20;

// Without O_NONBLOCK the open itself would wait until somebody writes to a named pipe.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Links are followed. Throws what `whyUnreadable` puts into words. */
export async function readRegularBytes(file: string, most = mostBytes): Promise<Buffer> {
  const handle = await open(file, flags);
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new Error('it is a folder');
    // The one device that is a file for everybody: an empty one.
    if (status.isCharacterDevice() && status.rdev === (await stat('/dev/null')).rdev)
      return Buffer.alloc(0);
    if (!status.isFile()) throw new Error('it is no regular file');
    if (status.size > most) throw tooLarge(most);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export async function readRegularFile(file: string) {
  return (await readRegularBytes(file)).toString('utf8');
}

/** Text of what a person wrote: UTF-16 where a byte order mark says so, as PowerShell writes it, else UTF-8. */
export function decodeText(bytes: Buffer) {
  const wide = wideEncodingOf(bytes);
  return wide === null ? bytes.toString('utf8') : new TextDecoder(wide).decode(bytes);
}

function wideEncodingOf([first, second]: Buffer) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** The same; throws for bytes that are neither, with their place. */
export function decodeWhole(bytes: Buffer) {
  const text = decodeText(bytes);
  const fault = wideEncodingOf(bytes) === null ? faultIn(bytes, text) : null;
  if (!fault) return text;
  const before = text.slice(0, fault.at).split('\n');
  const byte = (bytes[fault.offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  throw new Error(
    `it is no UTF-8 (byte 0x${byte} in line ${before.length}, column ${(before.at(-1) ?? '').length + 1}); save it as UTF-8`,
  );
}

/** Where the first byte is that could not be read. A mark for such bytes may also have been written: then it has three of its own. */
function faultIn(bytes: Buffer, text: string) {
  let [seen, offset] = [0, 0];
  for (let at = text.indexOf(replaced); at !== -1; at = text.indexOf(replaced, at + 1)) {
    offset += Buffer.byteLength(text.slice(seen, at));
    seen = at;
    if (!bytes.subarray(offset, offset + written.length).equals(written)) return { at, offset };
  }
  return null;
}

/** What the reader puts in the place of bytes that are no UTF-8. */
const replaced = '\uFFFD';
const written = Buffer.from(replaced);

/**
 * A regular file, or a pipe the caller was started with: `<(git diff)` of a shell is `/dev/fd/63`. Aborting ends the wait with
 * the signal's reason.
 */
export async function readGivenFile(
  file: string,
  signal?: AbortSignal,
  toText: (bytes: Buffer) => string = decodeText,
) {
  const isOpenPipe = /^\/(?:dev|proc\/self)\/fd\/\d+$/.test(file) && (await stat(file)).isFIFO();
  return isOpenPipe
    ? collect(new Socket({ fd: openSync(file, flags), writable: false }), signal, toText)
    : toText(await readRegularBytes(file));
}

/** Everything on `stream`, which is standard input. Aborting ends the wait with the signal's reason. */
export function readStandardInput(stream: Readable, signal?: AbortSignal) {
  return collect(stream, signal, decodeText);
}

/** Why a file cannot be read, to stand behind a colon. */
export function whyUnreadable(error: unknown) {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENXIO: 'it is no regular file',
  };
  return words[code ?? ''] ?? code ?? message;
}

async function collect(
  stream: Readable,
  signal: AbortSignal | undefined,
  toText: (bytes: Buffer) => string,
) {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of signal ? addAbortSignal(signal, stream) : stream) {
      pieces.push(Buffer.from(piece as Uint8Array));
      size += (piece as Uint8Array).length;
      if (size > mostBytes) throw tooLarge();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  return toText(Buffer.concat(pieces));
}

function tooLarge(most = mostBytes) {
  return new Error(`it is larger than ${most >> 20} MiB`);
}

// Reads files of a folder nobody trusts: regular files only, no links followed, never blocked by a pipe, never more than asked.

/** Null when the path is missing, no regular file (link, pipe, folder, device), unreadable or longer than `maxBytes`. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | null> {
  // Without O_NOFOLLOW a link would lead outside.
  const handle = await open(path, flags | constants.O_NOFOLLOW).catch(() => null);
  if (!handle) return null;
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

export async function readPlainText(path: string, maxBytes: number) {
  return (await readPlainFile(path, maxBytes))?.toString('utf8') ?? null;
}

// Reads YAML, and JSON with it, that a person wrote, as a schema has it: what is wrong is named with file, line and key.

type Keys = readonly (string | number)[];

/**
 * `lineOf`: 1-based, of the value at some keys, or of the nearest thing above it that has one. `mend`: what can be done about a text that
 * is not well-formed. Throws `UserError` (kind `usage`).
 */
export async function readYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
  mend: string | null = null,
) {
  // As PowerShell writes it: read as UTF-8 it is noise, which a person cannot see in the file.
  if (text.startsWith('\uFFFD') || text.includes('\0'))
    throw usageError(`${file} is no UTF-8 text.`, 'Save it as UTF-8.');
  const { LineCounter, parseDocument, YAMLParseError } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  let given: unknown;
  try {
    given = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    const { message } = error as Error;
    const at = text.indexOf(`*${/: (.+)$/.exec(message)?.[1] ?? ''}`);
    document.errors.push(new YAMLParseError([at, at], 'BAD_ALIAS', message));
  }
  // A tag that nobody knows is a text without quotes.
  const [syntax] = [...document.errors, ...document.warnings];
  if (syntax) {
    const { line, col } = lines.linePos(syntax.pos[0]);
    const place = `${file}:${line}:${col}`;
    throw usageError(
      makeVisible(`${place}: ${sayMalformed(syntax)}`),
      mends[syntax.code] ?? mend,
      syntax,
    );
  }
  const lineOf = (keys: Keys): number => {
    if (keys.length === 0) return 1;
    const node: unknown = document.getIn(keys, true);
    return typeof node === 'object' && node && 'range' in node && Array.isArray(node.range)
      ? lines.linePos(Number(node.range[0])).line
      : lineOf(keys.slice(0, -1));
  };
  const checked = schema.safeParse(given ?? {}, { reportInput: true });
  if (checked.success) return { value: checked.data, lineOf };
  throw unlikeSchema(schema, checked.error, keys => `${file}:${lineOf(keys)}`);
}

/** Names the place of the first thing that is not as the schema has it. */
export function unlikeSchema(
  schema: z.ZodType,
  error: z.ZodError,
  placeOf: (keys: Keys) => string,
) {
  const { path, sentence, suggestions } = firstProblem(schema, error);
  return usageError(
    makeVisible(`${placeOf(path)}: ${formatPath(path)}: ${sentence}`),
    didYouMean(suggestions),
    error,
  );
}

function sayMalformed({ code, message }: YAMLError) {
  if (code === 'MULTIPLE_DOCS') return 'A second document begins here, and a file may hold one.';
  const [, kind, end = ''] = /^Flow (map|sequence) in .* end with a ([}\]])$/.exec(message) ?? [];
  if (code === 'BAD_INDENT' && kind !== undefined)
    return `Before this, a ${end === '}' ? '{' : '['} that was opened should have ended with ${end}.`;
  return (message.split('\n')[0] ?? 'It is not well-formed').replace(/[.:]?$/, '.');
}

const quotes = 'Put a text that begins with * or ! or the like in quotes.';
const mends: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_ALIAS: quotes,
  BAD_SCALAR_START: quotes,
  TAG_RESOLVE_FAILED: quotes,
};
