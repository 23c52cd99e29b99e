/** `jury mcp`: the entry point for agents, over standard input and output. */
import { set } from '../core/flags.ts';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import { defineCommand } from './command.ts';
import type { Terminal } from './terminal.ts';
import { Text } from '../core/words/fields.ts';

const rootPattern = /^([a-z0-9][a-z0-9-]{0,49})=(.+)$/;

export const mcp = defineCommand({
  summary: 'Serve agents over MCP on standard input and output',
  flags: z.strictObject({
    root: set(
      z
        .array(
          Text.regex(
            rootPattern,
            'must be NAME=FOLDER with a name of small letters, digits and dashes',
          ),
        )
        .min(1),
      'NAME=FOLDER',
      'Folder that callers may name (repeatable); default: here=the working directory',
    ),
  }),
  epilogue: `Examples:
  claude mcp add jury -- jury mcp
  jury mcp --root app=./app --root library=../library`,
  async run({ root = ['here=.'] }, terminal) {
    const [first, ...others] = await Promise.all(root.map(text => toRoot(text, terminal)));
    if (!first) throw usageError('--root: It is missing.');
    const { serveAgents } = await import('../mcp/server.ts');
    await serveAgents(
      {
        roots: [first, ...others],
        environment: terminal.environment,
        log: line => terminal.note(`jury: ${line}`),
      },
      terminal.streams,
    );
    return 0;
  },
});

async function toRoot(text: string, { cwd }: Terminal) {
  const [, name = '', folder = ''] = rootPattern.exec(text) ?? [];
  try {
    return { name, folder: await realpath(path.resolve(cwd, folder)) };
  } catch (error) {
    throw usageError(`--root: the folder ${folder} cannot be opened.`, null, error);
  }
}
