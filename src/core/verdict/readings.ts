/**
 * What reviewers said can be read in more than one way: with the answers of a judge and without, with denials as their words read
 * and with every stated severity taken for a complaint. One reading is shown; the worst of all holds, so that no wording and no
 * text under review talks a finding out of a majority.
 */
import { z } from 'zod';
import { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { type Evidence, judgeRun, type Rules } from './judges.ts';
import type { Reason } from './record.ts';

const introductions = {
  unjudged: "Without the judge's answers",
  stated: 'By the severities stated, whatever the words deny',
} as const;

export type ReadingName = keyof typeof introductions;

/** Claims as they would be. */
export interface Reading {
  readonly reading: ReadingName;
  readonly claims: readonly Claim[];
}

interface ReadEvidence {
  readonly reading: ReadingName;
  readonly evidence: Evidence;
}

/** `others`: the same evidence with the claims of other readings. */
export function judgeReadings(
  evidence: Evidence,
  others: readonly ReadEvidence[],
  rules: Rules,
): readonly Reason[] {
  const reasons = judgeRun(evidence, rules);
  const failing = new Set(
    reasons.filter(({ effect }) => effect === 'FAIL').map(({ subject }) => subject),
  );
  const known = new Set(reasons.map(keyOf));
  for (const { reading, evidence: other } of others) {
    const shown = shownClaims(other.claims, evidence.claims);
    for (const reason of judgeRun(other, rules)) {
      const subject = shown.get(reason.subject) ?? reason.subject;
      const named = { ...reason, subject };
      if (known.has(keyOf(named)) || (shown.has(reason.subject) && failing.has(subject))) continue;
      known.add(keyOf(named));
      if (named.effect === 'FAIL') failing.add(subject);
      const sentence = reason.sentence.replaceAll(reason.subject, subject);
      reasons.push({
        ...named,
        sentence: shown.has(reason.subject) ? `${introductions[reading]}: ${sentence}` : sentence,
      });
    }
  }
  return reasons;
}

/** By the id of a claim of another reading: that of the claim shown that holds its most severe finding. */
function shownClaims(
  others: readonly Claim[],
  claims: readonly Claim[],
): ReadonlyMap<string, string> {
  const holders = new Map(
    claims.flatMap(({ id, findings }) => findings.map(finding => [finding.id, id] as const)),
  );
  return new Map(
    others.map(({ id, severity, findings }) => {
      const worst = findings.find(finding => finding.severity === severity);
      return [id, holders.get(worst?.id ?? '') ?? id];
    }),
  );
}

function keyOf({ rule, effect, subject }: Reason): string {
  return JSON.stringify([rule, effect, subject]);
}

/** Those of the readings whose claims hold other findings than the claims shown, or against which something else speaks. */
export function otherReadings(
  readings: Readonly<Record<ReadingName, readonly Claim[] | null>>,
  claims: readonly Claim[],
): readonly Reading[] {
  const known = new Set([shapeOf(claims)]);
  return Object.entries(readings).flatMap(([reading, own]) => {
    if (own === null || known.has(shapeOf(own))) return [];
    known.add(shapeOf(own));
    return [{ reading: reading as ReadingName, claims: own }];
  });
}

function shapeOf(claims: readonly Claim[]): string {
  return claims
    .map(claim => JSON.stringify([heldBy(claim), claim.against]))
    .toSorted()
    .join('\n');
}

/** The panel votes on claims as they are shown: its votes count in another reading for the claims that hold the same findings. */
export function withVotesOf(others: readonly Claim[], claims: readonly Claim[]): Claim[] {
  const voted = new Map(claims.map(claim => [heldBy(claim), claim.deliberation]));
  return others.map(claim => {
    const deliberation = voted.get(heldBy(claim));
    return deliberation === undefined ? claim : { ...claim, deliberation };
  });
}

const Readings = z.array(
  z.object({ reading: z.enum(['unjudged', 'stated']), claims: z.array(Claim) }),
);

/** None where a record holds none: all come to the same claims. */
export function readingsIn({ readings }: Pick<RunRecord, 'readings'>): readonly Reading[] {
  return Readings.safeParse(readings).data ?? [];
}

/** Equal where the same findings are held. */
function heldBy({ findings }: Claim): string {
  return findings
    .map(({ id }) => id)
    .toSorted()
    .join('\n');
}
