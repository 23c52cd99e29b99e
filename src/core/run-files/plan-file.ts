/** What the files of a run are named by, and the plan of a vote. */
import { z } from 'zod';
import { Spent } from '../words/review.ts';
import { Count } from '../words/fields.ts';

/** UTC time and six hex digits: sorts by age. */
export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** `plan.json` of a formal vote. */
export const MotionsPlan = z.looseObject({
  schema: z.literal('jury.motions-plan/1'),
  run: z.string().regex(runIdPattern),
  version: z.string(),
  startedAt: z.string(),
  /** Absolute folder the caller stood in. */
  cwd: z.string(),
  /** The session, for lists of runs. */
  title: z.string(),
  /** As the command took it, so that it can be given again. */
  request: z.unknown(),
  /** Of everything that decides what members are asked. */
  inputHash: z.string(),
  /** Of each part of that, by its name, so that one that has changed can be named. */
  inputs: z.record(z.string(), z.string()).exactOptional(),
  /** Random delimiter around untrusted text. */
  fence: z.string(),
});
export type MotionsPlan = Readonly<z.infer<typeof MotionsPlan>>;

/** `motions.json`: a run folder of a vote without it never ended. */
export const EndedMotions = z.object({
  schema: z.literal('jury.motions-run/1'),
  run: z.string(),
  title: z.string(),
  startedAt: z.string(),
  completedAt: z.string(),
  /** Absolute folder of the artifacts. */
  artifacts: z.string(),
  counts: z.record(z.string(), z.number()),
});
export type EndedMotions = Readonly<z.infer<typeof EndedMotions>>;

/** That the audit trail of a vote ended so: the head is in the key. */
export const NotedHead = z.string();

/** How a round of a vote ended, as its journal keeps it. */
export const RoundEnd = z.object({
  /** Over all rounds. */
  spent: Spent,
  /** Answers that were asked for and did not come. */
  missing: Count,
});
export type RoundEnd = Readonly<z.infer<typeof RoundEnd>>;
