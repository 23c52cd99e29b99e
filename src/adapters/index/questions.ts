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
import { type Ask, search } from './search.ts';

type Questions = Omit<CodeIndex, 'refresh' | 'hiding' | 'close'>;

interface AskedTree {
  readonly number: number;
  readonly id: string;
  readonly branch: string;
}

const definitionColumns =
  'e.path, d.name, d.kind, d.startLine, d.endLine, d.nameLine, d.signature FROM definition d JOIN ' +
  'entry e ON e.content = d.content AND e.tree = ?';
const outerFirst = 'd.startLine, d.endLine DESC';

/** As if the files that are hidden were not there. */
export function answerAbout(
  database: Database,
  tree: AskedTree,
  isHidden: (path: string) => boolean,
): Questions {
  const ask = createAsk(database, isHidden);
  const { number } = tree;
  const imports = createImports(ask, number);
  return {
    statistics: () => count(ask, tree),
    files: () =>
      ask<IndexedFile>(
        'SELECT e.path, c.language, c.bytes, c.lines, c.tokens, c.id FROM entry e JOIN content c ON ' +
          'c.number = e.content WHERE e.tree = ? AND c.reason IS NULL ORDER BY e.path',
        number,
      ),
    skipped: () =>
      ask<SkippedFile>(
        'SELECT e.path, COALESCE(e.reason, c.reason) AS reason FROM entry e LEFT JOIN content c ON ' +
          'c.number = e.content WHERE e.tree = ? AND COALESCE(e.reason, c.reason) IS NOT NULL ORDER BY e.path',
        number,
      ),
    definitionsOf: name =>
      ask<Definition>(
        `SELECT ${definitionColumns.replace('definition d JOIN', 'definition d CROSS JOIN')} WHERE d.name = ? ORDER BY e.path, d.startLine`,
        number,
        name,
      ),
    definitionsIn: path =>
      ask<Definition>(
        'SELECT e.path, d.name, d.kind, d.startLine, d.endLine, d.nameLine, d.signature FROM entry e ' +
          'CROSS JOIN definition d ON d.content = e.content WHERE e.tree = ? AND e.path = ? ORDER BY ' +
          outerFirst,
        number,
        path,
      ),
    enclosing: (path, line) =>
      ask<Definition>(
        `SELECT ${definitionColumns} WHERE e.path = ? AND d.startLine <= ? AND d.endLine >= ? AND d.kind <> 'field' ORDER BY ${outerFirst}`,
        number,
        path,
        line,
        line,
      ),
    referencesTo: name => readReferences(ask, number, name),
    usesIn: path => readUses(ask, number, path),
    bindingsIn: path => readBindings(ask, number, path),
    importsOf: path => imports.of(path),
    leadsTo: (path, specifier) => imports.leadsTo(path, specifier),
    importersOf: path => imports.to(path),
    search: (query, limit) => search(ask, number, query, limit),
  };
}

