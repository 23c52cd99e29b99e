/** The knowledge base of a project: the pages it ships at the base of a change, never those that the change brings. */
import type { GitRepository } from '../../adapters/git/repository.ts';
import { type Knowledge, readResource } from '../../adapters/store/resources.ts';
import type { StateFolder } from '../../adapters/store/storage.ts';
import { type Call, withRepository } from '../call.ts';
import { ifUserError } from '../../core/errors.ts';

const folderName = 'resources/kb';
const mostPageBytes = 4 * 1024 * 1024;

/** What the project ships at this commit or tree, links not followed; nothing at all where `revision` is null. */
export function knowledgeAt(revision: string | null, repository: GitRepository): Knowledge {
  let files: Promise<ReadonlyMap<string, string>> | undefined;
  const list = async (): Promise<ReadonlyMap<string, string>> => {
    const folder = revision === null ? null : await repository.entryAt(revision, folderName);
    if (folder?.mode !== '040000') return new Map();
    const tree = await repository.tree(folder.id);
    return new Map(
      tree.files
        .filter(({ path, mode }) => mode.startsWith('100') && !path.includes('/'))
        .map(({ path, id }) => [path, id]),
    );
  };
  return {
    names: async () => [...(await (files ??= list())).keys()],
    async read(file) {
      const id = (await (files ??= list())).get(file);
      return id === undefined ? null : repository.content(id, mostPageBytes);
    },
  };
}

/** Where nobody says which change is under review: what the last commit shares with the default branch of its remote, else that commit. */
export async function baseForKnowledge(repository: GitRepository): Promise<string | null> {
  if (repository.root === null) return null;
  const head = await repository.resolve('HEAD').catch(ifUserError(null));
  const shared = await repository.resolve('refs/remotes/origin/HEAD').catch(ifUserError(null));
  if (head === null || shared === null) return head;
  return (await repository.mergeBase(head, shared).catch(ifUserError(null))) ?? head;
}

/** As `readResource`, for whoever knows of no change. */
export async function readNamedResource(
  state: StateFolder,
  uri: string,
  call: Call,
): Promise<string | null> {
  if (!uri.startsWith('resources://kb/')) return readResource(state, uri);
  return withRepository(call, async repository =>
    readResource(state, uri, knowledgeAt(await baseForKnowledge(repository), repository)),
  );
}
