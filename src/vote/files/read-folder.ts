/** Reads what anybody may have written, of a session or of results: bounded in size and depth, and only files that are files. */
import { inputError, UserError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';
import { readdir, stat } from 'node:fs/promises';
import { byCodePoint } from '../motion.ts';
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { sessionFileNames } from '../session-input.ts';

/** Null when there is no such file. `shown`: as messages name it. Throws `UserError` (kind `input`). */
export async function readBytes(file: string, shown = file, most?: number) {
  return readRegularBytes(file, most).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    const reason = `Error: ${shown} cannot be read: ${whyUnreadable(error)}`;
    throw new UserError(reason, { kind: 'input', cause: error });
  });
}

/** Bytes of results that are read at once, at most: about as long as a text may be. */
export const longestResult = 500 << 20;

/** Undefined when there is no such file. Throws the same, with line and column. */
export async function readResult(file: string) {
  const bytes = await readBytes(file, file, longestResult);
  return bytes === null ? undefined : parseResult(path.basename(file), bytes.toString('utf8'));
}

/** Lists and objects within one another; results go six deep. */
const deepest = 64;

export function parseResult(name: string, text: string) {
  const value = parseSessionJson(name, text);
  if (isDeeperThan(deepest, value))
    throw inputError(`Error: ${name} holds lists and objects more than ${deepest} deep`);
  return value;
}

function isDeeperThan(most: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (most === 0 || Object.values(value).some(inner => isDeeperThan(most - 1, inner)))
  );
}

/** Below `base`; `momentOf` gives null, or fails, for a folder that is none of those. Null: there is none. */
export async function findNewest<Moment extends number | string>(
  base: string,
  momentOf: (folder: string) => Promise<Moment | null>,
): Promise<{ readonly folder: string; readonly moment: Moment } | null> {
  let newest: { readonly folder: string; readonly moment: Moment } | null = null;
  const names = await readdir(base).catch(() => []);
  for (const folder of names.sort(byCodePoint).map(name => path.join(base, name))) {
    const moment = await momentOf(folder).catch(() => null);
    if (moment !== null && (newest === null || moment >= newest.moment))
      newest = { folder, moment };
  }
  return newest;
}

/** Where sessions are looked for, relative to the caller's folder. */
const consolidatorFolder = path.join('_bmad-output', 'consolidator');

/** The session whose folder was changed last, relative to `cwd`. Throws `UserError` (kind `input`) when there is none. */
export async function findNewestSession(cwd: string) {
  const newest = await findNewest(path.join(cwd, consolidatorFolder), async folder => {
    const motions = await stat(path.join(folder, sessionFileNames.megaMotions));
    return motions.isFile() ? (await stat(folder)).mtimeMs : null;
  });
  if (newest !== null) return path.join(consolidatorFolder, path.basename(newest.folder));
  throw inputError(
    `Error: No consolidator output found. Run consolidator first.\nLooking for: ${consolidatorFolder.split(path.sep).join('/')}/*/`,
  );
}

/** `shown`: the folder as the person named it, for messages. Throws `UserError` (kind `input`). */
export async function readSessionFolder(folder: string, shown: string) {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw inputError(`Error: Consolidator output not found: ${shown}`);
  const entries = await Promise.all(
    Object.entries(sessionFileNames).map(async ([key, name]) => [
      key,
      await readJsonFile(path.join(folder, name), name),
    ]),
  );
  const files = Object.fromEntries(entries) as Record<keyof typeof sessionFileNames, unknown>;
  if (files.megaMotions === undefined)
    throw inputError(`Error: ${sessionFileNames.megaMotions} not found in ${shown}`);
  return { id: path.basename(folder), ...files };
}

/** Undefined when there is no such file. */
async function readJsonFile(file: string, name: string) {
  const bytes = await readBytes(file, name);
  if (bytes === null) return undefined;
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return parseSessionJson(name, text);
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  throw inputError(
    `Error: ${name} is not valid JSON: it is not UTF-8 at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`,
  );
}
