// `node scripts/measure.mjs [FOLDER] [--circles]`: the size and shape of the code, for a table before and after a change,
// or the circles of imports alone; without a folder also what the whole project weighs. Aims are printed beside the figures and
// block nothing (`budget.mjs` does); only circles of imports make it exit 1. Type imports count as imports.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { root as project } from './setup.mjs';

/** @typedef {ReturnType<typeof readFile>} ReadFile */
/** @typedef {ReturnType<typeof measure>} Measurement */

/**
 * What the project in `root` weighs. Code weighs tokens of the TypeScript scanner, without comments: line breaks and wide lines
 * change nothing. Pages weigh words.
 */
export function weigh(/** @type {string} */ root, names = listNames(root)) {
  const { source, tests, tools, pages } = sortFiles(root, names);
  const read = source.map(file => readFile(file, root));
  const functions = read.flatMap(entry => entry.functions);
  return {
    'tokens of src': sum(read.map(({ tokens }) => tokens)),
    'tokens of src by its syntax': sum(read.map(({ syntax }) => syntax)),
    'tokens of tests': sum(tests.map(file => countTokens(file, textOf(file)))),
    'tokens of bench, scripts and examples': sum(
      tools.map(file => countTokens(file, textOf(file))),
    ),
    'words of docs': sum(pages.map(file => textOf(file).split(/\s+/).length)),
    'exports of src': sum(read.map(({ exports }) => exports)),
    'lines of the largest file': spread(read.map(({ lines }) => lines)).most,
    'lines of the largest function': spread(functions.map(({ lines }) => lines)).most,
  };
}

/** Files that git knows and new ones that it does not ignore, as far as they are there; relative to `root`, with slashes. */
export function listNames(/** @type {string} */ root) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const isThere = (/** @type {string} */ name) =>
    statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile();
  return [...new Set(names.split('\0'))].filter(isThere);
}

