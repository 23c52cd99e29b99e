// Who defines what, told by programs from outside: the parser of TypeScript for JavaScript and TypeScript, where ctags takes
// every destructured name for a constant, and universal-ctags for all other languages. A tag is `{ name, kind, line, end, isMember }` with
// kind `callable`, `type`, `value` or `field`, and lines from 1; `needsReceiver` where nobody can call it by its bare name.
import { spawnSync } from 'node:child_process';
import ts from 'typescript';

/**
 * @typedef {'callable' | 'type' | 'value' | 'field'} Kind
 * @typedef {{ readonly name: string, readonly kind: Kind, readonly line: number, end: number | null, readonly isMember: boolean,
 *   readonly needsReceiver?: boolean }} Tag
 * @typedef {{ readonly name: string, readonly path: string, readonly language: string, readonly line: number, readonly kind: string,
 *   readonly end?: number, readonly scope?: string, readonly scopeKind?: string }} PrintedTag
 * @typedef {{ readonly path: string, readonly language: { readonly name: string }, readonly text: string }} ReadFile
 */

const kinds = {
  callable:
    'function method func singletonMethod subroutine procedure generator getter setter constructor def',
  type: 'class struct interface enum trait type typedef typealias alias union annotation record object protocol',
  value: 'const constant var val variable macro define',
  field: 'field property accessor enumerator enumConstant anonMember methodSpec member',
};
const kindOf = new Map(
  /** @type {[Kind, string][]} */ (Object.entries(kinds)).flatMap(([kind, names]) =>
    names.split(' ').map(name => /** @type {const} */ ([name, kind])),
  ),
);

/** Universal Ctags, not another program of that name. */
export function hasCtags() {
  const { status, stdout } = spawnSync('ctags', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith('Universal Ctags');
}

/** The paths exist below `root`. Returns path → tags. */
export function definitionsOf(
  /** @type {readonly ReadFile[]} */ files,
  /** @type {string} */ root,
) {
  const found = new Map(files.map(({ path }) => [path, /** @type {Tag[]} */ ([])]));
  for (const { path, text } of files.filter(isScript)) found.set(path, scriptTags(path, text));
  const others = files.filter(file => !isScript(file));
  if (others.length > 0)
    for (const [path, tag] of runCtags(others, root)) found.get(path)?.push(tag);
  for (const { path, text } of others) closeOpenEnds(found.get(path) ?? [], text);
  return found;
}

const isScript = (/** @type {ReadFile} */ { language }) =>
  ['JavaScript', 'TypeScript'].includes(language.name);

function runCtags(/** @type {readonly ReadFile[]} */ files, /** @type {string} */ root) {
  const paths = new Set(files.map(({ path }) => path));
  const { stdout, error } = spawnSync(
    'ctags',
    ['--quiet', '--output-format=json', '--fields=+nel', '--sort=no', '-L', '-', '-f', '-'],
    { cwd: root, encoding: 'utf8', input: [...paths].join('\n'), maxBuffer: 1 << 30 },
  );
  if (error !== undefined) throw error;
  return readTags(stdout).filter(([path]) => paths.has(path));
}

/**
 * What ctags prints as JSON, one tag a line.
 * @returns {[path: string, tag: Tag][]}
 */
export function readTags(/** @type {string} */ text) {
  return text.split('\n').flatMap(line => {
    if (!line.startsWith('{"_type": "tag"')) return [];
    /** @type {PrintedTag} */
    const tag = JSON.parse(line);
    const kind = judge(tag);
    const isMember =
      tag.language === 'Ruby' ||
      (tag.scope !== undefined && !(tag.language === 'PHP' && tag.scopeKind === 'namespace'));
    return kind === null
      ? []
      : [
          [
            tag.path,
            {
              name: tag.name,
              kind,
              line: tag.line,
              end: tag.end ?? null,
              isMember,
              needsReceiver: kind === 'callable' && isMethodWithReceiver(tag),
            },
          ],
        ];
  });
}

function isMethodWithReceiver(/** @type {PrintedTag} */ { language, kind, scopeKind = '' }) {
  if (language === 'Python') return kind === 'member';
  return (
    (language === 'Go' || language === 'PHP') &&
    /^(?:struct|class|trait|interface)$/.test(scopeKind)
  );
}

/** @returns {Kind | null} */
function judge(/** @type {PrintedTag} */ { kind, language, scopeKind, name }) {
  if (name.startsWith('__anon')) return null;
  if (language === 'Python') {
    if (kind === 'member') return 'callable';
    if (kind === 'variable' && scopeKind !== undefined) return 'field';
  }
  if (language === 'Ruby' && kind === 'module') return 'type';
  if (language === 'Ruby' && kind === 'alias') return 'callable';
  if (language === 'PHP' && kind === 'alias') return null;
  if (language === 'PHP' && kind === 'variable') return 'field';
  return kindOf.get(kind) ?? null;
}

/** Where ctags does not say where a function ends: before the next line that is indented no deeper, closers left out. */
function closeOpenEnds(/** @type {readonly Tag[]} */ tags, /** @type {string} */ text) {
  const lines = text.split('\n');
  for (const tag of tags) {
    if (tag.end !== null || tag.kind !== 'callable') continue;
    const depth = indentOf(lines[tag.line - 1] ?? '');
    let end = tag.line;
    while (end < lines.length) {
      const line = lines[end];
      if (line.trim() !== '' && indentOf(line) <= depth) break;
      end += 1;
    }
    tag.end = /^\s*[}\])]/.test(lines[end] ?? '') ? end + 1 : Math.max(end, tag.line);
  }
}

