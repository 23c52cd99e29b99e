/** Which files of a change go into the next question of a reviewer that cannot be asked about all of them at once. */

import { z } from 'zod';
import { ProgressiveMode } from './progressive-mode.ts';

/** One question of a review, as a journal keeps it. */
export const StepChoice = z.object({
  files: z.array(
    z.object({ path: z.string(), /** Shown as its changed lines alone. */ isReduced: z.boolean() }),
  ),
  mode: ProgressiveMode,
  /** Of instructions and prompt; 0 where nobody counts. */
  tokens: z.int(),
  /** Files that fit in no way. */
  skipped: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type StepChoice = z.infer<typeof StepChoice>;

export interface StepCandidate {
  readonly path: string;
  readonly tokens: number;
  readonly bytes: number;
  /** The changed lines alone; null when that is the same text. */
  readonly reduced: { readonly tokens: number; readonly bytes: number } | null;
}

export interface StepRoom {
  /** Tokens that this step may take for its files. */
  readonly tokens: number;
  /** Tokens that are left for files at all: one file may take them alone. At least `tokens`. */
  readonly left: number;
  /** Bytes of files that one prompt takes. */
  readonly bytes: number;
}

export type StepFile = StepChoice['files'][number];

export interface NextStep {
  /** Empty when nothing that is pending fits. */
  readonly files: readonly StepFile[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly pending: readonly StepCandidate[];
}

/** Takes files in their order until the next one does not fit; one that never will is skipped, and said so. */
export function takeStep(candidates: readonly StepCandidate[], room: StepRoom): NextStep {
  const files: StepFile[] = [];
  const skipped: { path: string; why: string }[] = [];
  let [tokens, bytes, next] = [0, 0, 0];
  for (; next < candidates.length; next++) {
    const candidate = candidates[next];
    if (candidate === undefined) break;
    if (tokens + candidate.tokens <= room.tokens && bytes + candidate.bytes <= room.bytes) {
      files.push({ path: candidate.path, isReduced: false });
      tokens += candidate.tokens;
      bytes += candidate.bytes;
      continue;
    }
    if (files.length > 0) break;
    const alone = takeAlone(candidate, room);
    if (alone !== null) return { files: [alone], skipped, pending: candidates.slice(next + 1) };
    skipped.push({
      path: candidate.path,
      why: smallestBytes(candidate) > room.bytes ? 'does not fit the prompt' : outOfBudget,
    });
  }
  return { files, skipped, pending: candidates.slice(next) };
}

export const outOfBudget = 'does not fit what is left of the budget';

/** Whole if that fits, else its changed lines. */
function takeAlone(
  { path, tokens, bytes, reduced }: StepCandidate,
  room: StepRoom,
): StepFile | null {
  if (tokens <= room.left && bytes <= room.bytes) return { path, isReduced: false };
  return reduced !== null && reduced.tokens <= room.left && reduced.bytes <= room.bytes
    ? { path, isReduced: true }
    : null;
}

function smallestBytes({ bytes, reduced }: StepCandidate): number {
  return Math.min(bytes, reduced?.bytes ?? bytes);
}
