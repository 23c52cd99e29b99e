/** What can be checked without asking anybody: `jury verify` a change, `jury ground` the findings of a folder. */
import { flag } from '../core/flags.ts';
import { printJson } from '../render/json.ts';
import { createJury, groundingExit, GroundRequest, UserError, VerifyRequest } from '../index.ts';
import { inputError } from '../core/errors.ts';
import { renderGrounding, renderIntegrity } from '../render/checks.ts';
import { wrapLines } from '../render/terminal-text.ts';
import { defineCommand, type RunnableCommand } from './command.ts';
import { callOf } from './terminal.ts';

export const verify = defineCommand({
  summary: 'Check what needs no opinion about a change',
  flags: VerifyRequest.extend({
    json: flag('Print the result as JSON'),
  }),
  epilogue: `Exits 0 when the change keeps its word, 1 when it does not.

Examples:
  jury verify --coverage coverage/lcov.info
  jury verify main..HEAD --coverage lcov.info --gate tests=pass --gate lint=pass
  jury verify --exempt "src/a.test.ts:12 .skip(=needs the new database, see issue 7"`,
  async run({ json, ...request }, terminal) {
    const verified = await createJury(callOf(terminal)).verify(request);
    const { title, integrity, evidence } = verified;
    const text = renderIntegrity(verified, request.coverage !== undefined);
    terminal.write(
      json
        ? printJson({
            schema: 'jury.integrity/1',
            title,
            ...integrity,
            ...(evidence && { evidence }),
          })
        : terminal.isTerminal
          ? wrapLines(text, terminal.width)
          : text,
    );
    return integrity.ok &&
      (evidence?.recommendations.every(({ state }) => state === 'proven') ?? true)
      ? 0
      : 1;
  },
});

/** `jury ground`: does every merged finding trace to what a reviewer wrote? */
const command = defineCommand({
  summary: 'Check that every merged finding traces to what a reviewer wrote',
  flags: GroundRequest.extend({ json: flag('The result as JSON') }),
  epilogue: `Exit codes: 0 grounded, or only warnings; 2 usage, or the folder cannot be used; 3 a violation.

Examples:
  jury ground reviews
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
          error instanceof UserError ? inputError(error.message, error.hint, error) : error,
        ),
      ),
};
