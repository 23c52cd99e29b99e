/** The `CodeIndex` port over one SQLite file. Several processes may use it at once. */
import { isLockfile, isVendoredPath, languageOf } from '../../core/languages/languages.ts';
import type { CodeIndex, Tree, TreeFile } from '../../core/ports/repository.ts';
import type { Refreshed, SkipReason } from '../../core/words/code-index.ts';
import {
  type Database,
  inTransaction,
  isDamage,
  explainRefusal,
  openPrivate,
} from '../store/sqlite.ts';
import type { Note, StateFolder } from '../store/storage.ts';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import { type Extract, describeCounter, openExtractors } from './extract.ts';

import { answerAbout, firstPassage } from './questions.ts';
import { join } from 'node:path';
import { explainDiskFailure } from '../store/atomic-write.ts';

interface IndexRequest {
  /** What is asked about. */
  tree: Tree;
  /** A content; null when it cannot be had. */
  read: (id: string) => Promise<Uint8Array | null>;
  signal?: AbortSignal | undefined;
  /**
   * Threads beside this one that take contents apart; default: one for each further core where there is enough to do. The answers
   * are the same with any number.
   */
  threads?: number | undefined;
  /** Told what a person should know: an index that could not be used, a thread that failed. */
  onNote?: Note;
}

/** Brings the index up to date with a tree and answers about it. What was finished before an interruption is kept. */
export async function openCodeIndex(state: StateFolder, request: IndexRequest) {
  const { tree, onNote = () => {} } = request;
  const database = await rebuilding(state, onNote, () => openWithTables(state, onNote));
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  try {
    const { number, ...refreshed } = await refreshTree(database, { ...request, onNote });
    const hiding = (isHidden: (path: string) => boolean): CodeIndex => ({
      ...answerAbout(database, { ...tree, number }, isHidden),
      hiding: further => hiding(path => isHidden(path) || further(path)),
      close,
    });
    return { index: hiding(() => false), refreshed };
  } catch (error) {
    close();
    throw error;
  }
}

type RefreshRequest = IndexRequest & Required<Pick<IndexRequest, 'onNote'>>;

/** Trees kept, so that going back to a branch reads nothing. */
const treesKept = 16;

interface Listed {
  file: TreeFile;
  language: string;
  /** Why it is not read, by its name; of what is wanted null. */
  reason: SkipReason | null;
}

/** Brings the index up to date with a tree: what is not there yet is read, in portions that survive an interruption. */
async function refreshTree(
  database: Database,
  request: RefreshRequest,
): Promise<Refreshed & { number: number }> {
  const { tree } = request;
  // The runs and this very index lie there.
  const files = tree.files
    .filter(({ path }) => !path.startsWith('.jury/'))
    .map(file => ({ file, language: languageOf(file.path), reason: reasonByName(file) }));
  const wanted = new Set(files.filter(({ reason }) => reason === null).map(keyOf));
  const unreadable = new Set<string>();
  for (let indexed = 0; ;) {
    const number =
      useTree(database, tree.id) ??
      inTransaction(database, () => writeTree(database, tree, files, unreadable));
    if (number !== null) return { number, indexed, reused: wanted.size - indexed };
    // Another process may drop contents between two rounds; the next one reads them again.
    indexed += await readMissing(database, request, files, unreadable);
  }
}

function keyOf({ file, language }: Listed) {
  return `${file.id} ${language}`;
}

function useTree(database: Database, id: string) {
  const known = database.prepare('SELECT number FROM tree WHERE id = ?').get(id) as
    { number: number } | undefined;
  if (!known) return null;
  database
    .prepare(
      'UPDATE tree SET used = (SELECT MAX(used) + 1 FROM tree) WHERE number = ? AND used < (SELECT MAX(used) FROM tree)',
    )
    .run(known.number);
  return known.number;
}

