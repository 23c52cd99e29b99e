/** Which type a definition belongs to, what a type offers, and which types it is built on: from first lines and nesting alone. */
import type { Definition } from '../../words/code-index.ts';
import type { CodeView } from './references.ts';
import { folderOf } from '../../text.ts';
import { isSameFamily } from '../../languages/languages.ts';

const mostDefinitions = 2_000;
const mostSupertypes = 20;

/** The definitions that a line of this file can mean by a name: in its language, those of tests from tests alone. */
export function definitionsFor(name: string, from: string, view: CodeView): Definition[] {
  const language = view.languageOf(from);
  return view
    .definitionsOf(name)
    .slice(0, mostDefinitions)
    .filter(
      ({ kind, path }) =>
        kind !== 'test' &&
        kind !== 'extension' &&
        isSameFamily(view.languageOf(path), language) &&
        (!view.isTest(path) || view.isTest(from)),
    );
}

export function isTypeLike({ kind }: Pick<Definition, 'kind'>): boolean {
  return /^(?:class|interface|type|enum)$/.test(kind);
}

/** What holds the members it is nested in, or is written for: `func (s *Store)`, `fun Store.find()`, `store.find = …`. */
interface Owner {
  /** Null for an object without a name, such as the one a module exports. */
  readonly name: string | null;
  /** The definition around it; null for a member that is written elsewhere than in its type. */
  readonly around: Definition | null;
}

/** Null for what is reached by its own name. */
export function ownerOf(definition: Definition, view: CodeView): Owner | null {
  const written = writtenOwner(definition);
  if (written !== undefined) return { name: written, around: null };
  const around = aroundOf(definition, view);
  if (around === null) return null;
  if (isTypeLike(around) || around.kind === 'extension' || around.kind === 'module')
    return around.kind === 'module' && !around.path.endsWith('.rb')
      ? null
      : { name: around.name, around };
  return definition.kind === 'method' || definition.kind === 'field'
    ? { name: around.kind === 'constant' ? around.name : null, around }
    : null;
}

