/** A design, plan or specification: a file, or the Markdown files of a folder. */
import path from 'node:path';
import type { Settings } from '../../core/process.ts';
import {
  readPlanned,
  type PlannedSubject,
  type ReadSubject,
  type SubjectSource,
} from './read-planned.ts';

export async function readDocumentNamed(
  { path: title = '' }: Settings,
  { repository, call }: SubjectSource,
): Promise<ReadSubject> {
  const planned: PlannedSubject = {
    subject: { kind: 'document', path: path.resolve(call.cwd, title), title },
    prompt: null,
    context: null,
  };
  return { planned, subject: await readPlanned(planned, repository) };
}
