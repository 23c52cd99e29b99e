/** The `CodeIndex` port over one SQLite file. Several processes may use it at once. */
import { languageOf } from '../../core/languages/languages.ts';
import type { CodeIndex, Tree, TreeFile } from '../../core/ports/code-index.ts';
import type { Refreshed, SkipReason } from '../../core/words/code-index.ts';
import { type Database, inTransaction } from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import type { Extract, ExtractedText } from './extract.ts';
import { describeCounter, type Extractors, openExtractors } from './extractors.ts';
import { emptyTables, openIndexFile } from './index-file.ts';
import { answerAbout } from './questions.ts';
import { defaultMaxFileBytes, reasonByName } from './skip-reasons.ts';

export interface IndexOptions {
  /** Longer files are skipped; default: 1 MiB. Another figure than the last time reads everything again. */
  readonly maxFileBytes?: number;
  /**
   * Threads beside this one that take contents apart; default: one for each further core where there is enough to do. The answers
   * are the same with any number.
   */
  readonly threads?: number;
  /** Told what a person should know: an index that could not be used, a thread that failed. */
  readonly onNote?: (message: string) => void;
}

/** Nothing can be asked before a first `refresh`. */
export async function openCodeIndex(
  state: StateFolder,
  { maxFileBytes = defaultMaxFileBytes, threads, onNote = () => {} }: IndexOptions = {},
): Promise<CodeIndex> {
  const database = await openIndexFile(state, onNote);
  let isOpen = true;
  const index = {
    async refresh(tree, read, signal) {
      const { number, ...refreshed } = await refreshTree(database, {
        tree,
        read,
        maxFileBytes,
        threads,
        onNote,
        signal,
      });
      const without = (isHidden: (path: string) => boolean): Partial<CodeIndex> => ({
        ...answerAbout(database, { ...tree, number }, isHidden),
        hiding: further => ({ ...index, ...without(path => isHidden(path) || further(path)) }),
      });
      Object.assign(
        index,
        without(() => false),
      );
      return refreshed;
    },
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  } as CodeIndex;
  return index;
}

interface RefreshRequest {
  readonly tree: Tree;
  readonly read: (id: string) => Promise<Uint8Array | null>;
  readonly maxFileBytes: number;
  readonly threads: number | undefined;
  readonly onNote: (message: string) => void;
  readonly signal: AbortSignal | undefined;
}

interface RefreshedTree extends Refreshed {
  /** Number of the tree in the file. */
  readonly number: number;
}

/** Trees kept, so that going back to a branch reads nothing. */
const treesKept = 16;

interface Sorted {
  readonly named: readonly { readonly file: TreeFile; readonly reason: SkipReason }[];
  readonly wanted: readonly { readonly file: TreeFile; readonly language: string }[];
}

/** Brings the index up to date with a tree: what is not there yet is read, in portions that survive an interruption. */
async function refreshTree(database: Database, request: RefreshRequest): Promise<RefreshedTree> {
  keepSettings(database, 'maxFileBytes', String(request.maxFileBytes));
  const sorted = sortFiles(request.tree.files, request.maxFileBytes);
  const unreadable = new Set<string>();
  for (let indexed = 0; ;) {
    const number =
      useTree(database, request.tree.id) ??
      inTransaction(database, () => writeTree(database, request.tree, sorted, unreadable));
    if (number !== null)
      return { number, indexed, reused: new Set(sorted.wanted.map(keyOf)).size - indexed };
    // Another process may drop contents between two rounds; the next one reads them again.
    indexed += await readMissing(database, request, sorted, unreadable);
  }
}

function sortFiles(files: readonly TreeFile[], maxFileBytes: number): Sorted {
  // The runs and this very index lie there.
  const reasoned = files
    .filter(({ path }) => !path.startsWith('.jury/'))
    .map(file => ({ file, reason: reasonByName(file, maxFileBytes) }));
  return {
    named: reasoned.flatMap(({ file, reason }) => (reason === null ? [] : [{ file, reason }])),
    wanted: reasoned
      .filter(({ reason }) => reason === null)
      .map(({ file }) => ({ file, language: languageOf(file.path) })),
  };
}

function keyOf({ file, language }: { readonly file: TreeFile; readonly language: string }): string {
  return `${file.id} ${language}`;
}

/** Everything was read with one setting, or is read again. */
function keepSettings(database: Database, name: string, value: string): void {
  const known = database.prepare('SELECT value FROM setting WHERE name = ?').get(name) as
    { readonly value: string } | undefined;
  if (known?.value === value) return;
  inTransaction(database, () => {
    if (known !== undefined) emptyTables(database);
    database.prepare('INSERT OR REPLACE INTO setting(name, value) VALUES (?, ?)').run(name, value);
  });
}

