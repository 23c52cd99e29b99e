// What somebody who reviews a change would want to see beside it, found without Jury: definitions of the names it uses, lines that
// call what it changes, tests that name what it changes. Names of other packages are no part of it: what nobody in the repository
// defines, or more than one place does, is not asked for.

import { namesIn } from './code-files.mjs';
import { isAnybodys, isFromOutside, isSomethingElse } from './outside-names.mjs';

/**
 * @typedef {import('./commits.mjs').Change} Change
 * @typedef {import('./outside-names.mjs').Definition} Definition
 * @typedef {import('./outside-names.mjs').Use} Use
 * @typedef {import('./repository-state.mjs').State} State
 * @typedef {ReturnType<typeof import('./commits.mjs').hunkTest>} HunkTest
 * @typedef {{ readonly name: string, readonly path: string, readonly line: number }} NamedLine
 */

/**
 * `state` of the new tree. Tests are paths.
 * @param {Change} change
 * @param {State} state
 * @param {HunkTest} isInHunk
 */
export function truthOf(change, state, isInHunk) {
  const functions = changedFunctions(change, state);
  return {
    definitions: neededDefinitions(change, state, isInHunk),
    callers: functions.flatMap(one => callersOf(one, state, isInHunk)),
    tests: testsNaming(functions, change, state),
    functions: functions.map(({ name: changed }) => changed),
  };
}

/**
 * @param {Change} change
 * @param {State} state
 * @param {HunkTest} isInHunk
 */
function neededDefinitions({ files }, state, isInHunk) {
  /** @type {Map<string, NamedLine>} */
  const needed = new Map();
  for (const { path, added } of files) {
    const file = state.files.get(path ?? '');
    if (path === null || file === undefined) continue;
    for (const line of added.keys())
      for (const { 0: word, index } of namesIn(file.code[line - 1] ?? '', file.language)) {
        const places = state.definitions.get(word);
        if (isPlain(word) || places?.length !== 1 || needed.has(word)) continue;
        if (isReserved.test(word) && !isReached(file.code[line - 1], index)) continue;
        const [place] = places;
        if (place.kind === 'field' || isInHunk(place.path, place.line)) continue;
        const use = { word, line: file.code[line - 1], index, file, path, place, state };
        if (isNoName(use) || isFromOutside(use)) continue;
        if (isMemberAlone(use) || (place.path !== path && isBound(word, file))) continue;
        needed.set(word, { name: word, path: place.path, line: place.line });
      }
  }
  return [...needed.values()];
}

/** The mark of a text over several lines; in Rust what an attribute says, a module, and what a path of packages begins with. */
function isNoName(/** @type {Use} */ { word, line, index, file, place }) {
  const [before, behind] = [line.slice(0, index), line.slice(index + word.length)];
  if (/<<[~-]?$/.test(before)) return true;
  if (file.language.name !== 'Rust') return false;
  return (
    /#!?\[[^\]]*$|\bmod\s+$|\b(?:std|core|alloc)::[\w:]*$/.test(before) ||
    (place.kind === 'callable' && behind.startsWith('::'))
  );
}

/** These languages reach a member through its object only: a name that stands alone is none. */
function isMemberAlone(/** @type {Use} */ { line, index, file, place }) {
  return (
    (place.needsReceiver === true ||
      (place.isMember && ['JavaScript', 'TypeScript', 'PHP'].includes(file.language.name))) &&
    !isReached(line, index)
  );
}

/** As a member of something. */
const isReached = (/** @type {string} */ line, /** @type {number} */ index) =>
  /(?:\?\.|\.|->|::)\s*#?$/.test(line.slice(0, index));

/** Words of the languages that only a member can be called. */
const isReserved =
  /^(?:finally|catch|throw|raise|rescue|ensure|yield|typeof|instanceof|delete|while|break|continue|switch|case|else|elif|unless|until|class|def|module|function|begin|if|for|let|var|const)$/;

/** Too short to tell one from another, or a word of a language that some file redefines. */
const isPlain = (/** @type {string} */ word) =>
  word.length < 3 ||
  /^(?:string|number|boolean|object|symbol|unknown|never|void|null|true|false|int|float|bool|char|byte|str|list|dict|usize|isize|[iu](?:8|16|32|64|128)|f32|f64|set|error|self|this|super|new|String|Array|Hash|Integer|Float|Boolean|Number|Object|Symbol|Error|Exception|Class|Module|Proc|Range|Struct|Time|Date|Map|Set|Promise|from|import|export|default|async|await|return)$/.test(
    word,
  );

