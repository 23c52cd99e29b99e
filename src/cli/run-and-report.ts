/** What every command that holds a run does: show progress, print the report in the wanted format, turn the outcome into an exit code. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { UserError, type Call, type Run } from '../index.ts';
import { formats, renderers, type Format } from '../render/formats.ts';
import { noteEvent } from './index-call.ts';
import { createProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

export const OutputFlags = z.strictObject({
  format: z
    .enum(formats)
    .optional()
    .describe('Form of the report; default: terminal, or brief where standard output is none')
    .meta({ value: 'FORMAT' }),
  json: z.boolean().default(false).describe('The same as --format json'),
  out: z.string().optional().describe('Write the report to a file instead').meta({ value: 'FILE' }),
});

/** Of every command that may ask whom a configuration seats. */
export const TrustFlags = z.strictObject({
  trustConfig: z
    .boolean()
    .default(false)
    .describe(
      'Let the configuration that was found start, reach and read what it names, this once',
    ),
});

export interface Output {
  readonly format: Format | undefined;
  readonly json: boolean;
  readonly out: string | undefined;
}

export async function runAndReport(
  work: (call: Call) => Promise<Run>,
  output: Output,
  terminal: Terminal,
): Promise<number> {
  const progress = createProgress({
    stream: terminal.errorStream,
    isTerminal: terminal.errorStream.isTTY,
    width: terminal.errorStream.columns ?? 80,
  });
  const run = await work({ ...callOf(terminal), onEvent: progress.onEvent }).finally(() =>
    progress.stop(),
  );
  const isInterrupted = terminal.signal.aborted;
  await printRun(run, output, terminal, isInterrupted);
  if (isInterrupted) {
    terminal.note(
      `jury: Interrupted; everything so far is saved. To go on, run "jury resume ${run.record.run}".`,
    );
  }
  return exitCodeOf(run.record.outcome, isInterrupted);
}

export function callOf({ cwd, environment, signal, readInput }: Terminal): Call {
  return { cwd, environment, signal, readInput };
}

/** For commands that show no progress: what the library has to say stands on standard error. */
export function notedCallOf(terminal: Terminal): Call {
  return { ...callOf(terminal), onEvent: noteEvent(terminal) };
}

/** What is printed names the code this process ends with; the saved run has that of its outcome. */
export async function printRun(
  run: Run,
  { format, json, out }: Output,
  terminal: Terminal,
  isInterrupted = false,
): Promise<void> {
  const chosen = json
    ? 'json'
    : (format ?? (terminal.isTerminal && out === undefined ? 'terminal' : 'brief'));
  const exitCode = exitCodeOf(run.record.outcome, isInterrupted);
  const text = renderers[chosen](run, {
    color: terminal.color && out === undefined,
    width: out === undefined ? terminal.width : 100,
    exitCode,
  });
  if (out === undefined) return terminal.write(text);
  const file = path.resolve(terminal.cwd, out);
  try {
    await writeFile(file, text.endsWith('\n') ? text : `${text}\n`);
  } catch (error) {
    throw new UserError(
      `--out: ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      { kind: 'usage', hint: `The run is saved: jury report ${run.record.run}`, cause: error },
    );
  }
  terminal.note(`Report written to ${file}.`);
}
