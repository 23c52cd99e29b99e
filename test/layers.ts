/** The import table of the house as data, and the reader that lists what breaks it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** For each rank: the ranks and packages it may import. `node:` stands for every built-in of Node. */
export const importTable: Readonly<Record<string, readonly string[]>> = {
  // Rooms: what is outside of one comes in by its `index.ts`.
  agreement: ['agreement', 'core', 'zod', 'stemmer', 'tinyqueue'],
  answers: ['answers', 'core', 'agreement', 'zod'],
  // A hash is a function of its text.
  core: 'core agreement answers zod stemmer picomatch fastest-levenshtein markdown-it diff node:crypto'.split(
    ' ',
  ),
  // In this room each layer is a rank of its own: what decides, what orders, what touches the world, what puts them together.
  vote: ['vote', 'core', 'agreement', 'answers', 'zod'],
  'vote/asking': 'vote/asking vote engine core agreement answers p-limit'.split(' '),
  'vote/files': ['vote/files', 'vote', 'core', 'adapters', 'node:', 'zod'],
  'vote/holding':
    'vote/holding vote/asking vote/files vote engine core adapters library node: zod'.split(' '),
  'vote/index.ts': ['vote', 'vote/asking', 'vote/holding'],
  engine: ['engine', 'core', 'agreement', 'answers', 'vote/index.ts', 'p-limit'],
  adapters: ['adapters', 'core', 'agreement', 'node:', '*'],
  // A room: what decides looks at syntax trees and texts it is given, `world` reads rules and starts the linter.
  checks: ['checks', 'core', 'web-tree-sitter', 'zod'],
  'checks/world': (
    'checks/world checks core answers adapters node: zod yaml @secretlint/core @secretlint/profiler ' +
    '@secretlint/secretlint-rule-preset-recommend'
  ).split(' '),
  'checks/index.ts': ['checks', 'checks/world', 'core', 'adapters'],
  // Of `sarif` there are types and nothing else.
  render:
    'render core agreement answers vote/index.ts diff picocolors fast-string-width fast-wrap-ansi sarif'.split(
      ' ',
    ),
  // The composition root: adapters put into the engine, and the public object over it. Only `index.ts` may import it.
  library:
    'library core agreement answers vote/index.ts checks/index.ts engine adapters render node:'.split(
      ' ',
    ),
  // Exports and no logic.
  'index.ts': ['library', 'core', 'answers', 'vote/index.ts', 'adapters', 'render'],
  cli: 'cli mcp index.ts vote/index.ts core render node: commander zod log-update fast-string-width'.split(
    ' ',
  ),
  mcp: 'mcp index.ts vote/index.ts core render node: @modelcontextprotocol/server zod'.split(' '),
};

/** An adapter talks to one thing of the world: its rooms do not know one another, but for these and `system`, the machine itself. */
const neighbours: Readonly<Record<string, readonly string[]>> = {
  runners: ['sandbox'],
  memory: ['store'],
  index: ['store', 'syntax', 'tokens'],
};

/** Entered by their `index.ts` alone. */
const rooms: ReadonlySet<string> = new Set(['agreement', 'answers', 'checks', 'vote']);

export interface Violation {
  readonly file: string;
  readonly imports: string;
}

/** Every import below `source` that the table does not allow, plus files that belong to no rank. */
export function findViolations(source: string): Violation[] {
  return eachSource(source, violationsOf);
}

/** What is found in the files of a folder; each by its path in it, with slashes. */
export function eachSource<Found>(
  source: string,
  findIn: (file: string, text: string) => readonly Found[],
): Found[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map(entry =>
      path.relative(source, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    )
    .flatMap(file => findIn(file, readFileSync(path.join(source, file), 'utf8')));
}

export function violationsOf(file: string, text: string): Violation[] {
  const rank = rankOf(file);
  const allowed = importTable[rank];
  if (!allowed) return [{ file, imports: `(no rank: ${rank})` }];
  // The compiler's own scan: value, type, side-effect and dynamic imports, re-exports and require.
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter(specifier => !isAllowed(file, specifier, allowed))
    .map(specifier => ({ file, imports: specifier }));
}

function isAllowed(file: string, specifier: string, allowed: readonly string[]) {
  if (specifier.startsWith('node:'))
    return allowed.includes('node:') || allowed.includes(specifier);
  if (!specifier.startsWith('.'))
    return (
      allowed.includes('*') || allowed.includes(/^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0] ?? '')
    );
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  // Only package.json and data folders lie outside `src`; nothing there is code.
  if (target.startsWith('..')) return target.endsWith('.json') && rankOf(file) === 'index.ts';
  const rank = rankOf(target);
  const [room, own] = [folderOf(target), folderOf(file)];
  if (rooms.has(room) && own !== room && target !== `${room}/index.ts`) return false;
  if (rank === 'adapters' && rankOf(file) === 'adapters') {
    return (
      roomOf(target) === roomOf(file) ||
      roomOf(target) === 'system' ||
      (neighbours[roomOf(file)] ?? []).includes(roomOf(target))
    );
  }
  return allowed.includes(rank);
}

/** The folder below `src`, or a layer of a room where the table tells its layers apart. */
function rankOf(file: string) {
  const layer = file.split('/').slice(0, 2).join('/');
  return layer in importTable ? layer : folderOf(file);
}

function folderOf(file: string) {
  return file.split('/')[0] ?? file;
}

function roomOf(file: string) {
  return file.split('/')[1] ?? file;
}
