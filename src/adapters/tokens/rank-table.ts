/**
 * The ranks of a byte-pair encoding as one file that is ready when it is read. The package keeps them as an object of two hundred
 * thousand keys, which takes half a second of a processor and tens of megabytes to come to life. The build writes the file.
 */
import type { Encoding } from 'ai-tokenizer';

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
