// What a path says: whether it is code, how that language writes comments and strings, whether it is a test. The bench has its
// own table, so that a gap in the product's is seen as one.

/**
 * How a language writes comments and strings.
 * @typedef {{ readonly name: string, readonly endings: string, readonly line: readonly string[],
 *   readonly block: readonly (readonly string[])[], readonly quotes: readonly string[], readonly hasRegex?: boolean,
 *   readonly hasLifetimes?: boolean, readonly hasWordLists?: boolean }} Language
 */

const cLike = { line: ['//'], block: [['/*', '*/']], quotes: ['"', "'"] };
const hash = { line: ['#'], block: [], quotes: ['"', "'"] };

/** @type {readonly Language[]} */
const languages = [
  {
    name: 'JavaScript',
    endings: 'js mjs cjs jsx',
    ...cLike,
    quotes: ['"', "'", '`'],
    hasRegex: true,
  },
  {
    name: 'TypeScript',
    endings: 'ts mts cts tsx',
    ...cLike,
    quotes: ['"', "'", '`'],
    hasRegex: true,
  },
  { name: 'Python', endings: 'py pyi', ...hash, quotes: ['"""', "'''", '"', "'"] },
  { name: 'Go', endings: 'go', ...cLike, quotes: ['"', '`', "'"] },
  { name: 'Rust', endings: 'rs', ...cLike, quotes: ['"'], hasLifetimes: true },
  { name: 'Java', endings: 'java', ...cLike, quotes: ['"""', '"', "'"] },
  { name: 'Kotlin', endings: 'kt kts', ...cLike, quotes: ['"""', '"', "'"] },
  { name: 'Scala', endings: 'scala sc', ...cLike, quotes: ['"""', '"'], hasLifetimes: true },
  { name: 'Swift', endings: 'swift', ...cLike, quotes: ['"""', '"'] },
  { name: 'C', endings: 'c h', ...cLike },
  { name: 'C++', endings: 'cc cpp cxx hh hpp hxx', ...cLike },
  { name: 'C#', endings: 'cs', ...cLike },
  { name: 'PHP', endings: 'php', ...cLike, line: ['//', '#'] },
  {
    name: 'Ruby',
    endings: 'rb rake gemspec ru',
    ...hash,
    block: [['\n=begin', '\n=end']],
    hasWordLists: true,
  },
];

const byEnding = new Map(
  languages.flatMap(language =>
    language.endings.split(' ').map(ending => /** @type {const} */ ([ending, language])),
  ),
);

/** `null` for everything that is not code. */
export function languageOf(/** @type {string} */ path) {
  return byEnding.get(/\.([a-z+]+)$/i.exec(path)?.[1].toLowerCase() ?? '') ?? null;
}

const plainName = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
// `post?` is another method than `post`.
const rubyName = /[\p{L}_$][\p{L}\p{N}_$]*(?:[?!](?![=~]))?/gu;

/** The names of a line with their places, as the language writes them. */
export function namesIn(
  /** @type {string} */ line,
  /** @type {Pick<Language, 'name'>} */ language,
) {
  return line.matchAll(language.name === 'Ruby' ? rubyName : plainName);
}

export function isTestFile(/** @type {string} */ path) {
  return (
    /(?:^|\/)(?:tests?|__tests__|specs?|testing|testdata|e2e)\//i.test(path) ||
    /(?:[._-](?:test|spec)s?\.[a-z]+|_test\.go|Tests?\.(?:java|kt|cs|php|swift|scala)|_spec\.rb|(?:Spec|Suite)\.scala)$/.test(
      path,
    ) ||
    /(?:^|\/)(?:test_[^/]*|conftest)\.py$/.test(path) ||
    /(?:^|\/)(?:tests?|specs?|test-d)\.[a-z]+$/.test(path)
  );
}

/** Code that nobody in the project wrote or reads: it would fill the table of names with noise. */
export function isForeign(/** @type {string} */ path) {
  return /(?:^|\/)(?:node_modules|vendor|third_party|dist|bower_components)\/|\.min\.js$|\.pb\.go$|_pb2\.py$/.test(
    path,
  );
}
