/** The `CodeIndex` port over one SQLite file. Several processes may use it at once. */
import { languageOf } from '../../core/languages/languages.ts';
import type { CodeIndex, TokenCounter, Tree, TreeFile } from '../../core/ports.ts';
import { identifiersOf, splitIdentifier } from '../../core/text.ts';
import type { Refreshed, SkipReason } from '../../core/words/code-index.ts';
import type { Database } from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import { emptyTables, inTransaction, openIndexFile } from './index-file.ts';
import { answerAbout, defaultMaxFileBytes, type Questions, reasonByName } from './questions.ts';
import { examine, type Examined, type ExaminedText, noStructure } from './structure.ts';

export interface IndexOptions {
  /** Longer files are skipped; default: 1 MiB. Another figure than the last time reads everything again. */
  readonly maxFileBytes?: number;
  /** Told what a person should know: an index that could not be used. */
  readonly onNote?: (message: string) => void;
}

/** Nothing can be asked before a first `refresh`. */
export async function openCodeIndex(
  state: StateFolder,
  { maxFileBytes = defaultMaxFileBytes, onNote = () => {} }: IndexOptions = {},
): Promise<CodeIndex> {
  const database = await openIndexFile(state, onNote);
  let questions: Questions | null = null;
  let isOpen = true;
  const asked = (): Questions => {
    if (questions === null) throw new Error('The index is asked before it was refreshed.');
    return questions;
  };
  return {
    async refresh(tree, read, signal) {
      const { number, ...refreshed } = await refreshTree(database, {
        tree,
        read,
        maxFileBytes,
        signal,
      });
      questions = answerAbout(database, { number, id: tree.id, branch: tree.branch });
      return refreshed;
    },
    statistics: () => asked().statistics(),
    files: () => asked().files(),
    skipped: () => asked().skipped(),
    definitionsOf: name => asked().definitionsOf(name),
    definitionsIn: path => asked().definitionsIn(path),
    enclosing: (path, line) => asked().enclosing(path, line),
    referencesTo: name => asked().referencesTo(name),
    usesIn: path => asked().usesIn(path),
    bindingsIn: path => asked().bindingsIn(path),
    importsOf: path => asked().importsOf(path),
    leadsTo: (path, specifier) => asked().leadsTo(path, specifier),
    importersOf: path => asked().importersOf(path),
    testsOf: name => asked().testsOf(name),
    search: (query, limit) => asked().search(query, limit),
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}

interface RefreshRequest {
  readonly tree: Tree;
  readonly read: (id: string) => Promise<Uint8Array | null>;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal | undefined;
}

interface RefreshedTree extends Refreshed {
  /** Number of the tree in the file. */
  readonly number: number;
}

const contentsPerPortion = 100;
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
  const has = database.prepare('SELECT 1 FROM content WHERE id = ? AND language = ?');
  const missing = new Map<string, ContentKey & { readonly path: string }>();
  for (const one of sorted.wanted) {
    const { file, language } = one;
    if (
      !unreadable.has(file.id) &&
      !missing.has(keyOf(one)) &&
      has.get(file.id, language) === undefined
    )
      missing.set(keyOf(one), { id: file.id, language, path: file.path });
  }
  if (missing.size === 0) return 0;
  const counter = await loadTokenCounter();
  keepSettings(
    database,
    'counter',
    JSON.stringify({ name: counter.name, version: counter.version, estimated: counter.estimated }),
  );
  const write = createContentWriter(database);
  const keys = [...missing.values()];
  for (let at = 0; at < keys.length; at += contentsPerPortion) {
    request.signal?.throwIfAborted();
    const portion = await examineAll(
      keys.slice(at, at + contentsPerPortion),
      request,
      counter,
      unreadable,
    );
    inTransaction(database, () => {
      for (const { key, examined } of portion) write(key, examined);
    });
  }
  return keys.length;
}

async function examineAll(
  keys: readonly (ContentKey & { readonly path: string })[],
  { read }: RefreshRequest,
  counter: TokenCounter,
  unreadable: Set<string>,
) {
  const contents = keys.map(async key => ({ key, bytes: await read(key.id) }));
  const examined: { readonly key: ContentKey; readonly examined: Examined }[] = [];
  for (const { key, bytes } of await Promise.all(contents)) {
    if (bytes === null) unreadable.add(key.id);
    else examined.push({ key, examined: await examine(bytes, key.path, key.language, counter) });
  }
  return examined;
}