function indentOf(/** @type {string} */ line) {
  return line.length - line.trimStart().length;
}

/** @typedef {(name: ts.Node | undefined, kind: Kind, node: ts.Node, isMember?: boolean) => void} Adding */

function scriptTags(/** @type {string} */ path, /** @type {string} */ text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, scriptKind(path));
  /** @type {Tag[]} */
  const tags = [];
  const lineOf = (/** @type {number} */ position) =>
    source.getLineAndCharacterOfPosition(position).line + 1;
  /** @type {Adding} */
  const add = (nameNode, kind, node, isMember = false) => {
    const name = nameOf(nameNode);
    if (nameNode !== undefined && name !== null)
      tags.push({
        name,
        kind,
        line: lineOf(nameNode.getStart(source)),
        end: lineOf(node.end),
        isMember,
      });
  };
  const visit = (/** @type {ts.Node} */ node, /** @type {number} */ depth) => {
    describe(node, depth, add);
    ts.forEachChild(node, child => visit(child, isScopeOf(node) ? depth + 1 : depth));
  };
  visit(source, 0);
  return tags;
}

function scriptKind(/** @type {string} */ path) {
  if (/\.[cm]?ts$/.test(path)) return ts.ScriptKind.TS;
  return path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
}

function nameOf(/** @type {ts.Node | undefined} */ node) {
  if (node === undefined) return null;
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPrivateIdentifier(node) ? node.text : null;
}

const isScopeOf = (/** @type {ts.Node} */ node) => ts.isFunctionLike(node) || ts.isBlock(node);
/** `const name = require('…')` takes a name from elsewhere, as an import does. */
const isRequired = (/** @type {ts.Node | undefined} */ node) =>
  node !== undefined &&
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'require';
const isFunction = (/** @type {ts.Node | undefined} */ node) =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

function describe(
  /** @type {ts.Node} */ node,
  /** @type {number} */ depth,
  /** @type {Adding} */ add,
) {
  if (ts.isFunctionDeclaration(node)) add(node.name, 'callable', node);
  else if (ts.isMethodDeclaration(node) || ts.isAccessor(node))
    add(node.name, 'callable', node, true);
  else if (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  )
    add(node.name, 'type', node);
  else if (ts.isVariableDeclaration(node)) {
    if (isFunction(node.initializer)) add(node.name, 'callable', node);
    else if (depth === 0 && !isRequired(node.initializer)) add(node.name, 'value', node);
  } else if (ts.isPropertyDeclaration(node))
    add(node.name, isFunction(node.initializer) ? 'callable' : 'field', node, true);
  else if (ts.isPropertyAssignment(node) && isFunction(node.initializer))
    add(node.name, 'field', node);
  else if (ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isEnumMember(node))
    add(node.name, 'field', node);
  else if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    isFunction(node.right)
  )
    add(node.left.name, 'callable', node, true);
}
