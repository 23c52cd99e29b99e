/** Counts tokens with a byte-pair encoding; with a quarter of the bytes, and saying so, where none can be loaded. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import type { Encoding } from 'ai-tokenizer';
import type { TokenCounter } from '../../core/ports/token-counter.ts';
import { packageRoot } from '../system/package-root.ts';
import { endOfWord, isPlain, spelledOut } from './ascii-words.ts';

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
  const { encoding, version } = await readEncoding();
  const tokenizer = new Tokenizer(encoding);
  const wordPattern = new RegExp(encoding.pat_str, 'gu');
  // With both lists empty, text that spells a control token is counted as the plain text it is.
  const countAny = (text: string): number => tokenizer.encode(text, [], []).length;
  const countWithin = 'rankWithin' in encoding ? wordCounter(encoding, countAny) : null;
  const isSpelledOut = encoding.pat_str === spelledOut;
  const countPiece = (piece: string): number => {
    if (countWithin === null) return countAny(piece);
    let tokens = 0;
    if (isSpelledOut && isPlain(piece)) {
      for (let at = 0, end; at < piece.length; at = end) {
        end = endOfWord(piece, at, piece.length);
        tokens += countWithin(piece, at, end);
      }
      return tokens;
    }
    for (const word of piece.match(wordPattern) ?? []) tokens += countWithin(word, 0, word.length);
    return tokens;
  };
  return {
    name: encoding.name,
    version,
    estimated: false,
    count(text) {
      let tokens = 0;
      for (const piece of pieces(text)) tokens += countPiece(piece);
      return tokens;
    },
  };
}

/** From the table of the build, which a package always holds; where there is none, from the library it is made of. */
async function readEncoding(): Promise<{
  readonly encoding: Encoding | RankTable;
  readonly version: string;
}> {
  const file = await readFile(join(packageRoot, 'dist', 'tokens', rankTableName)).catch(() => null);
  if (file === null)
    return {
      encoding: await import('ai-tokenizer/encoding/o200k_base'),
      version: await readVersion(),
    };
  const encoding = readRankTable(file);
  return { encoding, version: encoding.version };
}

export const rankTableName = 'o200k_base.ranks';

/** Of the library, which does not export its own description. */
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
  /** Of the library that the ranks are of. */
  readonly version: string;
  readonly binary: readonly (readonly [readonly number[], number])[];
  /** How many ranks there are, those without a text included. */
  readonly ranks: number;
}

/** Twice the number of the texts and more, so that a search ends after a step or two. */
const slotCount = 2 ** 19;

/**
 * Length of the head; the head; a hash table of ranks, each raised by one; where the text of each rank begins; the texts in UTF-16.
 * Every number with its lowest byte first.
 */
export function writeRankTable(
  { name, pat_str, special_tokens, stringEncoder, binaryEncoder }: Encoding,
  version: string,
): Buffer {
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
    version,
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
    bytesOf(slots),
    bytesOf(starts),
    Buffer.from(texts.join(''), 'utf16le'),
  ]);
}

/** An encoding that tells the rank of a part of a text without making a text of that part. */
export interface RankTable extends Encoding {
  /** Of the library that the ranks are of. */
  readonly version: string;
  /** Undefined where the part is no token. */
  rankWithin(text: string, from: number, to: number): number | undefined;
}

/** For counting only: it decodes nothing. */
export function readRankTable(file: Buffer, order = endianness()): RankTable {
  const headEnd = 4 + file.readUInt32LE(0);
  const { version, name, pat_str, special_tokens, binary, ranks } = JSON.parse(
    file.subarray(4, headEnd).toString(),
  ) as Head;
  const startsAt = headEnd + slotCount * 4;
  const textsAt = startsAt + (ranks + 1) * 4;
  const slots = numbersOf(file.subarray(headEnd, startsAt), order);
  const starts = numbersOf(file.subarray(startsAt, textsAt), order);
  const texts = file.toString('utf16le', textsAt);
  const rankWithin = (text: string, from: number, to: number): number | undefined => {
    for (let slot = slotOf(text, from, to); ; slot = (slot + 1) % slotCount) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0) return undefined;
      const start = starts[rank] ?? 0;
      if ((starts[rank + 1] ?? 0) - start !== to - from) continue;
      let at = from;
      while (at < to && text.charCodeAt(at) === texts.charCodeAt(start + at - from)) at += 1;
      if (at === to) return rank;
    }
  };
  const stringEncoder = new Proxy<Record<string, number>>(
    {},
    {
      get: (_, key) =>
        typeof key === 'string' && key !== '' ? rankWithin(key, 0, key.length) : undefined,
    },
  );
  return {
    version,
    name,
    pat_str,
    special_tokens,
    rankWithin,
    stringEncoder,
    binaryEncoder: binary.map(([bytes, rank]) => [new Uint8Array(bytes), rank]),
    decoder: {},
  };
}

