/** Reads the folder a consolidator left. */
import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { inputError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { sessionFileNames, type SessionFiles } from '../session-input.ts';
import { readBytes } from './json-file.ts';
import { findNewest } from './newest-folder.ts';

/** Where sessions are looked for, relative to the caller's folder. */
const consolidatorFolder = path.join('_bmad-output', 'consolidator');

/** The session whose folder was changed last, relative to `cwd`. Throws `UserError` (kind `input`) when there is none. */
export async function findNewestSession(cwd: string): Promise<string> {
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
export async function readSessionFolder(folder: string, shown: string): Promise<SessionFiles> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true)
    throw inputError(`Error: Consolidator output not found: ${shown}`);
  const entries = await Promise.all(
    Object.entries(sessionFileNames).map(
      async ([key, name]) => [key, await readJsonFile(path.join(folder, name), name)] as const,
    ),
  );
  const files = Object.fromEntries(entries) as Record<keyof typeof sessionFileNames, unknown>;
  if (files.megaMotions === undefined)
    throw inputError(`Error: ${sessionFileNames.megaMotions} not found in ${shown}`);
  return { id: path.basename(folder), ...files };
}

/** Undefined when there is no such file. */
async function readJsonFile(file: string, name: string): Promise<unknown> {
  const bytes = await readBytes(file, name);
  if (bytes === null) return undefined;
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return parseSessionJson(name, text);
  const before = text.slice(0, text.indexOf('\uFFFD')).split('\n');
  throw inputError(
    `Error: ${name} is not valid JSON: it is not UTF-8 at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`,
  );
}
