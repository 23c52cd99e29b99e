/** `jury ground`: does every merged finding trace to what a reviewer wrote? */
import { z } from 'zod';
import { createJury, groundingExit, GroundRequest, UserError } from '../index.ts';
import { renderGrounding } from '../render/checks.ts';
import { defineCommand, type RunnableCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { printJson } from '../render/json.ts';

const command = defineCommand({
  summary: 'Check that every merged finding traces to what a reviewer wrote',
  flags: GroundRequest.extend({ json: z.boolean().default(false).describe('The result as JSON') }),
  epilogue: `Exit codes: 0 grounded, or only warnings; 2 usage, or the folder cannot be used; 3 a violation.

Examples:
  jury ground .jury/runs/20261121T101500Z-0a1b2c/reviews
  jury ground reviews --strict --json`,
  async run({ json, ...request }, terminal) {
    const grounding = await createJury(callOf(terminal)).ground(request);
    if (json) terminal.write(printJson(grounding));
    else {
      const { output, notes } = renderGrounding(grounding);
      for (const note of notes) terminal.note(note);
      if (output !== '') terminal.write(output);
    }
    return groundingExit(grounding);
  },
});

/** Codes of its own: here 3 is a violation, so that a wrong call must be something else. */
export const ground: RunnableCommand = {
  ...command,
  execute: (name, args, terminal) =>
    command
      .execute(name, args, terminal)
      .catch((error: unknown) =>
        Promise.reject(
          error instanceof UserError
            ? new UserError(error.message, { kind: 'input', hint: error.hint, cause: error })
            : error,
        ),
      ),
};
