/** What this user has allowed configurations to do, outside of every repository. */
import path, { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import { Approval } from '../../core/verdict/record.ts';
import { explained, makeFolders, readPlainText, writeAtomically } from '../store/atomic-write.ts';
import { namesIn } from '../store/run-folder.ts';
import { type StateFolder, type Storage, systemStorage } from '../store/storage.ts';
import { sha256 } from '../../core/hash.ts';
import { refuseInside, whyShared } from '../system/disk.ts';

const Hash = z.string().regex(/^[0-9a-f]{64}$/);

const common = {
  schema: z.literal('jury.grant/1'),
  /** The name of the file. */
  id: Hash,
  /** ISO 8601. */
  granted: z.iso.datetime(),
};

export const Grant = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('configuration'),
    /** Of the configuration and all it names: the same as `id`. */
    hash: Hash,
    /** Absolute real path it had. */
    file: z.string(),
    /** What it may do, in words. */
    demands: z.array(z.string()),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('repository'),
    /** Absolute real path of the top. */
    root: z.string(),
    /** Tip of the default branch of its remote when it was allowed: another repository in this place does not have it. */
    commit: z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/),
  }),
]);
/** A record of what somebody has allowed. */
export type Grant = z.infer<typeof Grant>;

/**
 * `state`: folder of this user's state. `project`: folder it must not lie in; null where there is none. Throws `UserError` where it does
 * and something was allowed, or is to be.
 */
export function openGrants(state: string, project: string | null): AllowedRecords<Grant> {
  const records = openAllowed(systemStorage, {
    folder: path.join(state, 'trust'),
    schema: Grant,
    nameOf: grant => (grant.kind === 'repository' || grant.hash === grant.id ? grant.id : ''),
    at: ({ granted }) => granted,
    kind: 'usage',
    mend: 'Remove it, then allow again what you want with "jury trust".',
  });
  const refuse = async () => {
    if (project !== null) await refuseInside(state, project);
  };
  return {
    ...records,
    read: async () => refuse().then(() => records.read()),
    write: async grant => refuse().then(() => records.write(grant)),
  };
}

// What a person has allowed, in a folder of state: one file each, named by what it says, that nobody but this user can read or
// write. Whatever is not exactly so is refused by name rather than believed.

interface AllowedKind<Schema extends z.ZodType> {
  /** Absolute. It is made when something is written. */
  folder: string;
  schema: Schema;
  /** Name of its file without the ending. */
  nameOf: (record: z.output<Schema>) => string;
  /** ISO time, by which they are ordered. */
  at: (record: z.output<Schema>) => string;
  kind: UserError['kind'];
  /** What to do about one that is not believed. */
  mend: string;
}

interface AllowedRecords<Value> {
  /** Every name there is, believed or not. */
  names(): Promise<readonly string[]>;
  /** Of these names, oldest first; default: all. Throws `UserError` for one that cannot be believed. */
  read(isMeant?: (name: string) => boolean): Promise<readonly Value[]>;
  /** Durable when it resolves. Throws `UserError`. */
  write(record: Value): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Far more than Jury writes. */
const mostBytes = 1 << 20;

function openAllowed<Schema extends z.ZodType>(
  storage: Storage,
  { folder, schema, nameOf, at, kind, mend }: AllowedKind<Schema>,
): AllowedRecords<z.output<Schema>> {
  const { disk, processes } = storage;
  const place = { what: 'What was allowed', path: folder };
  const refuse = (path: string, why: string) =>
    new UserError(`${path} ${why}: nothing that was allowed there counts.`, { kind, hint: mend });
  const check = async (path: string, wanted: 'file' | 'folder') => {
    const found = await disk.status(path);
    if (found?.kind !== wanted) throw refuse(path, `is no ${wanted}`);
    const shared = whyShared(found, processes.user);
    if (shared) throw refuse(path, shared.what);
  };
  const names = () =>
    explained(place, async () =>
      (await namesIn(disk, folder)).flatMap(
        file => /^([0-9a-f]{64}(?:-[0-9a-f]{64})?)\.json$/.exec(file)?.[1] ?? [],
      ),
    );
  const fileOf = (name: string) => join(folder, `${name}.json`);
  return {
    names,
    read: async isMeant =>
      explained(place, async () => {
        const meant = (await names()).filter(name => isMeant?.(name) ?? true).toSorted();
        if (meant.length > 0) await check(folder, 'folder');
        const records = await Promise.all(
          meant.map(async name => {
            const file = fileOf(name);
            await check(file, 'file');
            const read = schema.safeParse(parseJson(await readPlainText(disk, file, mostBytes)));
            if (!read.success) throw refuse(file, 'is damaged');
            if (nameOf(read.data) !== name) throw refuse(file, 'says something else than its name');
            return read.data;
          }),
        );
        return records.toSorted((one, other) => at(one).localeCompare(at(other), 'en'));
      }),
    write: record =>
      explained(place, async () => {
        await makeFolders(disk, folder, ['.']);
        await check(folder, 'folder');
        await writeAtomically(storage, fileOf(nameOf(record)), toJsonText(record));
      }),
    remove: name => disk.remove(fileOf(name)),
  };
}

// What people let pass, in `approvals/` of the state of a project.

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
export async function readApprovals(state: StateFolder, change: string) {
  return open(state).read(name => name.startsWith(`${change}-`));
}

/** Durable when it resolves. */
export async function writeApproval(state: StateFolder, given: Omit<Approval, 'schema' | 'id'>) {
  const approval: Approval = { schema: 'jury.approval/1', id: idOf(given), ...given };
  await open(state).write(approval);
  return approval;
}

function idOf({ change, rule, things, by, at, reason, run }: Omit<Approval, 'schema' | 'id'>) {
  const named = things.map(({ subject, object }) => [subject, object]);
  return sha256(JSON.stringify([change, rule, named, by, at, reason, run]));
}
