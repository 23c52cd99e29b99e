/**
 * Takes contents apart on all cores: in this thread, and in others where there is more to do than they cost. A thread that
 * fails is reported, and what it had in hand is done here: no content is lost and none is taken apart twice.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TokenCounter } from '../../core/ports/token-counter.ts';
import { packageRoot } from '../system/package-root.ts';
import { type Content, extract, type Extract } from './extract.ts';

export interface Extractors {
  /** How many portions are best under way at once. */
  readonly depth: number;
  /** One extract for each content, in the same order. */
  extract(contents: readonly Content[]): Promise<readonly Extract[]>;
  /** Ends the threads, whatever they are doing. */
  close(): Promise<void>;
}

interface ExtractorOptions {
  readonly counter: TokenCounter;
  /** Of all the contents that are to come. */
  readonly bytes: number;
  /** Threads beside this one, which works as well; default: as many as pay for `bytes`. */
  readonly threads: number | undefined;
  readonly onNote: (message: string) => void;
}

/** What goes to a thread: the contents laid end to end, so that nothing is copied on the way. */
export interface Portion {
  readonly number: number;
  readonly packed: Uint8Array;
  readonly contents: readonly (Omit<Content, 'bytes'> & { readonly length: number })[];
}

/** What comes back. */
export interface ExtractedPortion {
  readonly number: number;
  /** What counted the tokens. */
  readonly counter: string;
  readonly extracts: readonly Extract[];
}

/** Built from `index-worker.ts`. */
const program = join(packageRoot, 'dist', 'index-worker.js');
/** Of contents to each thread: to start one, with its grammars and its encoding, takes a processor as long as to take apart half of it. */
const bytesPerThread = 2 * 1024 * 1024;
/** What they find is written by one; more than a few wait for it. */
const mostThreads = 4;
/** Enough that none waits while what was found is written. */
const portionsPerThread = 8;

export function openExtractors({ counter, bytes, threads, onNote }: ExtractorOptions): Extractors {
  // This one works as well.
  const wanted =
    threads ??
    Math.min(availableParallelism() - 1, mostThreads, Math.floor(bytes / bytesPerThread));
  const here = (contents: readonly Content[]): Promise<readonly Extract[]> =>
    inTurn(contents, content => extract(content, counter));
  if (wanted < 1) return { depth: 1, extract: here, close: () => Promise.resolve() };

  const started = Array.from({ length: wanted }, () => startThread(describeCounter(counter)));
  let isReported = false;
  let isClosed = false;
  let isBusyHere = false;
  const report = (): void => {
    const failure = started.map(one => one.failure()).find(message => message !== null);
    if (!isReported)
      onNote(`A thread of the code index failed and its files are read without it: ${failure}`);
    isReported = true;
  };
  return {
    depth: wanted * portionsPerThread + 1,
    async extract(contents) {
      const thread = started
        .filter(({ failure }) => failure() === null)
        .toSorted((one, other) => one.busy() - other.busy())[0];
      if (thread !== undefined && thread.busy() >= portionsPerThread && !isBusyHere) {
        isBusyHere = true;
        return here(contents).finally(() => void (isBusyHere = false));
      }
      const extracts = await thread?.extract(contents);
      if (extracts !== undefined && extracts !== null) return extracts;
      if (isClosed) return [];
      report();
      return here(contents);
    },
    async close() {
      isClosed = true;
      await Promise.all(started.map(({ close }) => close()));
    },
  };
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Two that count differently must not fill one index. */
export function describeCounter({ name, version, estimated }: TokenCounter): string {
  return JSON.stringify({ name, version, estimated });
}

function startThread(counter: string) {
  // It needs nothing of the environment, and reads nothing but the package's own files.
  const worker = new Worker(program, { env: {}, execArgv: [] });
  const waiting = new Map<number, (extracts: readonly Extract[] | null) => void>();
  let failure: string | null = null;
  let sent = 0;
  const fail = (message: string): void => {
    failure ??= message;
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  };
  worker.on('message', ({ number, counter: used, extracts }: ExtractedPortion) => {
    if (used !== counter) {
      fail('it counts tokens in another way.');
      return;
    }
    waiting.get(number)?.(extracts);
    waiting.delete(number);
  });
  worker.on('error', error => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', code => fail(`it ended with exit code ${code}.`));
  return {
    /** Portions it has not answered yet. */
    busy: () => waiting.size,
    /** Why it does nothing any more; null while it works. */
    failure: () => failure,
    /** Null when it failed before it had answered. */
    extract(contents: readonly Content[]): Promise<readonly Extract[] | null> {
      const portion = pack((sent += 1), contents);
      return new Promise(resolve => {
        waiting.set(portion.number, resolve);
        worker.postMessage(portion, [portion.packed.buffer as ArrayBuffer]);
      });
    },
    close: async () => void (await worker.terminate()),
  };
}

function pack(number: number, contents: readonly Content[]): Portion {
  const packed = new Uint8Array(contents.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
  let at = 0;
  for (const { bytes } of contents) {
    packed.set(bytes, at);
    at += bytes.byteLength;
  }
  return {
    number,
    packed,
    contents: contents.map(({ path, language, bytes }) => ({
      path,
      language,
      length: bytes.byteLength,
    })),
  };
}

export function unpack({ packed, contents }: Portion): Content[] {
  let at = 0;
  return contents.map(({ path, language, length }) => {
    const bytes = packed.subarray(at, (at += length));
    return { path, language, bytes };
  });
}
