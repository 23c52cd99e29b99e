/** What the index keeps of one content: plain data, so that it can come from another thread. */
import { isUtf8 } from 'node:buffer';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker, parentPort } from 'node:worker_threads';
import { by } from '../../core/groups.ts';
import { readableText } from '../../core/languages/embedded-code.ts';
import { isCode } from '../../core/languages/languages.ts';
import type { TokenCounter } from '../../core/ports/repository.ts';
import { identifiersOf, partsOf, splitIdentifier, splitLines, squash } from '../../core/text.ts';
import type { Binding, Definition, Import, SkipReason } from '../../core/words/code-index.ts';
import { packageRoot } from '../system/package-root.ts';
import { loadTokenCounter } from '../tokens/token-counter.ts';
import { structureOf } from './structure.ts';

/** A content to be taken apart. */
interface Content {
  /** One of the paths it has; only its ending matters. */
  path: string;
  language: string;
  bytes: Uint8Array;
}

export interface Extract {
  /** Why nothing else is kept. */
  readonly reason: SkipReason | null;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  /** Lines in all the names. */
  readonly places: number;
  /** With the lines that call a name and those on which it only stands, both parted by blanks. */
  readonly names: readonly (readonly [
    name: string,
    isDefined: boolean,
    calls: string,
    uses: string,
  ])[];
  /** Outer before inner. */
  readonly definitions: readonly Omit<Definition, 'path'>[];
  readonly imports: readonly Omit<Import, 'path' | 'targets'>[];
  /** Empty where no grammar tells them. */
  readonly bindings: readonly Binding[];
  readonly passages: readonly Passage[];
}

interface Passage {
  startLine: number;
  endLine: number;
  body: string;
  /** Parts of the identifiers that the text does not spell as words of their own. */
  words: string;
  /** What is defined on its lines: the names without their separators, and the parts of the names. */
  names: string;
}

const nothing: Omit<Extract, 'reason'> = {
  bytes: 0,
  lines: 0,
  tokens: 0,
  places: 0,
  names: [],
  definitions: [],
  imports: [],
  bindings: [],
  passages: [],
};

const longestSignature = 200;

async function extract(
  { bytes, path, language }: Content,
  counter: TokenCounter,
): Promise<Extract> {
  const whole = isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    : '';
  const text = readableText(path, whole);
  // Of a notebook only the cells count: its outputs are pictures as often as not.
  const reason = reasonByContent(text === whole ? bytes : Buffer.from(text), language);
  if (reason !== null) return { ...nothing, reason };
  const { names, imports, bindings, ...found } = await structureOf(path, whole, language);
  const written = text.split('\n');
  const definitions = found.definitions
    .map(one => ({
      ...one,
      signature: (written[one.nameLine - 1] ?? '').trim().slice(0, longestSignature),
    }))
    .toSorted(
      by(
        ({ startLine }) => startLine,
        ({ endLine }) => -endLine,
      ),
    );
  const defined = new Set(definitions.map(({ name }) => name));
  const lines = [...names.values()];
  return {
    reason,
    bytes: bytes.byteLength,
    lines: splitLines(text).length,
    tokens: counter.count(text),
    places: lines.reduce((sum, { calls, uses }) => sum + calls.size + uses.size, 0),
    names: [...new Set([...names.keys(), ...defined])].map(name => {
      const { calls = [], uses = [] } = names.get(name) ?? {};
      return [name, defined.has(name), [...calls].join(' '), [...uses].join(' ')];
    }),
    definitions,
    imports: imports.toSorted(by(({ line }) => line)),
    bindings,
    passages: [...cutPassages(text, definitions)],
  };
}

// Cuts a text into the passages that a search finds.

const linesPerPassage = 40;
const longestPassage = 8_000;

const fullPassage = new RegExp(`^(?:[^\\n]*\\n){${linesPerPassage}}`);

/** In order, without overlap; a line longer than a passage is spread over several. */
function* cutPassages(
  text: string,
  definitions: readonly Pick<Definition, 'name' | 'startLine'>[],
): Generator<Passage> {
  let [startLine, next] = [1, 0];
  for (let start = 0; start < text.length;) {
    const most = text.slice(start, start + longestPassage);
    const body = fullPassage.exec(most)?.[0] ?? most;
    const behind = startLine + body.split('\n').length - 1;
    const endLine = behind - Number(body.endsWith('\n'));
    const first = next;
    while ((definitions[next]?.startLine ?? Infinity) <= endLine) next += 1;
    const names = definitions
      .slice(first, next)
      .flatMap(({ name }) => [squash(name), ...partsOf(name)]);
    yield {
      startLine,
      endLine,
      body,
      words: [...identifiersOf(body)].map(joinParts).join(''),
      names: [...new Set(names)].join(' '),
    };
    start += body.length;
    startLine = behind;
  }
}

/** True of an identifier whose parts no search for words would find: separators part words by themselves. */
const isJoined = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/** A project says the same identifiers over and over. */
const parted = new Map<string, string>();
const mostParted = 50_000;

