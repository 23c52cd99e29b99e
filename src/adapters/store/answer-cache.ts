/** Remembers answers that were paid for, in a SQLite file, by the hash of their question. Only a cache: what is damaged is begun anew. */
import type { Disk } from '../../core/ports/disk.ts';
import type { PairAnswers } from '../../core/ports/judge.ts';
import { isDamage, openPrivate, resultCodeOf, type Database } from './sqlite.ts';

/** Readable by the user only. Where no file can be kept, answers are remembered as long as the process lives, and `onNote` says so. */
export async function openAnswerCache(
  disk: Disk,
  file: string,
  onNote: (message: string) => void,
): Promise<PairAnswers> {
  try {
    return await openTable(disk, file).catch(async error => {
      if (!isDamage(error)) throw error;
      await disk.remove(file);
      return openTable(disk, file);
    });
  } catch (error) {
    onNote(
      `Answers cannot be remembered in ${file} (${error instanceof Error ? error.message : String(error)}).`,
    );
    return openPassingCache();
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
        return (select.get(key) as { readonly value: string } | undefined)?.value ?? null;
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

/** Remembered as long as it is open. */
function openPassingCache(): PairAnswers {
  const answers = new Map<string, string>();
  return {
    get: key => answers.get(key) ?? null,
    put: entries => {
      for (const [key, value] of entries) answers.set(key, value);
    },
    close: () => answers.clear(),
  };
}
