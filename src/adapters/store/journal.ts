/**
 * Remembers finished steps in a SQLite file, so that a killed run resumes without repeating them. A step may run twice when
 * the kill falls between its end and its record; a recorded one never runs again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import type { Steps } from '../../core/ports.ts';
import { explainDiskFailure } from './atomic-write.ts';
import {
  checksumOf,
  isIntact,
  openRecords,
  type Records,
  type StepRecord,
} from './journal-records.ts';
import { fsyncCodes, resultCodeOf, resultCodes } from './sqlite.ts';

/** Another process that writes is waited for so long, in pieces that leave the event loop free. */
const busy = { waitMs: 5000, pieceMs: 20 } as const;

/**
 * Opens or creates the journal. Results must be JSON or undefined; `step` returns what a later replay would return. Of
 * several calls of one key at a time only the first works, the others share its result. A step that throws is not recorded.
 *
 * Damage is named through `onNote`: a damaged record counts as not done and is kept aside, a damaged file is copied to
 * `quarantine/` and every readable record is taken over. Throws `UserError` when the disk refuses or the file comes from
 * a newer Jury.
 */
export async function openJournal(
  file: string,
  onNote: (message: string) => void = () => {},
): Promise<Steps> {
  const records = await explained(file, () => openRecords(file, onNote));
  const running = new Map<string, Promise<unknown>>();
  const journal = { file, records, onNote, writer: createWriter(records) };
  return {
    step<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const shared =
        running.get(key) ?? runOnce(journal, key, work).finally(() => running.delete(key));
      running.set(key, shared);
      return shared as Promise<Result>;
    },
    recall: key => lookUp(journal, key)?.value,
    close: () => records.close(),
  };
}

/** Resolves when the record is durable. What ends at one moment is written at once: on many disks each write takes milliseconds. */
type Writer = (record: StepRecord) => Promise<void>;

function createWriter(records: Records): Writer {
  let waiting: {
    readonly record: StepRecord;
    readonly settle: (written: Promise<void>) => void;
  }[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    const written = whenFree(() => records.add(group.map(({ record }) => record)));
    for (const { settle } of group) settle(written);
  };
  return record =>
    new Promise(resolve => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ record, settle: resolve });
    });
}

interface Journal {
  readonly file: string;
  readonly records: Records;
  readonly writer: Writer;
  readonly onNote: (message: string) => void;
}

async function runOnce(
  journal: Journal,
  key: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const known = await explained(journal.file, async () => lookUp(journal, key));
  if (known !== null) return known.value;
  const result = encode(await work());
  return explained(journal.file, async () => {
    await journal.writer({ key, result, checksum: checksumOf(key, result) });
    // Another process may have recorded the key first: what is recorded is what counts.
    const recorded = lookUp(journal, key);
    if (recorded === null)
      throw new Error(
        `The journal lost the step ${key} as soon as it was recorded (${journal.file}).`,
      );
    return recorded.value;
  });
}

function lookUp({ records, onNote }: Journal, key: string): { readonly value: unknown } | null {
  const record = records.get(key);
  if (record === null) return null;
  if (isIntact(record)) return { value: decode(record.result) };
  records.setAside(key);
  onNote(`The journal's record of step ${key} is damaged; the step counts as not done.`);
  return null;
}

function encode(result: unknown): string {
  return JSON.stringify(result) ?? '';
}

function decode(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

async function whenFree(action: () => void): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += busy.pieceMs) {
    try {
      return action();
    } catch (error) {
      const isBusy = ((resultCodeOf(error) ?? 0) & 0xff) === resultCodes.busy;
      if (!isBusy || waitedMs >= busy.waitMs) throw error;
    }
    await sleep(busy.pieceMs);
  }
}

/** A file that could be opened before and cannot be now has run out of descriptors. */
const diskCodes: Readonly<Record<number, string>> = {
  [resultCodes.full]: 'ENOSPC',
  [resultCodes.readonly]: 'EROFS',
  [resultCodes.ioError]: 'EIO',
  [resultCodes.cannotOpen]: 'EMFILE',
};

async function explained<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(error, file);
  }
}

function explain(error: unknown, file: string): unknown {
  const code = resultCodeOf(error);
  if (code === null) return explainDiskFailure(error, { path: file, again: 'try again' });
  if ((code & 0xff) === resultCodes.busy)
    return new UserError(`Another process is writing the journal (${file}).`, {
      kind: 'usage',
      hint: 'Wait until it ends, then try again.',
      cause: error,
    });
  const name = diskCodes[code & 0xff];
  if (name === undefined || fsyncCodes.has(code)) return error;
  return explainDiskFailure(
    Object.assign(new Error(String(error), { cause: error }), { code: name }),
    { path: file, again: 'try again' },
  );
}
