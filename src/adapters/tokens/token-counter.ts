/** Counts tokens with a byte-pair encoding; with a quarter of the bytes, and saying so, where none can be loaded. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import type { Encoding } from 'ai-tokenizer';
import type { TokenCounter } from '../../core/ports/repository.ts';
import { piecesOf } from '../../core/text.ts';
import { packageRoot } from '../system/package-root.ts';

/** Merging is quadratic in the length of a word, so that a text is counted in pieces, and of a piece no word is longer than so many. */
const pieceLength = 4_096;
const longestWord = 256;

let loading: Promise<TokenCounter> | undefined;

/** Loaded once for a process. */
export function loadTokenCounter() {
  return (loading ??= loadEncoding().catch(() => estimatingCounter));
}

/** ⌈bytes ÷ 4⌉. */
export const estimatingCounter: TokenCounter = {
  name: 'bytes/4',
  version: '1',
  estimated: true,
  count: text => Math.ceil(Buffer.byteLength(text) / 4),
};

/** A project says the same words over and over. Longer ones would keep the whole text in memory that they are a piece of. */
const mostKept = 100_000;
const longestKept = 12;

async function loadEncoding(): Promise<TokenCounter> {
  const { Tokenizer } = await import('ai-tokenizer');
  const { encoding, version } = await readEncoding();
  const tokenizer = new Tokenizer(encoding);
  const anyWord = new RegExp(encoding.pat_str, 'gu');
  const plainWord = new RegExp(
    // What it says of characters below 128, in half the time: without the properties of Unicode.
    encoding.pat_str.replace(/\\p\{(\w+)\}/g, (_, property: string) => letters[property] ?? ''),
    'g',
  );
  const known = new Map<string, number>();
  const countWord = (word: string) => {
    const kept = known.get(word);
    if (kept !== undefined) return kept;
    let tokens = encoding.stringEncoder[word] === undefined ? 0 : 1;
    if (tokens === 0)
      // With both lists empty, text that spells a control token is counted as the plain text it is.
      for (const part of piecesOf(word, longestWord))
        tokens += tokenizer.encode(part, [], []).length;
    if (known.size >= mostKept) known.clear();
    if (word.length <= longestKept) known.set(word, tokens);
    return tokens;
  };
  return {
    name: encoding.name,
    version,
    estimated: false,
    count(text) {
      let tokens = 0;
      for (const piece of piecesOf(text, pieceLength))
        for (const word of piece.match(isPlain(piece) ? plainWord : anyWord) ?? [])
          tokens += countWord(word);
      return tokens;
    },
  };
}

function isPlain(text: string) {
  // oxlint-disable-next-line no-control-regex -- what is looked for is any character beyond ASCII
  return !/[^\u0000-\u007F]/.test(text);
}

const letters: Record<string, string> = {
  L: 'A-Za-z',
  Lu: 'A-Z',
  Ll: 'a-z',
  N: String.raw`\d`,
};

/** From the table of the build, which a package always holds; where there is none, from the library it is made of. */
async function readEncoding() {
  const file = await readFile(join(packageRoot, 'dist', 'tokens', rankTableName)).catch(() => null);
  return !file || endianness() === 'BE'
    ? {
        encoding: await import('ai-tokenizer/encoding/o200k_base'),
        version: await readVersion(),
      }
    : readRankTable(file);
}

export const rankTableName = 'o200k_base.ranks';

/** Of the library, which does not export its own description. */
export async function readVersion() {
  const entry = createRequire(import.meta.url).resolve('ai-tokenizer');
  const { version } = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  ) as { readonly version: string };
  return version;
}

// The ranks of a byte-pair encoding as one file that is ready when it is read. The package keeps them as an object of
// two hundred thousand keys, which takes half a second of a processor and tens of megabytes to come to life. The build
// writes the file.

/** All that an encoding holds besides the ranks of its texts. */
interface Head extends Pick<Encoding, 'name' | 'pat_str' | 'special_tokens'> {
  /** Of the library that the ranks are of. */
  version: string;
  binary: readonly (readonly [readonly number[], number])[];
  /** How many ranks there are, those without a text included. */
  ranks: number;
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
  const slots = Buffer.alloc(4 * slotCount);
  const starts = Buffer.alloc(4 * (texts.length + 1));
  let start = 0;
  for (let rank = 0; rank < texts.length; rank += 1) {
    const text = texts[rank] ?? '';
    start += text.length;
    starts.writeUInt32LE(start, 4 * (rank + 1));
    if (text === '') continue;
    let slot = slotOf(text);
    while (slots.readUInt32LE(4 * slot) !== 0) slot = (slot + 1) % slotCount;
    slots.writeUInt32LE(rank + 1, 4 * slot);
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
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, slots, starts, Buffer.from(texts.join(''), 'utf16le')]);
}

/** For counting only: it decodes nothing. */
export function readRankTable(file: Buffer): {
  readonly encoding: Encoding;
  readonly version: string;
} {
  const headEnd = 4 + file.readUInt32LE(0);
  const { version, binary, ranks, ...named } = JSON.parse(
    file.subarray(4, headEnd).toString(),
  ) as Head;
  const startsAt = headEnd + slotCount * 4;
  const textsAt = startsAt + (ranks + 1) * 4;
  const slots = numbersOf(file.subarray(headEnd, startsAt));
  const starts = numbersOf(file.subarray(startsAt, textsAt));
  const texts = file.toString('utf16le', textsAt);
  const rankOf = (text: string) => {
    for (let slot = slotOf(text); ; slot = (slot + 1) % slotCount) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0) return undefined;
      const [from = 0, to = 0] = [starts[rank], starts[rank + 1]];
      if (to - from === text.length && texts.startsWith(text, from)) return rank;
    }
  };
  return {
    version,
    encoding: {
      ...named,
      stringEncoder: new Proxy<Record<string, number>>(
        {},
        { get: (_, key) => (typeof key === 'string' && key !== '' ? rankOf(key) : undefined) },
      ),
      binaryEncoder: binary.map(([bytes, rank]) => [new Uint8Array(bytes), rank]),
      decoder: {},
    },
  };
}

/** A copy, where a number may begin at any byte of the file. */
function numbersOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

/** FNV-1a over UTF-16. */
function slotOf(text: string) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (slotCount - 1);
}
