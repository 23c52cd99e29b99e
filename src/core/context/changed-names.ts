/**
 * Names that a change takes away or gives another signature: found where they stood before, with the uses that are left of
 * them. What breaks by a deletion stands on no changed line.
 */
import type { ChangedFile } from '../words/change.ts';
import type { Definition, DefinitionKind } from '../words/code-index.ts';
import { type LineRange, overlaps, piecesOf, toRuns } from './packing/line-range.ts';
import { type CodeView, headerEnd } from './packing/code-view.ts';
import { splitUses } from './packing/uses-of.ts';

export interface Place {
  readonly path: string;
  readonly line: number;
}

export interface ChangedName {
  readonly name: string;
  readonly kind: DefinitionKind;
  /** Where it stood: path and line (1-based) of the old side. */
  readonly path: string;
  readonly line: number;
  readonly change: 'removed' | 'signature';
  /** Signature before, on one line, secrets taken out. */
  readonly before: string;
  /** Null for what was removed. */
  readonly after: string | null;
  /** Uses in the new tree on lines that the change did not write; calls first, then by path and line. */
  readonly users: readonly Place[];
  /** Lines that import what is removed in files that use it; where nothing else does they are `users`. */
  readonly imports: readonly Place[];
}

/** The changed files as they were, by the paths they had. */
interface OldSide {
  readonly definitionsIn: (path: string) => readonly Definition[];
  /** Secrets taken out. */
  readonly linesOf: (path: string) => readonly string[];
}

interface NewSide {
  readonly view: CodeView;
  /** Of changed files. Secrets taken out. */
  readonly linesOf: (path: string) => readonly string[];
}

/** More names than these are a rewrite: whoever reads it knows that everything has changed. */
const mostNames = 200;
const mostUsers = 400;

/** In the order of the change. */
export function findChangedNames(
  files: readonly ChangedFile[],
  old: OldSide,
  now: NewSide,
): ChangedName[] {
  const added = new Map(
    files.map(file => [file.path, new Set(piecesOf(file).flatMap(piece => piece.added))]),
  );
  return files
    .filter(hasOldSide)
    .flatMap(file => namesOf(file, old, { ...now, added }))
    .slice(0, mostNames);
}

/** Only where lines were taken away can a name be gone. */
export function hasOldSide({ status, content, deletions }: ChangedFile): boolean {
  return content === 'text' && deletions > 0 && status !== 'added' && status !== 'copied';
}

