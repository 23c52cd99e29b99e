/** Reads the table of languages: what the name of a file tells of its language, and what is known of that. */
import picomatch from 'picomatch';
import { remember } from '../groups.ts';
import table from './languages.json' with { type: 'json' };
import words from './path-kinds.json' with { type: 'json' };
import type { Reference } from '../words/code-index.ts';
import { lastOf } from '../text.ts';

const rows = Object.entries(table.families).map(([name, row]) => ({
  name,
  files: new RegExp(row.files, 'i'),
  languages: row.languages as string[],
  comments: {
    lineComment: row.comments.line === null ? null : new RegExp(row.comments.line, 'y'),
    hasBlockComments: row.comments.block,
    quotes: row.comments.quotes,
    /** Quotes whose strings go on over line ends. */
    longQuotes: row.comments.long as string[],
    hasRegularExpressions: row.comments.expressions,
  },
  /** Reserved words, and what is built in. */
  vocabulary: {
    keywords: wordsOf(row.keywords),
    /** Names that are there without an import. */
    globals: wordsOf(row.globals),
    /** Methods and fields of what is built in: too common to be looked up by name. */
    members: wordsOf(row.members),
    /** What a name reaches without a word: what is imported, the files of its folder too, or all of the project. */
    reach: row.reach,
  },
}));

type Vocabulary = (typeof rows)[number]['vocabulary'];

function wordsOf(lines: readonly string[]) {
  return new Set(lines.flatMap(line => line.split(' ')));
}

const vocabularies = new Map<string, Vocabulary>(
  rows.flatMap(({ languages, vocabulary }) => languages.map(name => [name, vocabulary] as const)),
);
const grammars = new Map(
  Object.entries(table.grammars).flatMap(([grammar, endings]) =>
    endings.map(ending => [ending, grammar] as const),
  ),
);
const prose = new Map(Object.entries(table.prose));
const others = new Map([...prose, ...Object.entries(table.byLines)]);
const proseNames = new Set(prose.values());

/** Languages that share their manners of comments and tests are one family, named after the largest member. */
export function familyOf(path: string) {
  return rows.find(({ files }) => files.test(path))?.name ?? null;
}

export function grammarOf(path: string) {
  return grammars.get(endingOf(path)) ?? null;
}

/** Name of the language of a file: what a grammar reads, what lines alone tell, else `text`. */
export function languageOf(path: string) {
  return grammarOf(path)?.replace('c_sharp', 'csharp') ?? others.get(endingOf(path)) ?? 'text';
}

