/** The names that added lines refer to, by how each stands in its line: no reserved words, nothing declared nearby, each once per file. */
import { maskText } from '../../languages/mask-text.ts';
import { familyOf, kindsOf } from '../../languages/path-kinds.ts';
import type { Vocabulary } from '../../languages/language.ts';
import { vocabularyOf } from '../../languages/languages.ts';
import type { CodeIndex } from '../../ports/code-index.ts';
import type { Binding, Definition, Import, Reference } from '../../words/code-index.ts';
import { declares, isParameter } from './declarations.ts';
import { type ChangedPiece, holds } from './line-range.ts';

export interface SymbolUse {
  readonly name: string;
  readonly path: string;
  /** The first added line that refers to it. */
  readonly line: number;
  readonly language: Vocabulary;
  readonly occurrence: Occurrence;
}

/** `linesOf`: text of the new side of a changed file. */
export function symbolsUsed(
  pieces: readonly ChangedPiece[],
  view: CodeView,
  linesOf: (path: string) => readonly string[],
): SymbolUse[] {
  const uses = new Map<string, SymbolUse>();
  const texts = new Map<string, FileText>();
  for (const piece of pieces) {
    const language = vocabularyOf(view.languageOf(piece.path));
    if (language === null) continue;
    const text = texts.get(piece.path) ?? readText(piece.path, linesOf(piece.path));
    texts.set(piece.path, text);
    const place = { piece, view, language, text, declared: declaredIn(piece, view) };
    for (const line of piece.added)
      for (const name of view.namesOn(piece.path, line)) {
        if (name.length < 2 || /^\d/.test(name)) continue;
        const occurrence = chooseOccurrence(occurrencesOn(line, name, text, language));
        if (occurrence === null || isReserved(name, occurrence, language)) continue;
        const key = `${piece.path}\0${name}\0${occurrence.role}`;
        if (!uses.has(key) && !isDeclaredNearby(name, line, occurrence, place))
          uses.set(key, { name, path: piece.path, line, language, occurrence });
      }
  }
  return [...uses.values()].toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : 0,
  );
}

interface FileText {
  readonly lines: readonly string[];
  /** The same lines without what comments and strings say. */
  readonly code: readonly string[];
}

function readText(path: string, lines: readonly string[]): FileText {
  return { lines, code: maskText(lines.join('\n'), familyOf(path)).code.split('\n') };
}

/** What is a word of the language elsewhere may be a member all the same: `this.type()`. */
function isReserved(name: string, occurrence: Occurrence, { keywords }: Vocabulary): boolean {
  const isOwnMember =
    occurrence.role === 'member' && /^(?:this|self)$/.test(occurrence.chain.at(-1)?.name ?? '');
  return keywords.has(name) && !isOwnMember;
}

/** A bare name says more than a member, and both more than the name of a field. */
function chooseOccurrence(found: readonly Occurrence[]): Occurrence | null {
  for (const role of ['bare', 'member', 'field', 'symbol'] as const) {
    const one = found.find(occurrence => occurrence.role === role);
    if (one !== undefined) return one;
  }
  return null;
}

interface Nearby {
  readonly piece: ChangedPiece;
  readonly view: CodeView;
  readonly language: Vocabulary;
  readonly text: FileText;
  readonly declared: ReadonlySet<string>;
}

function declaredIn({ path, hunk }: ChangedPiece, view: CodeView): ReadonlySet<string> {
  return new Set(
    view
      .membersIn(path)
      .filter(one => holds(hunk, one.startLine) && !isImportLine(path, one.startLine, view))
      .map(({ name }) => name),
  );
}

/** In the hunk itself: whoever reads the line sees the declaration too. */
function isDeclaredNearby(
  name: string,
  line: number,
  { role }: Occurrence,
  { piece: { path, hunk }, view, language, text: { lines }, declared }: Nearby,
): boolean {
  if (declared.has(name)) return true;
  if (role === 'member') return false;
  if (view.bindingsOf(path, name) !== null) {
    const bound = bindingAt(name, path, line, view);
    if (bound === null) return false;
    return role === 'field'
      ? bound.line === line
      : holds(hunk, bound.line) && !isImportLine(path, bound.line, view);
  }
  const declaring = view
    .linesUsing(path, name)
    .find(at => holds(hunk, at) && declares(lines[at - 1] ?? '', name));
  if (declaring !== undefined) return !isImportLine(path, declaring, view);
  return view
    .definitionsIn(path)
    .some(
      ({ startLine, endLine }) =>
        holds(hunk, startLine) &&
        isParameter(
          lines.slice(startLine - 1, headerEnd(lines, startLine, endLine)).join('\n'),
          name,
          language,
        ),
    );
}

