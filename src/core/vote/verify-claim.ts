/** What looking a claim up, and asking about it, does to its confidence: first the checks, then the answers. Pure. */
import { checkClaim, type TextAt, worthOfChecks } from '../integrity/claim-checks.ts';
import { logOddsOf, probabilityOf } from '../words/odds.ts';
import type { ReviewerReliability } from '../../agreement/index.ts';
import type { Claim } from '../words/claim.ts';
import {
  discounted,
  isInBand,
  moveConfidence,
  reliabilityOfAnswers,
  type Verifier,
  type VerifierAnswer,
  worthOfAnswer,
} from './band.ts';
import type { BandSettings } from './band-settings.ts';
import type { WeighedCut } from './choose-questions.ts';
import { confidenceFor, shareWorthActing, withConfidence } from './moved-claim.ts';
import type { ClaimVerified, ClaimVote, Stance } from './records.ts';

/** A claim without a confidence is checked as well, and keeps none: what an analyser finds by its rules is no guess. */
export function withChecks(claim: Claim, textAt: TextAt): Claim {
  const checks = checkClaim(claim.findings, textAt);
  const moved = worthOfChecks(checks);
  const { confidence } = claim;
  return {
    ...withConfidence(
      claim,
      confidence === null || moved === 0
        ? confidence
        : probabilityOf(logOddsOf(confidence) + moved),
    ),
    verified: { checks, answers: [], noResponse: [], confidenceBefore: confidence, error: null },
  };
}

/** A reviewer that may be asked, with what is expected of its answers. */
export interface KnownVerifier extends Verifier {
  readonly reliability: number;
}

/** In the order of `reviewers`. */
export function verifiersOf(
  reviewers: readonly string[],
  families: ReadonlyMap<string, string>,
  records: readonly ReviewerReliability[],
  settings: BandSettings,
): KnownVerifier[] {
  const byName = new Map(records.map(record => [record.reviewer, record]));
  return reviewers.map(id => {
    const reliability = reliabilityOfAnswers(byName.get(id), records, settings);
    return {
      id,
      family: families.get(id) ?? null,
      reliability,
      worth: worthOfAnswer(reliability),
    };
  });
}

/** At which figures something is decided about a claim. */
export interface Decisions {
  /** Confidence at which it counts. */
  readonly cut: number;
  /** What it must be worth to be marked as worth a person's time; infinite where nothing is. */
  readonly actCut: number;
}

/** What is decided about the claim: does it count, and is it worth a person's time. */
export function cutsOf(
  claim: Pick<Claim, 'confidence' | 'worth'>,
  { cut, actCut }: Decisions,
): WeighedCut[] {
  const act = confidenceFor(actCut, claim);
  const counts = { at: cut, weight: 1 };
  return act === null ? [counts] : [counts, { at: act, weight: shareWorthActing(claim) }];
}

/** Could the answer of somebody of whom nothing is known decide something about it? */
export function isUncertain(
  claim: Claim,
  decisions: Decisions,
  { reliability }: Pick<BandSettings, 'reliability'>,
): boolean {
  const { confidence, state } = claim;
  if (confidence === null || state === 'dismissed') return false;
  const worth = worthOfAnswer(reliability);
  return cutsOf(claim, decisions).some(({ at }) => isInBand(confidence, worth, at));
}

/** Who said it, its contrary or that it is not so has spoken about it already. */
export function spokenAbout(claim: Claim, claims: ReadonlyMap<string, Claim>): ReadonlySet<string> {
  return new Set([
    ...claim.supporters,
    ...claim.against.map(({ reviewer }) => reviewer),
    ...claim.contradicts.flatMap(id => claims.get(id)?.supporters ?? []),
  ]);
}

/** What was asked about one claim. */
export interface Asked {
  readonly votes: readonly (ClaimVote & { readonly verifier: KnownVerifier })[];
  readonly noResponse: ClaimVerified['noResponse'];
  readonly familiesOfSupporters: ReadonlySet<string>;
  /** Why nobody was asked; null where somebody was, or where no answer could decide anything. */
  readonly error: string | null;
}

/** A claim after `withChecks`; who did not answer moves nothing. */
export function withAnswersOf(claim: Claim, asked: Asked): Claim {
  const { votes, noResponse, familiesOfSupporters } = asked;
  if (claim.verified === undefined || claim.confidence === null) return claim;
  const answers = votes.map(answerOf);
  const counted = discounted(answers, familiesOfSupporters);
  return {
    ...withConfidence(claim, moveConfidence(claim.confidence, answers, familiesOfSupporters)),
    verified: {
      ...claim.verified,
      answers: votes.map(({ verifier, ...vote }) => {
        const own = counted.find(({ id }) => id === verifier.id);
        const moved = own === undefined ? 0 : own.side === 'for' ? own.worth : -own.worth;
        return { ...vote, reliability: verifier.reliability, moved };
      }),
      noResponse,
      error:
        asked.error ??
        (votes.length === 0 && noResponse.length > 0
          ? `Nobody answered: ${noResponse[0]?.error ?? ''}`
          : null),
    },
  };
}

/** AMEND: the claim is real, though its wording or severity is not right. */
export function sideOf(stance: Stance): VerifierAnswer['side'] {
  return sides[stance];
}

const sides = { ENDORSE: 'for', AMEND: 'for', OPPOSE: 'against', ABSTAIN: null } as const;

export function answerOf({ stance, verifier }: Asked['votes'][number]): VerifierAnswer {
  return { id: verifier.id, family: verifier.family, worth: verifier.worth, side: sideOf(stance) };
}

/** What moved the confidence of a claim after it was computed, in log-odds and in words, in the order in which it did. */
export function movesOf({ checks, answers }: ClaimVerified): {
  readonly evidence: ClaimVerified['checks'][number]['check'] | 'answer';
  /** Who answered; null for what was looked up. */
  readonly reviewer: string | null;
  readonly words: string;
  readonly worth: number;
}[] {
  return [
    ...checks.map(({ check, sentence, worth }) => ({
      evidence: check,
      reviewer: null,
      words: sentence,
      worth,
    })),
    ...answers.map(({ reviewer, stance, reliability, moved }) => ({
      evidence: 'answer' as const,
      reviewer,
      words: `${answerWords[stance]}; ${Math.round(10 * reliability)} of 10 of its answers are expected to be right`,
      worth: moved,
    })),
  ];
}

const answerWords: Readonly<Record<Stance, string>> = {
  ENDORSE: 'asked about it, says it is so',
  AMEND: 'asked about it, says it is so, though not in these words',
  OPPOSE: 'asked about it, says it is not so',
  ABSTAIN: 'asked about it, cannot tell',
};
