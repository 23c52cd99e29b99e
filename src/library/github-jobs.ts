/** What the jobs of a workflow do with a pull request before anything is published: pack it as data, or review it and hand that over. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readPlainFile, readPlainText } from '../adapters/git/git-folder.ts';
import { readPull } from '../adapters/github/read-pull.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { usageError, UserError } from '../core/errors.ts';
import {
  checkPack,
  checkPull,
  type ExpectedPack,
  makeManifest,
  packLimits,
  packNames,
} from '../core/github/change-pack.ts';
import { readEvent, type WorkflowEvent } from '../core/github/event.ts';
import { serviceOf } from '../core/github/service.ts';
import type { Request } from '../core/process.ts';
import { makeHandover } from '../core/publish/handover.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import type { PullFacts } from '../core/words/pull-request.ts';
import type { Run } from '../core/words/run.ts';
import { renderers } from '../render/formats.ts';
import { clockOf, tokenOf, type Call } from './call.ts';
import { noteClosed, requestOf } from './pull-request.ts';
import { runRequest } from './run-request.ts';
import { version } from './version.ts';
import { withRepository } from './root.ts';

export interface PackedPull {
  readonly pull: PullFacts;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly bytes: number;
}

/** For the event of a fork, without any key. Throws `UserError`. */
export async function packPullOfEvent(out: string, call: Call): Promise<PackedPull> {
  const event = await eventOf(call);
  if (event.kind !== 'pull_request')
    throw usageError('A change is packed in a workflow for the event pull_request.');
  const { pull } = event;
  const folder = await makeOut(out, call);
  return withRepository(call, async repository => {
    const request = requestOf(pull, serviceOf(call.environment), { pack: null, isStranger: true });
    const bytes = await repository.packPull(request);
    const content = { bytes: bytes.length, sha256: sha256(bytes) };
    await writeNew(path.join(folder, packNames.content), bytes);
    // Last, so that half a folder is none.
    await writeNew(path.join(folder, packNames.manifest), makeManifest({ pull, version, content }));
    return { pull, folder, bytes: bytes.length };
  });
}

export interface PullReview {
  /** Folder for the handover: empty, or not there. */
  readonly out: string;
  /** Folder of what `packPullOfEvent` wrote in another job; null: the event is that of the pull request itself. */
  readonly packed: string | null;
  /** What a review may be told besides. */
  readonly settings: Omit<
    Extract<Request, { readonly process: 'review' }>,
    'process' | 'pull' | 'pr' | 'continue'
  >;
}

export interface ReviewedPull {
  readonly pull: PullFacts;
  readonly run: Run;
  /** Absolute path of the handover. */
  readonly folder: string;
}

/** Reviews the pull request of the event and leaves a handover, whatever it came to. Throws `UserError` before anybody is asked. */
export async function reviewPullOfEvent(
  { out, packed, settings }: PullReview,
  call: Call,
): Promise<ReviewedPull> {
  const event = await eventOf(call);
  const folder = await makeOut(out, call);
  const pack = packed === null ? null : path.resolve(call.cwd, packed);
  const pull = await pullOf(event, pack, call);
  noteClosed(pull, call);
  const isStranger = pull.isFork || pack !== null;
  const content = pack === null ? null : path.join(pack, packNames.content);
  const request = requestOf(pull, serviceOf(call.environment), { pack: content, isStranger });
  const run = await runRequest(
    {
      process: 'review',
      reader: 'needed',
      ...settings,
      ...(isStranger && { untrusted: true }),
      pull: request,
    },
    call,
  );
  await handOver({ pull, run, folder }, call);
  return { pull, run, folder };
}

async function pullOf(event: WorkflowEvent, pack: string | null, call: Call): Promise<PullFacts> {
  if (event.kind === 'pull_request') {
    if (pack === null) return event.pull;
    throw usageError(
      '--packed goes with the event workflow_run: the event pull_request of a fork has no keys.',
    );
  }
  if (pack === null)
    throw usageError(
      'The event workflow_run does not say which pull request it is about.',
      'Give the folder that jury github pack left in the workflow that ended: --packed DIR',
    );
  const { pull: number } = await readPack(pack, event);
  const pull = await readPull({
    api: serviceOf(call.environment).api,
    repository: event.repository,
    number,
    token: tokenOf(call),
    signal: call.signal,
  });
  checkPull(pull, event);
  return pull;
}

async function readPack(
  folder: string,
  expected: ExpectedPack,
): Promise<ReturnType<typeof checkPack>> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new UserError(`--packed: ${folder} cannot be read.`, { kind: 'input', cause });
  });
  const bytes = await readPlainFile(path.join(folder, packNames.content), packLimits.content);
  return checkPack(
    {
      names,
      manifest: await readPlainText(path.join(folder, packNames.manifest), packLimits.manifest),
      content: bytes === null ? null : { bytes: bytes.length, sha256: sha256(bytes) },
    },
    expected,
  );
}

const mostEventBytes = 32 * 1024 * 1024;

async function eventOf({ environment }: Call): Promise<WorkflowEvent> {
  const {
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: repository,
  } = environment;
  const text = file === undefined ? null : await readPlainText(file, mostEventBytes);
  // An event of a kind that nobody reviews is named before its file is missed.
  return readEvent({ name, repository, text: text ?? '' });
}

/** Absolute path. Throws `UserError` (kind `usage`) for a folder that holds something: it would be handed over too. */
async function makeOut(out: string, { cwd }: Call): Promise<string> {
  const folder = path.resolve(cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return folder;
  } catch (cause) {
    throw new UserError(`--out: ${folder} cannot be made.`, { kind: 'usage', cause });
  }
  throw usageError(`--out: ${folder} is not empty.`, 'Name a folder that is not there yet.');
}

async function handOver({ pull, run, folder }: ReviewedPull, call: Call): Promise<void> {
  const exitCode = exitCodeOf(run.record.outcome, call.signal?.aborted === true);
  const options = { color: false, width: 100, exitCode };
  const files = makeHandover({
    repository: pull.repository,
    pull: pull.number,
    branch: pull.branch,
    head: pull.head,
    base: pull.base,
    isFork: pull.isFork,
    created: clockOf(call).now().toISOString(),
    report: renderers.json(run, options),
    sarif: renderers.sarif(run, options),
    record: run.record,
    hash: sha256,
  });
  for (const [name, text] of files) await writeNew(path.join(folder, name), text);
}

async function writeNew(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content, { flag: 'wx' }).catch((cause: unknown) => {
    throw new UserError(`--out: ${file} cannot be written.`, { kind: 'machine', cause });
  });
}
