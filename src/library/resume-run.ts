/** Goes on with a run: nothing that finished is done again. */
import { readApprovals, writeApproval } from '../adapters/memory/allowed-records.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { accountName } from '../adapters/system/processes.ts';
import { excludeFrom } from '../core/change/unshown.ts';
import { ifUserError, inputError, usageError } from '../core/errors.ts';
import type { RunStore } from '../core/ports/steps.ts';
import { processOf } from '../core/process.ts';
import type { ContinueRequest } from '../core/request.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import {
  type Approval,
  type Reason,
  approvableRules,
  isApprovable,
} from '../core/verdict/record.ts';
import { unaskable } from '../core/verdict/coverage.ts';
import { wasInterrupted } from '../core/verdict/review-status.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { nextRound } from '../engine/review/review-task.ts';
import { readMotions } from '../vote/index.ts';
import { type Call, noteTo, withRepository } from './call.ts';
import {
  type OwnState,
  requirePlan,
  readEndedRun,
  readPlan,
  readRecord,
  sealPlan,
  stateOf,
} from './own-state.ts';
import { type Opening, withWorld } from './open-world.ts';
import { measureOf } from './panel-choice.ts';
import { prepareAgain } from './prepare.ts';
import { joinGaps } from './settle.ts';
import { goThrough, runIn } from './start-run.ts';
import { createTrustedBase } from './trusted-base.ts';
import { readAgain } from './subjects.ts';

/** In which way a run is gone on with, and the ceilings it is given for that. */
export interface Onward {
  /** `resume` lets a decided run be; `continue` goes on with a review while anybody has anything left to read, whatever it came to. */
  readonly how: 'resume' | 'continue';
  readonly given: ContinueRequest;
}

/**
 * A run with which nothing is left to do is returned as it is. Any other asks those again that did not complete, about what they
 * have not read.
 */
export async function resumeRunIn(
  state: OwnState,
  wanted: string,
  { how, given }: Onward,
  call: Call,
) {
  const isOpen = how === 'resume' ? isResumable : isContinuable;
  const id = await findResumableRun(state, wanted, isOpen);
  const plan = await requirePlan(state, id);
  if (how === 'continue' && plan.subject.kind !== 'change')
    throw usageError(
      `Run ${id} reviewed a ${plan.subject.kind}: what is unread is of a change only.`,
      `To ask those again that did not complete: jury resume ${id}`,
    );
  const store = await openRunFolder(state, id);
  const ended = (await store.read('report.json')) === null ? null : await readEndedRun(state, id);
  if (ended && !isOpen(ended.record)) {
    if (how === 'continue')
      noteTo(call)(
        `Every reviewer of run ${id} has read all it is to read: nobody is asked again.`,
      );
    return { ...ended, record: { ...ended.record, reused: true } };
  }
  if (processOf(plan.command).subject === 'collected')
    throw usageError(
      'What was collected holds nobody who could be asked again.',
      'When the files are as they should be, collect the folder again: jury collect DIR',
    );
  return withRepository({ ...call, cwd: plan.cwd }, async repository => {
    const prepared = await prepareAgain(plan, given, { repository, state, call });
    for (const message of prepared.notes) noteTo(call)(message);
    return goThrough(prepared, prepared.plan.seats, call, ({ store }) =>
      noteCeilings(plan, prepared.plan, store, call),
    );
  });
}

export interface Approved {
  readonly approval: Approval;
  /** The run as it is judged now. */
  readonly run: Run;
}

/**
 * A run that has ended is judged again with what a person lets pass: by the judges it had, from the reviews it holds. Nobody is asked.
 * Throws `UserError` (kind `input`) where its change cannot be read any more, before `approve` writes anything.
 */
function judgeAgain(
  state: OwnState,
  { plan, ended }: { plan: Plan; ended: Run },
  call: Call,
  approve: () => Promise<Approval>,
) {
  return withRepository({ ...call, cwd: plan.cwd }, async repository => {
    const { subject: whole } = await readAgain(plan, repository);
    const { subject, excluded } = excludeFrom(whole, plan);
    const approval = await approve();
    const approvals = await readApprovals(state, approval.change);
    // What was found when the run went on stands in its record alone.
    const gaps = joinGaps(plan, ended.record.reasons.filter(isApprovable));
    const judged: Plan = { ...plan, gaps };
    const opening: Opening = {
      plan: judged,
      subject,
      state,
      repository,
      copies: ended.copies !== null,
      isNew: false,
      isAsked: false,
      ground: createTrustedBase(whole, repository),
      runnerFor: async ({ runner }) => {
        throw inputError(
          `Run ${plan.run} cannot be judged again: it does not hold what a reviewer (${runner}) said.`,
          'Review the change again: what was approved holds for it as long as it stays as it is.',
        );
      },
      measure: measureOf(plan, subject, { repository, state }),
    };
    const run = await withWorld(opening, call, async world => {
      const round = (await nextRound(world.steps)) - 1;
      return runIn(world, { plan: judged, subject, excluded, round, approvals }, call);
    });
    return { approval, run };
  });
}

