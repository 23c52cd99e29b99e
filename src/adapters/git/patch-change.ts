/** A patch as a change: files named once, and their ids looked up where a repository is at hand. */
import { createHash } from 'node:crypto';
import type { ChangedFile, Hunk } from '../../core/words/change.ts';
import { UserError } from '../../core/errors.ts';
import { decodeName, readHunks } from './text-diff.ts';
import { noticeLink } from './notices.ts';
import { completeIds, type OpenedGit } from './object-reader.ts';
import type { Session } from './session.ts';
import { showName } from './revision.ts';
import { applyHunks, wholeText } from './read-text.ts';

interface PatchChange {
  readonly files: ChangedFile[];
  readonly warnings: string[];
}

/** Throws `UserError` for a damaged patch and for a combined one. */
export async function readPatch(session: Session, text: string): Promise<PatchChange> {
  const { files, repeated } = mergeByPath(parsePatch(text));
  const links = files
    .filter(file => file.content === 'symlink' && file.newMode === '120000')
    .map(file => noticeLink(file.path, targetOf(file)));
  return {
    files: (await checkIds(session, files)).map(file => limit(file, session.maxFileBytes)),
    warnings: [
      ...links,
      ...repeated.map(
        path => `${showName(path)} is changed several times; line numbers are those of each step.`,
      ),
    ],
  };
}

/** Several commits in one patch touch the same file more than once; a type change is a deletion and an addition. */
function mergeByPath(parsed: readonly ChangedFile[]): {
  readonly files: ChangedFile[];
  readonly repeated: string[];
} {
  const files = new Map<string, ChangedFile>();
  const repeated = new Set<string>();
  for (const file of parsed) {
    const earlier = files.get(file.path);
    if (earlier === undefined) files.set(file.path, file);
    else if (earlier.status === 'deleted' && file.status === 'added')
      files.set(file.path, {
        ...file,
        status: 'type-changed',
        oldMode: earlier.oldMode,
        oldId: earlier.oldId,
      });
    else {
      files.set(file.path, join(earlier, file));
      repeated.add(file.path);
    }
  }
  return { files: [...files.values()], repeated: [...repeated] };
}

function join(earlier: ChangedFile, later: ChangedFile): ChangedFile {
  const status =
    earlier.status === 'added' && later.status !== 'deleted'
      ? 'added'
      : later.status === 'deleted'
        ? 'deleted'
        : earlier.status;
  const content = earlier.content === 'text' ? later.content : earlier.content;
  const hunks = [...earlier.hunks, ...later.hunks];
  const counts = {
    additions: earlier.additions + later.additions,
    deletions: earlier.deletions + later.deletions,
  };
  return {
    ...later,
    oldPath: earlier.oldPath ?? later.oldPath,
    status,
    oldMode: earlier.oldMode,
    oldId: earlier.oldId,
    content,
    ...counts,
    hunks,
  };
}

/**
 * A patch may name any object of the repository it is read in, and so bring a private file before the reviewers. An old
 * side is believed only when the patch's own hunks fit it, a new side only when it is what they make of the old one.
 */
async function checkIds(session: Session, files: readonly ChangedFile[]): Promise<ChangedFile[]> {
  const git = session.folder === null ? null : await session.open().catch(ignoreRefusal);
  if (git === null)
    return files.map(file => ({
      ...file,
      oldId: fullOrZero(file.oldId),
      newId: fullOrZero(file.newId),
    }));

  const named = files.map(file => file.oldId).filter(id => id.length >= 7 && !/^0+$/.test(id));
  const ids = await completeIds(git.shadow, [...new Set(named)]);
  return Promise.all(
    files.map(async file => {
      if (file.content === 'submodule') return file;
      const oldId = ids.get(file.oldId) ?? zero;
      const newText =
        file.oldMode === '000000'
          ? wholeText(file.hunks, '+')
          : await patched(git, oldId, file, session.maxFileBytes);
      const newId = newText === null ? zero : blobId(git.shadow.format.algorithm, newText);
      const isBelieved = newText !== null && file.content === 'text';
      return {
        ...file,
        oldId: isBelieved ? oldId : zero,
        newId:
          isBelieved && file.newMode !== '000000' && newId.startsWith(file.newId) ? newId : zero,
      };
    }),
  );
}

async function patched(
  { objects }: OpenedGit,
  oldId: string,
  { hunks }: ChangedFile,
  maxBytes: number,
): Promise<string | null> {
  const old = oldId === zero || hunks.length === 0 ? null : await objects.read(oldId, maxBytes);
  return old?.bytes ? applyHunks(old.bytes.toString('utf8'), hunks) : null;
}

