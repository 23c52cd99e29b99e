/**
 * A contested claim as a motion: is it one, who has spoken about it, what do the answers of the others come to.
 * Pure, and the same for the product and for a measurement of it.
 */
import {
  type Claim,
  type ClaimDeliberation,
  type ClaimPanel,
  type ClaimVote,
  logOddsOf,
  probabilityOf,
  wordsOf,
} from '../core/words/claim.ts';
import { weigh } from './aggregation.ts';
import type { ClaimThresholds, DeliberationSettings } from '../core/words/motions-settings.ts';
import type { Argument } from './records.ts';
import { forecast, type ForecastCall } from '../core/spending/forecast.ts';
import { leastSeated, mostSeated } from './panels.ts';
import { visibleJson } from '../core/safety/visible-text.ts';
import { fenceOff, type Fencing, quote, renderInstructions } from '../core/prompt/answer-form.ts';

/** As of motions: well supported are claims of two or more that no other claim contradicts. */
export function riskOf(
  { supporters, electorate, contradicts }: Claim,
  { low, medium }: ClaimThresholds,
) {
  const support = electorate === 0 ? 0 : supporters.length / electorate;
  if (support >= low && supporters.length > 1 && contradicts.length === 0) return 'low';
  return support < medium ? 'high' : 'medium';
}

/**
 * What it is worth to a person moves with its confidence: who says that it is so does not say that it matters, so that of claims
 * as likely true as it now is, the same share is worth acting on.
 */
function moveClaim(claim: Claim, odds: number) {
  const { confidence: before, worth } = claim;
  if (before === null || odds === 0) return claim;
  const confidence = probabilityOf(logOddsOf(before) + odds);
  if (worth === null) return { ...claim, confidence };
  // It is computed apart, and may lie above the confidence of those who name no places: all that moved is the truth then.
  return {
    ...claim,
    confidence,
    worth: worth < before ? (worth / before) * confidence : probabilityOf(logOddsOf(worth) + odds),
  };
}

/** Which side a reviewer takes; null: none. */
type Standing = 'for' | 'against' | null;

/** Those who said it are for it, those who denied it or said its contrary against it: they are not asked. */
export function spokenAbout({ supporters, against }: Claim, contrary: readonly Claim[]) {
  const denying = [
    ...against.map(({ reviewer }) => reviewer),
    ...contrary.flatMap(claim => claim.supporters),
  ];
  return new Map([
    ...denying.map(reviewer => [reviewer, 'against'] as const),
    ...supporters.map(reviewer => [reviewer, 'for'] as const),
  ]);
}

/** What came of asking the others. */
export interface ClaimBallot {
  readonly claim: Claim;
  readonly spoken: ReadonlyMap<string, Standing>;
  readonly votes: readonly ClaimVote[];
  readonly noResponse: ClaimDeliberation['noResponse'];
  /** Why no reviewer could be asked; null where one was, or none had to be. */
  readonly error: string | null;
}

/** AMEND: the claim is real, though its wording or severity is not right. */
const standings = {
  ENDORSE: 'for',
  AMEND: 'for',
  OPPOSE: 'against',
  ABSTAIN: null,
  pass: 'for',
  amend: 'for',
  fail: 'against',
  defer: null,
};

/** A panel in the names of the reviewers. */
export interface HeldClaimPanel {
  /** Null or missing: none was held. */
  readonly panel?: ClaimPanel | null;
  /** Why none was held that was asked for. */
  readonly skipped?: string | null;
  readonly said?: readonly Argument[];
}

/**
 * A vote on the panel, where arguments were heard, replaces the stance taken before. Who was asked and did not answer is on no
 * list: what it thinks is not known.
 */
export function standingOf({ spoken, votes }: ClaimBallot, panel: ClaimPanel | null) {
  const all = new Map([
    ...spoken,
    ...votes.map(({ reviewer, stance }) => [reviewer, standings[stance]] as const),
    ...Object.entries(panel?.votes ?? {}).map(
      ([reviewer, vote]) => [reviewer, standings[vote]] as const,
    ),
  ]);
  const on = (side: Standing) =>
    [...all].flatMap(([reviewer, standing]) => (standing === side ? reviewer : []));
  return { for: on('for'), against: on('against'), neutral: on(null) };
}

/** `contested` without a panel asks for one. */
export function outcomeOf(
  ballot: ClaimBallot,
  panel: ClaimPanel | null,
  thresholds: ClaimThresholds,
) {
  const { claim, spoken, votes, noResponse } = ballot;
  const standing = standingOf(ballot, panel);
  const [endorsing, opposing] = [standing.for.length, standing.against.length];
  // Who was asked and did not answer may be for it: what they could turn is not voted down.
  const isVotedDown = opposing > endorsing + noResponse.length;
  if (panel !== null) {
    if (panel.status === 'concluded' && endorsing > opposing) return 'confirmed';
    return panel.status === 'concluded' && isVotedDown ? 'voted_down' : 'contested';
  }
  if (riskOf(claim, thresholds) === 'low') return 'passed';
  // All who looked at it with fresh eyes deny it: there is nothing to argue out.
  const isDenied = votes.length > 0 && votes.every(({ stance }) => stance === 'OPPOSE');
  if (isDenied && isVotedDown) return 'voted_down';
  const { consensus, contested } = weigh(
    { engaged: spoken.size + votes.length, endorsing, opposing },
    thresholds,
  );
  if (contested) return 'contested';
  return consensus && votes.length > 0 ? 'confirmed' : 'undecided';
}