/** Whether a file gives this name a meaning of its own: a variable, a parameter, a key. Imports do not. */
function isBound(/** @type {string} */ word, /** @type {Use['file']} */ { code, uses }) {
  const binding = bindingOf(word);
  return (uses.get(word) ?? [])
    .map(line => code[line - 1])
    .some(line => !/^\s*(?:import|from|use|require|export)\b/.test(line) && binding.test(line));
}

function bindingOf(/** @type {string} */ word) {
  const own = String.raw`(?<![.\w$])${escaped(word)}(?![\w$])`;
  const assigned = String.raw`${own}\s*:?=(?![=>~])|\b(?:let|const|var|val|auto|mut|for)\s+${own}`;
  // What begins with a capital letter stands among parameters as a type.
  if (/^\p{Lu}/u.test(word)) return new RegExp(assigned, 'u');
  return new RegExp(
    [
      assigned,
      String.raw`${own}\s*:(?!:)`,
      String.raw`\b(?:def|function|func|fn)\b[^(]*\(.*${own}`,
      String.raw`\b(?:def|function|fn)\s+${own}`,
      String.raw`\([^()]*${own}[^()]*\)\s*(?:=>|\{)`,
      String.raw`${own}\s*=>`,
      String.raw`\|[^|]*${own}[^|]*\|`,
    ].join('|'),
    'u',
  );
}

/** Functions with a name of their own in the repository, a line of which the change adds, or out of which it takes one. */
function changedFunctions(
  /** @type {Change} */ { files },
  /** @type {State} */ { files: all, definitions },
) {
  /** @type {Map<string, Definition>} */
  const changed = new Map();
  for (const { path, added, removed, hunks, oldHunks } of files) {
    const file = all.get(path ?? '');
    if (path === null || file === undefined || file.isTest) continue;
    const lines = [...added.keys(), ...newPlaces(removed, added, hunks, oldHunks)];
    for (const line of lines) {
      const inner = file.tags
        .filter(tag => tag.kind === 'callable' && tag.line <= line && line <= (tag.end ?? 0))
        .toSorted((one, other) => other.line - one.line)[0];
      if (inner !== undefined && definitions.get(inner.name)?.length === 1)
        changed.set(inner.name, {
          name: inner.name,
          path,
          line: inner.line,
          needsReceiver: inner.needsReceiver,
        });
    }
  }
  return [...changed.values()];
}

/**
 * Lines of the new tree where lines were only taken out.
 * @param {ReadonlyMap<number, string>} removed
 * @param {ReadonlyMap<number, string>} added
 * @param {readonly (readonly [number, number])[]} hunks
 * @param {readonly (readonly [number, number])[]} oldHunks
 */
function newPlaces(removed, added, hunks, oldHunks) {
  const places = [];
  for (const [index, [oldStart, oldEnd]] of oldHunks.entries()) {
    let newLine = hunks[index][0];
    for (let oldLine = oldStart; oldLine <= oldEnd; oldLine += 1) {
      while (added.has(newLine) && !removed.has(oldLine)) newLine += 1;
      if (removed.has(oldLine)) places.push(newLine);
      else newLine += 1;
    }
  }
  return places;
}

/**
 * @param {Definition} changed
 * @param {State} state
 * @param {HunkTest} isInHunk
 */
function callersOf(changed, state, isInHunk) {
  const { name: called, path, line: defined } = changed;
  const { files } = state;
  const call = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped(called)}\s*\(`, 'u');
  return linesNaming(called, files)
    .filter(({ path: at, line, code }) => {
      if (files.get(at)?.isTest || isInHunk(at, line) || (at === path && line === defined))
        return false;
      const found = call.exec(code);
      return (
        found !== null &&
        !isAnybodys(called, code, found.index) &&
        !isSomethingElse(changed, { path: at, code }, state)
      );
    })
    .map(({ path: at, line }) => ({ name: called, path: at, line }));
}

export const escaped = (/** @type {string} */ word) =>
  word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Every line of code that has this name. */
export function linesNaming(/** @type {string} */ word, /** @type {State['files']} */ files) {
  return [...files].flatMap(([path, { uses, code }]) =>
    (uses.get(word) ?? []).map(line => ({ path, line, code: code[line - 1] })),
  );
}

/**
 * @param {readonly Definition[]} functions
 * @param {Change} change
 * @param {State} state
 */
function testsNaming(functions, { files: touched }, state) {
  const { files } = state;
  const own = new Set(touched.map(({ path }) => path));
  return [...files]
    .filter(([path, { isTest, uses, code }]) => {
      const means = (/** @type {Definition} */ one) => (/** @type {number} */ line) =>
        !isSomethingElse(one, { path, code: code[line - 1] }, state);
      return (
        isTest && !own.has(path) && functions.some(one => uses.get(one.name)?.some(means(one)))
      );
    })
    .map(([path]) => path);
}
