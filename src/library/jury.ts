/**
 * The public library: everything an entry point (terminal, MCP) or a program can do, as methods of one object. What a review needs is
 * loaded with the library, all else by the method that needs it.
 */
import type { ClaimExplanation, Cleaned, Imported, Statistics } from '../core/printed/checks.ts';
import type { Preview, ReviewPlan } from '../core/printed/reports.ts';
import type { VerifiedAudit, VotePlan } from '../core/printed/votes.ts';
import type { SearchHit } from '../core/words/code-index.ts';
import type { Request } from '../core/process.ts';
import type { Consensus } from '../answers/index.ts';
import type {
  Ceilings,
  ClaimsRequest,
  CleanRequest,
  ContinueRequest,
  GroundRequest,
  ImportRequest,
  VerdictRequest,
  VerifyRequest,
} from '../core/request.ts';
import type {
  AuditOptions,
  ExplainedMotion,
  KeptVote,
  ListedMotions,
  MotionQuestion,
  MotionsOutcome,
  MotionsRequest,
  RatifiedAgain,
  RatifyRequest,
  SignedAudit,
} from '../vote/index.ts';
import type { Run } from '../core/words/run.ts';
import type { Grounding } from '../core/words/claim.ts';
import type { Grant } from '../adapters/memory/allowed-records.ts';
import type { VerdictFolder } from '../adapters/store/run-folder.ts';
import { type Format, renderers, type RenderOptions } from '../render/formats.ts';
import type { ApprovalRequest, Approved } from './resume-run.ts';
import { type Call, type GivenCall, fillCall, watched } from './call.ts';
import {
  type DemoRequest,
  type RunResult,
  type StreamEvent,
  demonstrate,
  goOnNamed,
  runRequest,
  streamRun,
  withPrepared,
} from './run-request.ts';
import type {
  PackedPull,
  Published,
  PublishingRequest,
  PullReview,
  ReviewedPull,
} from './github-jobs.ts';
import type { FormedExplanationRequest } from './form-consensus.ts';
import type { PackCheck, PackReports, PackRequest, ShownPack } from './context/context-packs.ts';
import type {
  Decided,
  DecisionRequest,
  ExplanationRequest,
  MeantClaim,
  WrittenBaseline,
} from './project-claims.ts';
import type { Importable, Inbox, WrittenVerdict } from './import-runs.ts';
import type { InspectRequest, Machine } from './inspect-machine.ts';
import type { ChangedHook, HookState, HookStep } from '../core/hooks/hook.ts';
import type { HookRequest, HookCall } from './run-hook.ts';
import {
  type BuiltIndex,
  type IndexRequest,
  type SearchRequest,
  buildProjectIndex,
  searchProject,
} from './open-world.ts';
import { compareCommits, type ComparedCommits } from './subjects.ts';
import { groundFolder, type Verified, verifyChangeIn } from './judge-ended.ts';
import type { Named } from '../render/show.ts';
import type { ListedRuns, VerdictsRequest } from './runs.ts';
import {
  type Examined,
  type TrustRequest,
  examineConfiguration,
  grantConfiguration,
  grantRepository,
  listGrants,
  revokeGrant,
} from './trust.ts';

/** What is put before the panel, told apart by `process`; the other keys are those of the terminal command of that name. */
export type JuryRequest = Request;

/** Of these only changes are sized up, and so have a plan. */
export type PlanRequest = Extract<Request, { readonly process: 'review' | 'gates' }>;

/** What every call of one jury has in common. All of it may be left out. */
export interface JurySettings extends Partial<GivenCall> {}

/** What one call has of its own, in place of what the jury was made with. */
export type CallOptions = Pick<GivenCall, 'signal' | 'onEvent'>;

/**
 * Every method that reads or asks may throw `UserError` for what the caller can put right: a configuration, a revision, a name.
 * What a reviewer does wrong never throws: it is a failed review in the run, which is then not PASS.
 */
