/** What looking a claim up, and asking about it, does to its confidence: first the checks, then the answers. Pure. */
import { checkClaim, type TextAt, worthOfChecks } from '../integrity/claim-checks.ts';
import { logOddsOf, probabilityOf } from '../matching/logistic.ts';
import type { ReviewerReliability } from '../memory/reliability.ts';
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
import type { ClaimVerified, ClaimVote, Stance } from './records.ts';

/** A claim without a confidence is checked as well, and keeps none: what an analyser finds by its rules is no guess. */
export function withChecks(claim: Claim, textAt: TextAt): Claim {
  const checks = checkClaim(claim.findings, textAt);
  const moved = worthOfChecks(checks);
  const { confidence } = claim;
  return {
    ...claim,
    confidence:
      confidence === null || moved === 0
        ? confidence
        : probabilityOf(logOddsOf(confidence) + moved),
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

/** Confidences at which something is decided about the claim. */
export function cutsOf(
  _claim: Pick<Claim, 'confidence'>,
  { cut }: BandSettings,
): readonly number[] {
  return [cut];
}

/** Could the answer of somebody of whom nothing is known decide something about it? */
export function isUncertain(claim: Claim, settings: BandSettings): boolean {
  const { confidence, state } = claim;
  if (confidence === null || state === 'dismissed') return false;
  const worth = worthOfAnswer(settings.reliability);
  return cutsOf(claim, settings).some(cut => isInBand(confidence, worth, cut));
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
    ...claim,
    confidence: moveConfidence(claim.confidence, answers, familiesOfSupporters),
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
