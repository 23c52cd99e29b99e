/** Takes a text apart with its grammar: what it defines, which names it uses, what it imports. */
import { isUtf8 } from 'node:buffer';
import type { Node, Query, QueryMatch } from 'web-tree-sitter';
import {
  type Binding,
  type Definition,
  type DefinitionKind,
  definitionKinds,
  type Import,
  type SkipReason,
} from '../../core/words/code-index.ts';
import { embeddedCodeOf, readableText } from '../../core/languages/embedded-code.ts';
import { grammarOf, isCode } from '../../core/languages/languages.ts';
import { readLineStructure } from '../../core/languages/line-structure.ts';
import type { TokenCounter } from '../../core/ports/token-counter.ts';
import { splitLines } from '../../core/text.ts';
import { loadLanguage, loadLibrary, readQuery, withTree } from '../syntax/grammars.ts';
import { reasonByContent } from './skip-reasons.ts';

type FoundDefinition = Omit<Definition, 'path' | 'signature'>;

/** Lines on which a name is called, and on which it only stands; each line once. */
interface FoundName {
  readonly calls: Set<number>;
  readonly uses: Set<number>;
}

type FoundImport = Omit<Import, 'path' | 'targets'>;

interface Structure {
  readonly definitions: readonly FoundDefinition[];
  readonly names: ReadonlyMap<string, FoundName>;
  readonly imports: readonly FoundImport[];
  /** Null where no grammar tells them. */
  readonly bindings: readonly Binding[] | null;
}

const noStructure: Structure = {
  definitions: [],
  names: new Map(),
  imports: [],
  bindings: null,
};

const longestName = 200;
const kinds: ReadonlySet<string> = new Set(definitionKinds);
/** What a pattern says that knows no better. */
const vague: ReadonlySet<DefinitionKind> = new Set(['type', 'constant', 'field']);
/** Null when it takes longer than `limitMs`: a parser that needs longer has met something nobody wrote by hand. */
async function readStructure(
  grammar: string,
  text: string,
  limitMs = 2_000,
): Promise<Structure | null> {
  const query = await compileQuery(grammar);
  const endsAt = performance.now() + limitMs;
  const spentAt = processorMs() + limitMs;
  // On a busy machine a file that anybody wrote takes long, too: only what was worked on counts.
  const isOver = (): boolean => performance.now() > endsAt && processorMs() > spentAt;
  return withTree(grammar, text, isOver, tree => {
    const matches = query.matches(tree.rootNode, { progressCallback: isOver, matchLimit: 8_192 });
    return isOver() ? null : collect(matches, text);
  });
}

/** Of all threads of this process. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const compiled = new Map<string, Promise<Query>>();

function compileQuery(grammar: string): Promise<Query> {
  const known = compiled.get(grammar) ?? compile(grammar);
  compiled.set(grammar, known);
  return known;
}

async function compile(grammar: string): Promise<Query> {
  const { Query: QueryClass } = await loadLibrary();
  return new QueryClass(await loadLanguage(grammar), await readQuery(grammar));
}

interface Collection {
  readonly text: string;
  readonly definitions: Map<string, FoundDefinition>;
  /** Offsets of the names that definitions introduce: those are no uses. */
  readonly introduced: Set<number>;
  /** Fields in the order of the text: of several values given to one attribute the first is where it is found. */
  readonly fields: { readonly at: number; readonly found: FoundDefinition }[];
  readonly locals: { readonly at: number; readonly line: number; readonly name: string }[];
  readonly scopes: Scope[];
  readonly found: {
    readonly at: number;
    readonly line: number;
    readonly name: string;
    readonly isCall: boolean;
  }[];
  readonly imports: FoundImport[];
}

interface Scope {
  readonly at: number;
  readonly endsAt: number;
  readonly startLine: number;
  readonly endLine: number;
}

function collect(matches: readonly QueryMatch[], text: string): Structure {
  const collection: Collection = {
    text,
    definitions: new Map(),
    introduced: new Set(),
    fields: [],
    locals: [],
    scopes: [],
    found: [],
    imports: [],
  };
  for (const match of matches) collectMatch(match, collection);
  placeFields(collection);
  const bindings = bind(collection);
  const names = new Map<string, FoundName>();
  for (const { at, line, name, isCall } of collection.found) {
    if (collection.introduced.has(at)) continue;
    const known = names.get(name) ?? { calls: new Set(), uses: new Set() };
    names.set(name, known);
    (isCall ? known.calls : known.uses).add(line);
  }
  for (const { calls, uses } of names.values()) for (const line of calls) uses.delete(line);
  return {
    definitions: [...collection.definitions.values()].toSorted(
      (one, other) => one.startLine - other.startLine,
    ),
    names,
    imports: collection.imports,
    bindings,
  };
}

