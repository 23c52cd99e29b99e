/** Reads the folder a consolidator left. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import {
  parseSessionJson,
  sessionFileNames,
  type SessionFiles,
} from '../../core/vote/session-input.ts';
import { readRegularBytes, whyUnreadable } from '../system/given-file.ts';

/** Where sessions are looked for, relative to the caller's folder. */
const consolidatorFolder = path.join('_bmad-output', 'consolidator');

/** The session whose folder was changed last, relative to `cwd`. Throws `UserError` (kind `input`) when there is none. */
export async function findNewestSession(cwd: string): Promise<string> {
  const base = path.join(cwd, consolidatorFolder);
  const entries = await readdir(base, { withFileTypes: true }).catch(() => []);
  const sessions = await Promise.all(
    entries.map(async ({ name }) => ({ name, changedAt: await changedAt(path.join(base, name)) })),
  );
  const newest = sessions
    .flatMap(({ name, changedAt }) => (changedAt === null ? [] : [{ name, changedAt }]))
    .toSorted(
      (one, other) => other.changedAt - one.changedAt || (one.name < other.name ? 1 : -1),
    )[0];
  if (newest) return path.join(consolidatorFolder, newest.name);
  throw new UserError(
    `Error: No consolidator output found. Run consolidator first.\nLooking for: ${consolidatorFolder.split(path.sep).join('/')}/*/`,
    { kind: 'input' },
  );
}

/** `shown`: the folder as the person named it, for messages. Throws `UserError` (kind `input`). */
export async function readSessionFolder(folder: string, shown: string): Promise<SessionFiles> {
  const isFolder = await stat(folder).then(
    found => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new UserError(`Error: Consolidator output not found: ${shown}`, { kind: 'input' });
  const entries = await Promise.all(
    Object.entries(sessionFileNames).map(
      async ([key, name]) => [key, await readJsonFile(folder, name)] as const,
    ),
  );
  const files = Object.fromEntries(entries) as Record<keyof typeof sessionFileNames, unknown>;
  if (files.megaMotions === undefined)
    throw new UserError(`Error: ${sessionFileNames.megaMotions} not found in ${shown}`, {
      kind: 'input',
    });
  return { id: path.basename(folder), ...files };
}

/** Null when the folder holds no motions. */
async function changedAt(folder: string): Promise<number | null> {
  try {
    const motions = await stat(path.join(folder, sessionFileNames.megaMotions));
    return motions.isFile() ? (await stat(folder)).mtimeMs : null;
  } catch {
    // Missing, a link to nowhere or unreadable: it cannot be the session that is looked for.
    return null;
  }
}

/** Undefined when there is no such file. */
async function readJsonFile(folder: string, name: string): Promise<unknown> {
  const bytes = await readRegularBytes(path.join(folder, name)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new UserError(`Error: ${name} cannot be read: ${whyUnreadable(error)}`, {
        kind: 'input',
        cause: error,
      });
    },
  );
  return bytes === null ? undefined : parseSessionJson(name, decode(name, bytes));
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const before = new TextDecoder().decode(bytes).split('\uFFFD')[0]?.split('\n') ?? [];
    throw new UserError(
      `Error: ${name} is not valid JSON: it is not UTF-8 at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`,
      { kind: 'input', cause: error },
    );
  }
}
