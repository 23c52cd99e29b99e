/** Goes on with a run: nothing that finished is done again. */
import { readDocument } from '../adapters/document/read-document.ts';
import { openRepository } from '../adapters/git/repository.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import type { Change, Subject } from '../core/change.ts';
import type { Measure } from '../core/context/measure.ts';
import { UserError } from '../core/errors.ts';
import { excludeFiles } from '../core/change/set-aside.ts';
import type { Plan } from '../core/plan.ts';
import type { Repository } from '../core/ports.ts';
import type { Coverage, Run } from '../core/run.ts';
import { identityOf } from '../engine/make-plan.ts';
import { nextRound, runPanel } from '../engine/run-panel.ts';
import { gapsOf } from './base-ground.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { openRunnersOn, withWorld } from './open-world.ts';
import { refuseOutside, type OwnState } from './own-state.ts';
import { findResumableRun, isResumable } from './resumable-run.ts';
import { seatAgain } from './seat-again.ts';
import { measureLater } from './size-up.ts';
import { signalOf } from './start-run.ts';

/** A run that was decided is returned as it is; one that ended INCOMPLETE asks those again that did not complete, about what they have not read. */
export async function resumeRunIn(state: OwnState, wanted: string, call: Call): Promise<Run> {
  const { root } = state;
  const id = await findResumableRun(state, wanted);
  const store = await openRunFolder(root, id);
  const plan = await readPlan(store);
  if (!plan) throw new UserError(`Run ${id} was killed before it had a plan; nobody was asked yet.`, { kind: 'input', hint: 'Start the review again.' });
  const ended = (await store.read('report.json')) === null ? null : await readEndedRun(state, id);
  if (ended && !isResumable(ended.record)) return { ...ended, record: { ...ended.record, reused: true } };
  await refuseOutside(plan.cwd, plan, root);
  const repository = plan.subject.kind === 'change' ? await openRepository(plan.cwd, { temporaryFolder: temporaryFolderOf(call) }) : null;
  try {
    const { subject, whole, excluded } = await readAgain(plan, repository, root);
    const { seats, ground } = await seatAgain(plan, { change: whole, repository }, call);
    const seated: Plan = { ...plan, seats, gaps: [...new Set([...(plan.gaps ?? []), ...gapsOf(ground)])] };
    const runnerFor = openRunnersOn(ground, call, repository?.root ?? null);
    return await withWorld({ plan: seated, subject, root, isNew: false, repository, ground, runnerFor, measure: measureOf(seated, subject, repository) }, call, async world =>
      runPanel({ plan: seated, subject, excluded, round: nextRound(world.steps) }, world, signalOf(call), call.onEvent ?? (() => {})));
  } finally {
    await repository?.close();
  }
}

function measureOf({ spending, seats }: Plan, subject: Subject, repository: Repository | null): Measure | null {
  return spending === null || subject.kind !== 'change' || repository === null ? null : measureLater({ ...spending, change: subject, repository, seats });
}

interface ReadAgain {
  readonly subject: Subject;
  /** The change with what is not reviewed; null for other subjects. */
  readonly whole: Change | null;
  readonly excluded: Coverage['excluded'];
}

async function readAgain(plan: Plan, repository: Repository | null, root: string): Promise<ReadAgain> {
  if (plan.subject.kind === 'question') {
    return { subject: { kind: 'question', title: plan.subject.title, prompt: plan.prompt ?? '', context: plan.context }, whole: null, excluded: [] };
  }
  if (plan.subject.kind === 'document') {
    await refuseOutside(plan.subject.path, plan, root);
    const document = await readDocument(plan.subject.path, plan.subject.title);
    checkUnchanged(document, plan);
    return { subject: document, whole: null, excluded: [] };
  }
  if (repository === null) throw new Error('A change is read from a repository.');
  const whole = await repository.change(plan.subject.request);
  const { change, excluded } = excludeFiles(whole, plan.exclude);
  checkUnchanged(change, plan);
  return { subject: change, whole, excluded };
}

function checkUnchanged(subject: Subject, { run, subjectHash }: Plan): void {
  if (sha256(JSON.stringify(identityOf(subject))) === subjectHash) return;
  throw new UserError(`The ${subject.kind} has moved since run ${run} began.`, { kind: 'input', hint: 'Start a new review; the old run stays readable with "jury show".' });
}
