/** What a command sees of the process: where to write, how wide and colourful, what the caller's folder and environment are. */
import { makeVisible } from '../core/safety/visible-text.ts';
import { isOutputClosed } from './closed-streams.ts';

export interface Terminal {
  /** Reports only; progress and logs go to `note`. Throws where nobody can read it. */
  write(text: string): void;
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
    write(text) {
      // No outcome is worth its exit code when nobody was told what it is made of.
      if (!isTerminal && isOutputClosed())
        throw new Error(
          'standard output is closed, so the report reached nobody. To do without it, send it to /dev/null or name a file with --out.',
        );
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    note: text => void stderr.write(`${makeVisible(text)}\n`),
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
