import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Processes } from '../../core/ports/machine.ts';
import type { Answer } from '../../core/ports/runner.ts';
import { type AnsweredDetails, answered, failedAnswer } from '../../core/words/answer.ts';
import { sha256 } from '../system/ids.ts';

/** What a runner may take from the world. The composition root fills it in once; nothing below reads `process.env` itself. */
export interface RunnerWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; attempt folders are made below it. Must not lie inside a repository. */
  readonly temporaryFolder: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Starts programs; default: on this machine. */
  readonly run?: Processes['run'];
  /** Absolute path of the checkout under review: programs inside it are never found on PATH. Null: there is none. */
  readonly checkout?: string | null;
  /** Absolute folders that no reviewer sees besides, wherever they lie: the state, other work trees. */
  readonly hidden?: () => Promise<readonly string[]>;
  /** Absolute path of the MCP program that clients start to have a reviewer's tools; default: the built one of this package. */
  readonly toolProgram?: string;
  /** What the person should know that belongs to no reviewer. */
  readonly note?: (message: string) => void;
}

// Judges bytes that should be an answer, whoever wrote them (size, encoding, something in it), and keeps credentials out of it.

/** Bytes of the largest answer that is read. */
export const answerLimit = 4_194_304;

interface Text {
  readonly text: string;
  readonly isUtf8?: boolean;
}

export function textAnswer({ text, isUtf8 = true }: Text, details: AnsweredDetails): Answer {
  const { usage, model = null, transcript = text } = details;
  const known = { ...(usage && { usage }), model, transcript };
  if (!isUtf8) return failedAnswer('encoding', 'The answer is not valid UTF-8.', known);
  if (text.trim() === '') return failedAnswer('empty', 'The answer has no text.', known);
  return answered(text, { ...details, transcript });
}

/** The answer with every copy of a secret replaced: endpoints and clients like to quote the key they refuse. */
export function withoutSecret(answer: Answer, secret: string): Answer {
  const hide = (text: string) => text.replaceAll(secret, '⟦SECRET:key⟧');
  const transcript = hide(answer.transcript);
  if (answer.status === 'answered') return { ...answer, text: hide(answer.text), transcript };
  return {
    ...answer,
    failure: { ...answer.failure, message: hide(answer.failure.message) },
    transcript,
  };
}

// Hashes of what decides an answer besides the turn: an edited script is another reviewer.

/** SHA-256 of a list as JSON, in hex. Equal values give equal hashes: pass records with a fixed order of keys. */
export function hashValue(values: readonly unknown[]) {
  return sha256(JSON.stringify(values));
}

const known = new Map<string, Promise<string | null>>();

/** SHA-256 of a file, in hex; null when it is no readable file. Remembered while size and times stay: clients are large. */
export async function hashFile(path: string) {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (!found || !found.isFile()) return null;
  const key = `${path}\0${found.ino}\0${found.size}\0${found.mtimeNs}\0${found.ctimeNs}`;
  const hash = known.get(key) ?? readHash(path);
  known.set(key, hash);
  return hash;
}

async function readHash(path: string) {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

const hashedBytes = 16 * 1024 * 1024;

/**
 * Names the content of a file: its hash, or for one above 16 MiB (an interpreter) its size and times. Null when there
 * is no such file.
 */
export async function identifyFile(path: string) {
  const found = await stat(path).catch(() => null);
  if (!found || !found.isFile()) return null;
  return found.size > hashedBytes ? `${found.size} bytes of ${found.mtimeMs}` : hashFile(path);
}
