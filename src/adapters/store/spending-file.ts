/**
 * The `SpendingLedger` port over `spending.sqlite` of the state: one row for each process and month, so that what a killed one had under
 * way stays booked. A file that is damaged is not made anew: it would forget what was spent.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inputError, type UserError } from '../../core/errors.ts';
import type { SpendingLedger } from '../../core/ports/spending-ledger.ts';
import { MonthSpending } from '../../core/spending/month.ts';
import { explained } from './atomic-write.ts';
import {
  type Database,
  explainRefusal,
  inTransaction,
  isDamage,
  openDatabase,
  openPrivate,
} from './sqlite.ts';
import type { StateFolder } from './storage.ts';

const fileName = 'spending.sqlite';
const formatVersion = 1;

const Sums = MonthSpending.omit({ month: true });

/** Makes the file where there is none; then `before` says what is known to be spent in its month already. */
export async function openSpendingLedger(
  { disk, root }: Pick<StateFolder, 'disk' | 'root'>,
  before: () => Promise<MonthSpending | null>,
): Promise<SpendingLedger> {
  const file = join(root, fileName);
  const what = 'The ledger of what is spent';
  const opened = await explained({ what, path: file }, () => openPrivate(disk, file));
  const { database, isNew } = openSound(opened, file);
  const known = isNew ? await before() : null;
  if (known !== null) guard(file, () => bookBefore(database, known));
  return ledgerOf(database, file);
}

/** Null where there is none yet, and none is made. */
export async function readSpending(
  { disk, root }: Pick<StateFolder, 'disk' | 'root'>,
  month: string,
): Promise<MonthSpending | null> {
  const file = join(root, fileName);
  const isThere = disk.localPath(file) === null || (await disk.status(file)) !== null;
  if (!isThere) return null;
  const { database } = openSound(await openDatabase(disk, file), file);
  const ledger = ledgerOf(database, file);
  try {
    return ledger.read(month);
  } finally {
    ledger.close();
  }
}

/** `isNew`: nothing was ever written into it. */
function openSound(
  database: Database,
  file: string,
): { readonly database: Database; readonly isNew: boolean } {
  try {
    return guard(file, () => {
      database.exec(
        'PRAGMA busy_timeout=10000; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON',
      );
      const { integrity_check: report } = database.prepare('PRAGMA integrity_check(1)').get() as {
        readonly integrity_check: string;
      };
      if (report !== 'ok') throw damaged(file);
      return { database, isNew: prepareTable(database, file) };
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareTable(database: Database, file: string): boolean {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
    readonly user_version: number;
  };
  if (version > formatVersion)
    throw inputError(
      `What was spent was written down by a newer Jury (${file}).`,
      'Use that version.',
    );
  if (version === formatVersion) return false;
  database.exec(`BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS spent(
      month TEXT NOT NULL, process TEXT NOT NULL, calls INTEGER NOT NULL, unpriced INTEGER NOT NULL,
      cost REAL NOT NULL, under_way REAL NOT NULL, open INTEGER NOT NULL, PRIMARY KEY(month, process)
    ) WITHOUT ROWID;
    PRAGMA user_version=${formatVersion};
    COMMIT`);
  return true;
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
    if (!sums.success) throw damaged(file);
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
function bookBefore(database: Database, { month, calls, unpriced, cost }: MonthSpending): void {
  database
    .prepare(`INSERT INTO spent VALUES (?, 'before', ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`)
    .run(month, calls, unpriced, cost);
}

function guard<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw isDamage(error) ? damaged(file, error) : explainRefusal(error, file);
  }
}

function damaged(file: string, cause?: unknown): UserError {
  return inputError(
    `What was spent this month cannot be read: ${file} is damaged.`,
    'Put the file aside to begin with what the runs that are kept have spent.',
    cause,
  );
}