/** Kept before anybody is asked: the plan holds who is asked and the ceilings that hold, `events.jsonl` those before them. */
async function noteCeilings(before: Plan, now: Plan, store: RunStore, call: Call) {
  const [earlier, later] = [ceilingsOf(before), ceilingsOf(now)];
  const changed = [...later].filter(([name, value]) => earlier.get(name) !== value);
  if (changed.length > 0) {
    const told = changed.map(([name, value]) => `${name} ${value} (before: ${earlier.get(name)})`);
    noteTo(call)(`Ceilings of this run from now on: ${told.join(', ')}.`);
    await store.append(
      'events.jsonl',
      JSON.stringify({
        at: call.clock.now().toISOString(),
        type: 'ceilings-change',
        before: Object.fromEntries(earlier),
        now: Object.fromEntries(later),
      }),
    );
  }
  // What was found when the run went on stands in its record alone.
  const { gaps } = before;
  await store.write('plan.json', sealPlan({ ...now, gaps }));
}

function ceilingsOf({ limits, seats, spending, maxCostPerMonth }: Plan) {
  return new Map([
    ['calls', String(limits.maxCalls ?? 'none')],
    ['tokens', String(limits.maxTokens ?? 'none')],
    ['dollars', String(limits.maxCost ?? 'none')],
    ...(maxCostPerMonth === undefined
      ? []
      : [['dollars of the month', String(maxCostPerMonth)] as const]),
    ['cover', spending?.cover ?? 'as budgets allow'],
    ...seats.map(({ id, timeout }) => [`seconds of ${id}`, String(timeout)] as const),
  ]);
}

export interface ApprovalRequest {
  /** `require-human` or `unread`; every other rule is refused. */
  readonly rule: string;
  /** Id, unique prefix or `latest`. */
  readonly run: string;
  /** What of it is meant; null: everything that stands under `require-human`. What nobody could read must be named. */
  readonly paths: readonly string[] | null;
  /** Why, for whoever reads it later. */
  readonly reason: string;
}

/** Throws `UserError`: of kind `usage` where this cannot be approved, of kind `input` where the run is not what it must be. */
export async function approveInRun(
  { rule, run: wanted, paths, reason }: ApprovalRequest,
  call: Call,
): Promise<Approved> {
  const why = reason.trim();
  if (why === '') throw usageError('Say why, for whoever reads it later.', 'Give --reason TEXT.');
  const state = await stateOf(call);
  const ended = await readEndedRun(state, wanted);
  const { run, reasons } = ended.record;
  const open = reasons.filter(isApprovable);
  const asked = approvableRules.find(name => name === rule);
  if (asked === undefined) throw notApprovable(rule, run, open);
  const things = thingsMeant(asked, paths, { run, open });
  const plan = await requirePlan(state, run);
  if (reasons.some(({ rule: found }) => found === 'interrupted'))
    throw inputError(
      `Run ${run} was interrupted: what it would have found is not known.`,
      `To finish it, run "jury resume ${run}".`,
    );
  return judgeAgain(state, { plan, ended }, call, () =>
    writeApproval(state, {
      change: plan.changeHash,
      rule: asked,
      things,
      by: accountName(),
      at: call.clock.now().toISOString(),
      reason: why,
      run,
    }),
  );
}

interface Open {
  run: string;
  open: readonly (Reason & Pick<Approval, 'rule'>)[];
}

function thingsMeant(rule: Approval['rule'], paths: readonly string[] | null, { run, open }: Open) {
  const candidates = open.filter(reason => reason.rule === rule);
  if (candidates.length === 0) throw notApprovable(rule, run, open);
  if (rule === 'unread' && !paths)
    throw usageError(
      'Say with --path what is approved although nobody has read it.',
      `In run ${run} that can be ${nameAll(candidates)}.`,
    );
  const stray = paths?.find(path => candidates.every(({ subject }) => subject !== path));
  if (stray !== undefined)
    throw usageError(
      `Run ${run} does not ask about ${makeVisible(stray)} under ${rule}.`,
      `It asks about ${nameAll(candidates)}.`,
    );
  const meant = candidates.filter(({ subject }) => !paths || paths.includes(subject));
  const [first, ...others] = new Map(
    meant.map(({ subject, object = null }) => [subject, { subject, object }] as const),
  ).values();
  if (!first) throw notApprovable(rule, run, open);
  return [first, ...others];
}

