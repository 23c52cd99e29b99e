/** What somebody's own agents wrote: `jury collect` takes it in, `jury verdict write` keeps the verdict of one of them. */
import { flag } from '../core/flags.ts';
import { z } from 'zod';
import { processOf } from '../core/process.ts';
import { shellQuote } from '../core/text.ts';
import { createJury, VerdictRequest } from '../index.ts';
import { printJson } from '../render/json.ts';
import { defineCommand, type RunnableCommand } from './command.ts';
import { commandOf } from './run-commands.ts';
import { callOf } from './terminal.ts';

const collecting = commandOf(processOf('collect'));

const preparing = defineCommand({
  summary: collecting.summary,
  flags: z.strictObject({
    dir: z
      .string()
      .optional()
      .describe('Name of the folder')
      .meta({ positional: true, value: 'NAME' }),
    prepare: flag('Make the folder, and print what to tell the agents'),
    json: flag('The result as JSON'),
  }),
  async run({ dir, json }, terminal) {
    const inbox = await createJury(callOf(terminal)).prepareInbox(dir ?? null);
    terminal.write(
      json
        ? printJson({ schema: 'jury.inbox/1', ...inbox })
        : `${inbox.contract}\n\nWhen they have ended: jury collect ${shellQuote(inbox.folder)} --expect NAME,NAME\n`,
    );
    return 0;
  },
});

export const collect: RunnableCommand = {
  ...collecting,
  read: (name, args, terminal) => meantBy(args).read(name, args, terminal),
  execute: (name, args, terminal) => meantBy(args).execute(name, args, terminal),
};

function meantBy(args: readonly string[]): RunnableCommand {
  return args.includes('--prepare') ? preparing : collecting;
}

export const verdict = defineCommand({
  summary: 'Write the verdict file of one agent',
  flags: z.strictObject({
    action: z
      .literal('write', { error: 'Say write, which is all it does' })
      .describe('The only word: write')
      .meta({ positional: true, value: 'write', usual: ['write'] }),
    ...VerdictRequest.shape,
    json: flag('The result as JSON'),
  }),
  epilogue: `Examples:
  jury verdict write --agent fd-safety --status CLEAN --summary "nothing found"
  jury verdicts --dir .jury/verdicts --table`,
  async run(input, terminal) {
    const { json } = input;
    const request = VerdictRequest.strip().parse(input);
    const written = await createJury(callOf(terminal)).writeVerdict(request);
    terminal.write(json ? printJson({ schema: 'jury.verdict-file/1', ...written }) : written.file);
    return 0;
  },
});
