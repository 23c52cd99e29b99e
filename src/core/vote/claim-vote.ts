/** A claim as a motion: sorted by its support, counted and seated like one; and what the vote then does to the claim. */
import { clamp, logOddsOf, probabilityOf } from '../words/odds.ts';
import type { Claim } from '../words/claim.ts';
import { withConfidence } from './moved-claim.ts';
import type { ClaimDeliberation, ClaimOutcome, ClaimPanel, ClaimVote } from './records.ts';
import { type StanceThresholds, weigh } from './aggregation.ts';
import type { Argument } from './panels.ts';
import { type RiskTier, riskTierOf, type Thresholds } from './triage.ts';

/** `low` and `medium` are shares of the electorate. */
export type ClaimThresholds = Pick<Thresholds, 'low' | 'medium'> & StanceThresholds;

/** How claims are deliberated, settled with the plan. */
export interface DeliberationSettings extends ClaimThresholds {
  /** Claims in one call. */
  readonly batch: number;
  readonly panelConcurrency: number;
}

/** Well supported are claims of two or more whom no other claim contradicts. */
export function riskOf(
  { supporters, electorate, contradicts }: Claim,
  { low, medium }: ClaimThresholds,
): RiskTier {
  return riskTierOf(
    { isNovel: false, consensusTier: 'low', supporters },
    {
      support: electorate === 0 ? 0 : supporters.length / electorate,
      // What one reviewer alone says is asked about like what another contradicts.
      conflicts: contradicts.length + (supporters.length < 2 ? 1 : 0),
    },
    { low, medium, max_conflicts: Infinity, triage: { low_from_tier: false } },
  );
}

export interface ClaimBallot {
  readonly claim: Claim;
  readonly risk: RiskTier;
  readonly votes: readonly ClaimVote[];
  readonly noResponse: ClaimDeliberation['noResponse'];
}

/** Before any panel. `contested` asks for one. */
export function countClaim(
  ballot: ClaimBallot,
  thresholds: StanceThresholds,
): Exclude<ClaimOutcome, 'passed'> {
  const { claim, votes } = ballot;
  if (votes.length === 0) return 'undecided';
  const [raised, asked] = [claim.supporters.length, votes.length];
  const { for: inFavour, against } = standingOf(ballot, null);
  // Everybody who looked at it with fresh eyes denies it, and they are more than those who said it: there is nothing to argue out.
  if (against.length === asked && asked > raised) return 'voted_down';
  const { consensus, contested } = weigh(
    { engaged: raised + asked, endorsing: inFavour.length, opposing: against.length },
    thresholds,
  );
  if (contested) return 'contested';
  return consensus ? 'confirmed' : 'undecided';
}

/** What the panel said, in the names of the reviewers. */
export interface ClaimPanelResult extends ClaimPanel {
  readonly said: readonly Argument[];
}

/** `held`: null when nothing asked for a panel; a sentence when one was asked for and skipped. */
export function concludeClaim(
  ballot: ClaimBallot,
  held: ClaimPanelResult | string | null,
  thresholds: ClaimThresholds,
): Claim {
  const panel = typeof held === 'string' ? null : held;
  const { claim, risk, votes, noResponse } = ballot;
  const standing = standingOf(ballot, panel);
  const outcome = panel === null ? countClaim(ballot, thresholds) : outcomeOf(standing, panel);
  return withDeliberation(claim, {
    risk,
    outcome,
    votes: [...votes],
    noResponse: [...noResponse],
    for: standing.for,
    against: standing.against,
    panel: panel === null ? null : describePanel(panel),
    panelSkipped: typeof held === 'string' ? held : null,
    dissent: dissentOf(ballot, panel, outcome === 'voted_down' ? standing.for : standing.against),
    confidenceBefore: claim.confidence,
    error: panel?.error ?? (votes.length === 0 ? whyNobody(ballot) : null),
  });
}