export interface Jury {
  /** Puts something before the panel. Resolves when all is on disk, whatever the reviewers did. Aborting ends the run as INCOMPLETE. */
  run(request: JuryRequest, options?: CallOptions): Promise<RunResult>;
  /** The same as events, of which the last, `result`, holds the run. Leaving the loop early cancels the run. */
  stream(request: JuryRequest, options?: CallOptions): AsyncGenerator<StreamEvent, void, undefined>;
  /** What `run` would take: panel, reasons, budgets, calls, money. Nobody is asked and nothing is written. */
  plan(request: PlanRequest, options?: CallOptions): Promise<ReviewPlan>;
  /** What `run` would send to whom. Nobody is asked and nothing is written. */
  preview(request: JuryRequest, options?: CallOptions): Promise<Preview>;
  /**
   * Finishes a run by id, unique prefix or `latest`: the run begun last that can be gone on with. Nothing finished is asked
   * again. Ceilings that are given replace those it began with.
   */
  resume(run: string, options?: CallOptions & Ceilings): Promise<RunResult>;
  /**
   * Opens a new budget for what is unread of the change of a run, decided or not: the same as `run` with `continue`. Ceilings as
   * for `resume`.
   */
  continue(run: string, options?: CallOptions & ContinueRequest): Promise<RunResult>;
  /**
   * Reviews a small bad commit that comes with Jury, with recorded answers in place of models. Needs git and nothing else. What it made is
   * removed before it resolves, unless it is kept.
   */
  demonstrate(request?: DemoRequest, options?: CallOptions): Promise<RunResult>;
  /**
   * In a workflow of GitHub: reviews the pull request of the event that began it and leaves the handover in a folder, whatever it came
   * to. What another job packed is held to that event and shown to no program.
   */
  reviewPull(request: PullReview, options?: CallOptions): Promise<ReviewedPull>;
  /** In a workflow of GitHub: packs the commits of the pull request of the event as data, into a new folder. Nobody is asked. */
  packPull(out: string, options?: CallOptions): Promise<PackedPull>;
  /** The text of a report. Pure: nothing is read or written. Default: no colour, 100 columns. */
  render(run: Run, format: Format, options?: Partial<RenderOptions>): string;

  /** Reads a run back by id, unique prefix or `latest`, the one that answered last. */
  report(run: string): Promise<RunResult>;
  /**
   * The run a person means, and what of it: `wanted` may be an id of the last answer instead of a run when `id` is null. `full`:
   * with the whole answer of its reviewer.
   */
  show(wanted: string, id?: string | null, options?: { readonly full?: boolean }): Promise<Named>;
  /** Everything that is kept: runs that ended, runs that did not, votes; each latest first. */
  list(): Promise<ListedRuns>;
  /**
   * Takes runs that were made elsewhere (a CI artifact, the `.jury` of version 0.1) to be shown and for nothing else. `agree` is told
   * what there is before anything is written; without it nothing is.
   */
  importRuns(
    request: ImportRequest,
    agree?: (found: Importable) => Promise<boolean> | boolean,
  ): Promise<Imported>;
  /** Removes runs. `announce` is told their ids before. */
  clean(request: CleanRequest, announce?: (ids: readonly string[]) => void): Promise<Cleaned>;
  /** The verdict files of a folder or of a run. A folder that is missing is empty. */
  verdicts(where: VerdictsRequest): Promise<VerdictFolder>;
  /** Names (`resources://runs/<id>/…`) of everything that can be read of so many of the newest runs, newest first. */
  resources(runs: number): Promise<readonly string[]>;
  /** The text behind a `resources://` name; null when the name is not legal, or nothing that may be read has it. */
  resource(uri: string): Promise<string | null>;

