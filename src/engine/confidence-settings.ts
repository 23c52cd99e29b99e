/** What the confidence of a run's claims is computed with: the fitted model, and what people decided about earlier claims. */
import type { Subject } from '../core/change.ts';
import { confidenceModel } from '../core/consensus/calibrated-model.ts';
import type { ConfidenceSettings } from '../core/consensus/claims.ts';
import type { Seat } from '../core/config.ts';
import { familyOf } from '../core/memory/family.ts';
import type { Memory } from '../core/ports.ts';

/** Null for a question: the model was fitted on what reviewers say about changes. */
export async function confidenceSettingsFor(subject: Subject, seats: readonly Seat[], memory: Pick<Memory, 'reliability'> | null): Promise<ConfidenceSettings | null> {
  if (subject.kind !== 'change') return null;
  return { model: confidenceModel, reliability: (await memory?.reliability()) ?? [], families: familiesOf(seats) };
}

/** Reviewers whose family nobody knows are left out. */
export function familiesOf(seats: readonly Seat[]): ReadonlyMap<string, string> {
  return new Map(seats.flatMap(seat => {
    const family = familyOf(seat);
    return family === null ? [] : [[seat.id, family] as const];
  }));
}
