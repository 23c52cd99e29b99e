/**
 * What a command sees of the process: where to write, how wide and colourful, what the caller's folder and environment are,
 * what Ctrl-C means.
 */
import { closeSync, readFileSync, readlinkSync } from 'node:fs';
import { isatty } from 'node:tty';
import { makeVisible } from '../core/safety/visible-text.ts';
import { withoutCommands } from '../core/safety/workflow-text.ts';
import { setMaxListeners } from 'node:events';
import { programExits } from '../core/verdict/outcome.ts';
import type { Call, OnEvent } from '../index.ts';
import { wrapWords } from '../render/terminal-text.ts';

export interface Terminal {
  /** Reports only; progress and logs go to `note`. Throws where nobody can read it. `commands`: it is made of those of a workflow. */
  write(text: string, as?: 'commands'): void;
  /** Words for people, never colours: whatever steers a terminal is shown. */
  note(text: string): void;
  /** Columns of standard output; 80 when it is no terminal. */
  readonly width: number;
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly errorStream: NodeJS.WriteStream;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Everything on standard input; rejects with the reason of `signal` when that aborts. */
  readInput(): string | Promise<string>;
  /** Aborts at the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
}

export function createTerminal(signal: AbortSignal): Terminal {
  const { stdout, stderr, env } = process;
  // Node leaves `isTTY` undefined where there is no terminal, whatever its types say; for others undefined means "decide by yourself".
  const isTerminal = [stdout.isTTY].includes(true);
  return {
    write(text, as) {
      // No outcome is worth its exit code when nobody was told what it is made of.
      if (!isTerminal && isOutputClosed())
        throw new Error(
          'standard output is closed, so the report reached nobody. To do without it, send it to /dev/null or name a file with --out.',
        );
      const words = as === 'commands' ? text : forLog(text);
      stdout.write(words.endsWith('\n') ? words : `${words}\n`);
    },
    note: text => tell(stderr, `${text}\n`),
    width: stdout.columns ?? 80,
    isTerminal,
    color: isTerminal && !env.NO_COLOR && env.TERM !== 'dumb',
    errorStream: stderr,
    cwd: process.cwd(),
    environment: env,
    readInput: async () => (await import('../index.ts')).readStandardInput(signal),
    signal,
  };
}

/** What the runner of a workflow reads as well must command nothing there. */
export function forLog(text: string): string {
  return process.env.GITHUB_ACTIONS === 'true' ? withoutCommands(text) : text;
}

/** Messages quote names and answers of the world. On a terminal its lines end between words. */
export function tell(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number },
  text: string,
): void {
  const words = forLog(makeVisible(text));
  stream.write(stream.isTTY === true ? wrapWords(words, stream.columns ?? 80) : words);
}

export function callOf({ cwd, environment, signal, readInput }: Terminal): Call {
  return { cwd, environment, signal, readInput };
}

/** For commands that show no progress: what the library has to say stands on standard error. */
export function notedCallOf(terminal: Terminal): Call {
  return { ...callOf(terminal), onEvent: noteEvent(terminal) };
}

export function noteEvent(terminal: Terminal): OnEvent {
  return event => {
    if (event.type === 'note') terminal.note(`jury: ${event.message}`);
  };
}

interface Question {
  /** Has the person agreed already, by a flag? */
  readonly isGiven: boolean;
  /** What did not happen, without the end of the sentence. */
  readonly refused: string;
  /** Who may agree where there is no terminal. */
  readonly reader: string;
}

/** Resolves when the person agrees. Throws `UserError` (kind `usage`) when not, and where nobody can be asked. */
export async function confirm(
  question: string,
  { isGiven, refused, reader }: Question,
  terminal: Terminal,
): Promise<void> {
  if (isGiven) return;
  const { UserError } = await import('../core/errors.ts');
  if (!process.stdin.isTTY)
    throw new UserError(`${refused}: there is no terminal to ask on.`, {
      kind: 'usage',
      hint: reader,
    });
  if (!(await isAgreed(question, terminal))) throw new UserError(`${refused}.`, { kind: 'usage' });
}

/** Is there a person who sees a question and can answer it? Nobody watches the terminals that some CI gives its programs. */
export function isAnswerable({ errorStream, environment }: Terminal): boolean {
  return process.stdin.isTTY && errorStream.isTTY && !environment.CI;
}

/** Only a yes agrees. To be asked where there is a terminal. */
export async function isAgreed(question: string, terminal: Terminal): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `, terminal)) ?? '');
}

/** What a person answers, trimmed; null when the input ended. To be asked where there is a terminal. */
export async function ask(question: string, terminal: Terminal): Promise<string | null> {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: process.stdin, output: terminal.errorStream });
  // While a line is read the keys of the terminal are ours: Ctrl-C is to do what it does everywhere.
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // The end of the input answers nothing, and would be waited for without end.
  const ended = new Promise<null>(resolve => asking.once('close', () => resolve(null)));
  try {
    const answer = await Promise.race([
      asking.question(question, { signal: terminal.signal }),
      ended,
    ]);
    if (answer === null) terminal.note('');
    return answer?.trim() ?? null;
  } catch (error) {
    terminal.signal.throwIfAborted();
    throw error;
  } finally {
    asking.close();
  }
}

/** For commands that read the whole project: what was finished is kept; nothing has to be said about the rest. */
export async function unlessInterrupted(
  terminal: Terminal,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (terminal.signal.aborted) return programExits.interrupted;
    throw error;
  }
}

const interruption = 'Interruption';

/** The reason of that signal, as whoever waited for something throws it: no fault, and no run was under way. */
export function isInterruption(error: unknown): error is Error {
  return error instanceof Error && error.name === interruption;
}

/**
 * Aborts at the first SIGINT, SIGTERM or SIGHUP, so that a run is saved and ends in order; the second one ends the process. To
 * be called once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // Every call under way listens: Node would take more than ten for a leak.
  setMaxListeners(0, controller.signal);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(programExits.interrupted);
      controller.abort(Object.assign(new Error(`Interrupted by ${name}.`), { name: interruption }));
    });
  }
  return controller.signal;
}

/**
 * A reader that goes away (`jury … | head`, a terminal that is closed) ends neither a run nor a command: the work goes
 * on to its end and the exit code is its own. Whatever else happens to the streams, a full disk above all, is a fault. To
 * be called once, before anything is printed.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that hung up answers with EIO; of a file that is an error of the disk.
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) throw error;
    });
  }
  leaveLostTerminals();
}

/** At its end Node sets the terminal back as it found it, and aborts where there is none any more: unless the descriptor is closed. */
function leaveLostTerminals(): void {
  const terminals = [0, 1, 2].filter(isatty);
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}

/**
 * Was standard output closed when the program started (`jury … >&-`)? Node puts the empty device in its place, opened for reading
 * and writing, which a shell that is told `> /dev/null` never does. A program that starts another one and ignores all it prints
 * does it too, with both outputs: it wants the exit code and nothing else. Known on Linux only; elsewhere false.
 */
function isOutputClosed(): boolean {
  return isEmptyDevice(1) && !isEmptyDevice(2);
}

function isEmptyDevice(descriptor: number): boolean {
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
