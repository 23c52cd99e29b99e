// A repository at one commit, as the truth sees it: text, code without comments and strings, names and definitions of every
// code file. What was read of a file is kept by its content, so that the next commit costs only what it changed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isForeign, isTestFile, languageOf, namesIn } from './code-files.mjs';
import { definitionsOf } from './definitions.mjs';
import { maskCode } from './mask-code.mjs';

const mostBytes = 400_000;
const mostColumns = 3_000;

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly input?: string | undefined }} options
 */
export function git(root, args, { env = process.env, input } = {}) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
    ...(input !== undefined && { input }),
  });
}

/**
 * @typedef {import('./definitions.mjs').Tag & { readonly path: string }} Place
 * @typedef {ReturnType<typeof describeFile>} StateFile
 * @typedef {ReadonlyMap<string, StateFile>} StateFiles
 */

/**
 * Files by path, definitions by name; what is reckoned from them later is kept beside them.
 * @typedef {{ readonly files: StateFiles, readonly definitions: ReadonlyMap<string, readonly Place[]>,
 *   readonly packageNames: readonly string[], packages?: ReadonlySet<string>, parts?: ReadonlySet<string>,
 *   graph?: import('./reference-map.mjs').Graph, ranked?: import('./reference-map.mjs').Ranked, rankedFor?: string }} State
 * @typedef {State & { readonly commit: string }} CommitState
 */

/** Checks out commits of the clone one after the other. */
export function openStates(/** @type {string} */ root) {
  /** @type {Map<string, StateFile | null>} */
  const known = new Map();
  return {
    /** @returns {CommitState} */
    at(/** @type {string} */ commit) {
      git(root, ['checkout', '--quiet', '--force', '--detach', commit]);
      const listed = git(root, ['ls-tree', '-r', '-z', commit])
        .split('\0')
        .flatMap(entry => {
          const found = /^100(?:644|755) blob ([0-9a-f]+)\t(.+)$/s.exec(entry);
          return found === null ? [] : [{ id: found[1], path: found[2] }];
        })
        .filter(file => languageOf(file.path) !== null && !isForeign(file.path));
      const unread = listed.filter(file => !known.has(keyOf(file)));
      for (const [key, file] of readAll(unread, root)) known.set(key, file);
      const files = new Map(
        listed.flatMap(file => {
          const read = known.get(keyOf(file)) ?? null;
          return read === null ? [] : [/** @type {const} */ ([file.path, read])];
        }),
      );
      return {
        commit,
        files,
        definitions: byName(files),
        packageNames: packageNames(root, commit),
      };
    },
  };
}

/** Names of the packages that the repository itself holds. */
function packageNames(/** @type {string} */ root, /** @type {string} */ commit) {
  return git(root, ['ls-tree', '-r', '-z', '--name-only', commit])
    .split('\0')
    .filter(file => /(?:^|\/)package\.json$/.test(file) && !isForeign(file))
    .flatMap(file => {
      try {
        return JSON.parse(readFileSync(path.join(root, file), 'utf8')).name ?? [];
      } catch {
        return [];
      }
    });
}

/** @typedef {{ readonly id: string, readonly path: string }} Listed */

const keyOf = (/** @type {Listed} */ { id, path: file }) => `${id} ${file}`;

/** @returns {Generator<[key: string, file: StateFile | null]>} */
function* readAll(/** @type {readonly Listed[]} */ listed, /** @type {string} */ root) {
  const files = [];
  for (const { id, path: file } of listed) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const language = languageOf(file);
    const isReadable =
      text.length <= mostBytes &&
      !text.includes('\0') &&
      text.split('\n', 50).every(line => line.length <= mostColumns);
    if (isReadable && language !== null)
      files.push({ key: keyOf({ id, path: file }), path: file, text, language });
    else yield [keyOf({ id, path: file }), null];
  }
  const tags = definitionsOf(files, root);
  for (const { key, path: file, text, language } of files)
    yield [
      key,
      describeFile({ text, language, tags: tags.get(file) ?? [], isTest: isTestFile(file) }),
    ];
}

/**
 * Of one file: its lines, its lines without comments and strings, and which line uses which name.
 * @param {{ readonly text: string, readonly language: import('./code-files.mjs').Language,
 *   readonly tags: readonly import('./definitions.mjs').Tag[], readonly isTest: boolean }} file
 */
export function describeFile({ text, language, tags, isTest }) {
  const code = maskCode(text, language).split('\n');
  /** @type {Map<string, number[]>} */
  const uses = new Map();
  for (const [index, line] of code.entries())
    for (const [word] of namesIn(line, language)) {
      const lines = uses.get(word);
      if (lines === undefined) uses.set(word, [index + 1]);
      else if (lines.at(-1) !== index + 1) lines.push(index + 1);
    }
  return { lines: text.split('\n'), code, uses, tags, isTest, language };
}

export function byName(/** @type {StateFiles} */ files) {
  /** @type {Map<string, Place[]>} */
  const definitions = new Map();
  for (const [file, { tags }] of files)
    for (const tag of tags) {
      const list = definitions.get(tag.name);
      const entry = { path: file, ...tag };
      if (list === undefined) definitions.set(tag.name, [entry]);
      else if (!list.some(other => other.path === file && other.line === tag.line))
        list.push(entry);
    }
  return definitions;
}
