/**
 * Unified diffs as text: git's own, mails that carry one, and plain ones. Hunks are read by their line counts, so that no content can
 * pass for a header. Linear, and without any repository.
 */
import { readHunks, textsOf } from '../../core/change/patch.ts';
import { ifUserError, inputError } from '../../core/errors.ts';
import type { ChangedFile, Hunk } from '../../core/words/change.ts';
import {
  type OpenedGit,
  type Session,
  completeIds,
  decodeName,
  hashObject,
  noticeLink,
  showName,
} from './object-reader.ts';

/** Ids are as the patch gives them, possibly abbreviated; zeros where it gives none. Throws `UserError` for what is no such patch. */
export function parsePatch(text: string) {
  const lines = splitLines(text);
  const files: ChangedFile[] = [];
  // The message of a mail may tell of what is no part of its patch.
  let inMail = false;
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    inMail = line !== '---' && (inMail || /^From [0-9a-f]{40} /.test(line));
    if (line.startsWith('\u001B['))
      throw inputError('The patch is coloured.', 'Make it without: git diff --no-color.');
    if (/^diff --(?:cc|combined) |^@@@ /.test(line))
      throw inputError(
        'The patch is a combined diff of a merge, which has no single old side.',
        'Make one against the first parent: git diff MERGE^1 MERGE.',
      );
    if (/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.test(line))
      throw inputError(`Line ${at + 1} of the patch starts a hunk that belongs to no file.`);
    const header = readHeader(lines, at) ?? (inMail ? null : readLoose(lines, at));
    if (!header) at++;
    else {
      const { file, next } = readFile(lines, header);
      files.push(file);
      at = next;
    }
  }
  return files;
}

/** Mailers and editors turn every line end of a patch into CR LF; then the headers carry it too. */
function splitLines(text: string) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const header = lines.find(line => /^(?:\+\+\+|diff --git) /.test(line));
  return header?.endsWith('\r') ? lines.map(line => line.replace(/\r$/, '')) : lines;
}

interface Header {
  /** Null stands for `/dev/null`. */
  names: Names;
  fields: ReadonlyMap<string, string>;
  isBinary: boolean;
  /** Index of the first line behind the header. */
  next: number;
}

type Names = readonly [old: string | null, now: string | null];

const field =
  /^((?:old|new|deleted file|new file) mode|(?:copy|rename) (?:from|to)|(?:dis)?similarity index|index) (.*)$/s;

/** Null where none starts. */
function readHeader(lines: readonly string[], start: number): Header | null {
  const isGit = lines[start]?.startsWith('diff --git ') === true;
  const fields = new Map<string, string>();
  let next = start;
  if (isGit)
    for (let found; (found = field.exec(lines[++next] ?? ''));)
      fields.set(found[1] ?? '', found[2] ?? '');
  const [old = '', now = ''] = lines.slice(next, next + 2);
  const hasSides = /^--- ./.test(old) && /^\+\+\+ ./.test(now);
  if (!isGit && !hasSides) return null;
  const [from, to] = ['from', 'to'].map(
    end => fields.get(`rename ${end}`) ?? fields.get(`copy ${end}`),
  );
  const names: Names | null =
    from !== undefined && to !== undefined
      ? [readName(from), readName(to)]
      : hasSides
        ? namesOfSides(old.slice(4), now.slice(4))
        : namesOfGit((lines[start] ?? '').slice('diff --git '.length));
  if (!names)
    throw inputError(`Line ${start + 1} of the patch does not tell which file it is about.`);
  const isBinary = /^(?:GIT binary patch$|Binary files )/.test(old);
  return { names, fields, isBinary, next: hasSides ? next + 2 : next + Number(isBinary) };
}

/** What diff leaves out, and its other formats. */
const hidden =
  /^(?:Only in .+: |\* Unmerged path |\*{3} .+\n--- .+\n\*{15}|(?:Index: .+\n=+|diff .+)\n\d+(?:,\d+)?[acd]\d)/;
