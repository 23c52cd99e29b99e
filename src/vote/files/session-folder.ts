/** Reads the folder a consolidator left. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { sessionFileNames, type SessionFiles } from '../session-input.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';

/** Where sessions are looked for, relative to the caller's folder. */
const consolidatorFolder = path.join('_bmad-output', 'consolidator');

/** The session whose folder was changed last, relative to `cwd`. Throws `UserError` (kind `input`) when there is none. */
export async function findNewestSession(cwd: string): Promise<string> {
  let newest = { folder: '', at: 0 };
  for (const name of await readdir(path.join(cwd, consolidatorFolder)).catch(() => [])) {
    const folder = path.join(consolidatorFolder, name);
    const at = await changedAt(path.join(cwd, folder));
    if (at > newest.at || (at > 0 && at === newest.at && folder > newest.folder))
      newest = { folder, at };
  }
  if (newest.folder !== '') return newest.folder;
  throw unusable(
    `No consolidator output found. Run consolidator first.\nLooking for: ${consolidatorFolder.split(path.sep).join('/')}/*/`,
  );
}

/** `shown`: the folder as the person named it, for messages. Throws `UserError` (kind `input`). */
export async function readSessionFolder(folder: string, shown: string): Promise<SessionFiles> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) throw unusable(`Consolidator output not found: ${shown}`);
  const entries = await Promise.all(
    Object.entries(sessionFileNames).map(
      async ([key, name]) => [key, await readJsonFile(folder, name)] as const,
    ),
  );
  const files = Object.fromEntries(entries) as Record<keyof typeof sessionFileNames, unknown>;
  if (files.megaMotions === undefined)
    throw unusable(`${sessionFileNames.megaMotions} not found in ${shown}`);
  return { id: path.basename(folder), ...files };
}

function unusable(sentence: string, cause?: unknown): UserError {
  return new UserError(`Error: ${sentence}`, { kind: 'input', cause });
}

/** 0 when the folder holds no motions: none, or a link to nowhere, or one that cannot be read. */
async function changedAt(folder: string): Promise<number> {
  const motions = await stat(path.join(folder, sessionFileNames.megaMotions)).catch(() => null);
  return motions?.isFile() === true ? (await stat(folder)).mtimeMs : 0;
}

/** Undefined when there is no such file. */
async function readJsonFile(folder: string, name: string): Promise<unknown> {
  const bytes = await readRegularBytes(path.join(folder, name)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw unusable(`${name} cannot be read: ${whyUnreadable(error)}`, error);
    },
  );
  if (bytes === null) return undefined;
  try {
    return parseSessionJson(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof UserError) throw error;
    const before = new TextDecoder().decode(bytes).split('\uFFFD')[0]?.split('\n') ?? [];
    throw unusable(
      `${name} is not valid JSON: it is not UTF-8 at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`,
      error,
    );
  }
}
