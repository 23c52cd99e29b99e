/** Counts tokens with a byte-pair encoding; with a quarter of the bytes, and saying so, where none can be loaded. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import type { Encoding } from 'ai-tokenizer';
import type { TokenCounter } from '../../core/ports.ts';
import { packageRoot } from '../system/package-root.ts';

/** Merging is quadratic in a run of one character, so that a text is encoded in pieces. */
const pieceLength = 4_096;

let loading: Promise<TokenCounter> | undefined;

/** Loaded once for a process. */
export function loadTokenCounter(): Promise<TokenCounter> {
  return (loading ??= loadEncoding().catch(() => estimatingCounter));
}

/** ⌈bytes ÷ 4⌉. */
export const estimatingCounter: TokenCounter = {
  name: 'bytes/4',
  version: '1',
  estimated: true,
  count: text => Math.ceil(Buffer.byteLength(text) / 4),
};

async function loadEncoding(): Promise<TokenCounter> {
  const { Tokenizer } = await import('ai-tokenizer');
  const version = await readVersion();
  const encoding = await readEncoding(version);
  const tokenizer = new Tokenizer(encoding);
  return {
    name: encoding.name,
    version,
    estimated: false,
    count(text) {
      let tokens = 0;
      // With both lists empty, text that spells a control token is counted as the plain text it is.
      for (const piece of pieces(text)) tokens += tokenizer.encode(piece, [], []).length;
      return tokens;
    },
  };
}

/** From the table of the build, which is written for little-endian machines; where there is none, the package's own. */
async function readEncoding(version: string): Promise<Encoding> {
  const table =
    endianness() === 'BE'
      ? null
      : await readFile(join(packageRoot, 'dist', 'tokens', rankTableName(version))).catch(
          () => null,
        );
  return table === null ? import('ai-tokenizer/encoding/o200k_base') : readRankTable(table);
}

/** A table is good for the release of the package that it was made of. */
export function rankTableName(version: string): string {
  return `o200k_base-${version}.ranks`;
}

/** The package does not export its own description. */
export async function readVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('ai-tokenizer');
  const { version } = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  ) as { readonly version: string };
  return version;
}

/** Never cut inside a character. */
function* pieces(text: string): Generator<string> {
  for (let start = 0, end; start < text.length; start = end) {
    end = Math.min(start + pieceLength, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield text.slice(start, end);
  }
}

// The ranks of a byte-pair encoding as one file that is ready when it is read. The package keeps them as an object of
// two hundred thousand keys, which takes half a second of a processor and tens of megabytes to come to life. The build
// writes the file.

/** All that an encoding holds besides the ranks of its texts. */
interface Head extends Pick<Encoding, 'name' | 'pat_str' | 'special_tokens'> {
  readonly binary: readonly (readonly [readonly number[], number])[];
  /** How many ranks there are, those without a text included. */
  readonly ranks: number;
}

/** Twice the number of the texts and more, so that a search ends after a step or two. */
const slotCount = 2 ** 19;

/** Length of the head; the head; a hash table of ranks, each raised by one; where the text of each rank begins; the texts in UTF-16. */
export function writeRankTable({
  name,
  pat_str,
  special_tokens,
  stringEncoder,
  binaryEncoder,
}: Encoding): Buffer {
  const texts: string[] = [];
  for (const [text, rank] of Object.entries(stringEncoder)) texts[rank] = text;
  const starts = new Uint32Array(texts.length + 1);
  const slots = new Uint32Array(slotCount);
  for (let rank = 0; rank < texts.length; rank += 1) {
    const text = texts[rank] ?? '';
    starts[rank + 1] = (starts[rank] ?? 0) + text.length;
    if (text === '') continue;
    let slot = slotOf(text);
    while (slots[slot] !== 0) slot = (slot + 1) % slotCount;
    slots[slot] = rank + 1;
  }
  const head: Head = {
    name,
    pat_str,
    special_tokens,
    binary: binaryEncoder.map(([bytes, rank]) => [[...bytes], rank]),
    ranks: texts.length,
  };
  const json = Buffer.from(JSON.stringify(head));
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(padded.length);
  return Buffer.concat([
    length,
    padded,
    Buffer.from(slots.buffer),
    Buffer.from(starts.buffer),
    Buffer.from(texts.join(''), 'utf16le'),
  ]);
}

/** For counting only: it decodes nothing. */
export function readRankTable(file: Buffer): Encoding {
  const headEnd = 4 + file.readUInt32LE(0);
  const { name, pat_str, special_tokens, binary, ranks } = JSON.parse(
    file.subarray(4, headEnd).toString(),
  ) as Head;
  const startsAt = headEnd + slotCount * 4;
  const textsAt = startsAt + (ranks + 1) * 4;
  const slots = numbersOf(file.subarray(headEnd, startsAt));
  const starts = numbersOf(file.subarray(startsAt, textsAt));
  const texts = file.toString('utf16le', textsAt);
  const rankOf = (text: string): number | undefined => {
    for (let slot = slotOf(text); ; slot = (slot + 1) % slotCount) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0) return undefined;
      const start = starts[rank] ?? 0;
      if ((starts[rank + 1] ?? 0) - start === text.length && texts.startsWith(text, start))
        return rank;
    }
  };
  const stringEncoder = new Proxy<Record<string, number>>(
    {},
    { get: (_, key) => (typeof key === 'string' && key !== '' ? rankOf(key) : undefined) },
  );
  return {
    name,
    pat_str,
    special_tokens,
    stringEncoder,
    binaryEncoder: binary.map(([bytes, rank]) => [new Uint8Array(bytes), rank]),
    decoder: {},
  };
}

/** A view wherever the bytes happen to be aligned, else a copy. */
function numbersOf(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, length } =
    bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  return new Uint32Array(buffer, byteOffset, length / 4);
}

/** FNV-1a over UTF-16. */
function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}
