/** Answers about one tree from the tables. Every answer is read to its end at once: nothing stays locked. */
import { join } from 'node:path';
import { remember } from '../../core/groups.ts';
import { parseJson } from '../../core/json.ts';
import { type ImportResolver, createImportResolver } from '../../core/languages/resolve-import.ts';
import type { CodeIndex } from '../../core/ports/repository.ts';
import { identifiersOf } from '../../core/text.ts';
import {
  type Binding,
  Counter,
  type Definition,
  type Import,
  type IndexStatistics,
  type IndexedFile,
  type Reference,
  type SkippedFile,
} from '../../core/words/code-index.ts';
import { explainDiskFailure } from '../store/atomic-write.ts';
import {
  type Database,
  explainRefusal,
  inTransaction,
  isDamage,
  openPrivate,
} from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';
import { type RankedPassage, rankPassages, readQuery } from './rank.ts';

type Questions = Omit<CodeIndex, 'refresh' | 'hiding' | 'close'> &
  Pick<SearchedIndex, 'passagesOf'>;

interface AskedTree {
  readonly number: number;
  readonly id: string;
  readonly branch: string;
}

const read =
  'FROM entry e JOIN content c ON c.number = e.content WHERE e.tree = ?1 AND c.reason IS NULL';
const skipped =
  'FROM entry e LEFT JOIN content c ON c.number = e.content WHERE e.tree = ?1 AND COALESCE(e.reason, c.reason) IS NOT NULL';
// Without the order of the tables being forced, all that the project holds is looked through for what one file holds.
const ofOne = (table: string) =>
  `FROM entry e CROSS JOIN ${table} WHERE e.tree = ?1 AND e.path = ?2`;
const named =
  'FROM usage u CROSS JOIN entry e ON e.content = u.content AND e.tree = ?1 WHERE u.name = ?2';

/** As if the files that are hidden were not there. */
export function answerAbout(
  database: Database,
  tree: AskedTree,
  isHidden: (path: string) => boolean,
): Questions {
  const ask = createAsk(database, tree.number, isHidden);
  const partOf = (path: string, column: string) => {
    const [row] = ask<{ part: string | null }>(
      `SELECT e.path, c.${column} AS part ${ofOne('content c ON c.number = e.content')}`,
      path,
    );
    return parseJson(row?.part ?? 'null');
  };
  const definitionsIn = remember(path =>
    ((partOf(path, 'definitions') ?? []) as Omit<Definition, 'path'>[]).map(one => ({
      path,
      ...one,
    })),
  );
  const questions: Questions = {
    statistics: () => count(ask, tree),
    files: () =>
      ask<IndexedFile>(
        `SELECT e.path, c.language, c.bytes, c.lines, c.tokens, c.id ${read} ORDER BY e.path`,
      ),
    skipped: () =>
      ask<SkippedFile>(
        `SELECT e.path, COALESCE(e.reason, c.reason) AS reason ${skipped} ORDER BY e.path`,
      ),
    definitionsOf: name =>
      ask<Named>(`SELECT e.path ${named} AND u.isDefined ORDER BY e.path`, name).flatMap(
        ({ path }) => definitionsIn(path).filter(one => one.name === name),
      ),
    definitionsIn,
    referencesTo(name) {
      const rows = ask<UsageRow>(
        `SELECT e.path, u.name, u.calls, u.uses ${named} ORDER BY e.path`,
        name,
      );
      return [
        ...rows.flatMap(row => placesIn(row, 'call')),
        ...rows.flatMap(row => placesIn(row, 'use')),
      ];
    },
    usesIn: path =>
      ask<UsageRow>(
        `SELECT e.path, u.name, u.calls, u.uses ${ofOne('usage u ON u.content = e.content')}`,
        path,
      )
        .flatMap(row => [...placesIn(row, 'call'), ...placesIn(row, 'use')])
        .toSorted((one, other) => one.line - other.line),
    bindingsIn: path => partOf(path, 'bindings') as Binding[] | null,
    ...createImports(ask, partOf, path => questions.passagesOf(path)),
    passagesOf: path =>
      ask<PassageRow>(
        'SELECT e.path, p.rowid AS place, p.startLine, p.endLine, p.body ' +
          ofOne(
            `passage p ON p.rowid >= e.content * ${firstPassage(1)} AND p.rowid < (e.content + 1) * ${firstPassage(1)}`,
          ) +
          ' ORDER BY p.rowid',
        path,
      ),
    search: (query, limit) => search(ask, questions, query, limit),
  };
  return questions;
}