/** Null when a content is missing. */
function writeTree(
  database: Database,
  { id, files }: Tree,
  { named, wanted }: Sorted,
  unreadable: ReadonlySet<string>,
): number | null {
  const find = database.prepare('SELECT number FROM content WHERE id = ? AND language = ?');
  const numbers = wanted.map(
    ({ file, language }) =>
      (find.get(file.id, language) as { readonly number: number } | undefined)?.number ?? null,
  );
  if (wanted.some(({ file }, index) => numbers[index] === null && !unreadable.has(file.id)))
    return null;
  const { number } = database
    .prepare(
      'INSERT INTO tree(id, used) SELECT ?, COALESCE(MAX(used), 0) + 1 FROM tree WHERE true ON CONFLICT(id) DO UPDATE SET used = excluded.used RETURNING number',
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
  const orphans =
    'SELECT number FROM content WHERE number NOT IN (SELECT content FROM entry WHERE content IS NOT NULL)';
  database.exec(`
    DELETE FROM passage WHERE rowid IN (SELECT number FROM place WHERE content IN (${orphans}));
    DELETE FROM place WHERE content IN (${orphans});
    DELETE FROM definition WHERE content IN (${orphans});
    DELETE FROM binding WHERE content IN (${orphans});
    DELETE FROM import WHERE content IN (${orphans});
    DELETE FROM usage WHERE content IN (${orphans});
    DELETE FROM content WHERE number IN (${orphans});`);
}

// Writes what was found in one content.

interface ContentKey {
  readonly id: string;
  readonly language: string;
}

type ContentWriter = (key: ContentKey, examined: Examined) => void;

const longestSignature = 200;

/** Statements are prepared once. Every call belongs into a transaction; a content that another process wrote meanwhile is left alone. */
function createContentWriter(database: Database): ContentWriter {
  const has = database.prepare('SELECT 1 FROM content WHERE id = ? AND language = ?');
  const addContent = database.prepare(
    'INSERT INTO content(id, language, reason, bytes, lines, tokens, definitions, places, imports) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number',
  );
  const writeText = createTextWriter(database);
  return ({ id, language }, examined) => {
    if (has.get(id, language) !== undefined) return;
    const { bytes, lines, tokens, structure } =
      examined.reason === null
        ? examined
        : { bytes: 0, lines: 0, tokens: 0, structure: noStructure };
    const { definitions, names, imports } = structure;
    const places = [...names.values()].reduce(
      (sum, { calls, uses }) => sum + calls.size + uses.size,
      0,
    );
    const { number } = addContent.get(
      id,
      language,
      examined.reason,
      bytes,
      lines,
      tokens,
      definitions.length,
      places,
      imports.length,
    ) as { readonly number: number };
    if (examined.reason === null) writeText(number, examined);
  };
}

function createTextWriter(database: Database): (content: number, examined: ExaminedText) => void {
  const addDefinition = database.prepare(
    'INSERT INTO definition(content, name, kind, startLine, endLine, signature) VALUES (?, ?, ?, ?, ?, ?)',
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
  const addPassage = database.prepare('INSERT INTO passage(rowid, body, words) VALUES (?, ?, ?)');
  return (content, { text, structure }) => {
    const lines = text.split('\n');
    for (const { name, kind, startLine, endLine, nameLine } of structure.definitions) {
      addDefinition.run(
        content,
        name,
        kind,
        startLine,
        endLine,
        (lines[nameLine - 1] ?? '').trim().slice(0, longestSignature),
      );
    }
    for (const [name, { calls, uses }] of structure.names)
      addUsage.run(name, content, [...calls].join(' '), [...uses].join(' '));
    for (const { specifier, line, startLine, endLine } of structure.imports)
      addImport.run(content, line, specifier, startLine, endLine);
    if (structure.bindings !== null)
      addBindings.run(
        content,
        structure.bindings
          .map(({ name, line, startLine, endLine }) => `${line} ${startLine} ${endLine} ${name}`)
          .join('\n'),
      );
    for (const { startLine, endLine, text: body, words } of cutPassages(text)) {
      const { number } = addPlace.get(content, startLine, endLine) as { readonly number: number };
      addPassage.run(number, body, words);
    }
  };
}

// Cuts a text into the passages that a search finds.

interface Passage {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Parts of the identifiers that the text does not spell as words of their own. */
  readonly words: string;
}

const linesPerPassage = 40;
const longestPassage = 8_000;

/** In order, without overlap; a line longer than a passage is spread over several. */
function* cutPassages(text: string): Generator<Passage> {
  let startLine = 1;
  let line = 1;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline + 1;
    const end = Math.min(lineEnd, start + longestPassage);
    const isFull =
      end - start >= longestPassage ||
      line - startLine + 1 >= linesPerPassage ||
      end === text.length;
    if (isFull) {
      yield toPassage(startLine, line, text.slice(start, end));
      start = end;
      startLine = end === lineEnd ? line + 1 : line;
    }
    if (end === lineEnd) line += 1;
    at = end;
  }
}

function toPassage(startLine: number, endLine: number, text: string): Passage {
  const words = new Set<string>();
  for (const identifier of identifiersOf(text)) {
    if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(identifier)) continue;
    for (const part of splitIdentifier(identifier)) words.add(part);
  }
  return { startLine, endLine, text, words: [...words].join(' ') };
}
