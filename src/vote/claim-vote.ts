/**
 * A contested or an uncertain claim as a motion: is it one, who has spoken about it, what do the answers of the others come to.
 * Pure, and the same for the product and for a measurement of it.
 */
import { checkClaim, type TextAt, worthOfChecks } from '../core/integrity/claim-checks.ts';
import type { ReviewerReliability } from '../agreement/index.ts';
import type { Claim } from '../core/words/claim.ts';
import { clamp, logOddsOf, probabilityOf } from '../core/words/odds.ts';
import { weigh } from './aggregation.ts';
import type { ClaimThresholds, BandSettings } from '../core/words/claim-settings.ts';
import type { Argument } from './panels.ts';
import type {
  ClaimDeliberation,
  ClaimOutcome,
  ClaimPanel,
  ClaimVote,
  Recommendation,
  Stance,
} from '../core/words/vote.ts';

/** As of motions: well supported are claims of two or more that no other claim contradicts. */
export function riskOf(
  { supporters, electorate, contradicts }: Claim,
  { low, medium }: ClaimThresholds,
): ClaimDeliberation['risk'] {
  const support = electorate === 0 ? 0 : supporters.length / electorate;
  if (support >= low && supporters.length > 1 && contradicts.length === 0) return 'low';
  return support < medium ? 'high' : 'medium';
}

/** Could the answer of a reviewer of whom nothing is known decide whether it counts, or is worth a person's time? */
export function isUncertain(
  claim: Pick<Claim, 'confidence' | 'worth'>,
  { cut, reliability }: Pick<BandSettings, 'cut' | 'reliability'>,
  actCut: number,
): boolean {
  const odds = worthOfAnswer(reliability);
  const decisions = [0, odds, -odds].map(moved => {
    const { confidence, worth } = moveClaim(claim, moved);
    return JSON.stringify([(confidence ?? 0) >= cut, (worth ?? 0) >= actCut]);
  });
  return new Set(decisions).size > 1;
}

/**
 * What it is worth to a person moves with its confidence: who says that it is so does not say that it matters, so that of claims
 * as likely true as it now is, the same share is worth acting on.
 */
export function moveClaim<Moved extends Pick<Claim, 'confidence' | 'worth'>>(
  claim: Moved,
  odds: number,
): Moved {
  const { confidence: before, worth } = claim;
  if (before === null || odds === 0) return claim;
  const confidence = probabilityOf(logOddsOf(before) + odds);
  if (worth === null) return { ...claim, confidence };
  // It is computed apart, and may lie above the confidence of those who name no places: all that moved is the truth then.
  const isShare = worth < before;
  return {
    ...claim,
    confidence,
    worth: isShare ? (worth / before) * confidence : probabilityOf(logOddsOf(worth) + odds),
  };
}

/** Which side a reviewer takes; null: none. */
type Standing = 'for' | 'against' | null;

