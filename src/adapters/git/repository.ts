/** The `Repository` port over git: opens what lies at a folder and reads changes from it without running anything of it. */
import { UserError } from '../../core/errors.ts';
import type { ChangeRequest, Repository } from '../../core/ports.ts';
import { compareTrees } from './compare-trees.ts';
import { findGitFolder } from './git-folder.ts';
import { createObjectReader, type ObjectReader } from './object-reader.ts';
import { readFileAt, readSide } from './read-text.ts';
import { resolveCommit, resolveEndpoints, short, verify } from './revision.ts';
import { createShadow, type Shadow } from './shadow.ts';

export interface OpenOptions {
  /** Absolute path of git; default: looked up in a fixed list of folders. */
  readonly gitPath?: string;
  /** Parent of the engine's own git directory; default: the system's. Must lie outside the repository. */
  readonly temporaryFolder?: string;
  /** Longer files are `too-large`; default: 2 MiB. */
  readonly maxFileBytes?: number;
}

export interface GitRepository extends Repository {
  /** Full id of the commit a revision names. Throws `UserError` as `change` does. */
  resolve(revision: string): Promise<string>;
  /** True when two revisions hold the same files. */
  sameTree(one: string, other: string): Promise<boolean>;
}

interface Opened {
  readonly shadow: Shadow;
  readonly objects: ObjectReader;
}

const defaultMaxFileBytes = 2 * 1024 * 1024;

/** Never fails over what lies at `cwd`: outside git, patches and files can still be read, and the rest is refused when asked for. */
export async function openRepository(cwd: string, options: OpenOptions = {}): Promise<GitRepository> {
  const { maxFileBytes = defaultMaxFileBytes } = options;
  const folder = await findGitFolder(cwd);
  let opening: Promise<Opened> | null = null;
  const open = (): Promise<Opened> => {
    if (folder === null) throw new UserError(`${cwd} is not inside a git repository.`, { kind: 'input' });
    opening ??= createShadow(folder, options).then(shadow => ({ shadow, objects: createObjectReader(shadow) }));
    return opening;
  };

  return {
    root: folder?.root ?? null,
    async change(request) {
      const { shadow, objects } = await open();
      const { base, head, title } = await findEndpoints(shadow, objects, request);
      if (base === head) throw new UserError(`Nothing to review: base and head are the same commit (${short(head)}).`, { kind: 'input' });
      const { files, warnings } = await compareTrees({ shadow, objects, maxFileBytes }, base, head);
      if (files.length === 0) throw new UserError(`Nothing to review: ${title} changes no file.`, { kind: 'input' });
      return { kind: 'change', source: 'range', base, head, title, files, warnings };
    },
    async read(file, side) {
      const { objects } = await open();
      return readSide(objects, file, side, maxFileBytes);
    },
    async readAt(revision, path) {
      const { shadow, objects } = await open();
      return readFileAt(shadow, objects, { revision, path, maxFileBytes });
    },
    async resolve(revision) {
      return resolveCommit((await open()).shadow, revision);
    },
    async sameTree(one, other) {
      const { shadow } = await open();
      const [left, right] = await Promise.all([one, other].map(async revision => verify(shadow, `${await resolveCommit(shadow, revision)}^{tree}`)));
      return left !== null && left === right;
    },
    async close() {
      const opened = await opening?.catch(() => null);
      opened?.objects.close();
      await opened?.shadow.close();
    },
  };
}

async function findEndpoints(shadow: Shadow, objects: ObjectReader, request: ChangeRequest) {
  if (request.source === 'range') {
    const [base, head] = [await resolveCommit(shadow, request.base), await resolveCommit(shadow, request.head)];
    return { base, head, title: request.title };
  }
  if (request.source === 'revision') return { ...(await resolveEndpoints(shadow, objects, request.revision)), title: request.revision };
  throw new Error('not yet');
}

