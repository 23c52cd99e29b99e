/** A job of a workflow as GitHub would start it: an event in a file, variables, a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createFolder, type SampleRepository } from './adapters/git/sample-repository.ts';
import { type GitHost, repositoryName, runBeside, toldPull } from './git-host.ts';
import { type Ended, program } from './cli/jury.ts';

/** Where strangers push to. */
export const fork = 'mallory/shop';

export interface Job {
  readonly cwd: string;
  /** Where the event lies, and what the job writes for GitHub. */
  readonly folder: string;
  /** Its `RUNNER_TEMP`, with the program as the step that installs leaves it. */
  readonly machine: string;
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
  const machine = createFolder();
  const bin = path.join(machine, 'jury', 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(program, path.join(bin, 'jury'));
  const environment = {
    RUNNER_TEMP: machine,
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: repositoryName,
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
  };
  return {
    cwd: checkout.root,
    folder,
    machine,
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

/** Starts a program in the working folder of a job while the servers of this process can answer. */
export function startIn(
  host: GitHost,
  job: Job,
  [file, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(
      file,
      args,
      {
        cwd: job.cwd,
        env: { ...process.env, ...host.environment, ...job.environment, ...environment },
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const workflows = fileURLToPath(new URL('../action/workflows', import.meta.url));

/** Runs one step of a workflow that people copy, as it is written, by the shell that GitHub takes. */
export function runStep(
  host: GitHost,
  job: Job,
  [workflow, jobName, name]: readonly [workflow: string, job: string, step: string],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { jobs } = parse(readFileSync(path.join(workflows, workflow), 'utf8')) as {
    jobs: Readonly<
      Record<
        string,
        { readonly steps: readonly { readonly name?: string; readonly run?: string }[] }
      >
    >;
  };
  const text = jobs[jobName]?.steps.find(step => step.name === name)?.run;
  if (text === undefined) throw new Error(`${workflow} has no step ${name} in ${jobName}`);
  const words = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', text] as const;
  return startIn(host, job, words, environment);
}
