/** Answers about one tree from the tables. Every answer is read to its end at once: nothing stays locked. */
import {
  type Binding,
  Counter,
  type Definition,
  type Import,
  type IndexedFile,
  type IndexStatistics,
  type Reference,
  type SkippedFile,
} from '../../core/words/code-index.ts';
import { by, groupBy, remember } from '../../core/groups.ts';
import { parseJson } from '../../core/json.ts';
import { createImportResolver, type ImportResolver } from '../../core/languages/resolve-import.ts';
import type { CodeIndex, Tree } from '../../core/ports/repository.ts';
import type { Database } from '../store/sqlite.ts';

import { identifiersOf } from '../../core/text.ts';
import { rankPassages, readQuery } from './rank.ts';

interface Questions extends Omit<CodeIndex, 'hiding' | 'close'> {
  /** The passages of a file follow one another without a gap. */
  passagesOf(path: string): readonly PassageRow[];
}

type AskedTree = Pick<Tree, 'id' | 'branch'> & { number: number };

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
) {
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
    referencesTo: name =>
      ask<UsageRow>(`SELECT e.path, u.name, u.calls, u.uses ${named} ORDER BY e.path`, name)
        .flatMap(placesIn)
        .toSorted(by(({ kind }) => kind)),
    usesIn: path =>
      ask<UsageRow>(
        `SELECT e.path, u.name, u.calls, u.uses ${ofOne('usage u ON u.content = e.content')}`,
        path,
      )
        .flatMap(placesIn)
        .toSorted(by(({ line }) => line)),
    bindingsIn: path => (partOf(path, 'bindings') ?? []) as Binding[],
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
  path: string;
}

interface UsageRow extends Named {
  name: string;
  calls: string;
  uses: string;
}

/** Calls first. */
function placesIn({ path, name, calls, uses }: UsageRow): Reference[] {
  const places = (lines: string, kind: Reference['kind']) =>
    (lines.match(/\d+/g) ?? [])
      .map(line => ({ path, name, line: Number(line), kind }))
      .toSorted(by(({ line }) => line));
  return [...places(calls, 'call'), ...places(uses, 'use')];
}

/** Those of one file are resolved when they are asked for, those of all files only when somebody asks who imports a file. */
function createImports(
  ask: Ask,
  partOf: (path: string, column: string) => unknown,
  passagesOf: Questions['passagesOf'],
): Pick<Questions, 'importsOf' | 'leadsTo' | 'importersOf'> {
  let resolver: ImportResolver | null = null;
  let importers: ReadonlyMap<string, readonly { found: Import }[]> | null = null;
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
    ((rows ?? []) as Omit<Import, 'path' | 'targets'>[]).map(row => ({
      path,
      ...row,
      targets: leadsTo(path, row.specifier),
    }));
  return {
    leadsTo,
    importsOf: remember(path => resolve(path, partOf(path, 'imports'))),
    importersOf(path) {
      importers ??= groupBy(
        ask<Named & { part: string }>(
          `SELECT e.path, c.imports AS part ${read} AND c.imports <> '[]' ORDER BY e.path`,
        )
          .flatMap(row => resolve(row.path, parseJson(row.part)))
          .flatMap(found => found.targets.map(target => ({ target, found }))),
        ({ target }) => target,
      );
      return importers.get(path)?.map(({ found }) => found) ?? [];
    },
  };
}

const noCounter: IndexStatistics['counter'] = { name: 'none', version: '0', estimated: false };
type Sums = Omit<IndexStatistics, 'branch' | 'tree' | 'counter' | 'languages' | 'skipped'>;

function count(ask: Ask, { id, branch }: AskedTree): IndexStatistics {
  const [sums] = ask<Sums>(
    'SELECT COUNT(*) AS files, TOTAL(c.bytes) AS bytes, TOTAL(c.lines) AS lines, TOTAL(c.tokens) AS tokens, ' +
      'TOTAL(json_array_length(c.definitions)) AS definitions, TOTAL(c.places) AS "references", ' +
      `TOTAL(json_array_length(c.imports)) AS imports ${read}`,
  ) as [Sums];
  const [counter] = ask<{ value: string }>('SELECT value FROM setting');
  return {
    branch,
    tree: id,
    ...sums,
    counter: Counter.safeParse(parseJson(counter?.value ?? '')).data ?? noCounter,
    languages: ask(
      `SELECT c.language, COUNT(*) AS files, TOTAL(c.tokens) AS tokens ${read} GROUP BY c.language ORDER BY files DESC, c.language`,
    ),
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
  path: string;
  place: number;
  startLine: number;
  endLine: number;
  body: string;
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
  { definitionsOf, definitionsIn, passagesOf }: Questions,
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
  if (!query || limit < 1) return [];
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
  const passages = [...found.values()].map(({ path, place, startLine, endLine }) => ({
    path,
    startLine,
    endLine,
    // With the passage behind it, into which its last definitions reach, and the lines before, where comments on its first one stand.
    bodies: ask<Pick<PassageRow, 'startLine' | 'body'>>(
      'SELECT startLine, body FROM passage WHERE rowid BETWEEN ? AND ? AND rowid >> 20 = ? >> 20 ORDER BY rowid',
      place - 1,
      place + 1,
      place,
    ),
    definitions: definitionsIn(path).filter(
      one => startLine <= one.startLine && one.startLine <= endLine,
    ),
  }));
  return rankPassages(passages, query, limit);
}

export function firstPassage(content: number) {
  return content * 2 ** 20;
}
