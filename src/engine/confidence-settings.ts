/** What the confidence of a run's claims is computed with: the fitted model, and what people decided about earlier claims. */
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import { confidenceModel } from '../core/matching/calibrated-model.ts';
import type { ConfidenceSettings } from '../core/matching/claims.ts';
import type { Seat } from '../core/words/config.ts';
import { familyOf } from '../core/memory/reliability.ts';
import type { Memory } from '../core/ports.ts';

/** Null for a question: the model was fitted on what reviewers say about changes. */
export async function confidenceSettingsFor(
  subject: Subject,
  seats: readonly Seat[],
  memory: Pick<Memory, 'reliability'> | null,
): Promise<ConfidenceSettings | null> {
  if (subject.kind !== 'change') return null;
  return {
    model: confidenceModel,
    reliability: (await memory?.reliability()) ?? [],
    families: familiesOf(seats),
  };
}

/** The figures were measured on what models say; of what an analyser finds by its rules they say nothing. */
export function withoutRules(claims: readonly Claim[], seats: readonly Seat[]): Claim[] {
  const analysers = new Set(seats.filter(({ runner }) => runner === 'builtin').map(({ id }) => id));
  return claims.map(claim =>
    claim.supporters.some(reviewer => analysers.has(reviewer))
      ? { ...claim, confidence: null }
      : claim,
  );
}

/** Reviewers whose family nobody knows are left out. */
export function familiesOf(seats: readonly Seat[]): ReadonlyMap<string, string> {
  return new Map(
    seats.flatMap(seat => {
      const family = familyOf(seat);
      return family === null ? [] : [[seat.id, family] as const];
    }),
  );
}