/** Absolute paths of the project's files by what they are. */
function sortFiles(/** @type {string} */ root, /** @type {readonly string[]} */ names) {
  const list = (
    /** @type {readonly string[]} */ folders,
    /** @type {RegExp} */ pattern,
    /** @type {RegExp} */ except,
  ) =>
    names
      .filter(name => folders.includes(name.split('/')[0]) && pattern.test(name))
      .filter(name => !except.test(name))
      .map(name => path.join(root, name));
  const code = /\.[cm]?[jt]sx?$/;
  return {
    source: list(['src', 'packages', 'web'], code, /\.d\.ts$|\/(tests?|dist)\//),
    tests: list(['test'], code, /\.d\.ts$/),
    tools: list(['bench', 'scripts', 'examples'], code, /\.d\.ts$/),
    pages: list(['README.md', 'docs'], /\.md$/, /decisions\//),
    data: list(['data', 'rules', 'src', 'packages'], /\.(json|ya?ml|txt|scm|csv|tsv)$/, /^$/),
  };
}

const textOf = (/** @type {string} */ file) => readFileSync(file, 'utf8');

function countTokens(/** @type {string} */ file, /** @type {string} */ text) {
  const { JSX, Standard } = ts.LanguageVariant;
  const variant = file.endsWith('x') ? JSX : Standard;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, variant, text);
  let tokens = 0;
  while (scanner.scan() !== ts.SyntaxKind.EndOfFileToken) tokens += 1;
  return tokens;
}

/**
 * The same by the syntax. A scanner alone takes what follows `${…}` or a quote in a pattern for something else, and then counts
 * words of texts or swallows code up to the next quote.
 */
function countSyntax(/** @type {ts.SourceFile} */ source) {
  /** @type {Map<number, 'reScanSlashToken' | 'reScanTemplateToken'>} */
  const rescans = new Map();
  const visit = (/** @type {ts.Node} */ node) => {
    const isPattern = ts.isRegularExpressionLiteral(node);
    if (isPattern || ts.isTemplateMiddleOrTemplateTail(node))
      rescans.set(node.getStart(source), isPattern ? 'reScanSlashToken' : 'reScanTemplateToken');
    ts.forEachChild(node, visit);
  };
  visit(source);
  const { Latest } = ts.ScriptTarget;
  const scanner = ts.createScanner(Latest, true, source.languageVariant, source.text);
  let tokens = 0;
  for (; scanner.scan() !== ts.SyntaxKind.EndOfFileToken; tokens += 1) {
    const rescan = rescans.get(scanner.getTokenStart());
    if (rescan !== undefined) scanner[rescan](false);
  }
  return tokens;
}

/** Names that a file exports, those that it passes on from others included. */
function countExports(/** @type {string} */ text) {
  const declared =
    /^export (?:default |declare |abstract |async )*(?:const|let|function|class|interface|type(?! \{)|enum)\b/gm;
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names.split(',').filter(name => name.trim() !== ''),
  );
  return (text.match(declared)?.length ?? 0) + listed.length;
}

/**
 * Every TypeScript file below `root`, with what is read of it.
 * @template T
 * @param {string} root
 * @param {(file: string, root: string) => T} read
 */
export function readFiles(root, read) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      entry => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map(entry => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map(file => read(file, root));
}

function readImports(/** @type {string} */ file, /** @type {string} */ root) {
  return {
    file,
    name: path.relative(root, file).split(path.sep).join('/'),
    imports: ts
      .preProcessFile(textOf(file), true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter(name => name.startsWith('.'))
      .map(name => path.resolve(path.dirname(file), name)),
  };
}

function readFile(/** @type {string} */ file, /** @type {string} */ root) {
  const text = textOf(file);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return {
    ...readImports(file, root),
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    lineLengths: text.split('\n').map(line => line.length),
    tokens: countTokens(file, text),
    syntax: countSyntax(source),
    exports: countExports(text),
    functions: lengthsOfFunctions(source),
  };
}

/** Lines of every function, method and arrow function with a body of its own. */
function lengthsOfFunctions(/** @type {ts.SourceFile} */ source) {
  /** @type {{ lines: number, parameters: number }[]} */
  const lengths = [];
  const lineOf = (/** @type {number} */ position) =>
    source.getLineAndCharacterOfPosition(position).line;
  const visit = (/** @type {ts.Node} */ node) => {
    const isFunction =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isFunctionExpression(node);
    const isNamedArrow =
      ts.isArrowFunction(node) && (ts.isBlock(node.body) || ts.isVariableDeclaration(node.parent));
    if ((isFunction && node.body) || isNamedArrow) {
      lengths.push({
        lines: lineOf(node.end) - lineOf(node.getStart(source)) + 1,
        parameters: node.parameters.length,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lengths;
}

/** Groups of files that import one another in a circle: strongly connected components of more than one file. */
export function findCircles(/** @type {readonly ReturnType<typeof readImports>[]} */ files) {
  const names = new Map(files.map(({ file, name }) => [file, name]));
  const imports = new Map(
    files.map(entry => [entry.file, entry.imports.filter(file => names.has(file))]),
  );
  /** @type {Map<string, string[]>} */
  const importers = new Map(files.map(({ file }) => [file, []]));
  for (const [file, targets] of imports) for (const to of targets) importers.get(to)?.push(file);
  /** @type {Set<string>} */
  const ended = new Set();
  for (const { file } of files) walk(file, imports, ended);
  /** @type {Set<string>} */
  const placed = new Set();
  return [...ended]
    .toReversed()
    .map(file => walk(file, importers, placed))
    .filter(circle => circle.length > 1)
    .map(circle => circle.map(file => names.get(file)));
}

/**
 * Adds `from` and all that it leads to to `ended`, each after what it leads to itself, and returns what is new there. Without
 * recursion: a chain of files may be longer than the stack is deep.
 * @param {string} from
 * @param {ReadonlyMap<string, readonly string[]>} leads
 * @param {Set<string>} ended
 */
function walk(from, leads, ended) {
  const [begun, stack] = [new Set(), [from]];
  /** @type {string[]} */
  const found = [];
  for (let /** @type {string | undefined} */ file = from; file !== undefined; file = stack.at(-1)) {
    if (ended.has(file)) stack.pop();
    else if (begun.has(file)) {
      ended.add(file);
      found.push(file);
    } else {
      begun.add(file);
      for (const next of leads.get(file) ?? []) if (!begun.has(next)) stack.push(next);
    }
  }
  return found;
}

export function measure(/** @type {string} */ root) {
  const files = readFiles(root, readFile);
  /** @type {Map<string, number>} */
  const importers = new Map();
  for (const { imports } of files)
    for (const target of new Set(imports)) importers.set(target, (importers.get(target) ?? 0) + 1);
  const functions = files.flatMap(entry => entry.functions);
  const lengths = files.flatMap(entry => entry.lineLengths);
  return {
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    fileLines: spread(files.map(({ lines }) => lines)),
    functions: functions.length,
    functionLines: spread(functions.map(({ lines }) => lines)),
    manyParameters: functions.filter(({ parameters }) => parameters > 4).length,
    over140: lengths.filter(length => length > 140).length,
    longestLine: spread(lengths).most,
    looseInCore: files.filter(({ name }) => /^core\/[^/]+$/.test(name)).length,
    oneImporter: files.filter(({ file }) => importers.get(file) === 1).length,
    circles: findCircles(files),
    publicNames: publicNames(path.join(root, 'index.ts')),
    rooms: weighRooms(files),
  };
}

/** Tokens of the folders of the first level, the heaviest first. */
function weighRooms(/** @type {readonly ReadFile[]} */ files) {
  /** @type {Map<string, number>} */
  const rooms = new Map();
  for (const { name, tokens } of files) {
    const [room] = name.split('/');
    rooms.set(room, (rooms.get(room) ?? 0) + tokens);
  }
  return [...rooms].toSorted(([, one], [, other]) => other - one);
}

/** Names that the entry file exports, types included; null without one. */
function publicNames(/** @type {string} */ entry) {
  if (!existsSync(entry)) return null;
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const source = program.getSourceFile(entry);
  const symbol = source && program.getTypeChecker().getSymbolAtLocation(source);
  return symbol ? program.getTypeChecker().getExportsOfModule(symbol).length : null;
}

function spread(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p90: at(0.9), most: sorted.at(-1) ?? 0 };
}

function sum(/** @type {readonly number[]} */ values) {
  return values.reduce((total, value) => total + value, 0);
}

const row = (/** @type {ReturnType<typeof spread>} */ { median, p90, most }) =>
  `${median} / ${p90} / ${most}`;

/** What no budget holds. */
function weighBesides(/** @type {string} */ root) {
  const { source, pages, data } = sortFiles(root, listNames(root));
  const dialect = /\b(nobody|whoever|somebody|everybody)\b/gi;
  const kilobytes = Math.round(sum(data.map(file => statSync(file).size)) / 1024);
  return {
    'files of data (kB)': `${data.length} (${kilobytes})`,
    'nobody, whoever, somebody, everybody': sum(
      [...source, ...pages].map(file => textOf(file).match(dialect)?.length ?? 0),
    ),
  };
}

function show(
  /** @type {Measurement} */ found,
  /** @type {Record<string, string | number>} */ weights,
) {
  /** @typedef {[what: string, figure: string | number, aim: string]} Row */
  /** @type {Row[]} */
  const rows = [
    ['files', found.files, ''],
    ['lines', found.lines, ''],
    ['lines of a file, median / p90 / most', row(found.fileLines), '≤ 100 / ≤ 250 / ≤ 500'],
    ['functions', found.functions, ''],
    ['lines of a function, median / p90 / most', row(found.functionLines), '≤ 10 / ≤ 30 / –'],
    ['functions of more than four parameters', found.manyParameters, ''],
    ['lines over 140 characters (longest)', `${found.over140} (${found.longestLine})`, '0'],
    ['loose files in core', found.looseInCore, '< 10'],
    ['files with exactly one importer', found.oneImporter, ''],
    ['circles of imports, type imports included', found.circles.length, '0'],
    ['public names', found.publicNames ?? 'none', ''],
    ...Object.entries(weights).map(/** @returns {Row} */ ([what, figure]) => [what, figure, '']),
    ...found.rooms.map(/** @returns {Row} */ ([room, tokens]) => [`tokens of ${room}`, tokens, '']),
  ];
  return rows
    .map(([what, figure, aim]) =>
      `${what.padEnd(44)}${String(figure).padStart(18)}   ${aim && `aim ${aim}`}`.trimEnd(),
    )
    .concat(showCircles(found))
    .join('\n')
    .trimEnd();
}

function showCircles(/** @type {Pick<Measurement, 'circles'>} */ { circles }) {
  return circles.map(circle => `  circle: ${circle.join(' · ')}`).join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv.slice(2).find(word => !word.startsWith('--'));
  const root = path.resolve(folder ?? path.join(project, 'src'));
  const found = process.argv.includes('--circles')
    ? { circles: findCircles(readFiles(root, readImports)) }
    : measure(root);
  const weights = () =>
    folder === undefined ? { ...weigh(project), ...weighBesides(project) } : {};
  console.log('files' in found ? show(found, weights()) : showCircles(found));
  process.exitCode = found.circles.length > 0 ? 1 : 0;
}
