/**
 * What becomes of claims once they are formed: how sure they are, what the memory of the project knows of them, and the
 * lines they are about.
 */
import { confidenceModel, type ConfidenceSettings } from '../agreement/index.ts';
import type { Recalibration, RememberedRun } from '../core/words/known-claim.ts';
import type { Memory } from '../core/ports/steps.ts';
import type { SecretScanner } from '../core/ports/repository.ts';
import { scrub } from '../core/safety/redaction.ts';
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import {
  canBeFramed,
  type CodeFrame,
  cutFrame,
  linesOf,
  type NumberedLine,
} from '../core/words/code-index.ts';
import type { Seat } from '../core/words/config.ts';
import { familyNamed, familyOf } from '../core/words/runner.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Review } from '../core/words/review.ts';
import type { World } from './world.ts';

/** Null for a question: the model was fitted on what reviewers say about changes. */
export async function confidenceSettingsFor(
  subject: Subject,
  seats: readonly Seat[],
  memory: Pick<Memory, 'reliability' | 'recalibration'> | null,
): Promise<ConfidenceSettings | null> {
  if (subject.kind !== 'change') return null;
  return {
    model: confidenceModel,
    reliability: (await memory?.reliability()) ?? [],
    recalibration: (await memory?.recalibration()) ?? null,
    families: familiesOf(seats),
  };
}

/** Reviewers whose family nobody knows are left out. */
export function familiesOf(
  seats: readonly Pick<Seat, 'id' | 'family' | 'model' | 'runner'>[],
): ReadonlyMap<string, string> {
  return new Map(
    seats.flatMap(seat => {
      const family = familyOf(seat) ?? familyNamed(seat.id);
      return family === null ? [] : [[seat.id, family] as const];
    }),
  );
}

// Gives the claims of a run the ids and states they have in the memory of the project.

interface RecallRequest {
  plan: Plan;
  subject: Subject;
  reviews: readonly Review[];
  claims: readonly Claim[];
  /** What corrected their confidence; null: nothing. */
  recalibration: Recalibration | null;
  /** ISO time. */
  completedAt: string;
  /** Does the run come to a decision with these claims? */
  isDecided: (claims: readonly Claim[]) => boolean;
}

/** Questions have no memory: every claim is new. `isKept`: are the claims remembered, too? */
export async function recallClaims(
  { plan, subject, reviews, claims, recalibration, completedAt, isDecided }: RecallRequest,
  { memory, repository, hash }: World,
  isKept: boolean,
): Promise<Omit<RememberedRun, 'changed'>> {
  if (!memory || subject.kind !== 'change') return { claims, fixed: [], dismissed: [] };
  return memory[isKept ? 'remember' : 'recognise']({
    run: plan.run,
    at: completedAt,
    change: subject,
    reviews,
    claims,
    hash,
    families: familiesOf(plan.seats),
    recalibration,
    read: (file, side) => repository?.read(file, side) ?? Promise.resolve(null),
    isDecided,
  });
}

// Cuts out of the subject the lines that claims are about. Credentials are replaced before anything is cut.

/** Reports show the first claims only, and a flood of them must not become one of code. */
const mostFrames = 50;

/** By claim id, for the first of `claims`; those without a place that was found are left out. */
export async function frameClaims(
  claims: readonly Pick<Claim, 'id' | 'location'>[],
  subject: Subject,
  secrets: SecretScanner,
): Promise<Record<string, CodeFrame>> {
  const frames: Record<string, CodeFrame> = {};
  const sides = new Map<string, readonly NumberedLine[]>();
  for (const claim of claims.slice(0, mostFrames)) {
    const { location } = claim;
    if (!location || !canBeFramed(claim)) continue;
    const key = `${location.side}:${location.path}`;
    const lines =
      sides.get(key) ??
      (await scrubLines(linesOf(subject, location.path, location.side), location.path, secrets));
    sides.set(key, lines);
    const frame = cutFrame(lines, location);
    if (frame) frames[claim.id] = frame;
  }
  return frames;
}

/** Over all lines at once: a key may stand on several of them. Replacing keeps every line end. */
async function scrubLines(lines: readonly NumberedLine[], path: string, secrets: SecretScanner) {
  const text = lines.map(line => line.text).join('\n');
  const scrubbed = scrub(text, await secrets.scan(text, path)).split('\n');
  return lines.map(({ number }, index) => ({ number, text: scrubbed[index] ?? '' }));
}