const loose = [
  /^(?:Binary files|Files|Symbolic links)(?=.* differ(?:\n|$)) (.+?) and /,
  /^(?:Submodule|Binary file|Index:) (.+?)(?: [0-9a-f]{4,}\.\.| contains | has changed|\n=+\nCannot display: )/,
  /^File(?=.* while file ) (.+?) is an? /,
  /^Property changes on: (.+)/,
  /^=== (?:(?:add|remov|modifi)ed (?:file|symlink)(?!.*'\n--- )|renamed \w+) (?:'.+' => )?'(.+?)'/,
];

/** Git, diff, Mercurial, Subversion and Bazaar say in one sentence what they do not show. */
function readLoose(lines: readonly string[], start: number): Header | null {
  const text = lines.slice(start, start + 3).join('\n');
  if (hidden.test(text))
    throw inputError(`The patch does not show: ${showName(lines[start] ?? '')}`);
  const name = loose.map(sentence => sentence.exec(text)?.[1]).find(found => found !== undefined);
  if (name === undefined) return null;
  const fields = new Map([['index', text.startsWith('Submodule') ? ' 160000' : '']]);
  return { names: [name, name], fields, isBinary: true, next: start + 1 };
}

/** From the lines behind `--- ` and `+++ `. Prefixes come off only when both sides carry one. */
function namesOfSides(old: string, now: string): Names {
  const names = [readName(old), readName(now)] as const;
  const isPrefixed =
    /^(?:[aciow]\/|\/dev\/null$)/.test(names[0]) && /^(?:[bciow]\/|\/dev\/null$)/.test(names[1]);
  const clean = (name: string) => (name === '/dev/null' ? null : isPrefixed ? name.slice(2) : name);
  return [clean(names[0]), clean(names[1])];
}

/**
 * From the rest of a `diff --git ` line, which names the same file twice when no other line names it. Null when the two halves differ:
 * then nobody can tell where the first name ends.
 */
function namesOfGit(rest: string): Names | null {
  const middle = quoted.exec(rest)?.[0].length ?? (rest.length - 1) / 2;
  if (rest[middle] !== ' ') return null;
  const names = namesOfSides(rest.slice(0, middle), rest.slice(middle + 1));
  return names[0] !== null && names[0] === names[1] ? names : null;
}

const quoted = /^"(?:[^"\\]|\\.)*"/s;

/** C quoting undone, a time stamp behind a tab ignored. */
function readName(text: string) {
  const name = quoted.exec(text)?.[0];
  return name === undefined ? (text.split('\t', 1)[0] ?? '') : unquote(name.slice(1, -1));
}

function unquote(text: string) {
  const pieces = [...text.matchAll(/\\([0-7]{3})|\\([abtnvfr])|\\?([^\\]+|.)/gs)].map(
    ([, octal, letter, plain]) =>
      plain === undefined
        ? Buffer.from([
            letter ? 7 + 'abtnvfr'.indexOf(letter) : Number.parseInt(octal ?? '', 8) & 0xff,
          ])
        : Buffer.from(plain),
  );
  return decodeName(Buffer.concat(pieces).toString('latin1'));
}

export const zero = '0'.repeat(40);

function readFile(lines: readonly string[], { names, fields, isBinary, next: start }: Header) {
  const { hunks, next, isWhole, ...counts } = readHunks(lines, start);
  const path = names[1] ?? names[0];
  if (path === null || path === '') throw inputError(`Line ${start} of the patch names no file.`);
  const fault = isWhole ? hunks.length > 0 && goesOn(lines, next) && 'late' : 'early';
  if (fault)
    throw inputError(
      `The patch is damaged: a hunk of ${showName(path)} ends too ${fault}, at line ${next + 1}.`,
    );
  if (hunks.length === 0 && !isBinary && !withoutLines.test([...fields].join('\n')))
    throw inputError(
      `The patch lacks the lines of ${showName(path)}, at line ${next + 1}.`,
      'Give all of it, made without -D.',
    );
  const status = statusOf(names, fields, hunks.length > 0);
  const [oldMode, newMode] = modesOf(fields, status);
  const mode = newMode === '000000' ? oldMode : newMode;
  const content = contents[mode] ?? (isBinary ? 'binary' : 'text');
  const isShown = content === 'text' || content === 'symlink';
  const index = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})/.exec(fields.get('index') ?? '');
  const idOf = (mode: string, id: string | undefined, sign: string) => {
    if (mode === '000000') return zero;
    const start = `${sign}Subproject commit `;
    const commit =
      mode === '160000'
        ? hunks.flatMap(hunk => hunk.lines).find(line => line.startsWith(start))
        : undefined;
    return commit?.slice(start.length).replace(/[^0-9a-f].*$/s, '') ?? id ?? zero;
  };
  const file: ChangedFile = {
    path,
    oldPath: status === 'renamed' || status === 'copied' ? names[0] : null,
    status,
    oldMode,
    newMode,
    oldId: idOf(oldMode, index?.[1], '-'),
    newId: idOf(newMode, index?.[2], '+'),
    content,
    ...(isShown ? { ...counts, hunks } : unshown),
  };
  return { file, next };
}

