/** What the index keeps of one content: plain data, so that it can come from another thread. */
import type { Definition, Import, SkipReason } from '../../core/words/code-index.ts';
import type { TokenCounter } from '../../core/ports/token-counter.ts';
import { identifiersOf, partsOf, splitIdentifier, squash } from '../../core/text.ts';
import { isPlain } from '../tokens/ascii-words.ts';
import { examine, type ExaminedText } from './structure.ts';

/** A content to be taken apart. */
export interface Content {
  /** One of the paths it has; only its ending matters. */
  readonly path: string;
  readonly language: string;
  readonly bytes: Uint8Array;
}

/** `reason` says why nothing is kept. */
export type Extract = { readonly reason: SkipReason } | ExtractedText;

export interface ExtractedText {
  readonly reason: null;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  readonly definitions: readonly Omit<Definition, 'path'>[];
  /** A name, the lines that call it and the lines on which it only stands, both parted by blanks. */
  readonly usages: readonly (readonly [name: string, calls: string, uses: string])[];
  /** Lines in all the usages. */
  readonly places: number;
  readonly imports: readonly Omit<Import, 'path' | 'targets'>[];
  /** `line start end name`, a line for each; null where no grammar tells them. */
  readonly bindings: string | null;
  readonly passages: readonly Passage[];
}

interface Passage {
  readonly startLine: number;
  readonly endLine: number;
  readonly body: string;
  /** Parts of the identifiers that the text does not spell as words of their own. */
  readonly words: string;
  /** What is defined on its lines: the names without their separators, and the parts of the names. */
  readonly names: string;
}

const longestSignature = 200;

export async function extract(
  { bytes, path, language }: Content,
  counter: TokenCounter,
): Promise<Extract> {
  const examined = await examine(bytes, path, language, counter);
  return examined.reason === null ? keep(examined) : { reason: examined.reason };
}

function keep({ text, bytes, lines, tokens, structure }: ExaminedText): ExtractedText {
  const written = text.split('\n');
  const definitions = structure.definitions.map(({ name, kind, startLine, endLine, nameLine }) => ({
    name,
    kind,
    startLine,
    endLine,
    nameLine,
    signature: (written[nameLine - 1] ?? '').trim().slice(0, longestSignature),
  }));
  let places = 0;
  const usages = [...structure.names].map(([name, { calls, uses }]) => {
    places += calls.size + uses.size;
    return [name, [...calls].join(' '), [...uses].join(' ')] as const;
  });
  return {
    reason: null,
    bytes,
    lines,
    tokens,
    definitions,
    usages,
    places,
    imports: structure.imports,
    bindings:
      structure.bindings
        ?.map(({ name, line, startLine, endLine }) => `${line} ${startLine} ${endLine} ${name}`)
        .join('\n') ?? null,
    passages: [...cutPassages(text, definitions)],
  };
}

// Cuts a text into the passages that a search finds.

const linesPerPassage = 40;
const longestPassage = 8_000;

/** In order, without overlap; a line longer than a passage is spread over several. */
function* cutPassages(
  text: string,
  definitions: readonly Pick<Definition, 'name' | 'startLine'>[],
): Generator<Passage> {
  const defined = definitions.toSorted((one, other) => one.startLine - other.startLine);
  let next = 0;
  let startLine = 1;
  let line = 1;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline + 1;
    const end = Math.min(lineEnd, start + longestPassage);
    const isFull =
      end - start >= longestPassage ||
      line - startLine + 1 >= linesPerPassage ||
      end === text.length;
    if (isFull) {
      const first = next;
      while ((defined[next]?.startLine ?? Infinity) <= line) next += 1;
      const body = text.slice(start, end);
      const names = defined.slice(first, next).map(({ name }) => name);
      yield { startLine, endLine: line, body, words: partsWithin(body), names: spell(names) };
      start = end;
      startLine = end === lineEnd ? line + 1 : line;
    }
    if (end === lineEnd) line += 1;
    at = end;
  }
}

/** True of an identifier whose parts no search for words would find: separators part words by themselves. */
const isJoined = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
/** A project says the same identifiers over and over. */
const parted = new Map<string, string>();
const mostParted = 50_000;

function partsWithin(text: string): string {
  const found = isPlain(text) ? joinedIdentifiers(text) : identifiersOf(text);
  let parts = '';
  for (const identifier of found) parts += joinParts(identifier);
  return parts;
}

/** Of plain text those that `joinParts` takes apart, in order: most are no more than one word, and are not looked at. */
function joinedIdentifiers(text: string): Set<string> {
  const seam = /[a-z][A-Z]|[A-Z]{2}[a-z]/g;
  const found = new Set<string>();
  for (let hit = seam.exec(text); hit !== null; hit = seam.exec(text)) {
    let from = hit.index;
    let to = seam.lastIndex;
    while (from > 0 && isOfIdentifier(text.charCodeAt(from - 1))) from -= 1;
    while (to < text.length && isOfIdentifier(text.charCodeAt(to))) to += 1;
    while (isDigit(text.charCodeAt(from))) from += 1;
    found.add(text.slice(from, to));
    seam.lastIndex = to;
  }
  return found;
}

/** Letters, digits, `_` and `$`. */
function isOfIdentifier(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    isDigit(code) ||
    code === 0x5f ||
    code === 0x24
  );
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Each part behind a blank; nothing for an identifier that is no more than one word. */
function joinParts(identifier: string): string {
  const known = parted.get(identifier);
  if (known !== undefined) return known;
  const parts = isJoined.test(identifier) ? ` ${splitIdentifier(identifier).join(' ')}` : '';
  if (parted.size >= mostParted) parted.clear();
  // A copy: a piece of a text would keep the whole text in memory.
  parted.set(Buffer.from(identifier, 'utf16le').toString('utf16le'), parts);
  return parts;
}

function spell(names: readonly string[]): string {
  const words = new Set<string>();
  for (const name of names) {
    words.add(squash(name));
    for (const part of partsOf(name)) words.add(part);
  }
  return [...words].join(' ');
}
