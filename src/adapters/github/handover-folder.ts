/**
 * Reads a handover that another job left: names, and texts of the files that are known. No link is followed, nothing is read beyond
 * its limit.
 */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import {
  type HandoverFileName,
  type HandoverFolder,
  handoverLimits,
} from '../../core/publish/handover.ts';

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Throws `UserError` (kind `input`) for a folder that cannot be read, and for a file in it that is none or is too large. */
export async function readHandoverFolder(folder: string): Promise<HandoverFolder> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new UserError(`--handover: ${folder} is no folder that can be read.`, {
      kind: 'input',
      hint: 'It is what the job that reviews leaves.',
      cause,
    });
  });
  const texts = new Map<HandoverFileName, string>();
  for (const [name, limit] of Object.entries(handoverLimits) as [HandoverFileName, number][])
    if (names.includes(name)) texts.set(name, await readText(path.join(folder, name), limit));
  return { names, texts };
}

async function readText(file: string, limit: number): Promise<string> {
  const handle = await open(file, flags).catch((cause: unknown) => {
    throw unusable(`${file} cannot be read, or is a link`, cause);
  });
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw unusable(`${file} is no regular file`);
    if (status.size > limit) throw unusable(`${file} is larger than ${limit} bytes`);
    return (await handle.readFile()).toString('utf8');
  } finally {
    await handle.close();
  }
}

function unusable(what: string, cause?: unknown): UserError {
  return new UserError(`--handover: ${what}.`, { kind: 'input', cause });
}
