/** Takes a text apart with its grammar: what it defines, which names it uses, what it imports. */
import type { Node, QueryMatch } from 'web-tree-sitter';
import { by, groupsBy, remember } from '../../core/groups.ts';
import { embeddedCodeOf } from '../../core/languages/embedded-code.ts';
import { grammarOf, isCode } from '../../core/languages/languages.ts';
import {
  noteName,
  readLineStructure,
  type Structure,
} from '../../core/languages/line-structure.ts';
import { type Binding, type DefinitionKind, definitionKinds } from '../../core/words/code-index.ts';
import { loadLanguage, loadLibrary, withTree } from '../syntax/grammars.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../system/package-root.ts';

type FoundDefinition = Structure['definitions'][number];

const noStructure: Structure = { definitions: [], names: new Map(), imports: [], bindings: [] };

/** Of a content with this path, of which only its ending matters. */
export async function structureOf(path: string, text: string, language: string) {
  const embedded = embeddedCodeOf(path, text);
  const code = embedded?.code ?? text;
  const grammar = !embedded ? grammarOf(path) : embedded.grammar;
  const parsed = grammar === null ? null : await readStructure(grammar, code);
  if (!parsed) return isCode(language) ? readLineStructure(code, path) : noStructure;
  // A template names what its script knows: the rest of its words are its own.
  const known = new Set([...parsed.names.keys(), ...parsed.definitions.map(({ name }) => name)]);
  for (const [name, { calls, uses }] of readLineStructure(embedded?.template ?? '', '').names)
    if (known.has(name)) {
      for (const line of calls) noteName(parsed.names, name, line, true);
      for (const line of uses) noteName(parsed.names, name, line, false);
    }
  return parsed;
}

/** A parser that needs longer has met something nobody wrote by hand. */
const limitMs = 2_000;

/** Null when it takes longer than that. */
async function readStructure(grammar: string, text: string): Promise<Structure | null> {
  const query = await compileQuery(grammar);
  const endsAt = performance.now() + limitMs;
  const spentAt = processorMs() + limitMs;
  // On a busy machine a file that anybody wrote takes long, too: only what was worked on counts.
  const isOver = () => performance.now() > endsAt && processorMs() > spentAt;
  return withTree(grammar, text, isOver, tree => {
    const matches = query.matches(tree.rootNode, { progressCallback: isOver, matchLimit: 8_192 });
    return isOver() ? null : collect(matches, text);
  });
}

/** Of all threads of this process. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const compileQuery = remember(async grammar => {
  const { Query: QueryClass } = await loadLibrary();
  return new QueryClass(await loadLanguage(grammar), await readQuery(grammar));
});

const longestName = 200;
const kinds: ReadonlySet<string> = new Set(definitionKinds);
/** What a pattern says that knows no better. */
const vague: ReadonlySet<DefinitionKind> = new Set(['type', 'constant', 'field']);

/** Where something stands: offsets, and lines. */
interface Span {
  at: number;
  endsAt: number;
  startLine: number;
  endLine: number;
}

function spanOf({ startIndex: at, endIndex: endsAt, startPosition, endPosition }: Node): Span {
  return { at, endsAt, startLine: startPosition.row + 1, endLine: endPosition.row + 1 };
}

type Collection = ReturnType<typeof openCollection>;

function openCollection(text: string) {
  return {
    written: ({ startIndex, endIndex }: Node, most = longestName) =>
      text.slice(startIndex, Math.min(endIndex, startIndex + most)),
    definitions: new Map<string, FoundDefinition>(),
    /** Offsets of the names that definitions introduce: those are no uses. */
    introduced: new Set<number>(),
    /** In the order of the text: of several values given to one attribute the first is where it is found. */
    fields: [] as { at: number; found: FoundDefinition }[],
    locals: [] as (Span & { name: string })[],
    scopes: [] as Span[],
    found: [] as (Span & { name: string; isCall: boolean })[],
    imports: [] as Structure['imports'][number][],
  };
}