function useTree(database: Database, id: string): number | null {
  const known = database.prepare('SELECT number FROM tree WHERE id = ?').get(id) as
    { readonly number: number } | undefined;
  if (known === undefined) return null;
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
  sorted: Sorted,
  unreadable: Set<string>,
): Promise<number> {
  const known = numbersOf(database);
  const missing = new Map<string, MissingContent>();
  for (const one of sorted.wanted) {
    const { file, language } = one;
    if (!unreadable.has(file.id) && !known.has(keyOf(one)))
      missing.set(keyOf(one), { id: file.id, language, path: file.path, bytes: file.size });
  }
  if (missing.size === 0) return 0;
  const counter = await loadTokenCounter();
  keepSettings(database, 'counter', describeCounter(counter));
  const contents = [...missing.values()];
  const extractors = openExtractors({
    counter,
    bytes: contents.reduce((sum, { bytes }) => sum + bytes, 0),
    threads: request.threads,
    onNote: request.onNote,
  });
  try {
    await extractAll(contents, extractors, request, {
      write: createWriter(database),
      isUnreadable: id => void unreadable.add(id),
    });
  } finally {
    await extractors.close();
  }
  return contents.length;
}

interface MissingContent extends ContentKey {
  readonly path: string;
  readonly bytes: number;
}

/** Of the texts themselves: what goes to a thread at once, and what is written in one go. */
const bytesPerPortion = 128 * 1024;
const bytesPerWriting = 4 * 1024 * 1024;
const mostPerPortion = 64;

interface Sink {
  readonly write: (extracted: readonly ExtractedContent[]) => void;
  readonly isUnreadable: (id: string) => void;
}

interface ExtractedContent {
  readonly key: ContentKey;
  readonly extract: Extract;
}

/** Several portions are under way while the ones before them are written, in the order of the tree: the same file always comes of it. */
async function extractAll(
  contents: readonly MissingContent[],
  extractors: Extractors,
  { read, signal }: RefreshRequest,
  sink: Sink,
): Promise<void> {
  const underWay: Promise<readonly ExtractedContent[]>[] = [];
  let finished: ExtractedContent[] = [];
  let finishedBytes = 0;
  const takeFirst = async (): Promise<void> => {
    finished.push(...((await underWay.shift()) ?? []));
    if (finishedBytes < bytesPerWriting) return;
    sink.write(finished);
    finished = [];
    finishedBytes = 0;
  };
  for (const portion of portionsOf(contents)) {
    if (signal?.aborted === true) break;
    const extracted = extractPortion(portion, extractors, read, sink.isUnreadable);
    // It may fail before its turn has come, or when nobody waits for it any more after another failure.
    extracted.catch(() => {});
    underWay.push(extracted);
    finishedBytes += portion.reduce((sum, { bytes }) => sum + bytes, 0);
    if (underWay.length >= extractors.depth) await takeFirst();
  }
  // oxlint-disable-next-line no-unmodified-loop-condition -- it is aborted from outside while portions are awaited
  while (underWay.length > 0 && signal?.aborted !== true) await takeFirst();
  // What an interruption finds finished is kept.
  sink.write(finished);
  signal?.throwIfAborted();
}

