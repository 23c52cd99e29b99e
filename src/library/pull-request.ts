/** Which pull request a number means, and how its commits are found: its repository, what GitHub says of it, where git fetches it. */
import type { GitRepository } from '../adapters/git/repository.ts';
import { inputError, usageError } from '../core/errors.ts';
import { CodeHostError } from '../core/ports/repository.ts';
import {
  type PullFacts,
  type PullRequest,
  readRemote,
  RepositoryName,
  titleOfPull,
} from '../core/words/change.ts';
import { cloneAddress, type Service, serviceOf } from '../core/github/parcel.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { type Call, clockOf, noteTo, tokenOf } from './call.ts';

/** Asks GitHub. Throws `UserError` where nobody knows which repository is meant, and for what GitHub refuses. */
export async function findPull(
  number: number,
  repository: GitRepository,
  call: Call,
): Promise<PullRequest> {
  const service = serviceOf(call.environment);
  const name = await repositoryNameOf(repository, service, call);
  const facts = await readPull({ repository: name, number }, call);
  noteClosed(facts, call);
  // A person who asks by hand is nearer to the change than a machine that does at every push.
  return requestOf(facts, service, { pack: null, isStranger: false });
}

/** As GitHub tells it now. Throws `UserError` for whatever is no answer. */
export async function readPull(
  pull: Pick<PullFacts, 'repository' | 'number'>,
  call: Call,
): Promise<PullFacts> {
  const { environment, signal } = call;
  const { createGithub } = await import('../adapters/github/code-host.ts');
  const host = await createGithub({
    repository: pull.repository,
    pull: pull.number,
    apiUrl: serviceOf(environment).api,
    token: tokenOf(call),
    clock: clockOf(call),
    signal,
    mostWaitMs: 0,
  });
  return host.readPull().catch((cause: unknown) => {
    if (!(cause instanceof CodeHostError)) throw cause;
    const message = `What ${titleOfPull(pull)} is, is not known. ${cause.message}`;
    throw inputError(message, ways[cause.code], cause);
  });
}

const ways = {
  auth: 'Set GITHUB_TOKEN (or GH_TOKEN) to one that is valid.',
  forbidden: 'The token needs the right to read pull requests.',
  'rate-limited': 'Try again later, or set GITHUB_TOKEN: more is answered to those who are known.',
  missing:
    'Look at the number, and at the name of the repository (GITHUB_REPOSITORY, or the remote origin). ' +
    'If it is private, set GITHUB_TOKEN (or GH_TOKEN).',
  refused: 'Try again later.',
  unreadable: 'Does GITHUB_API_URL name the API of GitHub?',
  provider: 'Try again later.',
  unreachable: 'Try again later.',
};

export function noteClosed(facts: PullFacts, call: Call): void {
  if (!facts.isOpen) noteTo(call)(`${titleOfPull(facts)} is closed; it is reviewed all the same.`);
}

/** `pack`: absolute path of the file that holds its commits; null: they are fetched. */
export function requestOf(
  { repository, number, base, head }: PullFacts,
  service: Service,
  { pack, isStranger }: Pick<PullRequest, 'pack' | 'isStranger'>,
): PullRequest {
  const url = cloneAddress(service, repository);
  return { source: 'pull', repository, number, url, base, head, pack, isStranger };
}

/** `owner/name`: as GitHub Actions says it, else as the remote `origin` does. */
async function repositoryNameOf(
  repository: GitRepository,
  { server }: Service,
  { environment }: Call,
) {
  const set = environment.GITHUB_REPOSITORY?.trim() ?? '';
  if (set !== '') {
    const named = RepositoryName.safeParse(set);
    if (named.success) return named.data;
    throw usageError(`GITHUB_REPOSITORY: "${makeVisible(set)}" is not owner/name.`);
  }
  const address = await repository.originAddress();
  const remote = address === null ? null : readRemote(address);
  const host = new URL(server).hostname;
  // What lies in a folder of somebody else's must not choose who is sent the token.
  if (remote && (remote.host === host || remote.host === `ssh.${host}`)) return remote.repository;
  throw usageError(
    address === null
      ? 'Which repository the pull request is of is not known: there is no remote origin.'
      : `The remote origin (${makeVisible(address.replace(/\/\/[^@/]*@/, '//'))}) names no repository at ${host}.`,
    'Set GITHUB_REPOSITORY to owner/name, and GITHUB_SERVER_URL for a server other than github.com.',
  );
}
