/**
 * The entrance of the room: motions put to the vote, claims put to the vote as motions, and what is kept of both. Other rooms
 * import nothing else of it.
 */
export { deliberate } from './asking/hear-claims.ts';
export { forecastDeliberation } from './claim-vote.ts';
export {
  type ExplainedMotion,
  explainMotion,
  type MotionQuestion,
  ratifyAgain,
  type RatifiedAgain,
  type MotionsOutcome,
  planVote,
  voteOnMotions,
} from './holding/vote-on-motions.ts';
export {
  type KeptVote,
  type ListedMotions,
  listMotions,
  readKeptVote,
  readMotions,
} from './holding/motions-run.ts';
export {
  type AuditOptions,
  signAudit,
  type SignedAudit,
  verifyAuditTrail,
} from './holding/verify-audit.ts';
export {
  mostTried,
  commonestFailure,
  countOutcomes,
  describeSearch,
  isDecided,
  type MotionsReport,
  type MotionsRun,
  summariseTriage,
  summariseVote,
  secondPassWords,
} from './motions-run.ts';
export { type RatificationRow, toFileRow } from './ratify.ts';
export type { Tally } from './ratification.ts';
export type { PanelRecord, Side } from './records.ts';
export { MotionsRequest, RatifyRequest } from './holding/prepare-vote.ts';