async function readMissing(
  database: Database,
  request: RefreshRequest,
  files: readonly Listed[],
  unreadable: Set<string>,
) {
  const known = numbersOf(database);
  const missing = new Map(
    files
      .filter(one => one.reason === null && !unreadable.has(one.file.id) && !known.has(keyOf(one)))
      .map(one => [keyOf(one), one]),
  );
  if (missing.size === 0) return 0;
  const counter = await loadTokenCounter();
  keepCounter(database, describeCounter(counter));
  const contents = [...missing.values()];
  const extractors = openExtractors({
    counter,
    bytes: contents.reduce((sum, { file }) => sum + file.size, 0),
    threads: request.threads,
    onNote: request.onNote,
  });
  const write = createWriter(database);
  const extract = async (portion: readonly Listed[]) => {
    const read = await Promise.all(
      portion.map(async one => ({
        ...one,
        path: one.file.path,
        bytes: await request.read(one.file.id),
      })),
    );
    const readable = read.flatMap(({ bytes, ...one }) => {
      if (!bytes) unreadable.add(one.file.id);
      return !bytes ? [] : { ...one, bytes };
    });
    const extracts = await extractors.extract(readable);
    return readable.flatMap(({ file, language }, at) => {
      const found = extracts[at];
      return !found ? [] : { file, language, extract: found };
    });
  };
  try {
    await extractAll(contents, extractors.depth, { extract, write, signal: request.signal });
  } finally {
    await extractors.close();
  }
  return contents.length;
}

/** Everything was counted by one, or is read again. */
function keepCounter(database: Database, counter: string) {
  const known = database.prepare('SELECT value FROM setting').get() as
    { value: string } | undefined;
  if (known?.value === counter) return;
  inTransaction(database, () => {
    forEachTable(database, 'DELETE FROM');
    database.prepare("INSERT INTO setting(name, value) VALUES ('counter', ?)").run(counter);
  });
}

/** Of the texts themselves: what goes to a thread at once, and what is written in one go. */
const bytesPerPortion = 128 * 1024;
const bytesPerWriting = 4 * 1024 * 1024;
const mostPerPortion = 64;

interface ExtractedContent extends Pick<Listed, 'file' | 'language'> {
  extract: Extract;
}

/** Several portions are under way while the ones before them are written, in the order of the tree: the same file always comes of it. */
async function extractAll(
  contents: readonly Listed[],
  depth: number,
  {
    extract,
    write,
    signal,
  }: {
    extract: (portion: readonly Listed[]) => Promise<readonly ExtractedContent[]>;
    write: (extracted: readonly ExtractedContent[]) => void;
    signal: AbortSignal | undefined;
  },
) {
  const underWay: Promise<readonly ExtractedContent[]>[] = [];
  let finished: ExtractedContent[] = [];
  let finishedBytes = 0;
  const takeFirst = async () => {
    finished.push(...((await underWay.shift()) ?? []));
    if (finishedBytes < bytesPerWriting) return;
    write(finished);
    finished = [];
    finishedBytes = 0;
  };
  for (const portion of portionsOf(contents)) {
    if (signal?.aborted === true) break;
    const extracted = extract(portion);
    // It may fail before its turn has come, or when nobody waits for it any more after another failure.
    extracted.catch(() => {});
    underWay.push(extracted);
    finishedBytes += portion.reduce((sum, { file }) => sum + file.size, 0);
    if (underWay.length >= depth) await takeFirst();
  }
  // oxlint-disable-next-line no-unmodified-loop-condition -- it is aborted from outside while portions are awaited
  while (underWay.length > 0 && signal?.aborted !== true) await takeFirst();
  // What an interruption finds finished is kept.
  write(finished);
  signal?.throwIfAborted();
}

function* portionsOf(contents: readonly Listed[]): Generator<readonly Listed[]> {
  for (let from = 0, to = 0; from < contents.length; from = to) {
    let bytes = 0;
    for (; to < contents.length && to < from + mostPerPortion && bytes < bytesPerPortion; to += 1)
      bytes += contents[to]?.file.size ?? 0;
    yield contents.slice(from, to);
  }
}

