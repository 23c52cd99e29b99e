/** SQLite with one face: the module of Node where it has one, else the package with the same interface. */

/** The part of both modules that Jury uses. Rows are objects; `run` and `get` throw on any error of the database. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Statement {
  run(...values: readonly (string | number | null)[]): unknown;
  get(...values: readonly (string | number | null)[]): unknown;
  iterate(...values: readonly (string | number | null)[]): IterableIterator<unknown>;
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => Database;
}

/** Primary result codes, see https://sqlite.org/rescode.html. */
export const resultCodes = {
  busy: 5,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Extended codes of a failed fsync of the file and of its folder. */
export const fsyncCodes: ReadonlySet<number> = new Set([1034, 1290]);

export async function openDatabase(file: string): Promise<Database> {
  const { DatabaseSync } = builtInModule() ?? (await import('@photostructure/sqlite'));
  return new DatabaseSync(file);
}

/** The extended result code of an error of either module; null for any other error. */
export function resultCodeOf(error: unknown): number | null {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : null;
}

/** Node 22 announces on standard error that its module is experimental; that is of no use to who runs a review. */
function builtInModule(): SqliteModule | undefined {
  const emitWarning = Reflect.get(process, 'emitWarning');
  process.emitWarning = (...all: unknown[]): void => {
    if (!String(all[0]).includes('SQLite')) Reflect.apply(emitWarning, process, all);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
