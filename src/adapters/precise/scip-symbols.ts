/** Answers from a SCIP index, each checked against the files of the revision that is asked about. Read when the first question comes. */
import { UserError } from '../../core/errors.ts';
import type { PreciseSymbols } from '../../core/ports/precise-symbols.ts';
import type { Meaning, NamedLine, PreciseSource } from '../../core/words/code-index.ts';
import { readScipFile, type ScipDocument } from './scip-file.ts';

export interface ScipIndex {
  /** Absolute path. */
  readonly file: string;
  /** Relative to the top of the repository, with slashes. */
  readonly path: string;
}

/** The files of the revision under review, by their paths relative to the top. */
export interface ReviewedFiles {
  readonly has: (path: string) => boolean;
  readonly read: (path: string) => Promise<string | null>;
}

/** Uses that are looked at: a name that stands everywhere tells nothing by its thousandth place. */
const mostUses = 1_000;

export function openScipSymbols(index: ScipIndex, files: ReviewedFiles): PreciseSymbols {
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> => (loading ??= loadTable(index, files.has));
  const check = createCheck(files.read);
  return {
    async describe() {
      const { madeBy, problem, table } = await load();
      return { path: index.path, madeBy, files: table.numberOf.size, problem };
    },
    async knows(path) {
      return (await load()).table.numberOf.has(path);
    },
    async meaningsOf({ path, line, name }) {
      const { table } = await load();
      const found = await Promise.all(
        (await check.rowsOf({ path, line, name }, table))
          .filter(({ row }) => !isDefinition(row, table))
          .map(async ({ row, column }) => ({
            column,
            definition: await definitionFor(row, name, table, check),
          })),
      );
      return withoutRepeated(
        found.flatMap(({ column, definition }) =>
          definition === 'unknown' ? [] : [{ column, definition }],
        ),
      );
    },
    async usesOf({ path, line, name }) {
      const { table } = await load();
      const rows = await check.rowsOf({ path, line, name }, table);
      const own = rows.find(({ row }) => isDefinition(row, table));
      if (own === undefined) return null;
      const all = table.rowsOf(table.symbolOf(own.row)).filter(row => !isDefinition(row, table));
      const uses = new Map<string, NamedLine>();
      for (const row of all.slice(0, mostUses)) {
        const use = await check.placeOf(row, table, name);
        if (use !== null)
          uses.set(`${use.path}:${use.line}`, { path: use.path, line: use.line, name: use.name });
      }
      return [...uses.values()].toSorted(
        (one, other) =>
          Number(one.path > other.path) - Number(one.path < other.path) || one.line - other.line,
      );
    },
  };
}

/** What is declared several times, and in part outside, stands there once for each: a place in the project says most. */
function withoutRepeated(meanings: readonly Meaning[]): Meaning[] {
  const known = new Map<string, Meaning>();
  for (const one of meanings.toSorted(
    (one, other) => Number(one.definition === null) - Number(other.definition === null),
  )) {
    const at = [...known.values()].some(({ column }) => column === one.column);
    if (one.definition === null && at) continue;
    known.set(JSON.stringify([one.column, one.definition]), one);
  }
  return [...known.values()].toSorted((one, other) => one.column - other.column);
}

interface Loaded extends Pick<PreciseSource, 'madeBy' | 'problem'> {
  readonly table: Table;
}