function blobId(algorithm: string, text: string): string {
  return createHash(algorithm)
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

/** A patch can be read beside a repository that cannot. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}

const zero = '0'.repeat(40);

function fullOrZero(id: string): string {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : zero;
}

function limit(file: ChangedFile, maxFileBytes: number): ChangedFile {
  const length = file.hunks.reduce(
    (sum, hunk) => sum + hunk.lines.reduce((bytes, line) => bytes + line.length, 0),
    0,
  );
  return length > maxFileBytes
    ? { ...file, content: 'too-large', additions: 0, deletions: 0, hunks: [] }
    : file;
}

function targetOf({ hunks }: ChangedFile): string {
  return (
    hunks
      .flatMap(hunk => hunk.lines)
      .find(line => line.startsWith('+'))
      ?.slice(1) ?? 'an unknown place'
  );
}

// File names of a patch: C quoting undone, the `a/` and `b/` of git taken off, time stamps behind a tab ignored.

const nowhere = '/dev/null';

interface PatchNames {
  /** Null stands for `/dev/null`. */
  readonly oldName: string | null;
  readonly newName: string | null;
}

/** From the lines behind `--- ` and `+++ `. Prefixes come off only when both sides carry one. */
function namesOfSides(oldLine: string, newLine: string): PatchNames {
  const [oldName, newName] = [readName(oldLine), readName(newLine)];
  const prefixed =
    (oldName === nowhere || /^[aciow]\//.test(oldName)) &&
    (newName === nowhere || /^[bciow]\//.test(newName));
  const clean = (name: string): string | null =>
    name === nowhere ? null : prefixed ? name.slice(2) : name;
  return { oldName: clean(oldName), newName: clean(newName) };
}

/**
 * From the rest of a `diff --git ` line, which names the same file twice when no other line names it. Null when the two
 * halves differ: then nobody can tell where the first name ends.
 */
function namesOfHeader(rest: string): PatchNames | null {
  if (rest.startsWith('"')) {
    const end = closingQuote(rest);
    return end === -1 ? null : samePair(rest.slice(0, end + 1), rest.slice(end + 2));
  }
  const middle = (rest.length - 1) / 2;
  return rest[middle] === ' ' ? samePair(rest.slice(0, middle), rest.slice(middle + 1)) : null;
}

/** A name as it stands behind `rename from ` and the like: quoted when needed, never prefixed. */
function readName(text: string): string {
  if (text.startsWith('"')) return unquote(text.slice(1, closingQuote(text)));
  const tab = text.indexOf('\t');
  return tab === -1 ? text : text.slice(0, tab);
}

function samePair(one: string, other: string): PatchNames | null {
  const names = namesOfSides(one, other);
  return names.oldName !== null && names.oldName === names.newName ? names : null;
}

function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

function unquote(text: string): string {
  const bytes: Buffer[] = [];
  for (const [, octal, escape, plain] of text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (escape !== undefined)
      bytes.push(Buffer.from([escapes[escape] ?? escape.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain ?? ''));
  }
  return decodeName(Buffer.concat(bytes));
}

// Reads the text of a patch without any repository: git's own format, mails that carry it, and plain unified diffs. Linear.

/** Ids are as the patch gives them, possibly abbreviated; zeros where it gives none. */
export function parsePatch(text: string): ChangedFile[] {
  const lines = splitLines(text);
  const files: ChangedFile[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    if (/^diff --(?:cc|combined) /.test(line)) throw combined();
    if (line.startsWith('@@ ') && /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line))
      throw new UserError(`Line ${at + 1} of the patch starts a hunk that belongs to no file.`, {
        kind: 'input',
      });
    if (line.startsWith('@@@ ')) throw combined();
    const block = line.startsWith('diff --git ')
      ? readGitHeader(lines, at)
      : readPlainHeader(lines, at);
    if (block === null) {
      at++;
      continue;
    }
    const { file, next } = readFile(lines, block);
    files.push(file);
    at = next;
  }
  return files;
}

interface Header extends PatchNames {
  readonly fields: ReadonlyMap<string, string>;
  readonly binary: boolean;
  /** Index of the first line behind the header. */
  readonly next: number;
}

const fieldNames = [
  'old mode ',
  'new mode ',
  'deleted file mode ',
  'new file mode ',
  'copy from ',
  'copy to ',
  'rename from ',
  'rename to ',
  'similarity index ',
  'dissimilarity index ',
  'index ',
];

function readGitHeader(lines: readonly string[], start: number): Header {
  const fields = new Map<string, string>();
  let next = start + 1;
  for (; next < lines.length; next++) {
    const name = fieldNames.find(field => lines[next]?.startsWith(field) === true);
    if (name === undefined) break;
    fields.set(name.trim(), lines[next]?.slice(name.length) ?? '');
  }
  const sides = readSides(lines, next);
  const binary =
    lines[next] === 'GIT binary patch' || lines[next]?.startsWith('Binary files ') === true;
  const names =
    movedNames(fields) ?? sides ?? namesOfHeader((lines[start] ?? '').slice('diff --git '.length));
  if (names === null)
    throw new UserError(`Line ${start + 1} of the patch does not tell which file it is about.`, {
      kind: 'input',
    });
  return { ...names, fields, binary, next: sides === null ? next : next + 2 };
}

/** `--- ` and `+++ ` alone are a header only when a hunk follows: prose may hold dashes. */
function readPlainHeader(lines: readonly string[], start: number): Header | null {
  const sides = lines[start + 2]?.startsWith('@@ -') === true ? readSides(lines, start) : null;
  return sides === null ? null : { ...sides, fields: new Map(), binary: false, next: start + 2 };
}

function readSides(lines: readonly string[], at: number): PatchNames | null {
  const [oldLine, newLine] = [lines[at], lines[at + 1]];
  return oldLine?.startsWith('--- ') === true && newLine?.startsWith('+++ ') === true
    ? namesOfSides(oldLine.slice(4), newLine.slice(4))
    : null;
}

function movedNames(fields: ReadonlyMap<string, string>): PatchNames | null {
  const from = fields.get('rename from') ?? fields.get('copy from');
  const to = fields.get('rename to') ?? fields.get('copy to');
  return from === undefined || to === undefined
    ? null
    : { oldName: readName(from), newName: readName(to) };
}

function readFile(
  lines: readonly string[],
  header: Header,
): { readonly file: ChangedFile; readonly next: number } {
  const { hunks, additions, deletions, next, complete } = readHunks(lines, header.next);
  const path = header.newName ?? header.oldName;
  if (path === null || path === '')
    throw new UserError(`Line ${header.next} of the patch names no file.`, { kind: 'input' });
  if (!complete)
    throw new UserError(
      `The patch is damaged: a hunk of ${showName(path)} ends too early, at line ${next + 1}.`,
      { kind: 'input' },
    );
  const status = statusOf(header, hunks);
  const [oldMode, newMode] = modesOf(header, status);
  const [oldId, newId] = idsOf(header, hunks, oldMode, newMode);
  const content = contentOf(header, newMode === '000000' ? oldMode : newMode, hunks);
  const oldPath = status === 'renamed' || status === 'copied' ? header.oldName : null;
  const shown =
    content === 'text' || content === 'symlink'
      ? { additions, deletions, hunks }
      : { additions: 0, deletions: 0, hunks: [] };
  return {
    file: { path, oldPath, status, oldMode, newMode, oldId, newId, content, ...shown },
    next,
  };
}

function statusOf(
  { fields, oldName, newName }: Header,
  hunks: readonly Hunk[],
): ChangedFile['status'] {
  if (fields.has('new file mode') || oldName === null) return 'added';
  if (fields.has('deleted file mode') || newName === null) return 'deleted';
  if (fields.has('copy from')) return 'copied';
  if (fields.has('rename from')) return 'renamed';
  return fields.has('new mode') && hunks.length === 0 && !fields.has('index')
    ? 'mode-changed'
    : 'modified';
}

function modesOf({ fields }: Header, status: ChangedFile['status']): [string, string] {
  const common = / (\d{6})$/.exec(fields.get('index') ?? '')?.[1] ?? '100644';
  const old = fields.get('old mode') ?? fields.get('deleted file mode') ?? common;
  const now = fields.get('new mode') ?? fields.get('new file mode') ?? common;
  return [
    status === 'added' ? '000000' : checkMode(old),
    status === 'deleted' ? '000000' : checkMode(now),
  ];
}

function checkMode(mode: string): string {
  return /^(?:100644|100755|120000|160000)$/.test(mode) ? mode : '100644';
}

function idsOf(
  { fields }: Header,
  hunks: readonly Hunk[],
  oldMode: string,
  newMode: string,
): [string, string] {
  const index = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})/.exec(fields.get('index') ?? '');
  const find = (mode: string, id: string | undefined, sign: string): string => {
    if (mode === '000000') return zero;
    const commit =
      mode === '160000'
        ? hunks
            .flatMap(hunk => hunk.lines)
            .find(line => line.startsWith(`${sign}Subproject commit `))
        : undefined;
    return commit?.slice(19).replace(/[^0-9a-f].*$/s, '') ?? id ?? zero;
  };
  return [find(oldMode, index?.[1], '-'), find(newMode, index?.[2], '+')];
}

function contentOf(
  { binary }: Header,
  mode: string,
  hunks: readonly Hunk[],
): ChangedFile['content'] {
  if (mode === '160000') return 'submodule';
  if (mode === '120000') return 'symlink';
  return binary || hunks.some(hunk => hunk.lines.some(line => line.includes('\0')))
    ? 'binary'
    : 'text';
}

/** Mailers and editors turn every line end of a patch into CR LF; then the headers carry it too. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const header = lines.find(line => line.startsWith('+++ ') || line.startsWith('diff --git '));
  return header?.endsWith('\r') === true
    ? lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
    : lines;
}

function combined(): UserError {
  return new UserError('The patch is a combined diff of a merge, which has no single old side.', {
    kind: 'input',
    hint: 'Make one against the first parent: git diff MERGE^1 MERGE.',
  });
}
