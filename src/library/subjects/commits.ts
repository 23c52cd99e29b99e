/** What `multi-consensus` reviews: what lies between two commits, which may be nothing, or else its question. */
import type { GitRepository } from '../../adapters/git/repository.ts';
import type { Change } from '../../core/words/change.ts';
import { UserError } from '../../core/errors.ts';
import type { Settings } from '../../core/process.ts';
import type { Call } from '../call.ts';
import { withRepository } from '../root.ts';
import { titleOf } from './question.ts';
import {
  readPlanned,
  type PlannedSubject,
  type ReadSubject,
  type SubjectSource,
} from './read-planned.ts';

export async function readCommits(
  { commits = null, prompt = null, context = null }: Settings,
  { repository }: SubjectSource,
): Promise<ReadSubject> {
  if (commits === null) {
    const planned: PlannedSubject = {
      subject: { kind: 'question', title: titleOf(prompt ?? '') },
      prompt,
      context,
    };
    return { planned, subject: await readPlanned(planned, repository) };
  }
  const { base, head, isUnchanged } = commits;
  const range = { source: 'range', base, head, title: `${base}..${head}` } as const;
  const planned: PlannedSubject = { subject: { kind: 'change', request: range }, prompt, context };
  const nothing: Change = { kind: 'change', ...range, files: [], warnings: [] };
  return { planned, subject: isUnchanged ? nothing : await readPlanned(planned, repository) };
}

export type ComparedCommits =
  | { readonly status: 'missing'; readonly side: 'base' | 'head' }
  | {
      readonly status: 'same' | 'unchanged' | 'changed';
      readonly base: string;
      readonly head: string;
    };

/** `same`: one commit under two names. `unchanged`: two commits with the same files. */
export async function compareCommits(
  base: string,
  head: string,
  call: Call,
): Promise<ComparedCommits> {
  return withRepository(call, async repository => {
    const [left, right] = [
      await resolveOrNull(repository, base),
      await resolveOrNull(repository, head),
    ];
    if (left === null || right === null)
      return { status: 'missing', side: left === null ? 'base' : 'head' };
    if (left === right) return { status: 'same', base: left, head: right };
    return {
      status: (await repository.sameTree(left, right)) ? 'unchanged' : 'changed',
      base: left,
      head: right,
    };
  });
}

async function resolveOrNull(repository: GitRepository, revision: string): Promise<string | null> {
  try {
    return await repository.resolve(revision);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
