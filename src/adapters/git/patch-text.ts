/** Reads the text of a patch without any repository: git's own format, mails that carry it, and plain unified diffs. Linear. */
import type { ChangedFile, Hunk } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { readHunks } from './hunks.ts';
import { namesOfHeader, namesOfSides, type PatchNames, readName } from './patch-names.ts';
import { showName } from './show-name.ts';

/** Ids are as the patch gives them, possibly abbreviated; zeros where it gives none. */
export function parsePatch(text: string): ChangedFile[] {
  const lines = splitLines(text);
  const files: ChangedFile[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    if (/^diff --(?:cc|combined) /.test(line)) throw combined();
    if (line.startsWith('@@ ') && /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line)) throw new UserError(`Line ${at + 1} of the patch starts a hunk that belongs to no file.`, { kind: 'input' });
    if (line.startsWith('@@@ ')) throw combined();
    const block = line.startsWith('diff --git ') ? readGitHeader(lines, at) : readPlainHeader(lines, at);
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
  'old mode ', 'new mode ', 'deleted file mode ', 'new file mode ', 'copy from ', 'copy to ', 'rename from ', 'rename to ', 'similarity index ', 'dissimilarity index ', 'index ',
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
  const binary = lines[next] === 'GIT binary patch' || lines[next]?.startsWith('Binary files ') === true;
  const names = movedNames(fields) ?? sides ?? namesOfHeader((lines[start] ?? '').slice('diff --git '.length));
  if (names === null) throw new UserError(`Line ${start + 1} of the patch does not tell which file it is about.`, { kind: 'input' });
  return { ...names, fields, binary, next: sides === null ? next : next + 2 };
}

/** `--- ` and `+++ ` alone are a header only when a hunk follows: prose may hold dashes. */
function readPlainHeader(lines: readonly string[], start: number): Header | null {
  const sides = lines[start + 2]?.startsWith('@@ -') === true ? readSides(lines, start) : null;
  return sides === null ? null : { ...sides, fields: new Map(), binary: false, next: start + 2 };
}

function readSides(lines: readonly string[], at: number): PatchNames | null {
  const [oldLine, newLine] = [lines[at], lines[at + 1]];
  return oldLine?.startsWith('--- ') === true && newLine?.startsWith('+++ ') === true ? namesOfSides(oldLine.slice(4), newLine.slice(4)) : null;
}

function movedNames(fields: ReadonlyMap<string, string>): PatchNames | null {
  const from = fields.get('rename from') ?? fields.get('copy from');
  const to = fields.get('rename to') ?? fields.get('copy to');
  return from === undefined || to === undefined ? null : { oldName: readName(from), newName: readName(to) };
}

function readFile(lines: readonly string[], header: Header): { readonly file: ChangedFile; readonly next: number } {
  const { hunks, additions, deletions, next, complete } = readHunks(lines, header.next);
  const path = header.newName ?? header.oldName;
  if (path === null || path === '') throw new UserError(`Line ${header.next} of the patch names no file.`, { kind: 'input' });
  if (!complete) throw new UserError(`The patch is damaged: a hunk of ${showName(path)} ends too early, at line ${next + 1}.`, { kind: 'input' });
  const status = statusOf(header, hunks);
  const [oldMode, newMode] = modesOf(header, status);
  const [oldId, newId] = idsOf(header, hunks, oldMode, newMode);
  const content = contentOf(header, newMode === '000000' ? oldMode : newMode, hunks);
  const oldPath = status === 'renamed' || status === 'copied' ? header.oldName : null;
  const shown = content === 'text' || content === 'symlink' ? { additions, deletions, hunks } : { additions: 0, deletions: 0, hunks: [] };
  return { file: { path, oldPath, status, oldMode, newMode, oldId, newId, content, ...shown }, next };
}

function statusOf({ fields, oldName, newName }: Header, hunks: readonly Hunk[]): ChangedFile['status'] {
  if (fields.has('new file mode') || oldName === null) return 'added';
  if (fields.has('deleted file mode') || newName === null) return 'deleted';
  if (fields.has('copy from')) return 'copied';
  if (fields.has('rename from')) return 'renamed';
  return fields.has('new mode') && hunks.length === 0 && !fields.has('index') ? 'mode-changed' : 'modified';
}

function modesOf({ fields }: Header, status: ChangedFile['status']): [string, string] {
  const common = / (\d{6})$/.exec(fields.get('index') ?? '')?.[1] ?? '100644';
  const old = fields.get('old mode') ?? fields.get('deleted file mode') ?? common;
  const now = fields.get('new mode') ?? fields.get('new file mode') ?? common;
  return [status === 'added' ? '000000' : checkMode(old), status === 'deleted' ? '000000' : checkMode(now)];
}

function checkMode(mode: string): string {
  return /^(?:100644|100755|120000|160000)$/.test(mode) ? mode : '100644';
}

const zero = '0'.repeat(40);

function idsOf({ fields }: Header, hunks: readonly Hunk[], oldMode: string, newMode: string): [string, string] {
  const index = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})/.exec(fields.get('index') ?? '');
  const find = (mode: string, id: string | undefined, sign: string): string => {
    if (mode === '000000') return zero;
    const commit = mode === '160000' ? hunks.flatMap(hunk => hunk.lines).find(line => line.startsWith(`${sign}Subproject commit `)) : undefined;
    return commit?.slice(19).replace(/[^0-9a-f].*$/s, '') ?? id ?? zero;
  };
  return [find(oldMode, index?.[1], '-'), find(newMode, index?.[2], '+')];
}

function contentOf({ binary }: Header, mode: string, hunks: readonly Hunk[]): ChangedFile['content'] {
  if (mode === '160000') return 'submodule';
  if (mode === '120000') return 'symlink';
  return binary || hunks.some(hunk => hunk.lines.some(line => line.includes('\0'))) ? 'binary' : 'text';
}

/** Mailers and editors turn every line end of a patch into CR LF; then the headers carry it too. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const header = lines.find(line => line.startsWith('+++ ') || line.startsWith('diff --git '));
  return header?.endsWith('\r') === true ? lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines;
}

function combined(): UserError {
  return new UserError('The patch is a combined diff of a merge, which has no single old side.', { kind: 'input', hint: 'Make one against the first parent: git diff MERGE^1 MERGE.' });
}
