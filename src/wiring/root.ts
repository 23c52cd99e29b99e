/** Where `.jury` lives. */
import { openRepository } from '../adapters/git/repository.ts';
import { temporaryFolderOf, type Call } from './call.ts';

/** Top of the repository, or the caller's folder where there is none. */
export async function rootOf(call: Call): Promise<string> {
  return (await repositoryRootOf(call)) ?? call.cwd;
}

/** Null outside of a repository and in a bare one. */
export async function repositoryRootOf(call: Call): Promise<string | null> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return repository.root;
  } finally {
    await repository.close();
  }
}
