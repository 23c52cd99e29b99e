// Whether a name on a line is that of another package. Told by the imports of the file and by what the name is a member of; where
// neither says, a member counts as the repository's only when its name is telling enough not to be anybody else's.

import { namesIn } from './code-files.mjs';

/**
 * @typedef {import('./repository-state.mjs').State} State
 * @typedef {import('./repository-state.mjs').StateFile} StateFile
 */

/**
 * The only definition of a name in the repository.
 * @typedef {{ readonly name: string, readonly path: string, readonly line: number, readonly isMember?: boolean,
 *   readonly needsReceiver?: boolean | undefined }} Definition
 */

/**
 * A name on a line of a file.
 * @typedef {{ readonly word: string, readonly line: string, readonly index: number, readonly file: StateFile, readonly path: string,
 *   readonly place: import('./repository-state.mjs').Place, readonly state: State }} Use
 */

const members = new Set([
  ...[Array, String, Map, Set, Promise, RegExp, Date, Object, Function, Number, Symbol].flatMap(
    one => [...Object.getOwnPropertyNames(one), ...Object.getOwnPropertyNames(one.prototype)],
  ),
  ...(
    'clone as_path read_text write_text read_bytes write_bytes is_file is_dir add_argument parse_args ' +
    'set_default startswith endswith as_ref as_mut as_str ' +
    'to_string to_owned to_vec into_iter iter_mut is_some is_none is_ok is_err and_then or_else map_err ok_or unwrap_or unwrap_or_else ' +
    ('unwrap_or_default is_empty push_str with_capacity trim_end trim_start to_uppercase to_lowercase ' +
      'split_whitespace strip_prefix strip_suffix read_to_string to_path_buf file_name ') +
    'each_with_index each_with_object to_s to_sym respond_to instance_of is_a ' +
    'define_method instance_variable_get hashCode getClass toArray isEmpty getKey getValue charAt getName getMessage addAll containsKey ' +
    'addEventListener appendChild createElement querySelector setTimeout clearTimeout readFile writeFile readFileSync writeFileSync'
  ).split(' '),
]);

const own = /(?:\b(?:this|self|cls|super|static|Self|crate)|@\w*)\s*(?:\?\.|\.|->|::)\s*#?$/;
const member = /([\p{L}_$][\p{L}\p{N}_$]*|[)\]"'`])?\s*(?:\?\.|\.|->|::)\s*$/u;

/** Whether this is a call of a member that half the world has, on an object of which nothing is known. */
export function isAnybodys(
  /** @type {string} */ word,
  /** @type {string} */ line,
  /** @type {number} */ index,
) {
  const before = line.slice(0, index);
  return members.has(word) && member.test(before) && !own.test(before);
}

/**
 * Whether a line that has the name of a definition, the only one of that name, means something else all the same: what its file
 * imports from another package, a member that half the world has, a bare name where the definition needs a receiver.
 * @param {Definition} place
 * @param {{ readonly path: string, readonly code: string }} line
 * @param {State} state
 */
export function isSomethingElse(place, { path, code }, state) {
  const file = state.files.get(path);
  if (file === undefined) return false;
  const places = [...namesIn(code, file.language)].filter(([word]) => word === place.name);
  return places.every(({ index }) => {
    const before = code.slice(0, index);
    if (own.test(before)) return false;
    if (member.test(before)) return members.has(place.name);
    if (place.needsReceiver === true) return true;
    return path !== place.path && importsFromOutside(place.name, file, place, state);
  });
}

export function isFromOutside(/** @type {Use} */ { word, line, index, file, path, place, state }) {
  const before = line.slice(0, index);
  if (own.test(before)) return members.has(word) && place.path !== path;
  // `\\Name` of PHP is what nobody put into a namespace.
  if (file.language.name === 'PHP' && /(?<![\w\\])\\$/.test(before)) return true;
  // A symbol of Ruby may name a method of anything, or be mere data.
  if (file.language.name === 'Ruby' && /(?<!:):$/.test(before)) return !isTelling(word);
  const owner = member.exec(before);
  if (owner !== null) return !isOwnMember(word, owner[1] ?? '', file, place, state);
  return path !== place.path && importsFromOutside(word, file, place, state);
}

/**
 * @param {string} word
 * @param {string} owner
 * @param {StateFile} file
 * @param {Definition} place
 * @param {State} state
 */
function isOwnMember(word, owner, file, place, state) {
  if (members.has(word)) return false;
  const { language } = file;
  if (language.name === 'Go' && /^[a-z]/.test(owner)) {
    const imported = goImports(file).get(owner);
    if (imported !== undefined) return packageOf(state.files.get(place.path)) === owner;
  }
  // A class or a module of the repository, by its own name; in Go only a field can stand there.
  if (language.name !== 'Go' && state.definitions.get(owner)?.some(one => one.kind === 'type'))
    return true;
  if (stemOf(place.path) === owner) return true;
  const sources = /^[\p{L}_$]/u.test(owner) ? importedFrom(owner, file) : [];
  if (sources.length > 0) return sources.some(source => isInside(source, file, place, state));
  return place.isMember === true && isTelling(word);
}

