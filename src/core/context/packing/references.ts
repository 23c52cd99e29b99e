/** The names that added lines refer to, by how each stands in its line: no reserved words, nothing declared nearby, each once per file. */
import { kindsOf } from '../../languages/path-kinds.ts';
import type { Vocabulary } from '../../languages/language.ts';
import { vocabularyOf } from '../../languages/languages.ts';
import type { CodeIndex } from '../../ports.ts';
import type { Binding, Definition, Import, Reference } from '../../words/code-index.ts';
import { type ChangedPiece, holds } from './line-range.ts';

export interface SymbolUse {
  readonly name: string;
  readonly path: string;
  /** The first added line that refers to it. */
  readonly line: number;
  readonly language: Vocabulary;
  readonly occurrence: Exclude<Occurrence, { role: 'field' }>;
}

/** `linesOf`: text of the new side of a changed file. */
export function symbolsUsed(
  pieces: readonly ChangedPiece[],
  view: CodeView,
  linesOf: (path: string) => readonly string[],
): SymbolUse[] {
  const uses = new Map<string, SymbolUse>();
  for (const piece of pieces) {
    const language = vocabularyOf(view.languageOf(piece.path));
    if (language === null) continue;
    const lines = linesOf(piece.path);
    const added = new Set(piece.added);
    const decided = new Set<string>();
    for (const { name, line } of view.usesIn(piece.path)) {
      if (!added.has(line) || isIgnored(name, language)) continue;
      const occurrence = chooseOccurrence(
        occurrencesIn(lines[line - 1]?.slice(0, 2_000) ?? '', name, language),
      );
      if (occurrence === null) continue;
      const key = `${piece.path}\0${name}\0${occurrence.role}`;
      // What is declared here, and thus no use, is looked for once and not again on each line that says it.
      if (uses.has(key) || decided.has(key)) continue;
      decided.add(key);
      if (
        !isDeclaredIn(piece, name, {
          view,
          lines,
          language,
          isMember: occurrence.role === 'member',
        })
      )
        uses.set(key, { name, path: piece.path, line, language, occurrence });
    }
  }
  return [...uses.values()].toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : 0,
  );
}

/** One letter is a variable, a type parameter or a loop. */
function isIgnored(name: string, { keywords }: Vocabulary): boolean {
  return name.length < 2 || keywords.has(name) || /^\d/.test(name);
}

/** A bare name says more than a member, and both more than the name of a field. Null: only fields. */
function chooseOccurrence(found: readonly Occurrence[]): SymbolUse['occurrence'] | null {
  for (const one of found) if (one.role === 'bare') return one;
  for (const one of found) if (one.role === 'member') return one;
  return null;
}

interface Place {
  readonly view: CodeView;
  readonly lines: readonly string[];
  readonly language: Vocabulary;
  readonly isMember: boolean;
}

function isDeclaredIn(
  { path, hunk }: ChangedPiece,
  name: string,
  { view, lines, language, isMember }: Place,
): boolean {
  const definitions = view.definitionsIn(path).filter(({ startLine }) => holds(hunk, startLine));
  if (definitions.some(definition => definition.name === name)) return true;
  if (isMember) return false;
  const declaring = view
    .linesUsing(path, name)
    .find(line => holds(hunk, line) && declares(lines[line - 1] ?? '', name));
  if (declaring !== undefined) return !isImportedOn(path, declaring, view);
  return definitions.some(({ startLine, endLine }) =>
    isParameter(
      lines.slice(startLine - 1, headerEnd(lines, startLine, endLine)).join('\n'),
      name,
      language,
    ),
  );
}

