/**
 * The `SpendingLedger` port over `spending.sqlite` of the state: one row for each process and month, so that what a killed one had under
 * way stays booked. A file that is damaged is not made anew: it would forget what was spent.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import type { SpendingLedger } from '../../core/ports/spending-ledger.ts';
import { MonthSpending } from '../../core/spending/month.ts';
import {
  type Database,
  type DatabaseKind,
  explainRefusal,
  inTransaction,
  isDamage,
  openSound,
} from './sqlite.ts';
import type { StateFolder } from './storage.ts';

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
