/** The table behind the journal: one record per finished step, each with a checksum, checked whole when the file is opened. */
import { open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { replaceDamagedJournal } from './journal-rescue.ts';
import { openDatabase, resultCodeOf, resultCodes, type Database } from './sqlite.ts';
import { isIntact, type StepRecord } from './step-record.ts';

/** Number of the format, kept in the file; a file with a higher one comes from a newer Jury. */
const formatVersion = 1;

/** Characters of records checked before other work gets its turn. */
const checkedAtATime = 4_000_000;

export interface Records {
  get(key: string): StepRecord | null;
  /** All durable on return, or none of them. Does nothing for a key that is there already. */
  add(records: readonly StepRecord[]): void;
  /** Moves a record to the table `damaged`, out of the way of a new one. */
  setAside(key: string): void;
  close(): void;
}

/** Opens or creates the file, readable by the user only. Damage is mended as far as it goes and told through `onNote`. */
export async function openRecords(file: string, onNote: (message: string) => void): Promise<Records> {
  // Node says better than SQLite why a file cannot be opened.
  await (await open(file, 'a', 0o600)).close();
  const records = (await openChecked(file)) ?? (await openRescued(file, onNote));
  for (const key of await damagedKeys(records.database)) {
    records.setAside(key);
    onNote(`The journal's record of step ${key} is damaged; the step counts as not done.`);
  }
  return records;
}

type OpenRecords = Records & { readonly database: Database };

/** Null when the file is damaged. */
async function openChecked(file: string): Promise<OpenRecords | null> {
  const database = await openDatabase(file);
  try {
    database.exec('PRAGMA busy_timeout=100; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON');
    const { integrity_check: report } = database.prepare('PRAGMA integrity_check(1)').get() as { readonly integrity_check: string };
    if (report === 'ok') return prepareRecords(database, file);
  } catch (error) {
    database.close();
    if (isDamage(error)) return null;
    throw error;
  }
  database.close();
  return null;
}

async function openRescued(file: string, onNote: (message: string) => void): Promise<OpenRecords> {
  await replaceDamagedJournal(file, { write: writeRecords, onNote });
  const records = await openChecked(file);
  if (records === null) throw new Error(`A journal made anew is damaged again (${file}).`);
  return records;
}

async function writeRecords(file: string, rescued: Iterable<StepRecord>): Promise<void> {
  const database = await openDatabase(file);
  try {
    const records = prepareRecords(database, file);
    records.add([...rescued]);
  } finally {
    database.close();
  }
}

function prepareRecords(database: Database, file: string): OpenRecords {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { readonly user_version: number };
  if (version > formatVersion) throw new UserError(`The journal was written by a newer Jury (${file}).`, { kind: 'input', hint: 'Use that version, or start a new run.' });
  const columns = 'key TEXT PRIMARY KEY, result TEXT NOT NULL, checksum TEXT NOT NULL';
  database.exec(`CREATE TABLE IF NOT EXISTS step(${columns}) WITHOUT ROWID; CREATE TABLE IF NOT EXISTS damaged(key TEXT, result TEXT, checksum TEXT)`);
  if (version !== formatVersion) database.exec(`PRAGMA user_version=${formatVersion}`);
  const select = database.prepare('SELECT key, result, checksum FROM step WHERE key = ?');
  const insert = database.prepare('INSERT INTO step(key, result, checksum) VALUES (?, ?, ?) ON CONFLICT(key) DO NOTHING');
  const keep = database.prepare('INSERT INTO damaged SELECT key, result, checksum FROM step WHERE key = ?');
  const remove = database.prepare('DELETE FROM step WHERE key = ?');
  return {
    database,
    get: key => (select.get(key) as StepRecord | undefined) ?? null,
    add: added => inTransaction(database, () => {
      for (const { key, result, checksum } of added) insert.run(key, result, checksum);
    }),
    setAside: key => {
      keep.run(key);
      remove.run(key);
    },
    close: () => {
      // The package (1.2.1) keeps a closed file open until its statements are collected: without this the newest records
      // would stay in the write-ahead log.
      try {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // The records are safe in the log; whoever opens the file next moves them.
      }
      database.close();
    },
  };
}

function inTransaction(database: Database, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // Some failures have ended the transaction already; the first error is the one that counts.
    try {
      database.exec('ROLLBACK');
    } catch {}
    throw error;
  }
}

/** Gives other work its turn now and then: a journal may hold many large results. */
async function damagedKeys(database: Database): Promise<readonly string[]> {
  const damaged: string[] = [];
  let characters = 0;
  for (const row of database.prepare('SELECT key, result, checksum FROM step').iterate()) {
    const record = row as StepRecord;
    if (!isIntact(record)) damaged.push(record.key);
    characters += record.result.length;
    if (characters < checkedAtATime) continue;
    characters = 0;
    await turn();
  }
  return damaged;
}

function isDamage(error: unknown): boolean {
  const code = (resultCodeOf(error) ?? 0) & 0xff;
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}
