/** Rule sets for properties of the vote. */
import fc from 'fast-check';
import { RuleSet } from '../../src/vote/aggregation.ts';
import { everyRuleSet, shippedRules } from './sample-session.ts';

const guarded = shippedRules('guarded');
const share = fc
  .tuple(fc.nat({ max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([part, whole]) => [Math.min(part, whole), whole]);
const threshold = fc.record({ share, strict: fc.boolean() });
const custom = fc
  .record({
    of: fc.constantFrom('roster' as const, 'eligible' as const),
    simple: threshold,
    quorum: fc.option(share),
    roster: share,
    eligible: share,
    deferAbove: fc.option(share),
  })
  .map(({ of, simple, quorum: some, roster, eligible, deferAbove }) =>
    RuleSet.safeParse({
      ...guarded,
      name: 'custom',
      parameters: {
        ...guarded.parameters,
        required: { of, simple, constitutional: simple },
        quorum: some && { simple: some, constitutional: some },
        amend_tolerance: { roster, eligible },
        second_pass: { defer_above: deferAbove },
      },
    }),
  )
  .filter(({ success }) => success)
  .map(({ data }) => data as RuleSet);
/** Those that ship with Jury, and any that a file of one's own may hold. */
export const anyRules = fc.oneof(fc.constantFrom(...everyRuleSet), custom);