/** Do more lines stand behind a hunk than it has by its count? Mails end with a signature, and the next file may begin. */
function goesOn(lines: readonly string[], next: number) {
  const behind = next + Number(/^-- ?$/.test(lines[next] ?? ''));
  return /^[-+ ]/.test(lines[behind] ?? '') && !readHeader(lines, behind);
}

/** A new mode or name alone, the same text, an empty one, a submodule. */
const withoutLines =
  /^(?!$)(?:old mode,\d+\nnew mode,\d+)?\n?(?:(?:similarity index,100%\n)?\w+ from,[^\n]*\n\w+ to,[^\n]*)?$|(?:^|\n)index,(?:0+\.\.(?:e69de29|473a0f4).*|(?:e69de29|473a0f4)\w*\.\.0+|(\w+)\.\.\1(?: \d+)?|.* 160000)$/;

const contents: Record<string, ChangedFile['content']> = {
  160000: 'submodule',
  120000: 'symlink',
};

function statusOf(
  [old, now]: Names,
  fields: Header['fields'],
  hasHunks: boolean,
): ChangedFile['status'] {
  if (fields.has('new file mode') || old === null) return 'added';
  if (fields.has('deleted file mode') || now === null) return 'deleted';
  if (fields.has('copy from')) return 'copied';
  if (fields.has('rename from')) return 'renamed';
  return fields.has('new mode') && !hasHunks && !fields.has('index') ? 'mode-changed' : 'modified';
}

function modesOf(fields: Header['fields'], status: ChangedFile['status']): [string, string] {
  const common = / (\d{6})$/.exec(fields.get('index') ?? '')?.[1];
  const known = (mode = common) =>
    /^(?:100644|100755|120000|160000)$/.test(mode ?? '') ? (mode ?? '') : '100644';
  return [
    status === 'added'
      ? '000000'
      : known(fields.get('old mode') ?? fields.get('deleted file mode')),
    status === 'deleted' ? '000000' : known(fields.get('new mode') ?? fields.get('new file mode')),
  ];
}

/** Characters of all lines. */
export function lengthOf(hunks: readonly Hunk[]) {
  return hunks.flatMap(({ lines }) => lines).reduce((sum, line) => sum + line.length, 0);
}

/** What of a file is known whose lines are not shown. */
const unshown = { additions: 0, deletions: 0, hunks: [] };

// Texts and hunks of one side alone: a file that is new as a whole, or gone as a whole.

/** One hunk that adds every line; none for an empty text. */
export function addedHunks(text: string) {
  if (text === '') return [];
  const lines = text.split('\n').map(line => `+${line}`);
  const isEnded = text.endsWith('\n');
  const newLines = lines.length - Number(isEnded);
  if (isEnded) lines.pop();
  else lines.push('\\ No newline at end of file');
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines, heading: '', lines }];
}

