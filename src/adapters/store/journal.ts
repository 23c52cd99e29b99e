/**
 * Remembers finished steps in a file that only grows, so that a killed run resumes without repeating them. A step may run twice when
 * the kill falls between its end and its record; a recorded one never runs again.
 *
 * One line is one record: its number, the bytes of its body, the checksum of the line before, its own checksum, and the body, which is
 * JSON of the key and the result. The first one names the format. Only the holder of the run lock writes.
 */
import { basename, dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { UserError, inputError, sentenceOf, usageError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { ProcessIdentity } from '../../core/ports/runner.ts';
import { type Recall, type StepsOfRuns, recallOver, stepsOver } from '../../core/ports/steps.ts';
import { sha256 } from '../../core/hash.ts';
import {
  appendDurably,
  createAtomically,
  explained,
  quarantine,
  readMended,
  readPlainBytes,
  readPlainText,
  removeTemporaries,
  writeAtomically,
} from './atomic-write.ts';
import { namesIn, runsFolder } from './run-folder.ts';
import type { Note, StateFolder, Storage } from './storage.ts';

/** In the run folder. */
export const journalName = 'journal.jsonl';

const format = '{"schema":"jury.journal/1"}';

/** Bytes of records checked before other work gets its turn. */
const checkedAtATime = 4_000_000;

/** The `StepsOfRuns` port over the journals of the runs of a state. `onNote` is told of damage, by whom a run is opened. */
export function journalsOf(state: StateFolder, onNote: Note = () => {}): StepsOfRuns {
  const folderOf = (run: string) => join(runsFolder(state), run);
  return {
    async open(run, isBegun) {
      const lock = await lockRun(state, folderOf(run));
      try {
        const steps = await openJournal(state, join(folderOf(run), journalName), onNote, isBegun);
        return {
          ...steps,
          // Whoever comes next takes a lock over whose process is gone.
          close: () =>
            lock.release().catch((error: unknown) => {
              if (!(error instanceof UserError)) throw error;
              onNote(sentenceOf(error));
            }),
        };
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    read: run => readJournal(state, join(folderOf(run), journalName)),
    isHeld: run => isLocked(state, folderOf(run)),
  };
}

/**
 * Opens or creates the journal. Damage is named through `onNote`: a torn last line is cut and kept in `quarantine/`, as is a file that
 * is damaged elsewhere, of which every record that is whole is taken over. Throws `UserError` when the disk refuses or the file comes
 * from another version of Jury.
 */
export async function openJournal(
  storage: Storage,
  file: string,
  onNote: Note = () => {},
  isBegun = false,
) {
  const { bodies, chain } = await explained({ path: file }, () =>
    openRecords(storage, file, onNote, isBegun),
  );
  const record = createWriter(storage, file, chain, bodies);
  return stepsOver({
    find: key => recallFrom(bodies, key),
    keep: (key, body) => explained({ path: file }, () => record(key, body)),
    close: () => Promise.resolve(),
  });
}

/** What a journal remembers, whoever is writing it. Nothing is mended. */
export async function readJournal(storage: Storage, file: string): Promise<Recall> {
  const bytes = await explained({ path: file }, () => readPlainBytes(storage.disk, file, Infinity));
  const { bodies } = await parseLines(bytes ?? new Uint8Array());
  return { recall: recallOver(key => recallFrom(bodies, key)) };
}

async function openRecords(storage: Storage, file: string, onNote: Note, isBegun: boolean) {
  const { bytes, aside } = await readMended(storage, file);
  if (aside !== null)
    onNote(
      `The last record of the journal is not whole and is kept as ${aside}; its step counts as not done.`,
    );
  const found = await parseLines(bytes);
  if (found.format !== null && found.format !== format)
    throw inputError(
      `The journal was written by another version of Jury (${file}).`,
      'Use that version, or start a new run.',
    );
  const said = await namesIn(storage.disk, join(dirname(file), 'raw'));
  if (found.bodies.size === 0 && !found.isDamaged && (isBegun || said.length > 0))
    throw inputError(
      `The journal of a run that had begun is gone (${file}).`,
      'What was said may lie in raw/ beside it; start a new run.',
    );
  let chain: Chain = found;
  if (found.isDamaged) {
    const copy = await quarantine(storage, file, bytes);
    const { text, end } = linesFor([...found.bodies.values()], {
      count: 0,
      checksum: none,
      size: 0,
    });
    await writeAtomically(storage, file, text);
    chain = end;
    onNote(
      `The journal was damaged: ${found.bodies.size} finished steps could be read from it; the damaged file is kept as ${copy}.`,
    );
  }
  return { bodies: found.bodies, chain };
}

/** Bodies of records by their keys, in the order of the file. */
type Bodies = Map<string, string>;

function recallFrom(bodies: Bodies, key: string) {
  const body = bodies.get(key);
  return body === undefined ? null : { value: Body.parse(JSON.parse(body))[1] };
}

/** Where the lines of a file end. */
interface Chain {
  /** Of records, and the checksum of the last one. */
  count: number;
  checksum: string;
  /** Bytes. */
  size: number;
}

/** Lines for further records; the first one of a file has the format before them. */
function linesFor(bodies: readonly string[], { count, checksum, size }: Chain) {
  let text = '';
  for (const body of count === 0 ? [format, ...bodies] : bodies) {
    const head = `${count} ${Buffer.byteLength(body)} ${checksum}`;
    checksum = checksumOf(head, body);
    text += `${head} ${checksum} ${body}\n`;
    count += 1;
  }
  return { text, end: { count, checksum, size: size + Buffer.byteLength(text) } };
}

/** What it writes is durable when it resolves. What ends at one moment is written at once: on many disks each write takes milliseconds. */
function createWriter({ disk }: Storage, file: string, found: Chain, bodies: Bodies) {
  let chain = found;
  let waiting: (readonly [key: string, body: string])[] = [];
  let written = Promise.resolve();
  const flush = async () => {
    await turn();
    const group = waiting;
    waiting = [];
    const { text, end } = linesFor(
      group.map(([, body]) => body),
      chain,
    );
    if (!(await appendDurably(disk, file, text, chain.size)))
      throw usageError(
        `Another process is writing the journal (${file}).`,
        'Wait until it ends, then try again.',
      );
    chain = end;
    for (const [key, body] of group) bodies.set(key, body);
  };
  return (key: string, body: string) => {
    // Whoever comes while a group waits for the disk is of the next one; a write that failed is the end of the journal.
    if (waiting.length === 0) written = written.then(flush);
    waiting.push([key, body]);
    return written;
  };
}

/** What stands where the first record names the one before it. */
const none = '0'.repeat(64);

const linePattern =
  /^(?<head>(?<number>\d{1,15}) (?<length>\d{1,15}) (?<previous>[0-9a-f]{64})) (?<checksum>[0-9a-f]{64}) /;

/**
 * `format`: body of the first record; null where there is none that is whole. `isDamaged`: something is no record, or records are missing,
 * moved or repeated. Gives other work its turn now and then: a journal may hold many large results.
 */
async function parseLines(bytes: Uint8Array) {
  const bodies: Bodies = new Map();
  let [count, checksum, first, isDamaged, unchecked] = [0, none, null as string | null, false, 0];
  for (let start = 0, end; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(0x0a, start);
    // A line that is still being written.
    if (end === -1) break;
    const line = parseLine(decoder.decode(bytes.subarray(start, end)));
    if (!line || line.number !== count || line.previous !== checksum) isDamaged = true;
    if (line) {
      if (line.number === 0) first ??= line.body;
      else keep(bodies, line.body);
      [count, checksum] = [line.number + 1, line.checksum];
    }
    unchecked += end - start;
    if (unchecked < checkedAtATime) continue;
    unchecked = 0;
    await turn();
  }
  if (bytes.length > 0 && first === null) isDamaged = true;
  return { bodies, format: first, isDamaged, count, checksum, size: bytes.length };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null when a bit of the line has changed since it was written. */
function parseLine(text: string) {
  const groups = linePattern.exec(text)?.groups;
  if (!groups) return null;
  const { head = '', number, length, previous = '', checksum = '' } = groups;
  const body = text.slice(head.length + checksum.length + 2);
  return Buffer.byteLength(body) === Number(length) && checksumOf(head, body) === checksum
    ? { number: Number(number), previous, checksum, body }
    : null;
}

/** Of two records of one key the later: it took the place of one that could not be used. */
function keep(bodies: Bodies, body: string) {
  const checked = Body.safeParse(JSON.parse(body));
  if (checked.success) bodies.set(checked.data[0], body);
}

const Body = z.tuple([z.string()], z.unknown());

function checksumOf(head: string, body: string) {
  return sha256(`${head} ${body}`);
}

// One process at a time works on a run. The lock is a file that says who holds it; it is taken over only when that process is
// provably gone, never by age: a laptop that slept for a night still holds its lock.

const lockName = 'lock';

/** Tells two locks of one process apart. */
let tokens = 0;

/**
 * Locks the run folder, and removes temporary files that a killed process left in it. Throws `UserError` of kind `usage`
 * that names the pid while another process holds it. `release` may be called more than once; a process that ends without it leaves a
 * lock the next one takes over.
 */
export async function lockRun(storage: Storage, folder: string) {
  const path = join(folder, lockName);
  const own = `${JSON.stringify({ ...(await storage.processes.identify()), token: (tokens += 1) })}\n`;
  await explained({ path: folder }, async () => {
    while (!(await createAtomically(storage, path, own))) {
      const text = await readText(storage, path);
      if (text === null) continue;
      const holder = parseHolder(text);
      if (!holder) throw unreadable(path);
      if (!(await storage.processes.isGone(holder))) throw heldBy(holder, path);
      await discard(storage, path, { stale: text, own });
    }
    await removeTemporaries(storage, folder);
  });
  return { release: () => releaseOwn(storage, path, own) };
}

/** True while a process that may be alive holds the lock. */
export async function isLocked(storage: Storage, folder: string) {
  const text = await readText(storage, join(folder, lockName));
  if (text === null) return false;
  const holder = parseHolder(text);
  return !holder || !(await storage.processes.isGone(holder));
}

/**
 * Removes a stale lock and never a fresh one, however long anybody takes. Whoever found it stale first claims it by a file of its own,
 * and only who then sees no other claim removes what still stands there: nobody else can have put another in its place meanwhile.
 */
async function discard(
  storage: Storage,
  path: string,
  { stale, own }: { stale: string; own: string },
) {
  const { pid, started } = await storage.processes.identify();
  const claim = `${path}.${pid}-${started}`;
  const isOwn = await createAtomically(storage, claim, own);
  try {
    if (!(await isAlone(storage, path, isOwn ? claim : null)))
      await storage.clock.sleep(1 + (pid % 20));
    else if (isOwn && (await readText(storage, path)) === stale) await storage.disk.remove(path);
  } finally {
    if (isOwn) await storage.disk.remove(claim);
  }
}

/** Claims that a killed process left are removed. */
async function isAlone(storage: Storage, lock: string, own: string | null) {
  const folder = dirname(lock);
  for (const { name } of await storage.disk.list(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(`${lockName}.`) || path === own) continue;
    const holder = parseHolder((await readText(storage, path)) ?? '');
    if (!holder || !(await storage.processes.isGone(holder))) return false;
    await storage.disk.remove(path);
  }
  return true;
}

async function releaseOwn(storage: Storage, path: string, own: string) {
  await explained({ what: 'The lock of the run', path, again: 'remove it' }, async () => {
    if ((await readText(storage, path)) === own) await storage.disk.remove(path);
  });
}

function heldBy(holder: ProcessIdentity, path: string) {
  return usageError(
    `Process ${holder.pid} on ${holder.host} is working on this run (${path}).`,
    'Wait until it ends, or stop it, then try again.',
  );
}

function unreadable(path: string) {
  return usageError(
    `The lock ${basename(path)} does not say who holds it (${path}).`,
    'If no jury works on this run, remove that file, then try again.',
  );
}

/** Larger than any lock: what is, says nothing. */
const mostBytes = 4_096;

function readText({ disk }: Storage, path: string) {
  return readPlainText(disk, path, mostBytes);
}

// Who holds a lock, said so that another process can prove it gone.

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  boot: z.string().nullable(),
  namespace: z.string().nullable(),
  started: z.string().nullable(),
}) satisfies z.ZodType<ProcessIdentity>;

/** Null when the text does not name a holder. */
function parseHolder(text: string): ProcessIdentity | null {
  return Holder.safeParse(parseJson(text)).data ?? null;
}
