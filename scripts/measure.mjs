// `node scripts/measure.mjs [FOLDER] [--circles]`: the size and shape of the code, for a table before and after a change,
// or the circles of imports alone. Aims are printed beside the figures and block nothing; only circles of imports make it
// exit 1. Type imports count as imports.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** @typedef {ReturnType<typeof readFile>} ReadFile */

/** Every TypeScript file below `root`, with what is counted of it. */
export function readFiles(/** @type {string} */ root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      entry => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map(entry => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map(file => readFile(file, root));
}

function readFile(/** @type {string} */ file, /** @type {string} */ root) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter(name => name.startsWith('.'))
    .map(name => path.resolve(path.dirname(file), name));
  return {
    file,
    name: path.relative(root, file).split(path.sep).join('/'),
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    lineLengths: text.split('\n').map(line => line.length),
    functions: lengthsOfFunctions(source),
    imports,
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
export function findCircles(/** @type {readonly ReadFile[]} */ files) {
  const known = new Map(files.map(entry => [entry.file, entry]));
  const [order, low, onStack] = [new Map(), new Map(), new Set()];
  /** @type {string[]} */
  const stack = [];
  /** @type {(string | undefined)[][]} */
  const circles = [];
  const visit = (/** @type {string} */ file) => {
    order.set(file, order.size);
    low.set(file, order.get(file));
    stack.push(file);
    onStack.add(file);
    for (const next of (known.get(file)?.imports ?? []).filter(name => known.has(name))) {
      if (!order.has(next)) {
        visit(next);
        low.set(file, Math.min(low.get(file), low.get(next)));
      } else if (onStack.has(next)) low.set(file, Math.min(low.get(file), order.get(next)));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.lastIndexOf(file));
    for (const member of circle) onStack.delete(member);
    if (circle.length > 1) circles.push(circle.map(member => known.get(member)?.name));
  };
  for (const { file } of files) if (!order.has(file)) visit(file);
  return circles;
}

export function measure(/** @type {string} */ root) {
  const files = readFiles(root);
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
    longestLine: Math.max(0, ...lengths),
    looseInCore: files.filter(({ name }) => /^core\/[^/]+$/.test(name)).length,
    oneImporter: files.filter(({ file }) => importers.get(file) === 1).length,
    circles: findCircles(files),
    publicNames: publicNames(path.join(root, 'index.ts')),
  };
}

/** Names that the entry file exports, types included; null without one. */
function publicNames(/** @type {string} */ entry) {
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

function show(/** @type {ReturnType<typeof measure>} */ found) {
  /** @type {[string, string | number, string][]} */
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
  ];
  return rows
    .map(([what, figure, aim]) =>
      `${what.padEnd(44)}${String(figure).padStart(18)}   ${aim && `aim ${aim}`}`.trimEnd(),
    )
    .concat(showCircles(found))
    .join('\n')
    .trimEnd();
}

function showCircles(/** @type {Pick<ReturnType<typeof measure>, 'circles'>} */ { circles }) {
  return circles.map(circle => `  circle: ${circle.join(' · ')}`).join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv.slice(2).find(word => !word.startsWith('--'));
  const root = path.resolve(folder ?? fileURLToPath(new URL('../src', import.meta.url)));
  const found = process.argv.includes('--circles')
    ? { circles: findCircles(readFiles(root)) }
    : measure(root);
  console.log(!('files' in found) ? showCircles(found) : show(found));
  process.exitCode = found.circles.length > 0 ? 1 : 0;
}
