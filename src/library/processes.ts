/** Everything that can be put before a panel: one row for each process, from its request to a prepared run. */
import type { ReviewPlan } from '../core/context/review-plan.ts';
import type { AskRequest, ReviewRequest } from '../core/request.ts';
import type { BrainstormRequest, DocumentRequest, GatesRequest, ResearchRequest } from '../core/process-request.ts';
import type { Run } from '../core/run.ts';
import { UserError } from '../core/errors.ts';
import type { Call } from '../wiring/call.ts';
import { noteLastAnswer } from '../adapters/store/last-answer.ts';
import { judgeEndedRun, withGate } from '../wiring/judge-run.ts';
import { ownStateOf } from '../wiring/own-state.ts';
import type { ConsensusRequest } from '../wiring/prepare-consensus.ts';
import { prepareQuestion, prepareReview } from '../wiring/prepare-review.ts';
import type { Preview } from '../wiring/preview.ts';
import { startRun, type Prepared } from '../wiring/start-run.ts';

interface Requests {
  /** A change: `{ process: 'review', range: 'main..HEAD' }`. Without any of the ways to name one, the last commit. */
  review: ReviewRequest;
  /** A question; `mode` says what kind of answer is wanted. */
  ask: AskRequest;
  /** A design, a plan or a specification. */
  document: DocumentRequest;
  /** `record.research` holds what the researchers come to: sources by rank, answer, conflicts, gaps. */
  research: ResearchRequest;
  /** The review's `said` holds the whole answer. */
  brainstorm: BrainstormRequest;
  /** What is about to be committed; `record.gate` says why. With `run`, an existing run is judged and nobody is asked. */
  gates: GatesRequest;
  /** What `multi-consensus` asks: its own panel, in which Claude is required, and always afresh. */
  'multi-consensus': ConsensusRequest;
}

export type ProcessName = keyof Requests;

type RequestOf<Name extends ProcessName> = { [Each in Name]: { readonly process: Each } & Requests[Each] }[Name];

/** What is put before the panel, told apart by `process`; the other keys are those of the terminal command of that name. */
export type JuryRequest = RequestOf<ProcessName>;

/** Of these only changes are sized up, and so have a plan. */
export type PlanRequest = RequestOf<'review' | 'gates'>;

type Preparers = { readonly [Name in ProcessName]: (request: RequestOf<Name>, call: Call) => Promise<Prepared> };

const preparers: Preparers = {
  review: (request, call) => prepareReview(bare(request), call),
  ask: (request, call) => prepareQuestion(bare(request), call),
  document: async (request, call) => (await import('../wiring/prepare-process.ts')).prepareDocument(bare(request), call),
  research: async (request, call) => (await import('../wiring/prepare-process.ts')).prepareResearch(bare(request), call),
  brainstorm: async (request, call) => (await import('../wiring/prepare-process.ts')).prepareBrainstorm(bare(request), call),
  gates: async (request, call) => (await import('../wiring/prepare-gates.ts')).prepareGates(bare(request), call),
  'multi-consensus': async (request, call) => (await import('../wiring/prepare-consensus.ts')).prepareConsensus(bare(request), call),
};

/** The caller closes `repository` of what this returns. Throws `UserError`. */
function prepare<Name extends ProcessName>(request: RequestOf<Name>, call: Call): Promise<Prepared> {
  if (!Object.hasOwn(preparers, request.process)) {
    throw new UserError(`There is no process "${request.process}".`, {
      kind: 'usage', hint: `Use one of ${Object.keys(preparers).join(', ')}.`,
    });
  }
  return preparers[request.process](request, call);
}

/** The schemas behind know no `process`, and refuse what they do not know. */
function bare<Request extends { readonly process: string }>(request: Request): Omit<Request, 'process'> {
  const { process: _, ...rest } = request;
  return rest;
}

/** Resolves with the run whatever the reviewers did. */
export async function runProcess(request: JuryRequest, call: Call): Promise<Run> {
  if (request.process === 'gates' && request.run !== undefined) {
    return noted((await ownStateOf(call)).root, await judgeEndedRun(request.run, call));
  }
  const prepared = await prepare(request, call);
  try {
    const isFresh = request.process === 'multi-consensus' || (request.fresh ?? false);
    return await noted(prepared.root, await withGate(await startRun(prepared, isFresh, call), call));
  } finally {
    await prepared.repository?.close();
  }
}

/** Finishes a run by id, unique prefix or `latest`: the run begun last that can be gone on with. */
export async function resumeRun(wanted: string, call: Call): Promise<Run> {
  const { resumeRunIn } = await import('../wiring/resume-run.ts');
  const state = await ownStateOf(call);
  return noted(state.root, await withGate(await resumeRunIn(state, wanted, call), call));
}

/** What `runProcess` would send to whom. Nobody is asked and nothing is written. */
export async function previewProcess(request: JuryRequest, call: Call): Promise<Preview> {
  const { previewOf } = await import('../wiring/preview.ts');
  return withPrepared(request, call, prepared => previewOf(prepared, call));
}

/** What `runProcess` would take: panel, reasons, budgets, calls, money, ceiling. Nobody is asked and nothing is written. */
export async function planProcess(request: PlanRequest, call: Call): Promise<ReviewPlan> {
  const { planOf } = await import('../wiring/plan-review.ts');
  return withPrepared(request, call, prepared => planOf(prepared, call));
}

async function withPrepared<Result>(request: JuryRequest, call: Call, use: (prepared: Prepared) => Promise<Result>): Promise<Result> {
  const prepared = await prepare(request, call);
  try {
    return await use(prepared);
  } finally {
    await prepared.repository?.close();
  }
}

/** Whoever asks for the latest run next means this one, also when it answered from an earlier day. */
async function noted(root: string, run: Run): Promise<Run> {
  await noteLastAnswer(root, run.record.run);
  return run;
}