/** The new text, when every hunk stands in the old one at its stated line, word for word; else null. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]) {
  const old = oldText.split('\n');
  const pieces: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || start > old.length) return null;
    for (; at < start; at++) pieces.push(`${old[at] ?? ''}\n`);
    for (const line of hunk.lines) {
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+') && old[at++] !== line.slice(1)) return null;
      if (!line.startsWith('-')) pieces.push(`${line.slice(1)}\n`);
    }
  }
  const reachesEnd = at >= old.length || (at === old.length - 1 && old[at] === '');
  if (!reachesEnd) return pieces.join('') + old.slice(at).join('\n');
  return endsWithoutNewline(hunks, oldText) ? pieces.join('').slice(0, -1) : pieces.join('');
}

/** The mark belongs to the line before it: a last line that was only taken away says nothing about the new text. */
function endsWithoutNewline(hunks: readonly Hunk[], oldText: string) {
  const lines = hunks.at(-1)?.lines ?? [];
  const last = lines.findLastIndex(line => line.startsWith('+') || line.startsWith(' '));
  return last === -1 ? !oldText.endsWith('\n') : lines[last + 1]?.startsWith('\\') === true;
}

// A patch as a change: files named once, and their ids looked up where a repository is at hand.

/** Throws `UserError` for a damaged patch and for a combined one. */
export async function readPatch(session: Session, text: string) {
  // What holds a NUL is no text, whatever its header says.
  const { files, repeated } = mergeByPath(
    parsePatch(text).map(file =>
      file.content === 'text' && holds(file, '\0')
        ? { ...file, content: 'binary', ...unshown }
        : file,
    ),
  );
  const links = files
    .filter(file => file.content === 'symlink' && file.newMode === '120000')
    .map(file => noticeLink(file.path, textsOf(file.hunks, '+')[0] ?? 'an unknown place'));
  return {
    files: (await checkIds(session, files)).map(file => limit(file, session.maxFileBytes)),
    warnings: [
      ...links,
      ...[...repeated].map(
        path => `${showName(path)} is changed several times; line numbers are those of each step.`,
      ),
    ],
  };
}

/** Several commits in one patch touch the same file more than once; a type change is a deletion and an addition. */
function mergeByPath(parsed: readonly ChangedFile[]): {
  files: ChangedFile[];
  repeated: ReadonlySet<string>;
} {
  const files = new Map<string, ChangedFile>();
  const repeated = new Set<string>();
  for (const file of parsed) {
    const earlier = files.get(file.path);
    const isTypeChange = earlier?.status === 'deleted' && file.status === 'added';
    if (earlier && !isTypeChange) repeated.add(file.path);
    const { oldMode, oldId } = earlier ?? file;
    files.set(
      file.path,
      !earlier
        ? file
        : isTypeChange
          ? { ...file, status: 'type-changed', oldMode, oldId }
          : {
              ...file,
              oldPath: earlier.oldPath ?? file.oldPath,
              status: file.status === 'deleted' ? 'deleted' : earlier.status,
              oldMode,
              oldId,
              content: earlier.content === 'text' ? file.content : earlier.content,
              additions: earlier.additions + file.additions,
              deletions: earlier.deletions + file.deletions,
              hunks: [...earlier.hunks, ...file.hunks],
            },
    );
  }
  return { files: [...files.values()], repeated };
}

/**
 * A patch may name any object of the repository it is read in, and so bring a private file before the reviewers. An old
 * side is believed only when the patch's own hunks fit it, a new side only when it is what they make of the old one.
 */
async function checkIds(session: Session, files: readonly ChangedFile[]) {
  // A patch can be read beside a repository that cannot.
  const git = session.folder && (await session.open().catch(ifUserError(null)));
  if (!git)
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
          ? applyHunks('', file.hunks)
          : await patched(git, oldId, file, session.maxFileBytes);
      const newId =
        newText === null
          ? zero
          : hashObject(git.shadow.format.algorithm, 'blob', Buffer.from(newText));
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
) {
  const old = oldId === zero || hunks.length === 0 ? null : await objects.read(oldId, maxBytes);
  return old?.bytes ? applyHunks(old.bytes.toString('utf8'), hunks) : null;
}

function fullOrZero(id: string) {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : zero;
}

function holds({ hunks }: ChangedFile, character: string) {
  return hunks.some(({ lines }) => lines.join('').includes(character));
}

function limit(file: ChangedFile, maxFileBytes: number): ChangedFile {
  if (lengthOf(file.hunks) > maxFileBytes) return { ...file, content: 'too-large', ...unshown };
  return holds(file, '\uFFFD') ? { ...file, damaged: true } : file;
}