function* portionsOf(contents: readonly MissingContent[]): Generator<readonly MissingContent[]> {
  let portion: MissingContent[] = [];
  let bytes = 0;
  for (const content of contents) {
    portion.push(content);
    bytes += content.bytes;
    if (bytes < bytesPerPortion && portion.length < mostPerPortion) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

async function extractPortion(
  portion: readonly MissingContent[],
  extractors: Extractors,
  read: RefreshRequest['read'],
  isUnreadable: Sink['isUnreadable'],
): Promise<readonly ExtractedContent[]> {
  const contents = await Promise.all(
    portion.map(async ({ id, language, path }) => ({ id, language, path, bytes: await read(id) })),
  );
  const readable = contents.flatMap(({ bytes, ...content }) => {
    if (bytes === null) isUnreadable(content.id);
    return bytes === null ? [] : [{ ...content, bytes }];
  });
  const extracts = await extractors.extract(readable);
  return readable.flatMap(({ id, language }, index) => {
    const found = extracts[index];
    return found === undefined ? [] : [{ key: { id, language }, extract: found }];
  });
}

/** Every content by its key: one question instead of one for each file. */
function numbersOf(database: Database): ReadonlyMap<string, number> {
  const rows = database.prepare('SELECT number, id, language FROM content').iterate();
  return new Map(
    Array.from(rows as Iterable<ContentKey & { readonly number: number }>, row => [
      `${row.id} ${row.language}`,
      row.number,
    ]),
  );
}

/** Null when a content is missing. */
function writeTree(
  database: Database,
  { id, files }: Tree,
  { named, wanted }: Sorted,
  unreadable: ReadonlySet<string>,
): number | null {
  const known = numbersOf(database);
  const numbers = wanted.map(one => known.get(keyOf(one)) ?? null);
  if (wanted.some(({ file }, index) => numbers[index] === null && !unreadable.has(file.id)))
    return null;
  const { number } = database
    .prepare(
      'INSERT INTO tree(id, used) SELECT ?, COALESCE(MAX(used), 0) + 1 FROM tree WHERE true ON ' +
        'CONFLICT(id) DO UPDATE SET used = excluded.used RETURNING number',
    )
    .get(id) as { readonly number: number };
  const add = database.prepare(
    'INSERT OR REPLACE INTO entry(tree, path, id, content, reason) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { file, reason } of named) add.run(number, file.path, file.id, null, reason);
  for (const [index, { file }] of wanted.entries())
    add.run(
      number,
      file.path,
      file.id,
      numbers[index] ?? null,
      numbers[index] === null ? 'unreadable' : null,
    );
  if (files.length > 0) dropOldTrees(database);
  return number;
}

/** Contents that no tree holds any more go with the last one that did. */
function dropOldTrees(database: Database): void {
  const old = [
    ...database
      .prepare('SELECT number FROM tree ORDER BY used DESC LIMIT -1 OFFSET ?')
      .iterate(treesKept),
  ] as { readonly number: number }[];
  if (old.length === 0) return;
  for (const { number } of old) {
    database.prepare('DELETE FROM entry WHERE tree = ?').run(number);
    database.prepare('DELETE FROM tree WHERE number = ?').run(number);
  }
  const orphans = [
    ...database
      .prepare(
        'SELECT number FROM content WHERE number NOT IN (SELECT content FROM entry WHERE content IS NOT NULL)',
      )
      .iterate(),
  ] as { readonly number: number }[];
  // To look for them takes far longer than to drop the few there are.
  const drops = [
    'DELETE FROM passage WHERE rowid IN (SELECT number FROM place WHERE content = ?)',
    ...['place', 'definition', 'binding', 'import', 'usage'].map(
      table => `DELETE FROM ${table} WHERE content = ?`,
    ),
    'DELETE FROM content WHERE number = ?',
  ].map(sql => database.prepare(sql));
  for (const { number } of orphans) for (const drop of drops) drop.run(number);
}

// Writes what was found in one content.

interface ContentKey {
  readonly id: string;
  readonly language: string;
}

/** Statements are prepared once. A content that another process wrote meanwhile is left alone. */
function createWriter(database: Database): Sink['write'] {
  const has = database.prepare('SELECT 1 FROM content WHERE id = ? AND language = ?');
  const addContent = database.prepare(
    'INSERT INTO content(id, language, reason, bytes, lines, tokens, definitions, places, imports) ' +
      'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number',
  );
  const writeText = createTextWriter(database);
  const write = ({ key: { id, language }, extract }: ExtractedContent): void => {
    if (has.get(id, language) !== undefined) return;
    const counts =
      extract.reason === null
        ? [extract.bytes, extract.lines, extract.tokens, extract.definitions.length]
        : [0, 0, 0, 0];
    const [places, imports] =
      extract.reason === null ? [extract.places, extract.imports.length] : [0, 0];
    const { number } = addContent.get(id, language, extract.reason, ...counts, places, imports) as {
      readonly number: number;
    };
    if (extract.reason === null) writeText(number, extract);
  };
  return extracted => inTransaction(database, () => extracted.forEach(write));
}

function createTextWriter(database: Database): (content: number, text: ExtractedText) => void {
  const addDefinition = database.prepare(
    'INSERT INTO definition(content, name, kind, startLine, endLine, nameLine, signature) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const addUsage = database.prepare(
    'INSERT INTO usage(name, content, calls, uses) VALUES (?, ?, ?, ?)',
  );
  const addImport = database.prepare(
    'INSERT INTO import(content, line, specifier, startLine, endLine) VALUES (?, ?, ?, ?, ?)',
  );
  const addBindings = database.prepare('INSERT INTO binding(content, places) VALUES (?, ?)');
  const addPlace = database.prepare(
    'INSERT INTO place(content, startLine, endLine) VALUES (?, ?, ?) RETURNING number',
  );
  const addPassage = database.prepare(
    'INSERT INTO passage(rowid, body, words, names) VALUES (?, ?, ?, ?)',
  );
  return (content, { definitions, usages, imports, bindings, passages }) => {
    for (const { name, kind, startLine, endLine, nameLine, signature } of definitions)
      addDefinition.run(content, name, kind, startLine, endLine, nameLine, signature);
    for (const [name, calls, uses] of usages) addUsage.run(name, content, calls, uses);
    for (const { specifier, line, startLine, endLine } of imports)
      addImport.run(content, line, specifier, startLine, endLine);
    if (bindings !== null) addBindings.run(content, bindings);
    for (const { startLine, endLine, body, words, names } of passages) {
      const { number } = addPlace.get(content, startLine, endLine) as { readonly number: number };
      addPassage.run(number, body, words, names);
    }
  };
}
