/** Reads objects by id through one long-lived `git cat-file --batch`; every reply is hashed again before it is believed. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { inputError } from '../../core/errors.ts';
import { leadsOut } from '../../core/change/unshown.ts';
import { visibleName } from '../../core/safety/visible-text.ts';

import { type GitFolder, type Shadow, createShadow } from './git-folder.ts';
import { askGit, firstLine, refusalOfWeight, startGit } from './git-process.ts';

interface GitObject {
  type: 'blob' | 'tree' | 'commit' | 'tag';
  /** Null when the object is longer than was asked for. */
  bytes: Buffer | null;
}

interface Request {
  id: string;
  maxBytes: number;
  resolve: (object: GitObject | null) => void;
  reject: (error: Error) => void;
}

interface Reply {
  type: GitObject['type'];
  size: number;
  pieces: Buffer[];
  keep: boolean;
  /** Bytes still to come, the newline behind the object included. */
  left: number;
}

export interface OpenedGit {
  readonly shadow: Shadow;
  readonly objects: ReturnType<typeof createObjectReader>;
}

// What one opened repository holds while it is read: the git directory is made when something first needs it.

export type Session = ReturnType<typeof createSession>;

/** `here`: absolute folder the caller stands in; `folder`: null outside git. */
export function createSession(
  here: string,
  folder: GitFolder | null,
  options: Parameters<typeof createShadow>[1] & {
    readonly maxFileBytes: number;
    readonly token: () => string | null;
  },
) {
  let opening: Promise<OpenedGit> | null = null;
  let closed = false;
  return {
    here,
    folder,
    maxFileBytes: options.maxFileBytes,
    token: options.token,
    /** Throws `UserError` outside git, and for a repository that cannot be read safely. */
    async open() {
      if (closed) throw new Error('The repository is closed.');
      if (!folder)
        throw inputError(
          `${showName(here)} is not inside a git repository.`,
          'Go into one, or begin one here: git init',
        );
      opening ??= createShadow(folder, options).then(shadow => ({
        shadow,
        objects: createObjectReader(shadow),
      }));
      return opening;
    },
    async close() {
      closed = true;
      const opened = await opening?.catch(() => null);
      opened?.objects.close();
      await opened?.shadow.close();
    },
  };
}

function createObjectReader(shadow: Shadow) {
  let batch: ReturnType<typeof startBatch> | null = null;
  let closed = false;
  return {
    /**
     * Null when the repository does not have the object. Throws `UserError` (`git-object`) when its bytes do not hash to
     * its name. Requests may overlap; they are answered in order.
     */
    read(id: string, maxBytes: number): Promise<GitObject | null> {
      if (closed) return Promise.reject(new Error('The repository is closed.'));
      if (!/^[0-9a-f]{40,64}$/.test(id))
        return Promise.reject(new Error(`Not an object id: ${JSON.stringify(id)}`));
      if (!batch || batch.ended()) batch = startBatch(shadow);
      const running = batch;
      return new Promise((resolve, reject) => running.ask({ id, maxBytes, resolve, reject }));
    },
    close() {
      closed = true;
      batch?.stop();
    },
  };
}

function startBatch(shadow: Shadow) {
  // Large blobs are streamed by git instead of being held in its memory.
  const child = startGit(shadow.program, [
    '-c',
    'core.bigFileThreshold=16m',
    'cat-file',
    '--batch',
  ]);
  const waiting: Request[] = [];
  let answered = 0;
  let ended = false;
  let complaint = '';
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;

  const reader = createReplyParser(
    () => waiting[answered],
    (request, reply) => {
      answered++;
      if (answered === waiting.length) {
        waiting.length = 0;
        answered = 0;
      }
      settle(shadow, request, reply);
    },
  );
  const watch = () => {
    clearTimeout(timer);
    if (answered === waiting.length) return;
    timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, shadow.program.timeoutMs);
  };
  const end = () => {
    ended = true;
    clearTimeout(timer);
    const late = isLate
      ? inputError(`git cat-file did not finish within ${shadow.program.timeoutMs / 1000} seconds.`)
      : refusalOfWeight(child, 'cat-file');
    const error =
      late ??
      inputError(`${unreadable}${complaint === '' ? '' : `: ${firstLine(complaint)}`}.`, fsckHint);
    for (const request of waiting.splice(answered)) request.reject(error);
  };
  child.stdout.on('data', (piece: Buffer) => {
    reader(piece);
    watch();
  });
  child.stderr.on('data', (piece: Buffer) => {
    if (complaint.length < 4_096) complaint += piece.toString('utf8');
  });
  child.once('close', end);
  child.once('error', end);
  return {
    ended: () => ended,
    ask(request: Request) {
      waiting.push(request);
      if (waiting.length - answered === 1) watch();
      child.stdin.write(`${request.id}\n`);
    },
    stop: () => child.kill('SIGKILL'),
  };
}

function settle({ format }: Shadow, request: Request, reply: Reply | null) {
  if (!reply) return request.resolve(null);
  const { type, size } = reply;
  if (!reply.keep) return request.resolve({ type, bytes: null });
  const bytes = Buffer.concat(reply.pieces).subarray(0, size);
  if (hashObject(format.algorithm, type, bytes) === request.id)
    return request.resolve({ type, bytes });
  request.reject(forgedObject(request.id));
}

