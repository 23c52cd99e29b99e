/** Publishes what another job reviewed: the folder is checked, then the pull request is written to. Nobody is asked, no project is read. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createGithub } from '../adapters/github/code-host.ts';
import { readParcel } from './parcel-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { createMatcher } from '../agreement/index.ts';
import { inputError, usageError } from '../core/errors.ts';
import { parcels } from '../core/github/parcel.ts';
import { serviceOf } from '../core/github/service.ts';
import { CodeHostError } from '../core/ports/code-host.ts';
import { openHandover } from '../core/publish/handover.ts';
import type { Packer } from '../core/publish/marker.ts';
import { latestByClaim, printBaseline } from '../core/words/known-claim.ts';
import { publish, type Published } from '../engine/publish/publish.ts';
import { publicationTexts } from '../render/publish/comments.ts';
import { type Call, clockOf, tokenOf } from './call.ts';

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
export async function publishHandover(request: PublishingRequest, call: Call): Promise<Published> {
  const { repository, pull, head } = request;
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
    clock: clockOf(call),
    signal: call.signal,
  });
  try {
    const published = await publish({
      handover: openHandover(found, { repository, pull, head }, sha256),
      host,
      packer,
      hash: sha256,
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
      const limits = { maxOutputLength: 10_000_000 };
      return inflateRawSync(Buffer.from(packed, 'base64url'), limits).toString('utf8');
    } catch {
      return null;
    }
  },
};

async function writeDecisions(
  { decisions }: Published,
  file: string,
  { cwd }: Call,
): Promise<void> {
  const target = path.resolve(cwd, file);
  try {
    await writeFile(target, printBaseline([...latestByClaim(decisions).values()]));
  } catch (cause) {
    throw usageError(`--decisions: ${target} cannot be written.`, null, cause);
  }
}
