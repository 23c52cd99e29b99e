/** Reads the table of languages: what the name of a file tells of its language, and what is known of that. */
import table from './languages.json' with { type: 'json' };

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

export type CommentManners = (typeof rows)[number]['comments'];
export type Vocabulary = (typeof rows)[number]['vocabulary'];

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
export function familyOf(path: string): string | null {
  return rows.find(({ files }) => files.test(path))?.name ?? null;
}

export function commentsOf(family: string): CommentManners | null {
  return rows.find(({ name }) => name === family)?.comments ?? null;
}

export function grammarOf(path: string): string | null {
  return grammars.get(endingOf(path)) ?? null;
}

/** Name of the language of a file: what a grammar reads, what lines alone tell, else `text`. */
export function languageOf(path: string): string {
  return grammarOf(path)?.replace('c_sharp', 'csharp') ?? others.get(endingOf(path)) ?? 'text';
}

function endingOf(path: string) {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Languages that are written in one another's files, or use one another's names. */
export function isSameFamily(one: string | null, other: string | null): boolean {
  return familyName(one) === familyName(other);
}

function familyName(language: string | null) {
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
