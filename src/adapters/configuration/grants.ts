/**
 * What this user has allowed configurations to do: one file for each, outside of every repository, that nobody else can read or
 * write. Whatever is not exactly so is refused by name rather than passed over.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { usageError, type UserError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import { systemDisk } from '../system/disk.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';
import { renamePatiently } from '../system/rename-patiently.ts';
import { systemProcesses } from '../system/processes.ts';
import { refuseInside, whyShared } from '../system/state-folder.ts';

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

export interface Grants {
  /** All of them, oldest first. Throws `UserError` for one that cannot be believed. */
  list(): Promise<readonly Grant[]>;
  write(grant: Grant): Promise<void>;
  /** False when there is none of this id. One that cannot be believed can be removed. */
  remove(id: string): Promise<boolean>;
  /** Every name there is, believed or not. */
  ids(): Promise<readonly string[]>;
}

const folderName = 'trust';

/** `state`: folder of this user's state. `project`: folder it must not lie in; null where there is none. */
export function openGrants(state: string, project: string | null): Grants {
  const folder = path.join(state, folderName);
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  const ids = async (): Promise<string[]> => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw cannotRead(folder, error);
    });
    return names
      .filter(name => /^[0-9a-f]{64}\.json$/.test(name))
      .map(name => name.slice(0, -'.json'.length));
  };
  return {
    ids,
    async list() {
      if (project !== null) await refuseInside(state, project);
      const found = await ids();
      if (found.length > 0) await refuseShared(folder);
      const grants = await Promise.all(found.map(async id => readGrant(fileOf(id), id)));
      return grants.toSorted((one, other) => (one.granted < other.granted ? -1 : 1));
    },
    async write(grant) {
      if (project !== null) await refuseInside(state, project);
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw cannotWrite(folder, error);
      });
      await refuseShared(folder);
      await replace(fileOf(grant.id), `${JSON.stringify(grant, null, 2)}\n`).catch(
        (error: unknown) => {
          throw cannotWrite(folder, error);
        },
      );
    },
    async remove(id) {
      if (!(await ids()).includes(id)) return false;
      await rm(fileOf(id));
      return true;
    },
  };
}

/** One that is lost is asked for again, so it need not outlive the power. */
async function replace(file: string, text: string): Promise<void> {
  const passing = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(passing, text, { flag: 'wx', mode: 0o600 });
  await renamePatiently(passing, file);
}

async function readGrant(file: string, id: string): Promise<Grant> {
  await refuseShared(file);
  const text = await readRegularFile(file).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const checked = Grant.safeParse(parseJson(text));
  if (checked.success && checked.data.id === id) {
    const grant = checked.data;
    if (grant.kind === 'repository' || grant.hash === id) return grant;
  }
  throw unbelieved(file, checked.success ? 'is the grant of another hash' : 'is damaged');
}

/** Neither a link, nor another user's, nor open to anybody else. */
async function refuseShared(file: string): Promise<void> {
  const found = await systemDisk.status(file).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  if (found?.kind === 'link') throw unbelieved(file, 'is a link');
  const shared = found === null ? null : whyShared(found, systemProcesses.user);
  if (shared !== null) throw unbelieved(file, shared.what);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unbelieved(file: string, why: string): UserError {
  return usageError(
    `${file} ${why}: nothing that was allowed there counts.`,
    'Remove it, then allow again what you want with "jury trust".',
  );
}

function cannotRead(file: string, error: unknown): UserError {
  return usageError(`${file} cannot be read: ${whyUnreadable(error)}.`, null, error);
}

function cannotWrite(folder: string, error: unknown): UserError {
  return usageError(
    `${folder} cannot be written: ${whyUnreadable(error)}.`,
    'Let JURY_STATE name a folder that can.',
    error,
  );
}
