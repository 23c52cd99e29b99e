/** The folder of a parcel. No link is followed, nothing is read beyond its limit, nothing is written over. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inputError, usageError, UserError } from '../core/errors.ts';
import { type FoundParcel, mostBytesOf, type parcels } from '../core/github/parcel.ts';
import { readPlainFile } from '../adapters/git/git-folder.ts';

type ParcelKind = (typeof parcels)[keyof typeof parcels];

/** Throws `UserError` (kind `input`) for a folder that cannot be read. */
export async function readParcel(folder: string, kind: ParcelKind): Promise<FoundParcel> {
  const names = await readdir(folder).catch(() => {
    throw inputError(`${folder} is no folder that can be read.`, 'It is what another job leaves.');
  });
  const files = new Map<string, Uint8Array>();
  for (const name of [kind.manifest, ...kind.files].filter(each => names.includes(each))) {
    const bytes = await readPlainFile(path.join(folder, name), mostBytesOf(name, kind));
    if (bytes !== null) files.set(name, bytes);
  }
  return { names, files };
}

/** Throws `UserError` (kind `usage`) for a folder that holds something: it would be handed over too. */
export async function makeParcelFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return;
  } catch (cause) {
    throw usageError(`--out: ${folder} cannot be made.`, null, cause);
  }
  throw usageError(`--out: ${folder} is not empty.`, 'Name a folder that is not there yet.');
}

export async function writeParcel(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  for (const [name, content] of files)
    await writeFile(path.join(folder, name), content, { flag: 'wx' }).catch((cause: unknown) => {
      throw new UserError(`--out: ${name} cannot be written.`, { kind: 'machine', cause });
    });
}
