/** The reports of reviews by scope, in `.jury/reviews/`: none replaces an earlier one. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFileName, type ReportScope } from '../../core/change/report-scope.ts';
import { codeOf, explainDiskFailure, writeAtomically } from './atomic-write.ts';

const folderName = '.jury/reviews';

/** Takes a free name for the scope and returns it, relative to `root`. */
export async function takeReportName(root: string, scope: ReportScope, now: Date): Promise<string> {
  const folder = join(root, folderName);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const taken = new Set(await readdir(folder));
    for (;;) {
      const name = reportFileName(scope, taken, now);
      if (await isTaken(join(folder, name))) taken.add(name);
      else return `${folderName}/${name}`;
    }
  } catch (error) {
    throw explainDiskFailure(error, { path: folder, again: 'try again' });
  }
}

/** Replaces what a name of `takeReportName` holds. */
export async function writeReport(root: string, name: string, text: string): Promise<void> {
  await writeAtomically(join(root, name), text, 0o600);
}

/** Two runs may end at the same moment. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return false;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true;
    throw error;
  }
}
