/** `jury motions verify-audit`: is the audit trail of a vote what was written? */
import { z } from 'zod';
import { verifyAuditTrail } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';

const brokenExit = 1;

export const verifyAudit = defineCommand({
  summary: 'Check that no event of an audit trail was changed, added or left out',
  flags: z.strictObject({
    path: z.string().min(1).describe('Result folder of a vote, or an audit_trail.json').meta({ positional: true, value: 'DIR|FILE' }),
    json: z.boolean().default(false).describe('The answer as JSON'),
  }),
  async run({ path, json }, terminal) {
    const { events, firstBroken, head } = await verifyAuditTrail(path, callOf(terminal));
    if (json) terminal.write(JSON.stringify({ intact: firstBroken === null, first_broken_seq: firstBroken, events, head_sha256: head }));
    else terminal.write(firstBroken === null ? `The audit trail is intact: ${events} events, head ${head}.` : `The audit trail is broken: event ${firstBroken} does not follow from what stands before it.`);
    return firstBroken === null ? 0 : brokenExit;
  },
});
