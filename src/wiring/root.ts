/** Where `.jury` lives. */
import { openRepository } from '../adapters/git/repository.ts';
import { temporaryFolderOf, type Call } from './call.ts';

/** Top of the repository, or the caller's folder where there is none. */
export async function rootOf(call: Call): Promise<string> {
  const repository = await openRepository(call.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    return repository.root ?? call.cwd;
  } finally {
    await repository.close();
  }
}
