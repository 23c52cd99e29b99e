/**
 * Text as it may be kept, shown and handed on: one line, no control characters, nothing invisible, of bounded length,
 * quoted for a shell, split into words.
 */
import { makeVisible } from './safety/visible-text.ts';

/** Characters of one finding's text, and of its longer fields. */
export const textLimit = 4_000;
export const fieldLimit = 16_000;

/** In the order of their code units, on every machine the same. */
export function compareTexts(one: string, other: string) {
  return one < other ? -1 : Number(one > other);
}

/** One line to keep: terminal sequences and control characters removed; invisible and bidirectional ones shown as `⟦U+202E⟧`. */
export function toLine(text: string) {
  return makeVisible(
    stripAnsi(text)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );
}

/** The same for what is only shown, where nothing may go unseen: control characters become visible instead. */
export function toOneLine(text: string) {
  return makeVisible(text.replace(/\s+/g, ' ')).trim();
}

/** Is there nothing left once the text is made safe? */
export function isBlank(text: string) {
  return (
    (text.includes('\u001B') || text.includes('\u009B') || !/[\p{L}\p{N}]/u.test(text)) &&
    toLine(text) === ''
  );
}

/** Like `toLine`, but line breaks and tabs stay. */
export function toParagraph(text: string) {
  return makeVisible(
    stripAnsi(text)
      .replaceAll('\r\n', '\n')
      .replace(/(?![\n\t])\p{Cc}/gu, '')
      .trim(),
  );
}

/**
 * The lines of a file, numbered as git numbers them: LF and CR LF end one. A CR alone and U+2028 and U+2029, which end a line for
 * some programs only, stay inside of it: there `hiddenIn` finds them.
 */
export function splitLines(text: string) {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Terminal control sequences and their text-less kin, removed. */
export function stripAnsi(text: string) {
  // eslint-disable-next-line no-control-regex -- the escape character is what is looked for
  return text.includes('\u001B') || text.includes('\u009B')
    ? text.replace(
        /\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|(?:\u001B\[|\u009B)[0-9;:?]*[ -/]*[@-~]?|\u001B[@-Z\\-_]?/g,
        '',
      )
    : text;
}

/** Takes characters off both ends: what emphasis, brackets and blanks leave. Linear, unlike `/[…]+$/`. */
export function trimOff(text: string, characters: string) {
  let start = 0;
  let end = text.length;
  while (start < end && characters.includes(text.charAt(start))) start += 1;
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Bytes of UTF-8. Tokens of a text can never be more: every token stands for at least one. */
export function bytesOf(text: string) {
  return new TextEncoder().encode(text).length;
}

/** At most `limit` UTF-16 units, an ellipsis included; never half a character. */
export function cut(text: string, limit: number) {
  if (text.length <= limit) return text;
  if (limit < 1) return '';
  return `${text.slice(0, wholeEnd(text, limit - 1)).trimEnd()}…`;
}

/** Where a piece ends that is to end here: never inside a character. */
export function wholeEnd(text: string, end: number) {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Pieces of at most so many characters. */
export function* piecesOf(text: string, most: number): Generator<string> {
  for (let start = 0, end; start < text.length; start = end) {
    end = wholeEnd(text, Math.min(start + most, text.length));
    yield text.slice(start, end);
  }
}

/**
 * Where a run of lines stands inside another, in linear time whatever the lines are (Knuth, Morris, Pratt). Zero-based positions,
 * overlapping ones included. Nothing occurs nowhere: an empty needle gives no position.
 */
export function findOccurrences(haystack: readonly string[], needle: readonly string[]) {
  if (needle.length === 0 || needle.length > haystack.length) return [];
  const border = bordersOf(needle);
  const found: number[] = [];
  let matched = 0;
  haystack.forEach((line, index) => {
    while (matched > 0 && (matched === needle.length || needle[matched] !== line))
      matched = border[matched - 1] ?? 0;
    if (needle[matched] === line) matched += 1;
    if (matched === needle.length) found.push(index - needle.length + 1);
  });
  return found;
}

/** For every prefix of the needle, the length of its longest border. */
export function bordersOf(needle: readonly string[] | string) {
  const border = [0];
  for (let index = 1, length = 0; index < needle.length; index += 1) {
    while (length > 0 && needle[index] !== needle[length]) length = border[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    border.push(length);
  }
  return border;
}

/** A path as one word of a POSIX shell, so that a command we print does what it says whatever the file is called. */
export function shellQuote(path: string) {
  // A leading dash would be an option.
  const word = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /\p{Cc}/u.test(word) ? quoteControls(word) : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The `$'…'` form of bash and zsh: keeps line ends and escapes out of what is printed. */
function quoteControls(word: string) {
  const escaped = word.replace(/[\\']|\p{Cc}/gu, character =>
    character === '\\' || character === "'"
      ? `\\${character}`
      : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return `$'${escaped}'`;
}

// How short a text of reviewers gets on its way to a caller: at the end of a word, or within a number of tokens.

/** As `cut`, at the end of a word where one ends in the last quarter: half a word costs tokens and says nothing. */
export function cutToWord(text: string, limit: number) {
  const short = cut(text, limit);
  if (short === text || /\s/.test(text.charAt(short.length - 1))) return short;
  const end = short.lastIndexOf(' ');
  return end * 4 < limit * 3 ? short : `${short.slice(0, end)}…`;
}

/**
 * No fewer tokens than any of four encodings (cl100k, o200k, p50k, claude) needs. A token of a byte-pair encoding covers at
 * least one byte, so bytes are the bound; only frequent small letters and spaces are sure to be merged, measured at 0.68
 * a character at most over random strings.
 */
export function mostTokensOf(text: string) {
  let tokens = 0;
  for (const character of text) tokens += costOf(character);
  return Math.ceil(tokens);
}

/** Cuts so that `mostTokensOf` stays within `limit`, an ellipsis included. */
export function cutToTokens(text: string, limit: number) {
  if (mostTokensOf(text) <= limit) return text;
  let left = limit - ellipsisCost;
  let end = 0;
  for (const character of text) {
    left -= costOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

const ellipsisCost = 3;
const frequent = /^[a-ik-pr-uwy ]$/;

function costOf(character: string) {
  if (frequent.test(character)) return 0.7;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

// Words inside identifiers: `getHTTPUser_name2` reads get, http, user, name2.

/** Lower case, in order. */
export function splitIdentifier(identifier: string) {
  return identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(part => part !== '')
    .map(part => part.toLowerCase());
}

/** An identifier without case and separators: what `createTestContext`, `CreateTestContext` and `create_test_context` have in common. */
export function squash(identifier: string) {
  return identifier.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** As it is split by case and separators, and each part once more by its digits: `base64Url` reads base64, base, 64, url. */
export function partsOf(identifier: string) {
  return splitIdentifier(identifier).flatMap(part => {
    const pieces = part.match(/\p{N}+|[^\p{N}]+/gu) ?? [];
    return pieces.length > 1 ? [part, ...pieces] : [part];
  });
}

/** Every run of letters and digits, each once, in order of appearance; `_` and `$` count as parts of identifiers. */
export function identifiersOf(text: string) {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
}

/** Of a path with slashes: what stands behind the last of them. */
export function lastOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function upperFirst(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 caller`, `3 callers` */
export function countOf(number: number, word: string) {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** Of a path with slashes, without the last of them; empty at the top. */
export function folderOf(path: string) {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
