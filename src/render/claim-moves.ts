/** What moved the confidence of a claim after it was computed. */
import type { ClaimVerified, Stance } from '../core/words/vote.ts';

/** What moved the confidence of a claim after it was computed, in log-odds and in words, in the order in which it did. */
export function movesOf({ checks, answers }: ClaimVerified): {
  /** Who answered; null for what was looked up. */
  readonly reviewer: string | null;
  readonly words: string;
  readonly worth: number;
}[] {
  return [
    ...checks.map(({ sentence: words, worth }) => ({ reviewer: null, words, worth })),
    ...answers.map(({ reviewer, stance, reliability, moved: worth }) => ({
      reviewer,
      words: `${answerWords[stance]}; ${Math.round(10 * reliability)} of 10 of its answers are expected to be right`,
      worth,
    })),
  ];
}

const answerWords: Readonly<Record<Stance, string>> = {
  ENDORSE: 'asked about it, says it is so',
  AMEND: 'asked about it, says it is so, though not in these words',
  OPPOSE: 'asked about it, says it is not so',
  ABSTAIN: 'asked about it, cannot tell',
};
