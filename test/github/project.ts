/** A pull request as people work on it: a real repository with a branch, a panel that says what the test says, the scripted GitHub, the built program. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { openShop } from '../cart.ts';
import { endOf, juryBeside, startJury } from '../cli/jury.ts';
import type { Hosted } from './hosted.ts';
import { type GithubServer, goodToken, startGithub } from './github-server.ts';
import { handoverFiles } from './parcel.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the last line of figures of `jury github publish` says. */
export interface Figures {
  readonly posted: number;
  readonly updated: number;
  readonly resolved: number;
  readonly reopened: number;
  readonly kept: number;
  readonly repeated: number;
  readonly calls: number;
}

export interface Project {
  readonly sample: SampleRepository;
  readonly github: GithubServer;
  say(reviewer: string, lines: readonly string[]): void;
  /** The host learns of the branch as it is. */
  push(): void;
  /** Reviews the branch on a machine without a memory, and leaves a handover. Yields its folder. */
  review(): Promise<{ readonly folder: string; readonly record: PrintedRecord }>;
  publish(folder: string, ...flags: readonly string[]): Promise<Ended>;
  /** The same, killed when its request of that number arrives; what it asked for is done all the same. */
  publishAndKill(folder: string, request: number): Promise<Ended>;
}

export async function createProject(parts: Partial<Hosted> = {}): Promise<Project> {
  const { sample, config, say } = openShop();
  const github = await startGithub(parts);
  const { host } = github;
  const run = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
    juryBeside(sample.root, args, { environment });
  const environment = {
    GITHUB_TOKEN: goodToken,
    GITHUB_API_URL: github.url,
    GITHUB_SERVER_URL: '',
  };
  const publishing = (folder: string) => [
    'github',
    'publish',
    '--handover',
    folder,
    '--repository',
    host.repository,
    '--pull',
    String(host.number),
    '--sha',
    host.head,
  ];
  const project: Project = {
    sample,
    github,
    say,
    push() {
      host.head = sample.git('rev-parse', 'HEAD');
      host.base = sample.git('rev-parse', 'main');
      host.files = changedFiles(sample);
      for (const { filename, status } of host.files)
        if (status !== 'removed')
          host.texts.set(`${host.head}:${filename}`, `${sample.git('show', `HEAD:${filename}`)}\n`);
    },
    async review() {
      const own = { JURY_STATE: createFolder() };
      const flags = ['--config', config, '--fail-on', 'single:critical', '--format', 'json'];
      const { stdout, stderr } = await run(['review', 'main..HEAD', ...flags], own);
      if (stdout === '') throw new Error(stderr);
      const sarif = await run(['report', 'latest', '--format', 'sarif'], own);
      const record = JSON.parse(stdout) as PrintedRecord;
      return { record, folder: writeHandover(host, stdout, sarif.stdout) };
    },
    publish: (folder, ...flags) =>
      juryBeside(sample.root, [...publishing(folder), ...flags], { environment }),
    publishAndKill(folder, request) {
      const child = startJury(sample.root, publishing(folder), environment);
      github.before = ({ number }) => void (number === request && child.kill('SIGKILL'));
      return endOf(child);
    },
  };
  project.push();
  return project;
}

export function figuresOf({ stdout, stderr }: Ended): Figures {
  const number = (word: string) => {
    const found = new RegExp(`${word} (\\d+)`).exec(stdout)?.[1];
    if (found === undefined) throw new Error(`no figure ${word}: ${stdout}${stderr}`);
    return Number(found);
  };
  const reopened = Number(/opened again (\d+)/.exec(stdout)?.[1] ?? 0);
  return {
    reopened,
    posted: number('posted'),
    updated: number('updated'),
    resolved: number('resolved'),
    kept: number('kept'),
    repeated: number('repeated'),
    calls: number('calls'),
  };
}

let clock = Date.UTC(2026, 10, 25, 12);

function writeHandover(host: Hosted, report: string, sarif: string) {
  clock += 60_000;
  const folder = path.join(createFolder(), 'handover');
  mkdirSync(folder);
  const files = handoverFiles(host, report, sarif, new Date(clock).toISOString());
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes);
  return folder;
}

/** As the host lists them: a patch begins with its first hunk. */
function changedFiles(sample: SampleRepository) {
  const statuses = { A: 'added', M: 'modified', D: 'removed', R: 'renamed' } as const;
  return sample
    .git('diff', '--name-status', '-M', 'main...HEAD')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [letter = '', before = '', after = before] = line.split('\t');
      const patch = sample.git('diff', '-M', 'main...HEAD', '--', before, after);
      const start = patch.indexOf('@@ ');
      return {
        filename: after,
        status: statuses[letter.charAt(0) as keyof typeof statuses],
        ...(after === before ? {} : { previous_filename: before }),
        ...(start === -1 ? {} : { patch: patch.slice(start) }),
      };
    });
}