const stemOf = (/** @type {string} */ path) =>
  path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

/** Long, and of several words: two projects seldom choose the same one. */
const isTelling = (/** @type {string} */ word) =>
  word.length >= 6 && (/_[^_]/.test(word.slice(1)) || /[a-z]\p{Lu}/u.test(word));

function goImports(/** @type {StateFile} */ { lines }) {
  const names = new Map();
  for (const line of lines.slice(0, 200)) {
    const found = /^\s*(?:import\s+)?(?:([\w.]+)\s+)?"([\w./-]+)"\s*$/.exec(line);
    if (found !== null) {
      const parts = found[2].split('/').filter(part => !/^v\d+$/.test(part));
      names.set(found[1] ?? parts.at(-1), found[2]);
    }
  }
  return names;
}

const packageOf = (/** @type {StateFile | undefined} */ file) => {
  const lines = file?.lines ?? [];
  const found = lines.map(line => /^\s*(?:package|namespace)\s+([\w.\\]+)/.exec(line)?.[1]);
  return found.find(one => one !== undefined) ?? '';
};

/**
 * @param {string} word
 * @param {StateFile} file
 * @param {Definition} place
 * @param {State} state
 */
function importsFromOutside(word, file, place, state) {
  const sources = importedFrom(word, file);
  return sources.length > 0 && !sources.some(source => isInside(source, file, place, state));
}

/** Modules that the file takes this name from. */
function importedFrom(/** @type {string} */ word, /** @type {StateFile} */ { lines, language }) {
  const text = lines.join('\n');
  const named = new RegExp(String.raw`(?<![\w$])${word.replaceAll('$', String.raw`\$`)}(?![\w$])`);
  /** @type {Record<string, RegExp[]>} */
  const patterns = {
    JavaScript: [
      /\bimport\s+(?<names>[^;'"()]*?)\s+from\s*['"](?<module>[^'"]+)['"]/g,
      /\b(?:const|let|var)\s+(?<names>[^=;]+?)\s*=\s*(?:await\s+import|require)\(\s*['"](?<module>[^'"]+)['"]/g,
    ],
    Python: [
      /^[ \t]*from\s+(?<module>[.\w]+)\s+import\s+(?<names>\([^)]*\)|[^\n]*)/gm,
      /^[ \t]*import\s+(?<names>(?<module>[.\w]+)[^\n]*)/gm,
    ],
    Rust: [/^\s*(?:pub\s+)?use\s+(?<names>(?<module>\w+)::[^;]+);/gm],
    Java: [
      /^\s*(?:import|use)\s+(?:static\s+|function\s+|const\s+)?(?<names>(?<module>[\w.\\]+)[^;\n]*)/gm,
    ],
  };
  patterns.TypeScript = patterns.JavaScript;
  for (const name of ['Kotlin', 'Scala', 'PHP']) patterns[name] = patterns.Java;
  return (patterns[language.name] ?? []).flatMap(pattern =>
    [...text.matchAll(pattern)]
      .filter(({ groups }) => named.test(groups?.names ?? ''))
      .map(({ groups }) => groups?.module ?? ''),
  );
}

/**
 * @param {string} source
 * @param {StateFile} file
 * @param {Definition} place
 * @param {State} state
 */
function isInside(source, { language }, place, state) {
  if (['JavaScript', 'TypeScript'].includes(language.name))
    return (
      /^(?:\.|#|~|\/|@\/)/.test(source) ||
      [...packagesOf(state)].some(one => source === one || source.startsWith(`${one}/`))
    );
  if (language.name === 'Python')
    return source.startsWith('.') || partsOf(state).has(source.split('.')[0]);
  if (language.name === 'Rust')
    return ['crate', 'self', 'super'].includes(source) || partsOf(state).has(source);
  // The package that the file of the definition says it is in.
  const parent = source.split(/[.\\]/).slice(0, -1).join('.');
  const stated = packageOf(state.files.get(place.path)).replaceAll('\\', '.');
  return source.replaceAll('\\', '.').startsWith(stated) || parent === stated;
}

function packagesOf(/** @type {State} */ state) {
  state.packages ??= new Set(state.packageNames);
  return state.packages;
}

/** Names of folders and of files without their ending, as a language would write them. */
function partsOf(/** @type {State} */ state) {
  state.parts ??= new Set(
    [...state.files.keys()].flatMap(path =>
      path.split('/').map(part => part.replace(/\.\w+$/, '').replaceAll('-', '_')),
    ),
  );
  return state.parts;
}
