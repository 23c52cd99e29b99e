/** The public library of Jury: `createJury`, and every type that its methods take or return. */
export {
  createJury,
  type CallOptions,
  type Jury,
  type JuryRequest,
  type JurySettings,
  type PlanRequest,
} from './library/jury.ts';
export type { ListedRuns, VerdictsRequest } from './library/runs.ts';
export type { Named } from './render/show.ts';
export type { RunResult, StreamEvent, DemoRequest } from './library/run-request.ts';

// What a caller may bring of its own.
export type { FunctionAnswer, ReviewerFunction } from './adapters/runners/function.ts';
export type { GivenCall as Call } from './library/call.ts';
export { Config, type ConfigInput, type ReviewerConfig, type Seat } from './core/words/config.ts';
export type {
  Clock,
  ProcessIdentity,
  ProcessRequest,
  ProcessResult,
  Processes,
  Ids,
  Disk,
  DiskEntry,
  DiskEntryKind,
  FileStatus,
  OpenFile,
  Answer,
  Answered,
  NotAnswered,
  Progress,
  Reports,
  ReviewerTools,
  Runner,
  Turn,
} from './core/ports/runner.ts';
export type { Comparison, Matcher } from './core/ports/matcher.ts';

// What is asked for: one schema each, strict, with a sentence for each key.
export {
  AskRequest,
  ClaimsRequest,
  ReviewRequest,
  VerdictRequest,
  VerifyRequest,
  BrainstormRequest,
  Ceilings,
  CleanRequest,
  ContinueRequest,
  CollectRequest,
  ConsensusRequest,
  DocumentRequest,
  GatesRequest,
  GroundRequest,
  ImportRequest,
  ResearchRequest,
} from './core/request.ts';
export {
  MotionsRequest,
  RatifyRequest,
  type MotionsOutcome,
  type ExplainedMotion,
  type MotionQuestion,
  type KeptVote,
  type ListedMotions,
  type RatifiedAgain,
  type AuditOptions,
  type SignedAudit,
} from './vote/index.ts';
export { processes, Request, subjectKeyOf, type Process } from './core/process.ts';
export type {
  PackRequest,
  PackCheck,
  PackReports,
  ShownPack,
} from './library/context/context-packs.ts';
export type { ApprovalRequest, Approved } from './library/resume-run.ts';
export type {
  DecisionRequest,
  ExplanationRequest,
  Decided,
  MeantClaim,
  WrittenBaseline,
} from './library/project-claims.ts';
export type { FormedExplanationRequest } from './library/form-consensus.ts';
export type { ChangedHook, HookState, HookStep } from './core/hooks/hook.ts';
export type { HookRequest, HookCall } from './library/run-hook.ts';
export type { Inbox, WrittenVerdict, Importable } from './library/import-runs.ts';
export type { IndexRequest, SearchRequest, BuiltIndex } from './library/open-world.ts';
export type { ComparedCommits } from './library/subjects.ts';
export { Day, scopes as decisionScopes } from './core/words/run.ts';

// What comes back.
export type {
  OnEvent,
  RunEvent,
  Cause,
  Failure,
  FailureReason,
  FileReading,
  Review,
  Usage,
} from './core/words/review.ts';
export type { Run, RunRecord, RunReviewer } from './core/words/run.ts';
export type { Change, ChangedFile, Subject, PullFacts } from './core/words/change.ts';
export type { Agreement, Claim, Grounding } from './core/words/claim.ts';
export type { Finding, Location, StatedFinding, Severity } from './core/words/finding.ts';
export { exitCodeOf } from './core/verdict/outcome.ts';
export { approvableRules, isApprovable, type Approval } from './core/verdict/record.ts';
export type { Coverage, Outcome, Reason } from './core/verdict/record.ts';
export { UserError } from './core/errors.ts';
export { formats, type Format, type RenderOptions } from './render/formats.ts';
export type {
  PackedPull,
  PullReview,
  ReviewedPull,
  Published,
  PublishingRequest,
} from './library/github-jobs.ts';
export type { Cleaned, Imported, Statistics, ClaimExplanation } from './core/printed/checks.ts';
export type { ListedVote, Preview, ReviewPlan, UnfinishedRun } from './core/printed/reports.ts';
export type { VerdictFolder } from './adapters/store/run-folder.ts';
export type { Consensus } from './answers/index.ts';
export type { Verified } from './library/judge-ended.ts';
export { groundingExit } from './core/run-files/merged-findings.ts';
export type { PackReport } from './core/context/packing/local-pack.ts';
export type { SearchHit } from './core/words/code-index.ts';
export type { VerifiedAudit, VotePlan } from './core/printed/votes.ts';
export type { Grant } from './adapters/memory/allowed-records.ts';
export type { Examined, TrustRequest } from './library/trust.ts';
export type { InspectRequest, Machine } from './library/inspect-machine.ts';

// What the entry points share besides.
export { readGivenFile, readStandardInput } from './adapters/system/given-file.ts';
export { loadTokenCounter } from './adapters/tokens/token-counter.ts';
export { version } from './library/call.ts';
export type { Isolation } from './core/words/isolation.ts';