/** One attribute of a type, however often it is given a value: later ones are uses. */
function placeFields({ fields, definitions, introduced }: Collection): void {
  const types = [...definitions.values()].filter(({ kind }) => isType(kind));
  const ownerOf = nestedIn(types);
  const known = new Set<string>();
  for (const { at, found } of fields.toSorted(
    (one, other) => one.found.startLine - other.found.startLine,
  )) {
    const key = `${ownerOf(found.startLine)}:${found.name}`;
    if (known.has(key)) continue;
    known.add(key);
    introduced.add(at);
    keep(found, definitions);
  }
}

function isType(kind: DefinitionKind): boolean {
  return /^(?:class|interface|type|enum|extension|module)$/.test(kind);
}

/** First line of the innermost range around a line; asked with lines that only grow. 0 for none. */
function nestedIn(
  ranges: readonly { readonly startLine: number; readonly endLine: number }[],
): (line: number) => number {
  const sorted = ranges.toSorted(
    (one, other) => one.startLine - other.startLine || other.endLine - one.endLine,
  );
  const open: (typeof sorted)[number][] = [];
  let next = 0;
  return line => {
    for (let one = sorted[next]; one !== undefined && one.startLine <= line; one = sorted[++next])
      open.push(one);
    while ((open.at(-1)?.endLine ?? line) < line) open.pop();
    return open.at(-1)?.startLine ?? 0;
  };
}

/** Names that are declared for a scope, each with the lines it is known in. */
function bind({ locals, scopes, introduced }: Collection): Binding[] {
  const sorted = scopes.toSorted((one, other) => one.at - other.at || other.endsAt - one.endsAt);
  const open: Scope[] = [];
  let next = 0;
  return locals
    .filter(({ at }) => !introduced.has(at))
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, line, name }) => {
      for (let one = sorted[next]; one !== undefined && one.at <= at; one = sorted[++next])
        open.push(one);
      while ((open.at(-1)?.endsAt ?? at + 1) <= at) open.pop();
      const scope = open.at(-1);
      return { name, line, startLine: scope?.startLine ?? 0, endLine: scope?.endLine ?? 0 };
    });
}

function collectMatch({ captures }: QueryMatch, collection: Collection): void {
  const [first] = captures;
  if (first === undefined) return;
  if (first.name === 'call' || first.name === 'use')
    return collectName(first.node, first.name === 'call', collection);
  if (/^(?:scope|local|label)$/.test(first.name)) {
    for (const { name, node } of captures) collectScope(name, node, collection);
    return;
  }
  const nodes = Object.fromEntries(captures.map(({ name, node }) => [name, node]));
  const kind = captures.find(({ name }) => kinds.has(name))?.name;
  if (kind !== undefined) return collectDefinition(kind as DefinitionKind, nodes, collection);
  if (nodes['specifier'] !== undefined)
    collectImport(nodes['specifier'], nodes['import'] ?? nodes['specifier'], collection);
}

function collectName(node: Node, isCall: boolean, { text, found }: Collection): void {
  // A symbol of Ruby is written with a colon.
  const name = text.slice(node.startIndex, node.endIndex).replace(/^:/, '');
  if (name.length > longestName || (name.length < 2 && !isCall)) return;
  found.push({ at: node.startIndex, line: node.startPosition.row + 1, name, isCall });
}

function collectScope(name: string, node: Node, collection: Collection): void {
  const { startIndex: at, endIndex: endsAt, startPosition, endPosition } = node;
  if (name === 'label') collection.introduced.add(at);
  else if (name === 'scope')
    collection.scopes.push({
      at,
      endsAt,
      startLine: startPosition.row + 1,
      endLine: endPosition.row + 1,
    });
  else if (endsAt - at > 1 && endsAt - at <= longestName)
    collection.locals.push({
      at,
      line: startPosition.row + 1,
      name: collection.text.slice(at, endsAt),
    });
}

function collectDefinition(
  kind: DefinitionKind,
  nodes: Readonly<Record<string, Node>>,
  { text, definitions, introduced, fields }: Collection,
): void {
  const whole = nodes[kind];
  const name =
    nodes['name'] ?? nodes['shared-name'] ?? (whole === undefined ? null : declaredName(whole));
  if (whole === undefined || name === null) return;
  const startLine = whole.startPosition.row + 1;
  const written = text.slice(
    name.startIndex,
    Math.min(name.endIndex, name.startIndex + longestName),
  );
  const found = {
    name: kind === 'test' ? unquote(written) : written.replace(/^:/, ''),
    kind,
    startLine: kind === 'field' ? name.startPosition.row + 1 : startLine,
    endLine: whole.endPosition.row + 1,
    nameLine: name.startPosition.row + 1,
  };
  if (kind === 'field') {
    fields.push({ at: nodes['name'] === undefined ? -1 : name.startIndex, found });
    return;
  }
  introduced.add(name.startIndex);
  keep(found, definitions);
}

