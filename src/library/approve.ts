/**
 * A person lets pass what a person was asked for: `jury approve`. Nothing of a report is changed by it: the run is judged again by
 * the judges it had, with one more piece of evidence.
 */
import { writeApproval } from '../adapters/memory/approval-files.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { accountName } from '../adapters/system/processes.ts';
import { inputError, usageError, type UserError } from '../core/errors.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import {
  type ApprovableRule,
  approvableRules,
  type Approval,
  changeOf,
  isApprovable,
} from '../core/verdict/approval.ts';
import type { Reason } from '../core/verdict/record.ts';
import { type Call, clockOf } from './call.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { stateOf } from './own-state.ts';
import { type Approved, judgeAgain } from './resume-run.ts';

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
  const plan = await readPlan(await openRunFolder(state, run));
  if (plan === null)
    throw inputError(`The plan of run ${run} cannot be read.`, 'Review the change again.');
  if (reasons.some(({ rule: found }) => found === 'interrupted'))
    throw inputError(
      `Run ${run} was interrupted: what it would have found is not known.`,
      `To finish it, run "jury resume ${run}".`,
    );
  return judgeAgain(state, { plan, ended }, call, () =>
    writeApproval(state, {
      change: changeOf(plan),
      rule: asked,
      things,
      by: accountName(),
      at: clockOf(call).now().toISOString(),
      reason: why,
      run,
    }),
  );
}

interface Open {
  readonly run: string;
  readonly open: readonly (Reason & { readonly rule: ApprovableRule })[];
}

function thingsMeant(
  rule: ApprovableRule,
  paths: readonly string[] | null,
  { run, open }: Open,
): Approval['things'] {
  const candidates = open.filter(reason => reason.rule === rule);
  if (candidates.length === 0) throw notApprovable(rule, run, open);
  if (rule === 'unread' && paths === null)
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
  const meant = candidates.filter(({ subject }) => paths === null || paths.includes(subject));
  const [first, ...others] = new Map(
    meant.map(({ subject, object = null }) => [subject, { subject, object }] as const),
  ).values();
  if (first === undefined) throw notApprovable(rule, run, open);
  return [first, ...others];
}

/** Claims, vetoes, secrets, quorums and required reviewers are mended or dismissed, never approved. */
function notApprovable(rule: string, run: string, open: Open['open']): UserError {
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

function nameAll(reasons: readonly Reason[]): string {
  const names = [...new Set(reasons.map(({ subject }) => makeVisible(subject)))];
  return names.length > 5
    ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`
    : names.join(', ');
}