/** Those who said it are for it, those who denied it or said its contrary against it: they are not asked. */
export function spokenAbout(
  { supporters, against }: Claim,
  contrary: readonly Claim[],
): ReadonlyMap<string, Standing> {
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
const standings: Readonly<Record<Stance | Recommendation, Standing>> = {
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
  /** Null: none was held. */
  readonly panel: ClaimPanel | null;
  /** Why none was held that was asked for. */
  readonly skipped: string | null;
  readonly said: readonly Argument[];
}

/**
 * A vote on the panel, where arguments were heard, replaces the stance taken before. Who was asked and did not answer is on no
 * list: what it thinks is not known.
 */
export function standingOf(
  { spoken, votes }: ClaimBallot,
  panel: ClaimPanel | null,
): Readonly<Record<'for' | 'against' | 'neutral', string[]>> {
  const all = new Map([
    ...spoken,
    ...votes.map(({ reviewer, stance }) => [reviewer, standings[stance]] as const),
    ...Object.entries(panel?.votes ?? {}).map(
      ([reviewer, vote]) => [reviewer, standings[vote]] as const,
    ),
  ]);
  const on = (side: Standing): string[] =>
    [...all].flatMap(([reviewer, standing]) => (standing === side ? reviewer : []));
  return { for: on('for'), against: on('against'), neutral: on(null) };
}

/** `contested` without a panel asks for one. */
export function outcomeOf(
  ballot: ClaimBallot,
  panel: ClaimPanel | null,
  thresholds: ClaimThresholds,
): ClaimOutcome {
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
  const engaged = spoken.size + votes.length;
  const { consensus, contested } = weigh({ engaged, endorsing, opposing }, thresholds);
  if (contested) return 'contested';
  return consensus && votes.length > 0 ? 'confirmed' : 'undecided';
}

/** Log-odds of one vote, set by hand: no data says what a vote is worth that was asked for. */
const voteWorth = 0.7;

/** Votes move the confidence, and never against the outcome; a failed or undecided vote leaves it as it was. */
export function concludeClaim(
  ballot: ClaimBallot,
  thresholds: ClaimThresholds,
  { panel, skipped, said }: HeldClaimPanel = { panel: null, skipped: null, said: [] },
): Claim {
  const { claim, spoken, votes, noResponse } = ballot;
  const outcome = outcomeOf(ballot, panel, thresholds);
  const standing = standingOf(ballot, panel);
  const won = (side: 'for' | 'against'): number =>
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
      error: panel?.error ?? errorOf(ballot),
    },
  };
}

/** In the words of the panel, else of the stance, else of the finding. */
function dissentOf(
  { claim, votes }: ClaimBallot,
  said: readonly Argument[],
  dissenters: readonly string[],
): ClaimDeliberation['dissent'] {
  const opinions = new Map([
    ...claim.against.map(({ reviewer, statement }) => [reviewer, statement] as const),
    ...claim.findings.map(({ reviewer, text }) => [reviewer, text] as const),
    ...votes.map(vote => [vote.reviewer, wordsOf(vote)] as const),
    ...said.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const])),
  ]);
  return dissenters
    .map(reviewer => ({ reviewer, opinion: opinions.get(reviewer) ?? '' }))
    .filter(({ opinion }) => opinion.trim() !== '');
}

/** The stance in words, with the concerns behind it. */
function wordsOf({ reasoning, concerns }: ClaimVote): string {
  return [reasoning, ...concerns].filter(text => text.trim() !== '').join(' ');
}

function errorOf({ votes, noResponse: [silent], error }: ClaimBallot): string | null {
  if (votes.length > 0) return null;
  return silent === undefined ? error : `Nobody answered: ${silent.error}`;
}

/** Decided cases that weigh as much as what is expected beforehand. */
const priorStrength = 10;
/** The best record there is promises no more than nine right answers of ten. */
const mostReliable = 0.9;
/** Log-odds: however many answer, they take .5 to .95 or to .05 and no further. */
const mostMoved = Math.log(0.95 / 0.05);
/** What an answer counts beside a weightier one for the same side by one of its vendor family. */
const beside = 0.5;

/** Without who answered: nothing is known of how it answers then. */
type AnswerRecord = Pick<ReviewerReliability, 'confirmed' | 'rejected' | 'right' | 'wrong'>;

/**
 * Expected share of right answers: the mean of a Beta distribution over the answers that people's decisions bore out or
 * contradicted (Beta-Binomial, strength 10). Where it starts is the stated default; a reviewer whose own findings were dismissed
 * more often than those of `others` starts lower, by that difference in log-odds. One whose findings were right more often does
 * not start higher: to find is not to judge.
 */
