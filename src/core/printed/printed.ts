/**
 * What commands print as JSON of things the program knows by a schema: `npm run build` writes each to `schema/NAME.schema.json`. The
 * other files there say themselves what a command prints, and real output is held to all of them.
 */
import { z } from 'zod';
import * as checks from './checks.ts';
import { EndedMotions } from '../run-files/run-record.ts';
import { MotionAccount } from './motion-account.ts';
import * as reports from './reports.ts';
import * as votes from './votes.ts';

interface Printed {
  /** What prints it. */
  readonly title: string;
  readonly schema: z.ZodType;
}

export const printed = {
  run: {
    title: 'jury review, report, resume, collect and gates --json',
    schema: reports.PrintedRun,
  },
  runs: { title: 'jury runs --json', schema: reports.PrintedRuns },
  preview: { title: 'jury review --dry-run --json', schema: reports.PrintedPreview },
  plan: { title: 'jury plan --json', schema: reports.PrintedPlan },
  explanation: { title: 'jury explain --json', schema: checks.PrintedExplanation },
  claims: { title: 'jury consensus --json', schema: reports.PrintedClaims },
  stats: { title: 'jury stats --json', schema: checks.PrintedStatistics },
  clean: { title: 'jury clean --json', schema: checks.PrintedCleaning },
  import: { title: 'jury import --json', schema: checks.PrintedImport },
  'vote-plan': { title: 'jury motions --dry-run --json', schema: votes.PrintedVotePlan },
  vote: { title: 'jury motions --json', schema: votes.PrintedVote },
  motion: { title: 'jury motions show --json', schema: MotionAccount },
  ratification: { title: 'jury motions ratify --json', schema: votes.PrintedRatification },
  audit: { title: 'jury motions verify-audit --json', schema: votes.PrintedAudit },
  consensus: { title: 'multi-consensus --json', schema: votes.PrintedConsensus },
  'vote-ended': { title: 'jury report of a vote, --json', schema: EndedMotions },
} as const satisfies Record<string, Printed>;

/** As consumers read it: JSON Schema 2020-12 of what is printed, with no key that is not named, but where anybody's may stand. */
export function jsonSchemaOf(name: keyof typeof printed): object {
  const { title, schema } = printed[name];
  const json = z.toJSONSchema(schema, {
    io: 'output',
    // What older records hold is turned into what stands beside it in its union, and never printed.
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.anyOf !== undefined)
        jsonSchema.anyOf = jsonSchema.anyOf.filter(one => Object.keys(one).length > 0);
    },
  });
  return { title: `Printed by ${title}`, ...json };
}