/** The same few questions are asked thousands of times. A row about a file names its path. */
function createAsk(database: Database, tree: number, isHidden: (path: string) => boolean): Ask {
  const prepared = remember(sql => database.prepare(sql));
  return <Row>(sql: string, ...values: (string | number)[]) => {
    const given = sql.includes('?1') ? [tree, ...values] : values;
    return Array.from(prepared(sql).iterate(...given), row => ({
      ...(row as Row & Partial<Named>),
    })).filter(({ path }) => path === undefined || !isHidden(path));
  };
}

interface Named {
  readonly path: string;
}

interface UsageRow extends Named {
  readonly name: string;
  readonly calls: string;
  readonly uses: string;
}

function placesIn({ path, name, calls, uses }: UsageRow, kind: Reference['kind']): Reference[] {
  const lines = kind === 'call' ? calls : uses;
  return (lines === '' ? [] : lines.split(' ').map(Number))
    .toSorted((one, other) => one - other)
    .map(line => ({ path, name, line, kind }));
}

type ImportRow = Omit<Import, 'path' | 'targets'>;

/** Those of one file are resolved when they are asked for, those of all files only when somebody asks who imports a file. */
function createImports(
  ask: Ask,
  partOf: (path: string, column: string) => unknown,
  passagesOf: Questions['passagesOf'],
): Pick<Questions, 'importsOf' | 'leadsTo' | 'importersOf'> {
  let resolver: ImportResolver | null = null;
  let importers: Map<string, Import[]> | null = null;
  const leadsTo: ImportResolver = (path, specifier) => {
    resolver ??= createImportResolver(
      ask<Named>('SELECT path FROM entry WHERE tree = ?1 AND content IS NOT NULL').map(
        ({ path: one }) => one,
      ),
      manifest => {
        const passages = passagesOf(manifest);
        return passages.length === 0 ? null : passages.map(({ body }) => body).join('');
      },
    );
    return resolver(path, specifier);
  };
  const resolve = (path: string, rows: unknown): Import[] =>
    ((rows ?? []) as ImportRow[]).map(row => ({
      path,
      ...row,
      targets: leadsTo(path, row.specifier),
    }));
  return {
    leadsTo,
    importsOf: remember(path => resolve(path, partOf(path, 'imports'))),
    importersOf(path) {
      if (importers === null) {
        importers = new Map();
        const rows = ask<Named & { part: string }>(
          `SELECT e.path, c.imports AS part ${read} AND c.imports <> '[]' ORDER BY e.path`,
        );
        for (const found of rows.flatMap(row => resolve(row.path, parseJson(row.part))))
          for (const target of found.targets)
            importers.set(target, [...(importers.get(target) ?? []), found]);
      }
      return importers.get(path) ?? [];
    },
  };
}

const noCounter: IndexStatistics['counter'] = { name: 'none', version: '0', estimated: false };
const sums = ['files', 'bytes', 'lines', 'tokens', 'definitions', 'references', 'imports'] as const;
type LanguageRow = IndexStatistics['languages'][number] &
  Pick<IndexStatistics, (typeof sums)[number]>;