/** Log-odds of one vote, set by hand: no data says what a vote is worth that was asked for. */
const voteWorth = 0.7;

/** Votes move the confidence, and never against the outcome; a failed or undecided vote leaves it as it was. */
export function concludeClaim(
  ballot: ClaimBallot,
  thresholds: ClaimThresholds,
  { panel = null, skipped = null, said = [] }: HeldClaimPanel = {},
): Claim {
  const { claim, spoken, votes, noResponse } = ballot;
  const [silent] = noResponse;
  const nobody = silent === undefined ? ballot.error : `Nobody answered: ${silent.error}`;
  const outcome = outcomeOf(ballot, panel, thresholds);
  const standing = standingOf(ballot, panel);
  const won = (side: 'for' | 'against') =>
    standing[side].filter(reviewer => spoken.get(reviewer) !== side).length;
  const odds = voteWorth * (won('for') - won('against'));
  const moved =
    outcome === 'confirmed'
      ? Math.max(0, odds)
      : outcome === 'voted_down'
        ? Math.min(0, odds)
        : outcome === 'contested' && panel?.status !== 'failed'
          ? odds
          : 0;
  return {
    ...moveClaim(claim, moved),
    deliberation: {
      risk: riskOf(claim, thresholds),
      outcome,
      for: standing.for,
      against: standing.against,
      votes: [...votes],
      noResponse: [...noResponse],
      panel,
      panelSkipped: skipped,
      dissent: dissentOf(ballot, said, standing[outcome === 'voted_down' ? 'for' : 'against']),
      confidenceBefore: claim.confidence,
      error: panel?.error ?? (votes.length > 0 ? null : nobody),
    },
  };
}

/** In the words of the panel, else of the stance, else of the finding. */
function dissentOf(
  { claim, votes }: ClaimBallot,
  said: readonly Argument[],
  dissenters: readonly string[],
) {
  const opinions = new Map([
    ...claim.against.map(({ reviewer, statement }) => [reviewer, statement] as const),
    ...claim.findings.map(({ reviewer, text }) => [reviewer, text] as const),
    ...votes.map(vote => [vote.reviewer, wordsOf(vote)] as const),
    ...said.flatMap(({ archon_name, argument }) =>
      argument === null ? [] : [[archon_name, argument] as const],
    ),
  ]);
  return dissenters
    .map(reviewer => ({ reviewer, opinion: opinions.get(reviewer) ?? '' }))
    .filter(({ opinion }) => opinion.trim() !== '');
}

/** Claims that few support, by which a deliberation is reckoned. */
const reckonedClaims = 10;
/** Characters of instructions and frame around the claims of a call. */
const frame = 6000;

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastDeliberation(
  { batch }: Pick<DeliberationSettings, 'batch'>,
  prices: readonly ForecastCall['price'][],
) {
  const reviewers = prices.length;
  const each = reviewers > 1 ? Math.ceil((reckonedClaims * (reviewers - 1)) / reviewers) : 0;
  const asked = prices.flatMap(price =>
    Array.from({ length: Math.ceil(each / batch) }, (_, index) => {
      const items = Math.min(batch, each - index * batch);
      return { characters: items * longestClaim + frame, items, price };
    }),
  );
  const { calls, inputTokens, outputTokens, cost, unpriced } = forecast(asked);
  return {
    reviewers,
    batch,
    claims: reckonedClaims,
    calls,
    panelCalls: reviewers < leastSeated ? 0 : Math.min(mostSeated, reviewers) + 1,
    tokens: inputTokens + outputTokens,
    cost: calls === 0 ? 0 : unpriced > 0 ? null : cost,
  };
}

interface AskedClaim {
  claim: Pick<Claim, 'id'>;
  /** Everything that is shown of it, secrets masked. */
  text: string;
}

/** Characters of a claim with its evidence. */
const longestClaim = 6000;

/** Each in a fence of its own. */
export function renderClaimsPrompt(asked: readonly AskedClaim[], fencing: Fencing) {
  const claims = asked.map(({ claim: { id }, text }, index) =>
    [
      `## Finding ${index + 1}`,
      `motion_id: ${visibleJson(id)}`,
      fenceOff(['claim', id], quote(text, longestClaim), fencing),
    ].join('\n'),
  );
  const each =
    asked.length === 1 ? 'the finding' : `each of the ${asked.length} findings on its own`;
  const instructions = renderInstructions(
    'judge',
    { count: asked.length, noun: 'finding' },
    {
      task:
        `Judge ${each}. Endorse it when the problem is real. Oppose it when it is not: the code does not do what it ` +
        'says, or what it says does no harm. Amend it when the problem is real and its severity or wording is wrong. ' +
        'Abstain only when the evidence does not let you tell.',
      reasoning: '<why, with the line that shows it>',
      opposition_concerns: ['<each reason why it is not real, when you oppose>'],
      amendment_type: 'minor_wording|major_revision',
      amendment_text: '<what it should say instead, when you amend>',
      amendment_rationale: '<why>',
    },
  );
  return ['# Findings', ...claims, instructions].join('\n\n');
}
