/** What the files of a run are named by, and the plan of a vote. */
import { z } from 'zod';
import { Spent } from '../words/review.ts';
import { Amount, Count, Text } from '../words/fields.ts';

/** UTC time and six hex digits: sorts by age. */
export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** `plan.json` of a formal vote. */
export const MotionsPlan = z.looseObject({
  schema: z.literal('jury.motions-plan/1'),
  run: Text.regex(runIdPattern),
  version: Text,
  startedAt: Text,
  /** Absolute folder the caller stood in. */
  cwd: Text,
  /** The session, for lists of runs. */
  title: Text,
  /** As the command took it, so that it can be given again. */
  request: z.unknown(),
  /** Of everything that decides what members are asked. */
  inputHash: Text,
  /** Of each part of that, by its name, so that one that has changed can be named. */
  inputs: z.record(Text, Text).exactOptional(),
  /** Random delimiter around untrusted text. */
  fence: Text,
});
export type MotionsPlan = z.infer<typeof MotionsPlan>;

/** `motions.json`: a run folder of a vote without it never ended. */
export const EndedMotions = z.object({
  schema: z.literal('jury.motions-run/1'),
  run: Text,
  title: Text,
  startedAt: Text,
  completedAt: Text,
  /** Absolute folder of the artifacts. */
  artifacts: Text,
  counts: z.record(Text, Amount),
});
export type EndedMotions = z.infer<typeof EndedMotions>;

/** That the audit trail of a vote ended so: the head is in the key. */
export const NotedHead = Text;

/** How a round of a vote ended, as its journal keeps it. */
export const RoundEnd = z.object({
  /** Over all rounds. */
  spent: Spent,
  /** Answers that were asked for and did not come. */
  missing: Count,
});
export type RoundEnd = z.infer<typeof RoundEnd>;
