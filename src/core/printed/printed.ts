/**
 * What commands print as JSON of things the program knows by a schema: `npm run build` writes each to `schema/NAME.schema.json`. The
 * other files there say themselves what a command prints, and real output is held to all of them.
 */
import { z } from 'zod';
import { printedChecks } from './checks.ts';
import { printedReports } from './reports.ts';
import { printedVotes } from './votes.ts';

interface Printed {
  /** What prints it. */
  readonly title: string;
  readonly schema: z.ZodType;
}

export const printed = {
  ...printedReports,
  ...printedChecks,
  ...printedVotes,
} satisfies Record<string, Printed>;

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