/** A file that cannot be used tells nothing, and says why. */
async function loadTable({ file, path }: ScipIndex, has: ReviewedFiles['has']): Promise<Loaded> {
  const builder = createBuilder();
  let madeBy: string | null = null;
  try {
    await readScipFile(file, {
      header: header => (madeBy = header.madeBy),
      document: builder.add,
    });
    return { madeBy, table: builder.finish(path, has), problem: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {
      madeBy,
      table: createBuilder().finish(path, has),
      problem: `${path} ${error.message}.`,
    };
  }
}

// What is kept of an index: six numbers for each place of a name, and each name once.

interface Table {
  /** Of the files that the revision has. */
  readonly numberOf: ReadonlyMap<string, number>;
  readonly pathOf: (document: number) => string | null;
  readonly encodingOf: (document: number) => ScipDocument['encoding'];
  readonly rowsIn: (document: number) => readonly number[];
  readonly rowsOf: (symbol: number) => readonly number[];
  readonly field: (row: number, field: Field) => number;
  readonly symbolOf: (row: number) => number;
  /** How a symbol may be written; empty for a local one, which has no name of its own. */
  readonly namesOf: (symbol: number) => readonly string[];
}

const fields = { document: 0, line: 1, start: 2, end: 3, symbol: 4, isDefinition: 5 } as const;
type Field = keyof typeof fields;
const width = Object.keys(fields).length;

function isDefinition(row: number, table: Table): boolean {
  return table.field(row, 'isDefinition') === 1;
}

interface Builder {
  readonly add: (document: ScipDocument) => void;
  readonly finish: (indexPath: string, has: ReviewedFiles['has']) => Table;
}

function createBuilder(): Builder {
  let rows = new Int32Array(width * 4_096);
  let count = 0;
  const documents: {
    readonly path: string;
    readonly encoding: ScipDocument['encoding'];
    readonly first: number;
  }[] = [];
  const symbols = new Map<string, number>();
  const names: string[] = [];
  const numberOfSymbol = (symbol: string): number => {
    const known = symbols.get(symbol);
    if (known !== undefined) return known;
    names.push(symbol);
    symbols.set(symbol, names.length - 1);
    return names.length - 1;
  };
  return {
    add({ path, encoding, occurrences }) {
      const document = documents.push({ path, encoding, first: count }) - 1;
      for (const { symbol, line, start, end, isDefinition: defines } of occurrences) {
        if ((count + 1) * width > rows.length) {
          const longer = new Int32Array(rows.length * 2);
          longer.set(rows);
          rows = longer;
        }
        // Local symbols are counted anew in every file.
        const number = numberOfSymbol(isLocal(symbol) ? `${symbol} ${document}` : symbol);
        rows.set([document, line, start, end, number, Number(defines)], count * width);
        count += 1;
      }
    },
    finish(indexPath, has) {
      symbols.clear();
      const writings = new Map<number, readonly string[]>();
      const pathOf = placeDocuments(
        documents.map(({ path }) => path),
        indexPath,
        has,
      );
      const rowsOf = groupRows(rows, count, names.length);
      const field: Table['field'] = (row, name) => rows[row * width + fields[name]] ?? 0;
      return {
        numberOf: new Map(
          pathOf.flatMap((path, document) => (path === null ? [] : [[path, document] as const])),
        ),
        pathOf: document => pathOf[document] ?? null,
        encodingOf: document => documents[document]?.encoding ?? 'utf16',
        rowsIn(document) {
          const first = documents[document]?.first ?? count;
          const end = documents[document + 1]?.first ?? count;
          return Array.from({ length: end - first }, (_, index) => first + index);
        },
        rowsOf,
        field,
        symbolOf: row => field(row, 'symbol'),
        namesOf(symbol) {
          const written = writings.get(symbol) ?? namesIn(names[symbol] ?? '');
          writings.set(symbol, written);
          return written;
        },
      };
    },
  };
}

function isLocal(symbol: string): boolean {
  return symbol.startsWith('local ');
}

/** Rows by symbol, without an object for each. */
function groupRows(rows: Int32Array, count: number, symbols: number): Table['rowsOf'] {
  const starts = new Int32Array(symbols + 1);
  const symbolAt = (row: number): number => rows[row * width + fields.symbol] ?? 0;
  for (let row = 0; row < count; row += 1)
    starts[symbolAt(row) + 1] = (starts[symbolAt(row) + 1] ?? 0) + 1;
  for (let symbol = 0; symbol < symbols; symbol += 1)
    starts[symbol + 1] = (starts[symbol + 1] ?? 0) + (starts[symbol] ?? 0);
  const next = starts.slice();
  const sorted = new Int32Array(count);
  for (let row = 0; row < count; row += 1) {
    const symbol = symbolAt(row);
    sorted[next[symbol] ?? 0] = row;
    next[symbol] = (next[symbol] ?? 0) + 1;
  }
  return symbol => Array.from(sorted.subarray(starts[symbol], starts[symbol + 1]));
}

/**
 * An index tells paths from the folder where it was made: where it lies, or the top. Null for a file that the revision does not have,
 * and for whatever does not lead down from there.
 */
function placeDocuments(
  paths: readonly string[],
  indexPath: string,
  has: ReviewedFiles['has'],
): (string | null)[] {
  const folder = indexPath.slice(0, indexPath.lastIndexOf('/') + 1);
  const placedBelow = (prefix: string): (string | null)[] =>
    paths.map(path => (leadsDown(path) && has(prefix + path) ? prefix + path : null));
  const beside = placedBelow(folder);
  if (folder === '') return beside;
  const atTop = placedBelow('');
  return countPlaced(atTop) > countPlaced(beside) ? atTop : beside;
}

function countPlaced(placed: readonly (string | null)[]): number {
  return placed.filter(path => path !== null).length;
}

function leadsDown(path: string): boolean {
  return (
    !path.includes('\\') &&
    !path.includes('\0') &&
    path.split('/').every(segment => segment !== '' && segment !== '.' && segment !== '..')
  );
}

/** Of a symbol: more than two of its parts. */
const longestTail = 500;

/** The last part of a symbol, and of a constructor the one before it, which is what calls it. */
function namesIn(symbol: string): string[] {
  if (isLocal(symbol)) return [];
  const parts = [
    ...symbol
      .slice(-longestTail)
      .matchAll(/(?:`((?:[^`]|``)+)`|([\p{L}\p{N}_+$-]+))(?:\([\w+$-]*\))?[.#/:!\])]/gu),
  ].map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('``', '`'));
  const [last = '', owner = ''] = parts.slice(-2).toReversed();
  const name = last.replace(/^<(?:get|set)>/, '').replace(/^<(.*)>$/, '$1');
  const isMaker = /^(?:constructor|init|__init__|new)$/.test(name);
  return [
    name,
    ...(isMaker ? [owner] : []),
    ...(symbol.endsWith(':') ? [name.replace(/\d+$/, '')] : []),
  ];
}

// The index is older than what is under review, or lies: it is believed where the files say the same.

interface Check {
  /** Where a name stands on a line by the index, and still does by the file. */
  readonly rowsOf: (
    named: NamedLine,
    table: Table,
  ) => Promise<readonly { readonly row: number; readonly column: number }[]>;
  /** Where a name stands; null when the file has something else there. `local`: how a local symbol is written. */
  readonly placeOf: (
    row: number,
    table: Table,
    local: string,
  ) => Promise<(NamedLine & { readonly column: number }) | null>;
}

function createCheck(read: ReviewedFiles['read']): Check {
  const texts = new Map<string, Promise<readonly string[]>>();
  const linesOf = (path: string): Promise<readonly string[]> => {
    const known = texts.get(path) ?? read(path).then(text => text?.split('\n') ?? []);
    texts.set(path, known);
    return known;
  };
  const byLine = new Map<number, ReadonlyMap<number, readonly number[]>>();
  const rowsOn = (document: number, line: number, table: Table): readonly number[] => {
    const known = byLine.get(document) ?? groupByLine(table.rowsIn(document), table);
    byLine.set(document, known);
    return known.get(line) ?? [];
  };
  const placeOf: Check['placeOf'] = async (row, table, local) => {
    const document = table.field(row, 'document');
    const path = table.pathOf(document);
    if (path === null) return null;
    const line = table.field(row, 'line');
    const text = (await linesOf(path))[line];
    if (text === undefined || text.length > longestLine) return null;
    const [name, column] = wordOf(row, text, table);
    const names = table.namesOf(table.symbolOf(row));
    if (names.length === 0 ? name !== local : !names.includes(name)) return null;
    const others = rowsOn(document, line, table).filter(one => isNamed(one, table));
    const wrong = others.filter(
      one => !table.namesOf(table.symbolOf(one)).includes(wordOf(one, text, table)[0]),
    );
    // One name can stand where it stood by chance; the whole line does not.
    return wrong.length * 2 > others.length ? null : { path, line: line + 1, name, column };
  };
  return {
    placeOf,
    async rowsOf({ path, line, name }, table) {
      const document = table.numberOf.get(path);
      if (document === undefined) return [];
      const places = await Promise.all(
        rowsOn(document, line - 1, table).map(async row => ({
          row,
          place: await placeOf(row, table, name),
        })),
      );
      return places
        .flatMap(({ row, place }) => (place?.name === name ? [{ row, column: place.column }] : []))
        .toSorted((one, other) => one.column - other.column);
    },
  };
}

/** Nobody wrote such a line by hand. */
const longestLine = 2_000;

function isNamed(row: number, table: Table): boolean {
  return table.namesOf(table.symbolOf(row)).length > 0;
}

function groupByLine(
  rows: readonly number[],
  table: Table,
): ReadonlyMap<number, readonly number[]> {
  const lines = new Map<number, number[]>();
  for (const row of rows) {
    const line = table.field(row, 'line');
    const known = lines.get(line);
    if (known === undefined) lines.set(line, [row]);
    else known.push(row);
  }
  return lines;
}

/** What the line has at the columns of a row, and its first column. Quotes around the name of a property are none of it. */
function wordOf(row: number, line: string, table: Table): [word: string, column: number] {
  const encoding = table.encodingOf(table.field(row, 'document'));
  const start = toUnits(line, table.field(row, 'start'), encoding);
  const word = line.slice(start, toUnits(line, table.field(row, 'end'), encoding));
  return [word.replace(/^(['"`])(.*)\1$/, '$2'), start];
}

function toUnits(line: string, column: number, encoding: ScipDocument['encoding']): number {
  if (encoding === 'utf8') return Buffer.from(line).subarray(0, column).toString().length;
  if (encoding === 'utf32') return Array.from(line).slice(0, column).join('').length;
  return column;
}

/** Null: nowhere, so that it comes from outside. `local`: what stands at the use, and so at the definition of a local symbol. */
async function definitionFor(
  row: number,
  local: string,
  table: Table,
  check: Check,
): Promise<NamedLine | null | 'unknown'> {
  const symbol = table.symbolOf(row);
  const definitions = table.rowsOf(symbol).filter(one => isDefinition(one, table));
  if (definitions.length === 0) return isNamed(row, table) ? null : 'unknown';
  for (const one of definitions) {
    const place = await check.placeOf(one, table, local);
    if (place !== null) return { path: place.path, line: place.line, name: place.name };
  }
  return 'unknown';
}