/** A view wherever the bytes happen to be aligned and in the order of this machine, else a copy. */
function numbersOf(bytes: Buffer, order: ReturnType<typeof endianness>): Uint32Array {
  if (bytes.byteOffset % 4 === 0 && order === 'LE')
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const copy = Buffer.from(new Uint8Array(bytes).buffer);
  if (order === 'BE') copy.swap32();
  return new Uint32Array(copy.buffer, 0, copy.length / 4);
}

function bytesOf(numbers: Uint32Array): Buffer {
  const bytes = Buffer.from(numbers.buffer);
  return endianness() === 'BE' ? bytes.swap32() : bytes;
}

/** FNV-1a over UTF-16. */
function slotOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5;
  for (let index = from; index < to; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}

/** Words whose tokens are remembered. */
const mostKept = 100_000;
const longestKept = 64;

/**
 * Counts the tokens of a word, one match of the pattern of the encoding: no token reaches over its end. The package merges the pairs of
 * a word over texts that it makes of their bytes, which takes nine tenths of the time for words that nobody would write; where every
 * character is one byte, the word itself says the same.
 */
function wordCounter(
  { rankWithin }: RankTable,
  countAny: (text: string) => number,
): (text: string, from: number, to: number) => number {
  // A project says the same words over and over.
  const merged = new Map<string, number>();
  const merge = (word: string): number =>
    isPlain(word) ? mergePairs(word, rankWithin) : countAny(word);
  return (text, from, to) => {
    if (rankWithin(text, from, to) !== undefined) return 1;
    const word = text.slice(from, to);
    if (word.length > longestKept) return merge(word);
    const known = merged.get(word);
    if (known !== undefined) return known;
    const tokens = merge(word);
    if (merged.size >= mostKept) merged.clear();
    // A copy: a piece of a text would keep the whole text in memory.
    merged.set(Buffer.from(word, 'utf16le').toString('utf16le'), tokens);
    return tokens;
  };
}

/** Where the tokens of a word begin, and the rank of each one joined with the next: kept, for it is asked a hundred thousand times. */
let starts = new Int32Array(pieceLength + 1);
let ranks = new Int32Array(pieceLength + 1);
const noToken = 2 ** 31 - 1;

/** Joins the pair of lowest rank, the first of equal ones, until no pair is a token. Every single byte is one. */
function mergePairs(word: string, rankWithin: RankTable['rankWithin']): number {
  if (word.length >= starts.length) {
    starts = new Int32Array(word.length + 1);
    ranks = new Int32Array(word.length + 1);
  }
  let tokens = word.length;
  const join = (index: number): number =>
    index + 1 >= tokens
      ? noToken
      : (rankWithin(word, starts[index] ?? 0, starts[index + 2] ?? 0) ?? noToken);
  for (let index = 0; index <= tokens; index += 1) starts[index] = index;
  for (let index = 0; index < tokens; index += 1) ranks[index] = join(index);
  for (;;) {
    let lowest = 0;
    let rank = noToken;
    for (let index = 0; index < tokens; index += 1) {
      const here = ranks[index] ?? noToken;
      if (here >= rank) continue;
      lowest = index;
      rank = here;
    }
    if (rank === noToken) return tokens;
    starts.copyWithin(lowest + 1, lowest + 2, tokens + 1);
    ranks.copyWithin(lowest + 1, lowest + 2, tokens);
    tokens -= 1;
    ranks[lowest] = join(lowest);
    if (lowest > 0) ranks[lowest - 1] = join(lowest - 1);
  }
}