  /** Forms claims of findings that were produced elsewhere; each finding is in exactly one. Nobody is asked, but for the matching. */
  consensus(request: ClaimsRequest): Promise<Consensus>;
  /**
   * Why a claim is what it is: its findings, its neighbours, its confidence, its history. Of a run, or of findings that were
   * produced elsewhere.
   */
  explain(request: ExplanationRequest | FormedExplanationRequest): Promise<ClaimExplanation>;
  /** Accepts or dismisses a claim of the latest run, or any that is remembered. `announce` is told which before anything is written. */
  decide(request: DecisionRequest, announce?: (meant: MeantClaim) => void): Promise<Decided>;
  /**
   * Lets pass what a person was asked for, or what nobody could read, of the change of one run: the run is judged again with it, and so
   * is every later review of the very same change. For people: nothing that acts for an agent may call it.
   */
  approve(request: ApprovalRequest): Promise<Approved>;
  /** Writes the decisions that are remembered to `jury.baseline.json`. Null when there are none. */
  writeBaseline(): Promise<WrittenBaseline | null>;
  /** What each reviewer cost and brought, from the runs that are kept and the memory of the project. */
  statistics(): Promise<Statistics>;
  /** Checks what needs nobody's opinion: coverage of the changed lines, switched-off tests, undone work, evidence. Writes nothing. */
  verify(request: VerifyRequest): Promise<Verified>;
  /** A folder in the project for what the caller's own agents write, and what to tell them. `name` null: one is made up. */
  prepareInbox(name: string | null): Promise<Inbox>;
  /** Writes the verdict file of one agent; a second one replaces the first. */
  writeVerdict(request: VerdictRequest): Promise<WrittenVerdict>;
  /** Checks that every merged finding of a folder traces to an index entry of one of its agents. */
  ground(request: GroundRequest): Promise<Grounding>;

  readonly context: {
    /** Assembles the context pack of a role and writes it. Throws `UserError` when the changed lines alone do not fit. */
    pack(request: PackRequest): Promise<PackReports>;
    /** What is wrong with a pack that was written; `revision`: the commit it is held against, null for the working tree. */
    check(named: string, revision: string | null): Promise<PackCheck>;
    /** The text of a pack that was written. What has changed since is followed, and the pack rewritten. */
    show(named: string, revision: string | null): Promise<ShownPack>;
  };
  /** Brings the code index up to date: what stands where in the working tree or a commit. Reads what has changed and nothing else. */
  index(request: IndexRequest): Promise<BuiltIndex>;
  /** Passages of the project that match any of the words, best first. The index is brought up to date before. */
  search(request: SearchRequest): Promise<readonly SearchHit[]>;

  /** Votes on the motions of a session. Null when the vote was interrupted; `resumes` names the run to go on with. */
  vote(
    request: MotionsRequest,
    options?: CallOptions & { readonly resumes?: string | null },
  ): Promise<MotionsOutcome | null>;
  /**
   * What `vote` would take with real reviewers: calls, tokens, money, time, ceilings, and where it would ask. Nobody is asked and nothing
   * is written.
   */
  planVote(
    request: MotionsRequest,
    options?: CallOptions & { readonly resumes?: string | null },
  ): Promise<VotePlan>;
  /** The report of a vote, by id, unique prefix or `latest`, the run that answered last; null when that run is of another kind. */
  readVote(run: string): Promise<KeptVote | null>;
  /** Why one motion of a vote that ended came to what it came to, as data. */
  explainMotion(question: MotionQuestion): Promise<ExplainedMotion>;
  /** The vote that a person means by a run to be resumed; null when that run is of another kind. */
  findVote(run: string): Promise<ListedMotions | null>;
  /** Applies a rule set to recorded counts. Nobody is asked and nothing is written. */
  ratify(request: RatifyRequest): Promise<RatifiedAgain>;
  /**
   * Follows the hash chain of an audit trail to the first event that does not fit, counts the vote again, and holds it against what is
   * kept elsewhere.
   */
  verifyAudit(named: string, options?: AuditOptions): Promise<VerifiedAudit>;
  /**
   * Signs the head of an audit trail, beside it, when its folder is as it was written. `key`: a private key of SSH; by default that of
   * git.
   */
  signAudit(folder: string, options?: { readonly key?: string | undefined }): Promise<SignedAudit>;

  /** What configurations are allowed that were found rather than named: kept in the state of this user, outside of every project. */
  readonly trust: {
    /** A configuration with every file it names and all it wants, to be looked at. Nothing is allowed by it. */
    examine(request: TrustRequest): Promise<Examined>;
    /** Allows exactly what was examined. When a file of it changes, it is asked for again. */
    grant(examined: Pick<Examined, 'file' | 'hash' | 'demands'>): Promise<Grant>;
    /** Allows what the default branch of this repository's remote holds, now and later; nothing else of it. */
    grantRepository(): Promise<Grant>;
    /** Everything that is allowed, oldest first. Throws `UserError` for a record that others could have written. */
    list(): Promise<readonly Grant[]>;
    /** Takes back what an id, or its beginning, names. Resolves with the whole id. */
    revoke(id: string): Promise<string>;
  };

