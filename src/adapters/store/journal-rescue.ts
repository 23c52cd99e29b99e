/** Saves what can be read of a damaged journal: the damaged file is kept in `quarantine/`, a sound one takes its place. */
import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders, syncFolder } from './atomic-write.ts';
import { codeOf } from './disk-failure.ts';
import { openDatabase, type Database } from './sqlite.ts';
import { isIntact, type StepRecord } from './step-record.ts';

interface Rescue {
  readonly write: (file: string, records: Iterable<StepRecord>) => Promise<void>;
  readonly onNote: (message: string) => void;
}

/** The companions of a database in write-ahead mode; the first is the database itself. */
const suffixes = ['', '-wal', '-shm'] as const;

/** Replaces `file` by a journal with every record that is still readable and whole, and says how many those are. */
export async function replaceDamagedJournal(file: string, { write, onNote }: Rescue): Promise<void> {
  const copy = await quarantine(file);
  const records = await readIntact(copy);
  const fresh = `${file}.new`;
  await Promise.all(suffixes.map(suffix => rm(fresh + suffix, { force: true })));
  await write(fresh, records);
  // A write-ahead log left beside the new file would be played into it.
  await Promise.all(['-wal', '-shm'].map(suffix => rm(file + suffix, { force: true })));
  await rename(fresh, file);
  await syncFolder(dirname(file));
  onNote(`The journal was damaged: ${records.length} finished steps could be read from it; the damaged file is kept as ${copy}.`);
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
  for (const suffix of suffixes) await copyFile(copy + suffix, scratch + suffix).catch(() => undefined);
  try {
    const database = await openDatabase(scratch);
    for (const order of ['ASC', 'DESC'] as const) readUntilDamage(database, order, found);
    database.close();
  } finally {
    await Promise.all(suffixes.map(suffix => rm(scratch + suffix, { force: true })));
  }
  return [...found.values()];
}

function readUntilDamage(database: Database, order: 'ASC' | 'DESC', found: Map<string, StepRecord>): void {
  try {
    for (const row of database.prepare(`SELECT key, result, checksum FROM step ORDER BY key ${order}`).iterate()) {
      const record = row as StepRecord;
      if (isIntact(record)) found.set(record.key, record);
    }
  } catch {
    // The damage begins here; what was read before it is kept.
  }
}
