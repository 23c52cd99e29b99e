/**
 * Names that a change takes away or gives another signature: found where they stood before, with the uses that are left of
 * them. What breaks by a deletion stands on no changed line.
 */
import { numberedLines } from '../change/patch.ts';
import { groupsBy } from '../groups.ts';
import type { ChangedFile } from '../words/change.ts';
import type { Definition, DefinitionKind } from '../words/code-index.ts';
import { type LinesOf, overlaps, piecesOf, toRuns } from './packing/line-range.ts';
import { type CodeView, headerEnd, makesObject, splitUses } from './packing/code-view.ts';

export interface Place {
  readonly path: string;
  readonly line: number;
}

/** With where it stood on the old side. */
export interface ChangedName extends Place {
  readonly name: string;
  readonly kind: DefinitionKind;
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
  readonly linesOf: LinesOf;
}

interface NewSide {
  readonly view: CodeView;
  /** Of changed files. Secrets taken out. */
  readonly linesOf: LinesOf;
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
export function hasOldSide({ status, content, deletions }: ChangedFile) {
  return content === 'text' && deletions > 0 && status !== 'added' && status !== 'copied';
}

interface Sides extends NewSide {
  /** Lines that the change wrote, by path. */
  readonly added: ReadonlyMap<string, ReadonlySet<number>>;
}

function namesOf(file: ChangedFile, old: OldSide, sides: Sides) {
  const path = file.oldPath ?? file.path;
  const lines = old.linesOf(path);
  const before = old.definitionsIn(path).filter(isNameable);
  const after = file.status === 'deleted' ? [] : sides.view.membersIn(file.path).filter(isNameable);
  const gone = toRuns(
    file.hunks.flatMap(numberedLines).flatMap(({ mark, old }) => (mark === '-' ? old : [])),
  );
  const found = before.flatMap(definition => {
    const { startLine: start, endLine } = definition;
    const header = { start, end: headerEnd(lines, start, endLine) };
    if (!gone.some(range => overlaps(range, header))) return [];
    return compare(definition, { file, lines, before, after, sides }) ?? [];
  });
  return groupsBy(found, ({ name, change }) => `${name}\0${change}`).map(([first]) => first);
}

function isNameable({ kind, name }: Definition) {
  return kind !== 'test' && kind !== 'module' && name.length > 1;
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
  const { name, kind, startLine: line } = definition;
  const owner = ownerOf(definition, before);
  const isLike = (all: readonly Definition[]) => (other: Definition) =>
    other.name === name && ownerOf(other, all)?.name === owner?.name;
  const namesakes = after.filter(other => other.name === name);
  const same = after.filter(isLike(after));
  const successors = same.length > 0 ? same : namesakes;
  const told = {
    kind,
    path: file.oldPath ?? file.path,
    line,
    before: signatureOf(definition, lines),
  };
  // Nobody outside of its file can name what stands in a function.
  const isOwnOnly = owner !== null && isCallable(owner.kind);
  if (successors.length === 0)
    return whereLeft(
      { name, ...told, change: 'removed', after: null, ...usersOf(name, isOwnOnly, compared) },
      compared,
    );
  // Of several that are called so, none of which has the same owner, nobody knows which one it has become.
  const isOneOfMany =
    same.length === 0 &&
    (namesakes.length > 1 || before.filter(other => other.name === name).length > 1);
  if (isOneOfMany || !isCallable(kind) || !successors.some(other => isCallable(other.kind)))
    return null;
  const now = successors.map(other => signatureOf(other, sides.linesOf(file.path)));
  const next = now[before.filter(isLike(before)).indexOf(definition)] ?? now[0];
  if (next === undefined || now.includes(told.before)) return null;
  // A class is called by its own name, whatever its constructor is called.
  const called = owner !== null && makesObject.test(name) ? owner.name : name;
  const { users } = usersOf(called, isOwnOnly, compared);
  return { name: called, ...told, change: 'signature', after: next, users, imports: [] };
}

/** Null when it only moved and nobody is left who looks for it at the old place. */
function whereLeft(gone: ChangedName, { file, sides }: Compared) {
  const { view, added } = sides;
  const movedTo = view
    .definitionsOf(gone.name)
    .filter(other => isNameable(other) && added.get(other.path)?.has(other.startLine) === true)
    .map(({ path }) => path);
  if (movedTo.length === 0) return gone;
  const looksThere = (path: string) =>
    view.importsOf(path).some(({ targets }) => targets.some(target => movedTo.includes(target)));
  const stranded = looksThere(file.path)
    ? []
    : gone.users.filter(({ path }) => path !== file.path && !looksThere(path));
  return stranded.length === 0 ? null : { ...gone, users: stranded, imports: [] };
}

function isCallable(kind: DefinitionKind) {
  return kind === 'function' || kind === 'method' || kind === 'macro';
}

/** The definition right around another one. */
function ownerOf({ startLine, endLine, name }: Definition, all: readonly Definition[]) {
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

function usersOf(
  name: string,
  isOwnOnly: boolean,
  { file: { path, oldPath }, sides: { view, added } }: Compared,
) {
  const { uses, imports } = splitUses({ name, paths: [path, oldPath ?? path], isOwnOnly }, view);
  const placesOf = (all: typeof uses) =>
    all
      .filter(use => added.get(use.path)?.has(use.line) !== true)
      .slice(0, mostUsers)
      .map(use => ({ path: use.path, line: use.line }));
  return { users: placesOf(uses), imports: placesOf(imports) };
}

const longestSignature = 300;

/** From its first line to where its body starts, on one line. */
export function signatureOf({ path, startLine, endLine }: Definition, lines: readonly string[]) {
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
function bodyStart(header: string, isPython: boolean) {
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
