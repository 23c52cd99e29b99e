/** `jury verify`: what can be checked about a change without asking anybody. */
import { z } from 'zod';
import { createJury, VerifyRequest } from '../index.ts';
import { renderIntegrity } from '../render/checks.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { printJson } from '../render/json.ts';

export const verify = defineCommand({
  summary: 'Check what needs no opinion about a change',
  flags: VerifyRequest.extend({
    json: z.boolean().default(false).describe('Print the result as JSON'),
  }),
  epilogue: `Exits 0 when the change keeps its word, 1 when it does not.

Examples:
  jury verify --coverage coverage/lcov.info
  jury verify main..HEAD --coverage lcov.info --gate tests=pass --gate lint=pass
  jury verify --exempt "src/a.test.ts:12 .skip(=needs the new database, see issue 7"`,
  async run({ json, ...request }, terminal) {
    const verified = await createJury(callOf(terminal)).verify(request);
    const { title, integrity, evidence } = verified;
    terminal.write(
      json
        ? printJson({
            schema: 'jury.integrity/1',
            title,
            ...integrity,
            ...(evidence && { evidence }),
          })
        : renderIntegrity(verified),
    );
    return integrity.ok &&
      (evidence?.recommendations.every(({ state }) => state === 'proven') ?? true)
      ? 0
      : 1;
  },
});
