/** What no answers of this panel could meet: known before anybody is asked, and paid, for a run that can come to nothing. */
import { usageError } from '../errors.ts';
import type { Seat } from '../words/config.ts';
import { isReader, voicesOf } from '../words/runner.ts';
import type { OutcomeRules } from './rule-set.ts';

interface Demanded {
  /** Readers that somebody wants heard; null: nobody said. */
  readonly quorum: number | null;
  /** As they were written; null: nobody set any. */
  readonly failOn: readonly string[] | null;
  readonly rules: OutcomeRules;
}

type Kind = Pick<Seat, 'runner' | 'role'>;

/** Throws `UserError` (kind `usage`). */
export function refuseUnmeetable({ quorum, failOn, rules }: Demanded, seats: readonly Kind[]) {
  const panel = voicesOf(seats);
  const { completion, claims } = rules.parameters;
  if (quorum !== null && completion === 'quorum' && quorum > panel.length)
    throw usageError(
      `The quorum is ${quorum} and the panel has ${sizeOf(panel)}, so that it can never be met.`,
      'Lower it, with --quorum for this call, or seat more reviewers.',
    );
  if (failOn === null || claims !== 'always') return;
  const rulesThatFail = failOn.filter(rule => rule !== 'never');
  if (rulesThatFail.length === 0 || rulesThatFail.some(rule => whyVoid(rule, seats) === null))
    return;
  const [first = ''] = rulesThatFail;
  throw usageError(
    `The fail rules ${rulesThatFail.join(', ')} can never be met: ${whyVoid(first, seats) ?? ''}, and the panel has ${sizeOf(panel)}.`,
    'Use single: and a severity, seat more reviewers, or say never where nothing is to fail the run.',
  );
}

/** What a rule takes that the panel has not; null where it could be met. */
function whyVoid(rule: string, seats: readonly Kind[]) {
  const { length } = voicesOf(seats);
  const [tier] = rule.split(':');
  // A reader that sits alone is the majority, and agrees with nobody.
  if (tier === 'majority' && seats.filter(isReader).length === 1) return null;
  if (tier === 'all' || tier === 'majority')
    return length < 2 ? `${rule} takes two reviewers` : null;
  if (tier === 'check' || tier === 'analyser')
    return seats.every(isReader) ? `${rule} takes a check` : null;
  return null;
}

function sizeOf(panel: readonly unknown[]) {
  return panel.length === 1 ? '1 reviewer' : `${panel.length} reviewers`;
}
