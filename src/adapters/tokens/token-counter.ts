/** Counts tokens with a byte-pair encoding; with a quarter of the bytes, and saying so, where none can be loaded. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import { dirname, join } from 'node:path';
import type { Encoding } from 'ai-tokenizer';
import type { TokenCounter } from '../../core/ports.ts';
import { packageRoot } from '../system/package-root.ts';
import { readRankTable } from './rank-table.ts';

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