/** The same few questions are asked thousands of times. A row about a file names its path. */
function createAsk(database: Database, isHidden: (path: string) => boolean): Ask {
  const statements = new Map<string, ReturnType<Database['prepare']>>();
  return <Row>(sql: string, ...values: readonly (string | number)[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    if (statements.size < 32) statements.set(sql, statement);
    return Array.from(statement.iterate(...values), row => ({ ...(row as Row & Named) })).filter(
      ({ path }) => path === undefined || !isHidden(path),
    );
  };
}

interface Named {
  readonly path?: string;
}

interface UsageRow {
  readonly path: string;
  readonly calls: string;
  readonly uses: string;
}

function readReferences(ask: Ask, tree: number, name: string): Reference[] {
  const rows = ask<UsageRow>(
    'SELECT e.path, u.calls, u.uses FROM usage u CROSS JOIN entry e ON e.content = u.content AND ' +
      'e.tree = ? WHERE u.name = ? ORDER BY e.path',
    tree,
    name,
  );
  const places = (kind: Reference['kind'], lines: (row: UsageRow) => string): Reference[] =>
    rows.flatMap(row =>
      linesOf(lines(row))
        .toSorted((one, other) => one - other)
        .map(line => ({ path: row.path, name, line, kind })),
    );
  return [...places('call', row => row.calls), ...places('use', row => row.uses)];
}

function readUses(ask: Ask, tree: number, path: string): Reference[] {
  const rows = ask<{ readonly name: string; readonly calls: string; readonly uses: string }>(
    'SELECT e.path, u.name, u.calls, u.uses FROM entry e CROSS JOIN usage u ON u.content = e.content WHERE e.tree = ? AND e.path = ?',
    tree,
    path,
  );
  const places = ({ name, calls, uses }: (typeof rows)[number]): Reference[] => [
    ...linesOf(calls).map(line => ({ path, name, line, kind: 'call' as const })),
    ...linesOf(uses).map(line => ({ path, name, line, kind: 'use' as const })),
  ];
  return rows.flatMap(places).toSorted((one, other) => one.line - other.line);
}

/** The passages of a file follow one another without a gap. Null for one that was not read. */
function readText(ask: Ask, tree: number, path: string): string | null {
  const passages = ask<{ readonly body: string }>(
    'SELECT e.path, passage.body AS body FROM entry e CROSS JOIN place p ON p.content = e.content CROSS JOIN ' +
      'passage ON passage.rowid = p.number WHERE e.tree = ? AND e.path = ? ORDER BY p.number',
    tree,
    path,
  );
  return passages.length === 0 ? null : passages.map(({ body }) => body).join('');
}

/** One row for each file: its lines are `line start end name`. */
function readBindings(ask: Ask, tree: number, path: string): Binding[] | null {
  const [row] = ask<{ readonly places: string }>(
    'SELECT e.path, b.places FROM entry e CROSS JOIN binding b ON b.content = e.content WHERE e.tree = ? AND e.path = ?',
    tree,
    path,
  );
  if (row === undefined) return null;
  return row.places
    .split('\n')
    .filter(entry => entry !== '')
    .map(entry => {
      const [line, startLine, endLine, name = ''] = entry.split(' ');
      return { name, line: Number(line), startLine: Number(startLine), endLine: Number(endLine) };
    });
}

function linesOf(list: string): number[] {
  return list
    .split(' ')
    .filter(line => line !== '')
    .map(Number);
}

type ImportRow = Omit<Import, 'targets'>;

const importColumns =
  'e.path, i.specifier, i.line, i.startLine, i.endLine FROM import i JOIN entry e ON e.content = i.content AND e.tree = ?';

/** Those of one file are resolved when they are asked for, those of all files only when somebody asks who imports a file. */
function createImports(ask: Ask, tree: number) {
  let resolver: ImportResolver | null = null;
  let importers: ReadonlyMap<string, Import[]> | null = null;
  const known = new Map<string, readonly Import[]>();
  const leadsTo: ImportResolver = (path, specifier) => {
    resolver ??= createImportResolver(
      ask<{ readonly path: string }>(
        'SELECT path FROM entry WHERE tree = ? AND content IS NOT NULL',
        tree,
      ).map(({ path: known }) => known),
      manifest => readText(ask, tree, manifest),
    );
    return resolver(path, specifier);
  };
  const resolve = (row: ImportRow): Import => ({
    ...row,
    targets: leadsTo(row.path, row.specifier),
  });
  const of = (path: string): readonly Import[] => {
    // Without the order of the tables being forced, all imports of the project are looked through for those of one file.
    const imports =
      known.get(path) ??
      ask<ImportRow>(
        'SELECT e.path, i.specifier, i.line, i.startLine, i.endLine FROM entry e CROSS JOIN import i ON ' +
          'i.content = e.content WHERE e.tree = ? AND e.path = ? ORDER BY i.line',
        tree,
        path,
      ).map(resolve);
    known.set(path, imports);
    return imports;
  };
  const readImporters = (): ReadonlyMap<string, Import[]> => {
    const to = new Map<string, Import[]>();
    for (const row of ask<ImportRow>(`SELECT ${importColumns} ORDER BY e.path, i.line`, tree)) {
      const found = resolve(row);
      for (const target of found.targets) append(to, target, found);
    }
    return to;
  };
  const to = (path: string): readonly Import[] => (importers ??= readImporters()).get(path) ?? [];
  return { leadsTo, of, to };
}

function append(groups: Map<string, Import[]>, key: string, value: Import): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

const noCounter: IndexStatistics['counter'] = { name: 'none', version: '0', estimated: false };
type LanguageRow = IndexStatistics['languages'][number] &
  Pick<IndexStatistics, 'bytes' | 'lines' | 'definitions' | 'references' | 'imports'>;

function count(ask: Ask, { number, id, branch }: AskedTree): IndexStatistics {
  const languages = ask<LanguageRow>(
    'SELECT c.language, COUNT(*) AS files, SUM(c.tokens) AS tokens, SUM(c.bytes) AS bytes, ' +
      'SUM(c.lines) AS lines, SUM(c.definitions) AS definitions, SUM(c.places) AS "references", ' +
      'SUM(c.imports) AS imports FROM entry e JOIN content c ON c.number = e.content WHERE e.tree = ? ' +
      'AND c.reason IS NULL GROUP BY c.language ORDER BY files DESC, c.language',
    number,
  );
  const sum = (pick: (row: LanguageRow) => number): number =>
    languages.reduce((total, row) => total + pick(row), 0);
  const [counter] = ask<{ readonly value: string }>(
    "SELECT value FROM setting WHERE name = 'counter'",
  );
  return {
    branch,
    tree: id,
    files: sum(row => row.files),
    bytes: sum(row => row.bytes),
    lines: sum(row => row.lines),
    tokens: sum(row => row.tokens),
    counter:
      counter === undefined
        ? noCounter
        : (Counter.safeParse(parseJson(counter.value)).data ?? noCounter),
    definitions: sum(row => row.definitions),
    references: sum(row => row.references),
    imports: sum(row => row.imports),
    languages: languages.map(({ language, files, tokens }) => ({ language, files, tokens })),
    skipped: ask(
      'SELECT COALESCE(e.reason, c.reason) AS reason, COUNT(*) AS files FROM entry e LEFT JOIN content ' +
        'c ON c.number = e.content WHERE e.tree = ? AND COALESCE(e.reason, c.reason) IS NOT NULL GROUP BY ' +
        '1 ORDER BY 2 DESC, 1',
      number,
    ),
  };
}
