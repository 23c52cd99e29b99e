/**
 * What people let pass, in `approvals/` of the state of a project: one file each, that nobody but this user can read or write. Whatever
 * is not exactly so is refused by name rather than believed.
 */
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { Approval } from '../../core/verdict/approval.ts';
import {
  createAtomically,
  explainDiskFailure,
  makeFolders,
  readPlainText,
} from '../store/atomic-write.ts';
import type { StateFolder } from '../store/storage.ts';
import { sha256 } from '../system/ids.ts';

const folderName = 'approvals';
const mostBytes = 1 << 20;

/** Of one change, oldest first. Throws `UserError` for one that cannot be believed. */
export async function readApprovals(state: StateFolder, change: string): Promise<Approval[]> {
  const folder = join(state.root, folderName);
  const found = await state.disk.status(folder);
  if (found === null) return [];
  if (found.kind !== 'folder') throw unbelieved(folder, 'is no folder');
  const names = (await state.disk.list(folder))
    .map(({ name }) => name)
    .filter(name => nameOf(change, '[0-9a-f]{64}').test(name));
  const approvals = await Promise.all(
    names.map(async name => readApproval(join(folder, name), change, state)),
  );
  return approvals.toSorted((one, other) =>
    one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at < other.at ? -1 : 1,
  );
}

/** Durable when it resolves. */
export async function writeApproval(
  state: StateFolder,
  approval: Omit<Approval, 'schema' | 'id'>,
): Promise<Approval> {
  const written: Approval = { schema: 'jury.approval/1', id: idOf(approval), ...approval };
  const path = join(state.root, folderName, `${approval.change}-${written.id}.json`);
  try {
    await makeFolders(state.disk, state.root, [folderName]);
    await createAtomically(state, path, `${JSON.stringify(written, null, 2)}\n`);
  } catch (error) {
    throw explainDiskFailure(error, { what: 'The approval', path, again: 'approve again' });
  }
  return written;
}

function nameOf(change: string, id: string): RegExp {
  return new RegExp(`^${change}-${id}\\.json$`);
}

function idOf({
  change,
  rule,
  things,
  by,
  at,
  reason,
  run,
}: Omit<Approval, 'schema' | 'id'>): string {
  return sha256(
    JSON.stringify([
      change,
      rule,
      things.map(({ subject, object }) => [subject, object]),
      by,
      at,
      reason,
      run,
    ]),
  );
}

async function readApproval(file: string, change: string, state: StateFolder): Promise<Approval> {
  const checked = Approval.safeParse(parsed(await readPlainText(state.disk, file, mostBytes)));
  if (!checked.success) throw unbelieved(file, 'is damaged');
  const approval = checked.data;
  if (approval.change !== change || approval.id !== idOf(approval) || !file.includes(approval.id))
    throw unbelieved(file, 'is the approval of something else');
  return approval;
}

function parsed(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unbelieved(path: string, why: string): UserError {
  return new UserError(`${path} ${why}: nothing that was approved there counts.`, {
    kind: 'input',
    hint: 'Remove it, then approve again what you have looked at with "jury approve".',
  });
}