export function reliabilityOfAnswers(
  { confirmed, rejected, right = 0, wrong = 0 }: AnswerRecord = { confirmed: 0, rejected: 0 },
  others: readonly AnswerRecord[],
  { reliability }: Pick<BandSettings, 'reliability'>,
): number {
  const all = (kind: 'confirmed' | 'rejected'): number => sum(others.map(other => other[kind]));
  const usual = shareOf(all('confirmed'), all('rejected'), 0.5);
  const trust = logOddsOf(shareOf(confirmed, rejected, usual)) - logOddsOf(usual);
  return shareOf(right, wrong, probabilityOf(logOddsOf(reliability) + Math.min(0, trust)));
}

function shareOf(right: number, wrong: number, expected: number): number {
  return (right + expected * priorStrength) / (right + wrong + priorStrength);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Log-likelihood ratio of one answer, ln(r / (1 − r)), for a reviewer that is as often right about true claims as about false ones
 * (the one-coin model of Dawid and Skene, 1979; "weight of evidence" in Good, 1950). Who is wrong more often than right moves
 * nothing: that it will stay wrong is no more certain than its answers, and an adversary could use it.
 */
export function worthOfAnswer(reliability: number): number {
  return Math.max(0, logOddsOf(Math.min(reliability, mostReliable)));
}

/** The best record first; a reviewer whose answer moves nothing is not asked. */
export function chooseAnswerers<Reader>(
  fresh: readonly Reader[],
  reliabilityOf: (reader: Reader) => number,
  { answers }: Pick<BandSettings, 'answers'>,
): Reader[] {
  return fresh
    .filter(reader => worthOfAnswer(reliabilityOf(reader)) > 0)
    .toSorted((one, other) => reliabilityOf(other) - reliabilityOf(one))
    .slice(0, answers);
}

/** What an answer is weighed by. */
export interface WeighedAnswer extends Pick<ClaimVote, 'stance'> {
  /** Vendor family; null when it is not known. */
  readonly family: string | null;
  readonly reliability: number;
}

/** Log-odds that each answer moves the claim by, whatever their order. */
export function weighAnswers(answers: readonly WeighedAnswer[]): number[] {
  return answers.map(({ family, stance, reliability }, index) => {
    const side = standings[stance];
    if (side === null) return 0;
    const isBeside = answers.some(
      (other, at) =>
        family !== null &&
        other.family === family &&
        standings[other.stance] === side &&
        (other.reliability > reliability || (other.reliability === reliability && at < index)),
    );
    const worth = worthOfAnswer(reliability) * (isBeside ? beside : 1);
    return side === 'for' ? worth : -worth;
  });
}

/** As `weighAnswers` tells; all of them together move it no further than `mostMoved`. */
export function moveByAnswers<Moved extends Pick<Claim, 'confidence' | 'worth'>>(
  claim: Moved,
  moves: readonly number[],
): Moved {
  return moveClaim(claim, clamp(sum(moves), -mostMoved, mostMoved));
}

/** A claim without a confidence is checked as well, and keeps none: what an analyser finds by its rules is no guess. */
export function withChecks(claim: Claim, textAt: TextAt): Claim {
  const checks = checkClaim(claim.findings, textAt);
  return {
    ...moveClaim(claim, worthOfChecks(checks)),
    verified: {
      checks,
      answers: [],
      noResponse: [],
      confidenceBefore: claim.confidence,
      error: null,
    },
  };
}

/** A claim after `withChecks`; who did not answer moves nothing. */
export function withAnswers(
  ballot: ClaimBallot,
  known: (reviewer: string) => Omit<WeighedAnswer, 'stance'>,
): Claim {
  const { claim, votes, noResponse } = ballot;
  if (claim.verified === undefined) return claim;
  const moves = weighAnswers(votes.map(vote => ({ ...vote, ...known(vote.reviewer) })));
  const answers = votes.map((vote, index) => ({
    ...vote,
    reliability: known(vote.reviewer).reliability,
    moved: moves[index] ?? 0,
  }));
  return {
    ...moveByAnswers(claim, moves),
    verified: { ...claim.verified, answers, noResponse, error: errorOf(ballot) },
  };
}
