/** SQLite with one face: the module of Node where it has one, else the package with the same interface. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { UserError, inputError, messageOf } from '../../core/errors.ts';
import type { PairAnswers } from '../../core/ports/matcher.ts';
import type { Disk } from '../../core/ports/runner.ts';
import type { SpendingLedger } from '../../core/ports/steps.ts';
import { MonthSpending } from '../../core/spending/month.ts';
import { explained, isClosed, makeFolders } from './atomic-write.ts';
import type { Note, StateFolder } from './storage.ts';

/** The part of both modules that Jury uses. Rows are objects; `run` and `get` throw on any error of the database. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

type Query<Result> = (...values: readonly (string | number | null)[]) => Result;

interface Statement {
  run: Query<unknown>;
  get: Query<unknown>;
  iterate: Query<IterableIterator<unknown>>;
}

interface SqliteModule {
  DatabaseSync: new (file: string) => Database;
}

/** Primary result codes, see https://sqlite.org/rescode.html. */
const resultCodes = {
  busy: 5,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** What a disk that SQLite cannot reach holds: as long as the disk is known to anybody. */
const inMemory = new WeakMap<Disk, Map<string, Database>>();

/** Makes the file where there is none. */
export async function openDatabase(disk: Disk, file: string): Promise<Database> {
  const { DatabaseSync } = builtInModule() ?? (await installedModule());
  const path = disk.localPath(file);
  if (path !== null) return new DatabaseSync(path);
  const databases = inMemory.get(disk) ?? new Map<string, Database>();
  inMemory.set(disk, databases);
  const database = databases.get(file) ?? new DatabaseSync(':memory:');
  databases.set(file, database);
  return {
    exec: sql => database.exec(sql),
    prepare: sql => database.prepare(sql),
    close: () => {},
  };
}

/**
 * The same, private to the user as all of the state: SQLite would make the file by the mask of the process. One that is there and may
 * not be written is opened to be read: SQLite refuses by itself what would write.
 */
export async function openPrivate(disk: Disk, file: string): Promise<Database> {
  try {
    await makeFolders(disk, dirname(file), ['.']);
    if (disk.localPath(file) !== null) await (await disk.open(file, 'append')).close();
  } catch (error) {
    if (!isClosed(error) || !(await disk.status(file))) throw error;
    await (await disk.open(file, 'read')).close();
  }
  return openDatabase(disk, file);
}

/** A file whose tables are made where there are none. */
interface DatabaseKind {
  /** Begins a sentence: `The memory of this project`. */
  what: string;
  /** Kept in the file; one with a higher number comes from a newer Jury. */
  version: number;
  tables: string;
}

/** Looked through, and made where there is none; null: it is damaged. `isNew`: nothing was ever written into it. Throws `UserError`. */
export async function openSound(
  disk: Disk,
  file: string,
  { what, version, tables }: DatabaseKind,
): Promise<{ readonly database: Database; readonly isNew: boolean } | null> {
  const database = await explained({ what, path: file }, () => openPrivate(disk, file));
  const ask = (pragma: string): unknown =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).get() as object)[0];
  try {
    // No write-ahead log: the file is small, and a single one is easier to keep and to copy.
    database.exec('PRAGMA busy_timeout=10000; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON');
    if (ask('integrity_check(1)') === 'ok') {
      const found = Number(ask('user_version'));
      if (found > version)
        throw inputError(`${what} was written by a newer Jury (${file}).`, 'Use that version.');
      if (found < version)
        database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version=${version}; COMMIT`);
      return { database, isNew: found < version };
    }
  } catch (error) {
    database.close();
    if (isDamage(error)) return null;
    throw explainRefusal(error, file);
  }
  database.close();
  return null;
}

/** All or nothing; waits for other processes that write. */
export function inTransaction<Result>(database: Database, work: () => Result) {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // Some errors have rolled back already; the first one is what matters.
    }
    throw error;
  }
}

/** The extended result code of an error of either module; null for any other error. */
export function resultCodeOf(error: unknown) {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : null;
}

/** The file itself is no sound database. */
export function isDamage(error: unknown) {
  const code = (resultCodeOf(error) ?? 0) & 0xff;
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}

const refusals: ReadonlyMap<number, { what: string; mend: string }> = new Map([
  [resultCodes.busy, { what: 'another process holds it', mend: 'Wait until that one has ended' }],
  [resultCodes.readonly, { what: 'it cannot be written', mend: 'Make it writable' }],
  [resultCodes.ioError, { what: 'the disk fails', mend: 'Check the disk' }],
  [resultCodes.full, { what: 'no space is left on the device', mend: 'Free some space' }],
  [resultCodes.cannotOpen, { what: 'it cannot be opened', mend: 'Make its folder writable' }],
]);

/**
 * A `UserError` for what a database refuses for the sake of the machine, the error itself for everything else: of kind `machine`, or
 * `input` and with the code `held` where it is only to be waited for.
 */
export function explainRefusal(error: unknown, file: string) {
  const code = (resultCodeOf(error) ?? 0) & 0xff;
  const refusal = refusals.get(code);
  return refusal
    ? new UserError(`The database ${file} cannot be used: ${refusal.what}.`, {
        ...(code === resultCodes.busy ? { kind: 'input', code: 'held' } : { kind: 'machine' }),
        hint: `${refusal.mend}, then try again.`,
        cause: error,
      })
    : error;
}

/** Only Node 20 needs it, so that it may be left out of an installation, or lack the machine code for a rare machine. */
async function installedModule(): Promise<SqliteModule> {
  try {
    return await import('@photostructure/sqlite');
  } catch (error) {
    throw new UserError(
      `Node ${process.version} has no SQLite, and the package @photostructure/sqlite cannot be loaded.`,
      {
        kind: 'machine',
        hint: 'Use Node 22.13 or newer, or install Jury again without --omit=optional.',
        cause: error,
      },
    );
  }
}

/** Node 22 announces on standard error that its module is experimental; that is of no use to who runs a review. */
function builtInModule() {
  const emitWarning = Reflect.get(process, 'emitWarning');
  process.emitWarning = (...all: unknown[]) => {
    if (!String(all[0]).includes('SQLite')) Reflect.apply(emitWarning, process, all);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

// Remembers answers that were paid for, in a SQLite file, by the hash of their question. Only a cache: what is damaged is begun
// anew.

/** Readable by the user only. Where no file can be kept, answers are remembered as long as the process lives, and `onNote` says so. */
export async function openAnswerCache(
  disk: Disk,
  file: string,
  onNote: Note,
): Promise<PairAnswers> {
  try {
    return await openTable(disk, file).catch(async error => {
      if (!isDamage(error)) throw error;
      await disk.remove(file);
      return openTable(disk, file);
    });
  } catch (error) {
    onNote(`Answers cannot be remembered in ${file} (${messageOf(error)}).`);
    // Remembered as long as it is open.
    const answers = new Map<string, string>();
    return {
      get: key => answers.get(key) ?? null,
      put: entries => {
        for (const [key, value] of entries) answers.set(key, value);
      },
      close: () => answers.clear(),
    };
  }
}

async function openTable(disk: Disk, file: string): Promise<PairAnswers> {
  const database = await openPrivate(disk, file);
  try {
    database.exec(
      'PRAGMA busy_timeout=5000; PRAGMA synchronous=OFF; CREATE TABLE IF NOT EXISTS answers (key TEXT ' +
        'PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
    );
    return toCache(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function toCache(database: Database): PairAnswers {
  const select = database.prepare('SELECT value FROM answers WHERE key = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO answers (key, value) VALUES (?, ?)');
  return {
    get(key) {
      try {
        return (select.get(key) as { value: string } | undefined)?.value ?? null;
      } catch (error) {
        return pardon(error);
      }
    },
    put(entries) {
      try {
        for (const [key, value] of entries) insert.run(key, value);
      } catch (error) {
        pardon(error);
      }
    },
    close: () => database.close(),
  };
}

/** What the database refuses is asked again. */
function pardon(error: unknown) {
  if (resultCodeOf(error) === null) throw error;
  return null;
}

// The `SpendingLedger` port over `spending.sqlite` of the state: one row for each process and month, so that what a killed one had
// under way stays booked. A file that is damaged is not made anew: it would forget what was spent.

const fileName = 'spending.sqlite';
const kind: DatabaseKind = {
  what: 'The ledger of what is spent',
  version: 1,
  tables: `CREATE TABLE IF NOT EXISTS spent(
      month TEXT NOT NULL, process TEXT NOT NULL, calls INTEGER NOT NULL, unpriced INTEGER NOT NULL,
      cost REAL NOT NULL, under_way REAL NOT NULL, open INTEGER NOT NULL, PRIMARY KEY(month, process)
    ) WITHOUT ROWID;`,
};

const Sums = MonthSpending.omit({ month: true });

/** Makes the file where there is none; then `before` says what is known to be spent in its month already. */
export async function openSpendingLedger(
  { disk, root }: Pick<StateFolder, 'disk' | 'root'>,
  before: () => Promise<MonthSpending | null>,
): Promise<SpendingLedger> {
  const file = join(root, fileName);
  const { database, isNew } = (await openSound(disk, file, kind)) ?? refuseDamage(file);
  const known = isNew ? await before() : null;
  if (known) guard(file, () => bookBefore(database, known));
  return ledgerOf(database, file);
}

/** Null where there is none yet, and none is made. */
export async function readSpending(
  { disk, root }: Pick<StateFolder, 'disk' | 'root'>,
  month: string,
): Promise<MonthSpending | null> {
  const file = join(root, fileName);
  if (disk.localPath(file) !== null && !(await disk.status(file))) return null;
  const ledger = await openSpendingLedger({ disk, root }, () => Promise.resolve(null));
  try {
    return ledger.read(month);
  } finally {
    ledger.close();
  }
}

function ledgerOf(database: Database, file: string): SpendingLedger {
  const own = randomUUID();
  const read = (month: string): MonthSpending => {
    const row = database
      .prepare(
        `SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(unpriced), 0) AS unpriced, coalesce(sum(cost), 0.0) AS cost,
          coalesce(sum(under_way), 0.0) AS underWay FROM spent WHERE month = ?`,
      )
      .get(month);
    const sums = Sums.safeParse(row);
    if (!sums.success) refuseDamage(file);
    return { month, ...sums.data };
  };
  return {
    read: month => guard(file, () => read(month)),
    begin: (month, expected, refuse) =>
      guard(file, () =>
        inTransaction(database, () => {
          const why = refuse(read(month));
          if (why === null)
            database
              .prepare(
                `INSERT INTO spent VALUES (?, ?, 1, 0, 0, ?, 1) ON CONFLICT(month, process) DO UPDATE SET
                  calls = calls + 1, under_way = under_way + excluded.under_way, open = open + 1`,
              )
              .run(month, own, expected);
          return why;
        }),
      ),
    end: (month, expected, { cost, isMade }) =>
      guard(file, () => {
        // Sums of fractions do not come back to nothing by themselves.
        database
          .prepare(
            `UPDATE spent SET calls = calls - ?, unpriced = unpriced + ?, cost = cost + ?, open = open - 1,
              under_way = CASE WHEN open <= 1 THEN 0 ELSE max(0, under_way - ?) END WHERE month = ? AND process = ?`,
          )
          .run(isMade ? 0 : 1, isMade && cost === null ? 1 : 0, cost ?? 0, expected, month, own);
      }),
    close: () => database.close(),
  };
}

/** By whoever comes first. */
function bookBefore(database: Database, { month, calls, unpriced, cost }: MonthSpending) {
  database
    .prepare(`INSERT INTO spent VALUES (?, 'before', ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`)
    .run(month, calls, unpriced, cost);
}

function guard<Result>(file: string, work: () => Result) {
  try {
    return work();
  } catch (error) {
    throw isDamage(error) ? refuseDamage(file, error) : explainRefusal(error, file);
  }
}

function refuseDamage(file: string, cause?: unknown): never {
  throw inputError(
    `What was spent this month cannot be read: ${file} is damaged.`,
    'Put the file aside to begin with what the runs that are kept have spent.',
    cause,
  );
}
