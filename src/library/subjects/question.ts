/** A question with its background; both may come from files or from standard input. */
import { UserError } from '../../core/errors.ts';
import { subjectKeyOf, type Settings } from '../../core/process.ts';
import { readNamed } from '../read-text.ts';
import {
  readPlanned,
  type PlannedSubject,
  type ReadSubject,
  type SubjectSource,
} from './read-planned.ts';

const longestTitle = 100;

export async function readQuestion(
  settings: Settings,
  { process, repository, call }: SubjectSource,
): Promise<ReadSubject> {
  const { key, value: what } = subjectKeyOf(process);
  const [, given] = Object.entries<unknown>(settings).find(([name]) => name === key) ?? [];
  const prompt =
    given === '-' ? await readNamed('-', what, call) : typeof given === 'string' ? given : '';
  const { context = null, contextFile } = settings;
  const background =
    contextFile === undefined ? context : await readNamed(contextFile, '--context-file', call);
  if (prompt.trim() === '')
    throw new UserError(`${what}: ${process.entry?.subject.noun ?? 'the question'} is empty.`, {
      kind: 'usage',
    });
  const planned: PlannedSubject = {
    subject: { kind: 'question', title: titleOf(prompt) },
    prompt,
    context: background,
  };
  return { planned, subject: await readPlanned(planned, repository) };
}

export function titleOf(prompt: string): string {
  return prompt.trim().split('\n')[0]?.slice(0, longestTitle) ?? '';
}
