/** The demonstration: a real review of a small bad commit, with recorded answers in place of models. */
import { mkdtemp, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { makeRepository } from '../adapters/git/make-repository.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { makeTemporaryFolder } from '../adapters/system/temporary-folder.ts';
import { usageError } from '../core/errors.ts';
import type { Run } from '../core/words/run.ts';
import { type Call, temporaryFolderOf } from './call.ts';
import { runRequest } from './run-request.ts';

export interface DemoRequest {
  /** Leave the project that is reviewed where it was made, and the run in the state of this user, so that both can be looked at. */
  readonly keep?: boolean;
}

/**
 * Nothing of the caller has a part in it but its clock: neither where it stands, nor its configuration, nor, unless the demonstration is
 * kept, its state. Throws `UserError` where there is no room for it, and no git.
 */
export async function demonstrate({ keep = false }: DemoRequest, call: Call): Promise<Run> {
  const place = await makePlace(keep, call);
  try {
    const project = path.join(place.path, 'shop');
    await makeRepository(project, [
      { message: 'Sales', files: await filesIn('before') },
      { message: 'Search sales, refund a part of one', files: await filesIn('after') },
    ]);
    const { signal, onEvent, clock, ids } = call;
    const { SIMILARITY_THRESHOLD: _, ...others } = call.environment;
    // What was recorded once would be told of as if it happened now.
    const environment = { ...others, OTEL_SDK_DISABLED: 'true' };
    const state = keep ? call.state : path.join(place.path, 'state');
    const run = await runRequest(
      { process: 'review', config: path.join(shipped, 'jury.config.yaml') },
      { cwd: project, state, environment, signal, onEvent, clock, ids },
    );
    return { ...run, demo: { project: keep ? project : null } };
  } finally {
    await place.remove();
  }
}

const shipped = path.join(packageRoot, 'demo');

async function makePlace(keep: boolean, call: Call) {
  const parent = temporaryFolderOf(call);
  try {
    const base = await realpath(parent);
    if (!keep) return await makeTemporaryFolder(base, 'demo');
    return {
      path: await mkdtemp(path.join(base, 'jury-demo-')),
      remove: async () => {},
    };
  } catch (cause) {
    throw usageError(
      `No folder can be made in the temporary folder ${parent}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`,
      'Make it writable, or set TMPDIR to one that is.',
      cause,
    );
  }
}

/** Their names end in `.txt` where they lie, so that no tool takes them for code of this package. */
async function filesIn(name: 'before' | 'after') {
  const folder = path.join(shipped, name);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    found
      .filter(entry => entry.isFile())
      .map(async entry => {
        const file = path.join(entry.parentPath, entry.name);
        const shown = path
          .relative(folder, file)
          .split(path.sep)
          .join('/')
          .replace(/\.txt$/, '');
        return [shown, await readFile(file)] as const;
      }),
  );
  // Whoever keeps the project finds it clean.
  return new Map([['.gitignore', Buffer.from('.jury/\n')], ...files]);
}