/** An import brings a name from elsewhere: that is no declaration of it. */
export function isImportLine(path: string, line: number, view: CodeView): boolean {
  return view
    .importsOf(path)
    .some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/**
 * The declaration that a name means on a line: the innermost scope, and in it the nearest line above. Null for none that a
 * grammar tells.
 */
export function bindingAt(
  name: string,
  path: string,
  line: number,
  view: CodeView,
): Pick<Binding, 'line' | 'startLine'> | null {
  let best: { readonly line: number; readonly startLine: number; readonly size: number } | null =
    null;
  for (const one of view.bindingsOf(path, name) ?? []) {
    const isTop = one.startLine === 0;
    if (!isTop && (line < one.startLine || line > one.endLine)) continue;
    const size = isTop ? Number.MAX_SAFE_INTEGER : one.endLine - one.startLine;
    if (
      best === null ||
      size < best.size ||
      (size === best.size && one.line <= line && one.line > best.line)
    )
      best = { line: one.line, startLine: one.startLine, size };
  }
  return best;
}

/** How a name stands in a line: bare, as a member of something, as the name of a field that is given a value, or only told. */
type Occurrence =
  | { readonly role: 'bare' }
  /** `chain`: what it is reached through, from the name it starts with; empty when it starts with something else than a name. */
  | { readonly role: 'member'; readonly chain: readonly Link[] }
  | { readonly role: 'field' }
  | { readonly role: 'symbol' };

/** `store.find(1).rate`: its names in order, each with whether it is called. */
export interface Link {
  readonly name: string;
  readonly isCall: boolean;
}

const wordCharacter = /[\p{L}\p{N}_$]/u;
const linesOfChain = 8;

/** What stands in a string counts where nothing else does: `${name}` is a use. */
function occurrencesOn(
  line: number,
  name: string,
  { lines, code }: FileText,
  language: Vocabulary,
): Occurrence[] {
  const found = occurrencesIn(chainOfLines(code, line), name, language);
  return found.length > 0
    ? found
    : occurrencesIn((lines[line - 1] ?? '').slice(0, 2_000), name, language);
}

/** A chain of members may go over several lines: those above belong before the first dot. */
function chainOfLines(code: readonly string[], line: number): string {
  const text = (code[line - 1] ?? '').slice(0, 2_000);
  if (!/^\s*(?:[?&!]?\.(?!\.)|\??->|::)/.test(text)) return text;
  let joined = text.trimStart();
  for (let at = line - 1; at > 0 && line - at <= linesOfChain; at -= 1) {
    const above = (code[at - 1] ?? '').slice(0, 500).trimEnd();
    joined = above.trimStart() + joined;
    if (!/^\s*(?:[?&!]?\.(?!\.)|\??->|::|[)\]}])/.test(above) && above.trim() !== '') break;
  }
  return joined;
}

/** Every place where `name` stands as a whole word, as it stands there. */
export function occurrencesIn(line: string, name: string, language: Vocabulary): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    if (wordCharacter.test(line[at - 1] ?? '') || wordCharacter.test(line[at + name.length] ?? ''))
      continue;
    found.push(occurrenceAt(line, at, name, language));
  }
  return found;
}

function occurrenceAt(line: string, at: number, name: string, language: Vocabulary): Occurrence {
  const before = line.slice(0, at);
  const behind = line.slice(at + name.length);
  const access = accessBefore(before, language);
  if (access !== null) return { role: 'member', chain: chainBefore(access, language) };
  if (language.hasSymbols === true && before.endsWith(':')) return { role: 'symbol' };
  return isField(before, behind, language) ? { role: 'field' } : { role: 'bare' };
}

/** What stands before the sign of a member; null where there is none. */
function accessBefore(text: string, { access }: Vocabulary): string | null {
  const found = access.exec(text.slice(-40));
  return found === null || /\.\.\s*$/.test(text)
    ? null
    : text.slice(0, text.length - found[0].length);
}

