/** The door of the room: which findings say the same, what stands against them, how sure that is, and what is remembered. Other rooms import nothing else of it. */
export { confidenceModel } from './calibrated-model.ts';
export { formClaims, type ConfidenceSettings } from './claims.ts';
export { cutOf, listenersIn } from './confidence/act.ts';
export { createAssessor, type Assessor } from './confidence/confidence.ts';
export { ownWordings, wordsAlone } from './confidence/voices.ts';
export {
  confidenceBefore,
  explainClaim,
  mostTelling,
  type Neighbour,
  type PairReasons,
  type Recorded,
} from './explaining/explain.ts';
export { partsOf, percent, reasonOf } from './explaining/tell-claim.ts';
export { upperFirst } from './explaining/tell-pair.ts';
export { groupFindings, selectForMatching, type Selection } from './grouping.ts';
export { contradict, mustStayApart, nameOtherNumbers, standApart } from './guards.ts';
export {
  createJudging,
  mostCalls,
  mostPairs,
  PairAnswer,
  type Judging,
  type PairOdds,
} from './judge.ts';
export {
  isGrouping,
  isJudgeable,
  pairsSharing,
  withAnswers,
  type GroupingMatcher,
  type JudgeablePanel,
  type Pair,
  type SelectiveMatcher,
} from './matching.ts';
export {
  findFingerprint,
  fingerprintFile,
  fingerprintPlace,
  nearby,
} from './memory/code-fingerprint.ts';
export {
  categoryOf,
  decideAbout,
  findClaim,
  findFormedClaim,
  standOf,
  type DecidedThing,
  type Decision,
} from './memory/decision.ts';
export { learnFrom } from './memory/learnt.ts';
export {
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withRecalibration,
} from './memory/recalibration.ts';
export {
  familyNamed,
  familyOf,
  reliabilityOf,
  type ReviewerReliability,
} from './memory/reliability.ts';
export { rememberRun } from './memory/remember-run.ts';
export { computeStatistics } from './memory/statistics.ts';
export { antonyms, numerals } from './stance/lexicon.ts';
export { createMatcher } from './strategies.ts';
export { securityWeaknesses } from './weaknesses/security.ts';
export { readWeaknesses, spokenOf } from './weaknesses/weaknesses.ts';
export { stemOf } from './wording/stem.ts';
export {
  areDifferentFiles,
  fileOfFinding,
  overlapOfWords,
  readWording,
  words,
  type Wording,
} from './wording/words.ts';
export { wordsIn } from './wording/written-words.ts';
