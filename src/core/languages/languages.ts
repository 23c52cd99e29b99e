/** Reads the table of languages: what the name of a file tells of its language, and what is known of that. */
import table from './languages.json' with { type: 'json' };

export interface CommentManners {
  readonly lineComment: RegExp | null;
  readonly hasBlockComments: boolean;
  readonly quotes: string;
  /** Quotes whose strings go on over line ends. */
  readonly longQuotes: readonly string[];
  readonly hasRegularExpressions: boolean;
}

/** Reserved words, and what is built in. */
export interface Vocabulary {
  readonly keywords: ReadonlySet<string>;
  /** Names that are there without an import. */
  readonly globals: ReadonlySet<string>;
  /** Methods and fields of what is built in: too common to be looked up by name. */
  readonly members: ReadonlySet<string>;
  /** What a name reaches without a word: what is imported, the files of its folder too, or all of the project. */
  readonly reach: string;
}

const rows = Object.entries(table.families).map(([name, row]) => ({
  name,
  files: new RegExp(row.files, 'i'),
  languages: row.languages as readonly string[],
  comments: {
    lineComment: row.comments.line === null ? null : new RegExp(row.comments.line, 'y'),
    hasBlockComments: row.comments.block,
    quotes: row.comments.quotes,
    longQuotes: row.comments.long as readonly string[],
    hasRegularExpressions: row.comments.expressions,
  },
  vocabulary: {
    keywords: wordsOf(row.keywords),
    globals: wordsOf(row.globals),
    members: wordsOf(row.members),
    reach: row.reach,
  },
}));

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(line => line.split(' ')));
}

const comments = new Map<string, CommentManners>(rows.map(row => [row.name, row.comments]));
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
export function familyOf(path: string): string | null {
  return rows.find(({ files }) => files.test(path))?.name ?? null;
}

export function commentsOf(family: string): CommentManners | null {
  return comments.get(family) ?? null;
}

export function grammarOf(path: string): string | null {
  return grammars.get(endingOf(path)) ?? null;
}

/** Name of the language of a file: what a grammar reads, what lines alone tell, else `text`. */
export function languageOf(path: string): string {
  return grammarOf(path)?.replace('c_sharp', 'csharp') ?? others.get(endingOf(path)) ?? 'text';
}

function endingOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Languages that are written in one another's files, or use one another's names. */
export function isSameFamily(one: string | null, other: string | null): boolean {
  return familyName(one) === familyName(other);
}

function familyName(language: string | null): string {
  return (language ?? '')
    .replace(/^(?:typescript|tsx|vue|svelte)$/, 'javascript')
    .replace(/^(?:kotlin|scala|groovy)$/, 'java')
    .replace(/^cpp$/, 'c');
}

/** True when the file holds definitions, so that long lines or a header say something about who wrote it. */
export function isCode(language: string): boolean {
  return language !== 'text' && !proseNames.has(language);
}

/** Null for a language of which nothing is known: its names are not followed. */
export function vocabularyOf(language: string | null): Vocabulary | null {
  return vocabularies.get(language ?? '') ?? null;
}
