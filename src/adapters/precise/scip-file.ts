/**
 * Reads a SCIP index (`scip.proto` of the project of that name), one file of the project after the other: what lies in between is never
 * held. The index may come from anybody, so that everything it says about its own size is bounded.
 */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { UserError } from '../../core/errors.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';

/** One file of the project. */
export interface ScipDocument {
  /** As the index writes it, relative to where it was made. */
  readonly path: string;
  /** Of columns. */
  readonly encoding: 'utf8' | 'utf16' | 'utf32';
  readonly occurrences: readonly ScipOccurrence[];
}

/** A name on one line. Both columns and the line from 0. */
interface ScipOccurrence {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
}

interface ScipHeader {
  /** Name and version of the program that wrote it. */
  readonly madeBy: string | null;
}

export interface ScipSink {
  readonly header: (header: ScipHeader) => void;
  readonly document: (document: ScipDocument) => void;
}

const mostBytes = 256 * 1024 * 1024;
const mostBytesOfDocument = 32 * 1024 * 1024;
const mostOccurrences = 4_000_000;

/** Throws `UserError` for a file that is none, that is cut off or that is too large. */
export async function readScipFile(file: string, sink: ScipSink): Promise<void> {
  const { BinaryReader: Reader } = await import('@bufbuild/protobuf/wire');
  const handle = await open(
    file,
    constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  ).catch((cause: unknown) => {
    throw refusal('cannot be opened', cause);
  });
  try {
    await readFields(handle, bytes => new Reader(bytes), sink);
  } finally {
    await handle.close();
  }
}

/** A sentence goes on behind the name of the file. */
function refusal(what: string, cause?: unknown): UserError {
  return new UserError(what, { kind: 'input', cause });
}

type OpenReader = (bytes: Uint8Array) => BinaryReader;

// Field numbers of `Index`.
const metadataField = 1;
const documentField = 2;
const lengthDelimited: WireType = 2;
const varint: WireType = 0;
/** A tag and a length take ten bytes each at most. */
const longestHead = 20;

async function readFields(handle: FileHandle, openReader: OpenReader, sink: ScipSink) {
  const status = await handle.stat();
  if (!status.isFile()) throw refusal('is no regular file');
  if (status.size > mostBytes)
    throw refusal(`is larger than ${mostBytes / 1024 / 1024} MB, the most that is read`);
  const bytesAt = createWindow(handle);
  let occurrences = 0;
  for (let position = 0; position < status.size;) {
    const head = openReader(await bytesAt(position, Math.min(longestHead, status.size - position)));
    const [field, length] = decoded(() => readHead(head));
    if (position === 0 && field !== metadataField) throw notScip();
    const start = position + head.pos;
    position = start + length;
    if (position > status.size) throw refusal('is cut off: it ends within a file it tells of');
    if (field !== metadataField && field !== documentField) continue;
    if (length > mostBytesOfDocument)
      throw refusal(`tells more than ${mostBytesOfDocument / 1024 / 1024} MB of one file`);
    const bytes = await bytesAt(start, length);
    if (field === metadataField) {
      sink.header(decoded(() => readHeader(bytes, openReader)));
      continue;
    }
    const document = decoded(() => readDocument(bytes, openReader));
    occurrences += document.occurrences.length;
    if (occurrences > mostOccurrences)
      throw refusal(`tells of more than ${mostOccurrences} names, the most that are kept`);
    sink.document(document);
  }
  if (status.size === 0) throw refusal('is empty');
}

function readHead(head: BinaryReader): [field: number, length: number] {
  const [field, wire] = head.tag();
  if (wire !== lengthDelimited) throw notScip();
  return [field, head.uint32()];
}

/** Whatever the library finds wrong means one thing to a person. */
function decoded<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof UserError ? error : notScip(error);
  }
}

function notScip(cause?: unknown): UserError {
  return refusal('is no SCIP index, or a damaged one', cause);
}

const windowBytes = 1024 * 1024;

/** Most files of a project are small: many of them come with one reading. */
function createWindow(
  handle: FileHandle,
): (position: number, length: number) => Promise<Uint8Array> {
  let from = 0;
  let held = Buffer.alloc(0);
  return async (position, length) => {
    if (position < from || position + length > from + held.length) {
      const buffer = Buffer.allocUnsafe(Math.max(length, windowBytes));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead < length) throw refusal('became shorter while it was read');
      from = position;
      held = buffer.subarray(0, bytesRead);
    }
    return held.subarray(position - from, position - from + length);
  };
}

const longestName = 100;

/** `Metadata`: its field 2 is the tool, with name and version. */
function readHeader(bytes: Uint8Array, openReader: OpenReader): ScipHeader {
  const words: string[] = [];
  eachField(openReader(bytes), (field, wire, reader) => {
    if (field !== 2 || wire !== lengthDelimited) return false;
    eachField(openReader(reader.bytes()), (part, partWire, tool) => {
      if ((part !== 1 && part !== 2) || partWire !== lengthDelimited) return false;
      words.push(makeVisible(tool.string().slice(0, longestName)));
      return true;
    });
    return true;
  });
  return { madeBy: words.length === 0 ? null : words.join(' ') };
}

/** True of `read`: it took the value. */
function eachField(
  reader: BinaryReader,
  read: (field: number, wire: WireType, reader: BinaryReader) => boolean,
): void {
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (!read(field, wire, reader)) reader.skip(wire, field);
  }
}

/** By the number in `PositionEncoding`; those that say nothing are written by programs that count as their language does. */
const encodings = new Map<number, ScipDocument['encoding']>([
  [1, 'utf8'],
  [3, 'utf32'],
]);

/** `Document`: 1 is the path, 2 an occurrence, 6 how columns are counted. */
function readDocument(bytes: Uint8Array, openReader: OpenReader): ScipDocument {
  let path = '';
  let encoding: ScipDocument['encoding'] = 'utf16';
  const occurrences: ScipOccurrence[] = [];
  eachField(openReader(bytes), (field, wire, reader) => {
    if (field === 1 && wire === lengthDelimited) path = reader.string();
    else if (field === 2 && wire === lengthDelimited) {
      const one = readOccurrence(openReader(reader.bytes()), openReader);
      if (one !== null) occurrences.push(one);
    } else if (field === 6 && wire === varint) encoding = encodings.get(reader.int32()) ?? 'utf16';
    else return false;
    return true;
  });
  return { path, encoding, occurrences };
}

const definitionRole = 1;
const longestSymbol = 2_000;

/** `Occurrence`: 1 is its range (three numbers on one line, four over several), 2 the symbol, 3 its roles. */
function readOccurrence(reader: BinaryReader, openReader: OpenReader): ScipOccurrence | null {
  const range: number[] = [];
  let symbol = '';
  let roles = 0;
  eachField(reader, (field, wire, own) => {
    if (field === 1 && wire === lengthDelimited) {
      const packed = openReader(own.bytes());
      while (packed.pos < packed.len) range.push(packed.int32());
    } else if (field === 1 && wire === varint) range.push(own.int32());
    else if (field === 2 && wire === lengthDelimited) symbol = own.string();
    else if (field === 3 && wire === varint) roles = own.int32();
    else return false;
    return true;
  });
  const [line = -1, start = -1, third = -1, fourth] = range;
  // A name stands on one line: what goes over several is a whole file or a text.
  const end = fourth === undefined ? third : third === line ? fourth : -1;
  if (line < 0 || start < 0 || end <= start) return null;
  if (symbol === '' || symbol.length > longestSymbol) return null;
  return { line, start, end, symbol, isDefinition: (roles & definitionRole) !== 0 };
}