/** A pattern that says more than "some type" or "some value" wins. */
function keep(found: FoundDefinition, definitions: Map<string, FoundDefinition>): void {
  const key = `${found.startLine}:${found.name}`;
  const known = definitions.get(key);
  if (known === undefined || (vague.has(known.kind) && found.kind !== 'field'))
    definitions.set(key, found);
}

/** C puts the name at the bottom of nested declarators. */
function declaredName(whole: Node): Node | null {
  let at: Node | null = whole;
  for (let depth = 0; depth < 12 && at !== null; depth += 1) {
    const next: Node | null =
      at.childForFieldName('declarator') ??
      (at.type === 'qualified_identifier' ? at.childForFieldName('name') : null);
    if (next === null) break;
    at = next;
  }
  return at === whole || at === null || at.endIndex - at.startIndex > longestName ? null : at;
}

function collectImport(specifier: Node, whole: Node, { text, imports }: Collection): void {
  const written = text.slice(
    specifier.startIndex,
    Math.min(specifier.endIndex, specifier.startIndex + 1_000),
  );
  const { startPosition, endPosition } = statementAround(whole);
  imports.push({
    specifier: plainSpecifier(written),
    line: specifier.startPosition.row + 1,
    startLine: startPosition.row + 1,
    endLine: endPosition.row + 1,
  });
}

/** Holds statements and is none that names what a call loads. */
const holdsStatements =
  /^(?:body|if|for|for_in|while|do|switch|try|with|compound)_statement$|(?:^|_)(?:block|body)$|^(?:generator_)?(?:function|class|method)_declaration$/;

/** What a call loads is named by the declaration it stands in. */
function statementAround(node: Node): Node {
  let at: Node | null = node;
  for (let depth = 0; depth < 5 && at !== null; depth += 1) {
    if (holdsStatements.test(at.type)) return node;
    if (/declarat(?:ion|or)$|_statement$/.test(at.type)) return at;
    at = at.parent;
  }
  return node;
}

/** A whole statement, where the grammar has no node for the path alone: what it brings in under other names or in braces is left out. */
function plainSpecifier(written: string): string {
  const path = /^import\s+(.*)$/s.exec(written)?.[1];
  if (path === undefined) return unquote(written);
  return path
    .trim()
    .replace(/\s+as\s+\S+$/, '')
    .replace(/\.\{.*$/s, '._');
}

function unquote(written: string): string {
  return written.replace(/^["'`<(]+/, '').replace(/["'`>)]+$/, '');
}

// Reads one content: why it is left out, or what stands in it.

type Examined = { readonly reason: SkipReason } | ExaminedText;

export interface ExaminedText {
  readonly reason: null;
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  readonly structure: Structure;
}

/** `path` is one of those the content has; only its ending matters. */
export async function examine(
  bytes: Uint8Array,
  path: string,
  language: string,
  counter: TokenCounter,
): Promise<Examined> {
  const whole = isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    : '';
  const text = readableText(path, whole);
  // Of a notebook only the cells count: its outputs are pictures as often as not.
  const reason = reasonByContent(text === whole ? bytes : Buffer.from(text), language);
  if (reason !== null) return { reason };
  const structure = await structureOf(path, whole, language);
  return {
    reason: null,
    text,
    bytes: bytes.byteLength,
    lines: splitLines(text).length,
    tokens: counter.count(text),
    structure,
  };
}

async function structureOf(path: string, text: string, language: string): Promise<Structure> {
  const embedded = embeddedCodeOf(path, text);
  const code = embedded?.code ?? text;
  const grammar = embedded === null ? grammarOf(path) : embedded.grammar;
  const parsed = grammar === null ? null : await readStructure(grammar, code);
  if (parsed === null) return isCode(language) ? byLines(code, path) : noStructure;
  return embedded === null || embedded.template === ''
    ? parsed
    : withTemplate(parsed, embedded.template);
}

function byLines(text: string, path: string): Structure {
  const { definitions, ...rest } = readLineStructure(text, path);
  return { ...rest, definitions: definitions.map(one => ({ ...one, nameLine: one.startLine })) };
}

/** A template names what its script knows: the rest of its words are its own. */
function withTemplate(structure: Structure, template: string): Structure {
  const known = new Set([
    ...structure.names.keys(),
    ...structure.definitions.map(({ name }) => name),
  ]);
  const names = new Map(structure.names);
  for (const [name, { calls, uses }] of readLineStructure(template, '').names) {
    if (!known.has(name)) continue;
    const own = names.get(name);
    names.set(name, {
      calls: new Set([...(own?.calls ?? []), ...calls]),
      uses: new Set([...(own?.uses ?? []), ...uses]),
    });
  }
  return { ...structure, names };
}
