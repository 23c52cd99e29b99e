// What somebody who reviews a change would want to see beside it, found without Jury: definitions of the names it uses, lines that
// call what it changes, tests that name what it changes. Names of other packages are no part of it: what nobody in the repository
// defines, or more than one place does, is not asked for.

import { namesIn } from './code-files.mjs';
import { isAnybodys, isFromOutside, isSomethingElse } from './outside-names.mjs';

/** `change` of changeOf, `state` of the new tree, `isInHunk(path, line)`. Returns lists of `{ name, path, line }`; tests are paths. */
export function truthOf(change, state, isInHunk) {
  const functions = changedFunctions(change, state);
  return {
    definitions: neededDefinitions(change, state, isInHunk),
    callers: functions.flatMap(one => callersOf(one, state, isInHunk)),
    tests: testsNaming(functions, change, state),
    functions: functions.map(({ name: changed }) => changed),
  };
}

function neededDefinitions({ files }, state, isInHunk) {
  const needed = new Map();
  for (const { path, added } of files) {
    const file = state.files.get(path);
    if (file === undefined) continue;
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
function isNoName({ word, line, index, file, place }) {
  const [before, behind] = [line.slice(0, index), line.slice(index + word.length)];
  if (/<<[~-]?$/.test(before)) return true;
  if (file.language.name !== 'Rust') return false;
  return (
    /#!?\[[^\]]*$|\bmod\s+$|\b(?:std|core|alloc)::[\w:]*$/.test(before) ||
    (place.kind === 'callable' && behind.startsWith('::'))
  );
}

/** These languages reach a member through its object only: a name that stands alone is none. */
function isMemberAlone({ line, index, file, place }) {
  return (
    (place.needsReceiver === true ||
      (place.isMember && ['JavaScript', 'TypeScript', 'PHP'].includes(file.language.name))) &&
    !isReached(line, index)
  );
}

/** As a member of something. */
const isReached = (line, index) => /(?:\?\.|\.|->|::)\s*#?$/.test(line.slice(0, index));

/** Words of the languages that only a member can be called. */
const isReserved =
  /^(?:finally|catch|throw|raise|rescue|ensure|yield|typeof|instanceof|delete|while|break|continue|switch|case|else|elif|unless|until|class|def|module|function|begin|if|for|let|var|const)$/;

/** Too short to tell one from another, or a word of a language that some file redefines. */
const isPlain = word =>
  word.length < 3 ||
  /^(?:string|number|boolean|object|symbol|unknown|never|void|null|true|false|int|float|bool|char|byte|str|list|dict|usize|isize|[iu](?:8|16|32|64|128)|f32|f64|set|error|self|this|super|new|String|Array|Hash|Integer|Float|Boolean|Number|Object|Symbol|Error|Exception|Class|Module|Proc|Range|Struct|Time|Date|Map|Set|Promise|from|import|export|default|async|await|return)$/.test(
    word,
  );

/** Whether a file gives this name a meaning of its own: a variable, a parameter, a key. Imports do not. */
function isBound(word, { code, uses }) {
  const binding = bindingOf(word);
  return (uses.get(word) ?? [])
    .map(line => code[line - 1])
    .some(line => !/^\s*(?:import|from|use|require|export)\b/.test(line) && binding.test(line));
}

function bindingOf(word) {
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
function changedFunctions({ files }, { files: all, definitions }) {
  const changed = new Map();
  for (const { path, added, removed, hunks, oldHunks } of files) {
    const file = all.get(path);
    if (file === undefined || file.isTest) continue;
    const lines = [...added.keys(), ...newPlaces(removed, added, hunks, oldHunks)];
    for (const line of lines) {
      const inner = file.tags
        .filter(tag => tag.kind === 'callable' && tag.line <= line && line <= tag.end)
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

/** Lines of the new tree where lines were only taken out. */
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

export function callersOf(changed, state, isInHunk) {
  const { name: called, path, line: defined } = changed;
  const { files } = state;
  const call = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped(called)}\s*\(`, 'u');
  return linesNaming(called, files)
    .filter(({ path: at, line, code }) => {
      if (files.get(at).isTest || isInHunk(at, line) || (at === path && line === defined))
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

export const escaped = word => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Every line of code that has this name. */
export function linesNaming(word, files) {
  return [...files].flatMap(([path, { uses, code }]) =>
    (uses.get(word) ?? []).map(line => ({ path, line, code: code[line - 1] })),
  );
}

function testsNaming(functions, { files: touched }, state) {
  const { files } = state;
  const own = new Set(touched.map(({ path }) => path));
  return [...files]
    .filter(([path, { isTest, uses, code }]) => {
      const means = one => line => !isSomethingElse(one, { path, code: code[line - 1] }, state);
      return (
        isTest && !own.has(path) && functions.some(one => uses.get(one.name)?.some(means(one)))
      );
    })
    .map(([path]) => path);
}
