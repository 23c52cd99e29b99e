/** Reads the subject of a plan: the same way when a run begins, when it goes on and when its folder is judged. */
import { readDocument } from '../../adapters/document/read-document.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Plan } from '../../core/words/plan.ts';
import type { Repository } from '../../core/ports.ts';
import type { Process } from '../../core/process.ts';
import type { Call } from '../call.ts';

/** All that it takes to read a subject. */
export type PlannedSubject = Pick<Plan, 'subject' | 'prompt' | 'context'>;

/** Where a subject is read from. */
export interface SubjectSource {
  readonly process: Process;
  readonly repository: Repository;
  readonly call: Call;
}

export interface ReadSubject {
  readonly planned: PlannedSubject;
  /** With the files that are not reviewed. */
  readonly subject: Subject;
}

/** With the files that are not reviewed. Throws `UserError` for what cannot be read. */
export async function readPlanned(
  { subject, prompt, context }: PlannedSubject,
  repository: Pick<Repository, 'change'>,
): Promise<Subject> {
  if (subject.kind === 'question')
    return { kind: 'question', title: subject.title, prompt: prompt ?? '', context };
  return subject.kind === 'document'
    ? readDocument(subject.path, subject.title)
    : repository.change(subject.request);
}
