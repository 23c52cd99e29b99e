/** Where `.jury` lives. */
import { openRepository, type GitRepository } from '../adapters/git/repository.ts';
import { temporaryFolderOf, type Call } from './call.ts';

/** Top of the repository, or the caller's folder where there is none. */
export async function rootOf(call: Call): Promise<string> {
  return (await repositoryRootOf(call)) ?? call.cwd;
}

/** Null outside of a repository and in a bare one. */
export function repositoryRootOf(call: Call): Promise<string | null> {
  return withRepository(call, repository => Promise.resolve(repository.root));
}

/** Opens the repository of the caller's folder for one piece of work. */
export async function withRepository<Result>(call: Call, work: (repository: GitRepository) => Promise<Result>): Promise<Result> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}