function endingOf(path: string) {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Languages that are written in one another's files, or use one another's names. */
export function isSameFamily(one: string | null, other: string | null) {
  return familyName(one) === familyName(other);
}

function familyName(language: string | null) {
  return (language ?? '')
    .replace(/^(?:typescript|tsx|vue|svelte)$/, 'javascript')
    .replace(/^(?:kotlin|scala|groovy)$/, 'java')
    .replace(/^cpp$/, 'c');
}

/** True when the file holds definitions, so that long lines or a header say something about who wrote it. */
export function isCode(language: string) {
  return language !== 'text' && !proseNames.has(language);
}

/** Null for a language of which nothing is known: its names are not followed. */
export function vocabularyOf(language: string | null) {
  return vocabularies.get(language ?? '') ?? null;
}

// What a path, and the lines that changed below it, say about a file; the table beside this file says which. Hints only: they lower
// a severity, keep a rule quiet or order the reading; they never hide a file.

const patterns = new Map(
  Object.entries(words.paths).map(([word, byFlags]) => [
    word,
    Object.entries(byFlags).map(([flags, parts]) => new RegExp(parts.join('|'), flags)),
  ]),
);

function says(word: string): (path: string) => boolean {
  return path => patterns.get(word)?.some(pattern => pattern.test(path)) === true;
}

export const isTestPath = says('test');
export const isFixturePath = says('fixture');
/** Prose, for people. */
export const isDocumentPath = says('document');
/** Examples, demonstrations and samples. */
export const isExamplePath = says('example');
/** Code that talks to a terminal or serves the project itself: printing is its work. */
export const isToolPath = says('tool');
/** Programs that people of the project run on their own machines, with input of their own. */
export const isScriptPath = says('script');
/** Work of others that is kept here as it came. */
export const isVendoredPath = says('vendored');
export const isConfigurationSchema = says('schema');

const hints = 'fixture document example tool script vendored built'.split(' ');

export function hintsOf(path: string) {
  return hints.filter(hint => says(hint)(path));
}

/** What a file of the scope is, by its path and the lines that changed: decides who has it in the domain and when it is read. */
export interface ScopeFile {
  readonly path: string;
  /** Added and removed lines, without their marks; default: none is known. */
  readonly changedLines?: readonly string[];
}

const kinds = {
  test: isTestPath,
  code: says('code'),
  documentation: says('documentation'),
  manifest: (path: string) => says('manifest')(path) || isLockfile(path),
  configuration: (path: string) => says('configuration')(path) || isConfigurationSchema(path),
  'entry-point': says('entry-point'),
  'public-api': says('public-api'),
  'command-line': (path: string) => says('command-line')(path) && says('code')(path),
};
export type FileKind = keyof typeof kinds;

/** What a test exports or calls is nobody's interface. */
const notOfTests = new Set(['entry-point', 'public-api', 'command-line']);
const lines = Object.entries(words.lines).map(([kind, line]) => [kind, new RegExp(line)] as const);

export function kindsOf({ path, changedLines = [] }: ScopeFile): ReadonlySet<FileKind> {
  const found = new Set<string>(
    Object.entries(kinds).flatMap(([kind, isSo]) => (isSo(path) ? kind : [])),
  );
  if (found.has('code'))
    for (const [kind, line] of lines) if (changedLines.some(one => line.test(one))) found.add(kind);
  if (found.has('test')) for (const kind of notOfTests) found.delete(kind);
  return found as Set<FileKind>;
}

const matcherFor = remember((glob: string) => picomatch(glob, { dot: true }));

/** The first of some globs that names a path. */
export function globFor(path: string, globs: readonly string[]) {
  return globs.find(glob => matcherFor(glob)(path));
}

/** Of a domain: without globs it is everything. */
export function holdsPath(globs: readonly string[], path: string) {
  return globs.length === 0 || globFor(path, globs) !== undefined;
}

const locks = words.locks.map(({ lock, flags = 'i', manifests }) => ({
  lock: new RegExp(lock, flags),
  manifests: new RegExp(manifests),
}));

/** What a package manager writes down of what it chose. */
export function isLockfile(path: string) {
  return lockAt(path) !== undefined;
}

/** Is `manifest` what the lockfile `lock` is written from, by their names alone? */
export function isManifestOf(manifest: string, lock: string) {
  return lockAt(lock)?.manifests.test(lastOf(manifest)) ?? false;
}

function lockAt(path: string) {
  return locks.find(({ lock }) => lock.test(lastOf(path)));
}

// Separates code from comments and strings without parsing: one pass, linear on any input. Both results have the length and the
// line breaks of the text; what does not belong is blank. Quotation marks stay in the code.

type Kind = 'code' | 'comment' | 'string';

/** Unknown families keep their whole text on both sides. */
export function maskText(text: string, family: string | null) {
  const manners = rows.find(({ name }) => name === family)?.comments;
  if (manners === undefined) return { code: text, comments: text };
  const code: string[] = [];
  const comments: string[] = [];
  let position = 0;
  const take = (end: number, kind: Kind) => {
    const piece = text.slice(position, end);
    code.push(kind === 'code' ? piece : kind === 'string' ? hollow(piece) : blank(piece));
    comments.push(kind === 'comment' ? piece : blank(piece));
    position = end;
  };
  while (position < text.length) {
    const token = nextToken(text, position, manners);
    if (token.start > position) take(token.start, 'code');
    if (token.end > token.start) take(token.end, token.kind);
  }
  return { code: code.join(''), comments: comments.join('') };
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

/** The next comment, string or regular expression at or behind `from`; an empty one at the end of the text. */
function nextToken(
  text: string,
  from: number,
  {
    lineComment,
    hasBlockComments,
    quotes,
    longQuotes,
    hasRegularExpressions,
  }: (typeof rows)[number]['comments'],
): Token {
  for (let start = from; start < text.length; start += 1) {
    const character = text[start] ?? '';
    if (!'#/"\'`'.includes(character)) continue;
    const long = longQuotes.find(quote => text.startsWith(quote, start));
    if (long !== undefined)
      return { start, end: endOfString(text, start + long.length, long, true), kind: 'string' };
    if (quotes.includes(character))
      return { start, end: endOfString(text, start + 1, character, false), kind: 'string' };
    if (lineComment !== null) {
      lineComment.lastIndex = start;
      if (lineComment.test(text)) return { start, end: lineEnd(text, start), kind: 'comment' };
    }
    if (character === '/' && text[start + 1] === '*' && hasBlockComments) {
      const close = text.indexOf('*/', start + 2);
      return { start, end: close === -1 ? text.length : close + 2, kind: 'comment' };
    }
    if (character === '/' && hasRegularExpressions && opensExpression(text, start)) {
      const end = endOfExpression(text, start + 1);
      if (end !== null) return { start, end, kind: 'string' };
    }
  }
  return { start: text.length, end: text.length, kind: 'code' };
}

function endOfString(text: string, from: number, quote: string, isLong: boolean) {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text.startsWith(quote, position)) return position + quote.length;
    else if (text[position] === '\n' && !isLong) return position;
  }
  return text.length;
}

/** A slash begins a regular expression where an operand is expected. */
function opensExpression(text: string, slash: number) {
  const before = text.slice(Math.max(0, slash - 24), slash).trimEnd();
  return (
    before === '' ||
    /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|do|else))$/.test(before)
  );
}

/** Behind the closing slash; null when the line ends before it. */
function endOfExpression(text: string, from: number) {
  let inClass = false;
  const limit = Math.min(text.length, from + 500);
  for (let position = from; position < limit; position += 1) {
    const character = text[position];
    if (character === '\\') position += 1;
    else if (character === '\n') return null;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return position + 1;
  }
  return null;
}

/** Of a comment: what some language takes for the end of a line ends it, so that nothing behind it goes for one. */
function lineEnd(text: string, from: number) {
  const ends = /[\n\r\u2028\u2029]/g;
  ends.lastIndex = from;
  return ends.exec(text)?.index ?? text.length;
}

function blank(text: string) {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Keeps the first and the last character: the marks that say that a string stands here. */
function hollow(text: string) {
  return text.length < 2
    ? text
    : text.charAt(0) + blank(text.slice(1, -1)) + text.charAt(text.length - 1);
}

export interface SymbolUse extends Reference {
  /** The thing before a dot, empty where it has no name; null for a name that stands alone. */
  readonly owner: string | null;
  readonly language: Vocabulary;
}
