/** A job of a workflow as GitHub would start it: an event in a file, variables, a folder of its own. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolder, type SampleRepository } from './adapters/git/sample-repository.ts';
import { type GitHost, repositoryName, runBeside, toldPull } from './git-host.ts';
import type { Ended } from './cli/jury.ts';

/** Where strangers push to. */
export const fork = 'mallory/shop';

export interface Job {
  readonly cwd: string;
  /** Where the event lies, and what the job writes for GitHub. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `jury github` with these words. */
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended>;
}

interface JobRequest {
  readonly event: string;
  /** An object, or the text of the file as it is. */
  readonly payload: unknown;
  readonly checkout: SampleRepository;
}

export function openJob(host: GitHost, { event, payload, checkout }: JobRequest): Job {
  const folder = createFolder();
  const file = path.join(folder, 'event.json');
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload));
  const environment = {
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: repositoryName,
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
  };
  return {
    cwd: checkout.root,
    folder,
    environment,
    run: (args, own = {}) =>
      runBeside(host, checkout.root, ['github', ...args], { ...environment, ...own }),
  };
}

export interface PullEvent {
  readonly base: string;
  readonly head: string;
  readonly from: string;
  readonly state: string;
}

export function pullEventOf(
  number: number,
  { from = repositoryName, ...pull }: Pick<PullEvent, 'base' | 'head'> & Partial<PullEvent>,
): unknown {
  return {
    action: 'synchronize',
    number,
    pull_request: toldPull(number, { ...pull, fork: from }).body,
    repository: { full_name: repositoryName },
  };
}

export interface RunEvent {
  readonly head: string;
  readonly event: string;
  readonly from: string;
}

export function runEventOf({
  head,
  event = 'pull_request',
  from = fork,
}: Pick<RunEvent, 'head'> & Partial<RunEvent>): unknown {
  return {
    action: 'completed',
    workflow_run: {
      event,
      head_sha: head,
      head_branch: '$(touch x)',
      head_repository: { full_name: from },
      pull_requests: [],
    },
    repository: { full_name: repositoryName },
  };
}
