/** Finds what a person names as a source of findings: standard input, a file, the folder of a run, or a run by its id. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { runsFolder } from '../adapters/store/run-folder.ts';
import { UserError } from '../core/errors.ts';
import type { NamedText } from '../core/intake/source.ts';
import type { Call } from './call.ts';
import type { OwnState } from './own-state.ts';
import { readNamed } from './read-text.ts';

/** Throws `UserError`. */
export async function openSource(named: string, state: OwnState, call: Call): Promise<NamedText> {
  if (named === '-') return { name: 'standard input', text: await readNamed('-', 'FILE', call) };
  const kind = await kindOf(path.resolve(call.cwd, named));
  if (kind === 'folder') return readRun(path.resolve(call.cwd, named), named, call);
  if (kind === null && isRunName(named))
    return readRun(path.join(runsFolder(state), await state.findAnsweredRun(named)), named, call);
  return { name: named, text: await readNamed(named, 'FILE', call) };
}

/** What `jury runs` lists, or its beginning; a file of that name goes first. */
export function isRunName(named: string): boolean {
  return named === 'latest' || /^\d{8}T\d{0,6}Z?(?:-[0-9a-f]{0,6})?$/i.test(named);
}

async function readRun(folder: string, named: string, call: Call): Promise<NamedText> {
  const report = path.join(folder, 'report.json');
  if ((await kindOf(report)) !== null)
    return { name: named, text: await readNamed(report, 'FILE', call) };
  if ((await kindOf(path.join(folder, 'plan.json'))) === null)
    throw new UserError(`FILE: ${folder} is a folder, and not that of a run.`, {
      kind: 'input',
      hint: 'Name the files in it.',
    });
  throw new UserError(`Run ${path.basename(folder)} has not ended.`, {
    kind: 'input',
    hint: `To finish it, run "jury resume ${path.basename(folder)}".`,
  });
}

/** Null when nothing is there; what cannot be looked at is left to the reader to name. */
async function kindOf(place: string): Promise<'file' | 'folder' | null> {
  try {
    return (await stat(place)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      ? null
      : 'file';
  }
}