function collect(matches: readonly QueryMatch[], text: string): Structure {
  const collection = openCollection(text);
  for (const match of matches) collectMatch(match, collection);
  placeFields(collection);
  const bindings = bind(collection);
  const names: Structure['names'] = new Map();
  for (const { at, startLine, name, isCall } of collection.found)
    if (!collection.introduced.has(at)) noteName(names, name, startLine, isCall);
  return {
    definitions: [...collection.definitions.values()],
    names,
    imports: collection.imports,
    bindings,
  };
}

/** One attribute of a type, however often it is given a value: later ones are uses. */
function placeFields({ fields, definitions, introduced }: Collection) {
  const ownerAt = innermost(
    [...definitions.values()]
      .filter(({ kind }) => /^(?:class|interface|type|enum|extension|module)$/.test(kind))
      .map(one => ({ ...one, at: one.startLine, endsAt: one.endLine + 1 })),
  );
  const inOrder = fields.toSorted(by(({ found }) => found.startLine));
  const keyOf = ({ found: { startLine, name } }: (typeof fields)[number]) =>
    `${ownerAt(startLine)?.startLine ?? 0}:${name}`;
  for (const [{ at, found }] of groupsBy(inOrder, keyOf)) {
    introduced.add(at);
    keep(found, definitions);
  }
}

/** Names that are declared for a scope, each with the lines it is known in. */
function bind({ locals, scopes, introduced }: Collection): Binding[] {
  const scopeAt = innermost(scopes);
  return locals
    .filter(({ at }) => !introduced.has(at))
    .toSorted(by(({ at }) => at))
    .map(({ at, startLine: line, name }) => {
      const { startLine = 0, endLine = 0 } = scopeAt(at) ?? {};
      return { name, line, startLine, endLine };
    });
}

/** The innermost range around a place; asked with places that only grow. */
function innermost<Range extends Pick<Span, 'at' | 'endsAt'>>(
  ranges: readonly Range[],
): (place: number) => Range | undefined {
  const sorted = ranges.toSorted(
    by(
      ({ at }) => at,
      ({ endsAt }) => -endsAt,
    ),
  );
  const open: Range[] = [];
  let next = 0;
  return place => {
    for (let one = sorted[next]; one !== undefined && one.at <= place; one = sorted[++next])
      open.push(one);
    while ((open.at(-1)?.endsAt ?? place + 1) <= place) open.pop();
    return open.at(-1);
  };
}

function collectMatch({ captures }: QueryMatch, collection: Collection) {
  const [first] = captures;
  if (!first) return;
  const { written, introduced, scopes, locals, found } = collection;
  if (first.name === 'call' || first.name === 'use') {
    // A symbol of Ruby is written with a colon.
    const name = written(first.node, longestName + 2).replace(/^:/, '');
    const isCall = first.name === 'call';
    if (name.length <= longestName && (name.length > 1 || isCall))
      found.push({ ...spanOf(first.node), name, isCall });
    return;
  }
  if (/^(?:scope|local|label)$/.test(first.name)) {
    for (const { name, node } of captures) {
      const span = spanOf(node);
      const length = span.endsAt - span.at;
      if (name === 'label') introduced.add(span.at);
      else if (name === 'scope') scopes.push(span);
      else if (length > 1 && length <= longestName) locals.push({ ...span, name: written(node) });
    }
    return;
  }
  const nodes: Record<string, Node> = Object.fromEntries(
    captures.map(({ name, node }) => [name, node]),
  );
  const kind = captures.find(({ name }) => kinds.has(name))?.name;
  if (kind !== undefined) return collectDefinition(kind as DefinitionKind, nodes, collection);
  const { specifier } = nodes;
  if (specifier)
    collection.imports.push({
      specifier: plainSpecifier(written(specifier, 1_000)),
      line: specifier.startPosition.row + 1,
      ...linesOf(statementAround(nodes['import'] ?? specifier)),
    });
}

