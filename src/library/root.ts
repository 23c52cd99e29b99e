/** The repository that a caller stands in. */
import { type GitRepository, openRepository } from '../adapters/git/repository.ts';
import { type Call, openOptionsOf } from './call.ts';

/** Null outside of a repository and in a bare one. */
export function repositoryRootOf(call: Call): Promise<string | null> {
  return withRepository(call, repository => Promise.resolve(repository.root));
}

/** Opens the repository of the caller's folder for one piece of work. */
export async function withRepository<Result>(
  call: Pick<Call, 'cwd' | 'environment'>,
  work: (repository: GitRepository) => Promise<Result>,
): Promise<Result> {
  const repository = await openRepository(call.cwd, openOptionsOf(call));
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}
