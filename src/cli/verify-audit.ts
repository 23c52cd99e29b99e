/** `jury motions verify-audit`: are the audit trail and the results of a vote what was written? */
import { z } from 'zod';
import { exitCodeOf, outcomeOf } from '../core/verdict/outcome.ts';
import type { Outcome } from '../core/verdict/record.ts';
import { createJury, type VerifiedAudit } from '../index.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { escapeHidden } from '../render/json.ts';

export const verifyAudit = defineCommand({
  summary:
    'Check that no event of an audit trail and no result of its vote was changed, added or left out',
  flags: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe('Result folder of a vote, or an audit_trail.json')
      .meta({ positional: true, value: 'DIR|FILE' }),
    json: z.boolean().default(false).describe('The answer as JSON'),
  }),
  async run({ path, json }, terminal) {
    const verified = await createJury(callOf(terminal)).verifyAudit(path);
    terminal.write(
      json
        ? escapeHidden(JSON.stringify(toJson(verified)))
        : [describeTrail(verified), describeResults(verified)].join('\n'),
    );
    return exitCodeOf(judgeAudit(verified));
  },
});

/** Results that nobody can check are as little a pass as those that were changed. */
function judgeAudit({ firstBroken, results }: VerifiedAudit): Outcome {
  if (firstBroken !== null || results.status === 'changed') return outcomeOf([{ effect: 'FAIL' }]);
  return outcomeOf(results.status === 'not_recorded' ? [{ effect: 'INCOMPLETE' }] : []);
}

function toJson(verified: VerifiedAudit): object {
  const {
    events,
    firstBroken,
    head,
    results: { status, changed, missing, added },
  } = verified;
  const outcome = judgeAudit(verified);
  return {
    intact: outcome === 'INCOMPLETE' ? null : outcome === 'PASS',
    first_broken_seq: firstBroken,
    events,
    head_sha256: head,
    results: status,
    changed,
    missing,
    added,
  };
}

function describeTrail({ events, firstBroken, head }: VerifiedAudit): string {
  if (firstBroken !== null)
    return `The audit trail is broken: event ${firstBroken} does not follow from what stands before it.`;
  return `The audit trail is intact: ${events} events, head ${head}.`;
}

function describeResults({
  results: { status, intact, changed, missing, added },
}: VerifiedAudit): string {
  if (status === 'not_recorded')
    return 'Whether the results were changed is not known: this audit trail holds no hashes of them, like those of earlier versions of Jury.';
  if (status === 'not_checked')
    return 'The results were not checked: name their folder to check them too.';
  if (status === 'intact')
    return `The results are intact: ${intact} files are as the audit trail records them.`;
  const kinds = Object.entries({ changed, missing, added }).filter(([, names]) => names.length > 0);
  return `The results are not those that were written: ${kinds.map(([kind, names]) => `${kind}: ${shorten(names)}`).join('; ')}.`;
}

const mostNames = 10;

function shorten(names: readonly string[]): string {
  const shown = names
    .slice(0, mostNames)
    .map(name => makeVisible(name))
    .join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
