/** What the jobs of a workflow do with a pull request before anything is published: pack it as data, or review it and hand that over. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createGithub } from '../adapters/github/code-host.ts';
import { createMatcher } from '../agreement/index.ts';
import { inputError, usageError, UserError } from '../core/errors.ts';
import {
  type WorkflowEvent,
  checkPull,
  mostBytesOf,
  openParcel,
  parcels,
  readEvent,
  sealParcel,
  serviceOf,
  openHandover,
} from '../core/github/parcel.ts';
import { CodeHostError } from '../core/ports/repository.ts';
import type { Packer } from '../core/publish/settle.ts';
import { type Run, latestByClaim, printBaseline } from '../core/words/run.ts';
import { publish, type Published } from '../engine/publish/publish.ts';
import { publicationTexts } from '../render/publish/comments.ts';
import { type Call, tokenOf, version, withRepository } from './call.ts';
import { readPlainFile, readPlainText } from '../adapters/system/given-file.ts';
import type { Request } from '../core/process.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import type { PullFacts } from '../core/words/change.ts';
import { renderers } from '../render/formats.ts';
import { noteClosed, readPull, requestOf } from './read-subject.ts';
import { runRequest } from './run-request.ts';

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

function sealingOf(pull: PullFacts, call: Call) {
  return { pull, version, created: call.clock.now().toISOString() };
}

/** Throws `UserError` (kind `usage`) for a folder that holds something: it would be handed over too. */
async function makeOut(out: string, { cwd }: Call) {
  const folder = path.resolve(cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return folder;
  } catch (cause) {
    throw usageError(`--out: ${folder} cannot be made.`, null, cause);
  }
  throw usageError(`--out: ${folder} is not empty.`, 'Name a folder that is not there yet.');
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

async function pullOf(event: WorkflowEvent, pack: string | null, call: Call) {
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
  const { pull: number } = openParcel(parcels.pack, found, event);
  const pull = await readPull({ repository: event.repository, number }, call);
  checkPull(pull, event);
  return pull;
}

const mostEventBytes = 32 * 1024 * 1024;

async function eventOf({ environment }: Call) {
  const {
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: file,
    GITHUB_REPOSITORY: repository,
  } = environment;
  const text = file === undefined ? null : await readPlainText(file, mostEventBytes);
  // An event of a kind that nobody reviews is named before its file is missed.
  return readEvent({ name, repository, text: text ?? '' });
}

async function handOver({ pull, run, folder }: ReviewedPull, call: Call) {
  const options = {
    color: false,
    width: 100,
    exitCode: exitCodeOf(run.record.outcome, call.signal.aborted),
  };
  const { handover } = parcels;
  const texts = [renderers.json(run, options), renderers.sarif(run, options)];
  const files = new Map(
    handover.files.map((name, index) => [name, Buffer.from(texts[index] ?? '')]),
  );
  await writeParcel(folder, sealParcel(handover, files, sealingOf(pull, call)));
}

export interface PublishingRequest {
  /** Folder of the handover. */
  readonly handover: string;
  /** `OWNER/NAME`, number and full commit id, as the host tells them: the handover is held to these. */
  readonly repository: string;
  readonly pull: number;
  readonly head: string;
  /** Upload the SARIF file of the handover to code scanning as well. */
  readonly sarif: boolean;
  /** Look and plan, and write nothing. */
  readonly dryRun: boolean;
  /** File to write the decisions of replies to, in the form of `jury.baseline.json`; null: none. */
  readonly decisions: string | null;
}

export type { Published } from '../engine/publish/publish.ts';

/** Throws `UserError`: `usage` without a token, `input` for a handover that is refused and for a host that lets nothing be read. */
export async function publishHandover(request: PublishingRequest, call: Call) {
  const { repository, pull } = request;
  const token = tokenOf(call);
  if (token === null)
    throw usageError(
      'There is no token for GitHub.',
      'Set GITHUB_TOKEN to one that may write checks and pull requests.',
    );
  const found = await readParcel(path.resolve(call.cwd, request.handover), parcels.handover);
  const host = await createGithub({
    repository,
    pull,
    token,
    apiUrl: serviceOf(call.environment).api,
    clock: call.clock,
    signal: call.signal,
  });
  try {
    const published = await publish({
      handover: openHandover(found, request),
      host,
      packer,
      matcher: call.matcher ?? createMatcher('calibrated'),
      texts: publicationTexts,
      uploadsSarif: request.sarif,
      isDry: request.dryRun,
    });
    if (request.decisions !== null) await writeDecisions(published, request.decisions, call);
    return published;
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    throw inputError(error.message, 'Nothing is published.');
  }
}

const packer: Packer = {
  pack: text => deflateRawSync(text).toString('base64url'),
  unpack(packed) {
    try {
      return inflateRawSync(Buffer.from(packed, 'base64url'), {
        maxOutputLength: 10_000_000,
      }).toString('utf8');
    } catch {
      return null;
    }
  },
};

async function writeDecisions({ decisions }: Published, file: string, { cwd }: Call) {
  const target = path.resolve(cwd, file);
  try {
    await writeFile(target, printBaseline([...latestByClaim(decisions).values()]));
  } catch (cause) {
    throw usageError(`--decisions: ${target} cannot be written.`, null, cause);
  }
}

/** Throws `UserError` (kind `input`) for a folder that cannot be read. */
async function readParcel(folder: string, kind: (typeof parcels)[keyof typeof parcels]) {
  const names = await readdir(folder).catch(() => {
    throw inputError(`${folder} is no folder that can be read.`, 'It is what another job leaves.');
  });
  const files = new Map<string, Uint8Array>();
  for (const name of [kind.manifest, ...kind.files].filter(each => names.includes(each))) {
    const bytes = await readPlainFile(path.join(folder, name), mostBytesOf(name, kind));
    if (bytes) files.set(name, bytes);
  }
  return { names, files };
}

async function writeParcel(folder: string, files: ReadonlyMap<string, Uint8Array>) {
  for (const [name, content] of files)
    await writeFile(path.join(folder, name), content, { flag: 'wx' }).catch((cause: unknown) => {
      throw new UserError(`--out: ${name} cannot be written.`, { kind: 'machine', cause });
    });
}
