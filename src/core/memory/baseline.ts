/** `jury.baseline.json`: decisions that a team commits. One order, one form, so that a change of it reads well as a diff. */
import { z } from 'zod';
import { Disposition, latestByClaim } from './known-claim.ts';

export const baselineName = 'jury.baseline.json';

export const Baseline = z.strictObject({
  schema: z.literal('jury.baseline/1'),
  dispositions: z.array(Disposition),
});
export type Baseline = z.infer<typeof Baseline>;

/** The latest decision about each claim, by file and claim, keys in one order. Ends with a line feed. */
export function printBaseline(dispositions: readonly Disposition[]): string {
  const latest = [...latestByClaim(dispositions).values()].map(inOrder).sort((one, other) => compare(one.path ?? '', other.path ?? '') || compare(one.claim, other.claim));
  return `${JSON.stringify({ schema: 'jury.baseline/1', dispositions: latest } satisfies Baseline, null, 2)}\n`;
}

function inOrder({ claim, text, path, severity, category, code, verdict, reason, scope, until, at }: Disposition): Disposition {
  return { claim, text, path, severity, category, code, verdict, reason, scope, until, at };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