  readonly hooks: {
    /** Writes the hooks of git that call Jury. For people: nothing that acts for an agent may call it. What others wrote stays. */
    install(request?: HookRequest): Promise<readonly ChangedHook[]>;
    /** Takes away those that are ours. */
    remove(request?: Pick<HookRequest, 'names'>): Promise<readonly ChangedHook[]>;
    states(): Promise<readonly HookState[]>;
    /** What a hook does when git starts it; `onStep` is told each piece as soon as it is done. */
    run(
      request: HookCall,
      options?: CallOptions & { readonly onStep?: (step: HookStep) => void },
    ): Promise<readonly HookStep[]>;
  };

  /**
   * Writes what another job reviewed into its pull request. The handover is held to the repository, the number and the commit that the
   * request names. Resolves with what was done, or with why nothing was.
   */
  publish(request: PublishingRequest): Promise<Published>;

  /** What this machine has for a panel, and with `ask` whether each configured reviewer answers one word. */
  inspect(request?: InspectRequest): Promise<Machine>;
  /** Whether two revisions can be compared, and whether they differ. */
  compareCommits(base: string, head: string): Promise<ComparedCommits>;
}

/** Reads nothing and starts nothing: the world is opened by each call, and closed before it ends. */
export function createJury(settings: JurySettings = {}): Jury {
  const call: CallFor = ({ signal, onEvent } = {}) =>
    fillCall({
      ...settings,
      cwd: settings.cwd ?? process.cwd(),
      environment: settings.environment ?? process.env,
      signal: signal ?? settings.signal,
      onEvent: onEvent ?? settings.onEvent,
    });
  return {
    run: (request, options) => runRequest(request, call(options)),
    stream: (request, options) => streamRun(request, call(options)),
    plan: (request, options) =>
      withPrepared(request, call(options), async (prepared, own) =>
        (await import('./preview.ts')).planOf(prepared, own),
      ),
    preview: (request, options) =>
      withPrepared(request, call(options), async (prepared, own) =>
        (await import('./preview.ts')).previewOf(prepared, own),
      ),
    resume: (wanted, { signal, onEvent, ...given } = {}) =>
      goOnNamed(wanted, { how: 'resume', given }, call({ signal, onEvent })),
    continue: (wanted, { signal, onEvent, ...given } = {}) =>
      goOnNamed(wanted, { how: 'continue', given }, call({ signal, onEvent })),
    demonstrate: (request = {}, options) => demonstrate(request, call(options)),
    reviewPull: async (request, options) =>
      (await import('./github-jobs.ts')).reviewPullOfEvent(request, call(options)),
    packPull: async (out, options) =>
      (await import('./github-jobs.ts')).packPullOfEvent(out, call(options)),
    render: (ended, format, { color = false, width = 100 } = {}) =>
      renderers[format](ended, { color, width }),
    ...keptOf(call),
    ...claimsOf(call),
    ...votesOf(call),
    ...projectOf(call),
  };
}

type CallFor = (options?: CallOptions) => Call;

function keptOf(call: CallFor) {
  return {
    report: async wanted => (await import('./runs.ts')).readRun(wanted, call()),
    show: async (run, id = null, { full = false } = {}) =>
      (await import('./runs.ts')).showNamed({ run, id, full }, call()),
    list: async () => (await import('./runs.ts')).listRuns(call()),
    importRuns: async (request, agree = () => false) =>
      (await import('./import-runs.ts')).importRuns(request, agree, call()),
    clean: async (request, announce = () => {}) =>
      (await import('./runs.ts')).cleanRuns(request, call(), announce),
    verdicts: async where => (await import('./runs.ts')).readVerdicts(where, call()),
    resources: async runs => (await import('./runs.ts')).listNewestResources(runs, call()),
    resource: async uri => (await import('./runs.ts')).readResourceNamed(uri, call()),
  } satisfies Partial<Jury>;
}