function count(ask: Ask, { id, branch }: AskedTree): IndexStatistics {
  const rows = ask<LanguageRow>(
    'SELECT c.language, COUNT(*) AS files, SUM(c.tokens) AS tokens, SUM(c.bytes) AS bytes, ' +
      'SUM(c.lines) AS lines, SUM(json_array_length(c.definitions)) AS definitions, SUM(c.places) AS "references", ' +
      `SUM(json_array_length(c.imports)) AS imports ${read} GROUP BY c.language ORDER BY files DESC, c.language`,
  );
  const [counter] = ask<{ value: string }>('SELECT value FROM setting');
  const total = Object.fromEntries(
    sums.map(key => [key, rows.reduce((sum, row) => sum + row[key], 0)]),
  ) as Pick<IndexStatistics, (typeof sums)[number]>;
  return {
    branch,
    tree: id,
    ...total,
    counter: Counter.safeParse(parseJson(counter?.value ?? '')).data ?? noCounter,
    languages: rows.map(({ language, files, tokens }) => ({ language, files, tokens })),
    skipped: ask(
      `SELECT COALESCE(e.reason, c.reason) AS reason, COUNT(*) AS files ${skipped} GROUP BY 1 ORDER BY 2 DESC, 1`,
    ),
  };
}

// Search that finds definitions. The full-text index names passages that may hold the answer; what they define and how close
// together the words stand decides. The documentation of the code index explains the figures.

/** Asks the tables about one tree, the first value of every question; every answer is read to its end. */
type Ask = <Row>(sql: string, ...values: readonly (string | number)[]) => Row[];

interface PassageRow {
  readonly path: string;
  readonly place: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly body: string;
}

interface SearchedIndex extends Pick<CodeIndex, 'definitionsOf' | 'definitionsIn'> {
  /** The passages of a file follow one another without a gap. */
  passagesOf(path: string): readonly PassageRow[];
}

/** Passages looked at more closely: those that define something so called, and those that merely hold the words. */
const mostDefining = 160;
const mostHolding = 120;
/** Definitions of one name as it is written, which is found however many passages hold its parts. */
const mostExact = 60;
/** Weights of a text, of the parts of its identifiers, and of the names that it defines. */
const weights = '1.0, 0.5, 3.0';

