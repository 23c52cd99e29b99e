/** What the jobs of a workflow do with a pull request before anything is published: pack it as data, or review it and hand that over. */
import path from 'node:path';
import { readPlainText } from '../adapters/git/git-folder.ts';
import { makeParcelFolder, readParcel, writeParcel } from './parcel-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { usageError } from '../core/errors.ts';
import { readEvent, type WorkflowEvent } from '../core/github/event.ts';
import { checkPull, openParcel, parcels, sealParcel } from '../core/github/parcel.ts';
import { serviceOf } from '../core/github/service.ts';
import type { Request } from '../core/process.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import type { PullFacts } from '../core/words/pull-request.ts';
import type { Run } from '../core/words/run.ts';
import { renderers } from '../render/formats.ts';
import { type Call, clockOf } from './call.ts';
import { noteClosed, readPull, requestOf } from './pull-request.ts';
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
    const { pack } = parcels;
    const files = new Map([[pack.files[0], bytes]]);
    await writeParcel(folder, sealParcel(pack, files, sealingOf(pull, call)));
    return { pull, folder, bytes: bytes.length };
  });
}

function sealingOf(pull: PullFacts, call: Call): Parameters<typeof sealParcel>[2] {
  return { pull, version, created: clockOf(call).now().toISOString(), hash: sha256 };
}

async function makeOut(out: string, { cwd }: Call): Promise<string> {
  const folder = path.resolve(cwd, out);
  await makeParcelFolder(folder);
  return folder;
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
  const content = pack === null ? null : path.join(pack, parcels.pack.files[0]);
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
  const found = await readParcel(pack, parcels.pack);
  const { pull: number } = openParcel(parcels.pack, found, event, sha256);
  const pull = await readPull({ repository: event.repository, number }, call);
  checkPull(pull, event);
  return pull;
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

async function handOver({ pull, run, folder }: ReviewedPull, call: Call): Promise<void> {
  const exitCode = exitCodeOf(run.record.outcome, call.signal?.aborted === true);
  const options = { color: false, width: 100, exitCode };
  const { handover } = parcels;
  const texts = [renderers.json(run, options), renderers.sarif(run, options)];
  const files = new Map(
    handover.files.map((name, index) => [name, Buffer.from(texts[index] ?? '')]),
  );
  await writeParcel(folder, sealParcel(handover, files, sealingOf(pull, call)));
}
