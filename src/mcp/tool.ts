/**
 * What a tool of the entry point for agents is: static text, a checked input, an answer of a few facts and at most one field of
 * untrusted text.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { inputError, usageError } from '../core/errors.ts';
import { z } from 'zod';
import { firstProblem } from '../core/schema-problem.ts';
import { type Call, createJury } from '../index.ts';
import type { Answer } from './answer.ts';
import type { JobQueue } from './job-queue.ts';
import { Text, Whole, optional, preset } from '../core/words/fields.ts';

export interface ToolCall {
  readonly queue: JobQueue;
  readonly roots: Roots;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the caller takes the request back. Runs go on all the same. */
  readonly signal: AbortSignal;
  /** Shows the caller that work goes on; does nothing for one that did not ask to see it. */
  readonly onProgress: (message: string) => void;
}

/** Static text only: what a model reads about a tool must not depend on what anybody wrote. */
interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** True when it neither asks a reviewer nor changes anything. */
  readonly readOnly: boolean;
  readonly input: Input;
  readonly answer: (input: z.output<Input>, call: ToolCall) => Promise<Answer>;
}

export interface Tool {
  readonly name: string;
  /** As `tools/list` gives it. */
  readonly listing: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: ObjectSchema;
    readonly annotations: { readonly readOnlyHint: boolean };
  };
  /** Throws `UserError` for arguments the schema refuses and for what the caller can put right. */
  call(given: unknown, call: ToolCall): Promise<Answer>;
}

interface ObjectSchema {
  readonly type: 'object';
  readonly [key: string]: unknown;
}

export function defineTool<Input extends z.ZodObject>({
  name,
  description,
  readOnly,
  input,
  answer,
}: ToolDefinition<Input>): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    listing: {
      name,
      description,
      inputSchema: { ...schema, type: 'object' },
      annotations: { readOnlyHint: readOnly },
    },
    async call(given, call) {
      const checked = input.safeParse(given ?? {}, { reportInput: false });
      if (!checked.success) throw refusal(input, checked.error);
      return answer(checked.data, call);
    },
  };
}

function refusal(input: z.ZodObject, error: z.ZodError) {
  const problem = firstProblem(input, error);
  return usageError(`${String(problem.path[0] ?? 'arguments')}: ${problem.sentence}`, null, error);
}

/** Inputs that several tools have in common. */
export const RootName = optional(Text.max(100), 'Name of an allowed root; default: the first');
export const RunName = Text.min(1).max(100).describe('Run id, a unique beginning, or latest');
export const Part = preset(Whole.min(1).max(10_000), 1, 'Which piece of a cut answer');

export interface Root {
  readonly name: string;
  /** Absolute, with links resolved. */
  readonly folder: string;
}

/** The first one is the default. */
export type Roots = readonly [Root, ...Root[]];

/** Throws `UserError` (kind `usage`) with the names there are. */
export function rootNamed(roots: Roots, name: string | undefined) {
  const found = name === undefined ? roots[0] : roots.find(root => root.name === name);
  if (found === undefined)
    throw usageError(
      'root: there is no root of this name.',
      `Known: ${roots.map(root => root.name).join(', ')}.`,
    );
  return found;
}

/** The run of that name that is under way in a root, or has ended lately; null: there is none. */
export function jobNamed({ queue, roots }: ToolCall, root: string | undefined, run: string) {
  return queue.find(rootNamed(roots, root).name, run);
}

/** The library in the folder of a root. */
export function juryAt(
  { roots, environment }: ToolCall,
  name: string | undefined,
  { signal }: Pick<Call, 'signal'> = {},
) {
  const { folder: cwd } = rootNamed(roots, name);
  return createJury({ cwd, environment, ...(signal && { signal }) });
}

/**
 * A file or folder below the root, as a relative path. Throws `UserError` for an absolute one, for one with `..`, and for
 * one that a link leads out of the root.
 */
export async function pathIn({ folder }: Root, given: string) {
  const names = given.split(/[\\/]/);
  if (
    path.isAbsolute(given) ||
    path.win32.isAbsolute(given) ||
    names.includes('..') ||
    given.includes('\0')
  )
    throw usageError('subject: it must be a path below the root, without "..".');
  const real = await realpath(path.join(folder, given)).catch(() => null);
  if (real === null) throw inputError('subject: there is no such file below the root.');
  if (real !== folder && !real.startsWith(folder + path.sep))
    throw inputError('subject: it leads out of the root.');
  return path.relative(folder, real) || '.';
}
