/**
 * The one place where reasons become an outcome, and outcomes exit codes. Nothing else in the program writes either
 * (`test/structure/outcome.test.ts`). Imports nothing at run time: the program starts with it.
 */
import type { Outcome, Reason } from './record.ts';

/** FAIL comes first: what was found is not undone by a reviewer that is missing. No reason is a pass. */
export function outcomeOf(reasons: readonly Pick<Reason, 'effect'>[]): Outcome {
  if (reasons.some(({ effect }) => effect === 'FAIL')) return 'FAIL';
  return reasons.length > 0 ? 'INCOMPLETE' : 'PASS';
}

export interface Decided {
  readonly outcome: Outcome;
  readonly reasons: Reason[];
}

/** A record with its outcome: everything that decides is in `reasons` by now. Those that fail the run stand first. */
export function decide<Draft extends object>(
  draft: Draft,
  reasons: readonly Reason[],
): Draft & Decided {
  const ordered = [
    ...reasons.filter(({ effect }) => effect === 'FAIL'),
    ...reasons.filter(({ effect }) => effect !== 'FAIL'),
  ];
  return { ...draft, outcome: outcomeOf(ordered), reasons: ordered };
}

const exitOfOutcome = { PASS: 0, FAIL: 1, INCOMPLETE: 2 } as const satisfies Record<
  Outcome,
  number
>;

/** How the program ends where no run decides. */
export const programExits = { unusableInput: 2, usage: 3, fault: 4, interrupted: 130 } as const;

/** `multi-consensus` keeps the codes of the script it stands in for, which knew no gate. */
export const consensusExits = { failed: 1, usage: 3 } as const;

/** `jury ground` keeps those of its contract. */
export const groundingExits = { grounded: 0, violation: 3 } as const;

/** A process that was interrupted says so, whatever the run had come to by then. */
export function exitCodeOf(outcome: Outcome, isInterrupted = false): number {
  return isInterrupted ? programExits.interrupted : exitOfOutcome[outcome];
}
