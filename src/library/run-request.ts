/** What can be done with a request: run it, show what would be sent to whom, tell what it would take. One way for every process. */
import { noteLastAnswer } from '../adapters/store/runs.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import type { ReviewPlan } from '../core/context/review-plan.ts';
import { processOf, type Request } from '../core/process.ts';
import { Ceilings } from '../core/request.ts';
import { parseRequest } from '../core/schema-problem.ts';
import type { Run } from '../core/words/run.ts';
import type { Call } from './call.ts';
import { judgeEndedRun, judgeReused } from './judge-folder.ts';
import { prepare, type Prepared } from './prepare.ts';
import type { Preview } from './preview.ts';
import { stateOf } from './own-state.ts';
import { startRun } from './start-run.ts';

/** Resolves with the run whatever the reviewers did. The gates of an existing run are judged again, and nobody is asked. */
export async function runRequest(request: Request, call: Call): Promise<Run> {
  if (
    'run' in request &&
    request.run !== undefined &&
    processOf(request.process).gate === 'folder'
  ) {
    return keepAnswer(await stateOf(call), await judgeEndedRun(request.run, call));
  }
  return withPrepared(request, call, async prepared =>
    keepAnswer(
      prepared.state,
      await judgeReused(await startRun(prepared, request.fresh ?? false, call), call),
    ),
  );
}

/** Finishes a run by id, unique prefix or `latest`: the run begun last that can be gone on with. */
export async function resumeNamed(wanted: string, given: Ceilings, call: Call): Promise<Run> {
  const { resumeRunIn } = await import('./resume-run.ts');
  const ceilings = parseRequest(Ceilings, given);
  const state = await stateOf(call);
  const run = await resumeRunIn(state, wanted, ceilings, call);
  return keepAnswer(state, await judgeReused(run, call));
}

/** What `runRequest` would send to whom. Nobody is asked. */
export function previewRequest(request: Request, call: Call): Promise<Preview> {
  return withPrepared(request, call, async prepared =>
    (await import('./preview.ts')).previewOf(prepared, call),
  );
}

/** What `runRequest` would take: panel, reasons, budgets, calls, money, ceiling. Only changes have a plan. Nobody is asked. */
export function planRequest(request: Request, call: Call): Promise<ReviewPlan> {
  return withPrepared(request, call, async prepared =>
    (await import('./preview.ts')).planOf(prepared, call),
  );
}

/** Whoever asks for the latest run next means this one, also when it answered from an earlier day. */
async function keepAnswer(state: StateFolder, run: Run): Promise<Run> {
  await noteLastAnswer(state, run.record.run);
  return run;
}

async function withPrepared<Result>(
  request: Request,
  call: Call,
  use: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const prepared = await prepare(request, call);
  try {
    return await use(prepared);
  } finally {
    await prepared.repository.close();
  }
}