function search(
  ask: Ask,
  { definitionsOf, definitionsIn, passagesOf }: SearchedIndex,
  written: string,
  limit: number,
) {
  const [{ total } = { total: 0 }] = ask<{ total: number }>(
    'SELECT COUNT(*) AS total FROM passage_docsize',
  );
  const query = readQuery(written, total, word => {
    const [row] = ask<{ found: number }>(
      'SELECT COUNT(*) AS found FROM passage WHERE passage MATCH ?',
      `"${word}"`,
    );
    return row?.found ?? 0;
  });
  if (query === null || limit < 1) return [];
  // Any of the words; quoted, a word is never an operator of the query language.
  const expression = query.words.map(word => `"${word}"`).join(' OR ');
  // The best by the formula of Robertson and Zaragoza (BM25, 2009). SQLite ranks with negative figures, the best one lowest.
  const matching = (sought: string, most: number) =>
    ask<PassageRow>(
      'SELECT e.path, passage.rowid AS place, startLine, endLine FROM passage JOIN entry e ON e.tree = ?1 ' +
        `AND e.content = passage.rowid >> 20 WHERE passage MATCH ?2 ORDER BY bm25(passage, ${weights}), e.path, startLine LIMIT ?3`,
      sought,
      most,
    );
  const exact = [...identifiersOf(written)]
    .slice(0, 8)
    .flatMap(name => definitionsOf(name).slice(0, mostExact))
    .flatMap(({ path, startLine: line }) =>
      passagesOf(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    );
  const found = new Map<string, PassageRow>();
  for (const row of [
    ...exact,
    ...matching(`names : (${expression})`, mostDefining),
    ...matching(expression, Math.max(mostHolding, limit)),
  ])
    found.set(`${row.place} ${row.path}`, row);
  const passages = [...found.values()].map(
    ({ path, place, startLine, endLine }): RankedPassage => ({
      path,
      startLine,
      endLine,
      // With the passage behind it, into which its last definitions reach, and the lines before, where comments on its first one stand.
      bodies: ask<Pick<PassageRow, 'place' | 'startLine' | 'body'>>(
        'SELECT rowid AS place, startLine, body FROM passage WHERE rowid BETWEEN ? AND ? ORDER BY rowid',
        place - 1,
        place + 1,
      ).filter(one => contentOf(one.place) === contentOf(place)),
      definitions: definitionsIn(path).filter(
        one => startLine <= one.startLine && one.startLine <= endLine,
      ),
    }),
  );
  return rankPassages(passages, query, limit);
}

// `index.sqlite`: nothing in it cannot be made again, so that a file of another version or a damaged one is replaced.

/** Raised whenever tables change, or what a grammar's queries find. */
const formatVersion = 7;

/**
 * What a content holds is kept as JSON beside it, by name only where it is used and whether it is defined. Its passages have the
 * numbers from `firstPassage` on, so that they follow one another.
 */
const tables = `
  CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE content(number INTEGER PRIMARY KEY, id TEXT NOT NULL, language TEXT NOT NULL, reason TEXT,
    bytes INTEGER, lines INTEGER, tokens INTEGER, places INTEGER, definitions TEXT, imports TEXT, bindings TEXT, UNIQUE(id, language));
  CREATE TABLE tree(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
  CREATE TABLE entry(tree INTEGER NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, content INTEGER, reason TEXT,
    PRIMARY KEY(tree, path)) WITHOUT ROWID;
  CREATE INDEX entry_content ON entry(tree, content);
  CREATE TABLE usage(name TEXT NOT NULL, content INTEGER NOT NULL, isDefined INTEGER NOT NULL, calls TEXT NOT NULL, uses TEXT NOT NULL,
    PRIMARY KEY(name, content)) WITHOUT ROWID;
  CREATE INDEX usage_content ON usage(content);
  CREATE VIRTUAL TABLE passage USING fts5(body, words, names, startLine UNINDEXED, endLine UNINDEXED, tokenize='porter unicode61');
`;

const mostPassages = 2 ** 20;

export function firstPassage(content: number): number {
  return content * mostPassages;
}

function contentOf(passage: number): number {
  return Math.floor(passage / mostPassages);
}

function indexPath({ root }: StateFolder) {
  return join(root, 'index.sqlite');
}

/** Creates the file and its tables. `onNote` is told when an earlier one could not be used. Throws `UserError` when the disk refuses. */
export async function openIndexFile(
  state: StateFolder,
  onNote: (message: string) => void,
): Promise<Database> {
  try {
    return await openWithTables(state, onNote);
  } catch (error) {
    if (!isDamage(error)) throw explainIndexFailure(state, error);
    await removeIndexFile(state);
    onNote('The code index was damaged and is built anew.');
    return openWithTables(state, onNote);
  }
}

/** What a person can do about an error of the disk or of the database; the error itself for any other. */
export function explainIndexFailure(state: StateFolder, error: unknown): unknown {
  const path = indexPath(state);
  return explainRefusal(
    explainDiskFailure(error, { what: 'The code index', path, again: 'try again' }),
    path,
  );
}

export async function removeIndexFile(state: StateFolder): Promise<void> {
  for (const ending of ['', '-journal', '-wal', '-shm'])
    await state.disk.remove(indexPath(state) + ending);
}

async function openWithTables(state: StateFolder, onNote: (message: string) => void) {
  const database = await openPrivate(state.disk, indexPath(state));
  const version = () =>
    (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  try {
    // What is lost with the power is built again; a killed process loses nothing.
    database.exec(
      'PRAGMA busy_timeout=30000; PRAGMA synchronous=NORMAL; PRAGMA cell_size_check=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY',
    );
    if (version() === formatVersion) return database;
    inTransaction(database, () => {
      // Another process may have made them while this one waited.
      const known = version();
      if (known === formatVersion) return;
      if (known !== 0)
        onNote('The code index was written by another version of Jury and is built anew.');
      forEachTable(database, 'DROP TABLE');
      database.exec(`${tables}; PRAGMA user_version=${formatVersion}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Those that a virtual table keeps for itself go with it. */
export function forEachTable(database: Database, action: 'DROP TABLE' | 'DELETE FROM'): void {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_%'",
    )
    .iterate();
  for (const { name } of Array.from(names as Iterable<{ name: string }>))
    database.exec(`${action} ${name}`);
}
