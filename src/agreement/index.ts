/**
 * The entrance of the room: which findings say the same, what stands against them, how sure that is, and what is remembered. Other
 * rooms import nothing else of it.
 */
export { confidenceModel } from './calibrated-model.ts';
export { formClaims, type ConfidenceSettings, groupFindings } from './claims.ts';
export { createAssessor, type Assessor, cutOf, listenersIn } from './confidence/confidence.ts';
export { explainClaim, mostTelling, type Recorded } from './explaining/explain.ts';
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
} from './linkage.ts';
export {
  categoryOf,
  decideAbout,
  decisionsOn,
  standOf,
  type DecidedThing,
  type Decision,
  reliabilityOf,
  type ReviewerReliability,
  judgeAccuracyOf,
  judgedBy,
} from './memory/decision.ts';
export {
  type DecidedConfidence,
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withRecalibration,
  rememberRun,
} from './memory/remember-run.ts';
export { asComplaints, tellsTrouble } from './polarity.ts';
export {
  selectForMatching,
  type Selection,
  securityWeaknesses,
  weaknessesIn,
} from './statements.ts';
export { createMatcher } from './calibrated.ts';
export { areDifferentFiles, fileOfFinding, overlapOfWords, words } from './wording/words.ts';