/** The receiver in the first line of a function that stands outside of its type. */
function writtenOwner({ signature, name, path, kind }: Definition): string | null | undefined {
  if (path.endsWith('.go') && kind === 'method')
    return /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)/.exec(signature)?.[1];
  if (kind === 'function' && /\.(?:kts?|swift)$/.test(path))
    return /\bfun\s+(?:<[^>]*>\s*)?(?:[\w.]+\.)?(\w+)(?:<[^>]*>)?\.\w+\s*\(/.exec(signature)?.[1];
  if (path.endsWith('.cs') && kind === 'method')
    return /\(\s*this\s+(?:[\w.]+\.)?(\w+)/.exec(signature)?.[1];
  if (/\.(?:cc|cpp|cxx|hpp|hh|hxx)$/.test(path))
    return /(\w+)(?:<[^>]*>)?::~?\w+\s*\(/.exec(signature)?.[1];
  if (/\.[cm]?[jt]sx?$/.test(path) && (kind === 'function' || kind === 'constant')) {
    const object = new RegExp(
      `^([\\w$]+(?:\\.[\\w$]+)*)\\.${name.replaceAll('$', '\\$')}\\s*=`,
    ).exec(signature)?.[1];
    return object === undefined || /(?:^|\.)exports$/.test(object)
      ? undefined
      : object.replace(/\.prototype$/, '').replace(/^.*\./, '');
  }
  return undefined;
}

const known = new WeakMap<Definition, Definition | null>();

/** The innermost type or function around a definition; for the field of an object its type, whatever function it stands in. */
function aroundOf(definition: Definition, view: CodeView): Definition | null {
  const answer = known.get(definition);
  if (answer !== undefined) return answer;
  const found = view
    .definitionsIn(definition.path)
    .findLast(
      one =>
        one.startLine <= definition.startLine &&
        one.endLine >= definition.endLine &&
        !(one.startLine === definition.startLine && one.name === definition.name) &&
        one.kind !== 'test' &&
        (definition.kind !== 'field' || !/^(?:function|method|constant)$/.test(one.kind)),
    );
  known.set(definition, found ?? null);
  return found ?? null;
}

/** Members of this name that the type offers, its own before those of what it is built on. */
export function membersOf(type: Definition, name: string, view: CodeView): Definition[] {
  const candidates = definitionsFor(name, type.path, view).flatMap(definition => {
    const owner = ownerOf(definition, view);
    return owner === null || owner.name === null ? [] : [{ definition, owner }];
  });
  for (const one of lineageOf(type, view).types) {
    const own = candidates
      .filter(({ owner }) => owner.name === one.name && belongsTo(owner, one, view))
      .toSorted((left, right) => rank(left.owner, one) - rank(right.owner, one))
      .map(({ definition }) => definition);
    if (own.length > 0) return own;
  }
  return [];
}

function rank({ around }: Owner, type: Definition): number {
  return around === type ? 0 : around?.path === type.path ? 1 : 2;
}

/** A type of this name elsewhere is another one, unless it adds to the type as the languages allow it. */
function belongsTo({ around }: Owner, type: Definition, view: CodeView): boolean {
  if (around === type) return true;
  const homonyms = view.definitionsOf(type.name).filter(isTypeLike);
  if (around !== null && isTypeLike(around) && around.path !== type.path)
    return /\.(?:rb|cs)$/.test(type.path);
  if (homonyms.length <= 1) return true;
  const place = around?.path ?? type.path;
  return folderOf(place) === folderOf(type.path) || topOf(place) === topOf(type.path);
}

interface Lineage {
  /** The type itself first, then what it is built on. */
  readonly types: readonly Definition[];
  /** True when it is built on something that the repository does not hold. */
  readonly leadsOut: boolean;
}

/** A type with what it extends, implements and embeds. */
export function lineageOf(type: Definition, view: CodeView): Lineage {
  const types = [type];
  let leadsOut = false;
  for (let at = 0; at < types.length && types.length < mostSupertypes; at += 1) {
    const one = types[at];
    if (one === undefined) break;
    for (const name of supertypeNames(one, view)) {
      const found = nearestType(name, one.path, view);
      if (found === null) leadsOut = true;
      else if (!types.includes(found)) types.push(found);
    }
  }
  return { types, leadsOut };
}

export function nearestType(name: string, from: string, view: CodeView): Definition | null {
  const types = definitionsFor(name, from, view).filter(
    one => isTypeLike(one) || (one.kind === 'module' && one.path.endsWith('.rb')),
  );
  if (types.length <= 1) return types[0] ?? null;
  const imported = new Set(view.importsOf(from).flatMap(({ targets }) => targets));
  return (
    types.find(({ path }) => path === from) ??
    types.find(({ path }) => imported.has(path)) ??
    types.find(({ path }) => folderOf(path) === folderOf(from)) ??
    null
  );
}

/**
 * Names behind `extends`, `implements`, `:`, `<` and in the brackets of a class; the traits a Rust type has blocks for; what a Go
 * struct embeds.
 */
function supertypeNames(type: Definition, view: CodeView): string[] {
  const { path, name, signature } = type;
  if (path.endsWith('.go'))
    return view
      .membersIn(path)
      .filter(
        one =>
          one.kind === 'field' &&
          type.startLine <= one.startLine &&
          one.endLine <= type.endLine &&
          new RegExp(`^\\*?(?:\\w+\\.)?${one.name}(?:\\s|$|\`)`).test(one.signature),
      )
      .map(one => one.name);
  const header = withoutGroups(signature.slice(signature.indexOf(name) + name.length), '<', '>');
  if (path.endsWith('.rs'))
    return [
      ...namesIn(/^\s*:\s*([^{]*)/.exec(header)?.[1] ?? ''),
      ...view
        .definitionsOf(name)
        .filter(({ kind }) => kind === 'extension')
        .flatMap(
          one =>
            /^\s*(?:unsafe\s+)?impl\s+([\w:]+)\s+for\b/.exec(
              withoutGroups(one.signature, '<', '>'),
            )?.[1] ?? [],
        )
        .map(lastName),
    ];
  if (path.endsWith('.py')) return namesIn(/^\s*\(([^)]*)/.exec(header)?.[1] ?? '');
  if (path.endsWith('.rb')) return namesIn(/^\s*<\s*([\w:]+)/.exec(header)?.[1] ?? '');
  const listed = [...header.matchAll(/\b(?:extends|implements|with)\s+([^{]*)/g)].map(
    ([, list = '']) => list,
  );
  const colon = /\.(?:kts?|swift|cs|cpp|hpp|hh|cc)$/.test(path)
    ? (/:\s*([^{]*)/.exec(withoutGroups(header, '(', ')'))?.[1] ?? '')
    : '';
  return namesIn([...listed, colon].join(','));
}

function namesIn(list: string): string[] {
  return list
    .slice(0, 300)
    .replace(/\b(?:extends|implements|with|public|private|protected|virtual|where)\b/g, ',')
    .split(/[,+]/)
    .filter(entry => !entry.includes('='))
    .map(entry => lastName(/^\s*([\w$.:\\]+)/.exec(entry)?.[1] ?? ''))
    .filter(name => name !== '' && name !== 'object' && name !== 'Object');
}

function lastName(path: string): string {
  return path.split(/[.:\\]+/).at(-1) ?? '';
}

/** Without what stands between the brackets; those of a type may lie in one another. */
export function withoutGroups(text: string, open: string, close: string): string {
  let depth = 0;
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === open) depth += 1;
    else if (character === close && text[at - 1] !== '-' && text[at - 1] !== '=')
      depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  // A bracket without its end was no bracket.
  return depth === 0 ? kept : text;
}

export function topOf(path: string): string {
  return path.split('/')[0] ?? '';
}
