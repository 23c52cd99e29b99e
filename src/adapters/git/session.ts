/** What one opened repository holds while it is read: the git directory is made when something first needs it. */
import { inputError } from '../../core/errors.ts';
import type { GitFolder } from './git-folder.ts';
import { createObjectReader, type OpenedGit } from './object-reader.ts';
import { createShadow, type ShadowOptions } from './shadow.ts';
import { showName } from './revision.ts';

export type Session = ReturnType<typeof createSession>;

/** `here`: absolute folder the caller stands in; `folder`: null outside git. */
export function createSession(
  here: string,
  folder: GitFolder | null,
  options: ShadowOptions & { readonly maxFileBytes: number },
) {
  let opening: Promise<OpenedGit> | null = null;
  let closed = false;
  return {
    here,
    folder,
    maxFileBytes: options.maxFileBytes,
    /** Throws `UserError` outside git, and for a repository that cannot be read safely. */
    async open() {
      if (closed) throw new Error('The repository is closed.');
      if (!folder)
        throw inputError(
          `${showName(here)} is not inside a git repository.`,
          'Go into one, or begin one here: git init',
        );
      opening ??= createShadow(folder, options).then(shadow => ({
        shadow,
        objects: createObjectReader(shadow),
      }));
      return opening;
    },
    async close() {
      closed = true;
      const opened = await opening?.catch(() => null);
      opened?.objects.close();
      await opened?.shadow.close();
    },
  };
}
