/** Publishes what another job reviewed: the folder is checked, then the pull request is written to. Nobody is asked, no project is read. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createGithub } from '../adapters/github/code-host.ts';
import { readHandoverFolder } from '../adapters/github/handover-folder.ts';
import { serviceOf } from '../core/github/service.ts';
import { createMatcher } from '../agreement/index.ts';
import { inputError, usageError, UserError } from '../core/errors.ts';
import { latestByClaim, printBaseline } from '../core/words/known-claim.ts';
import { CodeHostError } from '../core/ports/code-host.ts';
import { checkHandover } from '../core/publish/handover.ts';
import { publish, type Published } from '../engine/publish/publish.ts';
import { publicationTexts } from '../render/publish/comments.ts';
import { type Call, clockOf } from './call.ts';
import { sha256 } from '../adapters/system/ids.ts';

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
  const { api } = serviceOf(call.environment);
  const checked = checkHandover(
    await readHandoverFolder(path.resolve(call.cwd, request.handover)),
    { repository, pull, head },
    sha256,
  );
  if (checked.status === 'refused') throw inputError(checked.sentence, 'Nothing is published.');
  const host = createGithub({
    repository,
    pull,
    token,
    apiUrl: api,
    clock: clockOf(call),
    signal: call.signal,
  });
  try {
    const published = await publish({
      checked,
      host,
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
    throw new UserError(error.message, {
      kind: 'input',
      hint: 'Nothing is published.',
      cause: error,
    });
  }
}

function tokenOf({ environment }: Call): string {
  const token = (environment.GITHUB_TOKEN ?? '').trim() || (environment.GH_TOKEN ?? '').trim();
  // What cannot stand in a header would be quoted by the error about it.
  if (/^[\x21-\x7E]+$/.test(token)) return token;
  throw usageError(
    `${token === '' ? 'There is no token' : 'The token is none'} for GitHub.`,
    'Set GITHUB_TOKEN to one that may write checks and pull requests.',
  );
}

async function writeDecisions(
  { decisions }: Published,
  file: string,
  { cwd }: Call,
): Promise<void> {
  const target = path.resolve(cwd, file);
  try {
    await writeFile(target, printBaseline([...latestByClaim(decisions).values()]));
  } catch (cause) {
    throw new UserError(`--decisions: ${target} cannot be written.`, { kind: 'usage', cause });
  }
}
