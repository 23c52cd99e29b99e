/**
 * The entrance of the room: which findings say the same, what stands against them, how sure that is, and what is remembered. Other
 * rooms import nothing else of it.
 */
export { confidenceModel } from './calibrated-model.ts';
export { formClaims, type ConfidenceSettings } from './claims.ts';
export { cutOf, listenersIn } from './confidence/act.ts';
export { createAssessor, type Assessor } from './confidence/confidence.ts';
export { explainClaim, mostTelling, type Recorded } from './explaining/explain.ts';
export { groupFindings } from './claims.ts';
export {
  createJudging,
  mostCalls,
  mostPairs,
  isJudgeable,
  withAnswers,
  type JudgeablePanel,
  type Judging,
} from './judge.ts';
export {
  isGrouping,
  pairsSharing,
  type GroupingMatcher,
  type Pair,
  type SelectiveMatcher,
} from './matching.ts';
export {
  categoryOf,
  decideAbout,
  decisionsOn,
  standOf,
  type DecidedThing,
  type Decision,
} from './memory/decision.ts';
export { judgeAccuracyOf, judgedBy } from './memory/judge-accuracy.ts';
export {
  type DecidedConfidence,
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withRecalibration,
} from './memory/remember-run.ts';
export { reliabilityOf, type ReviewerReliability } from './memory/reliability.ts';
export { rememberRun } from './memory/remember-run.ts';
export { asComplaints } from './polarity.ts';
export { selectForMatching, type Selection } from './selection.ts';
export { createMatcher } from './strategies.ts';
export { securityWeaknesses, weaknessesIn } from './weaknesses.ts';
export { areDifferentFiles, fileOfFinding, overlapOfWords, words } from './wording/words.ts';
