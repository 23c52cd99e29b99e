/**
 * `memory.sqlite`: known claims and the decisions about them, a row each. Two runs at once are told apart by a
 * counter: who finds that the other wrote in between reads again and decides again.
 */
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { sentenceOf, UserError } from '../../core/errors.ts';
import {
  Disposition,
  KnownClaim,
  type ProjectMemory,
  type RememberedRun,
} from '../../core/words/known-claim.ts';
import {
  decidedConfidences,
  recalibrationOf,
  reliabilityOf,
  rememberRun,
} from '../../agreement/index.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { Memory } from '../../core/ports/memory.ts';
import { codeOf, explainDiskFailure, makeFolders } from '../store/atomic-write.ts';
import {
  type Database,
  explainRefusal,
  inTransaction,
  openDatabase,
  isDamage,
  resultCodeOf,
} from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';

/** Number of the format, kept in the file; a file with a higher one comes from a newer Jury. */
const formatVersion = 1;

interface MemoryUpdate<Result> {
  /** New ones and those that have changed. */
  readonly claims: readonly KnownClaim[];
  /** New ones only: none is ever changed. */
  readonly dispositions: readonly Disposition[];
  readonly result: Result;
}

export interface MemoryFile {
  /** Empty when nobody has written yet. The latest dispositions come first. */
  read(): Promise<ProjectMemory>;
  /**
   * Decides on what is remembered and writes what was decided, all or nothing. `decide` is asked again when another process wrote
   * meanwhile.
   */
  update<Result>(decide: (memory: ProjectMemory) => Promise<MemoryUpdate<Result>>): Promise<Result>;
}

/**
 * A damaged file is kept aside, what can be read of it is taken over, and `onNote` says so. Throws
 * `UserError` when the disk refuses or the file comes from a newer Jury.
 */
export function openMemoryFile(
  state: StateFolder,
  onNote: (message: string) => void = () => {},
): MemoryFile {
  const file = join(state.root, 'memory.sqlite');
  return {
    read: async () =>
      (await isThere(state.disk, file))
        ? withDatabase(state.disk, file, onNote, async database => readAll(database, onNote))
        : { claims: [], dispositions: [] },
    async update(decide) {
      await makeFolders(state.disk, state.root, ['.']).catch(refuse(file));
      return withDatabase(state.disk, file, onNote, async database => {
        for (;;) {
          const revision = revisionOf(database);
          const update = await decide(readAll(database, onNote));
          if (tryWrite(database, revision, update)) return update.result;
        }
      });
    },
  };
}

async function isThere(disk: Disk, file: string): Promise<boolean> {
  try {
    return disk.localPath(file) === null || (await disk.status(file))?.kind === 'file';
  } catch (error) {
    return refuse(file)(error);
  }
}

function refuse(path: string): (error: unknown) => never {
  return error => {
    throw explainDiskFailure(error, {
      what: 'The memory of this project',
      path,
      again: 'try again',
    });
  };
}

async function withDatabase<Result>(
  disk: Disk,
  file: string,
  onNote: (message: string) => void,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const id = await createPrivate(disk, file);
  try {
    const database =
      (await openSound(disk, file)) ?? (await replaceDamaged(disk, { file, id }, onNote));
    try {
      return await work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw explainRefusal(error, file);
  }
}

/** Null when the file is damaged. No write-ahead log: the file is small, and a single one is easier to keep and to copy. */
async function openSound(disk: Disk, file: string): Promise<Database | null> {
  const database = await openDatabase(disk, file);
  try {
    database.exec('PRAGMA busy_timeout=5000; PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON');
    const { integrity_check: report } = database.prepare('PRAGMA integrity_check(1)').get() as {
      readonly integrity_check: string;
    };
    if (report === 'ok') return prepareTables(database, file);
  } catch (error) {
    database.close();
    if (isDamage(error)) return null;
    throw error;
  }
  database.close();
  return null;
}

/** Returns which file it is; null where there is none, but a database all the same. */
async function createPrivate(disk: Disk, file: string): Promise<number | null> {
  try {
    if (disk.localPath(file) !== null) await (await disk.open(file, 'append')).close();
    return (await disk.status(file))?.id ?? null;
  } catch (error) {
    return refuse(file)(error);
  }
}

function prepareTables(database: Database, file: string): Database {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
    readonly user_version: number;
  };
  if (version > formatVersion)
    throw new UserError(`The memory of this project was written by a newer Jury (${file}).`, {
      kind: 'input',
      hint: 'Use that version.',
    });
  if (version === formatVersion) return database;
  database.exec(`BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS claim(id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS disposition(number INTEGER PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS revision(number INTEGER NOT NULL);
    INSERT INTO revision SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM revision);
    PRAGMA user_version=${formatVersion};
    COMMIT`);
  return database;
}

/** Another process may have replaced the file already: only the very file that was found damaged is put aside. */
async function replaceDamaged(
  disk: Disk,
  { file, id }: { readonly file: string; readonly id: number | null },
  onNote: (message: string) => void,
): Promise<Database> {
  const aside = join(dirname(file), `memory-damaged-${id}.sqlite`);
  if ((await disk.status(file))?.id === id) await disk.rename(file, aside);
  const rescued = await rescue(disk, aside);
  await createPrivate(disk, file);
  const database = await openSound(disk, file);
  if (database === null)
    throw new UserError(
      `The memory of this project was made anew and is damaged again (${file}).`,
      {
        kind: 'machine',
        hint: 'Check the disk, then try again.',
      },
    );
  tryWrite(database, revisionOf(database), {
    ...rescued,
    dispositions: rescued.dispositions.toReversed(),
    result: null,
  });
  onNote(
    `The memory of this project was damaged: ${rescued.claims.length} claims and ` +
      `${rescued.dispositions.length} decisions could be read from it; the damaged file is kept as ` +
      `${aside}.`,
  );
  return database;
}

