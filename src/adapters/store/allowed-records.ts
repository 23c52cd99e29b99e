/**
 * What a person has allowed, in a folder of state: one file each, named by what it says, that nobody but this user can read or write.
 * Whatever is not exactly so is refused by name rather than believed.
 */
import { join } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { parseJson, toJsonText } from '../../core/json.ts';
import { whyShared } from '../system/state-folder.ts';
import { explained, makeFolders, readPlainText, writeAtomically } from './atomic-write.ts';
import { namesIn } from './file-names.ts';
import type { Storage } from './storage.ts';

interface AllowedKind<Schema extends z.ZodType> {
  /** Absolute. It is made when something is written. */
  readonly folder: string;
  readonly schema: Schema;
  /** Name of its file without the ending. */
  readonly nameOf: (record: z.output<Schema>) => string;
  /** ISO time, by which they are ordered. */
  readonly at: (record: z.output<Schema>) => string;
  readonly kind: UserError['kind'];
  /** What to do about one that is not believed. */
  readonly mend: string;
}

export interface AllowedRecords<Value> {
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

export function openAllowed<Schema extends z.ZodType>(
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
