/**
 * The engine's own git directory: borrows the objects of the repository, holds a copy of its references and nothing of
 * its configuration. Every git command runs on it, so that nothing the repository says can start a program.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputError, usageError } from '../../core/errors.ts';
import { isInside } from '../system/real-path.ts';
import { makeTemporaryFolder } from '../system/temporary-folder.ts';
import { findGit, type GitProgram } from './git-process.ts';
import {
  type GitFolder,
  readFormat,
  readReferences,
  type References,
  type RepositoryFormat,
} from './git-folder.ts';

export interface Shadow {
  readonly program: GitProgram;
  readonly format: RepositoryFormat;
  readonly references: References;
  /** What expressions came to: references and objects stay what they are for as long as this is open. */
  readonly verified: Map<string, string>;
  readonly source: GitFolder;
  /** Removes the folder. */
  close(): Promise<void>;
}

export interface ShadowOptions {
  readonly gitPath?: string;
  readonly temporaryFolder?: string;
  readonly timeoutMs: number;
}

/** Throws `UserError` for a repository that cannot be read this way and for a missing or old git. */
export async function createShadow(source: GitFolder, options: ShadowOptions): Promise<Shadow> {
  const format = await readFormat(source);
  const references = await readReferences(source, format.zero.length);
  const folder = await createFolder(source, options.temporaryFolder ?? tmpdir());
  // Git says its version while the folder is filled.
  const filling = fill(folder.path, source, format, references);
  try {
    const [path] = await Promise.all([findGit(folder.path, options.gitPath), filling]);
    return {
      program: { path, folder: folder.path, timeoutMs: options.timeoutMs },
      format,
      references,
      verified: new Map(),
      source,
      close: () => folder.remove(),
    };
  } catch (error) {
    // What is still being written would make the folder anew.
    await filling.catch(() => {});
    await folder.remove();
    throw error;
  }
}

/** Private, and outside the repository: nothing is ever written there. */
async function createFolder({ root, own }: GitFolder, temporaryFolder: string) {
  const parent = await realpath(temporaryFolder).catch(cause => {
    throw usageError(`The temporary folder ${temporaryFolder} cannot be used.`, null, cause);
  });
  if (isInside(root ?? own, parent)) {
    throw usageError(
      'The temporary folder lies inside the repository under review.',
      'Set TMPDIR to a folder outside.',
    );
  }
  return makeTemporaryFolder(parent, 'git').catch((cause: NodeJS.ErrnoException) => {
    throw inputError(
      `No folder can be made in the temporary folder ${parent}: ${cause.code}.`,
      'Make it writable, or set TMPDIR to one that is.',
      cause,
    );
  });
}

/** What `git init --bare` would make, without starting it. */
async function fill(
  folder: string,
  source: GitFolder,
  format: RepositoryFormat,
  references: References,
) {
  const shadow = join(folder, 'shadow');
  await mkdir(join(shadow, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(shadow, 'objects', 'pack'));
  await mkdir(join(shadow, 'refs', 'heads'), { recursive: true });
  await mkdir(join(shadow, 'info'));
  await writeFile(join(shadow, 'info', 'attributes'), attributes);
  await writeFile(join(shadow, 'config'), configurationOf(format));
  const objects = await realpath(join(source.common, 'objects'));
  await writeFile(join(shadow, 'objects', 'info', 'alternates'), `${quoteLine(objects)}\n`);
  // A HEAD that exists would let some versions read attributes from its tree; nobody can guess this name.
  await writeFile(
    join(shadow, 'HEAD'),
    `ref: refs/heads/unborn-${randomBytes(16).toString('hex')}\n`,
  );
  await writeFile(
    join(shadow, 'packed-refs'),
    [...references.named].map(([name, id]) => `${id} ${name}\n`).join(''),
  );
  for (const [name, id] of references.passing) await writeFile(join(shadow, name), `${id}\n`);
}

/**
 * These stand above the attributes of the working tree, which would have git read other text than lies on the disk: what an encoding
 * makes of the bytes, and nothing of what stands in `$Id: … $`.
 */
const attributes = '* !working-tree-encoding !ident\n';

function configurationOf({ algorithm }: RepositoryFormat) {
  const isSha256 = algorithm === 'sha256';
  return (
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tfilemode = true\n\tbare = ` +
    `true\n${isSha256 ? '[extensions]\n\tobjectformat = sha256\n' : ''}`
  );
}

/** The list of alternates is read by lines; git undoes C quoting. */
function quoteLine(path: string) {
  return path.includes('\n')
    ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
    : path;
}
