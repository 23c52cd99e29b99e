/** What this user has allowed configurations to do, outside of every repository. */
import path from 'node:path';
import { z } from 'zod';
import { type AllowedRecords, openAllowed } from '../store/allowed-records.ts';
import { systemStorage } from '../store/storage.ts';
import { refuseInside } from '../system/state-folder.ts';

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
