/** What a request puts before the panel: one reader for each kind of subject that a row of the process table may name. */
import type { Settings, SubjectKind } from '../../core/process.ts';
import { readChange } from './change.ts';
import { readCommits } from './commits.ts';
import { readDocumentNamed } from './document.ts';
import { readQuestion } from './question.ts';
import type { ReadSubject, SubjectSource } from './read-planned.ts';

const readers: Readonly<
  Record<SubjectKind, (settings: Settings, source: SubjectSource) => Promise<ReadSubject>>
> = {
  change: readChange,
  document: readDocumentNamed,
  question: readQuestion,
  commits: readCommits,
};

/** Throws `UserError` for a request that names no subject, or more than one, and for what cannot be read. */
export function readSubject(settings: Settings, source: SubjectSource): Promise<ReadSubject> {
  return readers[source.process.subject](settings, source);
}
