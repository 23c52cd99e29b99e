/**
 * The one place where reasons become an outcome, and outcomes exit codes. Nothing else in the program writes either
 * (`test/structure/outcome.test.ts`). Imports next to nothing at run time: the program starts with it.
 */
import { isReader } from '../words/runner.ts';
import type { Outcome, Reason } from './record.ts';

/** FAIL comes first: what was found is not undone by a reviewer that is missing. No reason is a pass. */
export function outcomeOf(reasons: readonly Pick<Reason, 'effect'>[]) {
  if (reasons.some(({ effect }) => effect === 'FAIL')) return 'FAIL';
  return reasons.length > 0 ? 'INCOMPLETE' : 'PASS';
}

interface Decided {
  /** Null: a plain question, which has no gate to pass, was answered by enough reviewers. */
  readonly outcome: Outcome | null;
  readonly reasons: Reason[];
}

/** Is the outcome the one that the reasons come to? A question that was answered has neither. */
export function isFounded({ outcome, reasons }: Decided) {
  return outcome === (reasons.length === 0 && outcome === null ? null : outcomeOf(reasons));
}

/** Does the rule set hold a run against a gate? Where it does not, a run against which nothing stands is answered and no pass. */
interface Judged {
  readonly gate: boolean;
}

/** A record with its outcome: everything that decides is in `reasons` by now. Those that fail the run stand first. */
export function decide<Draft extends object>(
  draft: Draft,
  reasons: readonly Reason[],
  { gate }: Judged = { gate: true },
): Draft & Decided {
  const ordered = [
    ...reasons.filter(({ effect }) => effect === 'FAIL'),
    ...reasons.filter(({ effect }) => effect !== 'FAIL'),
  ];
  const isAnswered = !gate && ordered.length === 0;
  return { ...draft, outcome: isAnswered ? null : outcomeOf(ordered), reasons: ordered };
}

interface Ended {
  readonly outcome: Outcome | null;
  readonly reviewers: readonly (Parameters<typeof isReader>[0] & { readonly status: string })[];
  readonly claims: readonly { readonly severity: string; readonly state: string }[];
}

/** The outcome as people read it. One that no reader has a part in says so. */
export function sayOutcome(ended: Ended) {
  return hasReader(ended) ? sayGate(ended) : `${sayGate(ended)} (static checks alone)`;
}

/** Also true where nobody at all is seated. */
export function hasReader({ reviewers }: Pick<Ended, 'reviewers'>) {
  return reviewers.length === 0 || reviewers.some(isReader);
}

export function countComplete(seats: readonly { readonly status: string }[]) {
  return seats.filter(({ status }) => status === 'complete').length;
}

/** That of a plain question is how many answered it; a pass says what of weight is open beside it. */
export function sayGate({ outcome, reviewers, claims }: Ended) {
  if (outcome === null) return `Answered by ${countComplete(reviewers)} of ${reviewers.length}`;
  const open = claims.filter(({ state }) => state !== 'dismissed' && state !== 'fixed');
  const grave = ['critical', 'high'].flatMap(word => {
    const { length } = open.filter(({ severity }) => severity === word);
    return length === 0 ? [] : [`${length} ${word}`];
  });
  return outcome === 'PASS' && grave.length > 0
    ? `PASS, ${grave.join(' and ')} to look at`
    : outcome;
}

/** The words that readers of a consensus review expect, computed from what decided. */
export function describeVerdict(
  outcome: Outcome | null,
  reasons: readonly Reason[],
  { warnings, advice }: { readonly warnings: number; readonly advice: number },
) {
  const count = (rule: Reason['rule']) =>
    reasons.filter(reason => reason.rule === rule && reason.effect === 'FAIL').length;
  if (outcome === 'FAIL') {
    if (count('veto') > 0) return `BLOCKED (${some(count('veto'), 'veto', 'vetoes')})`;
    if (count('security') > 0) return 'BLOCKED (security coverage)';
    const found = count('engine') > 0 ? [`${count('engine')} of the engine`] : [];
    const claims =
      count('claim') > 0 || found.length === 0
        ? [some(count('claim'), 'blocking claim', 'blocking claims')]
        : [];
    return `BLOCKED (${[...found, ...claims].join(', ')})`;
  }
  if (outcome === 'INCOMPLETE') return 'INCOMPLETE';
  // Without a gate nothing was approved.
  if (outcome === null || advice > 0) return 'ADVISORY';
  return warnings === 0 ? 'APPROVED' : `APPROVED (${some(warnings, 'warning', 'warnings')})`;
}

function some(amount: number, one: string, many: string) {
  return `${amount} ${amount === 1 ? one : many}`;
}

const exitOfOutcome: Partial<Record<Outcome, number>> = { PASS: 0, FAIL: 1, INCOMPLETE: 2 };

/** Enough reviewers answered a plain question. */
const answeredExit = 0;

/** How the program ends where no run decides. */
export const programExits = { unusableInput: 2, usage: 3, fault: 4, interrupted: 130 } as const;

/** `multi-consensus` keeps the codes of the script it stands in for, which knew no gate. */
export const consensusExits = { failed: 1, usage: 3 } as const;

/** `jury ground` keeps those of its contract. */
export const groundingExits = { grounded: 0, violation: 3 } as const;

/** A process that was interrupted says so, whatever the run had come to by then. */
export function exitCodeOf(outcome: Outcome | null, isInterrupted = false) {
  if (isInterrupted) return programExits.interrupted;
  return outcome === null ? answeredExit : (exitOfOutcome[outcome] ?? programExits.fault);
}
