/** The entrance of the room: what a reviewer said, and findings produced elsewhere, as findings. Other rooms import nothing else of it. */
export { gravestIn, readAnswer, unanswered } from './answer.ts';
export type { Read, Reading, ReadingOptions } from './reading.ts';
export {
  readFindingsIndex,
  statusOf,
  withoutRestated,
  type FindingsIndex,
} from './findings-index.ts';
export { readSeverity } from './index-block.ts';
export { summaryLimit, summaryOf } from './place-in-text.ts';
export { createCheckMatcher, readSource } from './intake/read-source.ts';
export {
  gatherSources,
  type Consensus,
  type Intake,
  locateFault,
  type NamedText,
  parseJsonText,
  type Source,
} from './intake/intake.ts';
export { claimOf, readVerdictLine } from './labels.ts';
export { endMark } from './layout.ts';
export {
  continueReview,
  joinAnswers,
  mergeReadings,
  mergeReviews,
  standBy,
} from './merge-reviews.ts';
export { readIdeasAnswer, readResearchAnswer, summaryIn } from './prose-answer.ts';
export { isList, isObject, scanJson, textAt, type Json, type JsonObject } from './scanner.ts';
export { isSarif, unwrapEnvelope } from './wrappings.ts';