interface Sides extends NewSide {
  /** Lines that the change wrote, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<number>>;
}

function namesOf(file: ChangedFile, old: OldSide, sides: Sides): ChangedName[] {
  const path = file.oldPath ?? file.path;
  const lines = old.linesOf(path);
  const before = old.definitionsIn(path).filter(isNameable);
  const after = file.status === 'deleted' ? [] : sides.view.membersIn(file.path).filter(isNameable);
  const gone = removedRanges(file);
  const seen = new Set<string>();
  return before.flatMap(definition => {
    const header = {
      start: definition.startLine,
      end: headerEnd(lines, definition.startLine, definition.endLine),
    };
    if (!gone.some(range => overlaps(range, header))) return [];
    const found = compare(definition, { file, lines, before, after, sides });
    const key = found === null ? '' : `${found.name}\0${found.change}`;
    if (found === null || seen.has(key)) return [];
    seen.add(key);
    return [found];
  });
}

function isNameable({ kind, name }: Definition): boolean {
  return kind !== 'test' && kind !== 'module' && name.length > 1;
}

/** Lines of the old side that the change takes away. */
function removedRanges({ hunks }: Pick<ChangedFile, 'hunks'>): LineRange[] {
  const removed: number[] = [];
  for (const { oldStart, lines } of hunks) {
    let line = oldStart;
    for (const text of lines) {
      if (text.startsWith('-')) removed.push(line);
      if (!text.startsWith('+') && !text.startsWith('\\')) line += 1;
    }
  }
  return toRuns(removed);
}

interface Compared {
  readonly file: ChangedFile;
  /** Of the old side. */
  readonly lines: readonly string[];
  readonly before: readonly Definition[];
  readonly after: readonly Definition[];
  readonly sides: Sides;
}

function compare(definition: Definition, compared: Compared): ChangedName | null {
  const { file, lines, before, after, sides } = compared;
  const { name, kind, startLine } = definition;
  const owner = ownerOf(definition, before);
  const namesakes = after.filter(other => other.name === name);
  const same = namesakes.filter(other => ownerOf(other, after)?.name === owner?.name);
  const successors = same.length > 0 ? same : namesakes;
  const told = { kind, path: file.oldPath ?? file.path, line: startLine };
  const signature = signatureOf(definition, lines);
  if (successors.length === 0) return removed(definition, { ...told, before: signature }, compared);
  // Of several that are called so, none of which has the same owner, nobody knows which one it has become.
  if (
    same.length === 0 &&
    (namesakes.length > 1 || before.filter(other => other.name === name).length > 1)
  )
    return null;
  if (!isCallable(kind) || (isCallable(kind) && !successors.some(other => isCallable(other.kind))))
    return null;
  const now = successors.map(other => signatureOf(other, sides.linesOf(file.path)));
  const ordinal = before
    .filter(other => other.name === name && ownerOf(other, before)?.name === owner?.name)
    .indexOf(definition);
  const next = now[ordinal] ?? now[0];
  if (next === undefined || now.includes(signature)) return null;
  // A class is called by its own name, whatever its constructor is called.
  const called =
    owner !== null && /^(?:constructor|__init__|__new__|initialize|__construct)$/.test(name)
      ? owner.name
      : name;
  return {
    name: called,
    ...told,
    change: 'signature',
    before: signature,
    after: next,
    ...usersOf(called, isLocal(definition, before), compared),
    imports: [],
  };
}

/** Null when it only moved and nobody is left who looks for it at the old place. */
function removed(
  definition: Definition,
  told: Pick<ChangedName, 'kind' | 'path' | 'line' | 'before'>,
  compared: Compared,
): ChangedName | null {
  const { name } = definition;
  const { file, before, sides } = compared;
  const movedTo = sides.view
    .definitionsOf(name)
    .filter(
      other => isNameable(other) && sides.added.get(other.path)?.has(other.startLine) === true,
    )
    .map(({ path }) => path);
  const found = usersOf(name, isLocal(definition, before), compared);
  const gone: ChangedName = { name, ...told, change: 'removed', after: null, ...found };
  if (movedTo.length === 0) return gone;
  const isPassedOn = sides.view
    .importsOf(file.path)
    .some(({ targets }) => targets.some(target => movedTo.includes(target)));
  const stranded = isPassedOn
    ? []
    : found.users.filter(
        ({ path }) =>
          path !== file.path &&
          !sides.view
            .importsOf(path)
            .some(({ targets }) => targets.some(target => movedTo.includes(target))),
      );
  return stranded.length === 0 ? null : { ...gone, users: stranded, imports: [] };
}

function isCallable(kind: DefinitionKind): boolean {
  return kind === 'function' || kind === 'method' || kind === 'macro';
}

/** The definition right around another one. */
function ownerOf(
  { startLine, endLine, name }: Definition,
  all: readonly Definition[],
): Definition | null {
  return (
    all.findLast(
      other =>
        other.startLine <= startLine &&
        endLine <= other.endLine &&
        (other.startLine < startLine || endLine < other.endLine) &&
        other.name !== name,
    ) ?? null
  );
}

/** Nobody outside of its file can name it. */
function isLocal(definition: Definition, all: readonly Definition[]): boolean {
  const owner = ownerOf(definition, all);
  return owner !== null && isCallable(owner.kind);
}

function usersOf(
  name: string,
  isOwnOnly: boolean,
  { file, sides: { view, added } }: Compared,
): Pick<ChangedName, 'users' | 'imports'> {
  const { path } = file;
  const { uses, imports } = splitUses(
    { name, paths: [path, file.oldPath ?? path], isOwnOnly },
    view,
  );
  const placesOf = (all: typeof uses): ChangedName['users'] =>
    all
      .filter(use => added.get(use.path)?.has(use.line) !== true)
      .slice(0, mostUsers)
      .map(use => ({ path: use.path, line: use.line }));
  return { users: placesOf(uses), imports: placesOf(imports) };
}

const longestSignature = 300;

/** From its first line to where its body starts, on one line. */
export function signatureOf(
  { path, startLine, endLine }: Pick<Definition, 'path' | 'startLine' | 'endLine'>,
  lines: readonly string[],
): string {
  const header = lines
    .slice(startLine - 1, headerEnd(lines, startLine, endLine))
    .filter(line => !/^\s*(?:@|#\[)/.test(line))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return header
    .slice(0, bodyStart(header, path.endsWith('.py')))
    .trim()
    .slice(0, longestSignature);
}

/** Where the body starts: a brace, an arrow, an equals sign behind the parameters; in Python the colon. */
function bodyStart(header: string, isPython: boolean): number {
  let depth = 0;
  let hasParameters = false;
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at] ?? '';
    if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') {
      depth -= 1;
      hasParameters = true;
    } else if (depth > 0) continue;
    else if (character === '{' || header.startsWith('=>', at)) return at;
    else if (hasParameters && (isPython ? character === ':' : header.startsWith('= ', at)))
      return at;
  }
  return header.length;
}
