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

/** What a thread answers to the contents it is sent, in their order. */
export interface ExtractedPortion {
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
  const wanted =
    threads ??
    Math.min(availableParallelism() - 1, mostThreads, Math.floor(bytes / bytesPerThread));
  const here = (contents: readonly Content[]) => extractInTurn(contents, counter);
  if (wanted < 1) return { depth: 1, extract: here, close: () => Promise.resolve() };

  const started = Array.from({ length: wanted }, () => startThread(describeCounter(counter)));
  let isReported = false;
  let isClosed = false;
  let isBusyHere = false;
  return {
    depth: wanted * portionsPerThread + 1,
    async extract(contents) {
      const [thread] = started
        .filter(({ failure }) => failure() === null)
        .toSorted((one, other) => one.busy() - other.busy());
      if (thread !== undefined && thread.busy() >= portionsPerThread && !isBusyHere) {
        isBusyHere = true;
        return here(contents).finally(() => void (isBusyHere = false));
      }
      const extracts = (await thread?.extract(contents)) ?? null;
      if (extracts !== null) return extracts;
      if (isClosed) return [];
      const failure = started.map(one => one.failure()).find(message => message !== null);
      if (!isReported)
        onNote(`A thread of the code index failed and its files are read without it: ${failure}`);
      isReported = true;
      return here(contents);
    },
    async close() {
      isClosed = true;
      await Promise.all(started.map(({ close }) => close()));
    },
  };
}

export async function extractInTurn(
  contents: readonly Content[],
  counter: TokenCounter,
): Promise<Extract[]> {
  const extracts = [];
  for (const content of contents) extracts.push(await extract(content, counter));
  return extracts;
}

/** Two that count differently must not fill one index. */
export function describeCounter({ name, version, estimated }: TokenCounter): string {
  return JSON.stringify({ name, version, estimated });
}

function startThread(counter: string) {
  // It needs nothing of the environment, and reads nothing but the package's own files.
  const worker = new Worker(program, { env: {}, execArgv: [] });
  const waiting: ((extracts: readonly Extract[] | null) => void)[] = [];
  let failure: string | null = null;
  const fail = (message: string) => {
    failure ??= message;
    for (const settle of waiting.splice(0)) settle(null);
  };
  worker.on('message', ({ counter: used, extracts }: ExtractedPortion) => {
    if (used === counter) waiting.shift()?.(extracts);
    else fail('it counts tokens in another way.');
  });
  worker.on('error', error => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', code => fail(`it ended with exit code ${code}.`));
  return {
    /** Portions it has not answered yet. */
    busy: () => waiting.length,
    /** Why it does nothing any more; null while it works. */
    failure: () => failure,
    /** Null when it failed before it had answered. */
    extract: (contents: readonly Content[]) =>
      new Promise<readonly Extract[] | null>(resolve => {
        waiting.push(resolve);
        // Bytes may be a part of a buffer that others read.
        const copies = contents.map(one => ({ ...one, bytes: new Uint8Array(one.bytes) }));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(copies);
      }),
    close: async () => void (await worker.terminate()),
  };
}