/** Claims, vetoes, secrets, quorums and required reviewers are mended or dismissed, never approved. */
function notApprovable(rule: string, run: string, open: Open['open']) {
  const left = approvableRules
    .map(name => ({ name, found: open.filter(reason => reason.rule === name) }))
    .filter(({ found }) => found.length > 0)
    .map(({ name, found }) => `${name} (${nameAll(found)})`);
  const isKnown = approvableRules.some(name => name === rule);
  return usageError(
    isKnown
      ? `Nothing in run ${run} waits for ${rule} to be approved.`
      : `"${makeVisible(rule)}" cannot be approved: only ${approvableRules.join(' and ')} can.`,
    left.length === 0
      ? `Nothing in run ${run} can be approved.`
      : `In run ${run} that is ${left.join(' and ')}.`,
  );
}

function nameAll(reasons: readonly Reason[]) {
  const names = [...new Set(reasons.map(({ subject }) => makeVisible(subject)))];
  return names.length > 5
    ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`
    : names.join(', ');
}

// Which runs can be gone on with, and which of them `latest` means.

/** It ended undecided or was cut short, or was failed before a reviewer whose tokens ran out had read every file. */
function isResumable({ outcome, reasons, reviewers }: RunRecord) {
  return (
    outcome === 'INCOMPLETE' ||
    wasInterrupted({ reasons }) ||
    (outcome === 'FAIL' &&
      reviewers.some(
        ({ status, cause }) => status === 'partial' && (cause === 'budget' || cause === 'room'),
      ))
  );
}

/** Has a reviewer of the change anything left to read, whatever the run came to? */
function isContinuable({ outcome, reviewers, subject }: RunRecord) {
  return (
    subject.kind === 'change' &&
    (outcome === 'INCOMPLETE' ||
      reviewers.some(
        ({ status, cause }) => status !== 'complete' && !(cause !== null && unaskable.has(cause)),
      ))
  );
}

type IsOpen = (record: RunRecord) => boolean;

/**
 * As `findAnsweredRun`, but `latest` is the run begun last that can be gone on with; where there is none, the one that answered last.
 * A vote that ended last is gone on with, whatever it came to, but for what was begun later and never ended.
 */
export async function findResumableRun(
  own: OwnState,
  wanted: string,
  isOpen: IsOpen = isResumable,
) {
  if (wanted !== 'latest') return own.findAnsweredRun(wanted);
  const last = await own.findAnsweredRun(wanted).catch(ifUserError(null));
  const isVote = last !== null && (await readMotions(own, last)) !== null;
  const decided = new Map<string, string>();
  let inUse: string | undefined;
  for (const id of await own.listRuns()) {
    if (isVote && id === last) return id;
    const state = await standOf(own, id, isOpen);
    if (isVote && state.hasEnded) continue;
    if (state.isOpen && !decided.has(state.configurationHash ?? '')) {
      if (!(await journalsOf(own).isHeld(id))) return id;
      inUse ??= id;
    }
    // A later run of the same plan has the answer that an earlier one would come to.
    if (!state.isOpen && state.configurationHash !== null && !decided.has(state.configurationHash))
      decided.set(state.configurationHash, id);
  }
  if (inUse !== undefined) return inUse;
  const answered = await own.findAnsweredRun(wanted);
  // The later run may have been killed before it could answer.
  const stand = await standOf(own, answered, isOpen);
  return (stand.isOpen ? decided.get(stand.configurationHash ?? '') : undefined) ?? answered;
}

async function standOf(own: OwnState, id: string, isOpen: IsOpen) {
  const store = await openRunFolder(own, id);
  const plan = await readPlan(store);
  if (!plan) {
    // A vote is open while it has not ended, and when it ended with answers missing.
    const vote = await readMotions(own, id);
    return {
      isOpen: vote !== null && vote.missing !== 0,
      hasEnded: vote?.ended !== null,
      configurationHash: vote?.plan.inputHash ?? null,
    };
  }
  const record = await readRecord(store);
  return {
    isOpen: !record || isOpen(record),
    hasEnded: record !== null,
    configurationHash: plan.configurationHash,
  };
}
