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
export function settleOutcome(decision: Decision, review: ConsensusReview, rules: SettlingRules): Settled {
  const settled = settleByRules(decision, review, rules);
  if (settled.decision.outcome !== 'PASS' || rules.gaps.length === 0) return settled;
  return { decision: { ...settled.decision, outcome: 'INCOMPLETE', reasons: [...rules.gaps] }, review: { ...settled.review, outcome: 'INCOMPLETE', verdict: 'INCOMPLETE' } };
}

export interface SettlingRules {
  readonly isRuledByFailRules: boolean;
  /** What the engine found: the first of the reasons. */
  readonly found: readonly string[];
  /** What keeps the run from being proof by whatever rules it is judged. */
  readonly gaps: readonly string[];
}

function settleByRules(decision: Decision, review: ConsensusReview, { isRuledByFailRules, found }: SettlingRules): Settled {
  const deciding = found.length + decision.blocking.length;
  const blocks = [...review.agents.filter(({ verdict }) => verdict === 'VETO' && review.outcome === 'FAIL').map(({ reviewer, ground }) => `${reviewer} vetoes the change: ${(ground ?? '').replace(/\.$/, '')}.`), ...review.blocking.map(line => `${line}.`)];
  if (review.protocol !== null) return bySection(decision, review, { blocks, isRuledByFailRules, found });
  if (review.outcome === 'FAIL') return { decision: { ...decision, outcome: 'FAIL', reasons: [...decision.reasons.slice(0, deciding), ...blocks, ...decision.reasons.slice(deciding)] }, review };
  return { decision, review: { ...review, outcome: decision.outcome, verdict: verdictOf(decision, review, found) } };
}

interface Ruling {
  readonly blocks: readonly string[];
  readonly isRuledByFailRules: boolean;
  readonly found: readonly string[];
}

function bySection(decision: Decision, review: ConsensusReview, { blocks, isRuledByFailRules, found }: Ruling): Settled {
  if (isRuledByFailRules && decision.outcome === 'FAIL' && review.outcome !== 'FAIL') return { decision, review: { ...review, outcome: 'FAIL', verdict: verdictOf(decision, review, found) } };
  const gaps = decision.reasons.slice(found.length + decision.blocking.length);
  const failing = review.outcome !== 'FAIL' ? [] : blocks.length > 0 ? blocks : [`${review.verdict}.`];
  if (found.length > 0) {
    const failed: Decision = { outcome: 'FAIL', reasons: [...new Set([...found, ...failing, ...gaps])], blocking: [] };
    return { decision: failed, review: review.outcome === 'FAIL' ? review : { ...review, outcome: 'FAIL', verdict: verdictOf(failed, review, found) } };
  }
  const reasons = review.outcome === 'FAIL' ? [...failing, ...gaps] : review.outcome === 'INCOMPLETE' ? [...gaps, ...review.uncovered.map(line => `${line}.`)] : [];
  return { decision: { outcome: review.outcome, reasons: [...new Set(reasons)], blocking: [] }, review };
}

function verdictOf({ outcome, blocking }: Decision, { verdict, warnings }: ConsensusReview, found: readonly string[]): string {
  const claims = found.length > 0 && blocking.length === 0 ? [] : [`${blocking.length} blocking ${blocking.length === 1 ? 'claim' : 'claims'}`];
  if (outcome === 'FAIL') return `BLOCKED (${[...(found.length > 0 ? [`${found.length} of the engine`] : []), ...claims].join(', ')})`;
  if (outcome === 'INCOMPLETE') return 'INCOMPLETE';
  return verdict.startsWith('APPROVED') ? verdict : `APPROVED${warnings === 0 ? '' : ` (${warnings} ${warnings === 1 ? 'warning' : 'warnings'})`}`;
}
