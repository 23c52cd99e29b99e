/** A terminal that no process has, for tests of one command. Errors are thrown; the program makes exit codes of them. */
import type { RunnableCommand } from '../../src/cli/command.ts';
import { createTerminal, type Environment, type Terminal } from '../../src/cli/terminal.ts';
import { createMemoryStreams } from './memory-streams.mjs';
import type { Ended } from '../beside.ts';

interface TerminalSettings {
  readonly cwd: string;
  readonly environment?: Environment;
  readonly input?: string;
  readonly width?: number;
}

/** Runs one command from `src`. */
export async function execute(
  command: RunnableCommand | undefined,
  words: readonly string[],
  { cwd, environment = {}, input, width = 80 }: TerminalSettings,
): Promise<Ended> {
  const { streams, printed } = createMemoryStreams(input);
  const own = { JURY_STATE: process.env['JURY_STATE'], ...environment };
  const terminal = { ...createTerminal(streams, own, cwd), width };
  const [name = '', ...args] = words;
  const code = await command?.execute(name, args, terminal);
  return { code: code ?? null, ...printed() };
}

function runs(): never {
  throw new Error('it runs');
}

/** Whatever a command does when its words are read begins with a look at this: it throws `it runs`. */
export const untouched = new Proxy({} as Terminal, {
  get: (_, key) => (key === 'width' ? 80 : runs()),
  ownKeys: runs,
});
