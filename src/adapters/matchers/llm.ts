/**
 * The `llm` strategy: wordings decide what they can decide, and a model is asked about the pairs between. Without a clear
 * answer two findings are different. Nothing is lost: a merge keeps every wording.
 */
import type { Pair, SelectiveMatcher } from '../../core/matching/matching.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Comparison } from '../../core/ports.ts';
import { createGuard } from './guarded.ts';
import {
  createJudge,
  describeFinding,
  type JudgeSettings,
  patienceOf,
  type Question,
  toQuestion,
  type Verdict,
} from './judge.ts';

export interface LlmSettings extends JudgeSettings {
  /** What decides outside of the band, and names the pairs worth a thought. */
  readonly wordings: SelectiveMatcher;
  /** Takes credentials out of texts before they are sent to the judge. */
  readonly mask: (texts: readonly string[]) => Promise<readonly string[]>;
}

/** Scores from and below which wordings alone are trusted to say different, or same. */
const band = { from: 25, below: 75 } as const;

const judgedScore: Readonly<Record<Verdict, number>> = { same: 90, different: 10, contradicts: 10 };

/** `prepare` throws `UserError` (kind `usage`) when the judge cannot be asked. */
export function createLlmMatcher(settings: LlmSettings): SelectiveMatcher {
  const { wordings } = settings;
  const guard = createGuard();
  const judge = createJudge(settings);
  let lines: ReadonlyMap<Finding, string> = new Map();
  const questionOf = (one: Finding, other: Finding): Question =>
    toQuestion(lines.get(one) ?? '', lines.get(other) ?? '');
  const byWording = (one: Finding, other: Finding): Leaning => {
    const compared = wordings.compare(one, other);
    const apart = guard(one, other, compared.score);
    return {
      compared: apart ?? compared,
      isOpen:
        apart === null &&
        compared.contradicts !== true &&
        compared.score >= band.from &&
        compared.score < band.below,
    };
  };
  return {
    name: 'llm',
    version: '2',
    threshold: null,
    async prepare(findings) {
      await wordings.prepare(findings);
      const masked = await settings.mask(findings.map(describeFinding));
      lines = new Map(findings.map((finding, index) => [finding, masked[index] ?? '']));
      const uncertain = openPairs(findings, wordings.pairs(findings), byWording);
      await judge.ask(uncertain.map(([one, other]) => questionOf(one, other)));
    },
    compare(one, other) {
      const { compared, isOpen } = byWording(one, other);
      if (!isOpen) return compared;
      const judged = judge.verdictOn(questionOf(one, other));
      if (judged === null)
        return {
          same: false,
          score: compared.score,
          reason: 'Their wordings leave it open, and no judge gave a clear answer.',
        };
      return {
        same: judged === 'same',
        score: judgedScore[judged],
        ...(judged === 'contradicts' ? { contradicts: true } : {}),
        reason: `The judge calls them ${judged === 'contradicts' ? 'contradictory' : judged}.`,
      };
    },
    pairs: findings => wordings.pairs(findings),
  };
}

/** What the wordings alone come to. `isOpen`: neither kept apart for certain nor clear. */
interface Leaning {
  readonly compared: Comparison;
  readonly isOpen: boolean;
}

/** The most uncertain and most severe first. */
function openPairs(
  findings: readonly Finding[],
  pairs: Iterable<Pair>,
  lean: (one: Finding, other: Finding) => Leaning,
): (readonly [Finding, Finding])[] {
  const open: { readonly pair: readonly [Finding, Finding]; readonly patience: number }[] = [];
  for (const [one, other] of pairs) {
    const [left, right] = [findings[one], findings[other]];
    if (left === undefined || right === undefined) continue;
    const { compared, isOpen } = lean(left, right);
    if (isOpen)
      open.push({ pair: [left, right], patience: patienceOf(left, right, compared.score) });
  }
  return open.sort((one, other) => one.patience - other.patience).map(({ pair }) => pair);
}
