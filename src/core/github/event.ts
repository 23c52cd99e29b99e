/** What GitHub tells a workflow of the event that began it, as far as Jury believes it: ids, numbers, names; no words of anybody. */
import { z } from 'zod';
import { inputError, usageError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { makeVisible } from '../safety/visible-text.ts';
import {
  CommitId,
  factsOfPull,
  type PullFacts,
  RepositoryName,
  ToldPull,
} from '../words/pull-request.ts';

const Named = z.object({ full_name: RepositoryName });

const PullEvent = z.object({ pull_request: ToldPull, repository: Named });

const WorkflowRunEvent = z.object({
  workflow_run: z.object({
    event: z.string().max(100),
    head_sha: CommitId,
    /** Null where the fork is gone. */
    head_repository: Named.nullable(),
  }),
  repository: Named,
});

export type WorkflowEvent =
  | { readonly kind: 'pull_request'; readonly pull: PullFacts }
  /** Another workflow has ended, which ran for this commit. Which pull request that is of, the event does not say for a fork. */
  | {
      readonly kind: 'workflow_run';
      readonly repository: string;
      readonly head: string;
      readonly headRepository: string | null;
    };

export interface EventSource {
  /** `GITHUB_EVENT_NAME` */
  readonly name: string | undefined;
  /** `GITHUB_REPOSITORY` */
  readonly repository: string | undefined;
  /** What stands in the file `GITHUB_EVENT_PATH`. */
  readonly text: string;
}

/** Throws `UserError` for an event of another kind, and for one that is not what GitHub would write. */
export function readEvent({ name, repository, text }: EventSource): WorkflowEvent {
  const value = parseJson(text);
  if (name === 'pull_request') {
    const read = PullEvent.safeParse(value);
    if (
      !read.success ||
      read.data.pull_request.base.repo.full_name !== read.data.repository.full_name
    )
      throw unreadable(name);
    checkRepository(read.data.repository.full_name, repository);
    return { kind: 'pull_request', pull: factsOfPull(read.data.pull_request) };
  }
  if (name === 'workflow_run') {
    const read = WorkflowRunEvent.safeParse(value);
    if (!read.success) throw unreadable(name);
    const { workflow_run: run, repository: own } = read.data;
    checkRepository(own.full_name, repository);
    if (run.event !== 'pull_request')
      throw inputError(
        `The workflow that ended ran for the event "${makeVisible(run.event)}", not for a pull request.`,
        "Begin the job only where github.event.workflow_run.event == 'pull_request'.",
      );
    return {
      kind: 'workflow_run',
      repository: own.full_name,
      head: run.head_sha,
      headRepository: run.head_repository?.full_name ?? null,
    };
  }
  if (name === undefined || name === '')
    throw usageError(
      'No event of a workflow is known (GITHUB_EVENT_NAME).',
      'Outside of GitHub Actions use jury review --pr N.',
    );
  throw usageError(
    `The event "${makeVisible(name)}" is none that a pull request is reviewed for.`,
    name === 'pull_request_target'
      ? 'It has the rights of the base over what anybody wrote: take pull_request, and workflow_run for forks.'
      : 'Take pull_request, and workflow_run for forks.',
  );
}

function unreadable(name: string) {
  return inputError(`The file GITHUB_EVENT_PATH is no event "${name}" of GitHub.`);
}

/** Both come from the machine that runs the job; where they differ, one was set by somebody else. */
function checkRepository(told: string, set: string | undefined) {
  if (set === undefined || set === '' || set.toLowerCase() === told.toLowerCase()) return;
  throw inputError(`The event is of ${told}, and GITHUB_REPOSITORY is ${makeVisible(set)}.`);
}
