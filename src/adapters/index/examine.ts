/** Reads one content: why it is left out, or what stands in it. */
import type { SkipReason } from '../../core/code-index.ts';
import type { TokenCounter } from '../../core/ports.ts';
import { grammarOf } from '../../core/languages/languages.ts';
import { isCode } from '../../core/languages/languages.ts';
import { readLineStructure } from './line-structure.ts';
import { reasonByContent } from './reasons.ts';
import { noStructure, readStructure, type Structure } from './structure.ts';

export type Examined = { readonly reason: SkipReason } | ExaminedText;

export interface ExaminedText {
  readonly reason: null;
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  readonly structure: Structure;
}

/** `path` is one of those the content has; only its ending matters. */
export async function examine(bytes: Uint8Array, path: string, language: string, counter: TokenCounter): Promise<Examined> {
  const reason = reasonByContent(bytes, language);
  if (reason !== null) return { reason };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const grammar = grammarOf(path);
  const parsed = grammar === null ? null : await readStructure(grammar, text);
  const structure = parsed ?? (isCode(language) ? readLineStructure(text) : noStructure);
  return { reason: null, text, bytes: bytes.byteLength, lines: countLines(text), tokens: counter.count(text), structure };
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
