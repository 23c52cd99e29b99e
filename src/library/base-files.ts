/**
 * A reviewer's program, recorded answers, the files its command names and what those load from around them: where the change under
 * review touches any of it, it is put together anew from the base, outside of the checkout.
 */
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReviewerConfig } from '../core/words/config.ts';
import { gatherFiles, type Part, partsOf } from './named-files.ts';
import type { Found, TreeView } from './tree-view.ts';
import { type StandIn, type TrustedBase, viewDeciding } from './trusted-base.ts';

interface Substitute {
  /** What the change touches of it; empty: it is asked as its seat says. */
  readonly touched: readonly string[];
  /** Null: the base does not have all of it, so nobody can be asked. */
  readonly standIn: StandIn | null;
}

export async function substituteFor(
  reviewer: ReviewerConfig,
  home: string,
  ground: TrustedBase,
): Promise<Substitute> {
  if (ground.touched.length === 0 || ground.root === null) return { touched: [], standIn: {} };
  const view = viewDeciding(ground.root, ground);
  const parts = partsOf(reviewer, home, view.root);
  const named = parts.map(({ file, key }) => ({ file, isProgram: key !== 'answers' }));
  const gathered = await gatherFiles(named, view, ground.touchedAt);
  const touched = [...new Set([...gathered.values()].flatMap(({ found }) => found.touched ?? []))];
  if (touched.length === 0) return { touched, standIn: {} };
  const places = new Map<string, string>();
  for (const { file } of parts) {
    const place = (await view.placeOf(file)) ?? '';
    if (gathered.has(place)) places.set(file, place);
  }
  const isLacking = [...places.values()].some(place => {
    const found = gathered.get(place)?.found;
    return found?.kind === 'absent' && found.touched !== undefined;
  });
  if (isLacking) return { touched, standIn: null };
  const top = await ground.makeFolder();
  for (const [place, { found }] of gathered) await copyTo(path.join(top, place), found);
  await copyManifests(top, [...gathered.keys()], view);
  const newPlaces = new Map([...places].map(([file, place]) => [file, path.join(top, place)]));
  return { touched, standIn: namedAnew(reviewer, parts, newPlaces) };
}

/** Settings that name the same files where they are now: in the same layout, so that programs find what they load. */
function namedAnew(
  { command, answers, executable }: ReviewerConfig,
  parts: readonly Part[],
  places: ReadonlyMap<string, string>,
): StandIn {
  const replaced = (key: Part['key'], word: string, index = 0): string =>
    parts
      .filter(part => part.key === key && part.index === index)
      .reduce(
        (text, { written, file }) => text.replace(written, () => places.get(file) ?? written),
        word,
      );
  return {
    ...(command !== undefined && {
      command: command.map((word, index) => replaced('command', word, index)),
    }),
    ...(answers !== undefined && { answers: replaced('answers', answers) }),
    ...(executable !== undefined && { executable: replaced('executable', executable) }),
  };
}

/** What says how scripts below it are read. */
async function copyManifests(top: string, places: string[], view: TreeView): Promise<void> {
  const folders = places.flatMap(place =>
    place.split('/').map((_, depth, names) => names.slice(0, depth).join('/')),
  );
  for (const folder of new Set(folders)) {
    const place = path.posix.join(folder, 'package.json');
    if (!places.includes(place)) await copyTo(path.join(top, place), await view.find(place));
  }
}

/** Nothing for what the base does not have, and for a folder: what lies in it is copied by itself. */
async function copyTo(target: string, found: Found): Promise<void> {
  if (found.kind !== 'file' && found.kind !== 'outside') return;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  if (found.kind === 'outside') return symlink(found.path, target);
  await writeFile(target, await found.read(), { mode: 0o600 });
  await chmod(target, found.isProgram ? 0o500 : 0o400);
}