/** A claim nobody needed to be asked about. */
export function passClaim(claim: Claim): Claim {
  return {
    ...claim,
    deliberation: {
      risk: 'low',
      outcome: 'passed',
      for: [...claim.supporters],
      against: [],
      votes: [],
      noResponse: [],
      panel: null,
      panelSkipped: null,
      dissent: [],
      confidenceBefore: claim.confidence,
      error: null,
    },
  };
}

/** Log-odds of one vote, set by hand: no data says what a vote is worth that was asked for. */
const voteWorth = 0.7;

/** Votes move the confidence, and never against the outcome; a failed or undecided vote leaves it as it was. */
function withDeliberation(claim: Claim, deliberation: ClaimDeliberation): Claim {
  const { outcome, against, confidenceBefore } = deliberation;
  const joined = deliberation.for.filter(reviewer => !claim.supporters.includes(reviewer)).length;
  if (
    confidenceBefore === null ||
    outcome === 'undecided' ||
    deliberation.panel?.status === 'failed'
  )
    return { ...claim, deliberation };
  const moved = probabilityOf(logOddsOf(confidenceBefore) + voteWorth * (joined - against.length));
  const [least, most] =
    outcome === 'confirmed'
      ? [confidenceBefore, 1]
      : outcome === 'voted_down'
        ? [0, confidenceBefore]
        : [0, 1];
  return { ...withConfidence(claim, clamp(moved, least, most)), deliberation };
}

interface ClaimStanding {
  readonly for: string[];
  readonly against: string[];
  /** Who abstained or deferred; never who was asked and did not answer: what it thinks is not known. */
  readonly neutral: string[];
}

/** A vote on the panel, where arguments were heard, replaces the stance taken before; who defers stands on neither side. */
export function standingOf(
  { claim, votes }: ClaimBallot,
  panel: ClaimPanelResult | null,
): ClaimStanding {
  const sides = new Map<string, 'for' | 'against' | null>(
    claim.supporters.map(reviewer => [reviewer, 'for']),
  );
  for (const { reviewer, stance } of votes)
    sides.set(reviewer, stance === 'OPPOSE' ? 'against' : stance === 'ABSTAIN' ? null : 'for');
  for (const [reviewer, vote] of Object.entries(panel?.votes ?? {}))
    sides.set(reviewer, vote === 'fail' ? 'against' : vote === 'defer' ? null : 'for');
  const on = (side: 'for' | 'against' | null): string[] =>
    [...sides].flatMap(([reviewer, stands]) => (stands === side ? reviewer : []));
  return { for: on('for'), against: on('against'), neutral: on(null) };
}

function outcomeOf(standing: ClaimStanding, { status }: ClaimPanel): ClaimOutcome {
  if (status === 'failed' || standing.for.length === standing.against.length) return 'contested';
  return standing.for.length > standing.against.length ? 'confirmed' : 'voted_down';
}

function describePanel({ said: _said, ...panel }: ClaimPanelResult): ClaimPanel {
  return panel;
}

function dissentOf(
  { claim, votes }: ClaimBallot,
  panel: ClaimPanelResult | null,
  dissenters: readonly string[],
): ClaimDeliberation['dissent'] {
  return dissenters.flatMap(reviewer => {
    const opinion =
      panel?.said.find(({ name, text }) => name === reviewer && text !== null)?.text ??
      writtenBy(reviewer, claim, votes);
    return opinion === null ? [] : [{ reviewer, opinion }];
  });
}

/** The stance, with the concerns behind it, or what the reviewer said when it raised the claim. */
function writtenBy(
  reviewer: string,
  { findings }: Claim,
  votes: readonly ClaimVote[],
): string | null {
  const vote = votes.find(one => one.reviewer === reviewer);
  const words =
    vote === undefined
      ? (findings.find(finding => finding.reviewer === reviewer)?.text ?? '')
      : [vote.reasoning, ...vote.concerns].filter(text => text.trim() !== '').join(' ');
  return words.trim() === '' ? null : words;
}

function whyNobody({ noResponse }: ClaimBallot): string {
  return noResponse.length === 0
    ? 'Nobody else could be asked.'
    : `Nobody answered: ${noResponse[0]?.error ?? ''}`;
}
