/**
 * What a killed Jury left: processes of its attempts are ended, known by the marks that follow from the name of a folder, and the
 * folders removed.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { listStaleFolders } from '../system/temporary-folder.ts';
import { sweepMarked } from './process-tree.ts';

type Note = (message: string) => void;

const swept = new Map<string, Promise<void>>();

/** Once per process and folder. Tells by `note` which processes it ended. */
export function sweepStaleFolders(base: string, note: Note = () => {}) {
  const known = swept.get(base) ?? sweep(base, note);
  swept.set(base, known);
  return known;
}

async function sweep(base: string, note: Note) {
  const stale = await listStaleFolders(base);
  const ended = (await Promise.all(stale.map(sweepMarked))).flat();
  if (ended.length > 0)
    note(`A jury that was killed had left ${describe(ended)} running; ended now.`);
  for (const name of stale)
    await rm(join(base, name), { recursive: true, force: true }).catch(() => {});
}

function describe(ended: Awaited<ReturnType<typeof sweepMarked>>) {
  const shown = ended.slice(0, 5).map(({ pid, name }) => `${pid} (${makeVisible(name)})`);
  const rest = ended.length - shown.length;
  return `${ended.length === 1 ? 'process' : 'processes'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
