/** What people let pass, in `approvals/` of the state of a project. */
import { join } from 'node:path';
import { Approval } from '../../core/verdict/approval.ts';
import { openAllowed } from '../store/allowed-records.ts';
import type { StateFolder } from '../store/storage.ts';
import { sha256 } from '../system/ids.ts';

function open(state: StateFolder) {
  return openAllowed(state, {
    folder: join(state.root, 'approvals'),
    schema: Approval,
    nameOf: approval => `${approval.change}-${approval.id === idOf(approval) ? approval.id : ''}`,
    at: ({ at }) => at,
    kind: 'input',
    mend: 'Remove it, then approve again what you have looked at with "jury approve".',
  });
}

/** Of one change, oldest first. Throws `UserError` for one that cannot be believed. */
export async function readApprovals(
  state: StateFolder,
  change: string,
): Promise<readonly Approval[]> {
  return open(state).read(name => name.startsWith(`${change}-`));
}

/** Durable when it resolves. */
export async function writeApproval(
  state: StateFolder,
  given: Omit<Approval, 'schema' | 'id'>,
): Promise<Approval> {
  const approval: Approval = { schema: 'jury.approval/1', id: idOf(given), ...given };
  await open(state).write(approval);
  return approval;
}

function idOf({ change, rule, things, by, at, reason, run }: Omit<Approval, 'schema' | 'id'>) {
  const named = things.map(({ subject, object }) => [subject, object]);
  return sha256(JSON.stringify([change, rule, named, by, at, reason, run]));
}