async function rescue(disk: Disk, aside: string): Promise<ProjectMemory> {
  const database = await openDatabase(disk, aside);
  try {
    return {
      claims: readUntilDamage(database, 'SELECT body FROM claim', KnownClaim),
      dispositions: readUntilDamage(database, newestFirst, Disposition),
    };
  } finally {
    database.close();
  }
}

const newestFirst = 'SELECT body FROM disposition ORDER BY number DESC';

function readUntilDamage<Schema extends z.ZodType>(
  database: Database,
  query: string,
  schema: Schema,
): z.output<Schema>[] {
  const found: z.output<Schema>[] = [];
  try {
    for (const row of database.prepare(query).iterate()) {
      const value = parseBody(row, schema);
      if (value !== null) found.push(value);
    }
  } catch {
    // The damage begins here; what was read before it is kept.
  }
  return found;
}

function readAll(database: Database, onNote: (message: string) => void): ProjectMemory {
  const [claims, dispositions] = [
    readRows(database, 'SELECT body FROM claim', KnownClaim),
    readRows(database, newestFirst, Disposition),
  ];
  const unread = claims.unread + dispositions.unread;
  if (unread > 0)
    onNote(`${unread} entries of the memory of this project cannot be read and are left alone.`);
  return { claims: claims.values, dispositions: dispositions.values };
}

function readRows<Schema extends z.ZodType>(
  database: Database,
  query: string,
  schema: Schema,
): { readonly values: z.output<Schema>[]; readonly unread: number } {
  const read = [...database.prepare(query).iterate()].map(row => parseBody(row, schema));
  const values = read.filter(value => value !== null);
  return { values, unread: read.length - values.length };
}

function parseBody<Schema extends z.ZodType>(
  row: unknown,
  schema: Schema,
): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse((row as { readonly body: string }).body)).data ?? null;
  } catch {
    return null;
  }
}

function revisionOf(database: Database): number {
  return (database.prepare('SELECT number FROM revision').get() as { readonly number: number })
    .number;
}

/** False when another process wrote since `revision`. Between BEGIN and COMMIT nothing waits. */
function tryWrite(
  database: Database,
  revision: number,
  { claims, dispositions }: MemoryUpdate<unknown>,
): boolean {
  return inTransaction(database, () => {
    const isFirst = revisionOf(database) === revision;
    if (isFirst && claims.length + dispositions.length > 0) {
      const keep = database.prepare(
        'INSERT INTO claim(id, body) VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET body = excluded.body',
      );
      const add = database.prepare('INSERT INTO disposition(body) VALUES (?)');
      for (const claim of claims) keep.run(claim.id, JSON.stringify(claim));
      for (const disposition of dispositions) add.run(JSON.stringify(disposition));
      database.exec('UPDATE revision SET number = number + 1');
    }
    return isFirst;
  });
}

// The `Memory` port over the file of this machine and the decisions of the committed baseline.

interface MemorySettings {
  readonly file: MemoryFile;
  /** Decisions of the baseline file. */
  readonly baseline: readonly Disposition[];
  /** A matcher that nobody else uses. */
  readonly createMatcher: () => Promise<Matcher>;
  /** What was remembered when the run began, for when the file cannot be used at its end; null: it could not be read then either. */
  readonly known: ProjectMemory | null;
  readonly onNote: (message: string) => void;
}

/**
 * A run whose reviewers have answered does not end over a file: what was known of it decides then, and `onNote` says that nothing
 * is kept.
 */
export function createMemory(settings: MemorySettings): Memory {
  const { file, baseline, createMatcher, known, onNote } = settings;
  const beginning = known ?? { claims: [], dispositions: [] };
  const recall = async (): Promise<ProjectMemory> => {
    const { claims, dispositions } =
      known === null ? beginning : await file.read().catch(error => orThrow(error, known));
    return { claims, dispositions: [...dispositions, ...baseline] };
  };
  return {
    async remember(run) {
      const decide = async ({
        claims,
        dispositions,
      }: ProjectMemory): Promise<MemoryUpdate<RememberedRun>> => {
        const result = await rememberRun(
          { claims, dispositions: [...dispositions, ...baseline] },
          { ...run, matcher: await createMatcher() },
        );
        return { claims: result.changed, dispositions: [], result };
      };
      try {
        return await file.update(decide);
      } catch (error) {
        onNote(unkeptSentence(error, known !== null));
        return (await decide(beginning)).result;
      }
    },
    async recognise(run) {
      return rememberRun(await recall(), { ...run, matcher: await createMatcher() });
    },
    async reliability() {
      return reliabilityOf(await recall());
    },
    async recalibration() {
      return recalibrationOf(decidedConfidences(await recall()));
    },
  };
}

/** Throws the error again where neither the disk nor the database refused. */
function unkeptSentence(error: unknown, wasRead: boolean): string {
  const uncounted = wasRead ? '' : ', and nothing that was decided about its claims here counts';
  return `This run is not remembered${uncounted}: ${orThrow(error, refusalOf(error))}`;
}

function orThrow<Result>(error: unknown, instead: Result | null): Result {
  if (instead === null || refusalOf(error) === null) throw error;
  return instead;
}

function refusalOf(error: unknown): string | null {
  if (error instanceof UserError) return sentenceOf(error);
  return error instanceof Error && (codeOf(error) !== undefined || resultCodeOf(error) !== null)
    ? `${error.message}.`
    : null;
}