/** An import brings a name from elsewhere: that is no declaration of it. */
function isImportedOn(path: string, line: number, view: CodeView): boolean {
  return view
    .importsOf(path)
    .some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/** How a name stands in a line: bare, as a member of something, or as the name of a field that is given a value. */
type Occurrence =
  | { readonly role: 'bare' }
  /** `root`: the name the chain of members starts with; null when it starts with something else than a name. */
  | { readonly role: 'member'; readonly root: string | null; readonly receiver: string | null }
  | { readonly role: 'field' };

const wordCharacter = /[\p{L}\p{N}_$]/u;

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
  const access = /(?:\?\.|!\.|\.|->|::)\s*$/.exec(before.slice(-40));
  if (access !== null && !before.endsWith('...'))
    return { role: 'member', ...receiverOf(before.slice(0, before.length - access[0].length)) };
  return isField(before, behind, language) ? { role: 'field' } : { role: 'bare' };
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
function receiverOf(text: string): {
  readonly root: string | null;
  readonly receiver: string | null;
} {
  let receiver: string | null = null;
  for (let end = text.length; ;) {
    end = skipGroups(text, end);
    const name = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(text.slice(Math.max(0, end - 200), end))?.[0];
    if (name === undefined) return { root: null, receiver };
    receiver ??= name;
    const before = text.slice(0, end - name.length);
    const access = /(?:\?\.|!\.|\.|->|::)\s*$/.exec(before.slice(-40));
    if (access === null || before.endsWith('...')) return { root: name, receiver };
    end = before.length - access[0].length;
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

// Whether a line declares a name: the shapes that languages give to variables, loops, parameters and handlers.

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** A local declaration on this line. Parameters of named functions are `isParameter`. */
export function declares(line: string, name: string): boolean {
  const text = line.slice(0, longestLine);
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const [before, behind] = [text.slice(0, at), text.slice(at + name.length)];
    if (
      wordCharacter.test(before.at(-1) ?? '') ||
      wordCharacter.test(behind[0] ?? '') ||
      /(?:^|[^.])\.\s*$/.test(before.slice(-10))
    )
      continue;
    if (
      isAssigned(before, behind) ||
      isIntroduced(before) ||
      isLooped(before, behind) ||
      isBound(before, behind)
    )
      return true;
  }
  return false;
}

/** `x = …`, `x := …`, `Type x = …`, `const { a, x } = …`, `for k, x := range …` */
function isAssigned(before: string, behind: string): boolean {
  return (
    !/[=()"'`.]/.test(before) && /^[^=()"'`]{0,80}(?::=|(?<![=!<>+*/%&|^-])=(?![=>~]))/.test(behind)
  );
}

/** `let x`, `global x`; `catch (x`, `except E as x`, `Some(x` */
function isIntroduced(before: string): boolean {
  return (
    /\b(?:let|const|var|val|auto|final|static|global|nonlocal)\s+[^=;()]{0,200}$/.test(before) ||
    /\b(?:with|except|import|from)\b.{0,300}\bas\s+\(?[\w, ]{0,60}$/.test(before) ||
    /\bcatch\s*\(\s*(?:[\w.|$\\ ]{1,80}\s)?$/.test(before) ||
    /\brescue\b.{0,100}=>\s*$/.test(before) ||
    /\b(?:Some|Ok|Err)\(\s*(?:mut\s|ref\s)?$/.test(before)
  );
}

function isLooped(before: string, behind: string): boolean {
  return (
    /\bfor\b\s*(?:await\s*)?\(?[^;=]{0,100}$/.test(before) &&
    /^[^;=]{0,60}(?:\s(?:in|of)\s|:)/.test(behind)
  );
}

/** Parameters of functions without a name: `x => …`, `lambda x: …`, `|x| …`, `function (x` */
function isBound(before: string, behind: string): boolean {
  if (
    behind.includes('=>') &&
    /(?:^\s*|[{[,(=]\s*|\([^()]{0,300}[\s,({[])$/.test(before) &&
    /^[^()=]{0,300}\)?\s*(?::[^=]{0,100})?=>/.test(behind)
  )
    return true;
  if (/\blambda\b[^:]{0,200}$/.test(before) && behind.includes(':')) return true;
  if (/(?:\bdo|\bmove|[{(,=])\s*\|[^|]{0,200}$/.test(before) && /^[^|]{0,200}\|/.test(behind))
    return true;
  return /\bfunc(?:tion)?\b\s*\((?:[^(){]{0,300},)?\s*$/.test(before);
}

/** Is the name a parameter in the first lines of a function? `header`: from its first line to where its body starts. */
export function isParameter(header: string, name: string, { parameters }: Vocabulary): boolean {
  const text = header.slice(0, 2_000);
  const open = text.indexOf('(');
  if (open === -1 || !text.includes(name)) return false;
  const word = escape(name);
  const forms = {
    'name-first': `[(,{\\[|]\\s*(?:(?:\\.\\.\\.|\\*{1,2}|&|\\$|mut\\s|public\\s|private\\s|protected\\s|readonly\\s|override\\s|final\\s|val\\s|var\\s|@[\\w.]+(?:\\([^()]*\\))?\\s*)*)${word}\\s*(?:\\?|!)?\\s*[:,)=}\\]|]`,
    'type-first': `(?:[\\w>\\]?]\\s+|[\\w>\\]]?[*&$]+\\s*|\\.\\.\\.\\s*|[(,]\\s*)${word}\\s*(?:\\[\\s*\\]\\s*)?[,)=]`,
    go: `[(,]\\s*${word}(?:\\s+[\\w*\\[.(&<{]|\\s*,)`,
  } as const;
  return new RegExp(forms[parameters], 'u').test(text.slice(open));
}

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

function escape(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
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
  importsOf(path: string): readonly Import[];
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
    importsOf: index.importsOf,
    importersOf: index.importersOf,
    isTest: remember(path => kindsOf({ path, changedLines: [] }).has('test')),
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

function remember<Answer>(ask: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return key => {
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const asked = ask(key);
    known.set(key, asked);
    return asked;
  };
}