function linesOf(node: Node): Pick<Span, 'startLine' | 'endLine'> {
  const { startLine, endLine } = spanOf(node);
  return { startLine, endLine };
}

function collectDefinition(
  kind: DefinitionKind,
  nodes: Record<string, Node>,
  { written, definitions, introduced, fields }: Collection,
) {
  const whole = nodes[kind];
  const name = nodes['name'] ?? nodes['shared-name'] ?? (!whole ? null : declaredName(whole));
  if (!whole || !name) return;
  const lines = linesOf(whole);
  const nameLine = name.startPosition.row + 1;
  const found = {
    name: kind === 'test' ? unquote(written(name)) : written(name).replace(/^:/, ''),
    kind,
    startLine: kind === 'field' ? nameLine : lines.startLine,
    endLine: lines.endLine,
    nameLine,
  };
  if (kind === 'field') {
    fields.push({ at: !nodes['name'] ? -1 : name.startIndex, found });
    return;
  }
  introduced.add(name.startIndex);
  keep(found, definitions);
}

/** A pattern that says more than "some type" or "some value" wins. */
function keep(found: FoundDefinition, definitions: Map<string, FoundDefinition>) {
  const key = `${found.startLine}:${found.name}`;
  const known = definitions.get(key);
  if (!known || (vague.has(known.kind) && found.kind !== 'field')) definitions.set(key, found);
}

/** C puts the name at the bottom of nested declarators. */
function declaredName(whole: Node) {
  let at: Node | null = whole;
  for (let depth = 0; depth < 12 && at !== null; depth += 1) {
    const next: Node | null =
      at.childForFieldName('declarator') ??
      (at.type === 'qualified_identifier' ? at.childForFieldName('name') : null);
    if (!next) break;
    at = next;
  }
  return at === whole || at === null || at.endIndex - at.startIndex > longestName ? null : at;
}

/** Holds statements and is none that names what a call loads. */
const holdsStatements = new RegExp(
  '^(?:body|if|for|for_in|while|do|switch|try|with|compound)_statement$|(?:^|_)(?:block|body)$|' +
    '^(?:generator_)?(?:function|class|method)_declaration$',
);

/** What a call loads is named by the declaration it stands in. */
function statementAround(node: Node) {
  let at: Node | null = node;
  for (let depth = 0; depth < 5 && at; depth += 1) {
    if (holdsStatements.test(at.type)) return node;
    if (/declarat(?:ion|or)$|_statement$/.test(at.type)) return at;
    at = at.parent;
  }
  return node;
}

/** A whole statement, where the grammar has no node for the path alone: what it brings in under other names or in braces is left out. */
function plainSpecifier(written: string) {
  const path = /^import\s+(.*)$/s.exec(written)?.[1];
  if (path === undefined) return unquote(written);
  return path
    .trim()
    .replace(/\s+as\s+\S+$/, '')
    .replace(/\.\{.*$/s, '._');
}

function unquote(written: string) {
  return written.replace(/^["'`<(]+/, '').replace(/["'`>)]+$/, '');
}

/**
 * What the index looks for in a tree. A capture named after a kind of definition holds the whole of it, with its `@name` beside it;
 * a `@shared-name` names it and is a use as well; `@import` holds an import with its `@specifier`; `@call` and `@use` hold the name
 * that is used. `@local` holds the name of a parameter or a variable, known inside of the `@scope` around it. `@label` holds a word
 * that is no use of a name. The first line may name queries that go before.
 */
async function readQuery(name: string): Promise<string> {
  const text = await readFile(join(packageRoot, 'rules', 'queries', `${name}.scm`), 'utf8');
  const before = /^; inherits: (.*)/.exec(text)?.[1]?.split(', ') ?? [];
  return [...(await Promise.all(before.map(readQuery))), text].join('\n');
}
