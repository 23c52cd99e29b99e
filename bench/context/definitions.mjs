// Who defines what, told by programs from outside: the parser of TypeScript for JavaScript and TypeScript, where ctags takes
// every destructured name for a constant, and universal-ctags for all other languages. A tag is `{ name, kind, line, end, isMember }` with
// kind `callable`, `type`, `value` or `field`, and lines from 1; `needsReceiver` where nobody can call it by its bare name.
import { spawnSync } from 'node:child_process';
import ts from 'typescript';

const kinds = {
  callable:
    'function method func singletonMethod subroutine procedure generator getter setter constructor def',
  type: 'class struct interface enum trait type typedef typealias alias union annotation record object protocol',
  value: 'const constant var val variable macro define',
  field: 'field property accessor enumerator enumConstant anonMember methodSpec member',
};
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => names.split(' ').map(name => [name, kind])),
);

/** Universal Ctags, not another program of that name. */
export function hasCtags() {
  const { status, stdout } = spawnSync('ctags', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith('Universal Ctags');
}

/** `files`: `{ path, language, text }`; the paths exist below `root`. Returns path → tags. */
export function definitionsOf(files, root) {
  const found = new Map(files.map(({ path }) => [path, []]));
  for (const { path, text } of files.filter(isScript)) found.set(path, scriptTags(path, text));
  const others = files.filter(file => !isScript(file));
  if (others.length > 0)
    for (const [path, tag] of runCtags(others, root)) found.get(path).push(tag);
  for (const { path, text } of others) closeOpenEnds(found.get(path), text);
  return found;
}

const isScript = ({ language }) => ['JavaScript', 'TypeScript'].includes(language.name);

function runCtags(files, root) {
  const paths = new Set(files.map(({ path }) => path));
  const { stdout, error } = spawnSync(
    'ctags',
    ['--quiet', '--output-format=json', '--fields=+nel', '--sort=no', '-L', '-', '-f', '-'],
    { cwd: root, encoding: 'utf8', input: [...paths].join('\n'), maxBuffer: 1 << 30 },
  );
  if (error !== undefined) throw error;
  return readTags(stdout).filter(([path]) => paths.has(path));
}

/** What ctags prints as JSON, one tag a line: pairs of path and tag. */
export function readTags(text) {
  return text.split('\n').flatMap(line => {
    if (!line.startsWith('{"_type": "tag"')) return [];
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

function isMethodWithReceiver({ language, kind, scopeKind }) {
  if (language === 'Python') return kind === 'member';
  return (
    (language === 'Go' || language === 'PHP') &&
    /^(?:struct|class|trait|interface)$/.test(scopeKind)
  );
}

function judge({ kind, language, scopeKind, name }) {
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
function closeOpenEnds(tags, text) {
  const lines = text.split('\n');
  for (const tag of tags) {
    if (tag.end !== null || tag.kind !== 'callable') continue;
    const depth = /^\s*/.exec(lines[tag.line - 1] ?? '')[0].length;
    let end = tag.line;
    while (end < lines.length) {
      const line = lines[end];
      if (line.trim() !== '' && /^\s*/.exec(line)[0].length <= depth) break;
      end += 1;
    }
    tag.end = /^\s*[}\])]/.test(lines[end] ?? '') ? end + 1 : Math.max(end, tag.line);
  }
}

function scriptTags(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, scriptKind(path));
  const tags = [];
  const lineOf = position => source.getLineAndCharacterOfPosition(position).line + 1;
  const add = (nameNode, kind, node, isMember = false) => {
    const name = nameOf(nameNode);
    if (name !== null)
      tags.push({
        name,
        kind,
        line: lineOf(nameNode.getStart(source)),
        end: lineOf(node.end),
        isMember,
      });
  };
  const visit = (node, depth) => {
    describe(node, depth, add);
    ts.forEachChild(node, child => visit(child, isScopeOf(node) ? depth + 1 : depth));
  };
  visit(source, 0);
  return tags;
}

function scriptKind(path) {
  if (/\.[cm]?ts$/.test(path)) return ts.ScriptKind.TS;
  return path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
}

function nameOf(node) {
  if (node === undefined) return null;
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPrivateIdentifier(node) ? node.text : null;
}

const isScopeOf = node => ts.isFunctionLike(node) || ts.isBlock(node);
/** `const name = require('…')` takes a name from elsewhere, as an import does. */
const isRequired = node =>
  node !== undefined &&
  ts.isCallExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'require';
const isFunction = node =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

function describe(node, depth, add) {
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
