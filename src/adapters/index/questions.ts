/** Answers about one tree from the tables. Every answer is read to its end at once: nothing stays locked. */
import {
  Counter,
  type Binding,
  type Definition,
  type Import,
  type IndexedFile,
  type IndexStatistics,
  type Reference,
  type SkippedFile,
} from '../../core/words/code-index.ts';
import { parseJson } from '../../core/json.ts';
import { createImportResolver, type ImportResolver } from '../../core/languages/resolve-import.ts';
import type { CodeIndex } from '../../core/ports/code-index.ts';
import type { Database } from '../store/sqlite.ts';
import { firstPassage } from './index-file.ts';
import { type Ask, type PassageRow, search, type SearchedIndex } from './search.ts';

export type Questions = Omit<CodeIndex, 'refresh' | 'hiding' | 'close'> &
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
const ofOne = (table: string): string =>
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
  const partOf = (path: string, column: string): unknown => {
    const [row] = ask<{ readonly part: string | null }>(
      `SELECT e.path, c.${column} AS part ${ofOne('content c ON c.number = e.content')}`,
      path,
    );
    return parseJson(row?.part ?? 'null');
  };
  const known = new Map<string, readonly Definition[]>();
  const definitionsIn = (path: string): readonly Definition[] => {
    const found =
      known.get(path) ??
      ((partOf(path, 'definitions') ?? []) as readonly Omit<Definition, 'path'>[]).map(one => ({
        path,
        ...one,
      }));
    known.set(path, found);
    return found;
  };
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
    bindingsIn: path => partOf(path, 'bindings') as readonly Binding[] | null,
    ...createImports(ask, partOf, path => questions.passagesOf(path)),
    passagesOf: path =>
      ask<PassageRow>(
        'SELECT e.path, p.rowid AS place, p.startLine, p.endLine, p.body ' +
          `${ofOne(`passage p ON p.rowid >= e.content * ${firstPassage(1)} AND p.rowid < (e.content + 1) * ${firstPassage(1)}`)} ORDER BY p.rowid`,
        path,
      ),
    search: (query, limit) => search(ask, questions, query, limit),
  };
  return questions;
}

/** The same few questions are asked thousands of times. A row about a file names its path. */
function createAsk(database: Database, tree: number, isHidden: (path: string) => boolean): Ask {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  return <Row>(sql: string, ...values: readonly (string | number)[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    const given = sql.includes('?1') ? [tree, ...values] : values;
    return Array.from(statement.iterate(...given), row => ({
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
  const known = new Map<string, readonly Import[]>();
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
    ((rows ?? []) as readonly ImportRow[]).map(row => ({
      path,
      ...row,
      targets: leadsTo(path, row.specifier),
    }));
  return {
    leadsTo,
    importsOf(path) {
      const imports = known.get(path) ?? resolve(path, partOf(path, 'imports'));
      known.set(path, imports);
      return imports;
    },
    importersOf(path) {
      if (importers === null) {
        importers = new Map();
        const rows = ask<Named & { readonly part: string }>(
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
  const [counter] = ask<{ readonly value: string }>('SELECT value FROM setting');
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
