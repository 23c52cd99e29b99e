/**
 * `memory.sqlite`: known claims and the decisions about them, a row each. Two runs at once are told apart by a
 * counter: who finds that the other wrote in between reads again and decides again.
 */
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { z } from 'zod';
import {
  decidedConfidences,
  recalibrationOf,
  reliabilityOf,
  rememberRun,
} from '../../agreement/index.ts';
import { UserError, sentenceOf, usageError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { Disk } from '../../core/ports/runner.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { Memory } from '../../core/ports/steps.ts';
import {
  Baseline,
  Disposition,
  KnownClaim,
  type ProjectMemory,
  type RememberedRun,
  baselineName,
  printBaseline,
} from '../../core/words/run.ts';
import { codeOf, explained, writeAtomically } from '../store/atomic-write.ts';
import {
  type Database,
  explainRefusal,
  inTransaction,
  openDatabase,
  openSound,
  resultCodeOf,
} from '../store/sqlite.ts';
import { type Note, type StateFolder, systemStorage } from '../store/storage.ts';
import { readRegularFile, readYaml, whyUnreadable } from '../system/given-file.ts';

const kind = {
  what: 'The memory of this project',
  version: 1,
  tables: `CREATE TABLE IF NOT EXISTS claim(id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS disposition(number INTEGER PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS revision(number INTEGER NOT NULL);
    INSERT INTO revision SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM revision);`,
};

interface MemoryUpdate<Result> {
  /** New ones and those that have changed. */
  claims: readonly KnownClaim[];
  /** New ones only: none is ever changed. */
  dispositions: readonly Disposition[];
  result: Result;
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
export function openMemoryFile(state: StateFolder, onNote: Note = () => {}): MemoryFile {
  const file = join(state.root, 'memory.sqlite');
  return {
    read: async () =>
      (await isThere(state.disk, file))
        ? withDatabase(state.disk, file, onNote, async database => readAll(database, onNote))
        : { claims: [], dispositions: [] },
    update: decide =>
      withDatabase(state.disk, file, onNote, async database => {
        for (;;) {
          const revision = revisionOf(database);
          const update = await decide(readAll(database, onNote));
          if (tryWrite(database, revision, update)) return update.result;
        }
      }),
  };
}

function isThere(disk: Disk, path: string) {
  return explained(
    { what: kind.what, path },
    async () => disk.localPath(path) === null || (await disk.status(path))?.kind === 'file',
  );
}

async function withDatabase<Result>(
  disk: Disk,
  file: string,
  onNote: Note,
  work: (database: Database) => Promise<Result>,
) {
  // Which file it is that may be found damaged.
  const id = (await explained({ path: file }, () => disk.status(file)))?.id ?? null;
  try {
    const { database } =
      (await openSound(disk, file, kind)) ?? (await replaceDamaged(disk, { file, id }, onNote));
    try {
      return await work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw explainRefusal(error, file);
  }
}

/** Another process may have replaced the file already: only the very file that was found damaged is put aside. */
async function replaceDamaged(
  disk: Disk,
  { file, id }: { file: string; id: number | null },
  onNote: Note,
) {
  const aside = join(dirname(file), `memory-damaged-${id}.sqlite`);
  if ((await disk.status(file))?.id === id) await disk.rename(file, aside);
  const rescued = await rescue(disk, aside);
  const opened = await openSound(disk, file, kind);
  if (!opened)
    throw new UserError(`${kind.what} was made anew and is damaged again (${file}).`, {
      kind: 'machine',
      hint: 'Check the disk, then try again.',
    });
  const { database } = opened;
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
  return opened;
}

async function rescue(disk: Disk, aside: string): Promise<ProjectMemory> {
  const database = await openDatabase(disk, aside);
  try {
    return {
      claims: readRows(database, allClaims, KnownClaim, true).values,
      dispositions: readRows(database, newestFirst, Disposition, true).values,
    };
  } finally {
    database.close();
  }
}

const allClaims = 'SELECT body FROM claim';
const newestFirst = 'SELECT body FROM disposition ORDER BY number DESC';

function readAll(database: Database, onNote: Note): ProjectMemory {
  const [claims, dispositions] = [
    readRows(database, allClaims, KnownClaim),
    readRows(database, newestFirst, Disposition),
  ];
  const unread = claims.unread + dispositions.unread;
  if (unread > 0)
    onNote(`${unread} entries of the memory of this project cannot be read and are left alone.`);
  return { claims: claims.values, dispositions: dispositions.values };
}

/** `isDamaged`: what stands before the damage is kept. */
function readRows<Schema extends z.ZodType>(
  database: Database,
  query: string,
  schema: Schema,
  isDamaged = false,
) {
  const values: z.output<Schema>[] = [];
  let unread = 0;
  try {
    for (const row of database.prepare(query).iterate()) {
      const value = schema.safeParse(parseJson((row as { body: string }).body)).data;
      if (value === undefined) unread += 1;
      else values.push(value);
    }
  } catch (error) {
    if (!isDamaged) throw error;
  }
  return { values, unread };
}

function revisionOf(database: Database) {
  return (database.prepare('SELECT number FROM revision').get() as { number: number }).number;
}

/** False when another process wrote since `revision`. Between BEGIN and COMMIT nothing waits. */
function tryWrite(
  database: Database,
  revision: number,
  { claims, dispositions }: MemoryUpdate<unknown>,
) {
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
  file: MemoryFile;
  /** Decisions of the baseline file. */
  baseline: readonly Disposition[];
  /** A matcher that nobody else uses. */
  createMatcher: () => Promise<Matcher>;
  /** What was remembered when the run began, for when the file cannot be used at its end; null: it could not be read then either. */
  known: ProjectMemory | null;
  onNote: Note;
}

/**
 * A run whose reviewers have answered does not end over a file: what was known of it decides then, and `onNote` says that nothing
 * is kept.
 */
export function createMemory(settings: MemorySettings): Memory {
  const { file, baseline, createMatcher, known, onNote } = settings;
  const beginning = known ?? { claims: [], dispositions: [] };
  const recall = async (): Promise<ProjectMemory> => {
    const { claims, dispositions } = known
      ? await file.read().catch(error => orThrow(error, known))
      : beginning;
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
function unkeptSentence(error: unknown, wasRead: boolean) {
  const uncounted = wasRead ? '' : ', and nothing that was decided about its claims here counts';
  return `This run is not remembered${uncounted}: ${orThrow(error, refusalOf(error))}`;
}

function orThrow<Result>(error: unknown, instead: Result | null): Result {
  if (instead === null || refusalOf(error) === null) throw error;
  return instead;
}

function refusalOf(error: unknown) {
  if (error instanceof UserError) return sentenceOf(error);
  return error instanceof Error && (codeOf(error) !== undefined || resultCodeOf(error) !== null)
    ? `${error.message}.`
    : null;
}

// Reads and writes the baseline file at the top of a repository.

/** Null when there is none. */
export async function readBaselineText(root: string) {
  try {
    const file = join(root, baselineName);
    // What is wrong with it is told with its words: a link must not make those of another file be printed.
    const [real, top] = await Promise.all([realpath(file), realpath(root)]);
    if (!real.startsWith(top + sep)) throw new Error('it is a link that leads out of the project');
    return await readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw usageError(`${baselineName} cannot be read: ${whyUnreadable(error)}.`, null, error);
  }
}

/** Throws `UserError` of kind `usage` that names file, line and key. */
export async function parseBaseline(text: string | null) {
  if (text === null) return [];
  const mend = 'Mend it, or remove it and write it anew with "jury baseline".';
  return (await readYaml(baselineName, text, Baseline, mend)).value.dispositions;
}

/** Returns the path written. */
export async function writeBaseline(root: string, dispositions: readonly Disposition[]) {
  const path = join(root, baselineName);
  await explained({ what: 'The baseline', path }, () =>
    writeAtomically(systemStorage, path, printBaseline(dispositions), 0o644),
  );
  return path;
}