/** Every content by its key: one question instead of one for each file. */
function numbersOf(database: Database) {
  const rows = database.prepare("SELECT number, id || ' ' || language AS key FROM content");
  return new Map(
    Array.from(rows.iterate() as Iterable<{ key: string; number: number }>, ({ key, number }) => [
      key,
      number,
    ]),
  );
}

/** Null when a content is missing. */
function writeTree(
  database: Database,
  { id }: Tree,
  files: readonly Listed[],
  unreadable: ReadonlySet<string>,
) {
  const known = numbersOf(database);
  const entries = files.map(one => {
    const content = one.reason === null ? (known.get(keyOf(one)) ?? null) : null;
    return { ...one, content, reason: one.reason ?? (content === null ? 'unreadable' : null) };
  });
  if (entries.some(({ file, reason }) => reason === 'unreadable' && !unreadable.has(file.id)))
    return null;
  const { number } = database
    .prepare(
      'INSERT INTO tree(id, used) SELECT ?, COALESCE(MAX(used), 0) + 1 FROM tree WHERE true ON ' +
        'CONFLICT(id) DO UPDATE SET used = excluded.used RETURNING number',
    )
    .get(id) as { number: number };
  const add = database.prepare(
    'INSERT OR REPLACE INTO entry(tree, path, id, content, reason) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { file, content, reason } of entries)
    add.run(number, file.path, file.id, content, reason);
  if (files.length > 0) dropOldTrees(database);
  return number;
}

/** Contents that no tree holds any more go with the last one that did, and with each what the tables keep of it. */
function dropOldTrees(database: Database) {
  const dropped = database
    .prepare(
      'DELETE FROM tree WHERE number IN (SELECT number FROM tree ORDER BY used DESC LIMIT -1 OFFSET ?) RETURNING number',
    )
    .get(treesKept);
  // To look for them takes far longer than to drop the few there are.
  if (dropped !== undefined)
    database.exec(
      'DELETE FROM content WHERE number NOT IN (SELECT content FROM entry WHERE content IS NOT NULL)',
    );
}

/** Statements are prepared once. A content that another process wrote meanwhile is left alone. */
function createWriter(database: Database) {
  const addContent = database.prepare(
    'INSERT OR IGNORE INTO content(id, language, reason, bytes, lines, tokens, places, definitions, imports, bindings) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number',
  );
  const addUsage = database.prepare(
    'INSERT INTO usage(name, content, isDefined, calls, uses) VALUES (?, ?, ?, ?, ?)',
  );
  const addPassage = database.prepare(
    'INSERT INTO passage(rowid, body, words, names, startLine, endLine) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const write = ({ file: { id }, language, extract }: ExtractedContent) => {
    const { names, passages, ...counted } = extract;
    const parts = [counted.definitions, counted.imports, counted.bindings].map(part =>
      JSON.stringify(part),
    );
    const content = addContent.get(
      id,
      language,
      counted.reason,
      counted.bytes,
      counted.lines,
      counted.tokens,
      counted.places,
      ...parts,
    ) as { number: number } | undefined;
    if (!content) return;
    const { number } = content;
    for (const [name, isDefined, calls, uses] of names)
      addUsage.run(name, number, Number(isDefined), calls, uses);
    for (const [at, { body, words, names: defined, startLine, endLine }] of passages.entries())
      addPassage.run(firstPassage(number) + at, body, words, defined, startLine, endLine);
  };
  return (extracted: readonly ExtractedContent[]) =>
    inTransaction(database, () => extracted.forEach(write));
}

// Why a file is listed and not read: first by its name, then by what is in it.

/** Bytes of a file; see the table of the index in the documentation. */
const mostBytes = 1_048_576;

/** Null when the file has to be looked into. */
function reasonByName({ path, mode, size }: TreeFile): SkipReason | null {
  if (mode === '120000') return 'link';
  if (mode === '160000') return 'submodule';
  if (isVendoredPath(path)) return 'vendored';
  if (isLockfile(path)) return 'generated';
  if (size === 0) return 'empty';
  return size > mostBytes ? 'too large' : null;
}

/** Raised whenever tables change, or what a grammar's queries find. */
const formatVersion = 8;

/**
 * What a content holds is kept as JSON beside it, by name only where it is used and whether it is defined. Its passages have the
 * numbers from `firstPassage` on, so that they follow one another.
 */
const tables = `
  CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE content(number INTEGER PRIMARY KEY, id TEXT NOT NULL, language TEXT NOT NULL, reason TEXT,
    bytes INTEGER, lines INTEGER, tokens INTEGER, places INTEGER, definitions TEXT, imports TEXT, bindings TEXT, UNIQUE(id, language));
  CREATE TABLE tree(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
  CREATE TABLE entry(tree INTEGER NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, content INTEGER, reason TEXT,
    PRIMARY KEY(tree, path)) WITHOUT ROWID;
  CREATE INDEX entry_content ON entry(tree, content);
  CREATE TABLE usage(name TEXT NOT NULL, content INTEGER NOT NULL, isDefined INTEGER NOT NULL, calls TEXT NOT NULL, uses TEXT NOT NULL,
    PRIMARY KEY(name, content)) WITHOUT ROWID;
  CREATE INDEX usage_content ON usage(content);
  CREATE VIRTUAL TABLE passage USING fts5(body, words, names, startLine UNINDEXED, endLine UNINDEXED, tokenize='porter unicode61');
  CREATE TRIGGER tree_dropped AFTER DELETE ON tree BEGIN
    DELETE FROM entry WHERE tree = old.number;
  END;
  CREATE TRIGGER content_dropped AFTER DELETE ON content BEGIN
    DELETE FROM usage WHERE content = old.number;
    DELETE FROM passage WHERE rowid >= old.number << 20 AND rowid < (old.number + 1) << 20;
  END;
`;

function indexPath({ root }: StateFolder) {
  return join(root, 'index.sqlite');
}

/** Where the index turns out to be damaged, the work is done once more on a new one. Throws `UserError` when the disk refuses. */
export async function rebuilding<Result>(
  state: StateFolder,
  onNote: Note,
  work: () => Promise<Result>,
) {
  const path = indexPath(state);
  return work().catch(async error => {
    if (!isDamage(error))
      throw explainRefusal(
        explainDiskFailure(error, { what: 'The code index', path, again: 'try again' }),
        path,
      );
    for (const ending of ['', '-journal', '-wal', '-shm']) await state.disk.remove(path + ending);
    onNote('The code index was damaged and is built anew.');
    return work();
  });
}

/** Creates the file and its tables. `onNote` is told when an earlier one could not be used. */
async function openWithTables(state: StateFolder, onNote: Note) {
  const database = await openPrivate(state.disk, indexPath(state));
  const version = () =>
    (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  try {
    // What is lost with the power is built again; a killed process loses nothing.
    database.exec(
      'PRAGMA busy_timeout=30000; PRAGMA synchronous=NORMAL; PRAGMA cell_size_check=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY',
    );
    if (version() === formatVersion) return database;
    inTransaction(database, () => {
      // Another process may have made them while this one waited.
      const known = version();
      if (known === formatVersion) return;
      if (known !== 0)
        onNote('The code index was written by another version of Jury and is built anew.');
      forEachTable(database, 'DROP TABLE');
      database.exec(`${tables}; PRAGMA user_version=${formatVersion}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Those that a virtual table keeps for itself go with it. */
function forEachTable(database: Database, action: 'DROP TABLE' | 'DELETE FROM') {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_%'",
    )
    .iterate();
  for (const { name } of Array.from(names as Iterable<{ name: string }>))
    database.exec(`${action} ${name}`);
}
