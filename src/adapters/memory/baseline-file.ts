/** Reads and writes the baseline file at the top of a repository. */
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { usageError } from '../../core/errors.ts';
import {
  Baseline,
  baselineName,
  type Disposition,
  printBaseline,
} from '../../core/words/known-claim.ts';
import { readYaml } from '../system/yaml-file.ts';
import { codeOf, explained, writeAtomically } from '../store/atomic-write.ts';
import { systemStorage } from '../store/storage.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';

/** Null when there is none. */
export async function readBaselineText(root: string) {
  try {
    const file = join(root, baselineName);
    // What is wrong with it is told with its words: a link must not make those of another file be printed.
    const [real, top] = await Promise.all([realpath(file), realpath(root)]);
    if (!real.startsWith(top + sep)) throw new Error('it is a link that leads out of the project');
    return await readRegularFile(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw usageError(`${baselineName} cannot be read: ${whyUnreadable(error)}.`, null, error);
  }
}

/** Throws `UserError` of kind `usage` that names file, line and key. */
export async function parseBaseline(text: string): Promise<Disposition[]> {
  const mend = 'Mend it, or remove it and write it anew with "jury baseline".';
  return (await readYaml(baselineName, text, Baseline, mend)).value.dispositions;
}

/** Returns the path written. */
export async function writeBaseline(root: string, dispositions: readonly Disposition[]) {
  const path = join(root, baselineName);
  await explained({ what: 'The baseline', path }, () =>
    writeAtomically(systemStorage, path, printBaseline(dispositions), 0o644),
  );
  return path;
}
