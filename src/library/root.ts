/** Where `.jury` lives. */
import path from 'node:path';
import { openRepository, type GitRepository } from '../adapters/git/repository.ts';
import { temporaryFolderOf, type Call } from './call.ts';

/** Folder that holds `.jury`: the caller's choice, the top of the repository, or the caller's folder where there is none. */
export async function rootOf(call: Call): Promise<string> {
  return call.state === undefined
    ? stateRootIn(await repositoryRootOf(call), call)
    : stateRootIn(null, call);
}

/** The same where the repository is known. */
export function stateRootIn(
  repositoryRoot: string | null,
  { cwd, state }: Pick<Call, 'cwd' | 'state'>,
): string {
  return state === undefined ? (repositoryRoot ?? cwd) : path.resolve(cwd, state);
}

/** Null outside of a repository and in a bare one. */
export function repositoryRootOf(call: Call): Promise<string | null> {
  return withRepository(call, repository => Promise.resolve(repository.root));
}

/** Opens the repository of the caller's folder for one piece of work. */
export async function withRepository<Result>(
  call: Call,
  work: (repository: GitRepository) => Promise<Result>,
): Promise<Result> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}
