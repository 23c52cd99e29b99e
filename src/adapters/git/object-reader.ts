/** Reads objects by id through one long-lived `git cat-file --batch`; every reply is hashed again before it is believed. */
import { createHash } from 'node:crypto';
import { UserError } from '../../core/errors.ts';
import { startGit } from './git-process.ts';
import { forgedObject } from './unusable-object.ts';
import { firstLine, type Shadow } from './shadow.ts';

export interface GitObject {
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  /** Bytes of the object as stored. */
  readonly size: number;
  /** Null when the object is longer than was asked for. */
  readonly bytes: Buffer | null;
}

export interface ObjectReader {
  /**
   * Null when the repository does not have the object. Throws `UserError` (`git-object`) when its bytes do not hash to
   * its name. Requests may overlap; they are answered in order.
   */
  read(id: string, maxBytes: number): Promise<GitObject | null>;
  close(): void;
}

interface Request {
  readonly id: string;
  readonly maxBytes: number;
  readonly resolve: (object: GitObject | null) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly type: GitObject['type'];
  readonly size: number;
  readonly pieces: Buffer[];
  readonly keep: boolean;
  /** Bytes still to come, the newline behind the object included. */
  left: number;
}

export function createObjectReader(shadow: Shadow): ObjectReader {
  let batch: ReturnType<typeof startBatch> | null = null;
  let closed = false;
  return {
    read(id, maxBytes) {
      if (closed) return Promise.reject(new Error('The repository is closed.'));
      if (!/^[0-9a-f]{40,64}$/.test(id)) return Promise.reject(new Error(`Not an object id: ${JSON.stringify(id)}`));
      if (batch === null || batch.ended()) batch = startBatch(shadow);
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
  const child = startGit(shadow.program, ['-c', 'core.bigFileThreshold=16m', 'cat-file', '--batch']);
  const waiting: Request[] = [];
  let answered = 0;
  let ended = false;
  let complaint = '';
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
  const watch = (): void => {
    clearTimeout(timer);
    if (answered === waiting.length) return;
    timer = setTimeout(() => {
      complaint = 'git did not answer in time';
      child.kill('SIGKILL');
    }, shadow.program.timeoutMs);
  };
  const end = (): void => {
    ended = true;
    clearTimeout(timer);
    const error = new UserError(`git-object: an object of the repository cannot be read${complaint === '' ? '' : `: ${firstLine(complaint)}`}.`, { kind: 'input', hint: 'Run "git fsck" in the repository.' });
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

function settle({ format }: Shadow, request: Request, reply: Reply | null): void {
  if (reply === null) return request.resolve(null);
  const { type, size } = reply;
  if (!reply.keep) return request.resolve({ type, size, bytes: null });
  const bytes = Buffer.concat(reply.pieces).subarray(0, size);
  const hash = createHash(format.algorithm).update(`${type} ${size}\0`).update(bytes).digest('hex');
  if (hash === request.id) return request.resolve({ type, size, bytes });
  request.reject(forgedObject(request.id));
}

/** Feeds on pieces of any length; calls `answer` once per request, with null for a missing object. */
function createReplyParser(next: () => Request | undefined, answer: (request: Request, reply: Reply | null) => void): (piece: Buffer) => void {
  let header = '';
  let reply: Reply | null = null;

  return piece => {
    for (let at = 0; at < piece.length; ) {
      const request = next();
      if (request === undefined) throw new Error('git cat-file answered a question nobody asked.');
      if (reply === null) {
        const end = piece.indexOf(10, at);
        header += piece.toString('latin1', at, end === -1 ? piece.length : end);
        at = end === -1 ? piece.length : end + 1;
        if (end === -1) continue;
        reply = parseHeader(header, request);
        header = '';
        if (reply === null) answer(request, null);
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
  if (match === null) return null;
  const size = Number(match[2]);
  return { type: match[1] as GitObject['type'], size, pieces: [], keep: size <= request.maxBytes, left: size + 1 };
}
