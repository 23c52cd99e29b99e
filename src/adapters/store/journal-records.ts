/** The table behind the journal: one record per finished step, each with a checksum, checked whole when the file is opened. */
import { createHash } from 'node:crypto';
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { codeOf, makeFolders, syncFolder } from './atomic-write.ts';
import { type Database, openDatabase, resultCodeOf, resultCodes } from './sqlite.ts';

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
export async function openRecords(
  file: string,
  onNote: (message: string) => void,
): Promise<Records> {
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
    database.exec(
      'PRAGMA busy_timeout=100; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON',
    );
    const { integrity_check: report } = database.prepare('PRAGMA integrity_check(1)').get() as {
      readonly integrity_check: string;
    };
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
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
    readonly user_version: number;
  };
  if (version > formatVersion)
    throw new UserError(`The journal was written by a newer Jury (${file}).`, {
      kind: 'input',
      hint: 'Use that version, or start a new run.',
    });
  const columns = 'key TEXT PRIMARY KEY, result TEXT NOT NULL, checksum TEXT NOT NULL';
  database.exec(
    `CREATE TABLE IF NOT EXISTS step(${columns}) WITHOUT ROWID; CREATE TABLE IF NOT EXISTS damaged(key TEXT, result TEXT, checksum TEXT)`,
  );
  if (version !== formatVersion) database.exec(`PRAGMA user_version=${formatVersion}`);
  const select = database.prepare('SELECT key, result, checksum FROM step WHERE key = ?');
  const insert = database.prepare(
    'INSERT INTO step(key, result, checksum) VALUES (?, ?, ?) ON CONFLICT(key) DO NOTHING',
  );
  const keep = database.prepare(
    'INSERT INTO damaged SELECT key, result, checksum FROM step WHERE key = ?',
  );
  const remove = database.prepare('DELETE FROM step WHERE key = ?');
  return {
    database,
    get: key => (select.get(key) as StepRecord | undefined) ?? null,
    add: added =>
      inTransaction(database, () => {
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

// One finished step as it stands in the journal.

export interface StepRecord {
  readonly key: string;
  /** JSON of the result; empty for undefined, which JSON cannot say. */
  readonly result: string;
  readonly checksum: string;
}

export function checksumOf(key: string, result: string): string {
  return createHash('sha256').update(`${key.length}:${key}${result}`).digest('hex');
}

/** False when a bit of the key, the result or the checksum has changed since it was written. */
export function isIntact(record: StepRecord): boolean {
  return record.checksum === checksumOf(record.key, record.result);
}

// Saves what can be read of a damaged journal: the damaged file is kept in `quarantine/`, a sound one takes its place.

interface Rescue {
  readonly write: (file: string, records: Iterable<StepRecord>) => Promise<void>;
  readonly onNote: (message: string) => void;
}

/** The companions of a database in write-ahead mode; the first is the database itself. */
const suffixes = ['', '-wal', '-shm'] as const;

/** Replaces `file` by a journal with every record that is still readable and whole, and says how many those are. */
async function replaceDamagedJournal(file: string, { write, onNote }: Rescue): Promise<void> {
  const copy = await quarantine(file);
  const records = await readIntact(copy);
  const fresh = `${file}.new`;
  await Promise.all(suffixes.map(suffix => rm(fresh + suffix, { force: true })));
  await write(fresh, records);
  // A write-ahead log left beside the new file would be played into it.
  await Promise.all(['-wal', '-shm'].map(suffix => rm(file + suffix, { force: true })));
  await rename(fresh, file);
  await syncFolder(dirname(file));
  onNote(
    `The journal was damaged: ${records.length} finished steps could be read from it; the damaged file is kept as ${copy}.`,
  );
}

/** Path of the copy. Its write-ahead log is copied too; it may hold the newest records. */
async function quarantine(file: string): Promise<string> {
  const folder = dirname(file);
  await makeFolders(folder, ['quarantine']);
  const earlier = await readdir(join(folder, 'quarantine'));
  const copy = join(folder, 'quarantine', `${earlier.length + 1}-${basename(file)}`);
  for (const suffix of suffixes) {
    try {
      await copyFile(file + suffix, copy + suffix);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return copy;
}

/** Reads from both ends: whatever lies beyond a damaged page is reached from the other side. */
async function readIntact(copy: string): Promise<readonly StepRecord[]> {
  const found = new Map<string, StepRecord>();
  // Reading plays the log into the file; the copy in quarantine must stay as it was found.
  const scratch = `${copy}.reading`;
  for (const suffix of suffixes)
    await copyFile(copy + suffix, scratch + suffix).catch(() => undefined);
  try {
    const database = await openDatabase(scratch);
    for (const order of ['ASC', 'DESC'] as const) readUntilDamage(database, order, found);
    database.close();
  } finally {
    await Promise.all(suffixes.map(suffix => rm(scratch + suffix, { force: true })));
  }
  return [...found.values()];
}

function readUntilDamage(
  database: Database,
  order: 'ASC' | 'DESC',
  found: Map<string, StepRecord>,
): void {
  try {
    for (const row of database
      .prepare(`SELECT key, result, checksum FROM step ORDER BY key ${order}`)
      .iterate()) {
      const record = row as StepRecord;
      if (isIntact(record)) found.set(record.key, record);
    }
  } catch {
    // The damage begins here; what was read before it is kept.
  }
}