function claimsOf(call: CallFor) {
  return {
    async consensus(request) {
      const { formConsensus } = await import('./form-consensus.ts');
      return (await formConsensus(request, call())).consensus;
    },
    explain: async request =>
      'consensus' in request
        ? (await import('./form-consensus.ts')).explainFormed(request, call())
        : (await import('./project-claims.ts')).explainClaimNamed(request, call()),
    decide: async (request, announce = () => {}) =>
      (await import('./project-claims.ts')).decideClaim(request, call(), announce),
    approve: async request => (await import('./resume-run.ts')).approveInRun(request, call()),
    writeBaseline: async () => (await import('./project-claims.ts')).writeProjectBaseline(call()),
    statistics: async () => (await import('./project-claims.ts')).gatherStatistics(call()),
    verify: request => verifyChangeIn(request, call()),
    prepareInbox: async name => (await import('./import-runs.ts')).prepareInbox(name, call()),
    writeVerdict: async request => (await import('./import-runs.ts')).writeVerdict(request, call()),
    ground: request => groundFolder(request, call()),
  } satisfies Partial<Jury>;
}

function votesOf(call: CallFor) {
  return {
    vote: async (request, { resumes = null, ...options } = {}) => {
      const { voteOnMotions } = await import('../vote/index.ts');
      return watched(
        { process: 'motions', call: call(options) },
        async watching => voteOnMotions(request, watching, { paint: await votePainter(), resumes }),
        // A vote has no gate and no claims. Null: it was interrupted.
        outcome => ({ run: outcome?.runId ?? null, outcome: null, claims: [] }),
      );
    },
    planVote: async (request, { resumes = null, ...options } = {}) =>
      (await import('../vote/index.ts')).planVote(request, call(options), resumes),
    readVote: async wanted => (await import('./runs.ts')).readVote(wanted, call()),
    explainMotion: async question =>
      (await import('../vote/index.ts')).explainMotion(question, call()),
    findVote: async wanted => (await import('./runs.ts')).findVote(wanted, call()),
    ratify: async request => (await import('../vote/index.ts')).ratifyAgain(request, call()),
    verifyAudit: async (named, options = {}) =>
      (await import('../vote/index.ts')).verifyAuditTrail(named, options, {
        paint: await votePainter(),
        call: call(),
      }),
    signAudit: async (folder, options = {}) =>
      (await import('../vote/index.ts')).signAudit(folder, options, {
        paint: await votePainter(),
        call: call(),
      }),
  } satisfies Partial<Jury>;
}

function projectOf(call: CallFor) {
  return {
    context: {
      pack: async request =>
        (await import('./context/context-packs.ts')).packContext(request, call()),
      check: async (named, revision) =>
        (await import('./context/context-packs.ts')).checkPack(named, revision, call()),
      show: async (named, revision) =>
        (await import('./context/context-packs.ts')).showPack(named, revision, call()),
    },
    index: request => buildProjectIndex(request, call()),
    search: request => searchProject(request, call()),

    trust: {
      examine: request => examineConfiguration(request, call()),
      grant: examined => grantConfiguration(examined, call()),
      grantRepository: () => grantRepository(call()),
      list: () => listGrants(call()),
      revoke: id => revokeGrant(id, call()),
    },

    hooks: {
      install: async (request = {}) =>
        (await import('./run-hook.ts')).installHooks(request, call()),
      remove: async (request = {}) => (await import('./run-hook.ts')).removeHooks(request, call()),
      states: async () => (await import('./run-hook.ts')).hookStates(call()),
      run: async (request, { onStep, ...options } = {}) =>
        (await import('./run-hook.ts')).runHook(request, call(options), onStep),
    },

    publish: async request => (await import('./github-jobs.ts')).publishHandover(request, call()),
    inspect: async (request = {}) =>
      (await import('./inspect-machine.ts')).inspectMachine(request, call()),
    compareCommits: (base, head) => compareCommits(base, head, call()),
  } satisfies Partial<Jury>;
}

async function votePainter() {
  return (await import('../render/motions-markdown.ts')).renderMotionsMarkdown;
}
