/** Which names may become files of a run. Anything else is refused before anything is written. */
import { join } from 'node:path';
import { inputError, usageError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { codeOf, isMissing, pardon } from './atomic-write.ts';

/** The arrow separates the two agents of a handoff. 220 leaves room for two agent names and for temporary names. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._→-]{0,219}$/;

/** Names Windows keeps for devices, with any extension. */
const devicePattern = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Splits a relative path with slashes into its names. Throws `UserError` for one that may not be written. */
export function namesOf(path: string) {
  const names = path.split('/');
  for (const name of names) {
    const why = whyNoName(name);
    if (why !== null) throw refuse(path, why);
  }
  return names;
}

/**
 * Remembers the spelling of every path and refuses one that differs from an earlier one, or from a file on disk, in upper
 * and lower case only: on many disks the two are one file.
 */
export function createCaseGuard(disk: Disk, folder: string): (path: string) => Promise<void> {
  const seen = new Map<string, { readonly spelling: string; readonly checked: Promise<void> }>();
  const check = async (path: string, names: readonly string[]) => {
    const spelling = names.join('/');
    const earlier = seen.get(spelling.toLowerCase());
    if (earlier?.spelling === spelling) return earlier.checked;
    if (earlier) throw refuseTwin(path, earlier.spelling);
    const checked = refuseTwinOnDisk(
      disk,
      path,
      join(folder, ...names.slice(0, -1)),
      names.at(-1) ?? '',
    );
    seen.set(spelling.toLowerCase(), { spelling, checked });
    return checked;
  };
  return async path => {
    const names = namesOf(path);
    for (let count = 1; count <= names.length; count += 1) await check(path, names.slice(0, count));
  };
}

/** Why one name may not be that of a file or a folder; null where it may. */
export function whyNoName(name: string) {
  if (!namePattern.test(name))
    return 'a name must start with a letter or digit and hold only letters, digits, ".", "_" and "-"';
  if (name.endsWith('.')) return 'a name must not end with a dot';
  if (devicePattern.test(name)) return `"${name}" is a name that Windows keeps for a device`;
  return null;
}

function refuse(path: string, why: string) {
  return usageError(
    `${JSON.stringify(path)} cannot be a file of the run: ${why}.`,
    'Choose another name for the reviewer.',
  );
}

function refuseTwin(path: string, twin: string) {
  return refuse(path, `"${twin}" exists and differs in upper and lower case only`);
}

async function refuseTwinOnDisk(disk: Disk, path: string, folder: string, name: string) {
  const lower = name.toLowerCase();
  const twin = (await namesIn(disk, folder)).find(
    other => other !== name && other.toLowerCase() === lower,
  );
  if (twin !== undefined) throw refuseTwin(path, twin);
}

// The names in a folder; none where there is no folder.

export async function namesIn(disk: Disk, folder: string) {
  return (await entriesIn(disk, folder)).map(({ name }) => name);
}

export async function entriesIn(disk: Disk, folder: string) {
  return disk.list(folder).catch(pardon(isMissing, []));
}

/**
 * Names in a folder that a person has named; `holds`: what it is to hold. Throws `UserError` (kind `input`) for one that cannot be
 * read.
 */
export async function listNamed(disk: Disk, folder: string, holds: string) {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is a file',
    EACCES: 'permission denied',
  };
  const entries = await disk.list(folder).catch((error: unknown) => {
    const code = String(codeOf(error));
    throw inputError(
      `The folder ${folder} cannot be read: ${reasons[code] ?? code}.`,
      `Name the folder that holds ${holds}.`,
      error,
    );
  });
  return entries.map(({ name }) => name).toSorted();
}