/** An entry `name: value` of a literal, an argument `name=value`, an attribute of a tag. */
function isField(before: string, behind: string, { namesFields }: Vocabulary): boolean {
  if (namesFields === 'colon')
    return (
      (/(?:^|[{,(])\s*$/.test(before) && /^\??\s?:(?![:=])/.test(behind)) ||
      (/<[\w.]+[^<>]*\s$|^\s+$/.test(before) && /^=[{"']/.test(behind))
    );
  return namesFields === 'equals' && /(?:[(,]|^)\s*$/.test(before) && /^\s?=(?!=)/.test(behind);
}

/** Walks back over calls, indexes and members to the name that a chain starts with. */
function chainBefore(text: string, language: Vocabulary): readonly Link[] {
  const chain: Link[] = [];
  for (let end = text.length; ;) {
    const start = skipGroups(text, end);
    const name = /@{0,2}[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(
      text.slice(Math.max(0, start - 200), start),
    )?.[0];
    if (name === undefined) return [];
    chain.unshift({ name, isCall: text[start] === '(' });
    const before = accessBefore(text.slice(0, start - name.length), language);
    if (before === null) return chain;
    end = before.length;
  }
}

/** The place before any `(…)` and `[…]` that end here. */
function skipGroups(text: string, end: number): number {
  let at = end;
  while (/[)\]!?]/.test(text[at - 1] ?? '')) {
    if (/[!?]/.test(text[at - 1] ?? '')) {
      at -= 1;
      continue;
    }
    let depth = 0;
    for (at -= 1; at >= 0; at -= 1) {
      if (/[)\]]/.test(text[at] ?? '')) depth += 1;
      else if (/[([]/.test(text[at] ?? '') && --depth === 0) break;
    }
    if (at < 0) return 0;
  }
  return at;
}

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** Lines of the header of a definition: up to where its body opens, at most twelve. */
export function headerEnd(lines: readonly string[], startLine: number, endLine: number): number {
  const last = Math.min(endLine, startLine + 11, lines.length);
  let depth = 0;
  for (let line = startLine; line <= last; line += 1) {
    const text = (lines[line - 1] ?? '').slice(0, longestLine);
    for (const character of text) {
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    }
    if (
      depth <= 0 &&
      /[{:;=>)\w\]]\s*(?:(?:\/\/|#).*)?$|=>|\{/.test(text) &&
      !/^\s*(?:@|#\[)/.test(text)
    )
      return line;
  }
  return Math.min(startLine, last);
}

// The index as the ladder asks it: every question once, with what stands around a line worked out here.

export interface CodeView {
  has(path: string): boolean;
  readonly paths: readonly string[];
  /** Null for a file that is not indexed. */
  languageOf(path: string): string | null;
  linesOf(path: string): number;
  definitionsOf(name: string): readonly Definition[];
  /** What may hold changed lines: fields are `membersIn`. */
  definitionsIn(path: string): readonly Definition[];
  /** With the fields of its types. */
  membersIn(path: string): readonly Definition[];
  /** Null where no grammar tells them. */
  bindingsOf(path: string, name: string): readonly Binding[] | null;
  /** Outermost first. */
  enclosing(path: string, line: number): readonly Definition[];
  referencesTo(name: string): readonly Reference[];
  usesIn(path: string): readonly Reference[];
  /** The lines of a file that use a name, in order: a local declaration is one of them. */
  linesUsing(path: string, name: string): readonly number[];
  /** The names a line uses, each once. */
  namesOn(path: string, line: number): readonly string[];
  importsOf(path: string): readonly Import[];
  /** Files that an import would lead to if this file had it. */
  leadsTo(path: string, specifier: string): readonly string[];
  importersOf(path: string): readonly Import[];
  isTest(path: string): boolean;
}

export function createCodeView(index: CodeIndex): CodeView {
  const files = new Map(
    index.files().map(({ path, language, lines }) => [path, { language, lines }]),
  );
  const membersIn = remember(index.definitionsIn);
  const definitionsIn = remember(path => membersIn(path).filter(({ kind }) => kind !== 'field'));
  const bindingsIn = remember(path => {
    const bindings = index.bindingsIn(path);
    return bindings === null ? null : groupByName(bindings);
  });
  const usesIn = remember(index.usesIn);
  const linesOf = remember(path => linesByName(usesIn(path)));
  const namesOf = remember(path => {
    const names = new Map<number, string[]>();
    for (const { name, line } of usesIn(path)) {
      const known = names.get(line);
      if (known === undefined) names.set(line, [name]);
      else known.push(name);
    }
    return names;
  });
  return {
    has: path => files.has(path),
    paths: [...files.keys()],
    languageOf: path => files.get(path)?.language ?? null,
    linesOf: path => files.get(path)?.lines ?? 0,
    definitionsOf: remember(index.definitionsOf),
    definitionsIn,
    membersIn,
    bindingsOf(path, name) {
      const bindings = bindingsIn(path);
      return bindings === null ? null : (bindings.get(name) ?? []);
    },
    enclosing: (path, line) =>
      definitionsIn(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    referencesTo: remember(index.referencesTo),
    usesIn,
    linesUsing: (path, name) => linesOf(path).get(name) ?? [],
    namesOn: (path, line) => namesOf(path).get(line) ?? [],
    importsOf: index.importsOf,
    leadsTo: index.leadsTo,
    importersOf: index.importersOf,
    isTest: remember(path => kindsOf({ path }).has('test')),
  };
}

function linesByName(uses: readonly Reference[]): ReadonlyMap<string, number[]> {
  return new Map(
    [...groupByName(uses)].map(([name, group]) => [name, group.map(({ line }) => line)]),
  );
}

function groupByName<Named extends { readonly name: string }>(
  all: readonly Named[],
): ReadonlyMap<string, Named[]> {
  const groups = new Map<string, Named[]>();
  for (const one of all) {
    const known = groups.get(one.name);
    if (known === undefined) groups.set(one.name, [one]);
    else known.push(one);
  }
  return groups;
}

/** Those of the product go first. */
export function testsLast(view: CodeView) {
  return (one: { readonly path: string }, other: { readonly path: string }): number =>
    Number(view.isTest(one.path)) - Number(view.isTest(other.path));
}

export function remember<Answer>(ask: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return key => {
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const asked = ask(key);
    known.set(key, asked);
    return asked;
  };
}
