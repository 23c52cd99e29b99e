/** Goes on with a run: nothing that finished is done again. */
import { openRepository } from '../adapters/git/repository.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import type { Subject } from '../core/words/change.ts';
import type { Measure } from '../core/context/measure.ts';
import { UserError } from '../core/errors.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Repository } from '../core/ports.ts';
import type { Run } from '../core/words/run.ts';
import { OutcomeRules } from '../core/verdict/rule-set.ts';
import { identityOf } from '../engine/make-plan.ts';
import { nextRound } from '../engine/review/rounds.ts';
import { runPanel } from '../engine/run-panel.ts';
import { gapsOf } from './trusted-base.ts';
import { temporaryFolderOf, type Call } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { openRunnersOn, withWorld } from './open-world.ts';
import { refuseOutside, type OwnState } from './own-state.ts';
import { findResumableRun, isResumable } from './resumable-run.ts';
import { repositoryRootOf } from './root.ts';
import { seatAgain } from './seat-again.ts';
import { measureLater } from './size-up.ts';
import { signalOf } from './start-run.ts';
import { readPlanned } from './subjects/read-planned.ts';

/** A run that was decided is returned as it is; one that ended INCOMPLETE asks those again that did not complete, about what they have not read. */
export async function resumeRunIn(state: OwnState, wanted: string, call: Call): Promise<Run> {
  const { root } = state;
  const id = await findResumableRun(state, wanted);
  const store = await openRunFolder(state, id);
  const plan = await readPlan(store);
  if (!plan)
    throw new UserError(`Run ${id} was killed before it had a plan; nobody was asked yet.`, {
      kind: 'input',
      hint: 'Start the review again.',
    });
  if (!OutcomeRules.safeParse(plan.rules).success)
    throw new UserError(`Run ${id} was begun by another version of Jury.`, {
      kind: 'input',
      hint: 'Start the review again.',
    });
  const ended = (await store.read('report.json')) === null ? null : await readEndedRun(state, id);
  if (ended && !isResumable(ended.record))
    return { ...ended, record: { ...ended.record, reused: true } };
  const top = call.state === undefined ? root : ((await repositoryRootOf(call)) ?? call.cwd);
  await refuseOutside(plan.cwd, plan, top);
  if (plan.subject.kind === 'document') await refuseOutside(plan.subject.path, plan, top);
  const repository = await openRepository(plan.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    const whole = await readPlanned(plan, repository);
    const { subject, excluded } = excludeFrom(whole, plan.exclude);
    checkUnchanged(subject, plan);
    const { seats, ground } = await seatAgain(
      plan,
      { change: whole.kind === 'change' ? whole : null, repository },
      call,
    );
    const seated: Plan = {
      ...plan,
      seats,
      gaps: [
        ...new Map(
          [...(plan.gaps ?? []), ...gapsOf(ground)].map(reason => [reason.sentence, reason]),
        ).values(),
      ],
    };
    const runnerFor = openRunnersOn(ground, call, repository.root);
    return await withWorld(
      {
        plan: seated,
        subject,
        root,
        isNew: false,
        repository,
        ground,
        runnerFor,
        measure: measureOf(seated, subject, { repository, state }),
      },
      call,
      async world =>
        runPanel(
          { plan: seated, subject, excluded, round: nextRound(world.steps) },
          world,
          signalOf(call),
          call.onEvent ?? (() => {}),
        ),
    );
  } finally {
    await repository.close();
  }
}

function measureOf(
  { spending, seats }: Plan,
  subject: Subject,
  world: { readonly repository: Repository; readonly state: OwnState },
): Measure | null {
  return spending === null || subject.kind !== 'change'
    ? null
    : measureLater({ ...spending, change: subject, ...world, seats });
}

function checkUnchanged(subject: Subject, { run, subjectHash }: Plan): void {
  if (sha256(JSON.stringify(identityOf(subject))) === subjectHash) return;
  throw new UserError(`The ${subject.kind} has moved since run ${run} began.`, {
    kind: 'input',
    hint: 'Start a new review; the old run stays readable with "jury show".',
  });
}
