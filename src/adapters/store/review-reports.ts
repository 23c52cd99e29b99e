/** Copies of the reports of reviews by scope, in `.jury/reviews/` of the project: none replaces an earlier one. */
import { join } from 'node:path';
import { reportFileName, type ReportScope } from '../../core/change/report-scope.ts';
import { inputError, sentenceOf, UserError } from '../../core/errors.ts';
import { codeOf, explainDiskFailure, explained, writeAtomically } from './atomic-write.ts';
import { namesIn } from './file-names.ts';
import { makeProjectFolders } from './project-folder.ts';
import type { StateFolder } from './storage.ts';

const folderName = '.jury/reviews';

/** What `takeReportName` may return. */
export const reportPattern = /^\.jury\/reviews\/[^/\\\0]{1,200}\.md$/;

/**
 * Can reports be kept in the project? Where something is in the way, `onNote` says so: a report that is no copy is printed all
 * the same.
 */
export async function canKeepReports(
  state: StateFolder,
  onNote: (message: string) => void,
): Promise<boolean> {
  try {
    await makeProjectFolders(state, ['reviews']);
    return true;
  } catch (error) {
    const path = join(state.project, folderName);
    const known = explainDiskFailure(error, { what: 'A report', path });
    onNote(
      `No reports are kept in the project: ${known instanceof UserError ? sentenceOf(known) : String(error)}`,
    );
    return false;
  }
}

/** Takes a free name for the scope and returns it, relative to the project. */
export async function takeReportName(
  state: StateFolder,
  scope: ReportScope,
  now: Date,
): Promise<string> {
  const folder = join(state.project, folderName);
  return explained({ what: 'A report', path: folder }, async () => {
    await makeProjectFolders(state, ['reviews']);
    const taken = new Set(await namesIn(state.disk, folder));
    for (;;) {
      const name = reportFileName(scope, taken, now);
      if (await isTaken(state, join(folder, name))) taken.add(name);
      else return `${folderName}/${name}`;
    }
  });
}

/** Replaces what a name of `takeReportName` holds. */
export async function writeReport(state: StateFolder, name: string, text: string): Promise<void> {
  if (!reportPattern.test(name))
    throw inputError(
      'The journal of this run names no report of a review.',
      'Start the review again.',
    );
  const path = join(state.project, name);
  await explained({ what: 'A report', path }, async () => {
    await makeProjectFolders(state, ['reviews']);
    await writeAtomically(state, path, text);
  });
}

/** Two runs may end at the same moment. */
async function isTaken({ disk }: StateFolder, path: string): Promise<boolean> {
  try {
    await (await disk.open(path, 'create')).close();
    return false;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true;
    throw error;
  }
}