/** Each part behind a blank; nothing for an identifier that is no more than one word. */
function joinParts(identifier: string) {
  const known = parted.get(identifier);
  if (known !== undefined) return known;
  const parts = isJoined.test(identifier) ? ` ${splitIdentifier(identifier).join(' ')}` : '';
  if (parted.size >= mostParted) parted.clear();
  // A copy: a piece of a text would keep the whole text in memory.
  parted.set(Buffer.from(identifier, 'utf16le').toString('utf16le'), parts);
  return parts;
}
const generatedHeader = new RegExp(
  '@generated\\b|\\bDO NOT EDIT\\b|\\bDo not edit (?:this file )?(?:manually|by hand)\\b|\\b[Cc]ode generated by\\b|' +
    '\\bautomatically generated by\\b|<auto-generated',
);

/** Null when the content can be read as text that people wrote. */
function reasonByContent(bytes: Uint8Array, language: string): SkipReason | null {
  if (bytes.subarray(0, 8_192).includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'not UTF-8';
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The header of a generated file stands in its first lines.
  if (generatedHeader.test(buffer.toString('utf8', 0, 1_000).split('\n', 6).join('\n')))
    return 'generated';
  return isCode(language) && isMinified(buffer) ? 'minified' : null;
}

/** Three hundred bytes a line in the mean: nobody writes so. */
function isMinified(bytes: Buffer) {
  if (bytes.length < 5_000) return false;
  let lines = 1;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines += 1;
  return bytes.length / lines > 300;
}

// Takes contents apart on all cores: in this thread, and in others where there is more to do than they cost. A thread that fails is
// reported, and what it had in hand is done here: no content is lost and none is taken apart twice.

/** What a thread answers to the contents it is sent, in their order. */
interface ExtractedPortion {
  /** What counted the tokens. */
  counter: string;
  extracts: readonly Extract[];
}

/** Built from `index-worker.ts`. */
const program = join(packageRoot, 'dist', 'index-worker.js');
/** Of contents to each thread: to start one, with its grammars and its encoding, takes a processor as long as to take apart half of it. */
const bytesPerThread = 2 * 1024 * 1024;
/** What they find is written by one; more than a few wait for it. */
const mostThreads = 4;
/** Enough that none waits while what was found is written. */
const portionsPerThread = 8;

export function openExtractors({
  counter,
  bytes,
  threads = Math.min(availableParallelism() - 1, mostThreads, Math.floor(bytes / bytesPerThread)),
  onNote,
}: {
  readonly counter: TokenCounter;
  /** Of all the contents that are to come. */
  readonly bytes: number;
  /** Threads beside this one, which works as well; default: as many as pay for `bytes`. */
  readonly threads: number | undefined;
  readonly onNote: (message: string) => void;
}) {
  let [isSilent, isClosed, isBusyHere] = [false, false, false];
  const report = (failure: string) => {
    if (!isSilent)
      onNote(`A thread of the code index failed and its files are read without it: ${failure}`);
    isSilent = true;
  };
  const started = Array.from({ length: Math.max(0, threads) }, () =>
    startThread(describeCounter(counter), report),
  );
  return {
    /** How many portions are best under way at once. */
    depth: started.length * portionsPerThread + 1,
    /** One extract for each content, in the same order. */
    async extract(contents: readonly Content[]): Promise<readonly Extract[]> {
      if (isClosed) return [];
      const [thread] = started.filter(one => one.works()).toSorted(by(one => one.busy()));
      if (!thread || (thread.busy() >= portionsPerThread && !isBusyHere)) {
        isBusyHere = true;
        return extractInTurn(contents, counter).finally(() => void (isBusyHere = false));
      }
      return (await thread.extract(contents)) ?? (isClosed ? [] : extractInTurn(contents, counter));
    },
    /** Ends the threads, whatever they are doing. */
    async close() {
      [isSilent, isClosed] = [true, true];
      await Promise.all(started.map(({ close }) => close()));
    },
  };
}

async function extractInTurn(contents: readonly Content[], counter: TokenCounter) {
  const extracts = [];
  for (const content of contents) extracts.push(await extract(content, counter));
  return extracts;
}

/** What a thread does: takes apart the contents it is sent, in order. Whatever it throws ends it, and is reported. */
export function serveIndex() {
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (contents: readonly Content[]) => {
    last = last.then(() => answer(contents));
  });
}

async function answer(contents: readonly Content[]) {
  const counter = await loadTokenCounter();
  const answered: ExtractedPortion = {
    counter: describeCounter(counter),
    extracts: await extractInTurn(contents, counter),
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  parentPort?.postMessage(answered);
}

/** Two that count differently must not fill one index. */
export function describeCounter({ name, version, estimated }: TokenCounter) {
  return JSON.stringify({ name, version, estimated });
}

function startThread(counter: string, report: (failure: string) => void) {
  // It needs nothing of the environment, and reads nothing but the package's own files.
  const worker = new Worker(program, { env: {}, execArgv: [] });
  const waiting: ((extracts: readonly Extract[] | null) => void)[] = [];
  let works = true;
  const fail = (message: string) => {
    works = false;
    report(message);
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
    works: () => works,
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
