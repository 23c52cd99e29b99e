/**
 * What a command sees of the world: its streams, how wide and colourful they are, the caller's folder and environment, and what
 * Ctrl-C means. A process gives its own; a test gives what it likes.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { usageError } from '../core/errors.ts';
import { makeVisible, withoutCommands } from '../core/safety/visible-text.ts';
import type { Call, OnEvent } from '../index.ts';
import type { Format } from '../render/formats.ts';
import { printJson, wrapWords } from '../render/figures.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type OutputStream = Writable & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  fd?: number;
};

/** The three streams of a program, and what aborts when the person interrupts it. */
export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly interruption: AbortSignal;
}

export interface Terminal {
  /**
   * Reports only; progress and logs go to `note`. Throws where standard output is closed. `commands`: it is made of those of a
   * workflow.
   */
  write(text: string, as?: 'commands'): void;
  /** Words for people, never colours: whatever steers a terminal is shown. */
  note(text: string): void;
  /** Columns of standard output; 80 when it is no terminal. */
  readonly width: number;
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly streams: Streams;
  /** Does a person sit at it? */
  readonly isAttended: boolean;
  readonly cwd: string;
  readonly environment: Environment;
  /** Everything on standard input; rejects with the reason of `signal` when that aborts. */
  readInput(): string | Promise<string>;
  /** Aborts at the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
}

export function createTerminal(streams: Streams, environment: Environment, cwd: string): Terminal {
  const { stdin, stdout, stderr, interruption: signal } = streams;
  const isTerminal = stdout.isTTY === true;
  return {
    write(text, as) {
      // No outcome is worth its exit code when nobody was told what it is made of.
      if (!isTerminal && isEmptyDevice(stdout.fd) && !isEmptyDevice(stderr.fd))
        throw new Error(
          'standard output is closed, so the report reached nobody. To do without it, send it to /dev/null or name a file with --out.',
        );
      const words = as === 'commands' ? text : forLog(text, environment);
      stdout.write(words.endsWith('\n') ? words : `${words}\n`);
    },
    note: text => tell(stderr, `${text}\n`, environment),
    width: stdout.columns ?? 80,
    isTerminal,
    color: isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb',
    streams,
    isAttended: stderr.isTTY === true,
    cwd,
    environment,
    readInput: async () => (await import('../index.ts')).readStandardInput(stdin, signal),
    signal,
  };
}

/** What the runner of a workflow reads as well must command nothing there. */
export function forLog(text: string, environment: Environment) {
  return environment.GITHUB_ACTIONS === 'true' ? withoutCommands(text) : text;
}

/** Messages quote names and answers of the world. On a terminal its lines end between words. */
export function tell(stream: OutputStream, text: string, environment: Environment) {
  const words = forLog(makeVisible(text), environment);
  stream.write(stream.isTTY === true ? wrapWords(words, stream.columns ?? 80) : words);
}

/** The same on standard output. */
export function fitted({ isTerminal, width }: Terminal, text: string) {
  return isTerminal ? wrapWords(text, width) : text;
}

/** For commands that show no progress: what the library has to say stands on standard error. */
export function notedCallOf(terminal: Terminal): Call {
  return { ...terminal, onEvent: noteEvent(terminal) };
}

export function noteEvent(terminal: Terminal, lead = 'jury: '): OnEvent {
  return event => {
    if (event.type === 'note') terminal.note(lead + event.message);
  };
}

/** Data where a program reads, else a text for a person. The exit code of a command that did what it was asked. */
export function answer(terminal: Terminal, json: boolean, data: unknown, text: () => string) {
  terminal.write(json ? printJson(data) : text());
  return 0;
}

interface Question {
  /** What did not happen, without the end of the sentence. */
  refused: string;
  /** Who may agree where there is no terminal. */
  reader: string;
}

/** Resolves when the person agrees. Throws `UserError` (kind `usage`) when not, and where nobody can be asked. */
export async function confirm(question: string, { refused, reader }: Question, terminal: Terminal) {
  if (!terminal.streams.stdin.isTTY)
    throw usageError(`${refused}: there is no terminal to ask on.`, reader);
  if (!(await isAgreed(question, terminal))) throw usageError(`${refused}.`);
}

/** Only a yes agrees. */
async function isAgreed(question: string, terminal: Terminal) {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({
    input: terminal.streams.stdin,
    output: terminal.streams.stderr,
  });
  // While a line is read the keys of the terminal are ours: Ctrl-C is to do what it does everywhere.
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // The end of the input answers nothing, and would be waited for without end.
  const ended = new Promise<null>(resolve => asking.once('close', () => resolve(null)));
  try {
    const said = await Promise.race([
      asking.question(`${question} [y/N] `, { signal: terminal.signal }),
      ended,
    ]);
    if (said === null) terminal.note('');
    return /^y(?:es)?$/i.test(said?.trim() ?? '');
  } catch (error) {
    terminal.signal.throwIfAborted();
    throw error;
  } finally {
    asking.close();
  }
}

/**
 * Node puts the empty device in the place of an output that was closed when the program started (`jury … >&-`), opened for reading
 * and writing, which a shell that is told `> /dev/null` never does. A program that starts another one and ignores all it prints
 * does it too, with both outputs: it wants the exit code and nothing else. Known on Linux only; elsewhere false.
 */
function isEmptyDevice(descriptor: number | undefined) {
  if (descriptor === undefined) return false;
  try {
    if (readlinkSync(`/proc/self/fd/${descriptor}`) !== '/dev/null') return false;
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) === readAndWrite;
  } catch {
    return false;
  }
}

const accessMode = 0o3;
const readAndWrite = 0o2;

/** Where a report goes, as flags say. */
export interface Output {
  readonly format?: Format | undefined;
  readonly json?: boolean;
  readonly out?: string | undefined;
  /** Nobody is asked, so there is no progress to show. */
  readonly notesOnly?: boolean;
}

/** A report as a file of its own. Throws `UserError` (kind `usage`) where it cannot be written. */
export async function writeReport(text: string, out: string, run: string, terminal: Terminal) {
  const file = path.resolve(terminal.cwd, out);
  try {
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw usageError(
      `--out: ${file} cannot be written, or is a folder.`,
      `The run is saved: jury report ${run}`,
      error,
    );
  }
  terminal.note(`Report written to ${file}.`);
}
