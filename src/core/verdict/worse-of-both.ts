/**
 * Claims are formed with the answers of a judge and without. What a judge joins may make the outcome worse; nothing that it
 * answers makes it milder, so that no text under review talks a finding out of a majority.
 */
import { z } from 'zod';
import { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { type Evidence, judgeRun, type Rules } from './judges.ts';
import type { Reason } from './record.ts';

/** `unjudged`: the same with the claims as they are without the answers; null where these change nothing. */
export function judgeBoth(
  evidence: Evidence,
  unjudged: Evidence | null,
  rules: Rules,
): readonly Reason[] {
  const reasons = judgeRun(evidence, rules);
  if (unjudged === null) return reasons;
  const shown = shownClaims(unjudged.claims, evidence.claims);
  const failing = new Set(
    reasons.filter(({ effect }) => effect === 'FAIL').map(({ subject }) => subject),
  );
  const known = new Set(reasons.map(keyOf));
  for (const reason of judgeRun(unjudged, rules)) {
    const subject = shown.get(reason.subject) ?? reason.subject;
    const named = { ...reason, subject };
    if (known.has(keyOf(named)) || (shown.has(reason.subject) && failing.has(subject))) continue;
    known.add(keyOf(named));
    const sentence = reason.sentence.replaceAll(reason.subject, subject);
    reasons.push({
      ...named,
      sentence: shown.has(reason.subject) ? `Without the judge's answers: ${sentence}` : sentence,
    });
  }
  return reasons;
}

/** By the id of a claim without the answers: that of the claim with them that holds its most severe finding. */
function shownClaims(
  unjudged: readonly Claim[],
  claims: readonly Claim[],
): ReadonlyMap<string, string> {
  const holders = new Map(
    claims.flatMap(({ id, findings }) => findings.map(finding => [finding.id, id] as const)),
  );
  return new Map(
    unjudged.map(({ id, severity, findings }) => {
      const worst = findings.find(finding => finding.severity === severity);
      return [id, holders.get(worst?.id ?? '') ?? id];
    }),
  );
}

function keyOf({ rule, effect, subject }: Reason): string {
  return JSON.stringify([rule, effect, subject]);
}

/** Null where the two hold the same findings, and the same speaks against them. */
export function unlessSame(
  unjudged: readonly Claim[],
  claims: readonly Claim[],
): readonly Claim[] | null {
  return shapeOf(unjudged) === shapeOf(claims) ? null : unjudged;
}

function shapeOf(claims: readonly Claim[]): string {
  return claims
    .map(claim => JSON.stringify([heldBy(claim), claim.against]))
    .toSorted()
    .join('\n');
}

/** The panel votes on claims as they are shown: its votes count for those without the answers that hold the same findings. */
export function withVotesOf(unjudged: readonly Claim[], claims: readonly Claim[]): Claim[] {
  const voted = new Map(claims.map(claim => [heldBy(claim), claim.deliberation]));
  return unjudged.map(claim => {
    const deliberation = voted.get(heldBy(claim));
    return deliberation === undefined ? claim : { ...claim, deliberation };
  });
}

/** Null where a record holds none: there was no judge, or its answers changed nothing. */
export function unjudgedIn({ unjudged }: Pick<RunRecord, 'unjudged'>): Claim[] | null {
  return z.array(Claim).safeParse(unjudged).data ?? null;
}

/** Equal where the same findings are held. */
function heldBy({ findings }: Claim): string {
  return findings
    .map(({ id }) => id)
    .toSorted()
    .join('\n');
}