/** The id that git gives. */
export function hashObject(
  algorithm: Shadow['format']['algorithm'],
  type: GitObject['type'],
  bytes: Buffer,
) {
  return createHash(algorithm).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Feeds on pieces of any length; calls `answer` once per request, with null for a missing object. */
function createReplyParser(
  next: () => Request | undefined,
  answer: (request: Request, reply: Reply | null) => void,
): (piece: Buffer) => void {
  let header = '';
  let reply: Reply | null = null;

  return piece => {
    for (let at = 0; at < piece.length;) {
      const request = next();
      if (!request) throw new Error('git cat-file answered a question nobody asked.');
      if (!reply) {
        const end = piece.indexOf(10, at);
        header += piece.toString('latin1', at, end === -1 ? piece.length : end);
        at = end === -1 ? piece.length : end + 1;
        if (end === -1) continue;
        reply = parseHeader(header, request);
        header = '';
        if (!reply) answer(request, null);
        continue;
      }
      const taken = Math.min(reply.left, piece.length - at);
      if (reply.keep) reply.pieces.push(piece.subarray(at, at + taken));
      reply.left -= taken;
      at += taken;
      if (reply.left === 0) {
        const whole = reply;
        reply = null;
        answer(request, whole);
      }
    }
  };
}

function parseHeader(header: string, request: Request): Reply | null {
  const match = /^[0-9a-f]+ (blob|tree|commit|tag) (\d+)$/.exec(header);
  if (!match) return null;
  const size = Number(match[2]);
  return {
    type: match[1] as GitObject['type'],
    size,
    pieces: [],
    keep: size <= request.maxBytes,
    left: size + 1,
  };
}

// Many objects in one question, before any of them is read.

/** What git says of each id that it has, the first group of `said`, by the id that was asked for. */
async function checkAll({ program }: Shadow, ids: readonly string[], said: RegExp) {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const output = await askGit(program, ['cat-file', '--buffer', '--batch-check'], unreadable, {
    input: ids.map(id => `${id}\n`).join(''),
    hint: fsckHint,
  });
  const answers = output.toString('latin1').split('\n');
  for (const [index, id] of ids.entries()) {
    const answer = said.exec(answers[index] ?? '')?.[1];
    if (answer !== undefined) found.set(id, answer);
  }
  return found;
}

/** Bytes by id; objects that the repository does not have are absent. */
export async function readSizes(
  shadow: Shadow,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await checkAll(shadow, ids, /^[0-9a-f]{40,64} \w+ (\d+)$/);
  return new Map([...found].map(([id, size]) => [id, Number(size)]));
}

/** Full ids of blobs by abbreviated ones; those that are missing, ambiguous or no blobs are absent. */
export function completeIds(shadow: Shadow, ids: readonly string[]) {
  return checkAll(shadow, ids, /^([0-9a-f]{40,64}) blob /);
}

const unreadable = 'git-object: an object of the repository cannot be read';
const fsckHint = 'Run "git fsck" in the repository.';

// What a person can do about an object that the repository does not have, or has wrongly.

export function missingHint({ shallow, partial }: Shadow['format']) {
  if (shallow) return '`git fetch --unshallow` brings the whole history.';
  return partial
    ? '`git fetch --refetch --no-filter` brings every object.'
    : 'Run "git fsck" in the repository to see what is damaged.';
}

/** `what` says whose object it is: `the old side of src/a.ts`. */
export function missingObject(format: Shadow['format'], id: string, what: string) {
  const clone = format.shallow
    ? 'this shallow clone'
    : format.partial
      ? 'this partial clone'
      : 'the repository';
  return inputError(`Object ${id}, ${what}, is not in ${clone}.`, missingHint(format));
}

/** The bytes of an object are not what its name says. */
export function forgedObject(id: string) {
  return inputError(
    `git-object: the bytes of object ${id} do not hash to its name.`,
    'The repository is damaged or forged; run "git fsck" in it.',
  );
}

// Names as git prints them: bytes between NULs, which need be no UTF-8. Kept as latin1 any survives being written back.

/** What stands between NULs; the last one is ended by a NUL too. */
export function splitZero(output: Buffer) {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** Bytes that are no UTF-8 become `\xNN`, and so does a backslash that could be taken for one: names stay apart. */
export function decodeName(name: string | undefined) {
  if (name === undefined) throw new Error('git ended in the middle of a list.');
  const bytes = Buffer.from(name.replace(/\\(?=x[\da-f]{2})/g, '\\x5c'), 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find(
      size => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)),
    );
    text +=
      length === undefined
        ? `\\x${bytes.toString('hex', at, at + 1)}`
        : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}

// Makes a hostile name safe to print in a sentence.

/** On one line, hidden characters as `⟦U+202E⟧`; at most 200 characters and an ellipsis. */
export function showName(name: string) {
  return visibleName(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}

/** A link has no lines; where it leads is said in a sentence. */
export function noticeLink(path: string, target: string) {
  const outside = leadsOut(path, target) ? ', outside of the repository' : '';
  return `${showName(path)} is a symbolic link to ${showName(target)}${outside}.`;
}
