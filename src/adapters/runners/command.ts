/** Any program as a reviewer: instructions and prompt on standard input, the answer on standard output. */
import {
  type RunnerWorld,
  explicitPath,
  findExecutable,
  hashValue,
  textAnswer,
  withoutShell,
} from './executable.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  type Answer,
  type ProcessRequest,
  type Progress,
  type Runner,
  type Turn,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { isolationOf, withEnclosure } from './enclose.ts';
import { processFailure, transcriptOf } from './provider-failure.ts';
import { runIn } from './process.ts';
import { estimateUsage } from '../../core/spending/month.ts';

export function createCommandRunner(world: RunnerWorld): Runner {
  return {
    name: 'command',
    async ask(turn, signal, onProgress) {
      const { seat, outputFile } = turn;
      const command = await resolveCommand(seat, world);
      if ('status' in command) return command;
      const [, ...words] = seat.command ?? [];
      const named = words.flatMap(word => explicitPath(word, seat.home) ?? []);
      const started = { file: command.file, named, outputFile };
      return withEnclosure(world, seat, started, ({ cwd, environment, within }) => {
        return askProgram(
          { ...command, cwd, environment, within: within(), world },
          turn,
          signal,
          onProgress,
        );
      });
    },
    async fingerprint(seat) {
      const command = await resolveCommand(seat, world);
      if ('status' in command) return null;
      const isolation = await isolationOf(seat, world);
      if ('status' in isolation) return null;
      const loaded = await world.hashLoaded?.(command.file, ...command.args);
      if (!loaded) return null;
      const environment = seat.environment.map(name => [name, world.environment[name] ?? null]);
      return hashValue(['command', command, loaded, environment, isolation, seat.isolation]);
    },
  };
}

/** Words that start with `./` or `../` refer to the folder of the configuration; a program never starts in it. */
async function resolveCommand(
  seat: Seat,
  world: RunnerWorld,
): Promise<{ file: string; args: readonly string[] } | Answer> {
  const [program, ...args] = seat.command ?? [];
  if (program === undefined) return failedAnswer('not-found', 'No command is configured.');
  const executable = withoutShell(await findExecutable(program, world, seat.home));
  if (typeof executable !== 'string') return executable;
  return { file: executable, args: args.map(word => explicitPath(word, seat.home) ?? word) };
}

async function askProgram(
  {
    world,
    ...program
  }: Pick<ProcessRequest, 'file' | 'args' | 'environment' | 'cwd' | 'within'> & {
    world: RunnerWorld;
  },
  turn: Turn,
  signal: AbortSignal,
  onProgress?: (progress: Progress) => void,
) {
  const input = `${turn.instructions}\n\n${turn.prompt}`;
  let bytes = 0;
  const result = await runIn(
    world,
    {
      ...program,
      input,
      deadlines: turn.deadlines,
      onOutput: chunk => onProgress?.({ bytes: (bytes += Buffer.byteLength(chunk)) }),
      ...(turn.enough && { enough: turn.enough }),
    },
    signal,
  );
  const usage = estimateUsage(turn.seat, input, result.stdout);
  const isCut = result.stopped === 'enough' && result.stdout.trim() !== '';
  const failed = isCut
    ? null
    : processFailure(result, result.spawnError ? {} : { usage, text: result.stdout });
  // A program that ended well has said all it wanted to say.
  return (
    failed ??
    textAnswer(
      { text: result.stdout, isUtf8: result.stdoutIsUtf8 },
      { stop: isCut ? 'cut' : 'end', usage, transcript: transcriptOf(result) },
    )
  );
}
