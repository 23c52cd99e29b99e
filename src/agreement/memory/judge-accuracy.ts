/**
 * How often the judge of a project is right: what is expected of any judge, and what people's decisions about claims told of
 * its answers.
 */
import type { JudgeAccuracy } from '../../core/ports/judge.ts';
import { compareTexts } from '../../core/text.ts';
import { type Disposition, latestByClaim } from '../../core/words/known-claim.ts';
import { clamp } from '../../core/words/odds.ts';
import type { RunRecord } from '../../core/words/run.ts';

export const expectedAccuracy: JudgeAccuracy = { same: 0.9, different: 0.75 };
/** Answers that what is expected outweighs. */
const strength = 20;
/** With both above a half an answer never counts the other way round; and no judge is certain. */
const [least, most] = [0.55, 0.97];

/** Of two decisions about one claim the later one counts, and of two that tell of the same two claims. */
export function judgeAccuracyOf(dispositions: readonly Disposition[]): JudgeAccuracy {
  const tallies = new Map(
    [...latestByClaim(dispositions).values()]
      .toSorted((one, other) => compareTexts(one.at, other.at))
      .flatMap(({ claim, judged = [] }) =>
        judged.map(tally => [[claim, tally.claim].sort().join(), tally] as const),
      ),
  );
  const accuracyAbout = (truth: keyof JudgeAccuracy) => {
    let [right, asked] = [expectedAccuracy[truth] * strength, strength];
    for (const tally of tallies.values()) {
      if (tally.truth !== truth) continue;
      right += tally.right;
      asked += tally.right + tally.wrong;
    }
    return clamp(right / asked, least, most);
  };
  return { same: accuracyAbout('same'), different: accuracyAbout('different') };
}

/**
 * What a decision tells of the answers a judge gave in a run. With `sameAs` the claim and that one are one trouble; else it is
 * another one than each claim that a person called false where this one is real, or real where this one is false.
 */
export function judgedBy(
  { claim: own, verdict, sameAs }: Pick<Disposition, 'claim' | 'verdict' | 'sameAs'>,
  { claims, judge }: Pick<RunRecord, 'claims' | 'judge'>,
  dispositions: readonly Disposition[],
): NonNullable<Disposition['judged']> {
  const truth = sameAs === undefined ? 'different' : 'same';
  const others = [...latestByClaim(dispositions).values()].filter(
    each => each.sameAs === undefined && each.verdict === opposite[verdict],
  );
  const claimOf = new Map(
    claims.flatMap(({ id, findings }) => findings.map(finding => [finding.id, id] as const)),
  );
  return (sameAs === undefined ? others : [{ claim: sameAs }]).flatMap(({ claim }) => {
    const answers = (judge?.answers ?? []).filter(({ one, other, answer }) => {
      const ends = new Set([claimOf.get(one), claimOf.get(other)]);
      return answer !== 'cannot-say' && claim !== own && ends.has(claim) && ends.has(own);
    });
    const right = answers.filter(({ answer }) => (answer === 'same') === (truth === 'same')).length;
    return answers.length === 0 ? [] : [{ claim, truth, right, wrong: answers.length - right }];
  });
}

/** What of two claims about one trouble cannot be. */
const opposite = { accepted: 'rejected', rejected: 'accepted', tolerated: null } as const;
