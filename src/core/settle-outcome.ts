/** Puts the decision of the fail rules and the verdict of the reviewers together: one outcome, with the reasons of both. */
import type { ConsensusReview } from './consensus-review.ts';
import type { Decision } from './gate.ts';

export interface Settled {
  readonly decision: Decision;
  readonly review: ConsensusReview;
}

/**
 * With rules of a consensus review it decides, and fail rules only where the caller set some. Without, the fail rules
 * decide, and a veto or a gap in the security coverage fails what they let pass.
 */
export function settleOutcome(decision: Decision, review: ConsensusReview, { isRuledByFailRules, gaps }: SettlingRules): Settled {
  const settled = settleByRules(decision, review, isRuledByFailRules);
  if (settled.decision.outcome !== 'PASS' || gaps.length === 0) return settled;
  return { decision: { ...settled.decision, outcome: 'INCOMPLETE', reasons: [...gaps] }, review: { ...settled.review, outcome: 'INCOMPLETE', verdict: 'INCOMPLETE' } };
}

export interface SettlingRules {
  readonly isRuledByFailRules: boolean;
  /** What keeps the run from being proof by whatever rules it is judged. */
  readonly gaps: readonly string[];
}

function settleByRules(decision: Decision, review: ConsensusReview, isRuledByFailRules: boolean): Settled {
  const blocks = [...review.agents.filter(({ verdict }) => verdict === 'VETO' && review.outcome === 'FAIL').map(({ reviewer, ground }) => `${reviewer} vetoes the change: ${(ground ?? '').replace(/\.$/, '')}.`), ...review.blocking.map(line => `${line}.`)];
  if (review.protocol !== null) return bySection(decision, review, { blocks, isRuledByFailRules });
  if (review.outcome === 'FAIL') return { decision: { ...decision, outcome: 'FAIL', reasons: [...decision.reasons.slice(0, decision.blocking.length), ...blocks, ...decision.reasons.slice(decision.blocking.length)] }, review };
  return { decision, review: { ...review, outcome: decision.outcome, verdict: verdictOf(decision, review) } };
}

interface Ruling {
  readonly blocks: readonly string[];
  readonly isRuledByFailRules: boolean;
}

function bySection(decision: Decision, review: ConsensusReview, { blocks, isRuledByFailRules }: Ruling): Settled {
  if (isRuledByFailRules && decision.outcome === 'FAIL' && review.outcome !== 'FAIL') return { decision, review: { ...review, outcome: 'FAIL', verdict: verdictOf(decision, review) } };
  const gaps = decision.reasons.slice(decision.blocking.length);
  const reasons = review.outcome === 'FAIL' ? [...(blocks.length > 0 ? blocks : [`${review.verdict}.`]), ...gaps] : review.outcome === 'INCOMPLETE' ? [...gaps, ...review.uncovered.map(line => `${line}.`)] : [];
  return { decision: { outcome: review.outcome, reasons: [...new Set(reasons)], blocking: [] }, review };
}

function verdictOf({ outcome, blocking }: Decision, { verdict, warnings }: ConsensusReview): string {
  if (outcome === 'FAIL') return `BLOCKED (${blocking.length} blocking ${blocking.length === 1 ? 'claim' : 'claims'})`;
  if (outcome === 'INCOMPLETE') return 'INCOMPLETE';
  return verdict.startsWith('APPROVED') ? verdict : `APPROVED${warnings === 0 ? '' : ` (${warnings} ${warnings === 1 ? 'warning' : 'warnings'})`}`;
}
