/** Small records of the state: one JSON file each, written whole or not at all. What is damaged is as if it had never been written. */
import { join } from 'node:path';
import type { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import { parseJson } from '../../core/json.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { makeFolders, readPlainText, writeAtomically } from './atomic-write.ts';
import type { StateFolder } from './storage.ts';

/** Far more than Jury writes. */
const mostBytes = 1_048_576;

/** Null where it is missing, too large, damaged or cannot be read. Throws `UserError` for one of somebody else. */
export async function readRecord<Schema extends z.ZodType>(
  disk: Disk,
  path: string,
  schema: Schema,
  most = mostBytes,
): Promise<z.output<Schema> | null> {
  const text = await readPlainText(disk, path, most).catch((error: unknown) => {
    if (error instanceof UserError) throw error;
    return null;
  });
  return schema.safeParse(parseJson(text)).data ?? null;
}

/** Makes its folder where there is none. `names`: below the state. */
export async function writeRecord(
  state: StateFolder,
  names: readonly string[],
  record: unknown,
): Promise<void> {
  await makeFolders(state.disk, state.root, ['.', ...names.slice(0, -1)]);
  await writeAtomically(state, join(state.root, ...names), `${JSON.stringify(record, null, 2)}\n`);
}
